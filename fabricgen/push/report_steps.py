"""Events of one switch, or of the run, as steps: begun and ended joined, and what each saw in words."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from fabricgen.push.model import Event, How, StepName


class Check(NamedTuple):
    """One judgement: how much was right, and how much was found wrong. None where it is not told."""

    passed: int | None
    findings: int | None


class Step(NamedTuple):
    """One step.

    at       when it was begun, or ended where no beginning is told
    seconds  it took; None where its beginning or its end is not told
    how      BEGUN where no end is told
    told     what it saw, in a phrase; empty where nothing
    detail   of its end
    """

    at: datetime
    stage: str
    step: StepName
    how: How
    seconds: float | None
    told: str
    detail: Mapping[str, object]


def steps_of(events: Iterable[Event]) -> tuple[Step, ...]:
    """Steps in the order in which they began. DONE is none: it takes no time."""
    steps: list[Step] = []
    begun: dict[tuple[str, StepName], int] = {}
    for event in events:
        key = event.stage, event.step
        if event.step is StepName.DONE:
            continue
        if event.how is How.BEGUN:
            begun[key] = len(steps)
            steps.append(Step(event.at, event.stage, event.step, event.how, None, "", event.detail))
            continue
        number = begun.pop(key, None)
        at, seconds = event.at, None
        if number is not None:
            at = steps[number].at
            seconds = lasted(at, event.at)
        step = Step(at, event.stage, event.step, event.how, seconds, told(event), event.detail)
        if number is None:
            steps.append(step)
        else:
            steps[number] = step
    return tuple(steps)


def lasted(start: datetime, end: datetime) -> float | None:
    """Seconds between two times; None where the clock was put back."""
    seconds = (end - start).total_seconds()
    return seconds if seconds >= 0 else None


def reason_of(event: Event) -> str:
    """Why something failed, was reverted, or a run ended; empty of any other event."""
    detail = event.detail
    if event.how is How.FAILED:
        said = told(event)
        return f"{_named(event)} failed" + (f": {said}" if said else "")
    if event.how is not How.ENDED:
        return ""
    if event.step is StepName.REVERT:
        return _word(detail, "why")
    if event.step is StepName.DONE and not event.device:
        reasons = detail.get("reasons")
        return _word(detail, "reason") or (_word(reasons, "") if isinstance(reasons, Mapping) else "")
    return ""


def event_words(event: Event) -> str:
    """`commit of change ended: reverts after 120 s unless confirmed`."""
    said = told(event)
    return f"{_named(event)} {event.how.value}" + (f": {said}" if said else "")


def _named(event: Event) -> str:
    return event.step.value + (f" of {event.stage}" if event.stage else "")


def found_lines(events: Iterable[Event]) -> int | None:
    """Lines that the first reading found to differ, else those that were loaded; None where neither tells."""
    counts: dict[StepName, int] = {}
    for event in events:
        number = _number(event.detail, "lines")
        if event.how is How.ENDED and number is not None:
            counts.setdefault(event.step, number)
    return counts.get(StepName.READ, counts.get(StepName.LOAD))


def check_of(value: object) -> Check | None:
    """A judgement of a detail; None where it has none."""
    if not isinstance(value, Mapping):
        return None
    return Check(_number(value, "passed"), _number(value, "findings"))


def new_of(detail: Mapping[str, object]) -> tuple[str, ...]:
    """What a check found that was not wrong before."""
    found = detail.get("new")
    return tuple(str(one) for one in found) if isinstance(found, list | tuple) else ()


def told(event: Event) -> str:
    """What an event's detail says, in a phrase."""
    if event.how is How.BEGUN:
        return ""
    said = ": ".join(part for part in (_word(event.detail, "kind"), _word(event.detail, "reason")) if part)
    say = _SAYING.get(event.step)
    return said or (say(event.detail) if say else "")


def _read(detail: Mapping[str, object]) -> str:
    wave = _number(detail, "wave")
    seen = "" if wave is None else f"what stands around wave {wave}" if wave else "what stands"
    return ", ".join(part for part in (seen, _word(detail, "found"), _lines(detail)) if part)


def _lines(detail: Mapping[str, object]) -> str:
    lines = _number(detail, "lines")
    return "" if lines is None else f"{lines:,} {'line' if lines == 1 else 'lines'}"


def _commit(detail: Mapping[str, object]) -> str:
    seconds = _number(detail, "seconds")
    if seconds is None:
        return "not timed" if "seconds" in detail else ""
    return f"reverts after {seconds} s unless confirmed"


def _quiet(detail: Mapping[str, object]) -> str:
    ports, limit, polls = detail.get("ports"), _number(detail, "limit"), _number(detail, "polls")
    rates = [rate for rate in ports.values() if isinstance(rate, int | float)] if isinstance(ports, Mapping) else []
    parts = [
        f"at most {max(rates):,.0f} bit/s on {len(rates)} {'port' if len(rates) == 1 else 'ports'}" if rates else "",
        "" if limit is None else f"limit {limit:,} bit/s",
        "" if polls is None else f"{polls} {'poll' if polls == 1 else 'polls'}",
    ]
    return ", ".join(part for part in parts if part)


def _check(detail: Mapping[str, object]) -> str:
    waits, new = _number(detail, "waits"), new_of(detail)
    more = f" and {len(new) - 1} more" if len(new) > 1 else ""
    parts = [
        *(f"{word} {check_words(found)}" for word in ("before", "after") if (found := check_of(detail.get(word)))),
        f"new: {new[0]}{more}" if new else "",
        f"{waits:,} not new, or waiting for other switches" if waits else "",
    ]
    return "; ".join(part for part in parts if part)


def check_words(check: Check | None) -> str:
    """`214 right, 3 wrong`; a dash where nothing is told."""
    if check is None or check == (None, None):
        return "–"
    passed = "? right" if check.passed is None else f"{check.passed:,} right"
    return f"{passed}, {'?' if check.findings is None else f'{check.findings:,}'} wrong"


def _why(detail: Mapping[str, object]) -> str:
    return _word(detail, "why")


def _done(detail: Mapping[str, object]) -> str:
    reasons = detail.get("reasons")
    blamed = reasons.items() if isinstance(reasons, Mapping) else ()
    return _word(detail, "how") or "; ".join(f"{device}: {why}" if device else str(why) for device, why in blamed)


_SAYING: Mapping[StepName, Callable[[Mapping[str, object]], str]] = {
    StepName.READ: _read,
    StepName.LOAD: _lines,
    StepName.COMMIT: _commit,
    StepName.QUIET: _quiet,
    StepName.CHECK: _check,
    StepName.REVERT: _why,
    StepName.DONE: _done,
}


def _word(detail: Mapping[str, object], key: str) -> str:
    value = detail.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _number(detail: Mapping[str, object], key: str) -> int | None:
    value = detail.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
