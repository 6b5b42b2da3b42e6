"""What switches show before and after a change, asked through verify's fan-out and kept until the run ends.

What was seen before a wave stays beside the journal, so that a run which was killed still knows what stood.
"""

import shutil
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.reader import Output, Reader
from fabricgen.push.journal import boottime
from fabricgen.push.journal.boottime import Since, Stamp
from fabricgen.push.prove.answers import (
    FabricMap,
    FabricObservation,
    JudgedSwitch,
    Look,
    RunMoment,
    Weighed,
    Weight,
    dark_subnets,
    judged_of,
    set_up,
    weigh,
)
from fabricgen.push.prove.causes import Cause, first_of
from fabricgen.push.prove.counter_rates import Sample, sample
from fabricgen.push.prove.regressions import ESTABLISHED, Regression, lost
from fabricgen.push.prove.root_causes import News, Roots, roots, sign
from fabricgen.state.state import State
from fabricgen.verify.collect.store import PACKED, Collected, Failure, Target, read, refused
from fabricgen.verify.expect.derive import Derivation
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding, SwitchVerdict
from fabricgen.verify.judge.device import judge

CLOCK = "clock"
"""File of a look: when it was begun, for a process that goes on behind a kill."""
START = "start"
"""Name of the look at the beginning of a run."""
MOST_LOOKS = 3
"""Looks that are kept as they were read: before a wave, while it is drained, and now."""
MOST_SWITCHES = 64
"""Switches of a look that are kept so; others are read again from their files, as those of a thousand do not fit."""


FORWARDING = frozenset(("interfaces", "sessions", "bfd", "routes", "isolation", "vnis", "evpn"))
"""Checks whose losses are an interruption; a switch that answers late, or a neighbor that is not heard, is none."""


class Snapshot(NamedTuple):
    """What one switch showed; without a state, why it did not. at: seconds of this host's calendar."""

    failure: Failure | None
    state: State | None
    at: float | None = None


def clocks() -> tuple[float, float]:
    """Seconds of this host's calendar, and of its clock that nobody sets."""
    return time.time(), time.monotonic()


class SnapshotTime(NamedTuple):
    """When a look was taken: the calendar at a moment of the clock, and between which moments of the clock."""

    calendar: float
    clock: float
    first: float
    last: float

    def moment(self, at: float | None) -> float | None:
        """What the calendar said at that look, on the clock. A calendar that is set meanwhile takes it no further."""
        return None if at is None else min(self.last, max(self.first, self.clock + at - self.calendar))


class CheckCounts(NamedTuple):
    """Comparisons that were right, and findings."""

    passed: int
    findings: int


