"""What findings of several switches mean together: swapped cables, unidirectional links, faults of far ends.

It works on findings, not on states, so that a fabric of any size fits into memory: a correct cable has no finding.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.verify.causes.far_end import Ends, ends_of, explain_ends
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict

MISPLUGGED = ("lldp-wrong-peer", "lldp-wrong-port")
STRANGER = "lldp-unexpected-peer"


class MiscabledEnd(NamedTuple):
    """One end with a wrong cable: its planned and its actual far end (empty: none)."""

    own: FindingEnd
    wanted: FindingEnd
    actual: FindingEnd


def explain(verdicts: Iterable[SwitchVerdict]) -> tuple[SwitchVerdict, ...]:
    """The same verdicts with causes that only several switches together show. An existing explanation is kept."""
    all_verdicts = tuple(verdicts)
    cables = explain_cables(all_verdicts)
    ends = ends_of(all_verdicts)
    return tuple(_with(verdict, cables, ends) for verdict in all_verdicts)


def _with(verdict: SwitchVerdict, cables: Mapping[FindingEnd, str], ends: Ends) -> SwitchVerdict:
    if not verdict.findings:
        return verdict
    findings = []
    for finding in verdict.findings:
        is_of_cable = finding.check == "lldp" or finding.code == "interface-down"
        cable_text = cables.get(FindingEnd(finding.device, finding.port), "") if is_of_cable else ""
        text = finding.explained or cable_text or explain_ends(finding, ends)
        findings.append(finding if text == finding.explained else finding._replace(explained=text))
    return SwitchVerdict(
        device=verdict.device, passed=verdict.passed, findings=tuple(findings), unchecked=verdict.unchecked
    )


def explain_cables(verdicts: Iterable[SwitchVerdict]) -> dict[FindingEnd, str]:
    """End of a cable → what is wrong with the cable, for every end with a wrong neighbor."""
    miscabled = {end.own: end for verdict in verdicts for finding in verdict.findings for end in _ends_of(finding)}
    text_of: dict[FindingEnd, str] = {}
    for circle in _circles(miscabled):
        text = _swapped(circle)
        for end in circle:
            text_of[end.own] = text_of[end.wanted] = text
    for end in miscabled.values():
        if end.own not in text_of:
            text_of[end.own] = _astray(end, miscabled)
            text_of.setdefault(end.wanted, text_of[end.own])  # that end has no neighbor now, and may be down
    return text_of


def _ends_of(finding: Finding) -> Iterator[MiscabledEnd]:
    if finding.code in MISPLUGGED or finding.code == STRANGER:
        yield MiscabledEnd(FindingEnd(finding.device, finding.port), finding.far, finding.heard)


def _resolve(end: FindingEnd, miscabled: Mapping[FindingEnd, MiscabledEnd]) -> FindingEnd:
    """The end itself, also if its name was reported with a domain."""
    if end in miscabled:
        return end
    return FindingEnd(end.system.partition(".")[0], end.port)


def _circles(miscabled: Mapping[FindingEnd, MiscabledEnd]) -> list[tuple[MiscabledEnd, ...]]:
    """Ends whose cables only changed places among themselves: each leads to where the next one should.

    The other ends of the same cables form the same circle; it is reported from the side that is first by name.
    """
    systems: dict[str, tuple[FindingEnd, ...]] = {}
    for end in miscabled.values():
        if end.wanted.system:
            systems[end.wanted.system] = (*systems.get(end.wanted.system, ()), end.own)
    home = _Homes({end.wanted: end.own for end in miscabled.values() if end.wanted.system}, systems)
    circles: list[tuple[MiscabledEnd, ...]] = []
    done: set[FindingEnd] = set()
    for start in sorted(miscabled):
        circle: list[MiscabledEnd] = []
        current: FindingEnd | None = start
        while current is not None and current not in done and current not in {end.own for end in circle}:
            circle.append(miscabled[current])
            current = _next(miscabled[current], home)
        if current == start and len(circle) > 1:
            circles.append(tuple(circle))
            done |= {done_end for end in circle for done_end in (end.own, end.wanted)}
    return circles


class _Homes(NamedTuple):
    """Planned far end → the end that should lead there; and the same by system, for ends with other port names."""

    exact: Mapping[FindingEnd, FindingEnd]
    systems: Mapping[str, tuple[FindingEnd, ...]]


def _next(miscabled: MiscabledEnd, planned: _Homes) -> FindingEnd | None:
    short = FindingEnd(miscabled.actual.system.partition(".")[0], miscabled.actual.port)
    for end in (miscabled.actual, short):
        if end in planned.exact:
            return planned.exact[end]
    candidates = planned.systems.get(miscabled.actual.system, ()) or planned.systems.get(short.system, ())
    return candidates[0] if len(candidates) == 1 else None


def _swapped(circle: tuple[MiscabledEnd, ...]) -> str:
    ports_text = " and ".join(str(end.own) for end in circle)
    place_text = _where(circle)
    if len(circle) == 2:
        return f"the cables of {ports_text} are swapped{place_text}: exchange them"
    moves = ", ".join(f"{end.own} to {end.wanted}" for end in circle)
    return f"the cables of {len(circle)} ports are exchanged in a circle{place_text}: move {moves}"


def _where(circle: tuple[MiscabledEnd, ...]) -> str:
    """The common system of one side of the circle, in words: adjacent cables are swapped most easily."""
    for ends in ((miscabled.own for miscabled in circle), (miscabled.wanted for miscabled in circle)):
        systems = {end.system for end in ends}
        if len(systems) == 1:
            return f" at {systems.pop()}"
    return ""


def _astray(cable_end: MiscabledEnd, miscabled: Mapping[FindingEnd, MiscabledEnd]) -> str:
    """The text for one cable in a wrong place."""
    if not cable_end.wanted.system:
        other = miscabled.get(_resolve(cable_end.actual, miscabled))
        if other is not None and other.wanted.system:
            return f"the cable of {other.own} ends here; it belongs in {other.wanted}"
        return ""
    return f"the cable of {cable_end.own} goes to {cable_end.actual}; it belongs in {cable_end.wanted}"
