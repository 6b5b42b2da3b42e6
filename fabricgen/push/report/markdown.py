"""A push as Markdown for a change ticket: its outcome, one table per wave, and folded: the changes, and every event.

Never longer than GitHub allows (65,536 characters). What does not fit is counted, with the command that prints it.
Nothing is cut in the middle, and failures come before successes.
"""

import re
from collections.abc import Container, Iterable, Iterator
from html import escape
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.diff.words import count, named, printable
from fabricgen.push.model import RunOutcome
from fabricgen.push.report import words
from fabricgen.push.report.counters import Lack, counters_rows, counters_words, lacks, lacks_rows
from fabricgen.push.report.hands import hands_words
from fabricgen.push.report.model import Report, SwitchOutcome, SwitchResult, WaveResult
from fabricgen.push.report.paths import paths_rows, paths_words
from fabricgen.push.report.steps import REST_OF_WAVE, check_words, new_rows, new_words

CHARACTERS = 60_000
"""Below GitHub's 65,536, with room for what a job adds around it."""
SIGNS = {
    SwitchOutcome.DONE: "🟢",
    SwitchOutcome.AT_ARTIFACT: "⚪",
    SwitchOutcome.REVERTED: "🟡",
    SwitchOutcome.FAILED: "🔴",
    SwitchOutcome.OPEN: "🟠",
    SwitchOutcome.NOT_REACHED: "⚪",
}
OUTCOMES = {
    RunOutcome.DONE: "✅",
    RunOutcome.STOPPED: "⏹️",
    RunOutcome.FAILED: "❌",
    RunOutcome.ABANDONED: "⏹️",
    None: "⏳",
}
ROWS = 40  # of one table
MANY, FEW = 100, 10  # above so many switches, a successful wave has few rows
LISTED = 60  # failed switches, or findings
PATCH = 120  # lines of one difference
EVENTS = 100  # of one block
LONGEST = 300  # characters of one value
COMMAND = 9_000  # of a command, with the longest possible paths
_GOOD = (SwitchOutcome.DONE, SwitchOutcome.AT_ARTIFACT)
_MARKUP = re.compile(r"([\\`*_{}\[\]|~#])")


class _Block(NamedTuple):
    """One part of the ticket. weight: parts with the highest weight are left out first."""

    weight: int
    text: str


def markdown(report: Report, more: str = "") -> str:
    """The text of the ticket. more: the command that prints all of it."""
    tail = f"Everything: {_code(more)}" if more else ""
    return _fitting([_Block(_HEAD, _head(report)), *_blocks(report)], tail)


def _fitting(blocks: list[_Block], tail: str) -> str:
    """Whole blocks in their order, as many as fit, lowest weight first, and the number of the others."""
    kept: list[int] = []
    # 200: room for the sentence about the parts that are left out.
    room = CHARACTERS - len(tail) - 200
    for number in sorted(range(len(blocks)), key=lambda number: blocks[number].weight):
        if len(blocks[number].text) + 2 <= room:
            kept.append(number)
            room -= len(blocks[number].text) + 2
    texts = [blocks[number].text for number in sorted(kept)]
    left_out = len(blocks) - len(kept)
    if left_out:
        texts.append(f"_{count(left_out, 'part is', 'parts are')} omitted, because of the length limit of a comment._")
    return "\n\n".join([*texts, *([tail] if tail else [])]) + "\n"


def _head(report: Report) -> str:
    rows = [
        f"### {_safe(words.title(report))}",
        "",
        f"{OUTCOMES[report.outcome]} **{_safe(words.verdict(report))}**",
        "",
        f"- {_safe(words.counts(report))}",
        f"- {_safe(words.when(report))}",
        *(f"- {_safe(row)}" for row in words.resumed(report)),
        *(f"- {_safe(row)}" for row in words.forecast(report)),
        f"- {_safe(words.whole(report))}",
    ]
    rows += [f"- {_safe(row)}" for row in words.waits(report)]
    if report.resume:
        rows.append(f"- {words.go_on(report)} {_code(words.cut(report.resume, COMMAND))}")
    return "\n".join(rows)


