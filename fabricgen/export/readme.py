"""What is told of a topology once all of it has gone by, and README.md, which tells it."""

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
    """A topology in short.

    file       name of the topology file; release: of containerlab, as people write it
    digest     of the intent and what lies beside it
    variables  of the environment that containerlab fills in at deploy
    forms      variable → what its value must be, where a field wants something
    access     platform → how NAPALM enters its nodes
    skipped    what of the plan it does not show
    secrets    paths of files that hold a secret in clear; none where they stay references
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


def readme(found: TopologySummary) -> str:
    """Text of README.md."""
    lines = (*_deploy_lines(found), *_need_lines(found), *_omission_lines(found))
    return "".join(f"{line}\n" for line in lines)


def _deploy_lines(found: TopologySummary) -> Iterator[str]:
    yield f"# {found.site} in containerlab"
    yield ""
    yield f"For containerlab {found.release} and later; written by fabricgen {__version__} from intent"
    yield f"{found.digest}. Nothing of it was deployed by fabricgen."
    yield ""
    if found.variables:
        yield "Set these variables for containerlab; it writes their values into the configurations at deploy:"
        forms = {name: f"  # {found.forms[name]}" if name in found.forms else "" for name in found.variables}
        yield from ("", *(f"    export {name}=…{form}" for name, form in forms.items()), "")
    yield f"    sudo -E containerlab deploy -t {found.file}"
    yield from _verify_lines(found.access)
    yield ""
    yield f"The lab's management network is {found.network}, that of the real switches, with their addresses:"
    yield "a host that must reach the real ones is the wrong one to deploy on."
    yield ""


def _verify_lines(access: Mapping[str, Access]) -> Iterator[str]:
    """How to verify the nodes that can be entered, and which cannot."""
    entered = {system: found for system, found in access.items() if not found.barrier}
    if any(not found.by_key for found in entered.values()):
        yield f"    export {PASSWORD}=…"
    if entered:
        yield "    fabricgen verify intent.yaml -i inventory"
    for system, found in access.items():
        if found.barrier:
            yield from ("", f"`fabricgen verify` cannot enter {PLATFORMS[system].title} here: see login, below.")
        elif found.note:
            yield from ("", f"{PLATFORMS[system].title}: {found.note}.")


def _need_lines(found: TopologySummary) -> Iterator[str]:
    yield f"## What it needs: about {found.needs.memory} MiB of memory"
    yield ""
    yield from (f"* {line}" for line in found.needs.lines())
    yield ""


def _omission_lines(found: TopologySummary) -> Iterator[str]:
    yield "## Rendered, not exercised"
    yield ""
    yield from (f"* {row.feature} ({row.where}): {row.reason}" for row in found.skipped)
