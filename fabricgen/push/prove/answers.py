"""Whether a finding is a new failure, pending, or not caused by the change. Pure.

What the change adds, and what depends on switches that are already changed, must be present. A finding that waits for a
later wave, an outside peer, a server or a missing optic is pending. One that existed before is excused where no line of
the change concerns it.
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
"""Checks of verify that a changed switch must pass alone; the others also depend on switches still to be changed."""
OWN_CODES = frozenset(
    (
        *("vni-missing", "vni-wrong-kind", "vni-wrong-vlan", "vni-wrong-vrf", "vni-down", "daemon-dead"),
        *("tunnel-learns", "mac-by-hand"),
        *("qos-pfc-off", "qos-pfc", "qos-watchdog", "qos-ecn", "qos-ecn-off", "qos-unexpected", "rule-unexpected"),
    )
)
"""Findings of the other checks that depend on no other switch."""

BEYOND = frozenset(("session-unexpected",))
"""Findings that raw lines of the intent may cause, which the plan does not know."""

SILENT = ("bgp-not-running", "bgp-wrong-asn")
UNSET: Mapping[str, tuple[str, ...]] = {
    "sessions": ("session-missing", "session-wrong-as"),
    "bfd": ("session-missing", "session-wrong-as", "bfd-missing"),
}
"""By check, the findings of a switch whose own end is not configured, which keeps the far end down."""
DOWN = ("session-down", "bfd-down")
"""Findings of an end that is configured and waits for the other."""
ANNOUNCED = ("route-missing", "evpn-missing")
"""Findings whose far end is the switch that should announce the missing route."""
NO_LINK = "interface-down"

Ends = frozenset[tuple[str, str, str]]
"""(check, switch, far one): the switch itself shows its end as configured."""


class RunMoment(NamedTuple):
    """Progress of a run at a snapshot.

    drained  switches that it has drained at that moment
    changed  switches that it has changed since the snapshot before; waiting: those that are still to be changed
    excused  switches whose loss a person accepted
    brought  changed switch → words of the lines that were added there, see push/prove/change_scope.py
    """

    drained: frozenset[str]
    changed: frozenset[str]
    waiting: frozenset[str]
    excused: frozenset[str] = frozenset()
    brought: Mapping[str, frozenset[str]] = {}

    def excuses(self, device: str, far: str) -> bool:
        """Whether a loss is expected: between an accepted switch and one that is still to be changed."""
        ends = {device, far}
        return not ends.isdisjoint(self.excused) and not ends.isdisjoint(self.waiting)


class FabricMap(NamedTuple):
    """Names of the fabric. near: switch → its neighbors by cable; vrfs: name in the plan → name on switches."""

    neighbors: Mapping[str, frozenset[str]]
    systems: frozenset[str]
    vrfs: Mapping[str, str]


class Weight(StrEnum):
    """How a finding counts."""

    NEW = "new"
    PENDING = "pending"
    EXCUSED = "excused"


class Weighed(NamedTuple):
    """A finding, how it counts and, unless it is new, why."""

    finding: Finding
    weight: Weight
    why: str = ""


JudgedSnapshot = tuple[Expected, SwitchVerdict, State | None]


class JudgedSwitch(NamedTuple):
    """What is kept of a snapshot of one switch until all have been judged.

    up  names of its ports that were up
    """

    is_drained: bool
    findings: tuple[Finding, ...]
    up: frozenset[str]


def judged_of(snapshot: JudgedSnapshot) -> JudgedSwitch:
    """Reduce a snapshot to what findings are weighed by."""
    expected, verdict, state = snapshot
    rows = (state.interfaces if state is not None else None) or ()
    return JudgedSwitch(expected.drained, verdict.findings, frozenset(row.name for row in rows if row.oper_up))


def weigh(
    judged: JudgedSwitch, before: JudgedSwitch | None, moment: RunMoment, fabric: "FabricObservation"
) -> Iterator[Weighed]:
    """Weigh each finding on a switch. before: the snapshot of the same switch before the change."""
    known_findings = (
        {(finding.check, finding.code, finding.subject) for finding in before.findings} if before is not None else set()
    )
    up = before.up if before is not None else frozenset()
    for finding in judged.findings:
        is_known = (finding.check, finding.code, finding.subject) in known_findings
        is_brought = not judged.is_drained and _is_brought(finding, moment, fabric.place)
        weight, reason = _weighed(finding, moment, fabric, is_known=is_known, is_brought=is_brought)
        if weight is Weight.NEW and finding.code == NO_LINK and finding.port not in up:
            weight, reason = Weight.PENDING, "its far end is off, or an optic or a cable is missing"
        yield Weighed(finding, weight, reason)


class FabricObservation(NamedTuple):
    """The common state of a snapshot's switches. dark: (switch, VRF, prefix) of subnets whose servers are all off."""

    place: FabricMap
    ends: Ends
    dark: frozenset[tuple[str, str, str]]


def _is_brought(finding: Finding, moment: RunMoment, place: FabricMap) -> bool:
    """Whether a change made so far was to add what is missing."""
    words_of_ends = (moment.brought.get(name, frozenset()) for name in (finding.device, finding.far.system))
    return any(
        speaks_of(added_words, finding, place.vrfs, place.systems) for added_words in words_of_ends if added_words
    )


