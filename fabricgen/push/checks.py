"""What switches show before and after a change, asked through verify's fan-out and kept until the run ends.

What was seen before a wave stays beside the journal, so that a run which was killed still knows what stood.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.drivers.reader import Output, Reader
from fabricgen.push.stood import ESTABLISHED, Lost, lost
from fabricgen.state.state import State
from fabricgen.verify.derive import expectations
from fabricgen.verify.expected import Expected
from fabricgen.verify.finding import Finding, Verdict
from fabricgen.verify.judge import judge
from fabricgen.verify.store import PACKED, Collected, Failure, Target, read

OWN = frozenset(("reachable", "interfaces", "mtu", "addresses", "lldp", "sessions", "bfd"))
"""Checks of verify that a changed switch itself must pass; the others also depend on switches still to come."""
OWN_CODES = frozenset(
    (
        *("vni-missing", "vni-wrong-kind", "vni-wrong-vlan", "vni-wrong-vrf", "vni-down", "daemon-dead"),
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

Ends = frozenset[tuple[str, str, str]]
"""(check, switch, far one): the switch itself shows its end set up."""


MOST_LOOKS = 3
"""Looks that are kept as they were read: before a wave, while it is drained, and now."""


class Seen(NamedTuple):
    """What one switch showed; without a state, why it did not."""

    failure: Failure | None
    state: State | None


class Tally(NamedTuple):
    """Comparisons that were right, and findings."""

    passed: int
    findings: int


class Verdicts(NamedTuple):
    """What a look at switches says.

    before, after  counts
    new            what the change has to answer for, a sentence each
    waits          findings that are about switches still to be changed, or were there before
    """

    before: Tally
    after: Tally
    new: tuple[str, ...]
    waits: int

    def detail(self, most: int | None = None) -> Mapping[str, object]:
        """As the journal keeps it. most: of what is new; None: all."""
        counts = {"before": self.before._asdict(), "after": self.after._asdict()}
        return {**counts, "new": list(self.new[:most]), "waits": self.waits}


class Moment(NamedTuple):
    """How far a run is when it looks.

    drained  switches that it has drained at that moment
    changed  switches that it has changed since the look before; waiting: those that are still to be
    excused  switches whose loss somebody accepted
    """

    drained: frozenset[str]
    changed: frozenset[str]
    waiting: frozenset[str]
    excused: frozenset[str] = frozenset()

    def excuses(self, device: str, far: str) -> bool:
        """Whether what a switch lost is meant: between an accepted one and one that is still to be changed."""
        ends = {device, far}
        return not ends.isdisjoint(self.excused) and not ends.isdisjoint(self.waiting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """How switches are looked at.

    targets  every switch that can be asked
    readers  by system
    ask      folder and names → each one's outputs kept there
    near     switch → those that it is cabled to
    devices  drained switches, and those that are still to be changed → every Device, as it is at that moment
    folder   where looks are kept; a folder a look
    seen     what the last looks were read as, by look and switch: a wave holds each later look against its first
    """

    targets: Mapping[str, Target]
    readers: Mapping[str, Reader]
    ask: Callable[[Path, Mapping[str, Target]], None]
    near: Mapping[str, frozenset[str]]
    devices: Callable[[frozenset[str], frozenset[str]], Sequence[Device]]
    folder: Path
    seen: dict[str, dict[str, Seen]] = field(default_factory=dict, repr=False)

    def around(self, names: Iterable[str]) -> tuple[str, ...]:
        """These switches and those beside them, of those that can be asked."""
        chosen = set(names)
        every = chosen.union(*(self.near.get(name, frozenset()) for name in chosen))
        return tuple(sorted(every & self.targets.keys()))

    def look(self, name: str, switches: Iterable[str]) -> None:
        """Ask switches, and keep what they say under a name."""
        self.seen.pop(name, None)
        for oldest in [*self.seen][: max(0, len(self.seen) - MOST_LOOKS + 1)]:
            del self.seen[oldest]
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)  # of an earlier wave, with other switches
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.ask(folder, {switch: self.targets[switch] for switch in switches})

    def findings(self, name: str, drained: frozenset[str] = frozenset()) -> tuple[Verdict, ...]:
        """Verdicts of verify on the switches of a look."""
        return tuple(verdict for _, verdict, _ in self._judged(name, drained, frozenset()))

    def established(self, name: str, switch: str) -> frozenset[str] | None:
        """Addresses of the peers of a switch in the default VRF whose sessions stood at a look; None: not read."""
        seen = self._seen(name, switch)
        state = seen.state if seen is not None else None
        if state is None or state.bgp is None:
            return None
        return frozenset(row.peer for row in state.bgp.sessions if row.state == ESTABLISHED and not row.vrf)

    def compare(self, before: str, after: str, moment: Moment) -> Verdicts:
        """Hold two looks against each other, and the second against the plan."""
        # An accepted switch whose neighbors wait may have no session with them: nobody's paths lead over it then.
        away = {name for name in moment.excused if not self.near.get(name, frozenset()).isdisjoint(moment.waiting)}
        drained = moment.drained | away
        first_look, looked = (tuple(self._judged(name, drained, moment.waiting)) for name in (before, after))
        had = {expected.device: (verdict, state) for expected, verdict, state in first_look}
        was, now, new, waits = Tally(0, 0), Tally(0, 0), [], 0
        ends = _set_up(looked)
        for expected, verdict, state in looked:
            first, old = had.get(expected.device, (None, None))
            was, now = _added(was, first), _added(now, verdict)
            losses = tuple(_lost(expected, old, state))
            found = tuple(_faults(verdict, first, moment, ends))
            new += [str(one) for one in losses if not moment.excuses(one.device, one.far)]
            new += [_sentence(one) for one in found if not moment.excuses(one.device, one.far.system)]
            waits += len(verdict.findings) - len(found)
        return Verdicts(was, now, tuple(dict.fromkeys(new)), waits)

    def _judged(
        self, name: str, drained: frozenset[str], waiting: frozenset[str]
    ) -> Iterator[tuple[Expected, Verdict, State | None]]:
        """Of each switch of a look what it must show, verify's verdict, and its state; None where it said nothing."""
        devices = self.devices(drained, waiting)
        for expected in expectations(devices):
            seen = self._seen(name, expected.device)
            if seen is None:
                continue
            if seen.state is None:
                yield expected, _silent(expected.device, seen.failure), None
            else:
                drift = self.readers[self.targets[expected.device].system].drift
                yield expected, judge(expected, seen.state, drift), seen.state

    def _seen(self, name: str, switch: str) -> Seen | None:
        """What a look has of a switch; None for nothing."""
        known, target = self.seen.setdefault(name, {}), self.targets.get(switch)
        if switch not in known and target is not None:
            kept = read(self.folder / name, switch, PACKED)
            if kept is not None:
                known[switch] = Seen(kept.failure, self._state(target, kept))
        return known.get(switch)

    def _state(self, target: Target, kept: Collected) -> State | None:
        if kept.failure is not None:
            return None
        lacking = {each.command: Output(None, "not asked") for each in target.reads}
        return self.readers[target.system].state({**lacking, **kept.outputs}, target.vrfs)


