"""A plan, or a part of it, as a containerlab topology: its files, what it needs, and what it can not show.

Text of the files is a function of the intent, its part, the release and the images: no clock, no host's name.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fabricgen import __version__
from fabricgen.device.device import Device
from fabricgen.export.addresses import Network, management_network
from fabricgen.export.expansion import (
    Spell,
    by_containerlab,
    by_nobody,
    escaped,
    expanded_file,
    mounted_file,
    resolved,
    variables,
)
from fabricgen.export.inventory import PASSWORD, make_hosts, username
from fabricgen.export.nodes import Node, accesses, kinds_of, release_text, server_nodes, switch_nodes
from fabricgen.export.nornir import nornir_files
from fabricgen.export.omissions import omissions
from fabricgen.export.part import make_part
from fabricgen.export.topology import Document, lab_name, topology
from fabricgen.export.words import as_text, commented, yaml_text
from fabricgen.lab.model import Lab, Skipped
from fabricgen.lab.subset import Subset
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.containerlab import Access, Kind, Release
from fabricgen.platforms.forms import WORDS, Form
from fabricgen.render.render import Renderer

NOWHERE: Path | None = None
"""Secrets stay references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What an export is told.

    images   platform, or `server` → image
    digest   of the intent and what lies beside it, hexadecimal
    secrets  folder of the intent where secrets are resolved; None: they stay references
    """

    subset: Subset
    release: Release
    images: Mapping[str, str]
    digest: str
    secrets: Path | None = NOWHERE
    templates: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Figures of a topology: how many of each, and memory by kind of node, MiB."""

    switches: int
    servers: int
    links: int
    memory: int
    by_use: Mapping[str, tuple[int, int, str]]
    """Use → nodes, MiB of all of them, and whose figure it is."""
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A topology, not yet written.

    part       as the plan has it; devices: the switches as containers are them
    access     platform → how NAPALM enters its nodes
    variables  of the environment that containerlab fills in at deploy
    """

    request: Request
    part: Lab
    kinds: Mapping[str, Kind]
    access: Mapping[str, Access]
    nodes: tuple[Node, ...]
    network: Network
    document: Document
    skipped: tuple[Skipped, ...]
    needs: Needs
    variables: tuple[str, ...]

    @property
    def file(self) -> str:
        """Name of the topology file."""
        return f"{lab_name(self.part.name)}.clab.yml"

    @property
    def devices(self) -> tuple[Device, ...]:
        """Switches as containers are them: what `verify` and `push` of the lab must hold them against."""
        return tuple(self.kinds[device.system].fit(device) for device in self.part.devices)


def make_export(plan: Plan, request: Request) -> Export:
    """The topology of a plan. Raises FabricError where containerlab can not have it."""
    part = make_part(plan, request.subset)
    kinds = kinds_of(part, request.release)
    access = accesses(kinds, request.images)
    switches = tuple(switch_nodes(part, kinds, Renderer(request.templates), request.images))
    nodes = (*switches, *server_nodes(part, request.images))
    network = management_network(part)
    return Export(
        request=request,
        part=part,
        kinds=kinds,
        access=access,
        nodes=nodes,
        network=network,
        document=topology(part, nodes, network),
        skipped=omissions(part, kinds, access, part.devices),
        needs=_needs(part, nodes, kinds),
        variables=_variables(nodes) if request.secrets is None else (),
    )


def _variables(nodes: tuple[Node, ...]) -> tuple[str, ...]:
    texts = (node.container.files[node.container.startup] for node in nodes if node.container.startup)
    return tuple(sorted({name for text in texts for name in variables(text)}))


def _needs(part: Lab, nodes: tuple[Node, ...], kinds: Mapping[str, Kind]) -> Needs:
    counts = Counter(node.use for node in nodes)
    figures = {node.use: node.memory for node in nodes}
    by_use = {use: (count, count * figures[use].mib, figures[use].source) for use, count in counts.items()}
    return Needs(
        switches=len(part.devices),
        servers=len(part.servers),
        links=len(part.links),
        memory=sum(mib for _, mib, _ in by_use.values()),
        by_use=by_use,
        hints=tuple(_hints(counts, kinds)),
    )


def _hints(counts: Mapping[str, int], kinds: Mapping[str, Kind]) -> Iterator[str]:
    for system, kind in kinds.items():
        if kind.per_host is not None and counts[system] > kind.per_host[0]:
            most, advice = kind.per_host
            limit = 1250 * counts[system]
            yield f"{counts[system]} × {kind.name}, more than {most} on one host: {advice.format(limit=limit)}"


def files(export: Export) -> Iterator[tuple[str, str]]:
    """Path and text of every file. Raises FabricError for a secret that can not be carried."""
    yield export.file, commented(_head(export)) + yaml_text(export.document)
    yield "README.md", _readme(export)
    for node in export.nodes:
        yield from _node_files(export.request, node)
    for name, text in _inventory(export).items():
        yield f"inventory/{name}", text


def _node_files(request: Request, node: Node) -> Iterator[tuple[str, str]]:
    for name, text in node.container.files.items():
        is_expanded = name == node.container.startup
        spell = _spell(request, is_expanded=is_expanded)
        yield f"{node.name}/{name}", (expanded_file if is_expanded else mounted_file)(text, spell, _form(node, name))


def _form(node: Node, name: str) -> Form:
    """How a file of a node is written; what is no artifact has no reference."""
    return node.forms.get(name.rpartition("/")[2], WORDS)


def _spell(request: Request, *, is_expanded: bool) -> Spell:
    if request.secrets is not None:
        return resolved(request.secrets, escaped if is_expanded else str)
    return by_containerlab if is_expanded else by_nobody


def secret_files(export: Export) -> tuple[str, ...]:
    """Paths of files that hold a secret in clear; empty where they stay references."""
    if export.request.secrets is None:
        return ()
    return tuple(
        f"{node.name}/{name}"
        for node in export.nodes
        for name, text in node.container.files.items()
        if any(_form(node, name).spots(text))
    )


def _inventory(export: Export) -> Mapping[str, str]:
    """A Nornir inventory of the lab's switches."""
    plan, lab = export.part.plan, lab_name(export.part.name)
    login = {system: kind.user or username(plan) for system, kind in export.kinds.items()}
    options: dict[str, dict[str, object]] = {}
    for device in export.part.devices:
        found = export.kinds[device.system].options(device)
        options[device.system] = {
            key: value.format(lab=lab) if isinstance(value, str) else value for key, value in found.items()
        }
    data = {"containerlab": {"name": lab, "subset": export.part.subset.text, "release": _release(export)}}
    by_key = [system for system, access in export.access.items() if access.by_key]
    hosts = make_hosts(plan, export.part.devices)
    return as_text(nornir_files(export.part.name, hosts, login, data, options, by_key))