def _blocks(report: Report) -> Iterator[_Block]:
    """Everything below the head, most important first."""
    failed = [switch for switch in report.switches if switch.end not in _GOOD and switch.reason]
    not_compared = lacks(wave.counters for wave in report.waves)
    hands = [*hands_words(report.hands)]
    to_do_rows = [f"{number}. {_safe(row)}" for number, row in enumerate([*words.to_do(report)][len(hands) :], 1)]
    if to_do_rows:
        yield _Block(_HEAD, "\n".join(["**What to do, in this order**", "", *to_do_rows]))
    lists = {
        "Manual changes while commits waited": hands,
        "Reason": report.reasons,
        "Not as intended": [f"{failure.device}, {failure.end.value}: {failure.reason}" for failure in failed],
        "New findings of the last check of the fabric": [*new_rows(report.checks, details=False)],
        "Not counted against the push, and why": [*words.unsettled(report.checks)],
        "Counters that no wave could compare": [*lacks_rows(not_compared)],
    }
    yield from (_Block(_HEAD, _listed(heading, rows)) for heading, rows in lists.items() if rows)
    if len(report.waves) > 1:
        yield _Block(_HEAD, _overview(report.waves))
    max_rows = ROWS if len(report.switches) <= MANY else FEW
    for wave in report.waves:
        is_good = all(switch.end in _GOOD for switch in wave.switches)
        yield _Block(_GOOD_WAVE if is_good else _WAVE, _table(wave, max_rows if is_good else ROWS, not_compared))
    for block in _differences(report.switches):
        yield _Block(_CHANGE, block)
    events = [words.event_line(event) for event in report.events]
    for first in range(0, len(events), EVENTS):
        title_text = f"Events {first + 1:,} to {min(first + EVENTS, len(events)):,} of {len(events):,} (UTC)"
        yield _Block(_EVENTS, _details(title_text, [f"- {_safe(row)}" for row in events[first : first + EVENTS]]))


_HEAD, _WAVE, _GOOD_WAVE, _CHANGE, _EVENTS = range(5)


def _listed(heading: str, rows: Iterable[str]) -> str:
    all_rows = list(rows)
    shown = [f"- {_safe(row)}" for row in all_rows[:LISTED]]
    if len(all_rows) > LISTED:
        shown.append(f"- and {len(all_rows) - LISTED:,} more")
    return "\n".join([f"**{heading}: {len(all_rows):,}**", "", *shown])


def _overview(waves: tuple[WaveResult, ...]) -> str:
    rows = ["| wave | how they ended | from | took |", "|---|---|---|---|"]
    for wave in waves[:ROWS]:
        ended = f"{SIGNS[_worst(wave.switches)]} {words.ends(wave.switches)}" if wave.switches else ""
        rows.append(_row(_safe(words.wave_words(wave)), ended, words.moment(wave.started), words.seconds(wave.seconds)))
    if len(waves) > ROWS:
        other_waves = waves[ROWS:]
        switches = tuple(switch for wave in other_waves for switch in wave.switches)
        label = f"{count(len(other_waves), 'more wave', 'more waves')}: {count(len(switches), 'switch', 'switches')}"
        rows.append(_row(label, f"{SIGNS[_worst(switches)]} {words.ends(switches)}", "", ""))
    return "\n".join(rows)


