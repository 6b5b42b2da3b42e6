"""A push for a terminal: its outcome, what to do if it failed, then wave by wave and switch by switch.

Every event is printed on request. The command that continues a run is last, where a person at a terminal looks first.
"""

from collections.abc import Container, Iterator

from fabricgen.diff.words import printable
from fabricgen.push.report import words
from fabricgen.push.report.counters import Lack, counters_rows, counters_words, lacks, lacks_rows
from fabricgen.push.report.model import Report, SwitchOutcome, SwitchResult, WaveResult
from fabricgen.push.report.paths import paths_rows, paths_words
from fabricgen.push.report.steps import BeforeAfter, new_rows


def text(report: Report, *, details: bool = False) -> Iterator[str]:
    """Lines of the report, safe for a terminal. details: also every event, and the changed lines."""
    for row in _rows(report, details=details):
        yield printable(row)


def _rows(report: Report, *, details: bool) -> Iterator[str]:
    yield f"{words.title(report)}: {words.verdict(report)}"
    yield from (f"  {number}. {row}" for number, row in enumerate(words.to_do(report), 1))
    yield f"  {words.when(report)}"
    yield from (f"  {row}" for row in words.resumed(report))
    yield from (f"  {row}" for row in words.forecast(report))
    yield f"  {words.counts(report)}"
    yield f"  {words.whole(report)}"
    yield from (
        f"    {check_row}" for check_row in (*new_rows(report.checks, details=details), *words.unsettled(report.checks))
    )
    yield from (f"  {reason}" for reason in report.reasons)
    not_compared = lacks(wave.counters for wave in report.waves)
    yield from (f"  counters {row}" for row in lacks_rows(not_compared))
    for wave in report.waves:
        yield ""
        yield from _wave(wave, not_compared, details=details)
    if details and report.events:
        yield ""
        yield "Events"
        yield from (f"  {words.event_line(event)}" for event in report.events)
    if report.resume:
        yield ""
        yield from (f"{row}." for row in words.waits(report))
        yield f"{words.go_on(report)}: {report.resume}"


def _wave(wave: WaveResult, lacking: Container[Lack], *, details: bool) -> Iterator[str]:
    """The lines of a wave. lacking: what no wave compares, reported already."""
    time_text = f"; from {words.moment(wave.started)}, {words.seconds(wave.seconds)}" if wave.started else ""
    yield f"{words.wave_words(wave)}: {words.ends(wave.switches)}{time_text}"
    common_checks, checks = words.common(wave), words.common_words(wave)
    if common_checks is not None and checks:
        yield f"  checks: {checks}"
        yield from _new(common_checks, details=details)
    if any(_is_bad(switch) for switch in wave.switches):
        unsettled_rows = (row for judged_switch in wave.switches for row in words.unsettled(judged_switch.checks))
        yield from (f"    {row}" for row in dict.fromkeys(unsettled_rows))
    if wave.counters is not None:
        yield f"  counters: {counters_words(wave.counters)}"
        yield from (f"    {row}" for row in counters_rows(wave.counters, lacking))
    if wave.paths is not None:
        yield f"  paths: {paths_words(wave.paths)}"
        yield from (f"    {row}" for row in paths_rows(wave.paths))
    for switch in wave.switches:
        yield from _switch(switch, has_checks=not checks, details=details)


def _switch(switch: SwitchResult, *, has_checks: bool, details: bool) -> Iterator[str]:
    time = f", {words.seconds(switch.seconds)}" if switch.seconds is not None else ""
    changed = f", changed {words.moment(switch.changed)}" if switch.changed else ""
    yield f"  {switch.device}: {switch.end.value.upper() if _is_bad(switch) else switch.end.value}{changed}{time}"
    if switch.reason:
        yield f"    {switch.reason}"
    risk = f"; risk: {switch.risk}" if switch.risk else ""
    reason_text = f" ({switch.why})" if switch.why else ""
    yield f"    {words.need(switch)}{reason_text}{risk}; lines: {words.lines(switch)}"
    if switch.steps:
        yield f"    {words.steps(switch)}"
    if has_checks and words.checked(switch):
        yield f"    checks: {words.checked(switch)}"
    if has_checks:
        yield from _new(switch.checks, details=details)
    if details:
        yield from (f"      {row}" for row in switch.difference.splitlines())


def _new(judged: BeforeAfter, *, details: bool) -> Iterator[str]:
    """What is new, with its consequences indented."""
    yield from (f"    {row if row.startswith(' ') else f'new: {row}'}" for row in new_rows(judged, details=details))


def _is_bad(switch: SwitchResult) -> bool:
    return switch.end in (SwitchOutcome.FAILED, SwitchOutcome.REVERTED, SwitchOutcome.OPEN)