def _silent(device: str, failure: Failure | None) -> Verdict:
    reason = failure.reason if failure is not None else "it said nothing"
    finding = Finding(
        device=device,
        check="reachable",
        code="unreachable",
        subject="the switch",
        problem="can not be reached",
        expected="its state",
        actual=reason,
    )
    return Verdict(device=device, passed=(), findings=(finding,), unchecked=())


def _added(tally: Tally, verdict: Verdict | None) -> Tally:
    if verdict is None:
        return tally
    right = sum(number for _, number in verdict.passed)
    return Tally(tally.passed + right, tally.findings + len(verdict.findings))


def _lost(expected: Expected, before: State | None, after: State | None) -> Iterator[Lost]:
    if before is not None and after is not None:
        yield from lost(expected, before, after)
    elif before is not None:
        yield Lost(expected.device, "reachable", "the switch", "answering", "silent")


def _set_up(looked: Iterable[tuple[Expected, Verdict, State | None]]) -> Ends:
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


def _awaits(one: Finding, moment: Moment, ends: Ends) -> bool:
    """Whether a session is down for want of its far end, which the change did not touch and which may be none of it.

    A far end that shows its end set up is to answer: then the session must come up. What stood before is lost anyway.
    """
    far = one.far.system
    return one.code in DOWN and far not in moment.changed and (one.check, far, one.device) not in ends


def _faults(verdict: Verdict, before: Verdict | None, moment: Moment, ends: Ends) -> Iterator[Finding]:
    """Findings on a changed switch that it did not have, and that no switch still to come has a part in."""
    waiting = moment.waiting
    if verdict.device not in moment.changed or verdict.device in waiting:
        return
    known = {(one.check, one.code, one.subject) for one in before.findings} if before is not None else set()
    for one in verdict.findings:
        if one.code in BEYOND:
            continue
        decides = one.check in OWN or one.code in OWN_CODES or not waiting
        is_others = one.far.system in waiting or _awaits(one, moment, ends)
        if decides and not is_others and (one.check, one.code, one.subject) not in known:
            yield one


def _sentence(finding: Finding) -> str:
    return (
        f"{finding.device}: {finding.subject} {finding.problem}: expected {finding.expected}, actual {finding.actual}"
    )
