"""A push as plain values for machines.

Times are UTC, `2026-03-01T12:00:00.000000+00:00`; durations are seconds, null where a beginning or an end is not
recorded.

    schema_version  0; schema/push.schema.json has the form
    run        number of the run in its journal
    token, intent, inventory, approval, who     as the journal has them
    resumed    when it was resumed after a kill, each time
    started, ended, seconds; outcome: done, stopped, failed, abandoned; ended and outcome null while not finished
    forecast   its expected duration: seconds in total, summary (what it consists of); null without a forecast
    verdict    the outcome in a sentence
    resume     command that continues a run that is not finished or was stopped, else ""
    waiting    pending commits of an unfinished run: device, seconds after which each reverts by itself and until
               (latest time; both null where no end of the commit is recorded), is_sure (false: it may be pending)
    by_hand    lines that were typed by hand while commits were pending, and are undone: device, typed (lines that the
               revert removed), removed (lines that it restored), unknown (why they are not known, else "")
    to_do      what a person has to do, in this order: sentences
    reasons    what failed of the run as a whole, and why it ended
    counts     outcome of a switch → number of switches
    checks     of the whole: before, after ({"passed", "findings": number of things not as planned} or null), new
               (failures of the push: sentences), causes (the same, each cause once: summary, elsewhere (neither end of
               it is a switch of the wave), consequences (number of findings that follow from it), by_check (check →
               number of them), devices (that have them), new (its sentences); empty where a journal has none), waits
               (number of findings after it that are not new: earlier ones, or about switches still to change; null
               where not recorded), pending, excused (findings that wait for something, and those that the push did not
               cause: sentences with the reason), summary (all of it in a sentence)
    waves      each: number, fabric, role, canary, keeps ("3/4"), started, seconds, counters (null where none were
               compared: before, after (least and most seconds), compared (counter → ports), broke, warned, exempt,
               not_compared (sentences), summary), switches, each of which has
               device, end (done, at the artifact, reverted, failed, unfinished, not reached), reason, need, why, risk,
               lines (null where not counted), difference (secrets masked), changed (when it was committed), seconds,
               checks (as above), steps: each stage, step, how (begun: no end is recorded), at, seconds, summary
    events     each: at, device ("" for the run), stage, step, how, detail, as the journal has them
"""

from datetime import datetime

from fabricgen.base.schema_version import VERSIONED
from fabricgen.push.model import Event
from fabricgen.push.prove.causes import Cause
from fabricgen.push.report.counters import Counters, counters_words
from fabricgen.push.report.model import Report, SwitchResult, WaveResult
from fabricgen.push.report.paths import PathsReport, paths_words
from fabricgen.push.report.steps import REST_OF_WAVE, REST_OF_WHOLE, BeforeAfter, CheckReport, StepReport, judged_words
from fabricgen.push.report.words import to_do, verdict


def plain(report: Report) -> dict[str, object]:
    """Everything that the journal has of a run."""
    return VERSIONED | {
        "run": report.number,
        **report.head._asdict(),
        "started": _time(report.started),
        "ended": _time(report.ended),
        "seconds": _seconds(report.seconds),
        "resumed": [_time(at) for at in report.resumed],
        "forecast": report.forecast._asdict() if report.forecast else None,
        "outcome": report.outcome.value if report.outcome else None,
        "verdict": verdict(report),
        "resume": report.resume,
        "waiting": [item._asdict() | {"until": _time(item.until)} for item in report.waiting],
        "by_hand": [item._asdict() for item in report.hands],
        "to_do": [*to_do(report)],
        "reasons": list(report.reasons),
        "counts": {end.value: number for end, number in report.counts.items()},
        "checks": _checks(report.checks, REST_OF_WHOLE),
        "waves": [_wave(wave) for wave in report.waves],
        "events": [_event(event) for event in report.events],
    }


def _wave(result: WaveResult) -> dict[str, object]:
    wave = result.wave
    return {
        "number": wave.number,
        "fabric": wave.fabric,
        "role": wave.role,
        "canary": wave.canary,
        "keeps": str(wave.keeps),
        "started": _time(result.started),
        "seconds": _seconds(result.seconds),
        "counters": _counters(result.counters),
        "paths": _paths(result.paths),
        "switches": [_switch(switch) for switch in result.switches],
    }


def _paths(paths: PathsReport | None) -> dict[str, object] | None:
    return paths._asdict() | {"summary": paths_words(paths)} if paths else None


def _counters(counters: Counters | None) -> dict[str, object] | None:
    return counters._asdict() | {"summary": counters_words(counters)} if counters else None


def _switch(switch: SwitchResult) -> dict[str, object]:
    return switch._asdict() | {
        "changed": _time(switch.changed),
        "seconds": _seconds(switch.seconds),
        "checks": _checks(switch.checks, REST_OF_WAVE),
        "steps": [_step(step) for step in switch.steps],
    }


def _checks(checks: BeforeAfter, rest_text: str) -> dict[str, object]:
    return {
        "before": _check(checks.before),
        "after": _check(checks.after),
        "new": list(checks.new),
        "causes": [_cause(cause) for cause in checks.wrong],
        "waits": checks.waits,
        "pending": list(checks.pending),
        "excused": list(checks.excused),
        "summary": judged_words(checks, rest_text),
    }


def _cause(cause: Cause) -> dict[str, object]:
    lists = {"by_check": dict(cause.checks), "devices": list(cause.devices), "new": list(cause.new)}
    return {"summary": cause.sentence, "elsewhere": cause.is_elsewhere, "consequences": cause.consequences, **lists}


def _check(check: CheckReport | None) -> dict[str, object] | None:
    return check._asdict() if check else None


def _step(step: StepReport) -> dict[str, object]:
    return {
        "stage": step.stage,
        "step": step.step.value,
        "how": step.how.value,
        "at": _time(step.at),
        "seconds": _seconds(step.seconds),
        "summary": step.phrase,
    }


def _event(event: Event) -> dict[str, object]:
    return event._asdict() | {"at": _time(event.at), "detail": dict(event.detail)}


def _time(at: datetime | None) -> str | None:
    return at.isoformat(timespec="microseconds") if at else None


def _seconds(number: float | None) -> float | None:
    return None if number is None else round(number, 3)
