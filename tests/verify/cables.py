"""The small site's cables as they are plugged, judged at every switch: move plugs and see what is said of it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

from fabricgen.state.state import Adjacency, State
from fabricgen.verify.causes.miscabling import explain
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict
from fabricgen.verify.judge.device import judge
from tests.verify.seen import right_state
from tests.verify.sites import healthy

Cables = dict[FindingEnd, FindingEnd]
"""Plugged end → far end; both ways where both ends are switches."""


@cache
def expected() -> tuple[Expected, ...]:
    return tuple(expectations(healthy()))


def planned() -> Cables:
    """As the plan has them."""
    found = {}
    for one in expected():
        for adjacency in one.adjacencies:
            near, far = FindingEnd(one.device, adjacency.port), FindingEnd(adjacency.system, adjacency.port_id)
            found[near] = far
            found[far] = near
    return found


def swap(cables: Cables, *ends: FindingEnd) -> Cables:
    """The plugs at these ends each go one further; what is at the other side of the cables stays."""
    fars = [cables[end] for end in ends]
    moved = dict(cables)
    for end, far in zip(ends, [*fars[1:], fars[0]], strict=True):
        moved[end], moved[far] = far, end
    return moved


def move(cables: Cables, end: FindingEnd, to: FindingEnd) -> Cables:
    """The plug at one end goes elsewhere, where nothing is."""
    moved = dict(cables)
    far = moved.pop(end)
    moved[to], moved[far] = far, to
    return moved


def states(cables: Cables) -> dict[str, State]:
    """Every switch, without fault but for its cables."""
    found = {}
    for one in expected():
        heard = (
            Adjacency(near.port, far.system, far.port) for near, far in cables.items() if near.system == one.device
        )
        found[one.device] = replace(right_state(one), lldp=tuple(sorted(heard)))
    return found


def verdicts(found: Mapping[str, State]) -> tuple[SwitchVerdict, ...]:
    """All switches judged, and explained together. A switch without a state is not judged."""
    return explain(judge(one, found[one.device], lambda _, __: ()) for one in expected() if one.device in found)


def findings(found: Iterable[SwitchVerdict]) -> dict[tuple[str, str], Finding]:
    """By (switch, first words of the subject)."""
    return {
        (verdict.device, finding.subject.partition(" (")[0]): finding
        for verdict in found
        for finding in verdict.findings
    }
