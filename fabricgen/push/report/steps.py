"""Events of one switch, or of the run, as steps: begin and end joined, with the detail in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from fabricgen.push.model import Event, StepName, StepState
from fabricgen.push.prove.causes import Cause, causes_of, counted, first_of, rows_of
from fabricgen.push.report.counters import counters_told
from fabricgen.push.report.paths import paths_told


class CheckReport(NamedTuple):
    """Result of one check: how much was as planned, and how much was not. None where not recorded."""

    passed: int | None
    findings: int | None


class BeforeAfter(NamedTuple):
    """Checks before a change and after it.

    new    failures of the change: sentences
    waits  number of findings after it that are not new: earlier ones, or about switches still to change; None where not
           recorded
    pending, excused  those of them that wait for something, and those that the change did not cause, with the reason:
                      sentences
    causes  causes of the new ones, most consequences first; more: number of causes that are not kept
    """

    before: CheckReport | None
    after: CheckReport | None
    new: tuple[str, ...]
    waits: int | None
    pending: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
    causes: tuple[Cause, ...] = ()
    more: int = 0

    @property
    def wrong(self) -> tuple[Cause, ...]:
        """Causes of what is new; other causes may explain regressions without a finding."""
        return tuple(cause for cause in self.causes if cause.new)


class StepReport(NamedTuple):
    """One step.

    at       when it began, or ended if no beginning is recorded
    seconds  duration; None where its beginning or its end is not recorded
    how      BEGUN where no end is recorded
    told     its detail in a phrase; may be empty
    detail   of its end
    """

    at: datetime
    stage: str
    step: StepName
    how: StepState
    seconds: float | None
    told: str
    detail: Mapping[str, object]


def steps_of(events: Iterable[Event]) -> tuple[StepReport, ...]:
    """Steps in the order in which they began. DONE is not one: it takes no time."""
    steps: list[StepReport] = []
    begun: dict[tuple[str, StepName], int] = {}
    for event in events:
        key = event.stage, event.step
        if event.step is StepName.DONE:
            continue
        if event.how is StepState.BEGUN:
            begun[key] = len(steps)
            steps.append(StepReport(event.at, event.stage, event.step, event.how, None, "", event.detail))
            continue
        number = begun.pop(key, None)
        at, seconds = event.at, None
        if number is not None:
            at = steps[number].at
            seconds = lasted(at, event.at)
        step = StepReport(at, event.stage, event.step, event.how, seconds, told(event), event.detail)
        if number is None:
            steps.append(step)
        else:
            steps[number] = step
    return tuple(steps)


def lasted(start: datetime, end: datetime) -> float | None:
    """Seconds between two times; None where the clock was set back."""
    seconds = (end - start).total_seconds()
    return seconds if seconds >= 0 else None


def reason_of(event: Event) -> str:
    """Why something failed, was reverted, or a run ended; empty for any other event."""
    detail = event.detail
    if event.how is StepState.FAILED:
        phrase = told(event)
        return f"{_named(event)} failed" + (f": {phrase}" if phrase else "")
    if event.how is not StepState.ENDED:
        return ""
    if event.step is StepName.REVERT:
        return _word(detail, "why")
    if event.step is StepName.DONE and not event.device:
        reasons = detail.get("reasons")
        return _word(detail, "reason") or (_word(reasons, "") if isinstance(reasons, Mapping) else "")
    return ""


def event_words(event: Event) -> str:
    """`commit of change ended: reverts after 120 s unless confirmed`."""
    phrase = told(event)
    return f"{_named(event)} {event.how.value}" + (f": {phrase}" if phrase else "")


def _named(event: Event) -> str:
    return event.step.value + (f" of {event.stage}" if event.stage else "")


def found_lines(events: Iterable[Event]) -> int | None:
    """Number of differing lines at the first read, else at the load; None where neither is recorded."""
    counts: dict[StepName, int] = {}
    for event in events:
        number = _number(event.detail, "lines")
        if event.how is StepState.ENDED and number is not None:
            counts.setdefault(event.step, number)
    return counts.get(StepName.READ, counts.get(StepName.LOAD))


def check_of(value: object) -> CheckReport | None:
    """The check result of a detail; None where it has none."""
    if not isinstance(value, Mapping):
        return None
    return CheckReport(_number(value, "passed"), _number(value, "findings"))


def judged_of(details: Sequence[Mapping[str, object]]) -> BeforeAfter:
    """Results of checks in order: before the first one, after the last one, and the findings of the last one."""
    if not details:
        return BeforeAfter(None, None, (), None)
    first, last = details[0], details[-1]
    new, pending, excused = (_sentences(last.get(name)) for name in ("new", "pending", "excused"))
    before, after = check_of(first.get("before")), check_of(last.get("after"))
    waits, more = (_number(last, name) for name in ("waits", "more"))
    return BeforeAfter(before, after, new, waits, pending, excused, causes_of(last), more or 0)


def _sentences(value: object) -> tuple[str, ...]:
    return tuple(str(sentence) for sentence in value) if isinstance(value, list | tuple) else ()


def judged_words(judged: BeforeAfter, rest_text: str) -> str:
    """`no new failures (before: 214 OK, 3 failed; after: 214 OK, 3 failed, which failed before, too)`.

    rest_text  about findings that are not new: REST_OF_WAVE or REST_OF_WHOLE
    """
    counts = ""
    if _is_told(judged.before) or _is_told(judged.after):
        counts = f"before: {check_words(judged.before)}; after: {check_words(judged.after)}{_rest(judged, rest_text)}"
    return "; ".join(part for part in (new_words(judged), counts) if part)


def new_words(judged: BeforeAfter) -> str:
    """`no new failures`, `2 new failures`; empty where nothing was counted after the change."""
    if judged.wrong:
        return counted(judged.wrong, judged.more)
    if judged.new:
        return f"{len(judged.new):,} new {'failure' if len(judged.new) == 1 else 'failures'}"
    return "no new failures" if judged.after is not None and judged.after.findings is not None else ""


REST_OF_WAVE = "failing before, or waiting for switches that are not changed yet"
REST_OF_WHOLE = "failing before, or on switches that this push did not change"


def _rest(judged: BeforeAfter, rest_text: str) -> str:
    """Why findings after a change are not new, in brackets."""
    findings = judged.after.findings if judged.after is not None else None
    waits = findings if judged.waits is None and not judged.new else judged.waits
    if not findings or waits is None:
        return ""
    parts = [rest_text if waits == findings else f"{waits:,} of them {rest_text}"] if waits else []
    if not judged.new and waits < findings:  # what was found, is not excused, and does not wait would be new
        parts.append(f"{findings - waits:,} of an accepted loss")
    return f" ({'; '.join(parts)})" if parts else ""


def _is_told(check: CheckReport | None) -> bool:
    return check is not None and check != (None, None)


def told(event: Event) -> str:
    """An event's detail in a phrase."""
    if event.how is StepState.BEGUN:
        return ""
    failure = ": ".join(part for part in (_word(event.detail, "kind"), _word(event.detail, "reason")) if part)
    if event.step in (StepName.CHECK, StepName.SOAK):
        return failure or _check(judged_of([event.detail]), REST_OF_WAVE if event.device else REST_OF_WHOLE)
    say_detail = _SAYING.get(event.step)
    return failure or (say_detail(event.detail) if say_detail else "")


