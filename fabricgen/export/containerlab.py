"""Write a plan, or a subset of it, as a containerlab topology: its files, its needs, and what it cannot exercise.

The text depends on the intent, the subset, the release and the images only: no clock, no host's name. Nodes are made
one by one; the topology file, which names them all, comes after their own files.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from fabricgen import __version__
from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.export.addresses import Addresses, NodeAddresses
from fabricgen.export.expansion import (
    Spell,
    by_containerlab,
    escaped,
    expanded_file,
    mounted_file,
    refuse_reference,
    resolved,
    variables,
)
from fabricgen.export.inventory import make_hosts, username
from fabricgen.export.needs import NeedsCounter
from fabricgen.export.nodes import Node, accesses, server_node, switch_node
from fabricgen.export.nornir import nornir_files
from fabricgen.export.omissions import Omissions
from fabricgen.export.readme import TopologySummary, readme
from fabricgen.export.topology import Topology, lab_name
from fabricgen.export.words import Text, commented
from fabricgen.lab.model.containers import kinds_of, release_text, tidy
from fabricgen.lab.model.lab import LabLink
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.servers import server_links
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.containerlab import Release
from fabricgen.platforms.base.forms import WORDS, Form
from fabricgen.push.switch.secret_fit import SecretDemand, demands, forms, misfits
from fabricgen.push.switch.secrets import Places, read_secrets
from fabricgen.render.render import Renderer

NOWHERE: Path | None = None
"""Secrets remain references."""

Files = Iterator[tuple[str, Text]]
"""Path and text of each file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """Options of an export.

    images   platform, or `server` → image
    digest   of the intent and the files next to it, hexadecimal
    secrets  folder of the intent if secrets are to be resolved; None: they remain references
    places   where the intent has references
    """

    subset: Subset
    release: Release
    images: Mapping[str, str]
    digest: str
    secrets: Path | None = NOWHERE
    places: Places = field(default_factory=dict)
    templates: Path | None = None


class ContainerlabWriter:
    """Writes a containerlab topology."""

    def __init__(self, plan: Plan, request: ExportRequest) -> None:
        """Raises FabricError for a platform that containerlab has no node kind for."""
        self._plan, self._request = plan, request
        self._part = PlanSubset(plan, request.subset)
        self._kinds = kinds_of(self._part.systems, request.release)
        self._access = accesses(self._kinds, request.images)
        self._renderer = Renderer(request.templates)
        self._addresses = Addresses(plan)
        self._topology = Topology(self._part.name, self._addresses.network)
        self._omissions, self._count = Omissions(self._kinds), NeedsCounter()
        self._variables: set[str] = set()
        self._demands: dict[SecretDemand, None] = {}
        self._secrets: list[str] = []
        self._options: dict[str, Mapping[str, object]] = {}

    @property
    def summary(self) -> TopologySummary:
        """Summary of the topology; complete only after all files have been taken."""
        return TopologySummary(
            site=self._part.name,
            file=f"{lab_name(self._part.name)}.clab.yml",
            release=release_text(self._request.release),
            digest=self._request.digest,
            variables=tuple(sorted(self._variables)),
            forms=forms(self._demands),
            access=self._access,
            network=self._addresses.network.ipv4,
            needs=self._count.needs(self._kinds),
            skipped=self._omissions.rows(self._part, self._access),
            secrets=tuple(self._secrets),
        )

    def files(self) -> Files:
        """Path and text of every file, once. Raises FabricError for a topology or secret that cannot be written."""
        if self._request.secrets is not None:
            self._check_values(self._request.secrets)
        for device, links in self._part.switches():
            yield from self._switch(tidy(device), links)
        for server in self._part.servers():
            node = server_node(self._plan, server, self._request.images)
            self._omissions.server(server)
            self._take(node, self._addresses.of_server(), tuple(server_links(server)), {})
        summary = self.summary
        yield summary.file, chain((commented(_head(summary, self._part.subset)),), self._topology.text())
        yield "README.md", readme(summary)
        yield from ((f"inventory/{name}", text) for name, text in self._inventory())

    def _check_values(self, folder: Path) -> None:
        """Raise FabricError before any file is made where a secret does not fit its fields."""
        devices = (self._kinds[device.system].fit(tidy(device)) for device, _ in self._part.switches())
        secret_demands = {demand: None for device in devices for demand in demands(device)}
        places = self._request.places
        values = read_secrets(sorted({demand.name for demand in secret_demands}), folder, places)
        if problems := misfits(secret_demands, values, places):
            raise FabricError(problems)

    def _switch(self, device: Device, links: tuple[LabLink, ...]) -> Files:
        kind = self._kinds[device.system]
        self._demands |= dict.fromkeys(demands(kind.fit(device)))
        node = switch_node(self._plan, device, kind, self._renderer, self._request.images)
        self._omissions.switch(device)
        self._options[device.system] = kind.options
        mtus = {row.name: row.profile.mtu for row in device.interfaces.ethernet}
        self._take(node, self._addresses.of_switch(device), links, mtus)
        for name, text in node.container.files.items():
            yield f"{node.name}/{name}", self._text(node, name, text)

    def _take(self, node: Node, addresses: NodeAddresses, links: tuple[LabLink, ...], mtus: Mapping[str, int]) -> None:
        self._count.add(node, len(links))
        self._topology.add(node, addresses, links, mtus)

    def _text(self, node: Node, name: str, text: str) -> str:
        """Return a file of a node with its references replaced by variables or resolved."""
        is_expanded, form, secrets = name == node.container.startup, _form(node, name), self._request.secrets
        if secrets is None and is_expanded:
            self._variables.update(variables(text))
        if secrets is not None and any(form.spots(text)):
            self._secrets.append(f"{node.name}/{name}")
        write = expanded_file if is_expanded else mounted_file
        return write(text, _spell(secrets, self._request.places, is_expanded=is_expanded), form)

    def _inventory(self) -> Files:
        """Files of a Nornir inventory of the lab's switches."""
        request, lab = self._request, lab_name(self._part.name)
        login = {system: kind.user or username(self._plan) for system, kind in self._kinds.items()}
        options = {
            system: {key: value.format(lab=lab) if isinstance(value, str) else value for key, value in extras.items()}
            for system, extras in self._options.items()
        }
        release = release_text(request.release)
        data = {"containerlab": {"name": lab, "subset": request.subset.text, "release": release}}
        by_key = [system for system, access in self._access.items() if access.by_key]
        hosts = make_hosts(self._plan, (device for device, _ in self._part.switches()))
        return nornir_files(self._part.name, hosts, login, data, options, by_key)


def _form(node: Node, name: str) -> Form:
    """Form that a file of a node is written in. Files that are no artifacts contain no references."""
    return node.forms.get(name.rpartition("/")[2], WORDS)


def _spell(secrets: Path | None, places: Places, *, is_expanded: bool) -> Spell:
    if secrets is not None:
        return resolved(secrets, escaped if is_expanded else str, places)
    return by_containerlab if is_expanded else refuse_reference


def _head(summary: TopologySummary, subset: Subset) -> list[str]:
    part = f", subset {subset.text}" if subset.text else ""
    return [
        f"Topology of {summary.site} for containerlab {summary.release} and later.",
        f"Written by fabricgen {__version__}; intent {summary.digest}{part}.",
        "What it needs, and what it does not show, is in README.md.",
    ]
