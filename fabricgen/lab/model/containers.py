"""The switches of a containerlab topology as values, for `verify` and `push`."""

from collections.abc import Iterable, Mapping
from itertools import chain

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.servers import server_links
from fabricgen.lab.model.subset import parse_subset
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.containerlab import RELEASES, NodeKind, Release
from fabricgen.platforms.containerlab_nodes import NODES, exported, kind_of

KEY = "containerlab"
"""Key of `data` in defaults.yaml: `name`, `subset` and `release` of the inventory's topology."""


def subset_and_release(data: Mapping[str, object]) -> tuple[str, Release] | None:
    """Subset and release that an inventory's data names; None where its switches are no containers.

    Raises FabricError for invalid data.
    """
    topology = data.get(KEY)
    if topology is None:
        return None
    subset = topology.get("subset", "") if isinstance(topology, dict) else None
    release = topology.get("release") if isinstance(topology, dict) else None
    releases = {release_text(supported): supported for supported in RELEASES}
    if not isinstance(subset, str) or not isinstance(release, str) or release not in releases:
        raise FabricError.of(
            code="inventory-containerlab",
            what=f"data.{KEY} does not identify the topology",
            why=f"it needs `subset`, a text, and `release`, one of {', '.join(tuple(releases))} in quotes",
            fix="run fabricgen export containerlab again: it writes the inventory",
        )
    return subset, releases[release]


def containers(plan: Plan, subset: str, release: Release) -> Lab:
    """The part of a plan that a topology holds, with its switches as containers."""
    part = PlanSubset(plan, parse_subset(subset))
    kinds = kinds_of(part.systems, release)
    switches, servers = tuple(part.switches()), tuple(part.servers())
    return Lab(
        name=part.name,
        subset=part.subset,
        plan=plan,
        devices=tuple(kinds[device.system].fit(tidy(device)) for device, _ in switches),
        servers=servers,
        links=tuple(chain(*map(server_links, servers), *(links for _, links in switches))),
        skipped=(),
    )


def trimmed(device: Device, release: Release, artifact: str) -> str:
    """The main artifact as the container received it, from the rendered one."""
    kind = kind_of(device.system, release)
    return kind.artifact(artifact) if kind is not None else artifact


def kinds_of(systems: Iterable[str], release: Release) -> dict[str, NodeKind]:
    """Kind of each platform. Raises FabricError for one that this release does not run."""
    kinds: dict[str, NodeKind] = {}
    problems: list[Problem] = []
    for system in systems:
        kind = kind_of(system, release)
        if kind is None:
            problems.append(_no_kind(system, release))
        else:
            kinds[system] = kind
    if problems:
        raise FabricError(problems)
    return kinds


def _no_kind(system: str, release: Release) -> Problem:
    title = PLATFORMS[system].title if system in PLATFORMS else system
    refusal = NODES[system].refusal if system in NODES else ""
    return Problem(
        code="export-kind",
        what=f"containerlab {release_text(release)} has no node for {title}",
        why=refusal or f"it has nodes for {', '.join(PLATFORMS[name].title for name in exported())}",
        fix="use an intent without its fabric, or fabricgen lab up, which runs FRR for this operating system",
    )


def release_text(release: Release) -> str:
    """Print a release with dots."""
    return ".".join(map(str, release))


def tidy(device: Device) -> Device:
    """The switch without aggregates that have no cable in the part."""
    cabled = {row.name for row in device.interfaces.ethernet}
    lags = (lag._replace(members=tuple(filter(cabled.__contains__, lag.members))) for lag in device.interfaces.lags)
    return device._replace(interfaces=device.interfaces._replace(lags=tuple(lag for lag in lags if lag.members)))
