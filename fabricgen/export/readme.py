"""Summary of a complete topology, and the README.md that prints it."""

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network
from typing import NamedTuple

from fabricgen import __version__
from fabricgen.export.inventory import PASSWORD
from fabricgen.export.needs import TopologyNeeds
from fabricgen.lab.model.lab import Skipped
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.containerlab import Access


class TopologySummary(NamedTuple):
    """Summary of a topology.

    file       name of the topology file; release: of containerlab, e.g. 0.70
    digest     of the intent and the files next to it
    variables  environment variables that containerlab fills in at deploy
    forms      variable → the required form of its value, where a field requires one
    access     platform → how NAPALM logs in to its nodes
    skipped    parts of the plan that the topology does not exercise
    secrets    paths of files that hold a secret in clear text; empty where secrets remain references
    """

    site: str
    file: str
    release: str
    digest: str
    variables: tuple[str, ...]
    forms: Mapping[str, str]
    access: Mapping[str, Access]
    network: IPv4Network
    needs: TopologyNeeds
    skipped: tuple[Skipped, ...]
    secrets: tuple[str, ...]


def readme(summary: TopologySummary) -> str:
    """Text of README.md."""
    lines = (*_deploy_lines(summary), *_need_lines(summary), *_omission_lines(summary))
    return "".join(f"{line}\n" for line in lines)


def _deploy_lines(summary: TopologySummary) -> Iterator[str]:
    yield f"# {summary.site} in containerlab"
    yield ""
    yield f"For containerlab {summary.release} and later; written by fabricgen {__version__} from intent"
    yield f"{summary.digest}. Nothing of it was deployed by fabricgen."
    yield ""
    if summary.variables:
        yield "Set these variables for containerlab; it writes their values into the configurations at deploy:"
        forms = {name: f"  # {summary.forms[name]}" if name in summary.forms else "" for name in summary.variables}
        yield from ("", *(f"    export {name}=…{form}" for name, form in forms.items()), "")
    yield f"    sudo -E containerlab deploy -t {summary.file}"
    yield from _verify_lines(summary.access)
    yield ""
    yield f"The lab's management network is {summary.network}, that of the real switches, with their addresses:"
    yield "a host that must reach the real ones is the wrong one to deploy on."
    yield ""


def _verify_lines(access: Mapping[str, Access]) -> Iterator[str]:
    """How to verify the nodes that NAPALM can log in to, and which nodes it cannot."""
    reachable = {system: platform_access for system, platform_access in access.items() if not platform_access.barrier}
    if any(not platform_access.by_key for platform_access in reachable.values()):
        yield f"    export {PASSWORD}=…"
    if reachable:
        yield "    fabricgen verify intent.yaml -i inventory"
    for system, platform_access in access.items():
        if platform_access.barrier:
            yield from ("", f"`fabricgen verify` cannot enter {PLATFORMS[system].title} here: see login, below.")
        elif platform_access.note:
            yield from ("", f"{PLATFORMS[system].title}: {platform_access.note}.")


def _need_lines(summary: TopologySummary) -> Iterator[str]:
    yield f"## What it needs: about {summary.needs.memory} MiB of memory"
    yield ""
    yield from (f"* {line}" for line in summary.needs.lines())
    yield ""


def _omission_lines(summary: TopologySummary) -> Iterator[str]:
    yield "## Rendered, not exercised"
    yield ""
    yield from (f"* {row.feature} ({row.where}): {row.reason}" for row in summary.skipped)