class Verdicts(NamedTuple):
    """What a look at switches says.

    before, after  counts
    new            what the change has to answer for, a sentence each
    waits          how many findings do not count: those of the next two
    pending        what waits for switches still to be changed, outside peers, servers or optics, a sentence each
    excused        what the change has no part in, a sentence each, and why
    lost           what stood and does not, of what packets are forwarded by; without how it is now
    roots          causes of what is new, what most follows from first
    """

    before: CheckCounts
    after: CheckCounts
    new: tuple[str, ...]
    waits: int
    pending: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    roots: tuple[Cause, ...] = ()

    def detail(self, most: int) -> Mapping[str, object]:
        """As the journal keeps it. most: of each kind of sentence."""
        counts = {"before": self.before._asdict(), "after": self.after._asdict()}
        told = {"new": self.new, "pending": self.pending, "excused": self.excused}
        detail = {**counts, **{name: list(rows[:most]) for name, rows in told.items()}, "waits": self.waits}
        if not self.roots:
            return detail
        more = sum(1 for one in self.roots[most:] if one.new)
        return {**detail, "causes": [one.detail(most) for one in self.roots[:most]], "more": more}

    @property
    def first(self) -> str:
        """What is new in a few words: its first cause, what follows from it, and how many more there are."""
        return first_of([one for one in self.roots if one.new]) if self.roots else "".join(self.new[:1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """How switches are looked at.

    targets  every switch that can be asked
    readers  by system
    ask      folder and names → each one's outputs kept there
    near     switch → those that it is cabled to
    devices  drained switches, and those that are still to be changed → every Device, as it is at that moment
    folder   where looks are kept; a folder a look
    seen     what the last looks were read as, of some switches: a wave holds each later look against its first
    counted  what ports had counted when the run began, by switch: each wave is held against it
    clocks   the calendar and the run's clock
    since    time since this host was started, by which a killed run's looks are placed; None where it cannot be told
    asked    when looks were taken; None: it is not known of one that a killed run left
    expected every Device and the names of some → what these must show
    """

    targets: Mapping[str, Target]
    readers: Mapping[str, Reader]
    ask: Callable[[Path, Mapping[str, Target]], None]
    near: Mapping[str, frozenset[str]]
    devices: Callable[[frozenset[str], frozenset[str]], Sequence[Device]]
    folder: Path
    seen: dict[str, dict[str, Snapshot]] = field(default_factory=dict, repr=False)
    counted: dict[str, Sample] = field(default_factory=dict, repr=False)
    clocks: Callable[[], tuple[float, float]] = clocks
    since: Callable[[], Since | None] = boottime.since_start
    asked: dict[str, SnapshotTime | None] = field(default_factory=dict, repr=False)
    expected: Callable[[Sequence[Device], Container[str]], Iterator[Expected]] = field(default_factory=Derivation)

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
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            calendar, began = self.clocks()
            since = self.since()
            if since is not None:
                boottime.keep(folder / CLOCK, Stamp(since, calendar))
        except OSError as error:
            raise FabricError([refused(folder, error)]) from None
        self.ask(folder, {switch: self.targets[switch] for switch in switches})
        self.asked[name] = SnapshotTime(calendar, began, began, self.clocks()[1])

    def is_kept(self, name: str, switches: Iterable[str]) -> bool:
        """Whether a look that a killed run took is there still, of all of these switches that can be asked."""
        return self.targets.keys() & set(switches) <= set(self._looked_at(name))

    def findings(self, name: str, drained: frozenset[str] = frozenset()) -> tuple[SwitchVerdict, ...]:
        """Verdicts of verify on the switches of a look."""
        return tuple(look[1] for _, (look,) in self._judged((name,), drained, frozenset()) if look is not None)

    def established(self, name: str, switch: str) -> frozenset[str] | None:
        """Addresses of the peers of a switch in the default VRF whose sessions stood at a look; None: not read."""
        seen = self._seen(name, switch)
        state = seen.state if seen is not None else None
        if state is None or state.bgp is None:
            return None
        return frozenset(row.peer for row in state.bgp.sessions if row.state == ESTABLISHED and not row.vrf)

    def up(self, name: str, switch: str) -> frozenset[str] | None:
        """Names of the ports of a switch that were up at a look; None: not read."""
        seen = self._seen(name, switch)
        state = seen.state if seen is not None else None
        if state is None or state.interfaces is None:
            return None
        return frozenset(row.name for row in state.interfaces if row.oper_up)

    def samples(self, name: str, switches: Iterable[str]) -> Mapping[str, Sample]:
        """What ports had counted at a look, of those of these switches that answered."""
        wanted = frozenset(switches)
        known = self.counted if name == START else {}
        for device in self.devices(frozenset(), frozenset()):
            if device.name in wanted and device.name not in known:
                seen = self._seen(name, device.name)
                if seen is not None and seen.state is not None:
                    counts = self.readers[device.system].counts
                    known[device.name] = sample(device, seen.state, self._moment(name, seen.at), counts)
        return {device: one for device, one in known.items() if device in wanted}

    def _moment(self, look: str, at: float | None) -> float | None:
        """When a switch was asked, on the run's clock; None where that cannot be told."""
        if look not in self.asked:
            self.asked[look] = self._asked_before(look)
        asked = self.asked[look]
        return asked.moment(at) if asked is not None else None

    def _asked_before(self, look: str) -> SnapshotTime | None:
        """When a killed run took a look. None where this host was started again since, or has no clock that tells.

        The calendar alone does not: it may have been set between the kill and now.
        """
        then, now = boottime.kept(self.folder / look / CLOCK), self.since()
        if then is None or now is None or then.since.start != now.start:
            return None
        clock = self.clocks()[1]
        began = clock - (now.seconds - then.since.seconds)
        return SnapshotTime(then.calendar, began, began, clock)

    def compare(self, before: str, after: str, moment: RunMoment) -> Verdicts:
        """Hold two looks against each other, and the second against the plan.

        Switch by switch: what all of a thousand must show is too much to be held at once.
        """
        # An accepted switch whose neighbors wait may have no session with them: nobody's paths lead over it then.
        away = {name for name in moment.excused if not self.near.get(name, frozenset()).isdisjoint(moment.waiting)}
        drained = moment.drained | away
        was, now, lost_, kept = (
            CheckCounts(0, 0),
            CheckCounts(0, 0),
            list[Regression](),
            list[tuple[JudgedSwitch, JudgedSwitch | None]](),
        )
        ends, dark, vrfs = set[tuple[str, str, str]](), set[tuple[str, str, str]](), set[str]()
        for expected, (first, look) in self._judged((before, after), drained, moment.waiting):
            if look is None:
                continue
            was, now = _added(was, first[1] if first else None), _added(now, look[1])
            lost_ += _lost(expected, first[2] if first else None, look[2])
            if look[1].findings:
                kept.append((judged_of(look), judged_of(first) if first else None))
            ends |= set_up([look])
            dark |= dark_subnets([look])
            vrfs.update(_vrfs(expected))
        seen = FabricObservation(self._place(vrfs), frozenset(ends), frozenset(dark))
        weighed = [one for judged, had in kept for one in weigh(judged, had, moment, seen)]
        lost_ = [one for one in lost_ if not moment.excuses(one.device, one.far)]
        news = [News(str(one), one) for one in lost_]
        answered = [one.finding for one in weighed if one.weight is Weight.NEW]
        news += [News(_sentence(one), one) for one in answered if not moment.excuses(one.device, one.far.system)]
        found = roots(kept, news, moment) if news else Roots()
        weighed = [one for one in weighed if one.weight is not Weight.NEW and sign(one.finding) not in found.told]
        pending, excused = (_told(weighed, weight) for weight in (Weight.PENDING, Weight.EXCUSED))
        gone = frozenset(f"{one.device}: {one.subject}" for one in lost_ if one.check in FORWARDING)
        new = tuple(dict.fromkeys(one.told for one in news))
        return Verdicts(was, now, new, len(weighed), pending, excused, gone, found.causes)

    def _place(self, planned: Iterable[str]) -> FabricMap:
        names = {plan: there for target in self.targets.values() for there, plan in target.vrfs.items()}
        vrfs = {name.lower(): names.get(name, name).lower() for name in planned}
        return FabricMap(self.near, frozenset(self.targets), vrfs)

    def _judged(
        self, names: Sequence[str], drained: frozenset[str], waiting: frozenset[str]
    ) -> Iterator[tuple[Expected, tuple[Look | None, ...]]]:
        """Of each switch of these looks what it must show, and look by look what it showed; None: not looked at."""
        devices = self.devices(drained, waiting)
        wanted = {name for look in names for name in self._looked_at(look)}
        for expected in self.expected(devices, wanted):
            looks = tuple(self._look(name, expected) for name in names)
            if any(look is not None for look in looks):
                yield expected, looks

    def _looked_at(self, name: str) -> Iterator[str]:
        """Switches of a look, without reading what they showed."""
        return (switch for switch in self.targets if (self.folder / name / f"{switch}{PACKED}").exists())

    def _look(self, name: str, expected: Expected) -> Look | None:
        """What a switch must show, verify's verdict, and its state, which is None where it said nothing."""
        seen = self._seen(name, expected.device)
        if seen is None:
            return None
        if seen.state is None:
            reason = seen.failure.reason if seen.failure is not None else "it said nothing"
            finding = Finding(
                device=expected.device,
                check="reachable",
                code="unreachable",
                subject="the switch",
                problem="cannot be reached",
                expected="an answer",
                actual=reason,
            )
            return expected, SwitchVerdict(device=expected.device, passed=(), findings=(finding,), unchecked=()), None
        drift = self.readers[self.targets[expected.device].system].drift
        return expected, judge(expected, seen.state, drift), seen.state

    def _seen(self, name: str, switch: str) -> Snapshot | None:
        """What a look has of a switch; None for nothing."""
        known, target = self.seen.setdefault(name, {}), self.targets.get(switch)
        if switch not in known and target is not None:
            kept = read(self.folder / name, switch, PACKED)
            if kept is not None:
                shown = Snapshot(kept.failure, self._state(target, kept), kept.at.timestamp() if kept.at else None)
                if len(known) < MOST_SWITCHES:
                    known[switch] = shown
                return shown
        return known.get(switch)

    def _state(self, target: Target, kept: Collected) -> State | None:
        if kept.failure is not None:
            return None
        lacking = {each.command: Output(None, "not asked") for each in target.reads}
        return self.readers[target.system].state({**lacking, **kept.outputs}, target.vrfs)


def _added(tally: CheckCounts, verdict: SwitchVerdict | None) -> CheckCounts:
    if verdict is None:
        return tally
    right = sum(number for _, number in verdict.passed)
    return CheckCounts(tally.passed + right, tally.findings + len(verdict.findings))


def _lost(expected: Expected, before: State | None, after: State | None) -> Iterator[Regression]:
    if before is not None and after is not None:
        yield from lost(expected, before, after)
    elif before is not None:
        yield Regression(expected.device, "reachable", "the switch", "answering", "silent")


def _vrfs(expected: Expected) -> Iterator[str]:
    yield from (row.vrf for row in expected.routes if row.vrf)
    yield from (row.vrf for row in expected.vnis if row.vrf)


def _told(weighed: Iterable[Weighed], weight: Weight) -> tuple[str, ...]:
    return tuple(f"{_sentence(one.finding)} ({one.why})" for one in weighed if one.weight is weight)


def _sentence(finding: Finding) -> str:
    return (
        f"{finding.device}: {finding.subject} {finding.problem}: expected {finding.expected}, actual {finding.actual}"
    )
