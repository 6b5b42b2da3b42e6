"""A run of the journal as a report: waves and switches, what was seen of each, how each ended. Pure.

What a step's detail does not have is not told: the journal of a killed push, or of another release, is reported too.
"""

import shlex
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from fabricgen.push.journal.pending import PendingCommit, waiting_of
from fabricgen.push.model import (
    Event,
    Head,
    Need,
    PlannedSwitch,
    RunOutcome,
    RunRecord,
    StageName,
    StepName,
    StepState,
    Wave,
)
from fabricgen.push.report.counters import Counters, counters_of
from fabricgen.push.report.hands import Hand, hands_of
from fabricgen.push.report.paths import PathsReport, paths_of
from fabricgen.push.report.steps import (
    BeforeAfter,
    StepReport,
    event_words,
    found_lines,
    judged_of,
    lasted,
    reason_of,
    steps_of,
)

_MARKS = ("+", "-")


class SwitchOutcome(StrEnum):
    """How one switch ended.

    DONE         it runs what was rendered, by this run
    AT_ARTIFACT  it ran it before
    REVERTED     it was committed, not proven, and runs what it ran before
    FAILED       a step failed, and no revert is told of
    OPEN         something was begun, and no end of it is told: under way, killed there, or left when another failed
    NOT_REACHED  nothing was changed on it
    """

    DONE = "done"
    AT_ARTIFACT = "at the artifact"
    REVERTED = "reverted"
    FAILED = "failed"
    OPEN = "unfinished"
    NOT_REACHED = "not reached"


class SwitchResult(NamedTuple):
    """One switch of a run.

    need, why, risk  as planned; empty where the journal has no plan of it
    difference  what a commit would change, secrets masked
    lines       how many lines of it; None where nobody counted
    changed     when its own configuration was committed; None where it was not
    seconds     from its first step of a stage to its last one; None without one
    checks      before the change and after the last stage
    reason      of an end that is not the wanted one
    """

    device: str
    need: str
    why: str
    risk: str
    difference: str
    lines: int | None
    changed: datetime | None
    seconds: float | None
    steps: tuple[StepReport, ...]
    checks: BeforeAfter
    end: SwitchOutcome
    reason: str


class WaveResult(NamedTuple):
    """One wave and its switches. wave: one of no fabric where the journal has switches without a wave.

    counters  of the ports around it; None where nothing was compared
    paths     packets over every path behind it; None where none were sent
    """

    wave: Wave
    started: datetime | None
    seconds: float | None
    switches: tuple[SwitchResult, ...]
    counters: Counters | None = None
    paths: PathsReport | None = None


class ForecastResult(NamedTuple):
    """What a run was to take by what was printed before it. seconds: in all; told: of what they are made."""

    seconds: float
    told: str


class Report(NamedTuple):
    """A run.

    outcome  None while it is not finished
    seconds  from its start to its end, or to what the journal told last
    resume   what to type to go on with what is not finished or was stopped; else empty
    waiting  commits of an unfinished run that revert by themselves
    checks   of the whole fabric
    reasons  what failed of the run as a whole, and why it ended
    counts   switches by how they ended, without zeros
    events   everything, in order
    forecast how long it was to take; None where nobody said
    resumed  when it went on after it was killed, each time
    hands    what was typed by hand while commits waited, and is undone
    """

    number: int
    head: Head
    started: datetime
    ended: datetime | None
    outcome: RunOutcome | None
    seconds: float | None
    resume: str
    waiting: tuple[PendingCommit, ...]
    checks: BeforeAfter
    reasons: tuple[str, ...]
    counts: Mapping[SwitchOutcome, int]
    waves: tuple[WaveResult, ...]
    events: tuple[Event, ...]
    forecast: ForecastResult | None = None
    resumed: tuple[datetime, ...] = ()
    hands: tuple[Hand, ...] = ()

    @property
    def switches(self) -> tuple[SwitchResult, ...]:
        """All of them, in order of their waves."""
        return tuple(switch for wave in self.waves for switch in wave.switches)


def report(record: RunRecord, resume: str = "") -> Report:
    """Report of a run. resume: what goes on with one that is not done; without it, as the journal has it."""
    by_device: dict[str, list[Event]] = {}
    for event in record.events:
        by_device.setdefault(event.device, []).append(event)
    own = by_device.get("", [])
    history = _History(by_device, _blamed(own), is_open=record.outcome is None)
    found = (_wave(wave, planned, history) for wave, planned in _planned(record))
    waves = tuple(
        one._replace(counters=counters_of(own, one.wave.number), paths=paths_of(own, one.wave.number)) for one in found
    )
    ends = [switch.end for wave in waves for switch in wave.switches]
    last = record.ended or max([record.started, *(event.at for event in record.events)])
    # As it was told first: a run that was killed goes on by the same one.
    details = (event.detail for event in own if event.step is StepName.FORECAST)
    rows = ((detail.get("seconds"), detail.get("told")) for detail in details)
    return Report(
        number=record.number,
        head=record.head,
        started=record.started,
        ended=record.ended,
        outcome=record.outcome,
        seconds=lasted(record.started, last),
        resume=(resume or _again(record.head)) if record.outcome in _GOES_ON else "",
        waiting=waiting_of(record.events) if record.outcome is None else (),
        checks=_checks(steps_of(own)),
        reasons=tuple(reason for event in own if (reason := reason_of(event))),
        counts={end: ends.count(end) for end in SwitchOutcome if end in ends},
        waves=waves,
        events=record.events,
        forecast=next((ForecastResult(each, str(told)) for each, told in rows if isinstance(each, int | float)), None),
        resumed=tuple(event.at for event in own if event.step is StepName.RESUME),
        hands=hands_of(record.events),
    )


