"""Snapshots of switches before and after a change, read through verify's collection and kept until the run ends.

A snapshot before a wave is stored next to the journal, so that a killed run still knows what was up.
"""

import shutil
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.reader import Reader
from fabricgen.push.journal import boottime
from fabricgen.push.journal.boottime import Since, Stamp
from fabricgen.push.prove.answers import (
    FabricMap,
    FabricObservation,
    JudgedSnapshot,
    JudgedSwitch,
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
from fabricgen.push.prove.regressions import Regression, lost
from fabricgen.push.prove.root_causes import News, Roots, roots, sign
from fabricgen.state.state import ESTABLISHED, State
from fabricgen.verify.collect.store import PACKED, Failure, Target, read, refused
from fabricgen.verify.expect.derive import Derivation
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding, SwitchVerdict
from fabricgen.verify.judge.device import judge

CLOCK = "clock"
"""File of a snapshot: its start time, for a process that resumes after a kill."""
START = "start"
"""Name of the snapshot at the beginning of a run."""
MOST_SNAPSHOTS = 3
"""Snapshots that are kept parsed: before a wave, while it is drained, and now."""
MOST_SWITCHES = 64
"""Switches per snapshot that are kept parsed; others are read again, as a thousand do not fit in memory."""


FORWARDING = frozenset(("interfaces", "sessions", "bfd", "routes", "isolation", "vnis", "evpn"))
"""Checks whose losses are an interruption; a late answer or a lost LLDP neighbor is none."""


class Snapshot(NamedTuple):
    """State of one switch; without a state, the failure. at: seconds of this host's calendar."""

    failure: Failure | None
    state: State | None
    at: float | None = None


def clocks() -> tuple[float, float]:
    """Seconds of this host's calendar, and of its monotonic clock."""
    return time.time(), time.monotonic()


class SnapshotTime(NamedTuple):
    """Time of a snapshot: the calendar at a moment of the clock, and its begin and end on the clock."""

    calendar: float
    clock: float
    first: float
    last: float

    def moment(self, at: float | None) -> float | None:
        """A calendar time of that snapshot on the clock, clamped to the snapshot, as the calendar may have been set."""
        return None if at is None else min(self.last, max(self.first, self.clock + at - self.calendar))


class CheckCounts(NamedTuple):
    """Passed comparisons, and findings."""

    passed: int
    findings: int


class Verdicts(NamedTuple):
    """Result of a comparison of two snapshots.

    before, after  counts
    new            failures of the change, a sentence each
    waits          number of findings that do not count: those of the next two
    pending        what waits for switches still to be changed, outside peers, servers or optics, a sentence each
    excused        what the change did not cause, a sentence each, and why
    lost           lost forwarding state, without its present value
    roots          causes of what is new, most consequences first
    """

    before: CheckCounts
    after: CheckCounts
    new: tuple[str, ...]
    waits: int
    pending: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    roots: tuple[Cause, ...] = ()

    def detail(self, maximum: int) -> Mapping[str, object]:
        """The result for the journal. maximum: number of sentences of each kind."""
        counts = {"before": self.before._asdict(), "after": self.after._asdict()}
        sentences = {"new": self.new, "pending": self.pending, "excused": self.excused}
        detail = {**counts, **{name: list(rows[:maximum]) for name, rows in sentences.items()}, "waits": self.waits}
        if not self.roots:
            return detail
        others = sum(1 for cause in self.roots[maximum:] if cause.new)
        return {**detail, "causes": [cause.detail(maximum) for cause in self.roots[:maximum]], "more": others}

    @property
    def first(self) -> str:
        """What is new in a few words: its first cause, the consequences, and the number of other causes."""
        return first_of([cause for cause in self.roots if cause.new]) if self.roots else "".join(self.new[:1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Takes snapshots of switches and compares them.

    targets  every switch that can be read
    readers  by system
    ask      folder and names → stores the outputs of each there
    neighbors  switch → its neighbors by cable
    devices  drained switches, and those still to be changed → every Device in its state at that moment
    folder   of the snapshots, one folder per snapshot
    parsed   parsed states of the last snapshots, of some switches: a wave compares each later snapshot with its first
    counted  port counters when the run began, by switch: each wave is compared with them
    clocks   the calendar and the run's clock
    since    time since this host booted, by which the time of a killed run's snapshots is found; None where unknown
    times    times of snapshots; None: unknown, for one of a killed run
    expected every Device and the names of some → what these must show
    """

    targets: Mapping[str, Target]
    readers: Mapping[str, Reader]
    ask: Callable[[Path, Mapping[str, Target]], None]
    neighbors: Mapping[str, frozenset[str]]
    devices: Callable[[frozenset[str], frozenset[str]], Sequence[Device]]
    folder: Path
    parsed: dict[str, dict[str, Snapshot]] = field(default_factory=dict, repr=False)
    counted: dict[str, Sample] = field(default_factory=dict, repr=False)
    clocks: Callable[[], tuple[float, float]] = clocks
    since: Callable[[], Since | None] = boottime.since_start
    times: dict[str, SnapshotTime | None] = field(default_factory=dict, repr=False)
    expected: Callable[[Sequence[Device], Container[str]], Iterator[Expected]] = field(default_factory=Derivation)

    def around(self, names: Iterable[str]) -> tuple[str, ...]:
        """These switches and their neighbors, as far as they can be read."""
        chosen = set(names)
        with_neighbors = chosen.union(*(self.neighbors.get(name, frozenset()) for name in chosen))
        return tuple(sorted(with_neighbors & self.targets.keys()))

    def take_snapshot(self, name: str, switches: Iterable[str]) -> None:
        """Read switches, and keep their outputs under a name."""
        self.parsed.pop(name, None)
        for oldest in [*self.parsed][: max(0, len(self.parsed) - MOST_SNAPSHOTS + 1)]:
            del self.parsed[oldest]
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)  # of an earlier wave, with other switches
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            calendar, started = self.clocks()
            since = self.since()
            if since is not None:
                boottime.write_stamp(folder / CLOCK, Stamp(since, calendar))
        except OSError as error:
            raise FabricError([refused(folder, error)]) from None
        self.ask(folder, {switch: self.targets[switch] for switch in switches})
        self.times[name] = SnapshotTime(calendar, started, started, self.clocks()[1])

    def has_snapshot(self, name: str, switches: Iterable[str]) -> bool:
        """Whether the snapshot of a killed run still exists, for all of these switches that can be read."""
        return self.targets.keys() & set(switches) <= set(self._switches_of(name))

    def findings(self, name: str, drained: frozenset[str] = frozenset()) -> tuple[SwitchVerdict, ...]:
        """Verdicts of verify on the switches of a snapshot."""
        return tuple(judged[1] for _, (judged,) in self._judged((name,), drained, frozenset()) if judged is not None)

    def established(self, name: str, switch: str) -> frozenset[str] | None:
        """Peer addresses of a switch's sessions in the default VRF that were up at a snapshot; None: not read."""
        state = self._state(name, switch)
        if state is None or state.bgp is None:
            return None
        return frozenset(row.peer for row in state.bgp.sessions if row.state == ESTABLISHED and not row.vrf)

    def up(self, name: str, switch: str) -> frozenset[str] | None:
        """Names of the ports of a switch that were up at a snapshot; None: not read."""
        state = self._state(name, switch)
        if state is None or state.interfaces is None:
            return None
        return frozenset(row.name for row in state.interfaces if row.oper_up)

    def _state(self, name: str, switch: str) -> State | None:
        snapshot = self._snapshot(name, switch)
        return snapshot.state if snapshot is not None else None

    def samples(self, name: str, switches: Iterable[str]) -> Mapping[str, Sample]:
        """Port counters at a snapshot, of those of these switches that answered."""
        chosen = frozenset(switches)
        by_switch = self.counted if name == START else {}
        for device in self.devices(frozenset(), frozenset()):
            if device.name in chosen and device.name not in by_switch:
                snapshot = self._snapshot(name, device.name)
                if snapshot is not None and snapshot.state is not None:
                    counts = self.readers[device.system].counts
                    by_switch[device.name] = sample(device, snapshot.state, self._moment(name, snapshot.at), counts)
        return {device: counters for device, counters in by_switch.items() if device in chosen}

    def _moment(self, name: str, at: float | None) -> float | None:
        """When a switch was read, on the run's clock; None where unknown."""
        if name not in self.times:
            self.times[name] = self._time_before_kill(name)
        time = self.times[name]
        return time.moment(at) if time is not None else None

    def _time_before_kill(self, name: str) -> SnapshotTime | None:
        """When a killed run took a snapshot. None where this host was booted since, or has no clock that shows it.

        The calendar alone is not enough: it may have been set between the kill and now.
        """
        kept_stamp, now = boottime.read_stamp(self.folder / name / CLOCK), self.since()
        if kept_stamp is None or now is None or kept_stamp.since.start != now.start:
            return None
        clock = self.clocks()[1]
        started = clock - (now.seconds - kept_stamp.since.seconds)
        return SnapshotTime(kept_stamp.calendar, started, started, clock)

    def compare(self, before: str, after: str, moment: RunMoment) -> Verdicts:
        """Compare two snapshots, and the second with the plan.

        This is done switch by switch: the expectations of a thousand switches are too large to keep in memory at once.
        """
        # An accepted switch whose neighbors are not changed yet may have no session with them: no paths lead over it
        # then.
        away = {name for name in moment.excused if not self.neighbors.get(name, frozenset()).isdisjoint(moment.waiting)}
        drained = moment.drained | away
        old_counts, new_counts, losses, kept = (
            CheckCounts(0, 0),
            CheckCounts(0, 0),
            list[Regression](),
            list[tuple[JudgedSwitch, JudgedSwitch | None]](),
        )
        ends, dark, vrfs = set[tuple[str, str, str]](), set[tuple[str, str, str]](), set[str]()
        for expected, (first, last) in self._judged((before, after), drained, moment.waiting):
            if last is None:
                continue
            old_counts, new_counts = (_added(old_counts, first[1] if first else None), _added(new_counts, last[1]))
            losses += _lost(expected, first[2] if first else None, last[2])
            if last[1].findings:
                kept.append((judged_of(last), judged_of(first) if first else None))
            ends |= set_up([last])
            dark |= dark_subnets([last])
            vrfs.update(_vrfs(expected))
        fabric = FabricObservation(self._place(vrfs), frozenset(ends), frozenset(dark))
        weighed = [item for judged, earlier in kept for item in weigh(judged, earlier, moment, fabric)]
        losses = [item for item in losses if not moment.excuses(item.device, item.far)]
        news = [News(str(item), item) for item in losses]
        answered = [item.finding for item in weighed if item.weight is Weight.NEW]
        news += [News(_sentence(item), item) for item in answered if not moment.excuses(item.device, item.far.system)]
        root_causes = roots(kept, news, moment) if news else Roots()
        weighed = [
            item for item in weighed if item.weight is not Weight.NEW and sign(item.finding) not in root_causes.sentence
        ]
        pending, excused = (_sentences_of(weighed, weight) for weight in (Weight.PENDING, Weight.EXCUSED))
        forwarding = frozenset(f"{item.device}: {item.subject}" for item in losses if item.check in FORWARDING)
        new = tuple(dict.fromkeys(item.sentence for item in news))
        return Verdicts(old_counts, new_counts, new, len(weighed), pending, excused, forwarding, root_causes.causes)

    def _place(self, planned: Iterable[str]) -> FabricMap:
        names = {plan_vrf: actual for target in self.targets.values() for actual, plan_vrf in target.vrfs.items()}
        vrfs = {name.lower(): names.get(name, name).lower() for name in planned}
        return FabricMap(self.neighbors, frozenset(self.targets), vrfs)

    def _judged(
        self, names: Sequence[str], drained: frozenset[str], waiting: frozenset[str]
    ) -> Iterator[tuple[Expected, tuple[JudgedSnapshot | None, ...]]]:
        """For each switch of these snapshots what it must show, and what it showed in each; None: not included."""
        devices = self.devices(drained, waiting)
        chosen = {switch for name in names for switch in self._switches_of(name)}
        for expected in self.expected(devices, chosen):
            judged = tuple(self._judged_snapshot(name, expected) for name in names)
            if any(snapshot is not None for snapshot in judged):
                yield expected, judged

    def _switches_of(self, name: str) -> Iterator[str]:
        """Switches of a snapshot, without parsing their outputs."""
        return (switch for switch in self.targets if (self.folder / name / f"{switch}{PACKED}").exists())

    def _judged_snapshot(self, name: str, expected: Expected) -> JudgedSnapshot | None:
        """What a switch must show, verify's verdict, and its state, which is None where it did not answer."""
        snapshot = self._snapshot(name, expected.device)
        if snapshot is None:
            return None
        if snapshot.state is None:
            reason = snapshot.failure.reason if snapshot.failure is not None else "it printed nothing"
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
        return expected, judge(expected, snapshot.state, drift), snapshot.state

    def _snapshot(self, name: str, switch: str) -> Snapshot | None:
        """The stored snapshot of a switch; None without one."""
        cache, target = self.parsed.setdefault(name, {}), self.targets.get(switch)
        if switch not in cache and target is not None:
            collected = read(self.folder / name, switch, PACKED)
            if collected is not None:
                reader, failure = self.readers[target.system], collected.failure
                state = target.state(reader, collected.outputs, "not asked") if failure is None else None
                snapshot = Snapshot(failure, state, collected.at.timestamp() if collected.at else None)
                if len(cache) < MOST_SWITCHES:
                    cache[switch] = snapshot
                return snapshot
        return cache.get(switch)


def _added(counts: CheckCounts, verdict: SwitchVerdict | None) -> CheckCounts:
    if verdict is None:
        return counts
    passed = sum(number for _, number in verdict.passed)
    return CheckCounts(counts.passed + passed, counts.findings + len(verdict.findings))


def _lost(expected: Expected, before: State | None, after: State | None) -> Iterator[Regression]:
    if before is not None and after is not None:
        yield from lost(expected, before, after)
    elif before is not None:
        yield Regression(expected.device, "reachable", "the switch", "answering", "silent")


def _vrfs(expected: Expected) -> Iterator[str]:
    yield from (row.vrf for row in expected.routes if row.vrf)
    yield from (row.vrf for row in expected.vnis if row.vrf)


def _sentences_of(weighed: Iterable[Weighed], weight: Weight) -> tuple[str, ...]:
    return tuple(f"{_sentence(finding.finding)} ({finding.why})" for finding in weighed if finding.weight is weight)


def _sentence(finding: Finding) -> str:
    return (
        f"{finding.device}: {finding.subject} {finding.problem}: expected {finding.expected}, actual {finding.actual}"
    )
