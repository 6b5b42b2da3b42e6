"""A run of the journal as a report: waves and switches, their steps, and the outcome of each. Pure.

What a step's detail does not have is left out: journals of a killed push, or of another release, are reported too.
"""

import shlex
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.push.journal.detail import last_of_wave, mapping
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
    """Outcome of one switch.

    DONE         it runs the rendered configuration, through this run
    AT_ARTIFACT  it ran it before
    REVERTED     it was committed, failed verification, and runs its earlier configuration
    FAILED       a step failed, and no revert is recorded
    OPEN         something was begun, and no end of it is recorded: in progress, killed, or left when another failed
    NOT_REACHED  nothing was changed on it
    """

    DONE = "done"
    AT_ARTIFACT = "at the artifact"
    REVERTED = "reverted"
    FAILED = "failed"
    OPEN = "unfinished"
    NOT_REACHED = "not reached"


class SwitchResult(NamedTuple):
    """One switch of a run, in the order of the JSON.

    need, why, risk  as planned; empty where the journal has no plan of it
    difference  what a commit would change, secrets masked
    lines       number of its lines; None where they were not counted
    changed     when its own configuration was committed; None where it was not
    seconds     from its first step of a stage to its last one; None without one
    checks      before the change and after the last stage
    reason      of an outcome other than the intended one
    """

    device: str
    end: SwitchOutcome
    reason: str
    need: str
    why: str
    risk: str
    lines: int | None
    difference: str
    changed: datetime | None
    seconds: float | None
    checks: BeforeAfter
    steps: tuple[StepReport, ...]


class WaveResult(NamedTuple):
    """One wave and its switches. wave: one of no fabric where the journal has switches without a wave.

    counters  of the ports around it; None where nothing was compared
    paths     probes of every path after it; None where none were sent
    """

    wave: Wave
    started: datetime | None
    seconds: float | None
    switches: tuple[SwitchResult, ...]
    counters: Counters | None = None
    paths: PathsReport | None = None


class ForecastResult(NamedTuple):
    """Forecast of a run. seconds: total; summary: what it consists of."""

    seconds: float
    summary: str


class Report(NamedTuple):
    """A run.

    outcome  None while it is not finished
    seconds  from its start to its end, or to the last event
    resume   command that resumes an unfinished or stopped run; else empty
    waiting  commits of an unfinished run that revert by themselves
    checks   of the whole fabric
    reasons  what failed of the run as a whole, and why it ended
    counts   switches by outcome, without zeros
    events   all events, in order
    forecast expected duration; None without one
    resumed  times at which it was resumed after a kill
    hands    manual changes while commits were pending, which are undone
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
        """All switches, in order of their waves."""
        return tuple(switch for wave in self.waves for switch in wave.switches)


def report(record: RunRecord, resume: str = "") -> Report:
    """Report of a run. resume: command that resumes an unfinished run; else it is made from the journal."""
    by_device = grouped((event.device, event) for event in record.events)
    of_run = by_device.get("", [])
    history = _History(by_device, _blamed(of_run), is_open=record.outcome is None)
    waves = tuple(_wave(wave, planned, history) for wave, planned in _planned(record))
    last = record.ended or max([record.started, *(event.at for event in record.events)])
    # The first forecast: a run that was killed is resumed under it.
    details = (event.detail for event in of_run if event.step is StepName.FORECAST)
    forecasts = ((detail.get("seconds"), detail.get("told")) for detail in details)
    return Report(
        number=record.number,
        head=record.head,
        started=record.started,
        ended=record.ended,
        outcome=record.outcome,
        seconds=lasted(record.started, last),
        resume=(resume or _again(record.head)) if record.outcome in _GOES_ON else "",
        waiting=waiting_of(record.events) if record.outcome is None else (),
        checks=_checks(steps_of(of_run)),
        reasons=tuple(reason for event in of_run if (reason := reason_of(event))),
        counts=outcome_counts(switch for wave in waves for switch in wave.switches),
        waves=waves,
        events=record.events,
        forecast=next(
            (ForecastResult(total, str(text)) for total, text in forecasts if isinstance(total, int | float)), None
        ),
        resumed=tuple(event.at for event in of_run if event.step is StepName.RESUME),
        hands=hands_of(record.events),
    )


def outcome_counts(switches: Iterable[SwitchResult]) -> Mapping[SwitchOutcome, int]:
    """Number of switches by outcome, without zeros."""
    outcomes = [switch.end for switch in switches]
    return {end: outcomes.count(end) for end in SwitchOutcome if end in outcomes}


_GOES_ON = (None, RunOutcome.STOPPED)


class _History(NamedTuple):
    """Events of each switch, and of the run itself. blamed: switch → why it made the run fail, by the run's end."""

    events: Mapping[str, list[Event]]
    blamed: Mapping[str, str]
    is_open: bool


def _blamed(run_events: Iterable[Event]) -> Mapping[str, str]:
    reasons_of: dict[str, str] = {}
    for event in run_events:
        if event.step is StepName.DONE:
            reasons = mapping(event.detail, "reasons")
            reasons_of |= {str(device): str(reason) for device, reason in reasons.items()}
    return reasons_of