_GOES_ON = (None, RunOutcome.STOPPED)


class _History(NamedTuple):
    """What is told of each switch. blamed: switch → why it made the run fail, by the run's end."""

    events: Mapping[str, list[Event]]
    blamed: Mapping[str, str]
    is_open: bool


def _blamed(own: Iterable[Event]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for event in own:
        reasons = event.detail.get("reasons")
        if event.step is StepName.DONE and isinstance(reasons, Mapping):
            found |= {str(device): str(reason) for device, reason in reasons.items()}
    return found


def _again(head: Head) -> str:
    return f"fabricgen push {shlex.quote(head.intent)} -i {shlex.quote(head.inventory)} --commit"


def _planned(record: RunRecord) -> Iterable[tuple[Wave, list[PlannedSwitch]]]:
    """Waves with their switches: those of the plan, one that was planned without a wave, one without a plan."""
    plans = {one.device: one for one in record.planned}
    waves = list(record.waves)
    known = {device for wave in waves for device in wave.devices}
    loose = [one for one in record.planned if one.device not in known]
    for number in dict.fromkeys(one.wave for one in loose):
        devices = tuple(one.device for one in loose if one.wave == number)
        same = next((wave for wave in waves if wave.number == number), None)
        if same is None:
            waves.append(Wave(number, "", "", canary=False, devices=devices, keeps=Fraction(1)))
        else:
            waves[waves.index(same)] = same._replace(devices=same.devices + devices)
    unplanned = ("", "", "", "", "")
    for wave in waves:
        yield (
            wave,
            [plans.get(name) or PlannedSwitch(name, wave.number, Need.PLAIN, *unplanned) for name in wave.devices],
        )


def _wave(wave: Wave, planned: Iterable[PlannedSwitch], history: _History) -> WaveResult:
    switches = tuple(_switch(one, history) for one in planned)
    times = [event.at for one in switches for event in history.events.get(one.device, []) if _is_work(event)]
    started = min(times, default=None)
    return WaveResult(wave, started, lasted(started, max(times)) if started else None, switches)


def _switch(planned: PlannedSwitch, history: _History) -> SwitchResult:
    events = history.events.get(planned.device, [])
    steps = steps_of(events)
    end, reason = _end(events, history.blamed.get(planned.device, ""), is_open=history.is_open)
    changes = [event.at for event in events if _is(event, StepName.COMMIT, StepState.ENDED, StageName.CHANGE)]
    works = [event.at for event in events if _is_work(event)]
    return SwitchResult(
        device=planned.device,
        need=planned.need.value if planned.why or planned.risk else "",
        why=planned.why,
        risk=planned.risk,
        difference=planned.difference,
        lines=_lines(planned, events),
        changed=changes[-1] if changes else None,
        seconds=lasted(works[0], works[-1]) if works else None,
        steps=steps,
        checks=_checks(steps),
        end=end,
        reason=reason,
    )


def _is(event: Event, step: StepName, how: StepState, stage: str) -> bool:
    return (event.step, event.how, event.stage) == (step, how, stage)


def _is_work(event: Event) -> bool:
    """Whether it is told of the change itself; what was read before may be hours old."""
    return bool(event.stage) or event.step is StepName.REVERT


def _lines(planned: PlannedSwitch, events: list[Event]) -> int | None:
    """As the first reading counted, or the loading; else by the signs of the difference."""
    counted = found_lines(events)
    if counted is not None:
        return counted
    rows = planned.difference.splitlines()
    signed = [row for row in rows if row.startswith(_MARKS) and not row.startswith(("+++", "---"))]
    return len(signed) if signed or not rows else None


def _checks(steps: Iterable[StepReport]) -> BeforeAfter:
    """What was right before the first stage and after the last one, and what the last one found again."""
    return judged_of([step.detail for step in steps if step.step is StepName.CHECK and step.how is not StepState.BEGUN])


def _end(events: list[Event], blamed: str, *, is_open: bool) -> tuple[SwitchOutcome, str]:
    """How a switch ended, and why, by what is told last."""
    end, reasons = SwitchOutcome.NOT_REACHED, list[str]()
    for event in events:
        said = _end_by(event)
        if said in (SwitchOutcome.DONE, SwitchOutcome.AT_ARTIFACT, SwitchOutcome.OPEN):
            reasons = []
        end = said or end
        reason = "" if blamed and event.step is StepName.CHECK else reason_of(event)  # the run's end says it shorter
        reasons += [reason] if reason and reason not in reasons else []
    if end is SwitchOutcome.NOT_REACHED and is_open and any(_is_work(event) for event in events):
        end = SwitchOutcome.OPEN
    if end is SwitchOutcome.OPEN:
        reasons.append(f"told last: {event_words(events[-1])}")
    if blamed and not any(blamed in reason for reason in reasons):
        reasons.insert(0, blamed)
    return end, "; ".join(reasons)


def _end_by(event: Event) -> SwitchOutcome | None:
    """How a switch stands after an event; None where as before. To read and to load change nothing."""
    if event.how is StepState.FAILED:
        return SwitchOutcome.FAILED
    if event.how is StepState.ENDED and event.step is StepName.REVERT:
        return SwitchOutcome.REVERTED
    if event.how is StepState.ENDED and event.step is StepName.DONE:
        return (
            SwitchOutcome.AT_ARTIFACT
            if event.detail.get("how") == SwitchOutcome.AT_ARTIFACT.value
            else SwitchOutcome.DONE
        )
    # Without a stage it is told of what was changed before: that its ports are quiet.
    begins = event.stage and event.step in (StepName.COMMIT, StepName.QUIET, StepName.CHECK, StepName.CONFIRM)
    return SwitchOutcome.OPEN if begins and event.how is StepState.BEGUN else None