def _approved(detail: Mapping[str, object]) -> str:
    return f"signed by {_word(detail, 'by')}"


def _read(detail: Mapping[str, object]) -> str:
    wave = _number(detail, "wave")
    what_was_read = "" if wave is None else f"state of the fabric around wave {wave}" if wave else "state of the fabric"
    return ", ".join(part for part in (what_was_read, _word(detail, "found"), _lines(detail)) if part)


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
    unproven = detail.get("unproven")
    silent_peers = [str(peer) for peer in unproven] if isinstance(unproven, list) else []
    rates = [rate for rate in ports.values() if isinstance(rate, int | float)] if isinstance(ports, Mapping) else []
    parts = [
        f"at most {max(rates):,.0f} bit/s on {len(rates)} {'port' if len(rates) == 1 else 'ports'}" if rates else "",
        "" if limit is None else f"limit {limit:,} bit/s",
        "" if polls is None else f"{polls} {'poll' if polls == 1 else 'polls'}",
        f"not verified, as {', '.join(silent_peers)} cannot show it: the drain community in EVPN routes"
        if silent_peers
        else "",
    ]
    return ", ".join(part for part in parts if part)


def _check(judged: BeforeAfter, rest_text: str) -> str:
    text = judged_words(judged, rest_text)
    return f"{text}; new: {_first(judged)}" if judged.new else text


def _first(judged: BeforeAfter) -> str:
    if judged.wrong:
        return first_of(judged.wrong, judged.more)
    return f"{judged.new[0]}{f' and {len(judged.new) - 1} more' if len(judged.new) > 1 else ''}"


def new_rows(judged: BeforeAfter, *, details: bool) -> Iterator[str]:
    """What is new: each cause with its consequences; only sentences where no cause is recorded."""
    if judged.wrong:
        yield from rows_of(judged.wrong, details=details)
        if judged.more:
            yield f"and {judged.more:,} more"
    else:
        yield from judged.new


def check_words(check: CheckReport | None) -> str:
    """`214 OK, 3 failed`; a dash where nothing was compared."""
    if check is None or not _is_told(check):
        return "–"
    passed = "? OK" if check.passed is None else f"{check.passed:,} OK"
    return f"{passed}, {'?' if check.findings is None else f'{check.findings:,}'} failed"


def _why(detail: Mapping[str, object]) -> str:
    return _word(detail, "why")


def _freeze(detail: Mapping[str, object]) -> str:
    return f"{_word(detail, 'freeze')}, until {_word(detail, 'until')}; continuing: {_word(detail, 'despite')}"


def _hook(detail: Mapping[str, object]) -> str:
    return _word(detail, "event")


def _undo(detail: Mapping[str, object]) -> str:
    lines = [row for key in ("lines", "removed") for row in _sentences(detail.get(key))]
    return "; ".join(lines) or _word(detail, "unknown")


def _forecast(detail: Mapping[str, object]) -> str:
    return _word(detail, "told")


def _done(detail: Mapping[str, object]) -> str:
    reasons = detail.get("reasons")
    blamed = reasons.items() if isinstance(reasons, Mapping) else ()
    return _word(detail, "how") or "; ".join(f"{device}: {why}" if device else str(why) for device, why in blamed)


_SAYING: Mapping[StepName, Callable[[Mapping[str, object]], str]] = {
    StepName.APPROVE: _approved,
    StepName.READ: _read,
    StepName.LOAD: _lines,
    StepName.COMMIT: _commit,
    StepName.QUIET: _quiet,
    StepName.COUNTERS: counters_told,
    StepName.PATHS: paths_told,
    StepName.REVERT: _why,
    StepName.FREEZE: _freeze,
    StepName.HOOK: _hook,
    StepName.UNDO: _undo,
    StepName.FORECAST: _forecast,
    StepName.DONE: _done,
}


def _word(detail: Mapping[str, object], key: str) -> str:
    value = detail.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _number(detail: Mapping[str, object], key: str) -> int | None:
    value = detail.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