def _table(wave: WaveResult, max_rows: int, lacking: Container[Lack]) -> str:
    """The table of a wave. lacking: what no wave compares, reported already."""
    shared = words.common_words(wave)
    is_wrong = any(switch.checks.after and switch.checks.after.findings for switch in wave.switches)
    shared = shared or (f"failed checks that are not new were {REST_OF_WAVE}" if is_wrong else "")
    checks = f"\n\nChecks: {_safe(shared)}" if shared else ""
    if wave.counters is not None:
        texts = [counters_words(wave.counters), *counters_rows(wave.counters, lacking)]
        checks += "\n\n" + "\n".join([f"Counters: {_safe(texts[0])}", *(f"- {_safe(row)}" for row in texts[1:LISTED])])
    if wave.paths is not None:
        rows = [paths_words(wave.paths), *paths_rows(wave.paths)]
        checks += "\n\n" + "\n".join([f"Paths: {_safe(rows[0])}", *(f"- {_safe(row)}" for row in rows[1:LISTED])])
    rows = [
        "| switch | ended | how, and why | lines | checks before | checks after | steps |",
        "|---|---|---|---:|---|---|---|",
    ]
    # Successful switches are the ones to leave out first.
    switches = sorted(wave.switches, key=lambda item: item.end in _GOOD)
    rows += [_switch(switch) for switch in switches[:max_rows]]
    if len(switches) > max_rows:
        others = switches[max_rows:]
        names = words.cut(named([item.device for item in others]), LONGEST)
        rows.append(
            _row(f"{len(others):,} more: {_safe(names)}", f"{SIGNS[_worst(others)]} {words.ends(others)}", *[""] * 5)
        )
    return f"**{_safe(words.wave_words(wave))}**{checks}\n\n" + "\n".join(rows)


def _switch(switch: SwitchResult) -> str:
    how = [words.need(switch), switch.why, f"risk: {switch.risk}" if switch.risk else ""]
    ended = f"{SIGNS[switch.end]} {switch.end.value}" + (
        f"<br>{words.moment(switch.changed)}" if switch.changed else ""
    )
    duration_parts = [words.seconds(switch.seconds)] if switch.seconds is not None else []
    return _row(
        _safe(switch.device),
        ended,
        "<br>".join(_safe(part) for part in how if part),
        words.lines(switch),
        check_words(switch.checks.before),
        "<br>".join([check_words(switch.checks.after), *([new_words(switch.checks)] if switch.checks.new else [])]),
        "<br>".join(_safe(part) for part in [*duration_parts, words.steps(switch)] if part),
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _worst(switches: Iterable[SwitchResult]) -> SwitchOutcome:
    outcomes = {switch.end for switch in switches}
    return next(end for end in _BY_WEIGHT if end in outcomes)


_BY_WEIGHT = (
    SwitchOutcome.FAILED,
    SwitchOutcome.OPEN,
    SwitchOutcome.REVERTED,
    SwitchOutcome.NOT_REACHED,
    SwitchOutcome.DONE,
    SwitchOutcome.AT_ARTIFACT,
)


def _differences(switches: Iterable[SwitchResult]) -> Iterator[str]:
    """Each difference once, with all switches that have it."""
    by_text = grouped((switch.difference, switch.device) for switch in switches if switch.difference)
    for difference, devices in by_text.items():
        rows = [printable(row) for row in difference.splitlines()]
        lines_left = len(rows) - PATCH
        body = "\n".join(
            [*rows[:PATCH], *([f"# and {count(lines_left, 'more line', 'more lines')}"] if lines_left > 0 else [])]
        )
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", body)), default=0))
        summary = f"What was to change on {words.cut(named(devices), LONGEST)}"
        yield _details(summary, [f"{fence}diff", body, fence])


def _details(summary: str, rows: Iterable[str]) -> str:
    return "\n".join([f"<details><summary>{_plain(summary)}</summary>", "", *rows, "", "</details>"])


def _code(text: str) -> str:
    """A command that can be copied. A backtick inside it needs a longer fence; a pipe is safe outside of a table."""
    clean = printable(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", clean)), default=0))
    pad = " " if "`" in clean else ""
    return f"{fence}{pad}{clean}{pad}{fence}"


def _safe(text: str) -> str:
    """Text without markup, mentions or line breaks, cut to LONGEST."""
    return _MARKUP.sub(r"\\\1", _plain(words.cut(text, LONGEST)))


def _plain(text: str) -> str:
    """Text inside HTML, in which GitHub reads no markup: no tag, entity, mention or line break."""
    # The zero-width space keeps GitHub from reading a mention.
    return escape(printable(text), quote=False).replace("@", "@\u200b")