def _release(export: Export) -> str:
    return release_text(export.request.release)


def _head(export: Export) -> list[str]:
    subset = export.part.subset.text
    return [
        f"Topology of {export.part.name} for containerlab {_release(export)} and later.",
        f"Written by fabricgen {__version__}; intent {export.request.digest}{f', subset {subset}' if subset else ''}.",
        "What it needs, and what it does not show, is in README.md.",
    ]


def _readme(export: Export) -> str:
    return "\n".join((*_deploy_lines(export), *_need_lines(export), *_omission_lines(export))) + "\n"


def _deploy_lines(export: Export) -> Iterator[str]:
    yield f"# {export.part.name} in containerlab"
    yield ""
    yield f"For containerlab {_release(export)} and later; written by fabricgen {__version__} from intent"
    yield f"{export.request.digest}. Nothing of it was deployed by fabricgen."
    yield ""
    if export.variables:
        yield "Set these variables for containerlab; it writes their values into the configurations at deploy:"
        yield from ("", *(f"    export {name}=…" for name in export.variables), "")
    yield f"    sudo -E containerlab deploy -t {export.file}"
    yield from _verify_lines(export.access)
    yield ""
    yield f"The lab's management network is {export.network.ipv4}, that of the real switches, with their addresses:"
    yield "a host that must reach the real ones is the wrong one to deploy on."
    yield ""


def _verify_lines(access: Mapping[str, Access]) -> Iterator[str]:
    """How to verify the nodes that can be entered, and which can not."""
    entered = {system: found for system, found in access.items() if not found.barrier}
    if any(not found.by_key for found in entered.values()):
        yield f"    export {PASSWORD}=…"
    if entered:
        yield "    fabricgen verify intent.yaml -i inventory"
    for system, found in access.items():
        if found.barrier:
            yield from ("", f"`fabricgen verify` can not enter {PLATFORMS[system].title} here: see login, below.")
        elif found.note:
            yield from ("", f"{PLATFORMS[system].title}: {found.note}.")


def _need_lines(export: Export) -> Iterator[str]:
    yield f"## What it needs: about {export.needs.memory} MiB of memory"
    yield ""
    yield from (f"* {line}" for line in need_lines(export))
    yield ""


def need_lines(export: Export) -> Iterator[str]:
    """Figures for people, one line each."""
    images = {node.use: (node.kind, node.image) for node in export.nodes}
    for use, (count, mib, source) in export.needs.by_use.items():
        kind, image = images[use]
        yield f"{count} × {use}: kind {kind}, image {image}, {mib} MiB ({source})"
    yield f"{export.needs.links} links"
    yield from export.needs.hints


def _omission_lines(export: Export) -> Iterator[str]:
    yield "## Rendered, not exercised"
    yield ""
    yield from (f"* {row.feature} ({row.where}): {row.reason}" for row in export.skipped)
