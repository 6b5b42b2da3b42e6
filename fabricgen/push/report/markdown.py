"""A push for a change ticket: how it ended, one table a wave, and what unfolds: what changed, and every event.

Never longer than GitHub takes (65,536 characters). What does not fit is counted and said with the command that prints
it; nothing is cut in the middle, and what went wrong comes before what went well.
"""

import re
from collections.abc import Container, Iterable, Iterator
from html import escape
from typing import NamedTuple

from fabricgen.diff.words import count, named, printable
from fabricgen.push.model import RunOutcome
from fabricgen.push.report.counters import Lack, counters_rows, counters_words, lacks, lacks_rows
from fabricgen.push.report.hands import hands_words
from fabricgen.push.report.model import Report, SwitchOutcome, SwitchResult, WaveResult
from fabricgen.push.report.paths import paths_rows, paths_words
from fabricgen.push.report.steps import REST_OF_WAVE, check_words, new_rows, new_words
from fabricgen.push.report.words import (
    common_words,
    counts,
    cut,
    ends,
    ends_of,
    event_line,
    forecast,
    go_on,
    lines,
    moment,
    need,
    resumed,
    seconds,
    steps,
    title,
    to_do,
    unsettled,
    verdict,
    waits,
    wave_words,
    when,
    whole,
)

CHARACTERS = 60_000
"""Below GitHub's 65,536, with room for what a job puts around it."""
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
MANY, FEW = 100, 10  # of so many switches a wave that went well has few rows
LISTED = 60  # switches that went wrong, or findings
PATCH = 120  # lines of one difference
EVENTS = 100  # of one block
LONGEST = 300  # characters of one value
COMMAND = 9_000  # of a command, with the longest paths there are
_GOOD = (SwitchOutcome.DONE, SwitchOutcome.AT_ARTIFACT)
_MARKUP = re.compile(r"([\\`*_{}\[\]|~#])")


class _Block(NamedTuple):
    """One part of the ticket. weight: the least is left out last."""

    weight: int
    text: str


def markdown(report: Report, more: str = "") -> str:
    """The text of the ticket. more: the command that prints all of it."""
    tail = f"Everything: {_code(more)}" if more else ""
    return _fitting([_Block(_HEAD, _head(report)), *_blocks(report)], tail)


def _fitting(blocks: list[_Block], tail: str) -> str:
    """Whole blocks in their order while they fit, those of little weight first, and how many did not."""
    kept: list[int] = []
    room = CHARACTERS - len(tail) - 200
    for number in sorted(range(len(blocks)), key=lambda number: blocks[number].weight):
        if len(blocks[number].text) + 2 <= room:
            kept.append(number)
            room -= len(blocks[number].text) + 2
    texts = [blocks[number].text for number in sorted(kept)]
    left = len(blocks) - len(kept)
    if left:
        texts.append(f"_{count(left, 'part is', 'parts are')} left out, as a comment cannot be longer._")
    return "\n\n".join([*texts, *([tail] if tail else [])]) + "\n"


def _head(report: Report) -> str:
    rows = [
        f"### {_safe(title(report))}",
        "",
        f"{OUTCOMES[report.outcome]} **{_safe(verdict(report))}**",
        "",
        f"- {_safe(counts(report))}",
        f"- {_safe(when(report))}",
        *(f"- {_safe(row)}" for row in resumed(report)),
        *(f"- {_safe(row)}" for row in forecast(report)),
        f"- {_safe(whole(report))}",
    ]
    rows += [f"- {_safe(row)}" for row in waits(report)]
    if report.resume:
        rows.append(f"- {go_on(report)} {_code(cut(report.resume, COMMAND))}")
    return "\n".join(rows)


def _blocks(report: Report) -> Iterator[_Block]:
    """Everything below the head, the most important first."""
    wrong = [switch for switch in report.switches if switch.end not in _GOOD and switch.reason]
    same = lacks(wave.counters for wave in report.waves)
    hands = [*hands_words(report.hands)]
    asked = [f"{number}. {_safe(row)}" for number, row in enumerate([*to_do(report)][len(hands) :], 1)]
    if asked:
        yield _Block(_HEAD, "\n".join(["**What to do, in this order**", "", *asked]))
    told = {
        "Typed by hand while commits waited": hands,
        "Why it ended so": report.reasons,
        "Not as it should be": [f"{one.device}, {one.end.value}: {one.reason}" for one in wrong],
        "Found by the last check of the fabric and not before": [*new_rows(report.checks, details=False)],
        "Not counted against the push, and why": [*unsettled(report.checks)],
        "Counters that no wave could compare": [*lacks_rows(same)],
    }
    yield from (_Block(_HEAD, _listed(heading, rows)) for heading, rows in told.items() if rows)
    if len(report.waves) > 1:
        yield _Block(_HEAD, _overview(report.waves))
    most = ROWS if len(report.switches) <= MANY else FEW
    for wave in report.waves:
        is_good = all(switch.end in _GOOD for switch in wave.switches)
        yield _Block(_GOOD_WAVE if is_good else _WAVE, _table(wave, most if is_good else ROWS, same))
    for block in _differences(report.switches):
        yield _Block(_CHANGE, block)
    events = [event_line(event) for event in report.events]
    for first in range(0, len(events), EVENTS):
        which = f"Events {first + 1:,} to {min(first + EVENTS, len(events)):,} of {len(events):,} (UTC)"
        yield _Block(_EVENTS, _details(which, [f"- {_safe(row)}" for row in events[first : first + EVENTS]]))


_HEAD, _WAVE, _GOOD_WAVE, _CHANGE, _EVENTS = range(5)


