"""Events of one switch, or of the run, as steps: begin and end joined, with the detail in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from fabricgen.base.text import counted, listed
from fabricgen.diff.words import count
from fabricgen.push.journal.detail import mapping, number, text, texts
from fabricgen.push.model import Event, StepName, StepState
from fabricgen.push.prove.causes import Cause, causes_of, failure_count, first_of, rows_of
from fabricgen.push.report.counters import counters_phrase
from fabricgen.push.report.paths import paths_phrase


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
    phrase   its detail in a phrase; may be empty
    detail   of its end
    """

    at: datetime
    stage: str
    step: StepName
    how: StepState
    seconds: float | None
    phrase: str
    detail: Mapping[str, object]


def steps_of(events: Iterable[Event]) -> tuple[StepReport, ...]:
    """Steps in the order in which they began. DONE is not one: it takes no time."""
    steps: list[StepReport] = []
    begun: dict[tuple[str, StepName], int] = {}
    for event in events:
        key = event.stage, event.step
        if event.step is StepName.DONE:
            continue
        step = StepReport(event.at, event.stage, event.step, event.how, None, phrase_of(event), event.detail)
        if event.how is not StepState.BEGUN and key in begun:
            position = begun.pop(key)
            at = steps[position].at
            steps[position] = step._replace(at=at, seconds=lasted(at, event.at))
            continue
        if event.how is StepState.BEGUN:
            begun[key] = len(steps)
        steps.append(step)
    return tuple(steps)


def lasted(start: datetime, end: datetime) -> float | None:
    """Seconds between two times; None where the clock was set back."""
    seconds = (end - start).total_seconds()
    return seconds if seconds >= 0 else None


def reason_of(event: Event) -> str:
    """Why something failed, was reverted, or a run ended; empty for any other event."""
    detail = event.detail
    if event.how is StepState.FAILED:
        phrase = phrase_of(event)
        return f"{_named(event)} failed" + (f": {phrase}" if phrase else "")
    if event.how is not StepState.ENDED:
        return ""
    if event.step is StepName.REVERT:
        return text(detail, "why")
    if event.step is StepName.DONE and not event.device:
        return text(detail, "reason") or str(mapping(detail, "reasons").get("", ""))
    return ""


def event_words(event: Event) -> str:
    """`commit of change ended: reverts after 120 s unless confirmed`."""
    phrase = phrase_of(event)
    return f"{_named(event)} {event.how.value}" + (f": {phrase}" if phrase else "")


def _named(event: Event) -> str:
    return event.step.value + (f" of {event.stage}" if event.stage else "")


def found_lines(events: Iterable[Event]) -> int | None:
    """Number of differing lines at the first read, else at the load; None where neither is recorded."""
    counts: dict[StepName, int] = {}
    for event in events:
        lines = number(event.detail, "lines")
        if event.how is StepState.ENDED and lines is not None:
            counts.setdefault(event.step, lines)
    return counts.get(StepName.READ, counts.get(StepName.LOAD))


def check_of(value: object) -> CheckReport | None:
    """The check result of a detail; None where it has none."""
    if not isinstance(value, Mapping):
        return None
    return CheckReport(number(value, "passed"), number(value, "findings"))


def judged_of(details: Sequence[Mapping[str, object]]) -> BeforeAfter:
    """Results of checks in order: before the first one, after the last one, and the findings of the last one."""
    if not details:
        return BeforeAfter(None, None, (), None)
    first, last = details[0], details[-1]
    new, pending, excused = (texts(last, name) for name in ("new", "pending", "excused"))
    before, after = check_of(first.get("before")), check_of(last.get("after"))
    waits, more = (number(last, name) for name in ("waits", "more"))
    return BeforeAfter(before, after, new, waits, pending, excused, causes_of(last), more or 0)


def judged_words(judged: BeforeAfter, rest_text: str) -> str:
    """`no new failures (before: 214 OK, 3 failed; after: 214 OK, 3 failed, which failed before, too)`.

    rest_text  about findings that are not new: REST_OF_WAVE or REST_OF_WHOLE
    """
    counts = ""
    if _has_counts(judged.before) or _has_counts(judged.after):
        counts = f"before: {check_words(judged.before)}; after: {check_words(judged.after)}{_rest(judged, rest_text)}"
    return "; ".join(part for part in (new_words(judged), counts) if part)