def _weighed(
    finding: Finding, moment: RunMoment, fabric: FabricObservation, *, is_known: bool, is_brought: bool
) -> tuple[Weight, str]:
    far, is_old = finding.far.system, is_known and not is_brought
    is_others = finding.code in ANNOUNCED and far not in moment.brought and far not in ("", finding.device)
    is_ours = finding.device in moment.changed or (is_brought and _is_of_far(finding, moment, fabric.ends))
    dark_switch = _dark(finding, fabric.dark)
    rules = (
        (finding.device in moment.waiting, Weight.PENDING, "the switch is not changed yet"),
        (not is_ours, Weight.EXCUSED, "this push did not change the switch"),
        (finding.code in BEYOND, Weight.EXCUSED, "raw lines of the intent may cause it"),
        (is_old, Weight.EXCUSED, "it existed before, and no line of this change affects it"),
        (far in moment.waiting, Weight.PENDING, f"{far} is not changed yet"),
        (_awaits(finding, moment, fabric.ends), Weight.PENDING, _far_end(far, fabric.place)),
        (is_known and bool(finding.explained), Weight.PENDING, f"it follows from another finding: {finding.explained}"),
        (is_known and is_others, Weight.PENDING, f"{far} announces it, and this push has not changed {far}"),
        (is_known and bool(dark_switch), Weight.PENDING, f"its server at {dark_switch} is off"),
        (
            not _decides(finding, moment, fabric.place),
            Weight.PENDING,
            "it depends on switches that are not changed yet",
        ),
    )
    return next(((weight, reason) for applies, weight, reason in rules if applies), (Weight.NEW, ""))


def _is_of_far(finding: Finding, moment: RunMoment, ends: Ends) -> bool:
    """Whether a changed switch was to announce what is missing here, and both ends of their session are configured."""
    far, near = finding.far.system, finding.device
    is_changed = finding.code in ANNOUNCED and far in moment.changed
    return is_changed and {("sessions", near, far), ("sessions", far, near)} <= ends


def _decides(finding: Finding, moment: RunMoment, place: FabricMap) -> bool:
    """Whether what is missing depends only on switches that are already changed."""
    if finding.check in OWN or finding.code in OWN_CODES or not moment.waiting:
        return True
    far = finding.far.system
    if finding.code not in ANNOUNCED or not far or far not in moment.brought:
        return False
    near = place.neighbors.get(finding.device, frozenset())
    on_path = near | place.neighbors.get(far, frozenset()) if far not in near and far != finding.device else frozenset()
    return moment.waiting.isdisjoint(on_path)


def _awaits(finding: Finding, moment: RunMoment, ends: Ends) -> bool:
    """Whether a session is down because of its far end, which the change did not touch.

    A far end that shows its end as configured should answer. A session that was up before is reported as a loss anyway.
    """
    far = finding.far.system
    return finding.code in DOWN and far not in moment.changed and (finding.check, far, finding.device) not in ends


def _far_end(far: str, place: FabricMap) -> str:
    if far in place.systems:
        return f"the end at {far} is not configured"
    return f"{far or 'its peer'} is not part of this push"


def _dark(finding: Finding, dark: Iterable[tuple[str, str, str]]) -> str:
    """Switch whose servers are all off in the subnet that is missing."""
    texts = {finding.prefix, *finding.lines} if finding.code in ANNOUNCED else set()
    names = (
        name
        for name, _, prefix in dark
        if name in (finding.far.system, finding.device) and any(prefix in row for row in texts)
    )
    return next(names, "")


def set_up(snapshots: Iterable[JudgedSnapshot]) -> Ends:
    """Ends of sessions that are configured as planned, as reported by their own switch."""
    ends: set[tuple[str, str, str]] = set()
    for expected, verdict, state in snapshots:
        if state is None or state.bgp is None or any(row.code in SILENT for row in verdict.findings):
            continue
        fars = {row.far.system for row in expected.sessions}
        for check, codes in UNSET.items():
            lacking = {row.far.system for row in verdict.findings if row.code in codes}
            ends.update((check, expected.device, far) for far in fars - lacking)
    return frozenset(ends)


def dark_subnets(snapshots: Iterable[JudgedSnapshot]) -> frozenset[tuple[str, str, str]]:
    """Subnets of which every port to a server is down."""
    subnets: set[tuple[str, str, str]] = set()
    for expected, _, state in snapshots:
        rows = (state.interfaces if state is not None else None) or ()
        up = {*(row.name for row in rows if row.oper_up), *(f"lag {number}" for number in up_lags(rows))}
        ports = [item for item in expected.interfaces if item.server and item.vlans]
        vlans_up = {vlan for item in ports if item.name in up for _, vlan in item.vlans or ()}
        vlans = {vlan for item in ports for _, vlan in item.vlans or ()}
        subnets.update(
            (expected.device, item.vrf, item.prefix) for item in expected.routes if item.vlan_id in vlans - vlans_up
        )
    return frozenset(subnets)
