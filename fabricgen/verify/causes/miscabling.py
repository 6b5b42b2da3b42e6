"""What findings of several switches say together: exchanged cables, links that carry one way, far ends at fault.

Judged are findings, not states, so that a fabric of any size fits into memory: a sound cable leaves none.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.verify.causes.far_end import Ends, ends_of, explain_ends
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict

MISPLUGGED = ("lldp-wrong-peer", "lldp-wrong-port")
STRANGER = "lldp-unexpected-peer"


class MiscabledEnd(NamedTuple):
    """One end whose cable is not the planned one: where it leads, and where it should (empty where nowhere)."""

    own: FindingEnd
    wanted: FindingEnd
    actual: FindingEnd


def explain(verdicts: Iterable[SwitchVerdict]) -> tuple[SwitchVerdict, ...]:
    """The same verdicts, with causes that only several switches tell. A cause that is known already stays."""
    every = tuple(verdicts)
    cables = explain_cables(every)
    ends = ends_of(every)
    return tuple(_with(verdict, cables, ends) for verdict in every)


def _with(verdict: SwitchVerdict, cables: Mapping[FindingEnd, str], ends: Ends) -> SwitchVerdict:
    if not verdict.findings:
        return verdict
    findings = []
    for finding in verdict.findings:
        is_of_cable = finding.check == "lldp" or finding.code == "interface-down"
        told = cables.get(FindingEnd(finding.device, finding.port), "") if is_of_cable else ""
        text = finding.explained or told or explain_ends(finding, ends)
        findings.append(finding if text == finding.explained else finding._replace(explained=text))
    return SwitchVerdict(
        device=verdict.device, passed=verdict.passed, findings=tuple(findings), unchecked=verdict.unchecked
    )


def explain_cables(verdicts: Iterable[SwitchVerdict]) -> dict[FindingEnd, str]:
    """End of a cable → what is wrong with the cable, for every end that hears somebody it should not."""
    seen = {one.own: one for verdict in verdicts for finding in verdict.findings for one in _seen(finding)}
    told: dict[FindingEnd, str] = {}
    for circle in _circles(seen):
        text = _swapped(circle)
        for one in circle:
            told[one.own] = told[one.wanted] = text
    for one in seen.values():
        if one.own not in told:
            told[one.own] = _astray(one, seen)
            told.setdefault(one.wanted, told[one.own])  # that end hears nobody now, and may have no carrier
    return told


def _seen(finding: Finding) -> Iterator[MiscabledEnd]:
    if finding.code in MISPLUGGED or finding.code == STRANGER:
        yield MiscabledEnd(FindingEnd(finding.device, finding.port), finding.far, finding.heard)


def _resolve(end: FindingEnd, seen: Mapping[FindingEnd, MiscabledEnd]) -> FindingEnd:
    """The end itself, where a name comes with its domain too."""
    if end in seen:
        return end
    return FindingEnd(end.system.partition(".")[0], end.port)


def _circles(seen: Mapping[FindingEnd, MiscabledEnd]) -> list[tuple[MiscabledEnd, ...]]:
    """Ends whose far plugs only changed places among themselves: each leads to where the next one should.

    The other ends of the same cables make the same circle; it is told from the side that comes first by name.
    """
    systems: dict[str, tuple[FindingEnd, ...]] = {}
    for one in seen.values():
        if one.wanted.system:
            systems[one.wanted.system] = (*systems.get(one.wanted.system, ()), one.own)
    home = _Homes({one.wanted: one.own for one in seen.values() if one.wanted.system}, systems)
    found: list[tuple[MiscabledEnd, ...]] = []
    done: set[FindingEnd] = set()
    for start in sorted(seen):
        circle: list[MiscabledEnd] = []
        at: FindingEnd | None = start
        while at is not None and at not in done and at not in {one.own for one in circle}:
            circle.append(seen[at])
            at = _next(seen[at], home)
        if at == start and len(circle) > 1:
            found.append(tuple(circle))
            done |= {end for one in circle for end in (one.own, one.wanted)}
    return found


class _Homes(NamedTuple):
    """Planned far end → the end that is to lead there; and the same by system, for ends that name ports otherwise."""

    exact: Mapping[FindingEnd, FindingEnd]
    systems: Mapping[str, tuple[FindingEnd, ...]]


def _next(one: MiscabledEnd, home: _Homes) -> FindingEnd | None:
    short = FindingEnd(one.actual.system.partition(".")[0], one.actual.port)
    for end in (one.actual, short):
        if end in home.exact:
            return home.exact[end]
    same = home.systems.get(one.actual.system, ()) or home.systems.get(short.system, ())
    return same[0] if len(same) == 1 else None


def _swapped(circle: tuple[MiscabledEnd, ...]) -> str:
    own = " and ".join(str(one.own) for one in circle)
    where = _where(circle)
    if len(circle) == 2:
        return f"the cables of {own} are swapped{where}: exchange them"
    moves = ", ".join(f"{one.own} to {one.wanted}" for one in circle)
    return f"the cables of {len(circle)} ports have changed places{where}: lead {moves}"


def _where(circle: tuple[MiscabledEnd, ...]) -> str:
    """Plugs change places most easily where they are side by side."""
    for ends in ((one.own for one in circle), (one.wanted for one in circle)):
        systems = {end.system for end in ends}
        if len(systems) == 1:
            return f" at {systems.pop()}"
    return ""


def _astray(one: MiscabledEnd, seen: Mapping[FindingEnd, MiscabledEnd]) -> str:
    """One cable that is not where it should be."""
    if not one.wanted.system:
        other = seen.get(_resolve(one.actual, seen))
        if other is not None and other.wanted.system:
            return f"the cable of {other.own} ends here; it belongs in {other.wanted}"
        return ""
    return f"the cable of {one.own} goes to {one.actual}; it belongs in {one.wanted}"