def new_words(judged: BeforeAfter) -> str:
    """`no new failures`, `2 new failures`; empty where nothing was counted after the change."""
    if judged.wrong:
        return failure_count(judged.wrong, judged.more)
    if judged.new:
        return count(len(judged.new), "new failure", "new failures")
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


def _has_counts(check: CheckReport | None) -> bool:
    return check is not None and check != (None, None)


def phrase_of(event: Event) -> str:
    """An event's detail in a phrase."""
    if event.how is StepState.BEGUN:
        return ""
    failure = ": ".join(part for part in (text(event.detail, "kind"), text(event.detail, "reason")) if part)
    if event.step in (StepName.CHECK, StepName.SOAK):
        return failure or _check(judged_of([event.detail]), REST_OF_WAVE if event.device else REST_OF_WHOLE)
    if failure or event.step not in _PHRASES:
        return failure
    phrase = _PHRASES[event.step]
    return text(event.detail, phrase) if isinstance(phrase, str) else phrase(event.detail)


def _approved(detail: Mapping[str, object]) -> str:
    return f"signed by {text(detail, 'by')}"


def _read(detail: Mapping[str, object]) -> str:
    wave = number(detail, "wave")
    what_was_read = "" if wave is None else f"state of the fabric around wave {wave}" if wave else "state of the fabric"
    return ", ".join(part for part in (what_was_read, text(detail, "found"), _lines(detail)) if part)


def _lines(detail: Mapping[str, object]) -> str:
    lines = number(detail, "lines")
    return "" if lines is None else count(lines, "line", "lines")


def _commit(detail: Mapping[str, object]) -> str:
    seconds = number(detail, "seconds")
    if seconds is None:
        return "not timed" if "seconds" in detail else ""
    return f"reverts after {seconds} s unless confirmed"


def _quiet(detail: Mapping[str, object]) -> str:
    limit, polls = number(detail, "limit"), number(detail, "polls")
    silent_peers = ", ".join(texts(detail, "unproven"))
    rates = [rate for rate in mapping(detail, "ports").values() if isinstance(rate, int | float)]
    parts = [
        f"at most {max(rates):,.0f} bit/s on {counted(len(rates), 'port')}" if rates else "",
        "" if limit is None else f"limit {limit:,} bit/s",
        "" if polls is None else counted(polls, "poll"),
        f"not verified, as {silent_peers} cannot show it: the drain community in EVPN routes" if silent_peers else "",
    ]
    return ", ".join(part for part in parts if part)


def _check(judged: BeforeAfter, rest_text: str) -> str:
    text = judged_words(judged, rest_text)
    return f"{text}; new: {_first(judged)}" if judged.new else text


def _first(judged: BeforeAfter) -> str:
    if judged.wrong:
        return first_of(judged.wrong, judged.more)
    return listed(judged.new, most=1)


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
    if check is None or not _has_counts(check):
        return "–"
    passed = "? OK" if check.passed is None else f"{check.passed:,} OK"
    return f"{passed}, {'?' if check.findings is None else f'{check.findings:,}'} failed"


def _freeze(detail: Mapping[str, object]) -> str:
    return f"{text(detail, 'freeze')}, until {text(detail, 'until')}; continuing: {text(detail, 'despite')}"


def _undo(detail: Mapping[str, object]) -> str:
    return "; ".join((*texts(detail, "lines"), *texts(detail, "removed"))) or text(detail, "unknown")


def _done(detail: Mapping[str, object]) -> str:
    blamed = mapping(detail, "reasons").items()
    return text(detail, "how") or "; ".join(f"{device}: {why}" if device else str(why) for device, why in blamed)


_PHRASES: Mapping[StepName, str | Callable[[Mapping[str, object]], str]] = {
    StepName.APPROVE: _approved,
    StepName.READ: _read,
    StepName.LOAD: _lines,
    StepName.COMMIT: _commit,
    StepName.QUIET: _quiet,
    StepName.COUNTERS: counters_phrase,
    StepName.PATHS: paths_phrase,
    StepName.REVERT: "why",
    StepName.FREEZE: _freeze,
    StepName.HOOK: "event",
    StepName.UNDO: _undo,
    StepName.FORECAST: "told",
    StepName.DONE: _done,
}
"""Step → key of its detail that is a phrase, or a function that makes one."""