def _again(head: Head) -> str:
    return f"fabricgen push {shlex.quote(head.intent)} -i {shlex.quote(head.inventory)} --commit"


def _planned(record: RunRecord) -> Iterable[tuple[Wave, list[PlannedSwitch]]]:
    """Waves with their switches: those of the plan, switches planned without a wave, switches without a plan."""
    plans = {switch.device: switch for switch in record.planned}
    waves = list(record.waves)
    in_waves = {device for wave in waves for device in wave.devices}
    loose = [switch for switch in record.planned if switch.device not in in_waves]
    for number in dict.fromkeys(switch.wave for switch in loose):
        devices = tuple(switch.device for switch in loose if switch.wave == number)
        planned_wave = next((wave for wave in waves if wave.number == number), None)
        if planned_wave is None:
            waves.append(Wave(number, "", "", canary=False, devices=devices, keeps=Fraction(1)))
        else:
            waves[waves.index(planned_wave)] = planned_wave._replace(devices=planned_wave.devices + devices)
    unplanned = ("", "", "", "", "")
    for wave in waves:
        yield (
            wave,
            [plans.get(name) or PlannedSwitch(name, wave.number, Need.PLAIN, *unplanned) for name in wave.devices],
        )


def _wave(wave: Wave, planned: Iterable[PlannedSwitch], history: _History) -> WaveResult:
    switches = tuple(_switch(switch, history) for switch in planned)
    times = [event.at for switch in switches for event in history.events.get(switch.device, []) if _is_work(event)]
    started = min(times, default=None)
    counters = last_of_wave(history.events.get("", ()), StepName.COUNTERS, wave.number)
    paths = last_of_wave(history.events.get("", ()), StepName.PATHS, wave.number)
    return WaveResult(
        wave=wave,
        started=started,
        seconds=lasted(started, max(times)) if started else None,
        switches=switches,
        counters=counters_of(counters) if counters is not None else None,
        paths=paths_of(paths) if paths is not None else None,
    )


def _switch(planned: PlannedSwitch, history: _History) -> SwitchResult:
    events = history.events.get(planned.device, [])
    steps = steps_of(events)
    end, reason = _end(events, history.blamed.get(planned.device, ""), is_open=history.is_open)
    change = (StepName.COMMIT, StepState.ENDED, StageName.CHANGE)
    changes = [event.at for event in events if (event.step, event.how, event.stage) == change]
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


def _is_work(event: Event) -> bool:
    """Whether an event is part of the change itself; earlier reads may be hours old."""
    return bool(event.stage) or event.step is StepName.REVERT


def _lines(planned: PlannedSwitch, events: list[Event]) -> int | None:
    """Number of changed lines: as counted at the first read, or the load; else by the signs of the difference."""
    counted = found_lines(events)
    if counted is not None:
        return counted
    rows = planned.difference.splitlines()
    signed_rows = [row for row in rows if row.startswith(_MARKS) and not row.startswith(("+++", "---"))]
    return len(signed_rows) if signed_rows or not rows else None


def _checks(steps: Iterable[StepReport]) -> BeforeAfter:
    """The checks before the first stage and after the last one, and what the last one found."""
    return judged_of([step.detail for step in steps if step.step is StepName.CHECK and step.how is not StepState.BEGUN])


def _end(events: list[Event], blamed: str, *, is_open: bool) -> tuple[SwitchOutcome, str]:
    """Outcome of a switch, and the reason, by its last events."""
    end, reasons = SwitchOutcome.NOT_REACHED, list[str]()
    for event in events:
        outcome = _end_by(event)
        if outcome in (SwitchOutcome.DONE, SwitchOutcome.AT_ARTIFACT, SwitchOutcome.OPEN):
            reasons = []
        end = outcome or end
        if event.step is StepName.LOGIN and event.how is StepState.FAILED:
            reasons = []  # checks and comparisons failed for want of a login, too
        reason = (
            "" if blamed and event.step is StepName.CHECK else reason_of(event)
        )  # the run's end has a shorter reason
        reasons += [reason] if reason and reason not in reasons else []
    if end is SwitchOutcome.NOT_REACHED and is_open and any(_is_work(event) for event in events):
        end = SwitchOutcome.OPEN
    if end is SwitchOutcome.OPEN:
        reasons.append(f"last event: {event_words(events[-1])}")
    if blamed and not any(blamed in reason for reason in reasons):
        reasons.insert(0, blamed)
    return end, "; ".join(reasons)


def _end_by(event: Event) -> SwitchOutcome | None:
    """Outcome of a switch after an event; None if unchanged. Reading and loading change nothing."""
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
    # Without a stage it is about an earlier change: whether its ports are idle.
    begins = event.stage and event.step in (StepName.COMMIT, StepName.QUIET, StepName.CHECK, StepName.CONFIRM)
    return SwitchOutcome.OPEN if begins and event.how is StepState.BEGUN else None
