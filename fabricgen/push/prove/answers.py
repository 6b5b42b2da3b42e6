"""What a change has to answer for: of each finding whether it is new, waits for something, or is no matter of it. Pure.

What the change brings and what hangs on switches that are changed by now must be there. What waits for a later wave,
an outside peer, a server or a missing optic is pending. What was there before is excused where no line of the change
speaks of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from fabricgen.push.prove.change_scope import speaks_of
from fabricgen.state.state import State
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding, SwitchVerdict
from fabricgen.verify.judge.overlay import up_lags

OWN = frozenset(("reachable", "interfaces", "mtu", "addresses", "lldp", "sessions", "bfd"))
"""Checks of verify that a changed switch itself must pass; the others also depend on switches still to come."""
OWN_CODES = frozenset(
    (
        *("vni-missing", "vni-wrong-kind", "vni-wrong-vlan", "vni-wrong-vrf", "vni-down", "daemon-dead"),
        *("tunnel-learns", "mac-by-hand"),
        *("qos-pfc-off", "qos-pfc", "qos-watchdog", "qos-ecn", "qos-ecn-off", "qos-unexpected", "rule-unexpected"),
    )
)
"""Findings of the other checks that no other switch has a part in."""

BEYOND = frozenset(("session-unexpected",))
"""What raw lines of the intent may bring, and the plan does not know."""

SILENT = ("bgp-not-running", "bgp-wrong-asn")
UNSET: Mapping[str, tuple[str, ...]] = {
    "sessions": ("session-missing", "session-wrong-as"),
    "bfd": ("session-missing", "session-wrong-as", "bfd-missing"),
}
"""By check the findings of a switch whose own end is not set up: what it lacks keeps the far end down."""
DOWN = ("session-down", "bfd-down")
"""Findings of an end that is set up and waits for the other."""
ANNOUNCED = ("route-missing", "evpn-missing")
"""Findings whose far end is the switch that should announce what is missing."""
NO_LINK = "interface-down"

Ends = frozenset[tuple[str, str, str]]
"""(check, switch, far one): the switch itself shows its end set up."""


class RunMoment(NamedTuple):
    """How far a run is when it looks.

    drained  switches that it has drained at that moment
    changed  switches that it has changed since the look before; waiting: those that are still to be
    excused  switches whose loss somebody accepted
    brought  switches that it has changed by now → words of what was added there, see push/prove/change_scope.py
    """

    drained: frozenset[str]
    changed: frozenset[str]
    waiting: frozenset[str]
    excused: frozenset[str] = frozenset()
    brought: Mapping[str, frozenset[str]] = {}

    def excuses(self, device: str, far: str) -> bool:
        """Whether what a switch lost is meant: between an accepted one and one that is still to be changed."""
        ends = {device, far}
        return not ends.isdisjoint(self.excused) and not ends.isdisjoint(self.waiting)


class FabricMap(NamedTuple):
    """What is known of the fabric. near: switch → those that it is cabled to; vrfs: of the plan → on switches."""

    near: Mapping[str, frozenset[str]]
    systems: frozenset[str]
    vrfs: Mapping[str, str]


class Weight(StrEnum):
    """What becomes of a finding."""

    NEW = "new"
    PENDING = "pending"
    EXCUSED = "excused"


class Weighed(NamedTuple):
    """A finding, what becomes of it and, unless it counts, why."""

    finding: Finding
    weight: Weight
    why: str = ""


Look = tuple[Expected, SwitchVerdict, State | None]


class JudgedSwitch(NamedTuple):
    """What is kept of a look at one switch until all have been looked at.

    up  names of its ports that were up
    """

    is_drained: bool
    findings: tuple[Finding, ...]
    up: frozenset[str]


def judged_of(look: Look) -> JudgedSwitch:
    """What findings are weighed by."""
    expected, verdict, state = look
    rows = (state.interfaces if state is not None else None) or ()
    return JudgedSwitch(expected.drained, verdict.findings, frozenset(row.name for row in rows if row.oper_up))


def weigh(
    judged: JudgedSwitch, before: JudgedSwitch | None, moment: RunMoment, seen: "FabricObservation"
) -> Iterator[Weighed]:
    """Weigh each finding on a switch. before: the look before the change at the same one."""
    known = {(one.check, one.code, one.subject) for one in before.findings} if before is not None else set()
    up = before.up if before is not None else frozenset()
    for one in judged.findings:
        is_known = (one.check, one.code, one.subject) in known
        is_meant = not judged.is_drained and _is_meant(one, moment, seen.place)
        weight, why = _weighed(one, moment, seen, is_known=is_known, is_meant=is_meant)
        if weight is Weight.NEW and one.code == NO_LINK and one.port not in up:
            weight, why = Weight.PENDING, "its far end is off, or an optic or a cable is missing"
        yield Weighed(one, weight, why)


class FabricObservation(NamedTuple):
    """What the switches of a look show together. dark: (switch, VRF, prefix) of subnets whose servers are all off."""

    place: FabricMap
    ends: Ends
    dark: frozenset[tuple[str, str, str]]


def _is_meant(one: Finding, moment: RunMoment, place: FabricMap) -> bool:
    """Whether a change that was made by now was to bring what is missing."""
    words = (moment.brought.get(name, frozenset()) for name in (one.device, one.far.system))
    return any(speaks_of(found, one, place.vrfs, place.systems) for found in words if found)


def _weighed(
    one: Finding, moment: RunMoment, seen: FabricObservation, *, is_known: bool, is_meant: bool
) -> tuple[Weight, str]:
    far, is_old = one.far.system, is_known and not is_meant
    is_others = one.code in ANNOUNCED and far not in moment.brought and far not in ("", one.device)
    is_ours = one.device in moment.changed or (is_meant and _is_of_far(one, moment, seen.ends))
    dark = _dark(one, seen.dark)
    rules = (
        (one.device in moment.waiting, Weight.PENDING, "the switch is still to be changed"),
        (not is_ours, Weight.EXCUSED, "the switch is none of those that were changed now"),
        (one.code in BEYOND, Weight.EXCUSED, "raw lines of the intent may bring it"),
        (is_old, Weight.EXCUSED, "it was there before, and no line of this change speaks of it"),
        (far in moment.waiting, Weight.PENDING, f"{far} is still to be changed"),
        (_awaits(one, moment, seen.ends), Weight.PENDING, _far_end(far, seen.place)),
        (is_known and bool(one.explained), Weight.PENDING, f"it follows from another: {one.explained}"),
        (is_known and is_others, Weight.PENDING, f"{far} is to announce it, which this push has not changed"),
        (is_known and bool(dark), Weight.PENDING, f"no server of it is on at {dark}"),
        (not _decides(one, moment, seen.place), Weight.PENDING, "it hangs on switches that are still to be changed"),
    )
    return next(((weight, why) for is_it, weight, why in rules if is_it), (Weight.NEW, ""))


def _is_of_far(one: Finding, moment: RunMoment, ends: Ends) -> bool:
    """Whether a changed switch was to announce what is missing here, and both ends of their session are set up."""
    far, near = one.far.system, one.device
    is_changed = one.code in ANNOUNCED and far in moment.changed
    return is_changed and {("sessions", near, far), ("sessions", far, near)} <= ends


def _decides(one: Finding, moment: RunMoment, place: FabricMap) -> bool:
    """Whether what is missing hangs on switches alone that are changed by now."""
    if one.check in OWN or one.code in OWN_CODES or not moment.waiting:
        return True
    far = one.far.system
    if one.code not in ANNOUNCED or not far or far not in moment.brought:
        return False
    near = place.near.get(one.device, frozenset())
    between = near | place.near.get(far, frozenset()) if far not in near and far != one.device else frozenset()
    return moment.waiting.isdisjoint(between)


def _awaits(one: Finding, moment: RunMoment, ends: Ends) -> bool:
    """Whether a session is down for want of its far end, which the change did not touch and which may be none of it.

    A far end that shows its end set up is to answer: then the session must come up. What stood before is lost anyway.
    """
    far = one.far.system
    return one.code in DOWN and far not in moment.changed and (one.check, far, one.device) not in ends


def _far_end(far: str, place: FabricMap) -> str:
    if far in place.systems:
        return f"{far} does not have its end set up"
    return f"{far or 'its peer'} is outside of what is pushed"


def _dark(one: Finding, dark: Iterable[tuple[str, str, str]]) -> str:
    """Switch whose servers are all off in the subnet that is missing."""
    told = {one.prefix, *one.lines} if one.code in ANNOUNCED else set()
    names = (
        name for name, _, prefix in dark if name in (one.far.system, one.device) and any(prefix in row for row in told)
    )
    return next(names, "")


def set_up(looked: Iterable[Look]) -> Ends:
    """Ends of sessions that are as planned by the word of the switch they are on."""
    found: set[tuple[str, str, str]] = set()
    for expected, verdict, state in looked:
        if state is None or state.bgp is None or any(one.code in SILENT for one in verdict.findings):
            continue
        fars = {one.far.system for one in expected.sessions}
        for check, codes in UNSET.items():
            lacking = {one.far.system for one in verdict.findings if one.code in codes}
            found.update((check, expected.device, far) for far in fars - lacking)
    return frozenset(found)


def dark_subnets(looked: Iterable[Look]) -> frozenset[tuple[str, str, str]]:
    """Subnets of which every port that leads to a server is down."""
    found: set[tuple[str, str, str]] = set()
    for expected, _, state in looked:
        rows = (state.interfaces if state is not None else None) or ()
        up = {*(row.name for row in rows if row.oper_up), *(f"lag {number}" for number in up_lags(rows))}
        ports = [one for one in expected.interfaces if one.server and one.vlans]
        lit = {vlan for one in ports if one.name in up for _, vlan in one.vlans or ()}
        known = {vlan for one in ports for _, vlan in one.vlans or ()}
        found.update((expected.device, one.vrf, one.prefix) for one in expected.routes if one.vlan_id in known - lit)
    return frozenset(found)