def _listed(heading: str, rows: Iterable[str]) -> str:
    every = list(rows)
    shown = [f"- {_safe(row)}" for row in every[:LISTED]]
    if len(every) > LISTED:
        shown.append(f"- and {len(every) - LISTED:,} more")
    return "\n".join([f"**{heading}: {len(every):,}**", "", *shown])


def _overview(waves: tuple[WaveResult, ...]) -> str:
    rows = ["| wave | how they ended | from | took |", "|---|---|---|---|"]
    for wave in waves[:ROWS]:
        ended = f"{SIGNS[_worst(wave.switches)]} {ends(ends_of(wave))}" if wave.switches else ""
        rows.append(_row(_safe(wave_words(wave)), ended, moment(wave.started), seconds(wave.seconds)))
    if len(waves) > ROWS:
        rest = waves[ROWS:]
        switches = tuple(switch for wave in rest for switch in wave.switches)
        which = f"{count(len(rest), 'more wave', 'more waves')}: {count(len(switches), 'switch', 'switches')}"
        rows.append(_row(which, f"{SIGNS[_worst(switches)]} {_ends(switches)}", "", ""))
    return "\n".join(rows)


def _table(wave: WaveResult, most: int, lacking: Container[Lack]) -> str:
    """lacking: what is not compared in any wave, and told already."""
    same = common_words(wave)
    is_wrong = any(switch.checks.after and switch.checks.after.findings for switch in wave.switches)
    same = same or (f"failed checks that are not new were {REST_OF_WAVE}" if is_wrong else "")
    checks = f"\n\nChecks: {_safe(same)}" if same else ""
    if wave.counters is not None:
        told = [counters_words(wave.counters), *counters_rows(wave.counters, lacking)]
        checks += "\n\n" + "\n".join([f"Counters: {_safe(told[0])}", *(f"- {_safe(row)}" for row in told[1:LISTED])])
    if wave.paths is not None:
        rows = [paths_words(wave.paths), *paths_rows(wave.paths)]
        checks += "\n\n" + "\n".join([f"Paths: {_safe(rows[0])}", *(f"- {_safe(row)}" for row in rows[1:LISTED])])
    rows = [
        "| switch | ended | how, and why | lines | checks before | checks after | steps |",
        "|---|---|---|---:|---|---|---|",
    ]
    # What went well is what a reader misses least.
    switches = sorted(wave.switches, key=lambda one: one.end in _GOOD)
    rows += [_switch(switch) for switch in switches[:most]]
    if len(switches) > most:
        rest = switches[most:]
        names = cut(named([one.device for one in rest]), LONGEST)
        rows.append(_row(f"{len(rest):,} more: {_safe(names)}", f"{SIGNS[_worst(rest)]} {_ends(rest)}", *[""] * 5))
    return f"**{_safe(wave_words(wave))}**{checks}\n\n" + "\n".join(rows)


def _switch(switch: SwitchResult) -> str:
    how = [need(switch), switch.why, f"risk: {switch.risk}" if switch.risk else ""]
    ended = f"{SIGNS[switch.end]} {switch.end.value}" + (f"<br>{moment(switch.changed)}" if switch.changed else "")
    took = [seconds(switch.seconds)] if switch.seconds is not None else []
    return _row(
        _safe(switch.device),
        ended,
        "<br>".join(_safe(part) for part in how if part),
        lines(switch),
        check_words(switch.checks.before),
        "<br>".join([check_words(switch.checks.after), *([new_words(switch.checks)] if switch.checks.new else [])]),
        "<br>".join(_safe(part) for part in [*took, steps(switch)] if part),
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _ends(switches: Iterable[SwitchResult]) -> str:
    every = [switch.end for switch in switches]
    return ends({end: every.count(end) for end in SwitchOutcome if end in every})


def _worst(switches: Iterable[SwitchResult]) -> SwitchOutcome:
    found = {switch.end for switch in switches}
    return next(end for end in _BY_WEIGHT if end in found)


_BY_WEIGHT = (
    SwitchOutcome.FAILED,
    SwitchOutcome.OPEN,
    SwitchOutcome.REVERTED,
    SwitchOutcome.NOT_REACHED,
    SwitchOutcome.DONE,
    SwitchOutcome.AT_ARTIFACT,
)


def _differences(switches: Iterable[SwitchResult]) -> Iterator[str]:
    """What changed, once for all switches on which the same lines do."""
    by_text: dict[str, list[str]] = {}
    for switch in switches:
        if switch.difference:
            by_text.setdefault(switch.difference, []).append(switch.device)
    for difference, devices in by_text.items():
        rows = [printable(row) for row in difference.splitlines()]
        left = len(rows) - PATCH
        body = "\n".join([*rows[:PATCH], *([f"# and {count(left, 'more line', 'more lines')}"] if left > 0 else [])])
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", body)), default=0))
        which = f"What was to change on {cut(named(devices), LONGEST)}"
        yield _details(which, [f"{fence}diff", body, fence])


def _details(summary: str, rows: Iterable[str]) -> str:
    return "\n".join([f"<details><summary>{_plain(summary)}</summary>", "", *rows, "", "</details>"])


def _code(text: str) -> str:
    """A command that can be copied. A backtick inside of it takes a longer fence; a pipe is none outside of a table."""
    clean = printable(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", clean)), default=0))
    pad = " " if "`" in clean else ""
    return f"{fence}{pad}{clean}{pad}{fence}"


def _safe(text: str) -> str:
    """Text in which nothing is markup, a mention or a second line, and nothing too long."""
    return _MARKUP.sub(r"\\\1", _plain(cut(text, LONGEST)))


def _plain(text: str) -> str:
    """Text inside HTML, in which a forge reads no markup: nothing is a tag, an entity, a mention or a second line."""
    return escape(printable(text), quote=False).replace("@", "@\u200b")
