"""A difference as a review comment: the verdict, one table, what unfolds on request; never longer than a forge takes.

GitHub refuses a comment above 65,536 characters, GitLab a note above 1,000,000. What does not fit is counted and said
with the command that prints it; nothing is cut in the middle.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape

from fabricgen.diff.expect import Unexpected
from fabricgen.diff.model import ClassChange, DefaultsStep, Difference, MeaningClass, TextClass
from fabricgen.diff.report_text import WHOLE, hunk_lines
from fabricgen.diff.words import CAUSES, classes, count, counts, line, named, printable, reach, switches, verdict
from fabricgen.platforms.base.cost import Risk

CHARACTERS = 60_000
"""Below GitHub's 65,536, with room for what a job puts around it."""
MARK = "<!-- fabricgen diff {} -->"
"""First line, with the intent's path: by it a job finds its former comment and replaces it."""
SIGN = {
    Risk.NONE: "⚪",
    Risk.HITLESS: "🟢",
    Risk.SESSION_RESET: "🟡",
    Risk.TRAFFIC_LOSS: "🔴",
    Risk.UNKNOWN: "🔴",
    Risk.RELOAD: "🔴",
}
ROWS = 40  # of the table
LINES = 6  # of one row
LISTED = 60  # moved numbers or cables
PATCH = 120  # lines of one class of text
_MARKUP = re.compile(r"([\\`*_{}\[\]|~#])")
_SIGN = re.compile(r"^([-+])")
"""Behind the dash of a list it opens a list of its own."""


def markdown(
    difference: Difference, intent: str, against: str, more: str = "", strays: tuple[Unexpected, ...] | None = None
) -> str:
    """The comment on an intent compared with something. more: the command that prints all of it.

    strays  what an `expect:` file does not allow; None where there is no such file
    """
    mark = MARK.format(printable(intent).replace("--", "—"))
    head = [
        mark,
        f"### {_safe(f'{intent} against {against}')}",
        "",
        *_notes(difference),
        f"**{_safe(verdict(difference))}**",
    ]
    if difference.is_whole or difference.unread:
        head.append(f"{counts(difference)}.{_moved_words(difference)}")
    head += _expected(strays)
    blocks = ["\n".join(head), *_blocks(difference)]
    tail = f"All details, per switch: `{more}`" if more else ""
    return _fitting(blocks, tail)


def _fitting(blocks: list[str], tail: str) -> str:
    """Whole blocks while they fit, and how many did not."""
    kept: list[str] = []
    room = CHARACTERS - len(tail) - 200
    for block in blocks:
        if len(block) + 2 > room:
            continue
        kept.append(block)
        room -= len(block) + 2
    left = len(blocks) - len(kept)
    if left:
        kept.append(f"_{count(left, 'part is', 'parts are')} left out, as a comment cannot be longer._")
    return "\n\n".join([*kept, *([tail] if tail else [])]) + "\n"


def _notes(difference: Difference) -> Iterator[str]:
    for note in difference.notes:
        yield f"> {_safe(note)}"
        yield ""


def _expected(strays: tuple[Unexpected, ...] | None) -> Iterator[str]:
    if strays is None:
        return
    yield ""
    yield f"❌ **Unexpected changes: {len(strays):,}**" if strays else "✅ Every change is expected."
    for row in strays[:ROWS]:
        where = f" on {_safe(named(row.devices))}" if row.devices else ""
        yield f"- {_safe(row.what)}{where} ({row.risk.words})"
    if len(strays) > ROWS:
        yield f"- and {len(strays) - ROWS:,} more"


def _moved_words(difference: Difference) -> str:
    if difference.moved:
        return f" **Renumbering: {count(len(difference.moved), 'value changes', 'values change')}.**"
    return " Renumbering: none." if not difference.is_live else ""


def _blocks(difference: Difference) -> Iterator[str]:
    """Everything below the head, the most important first."""
    if difference.defaults is not None:
        yield _defaults(difference.defaults)
    if difference.meaning or difference.text:
        yield _table(difference)
    yield from (_text_block(found) for found in difference.text)
    if difference.moved:
        rows = (f"{one.owner}: {one.what} {one.before} → {one.after}" for one in difference.moved)
        yield _listed("Addresses and numbers that change", rows)
    if difference.recabled:
        yield _listed("Cables to be moved by hand", difference.recabled)
    yield from (_details(found) for found in difference.meaning)


def _defaults(step: DefaultsStep) -> str:
    """What another version of the defaults does by itself."""
    head = f"**Defaults: version {step.before} → {step.after}**"
    if not step.changes:
        return f"{head}: no changed default affects this intent."
    rows = [
        f"{head}: the effect of each, included in the changes below:",
        "",
        "| risk | default | switches | why |",
    ]
    rows.append("|---|---|---|---|")
    for row in step.changes:
        key = f"{_safe(named(row.places))}: {_safe(row.before)} → {_safe(row.after)}"
        rows.append(f"| {SIGN[row.risk]} {row.risk.words} | {key} | {len(row.devices):,} | {_safe(row.why)} |")
    return "\n".join(rows)


def _table(difference: Difference) -> str:
    rows = ["| risk | switches | what changes | affects |", "|---|---|---|---|"]
    found = classes(difference)
    rows += [_row(one) for one in found[:ROWS]]
    if len(found) > ROWS:
        rest = found[ROWS:]
        devices = {name for one in rest for name in one.devices}
        rows.append(
            f"| {SIGN[rest[0].risk]} at most {rest[0].risk.words} | {count(len(devices), 'switch', 'switches')} "
            f"| {count(len(rest), 'more class', 'more classes')} | |"
        )
    return "\n".join(rows)


def _row(found: MeaningClass | TextClass) -> str:
    if isinstance(found, MeaningClass):
        who = f"{switches(found)}<br>{_safe(named(found.devices, 4))}"
        lines = [line(one, len(found.devices)) for one in found.lines]
    else:
        who = f"{_whose(found)}<br>{_safe(named(found.devices, 4))}" if found.devices else _whose(found)
        lines = [f"text of {found.artifact}: {CAUSES[found.cause]}", *found.facts]
    shown = [_safe(one) for one in lines[:LINES]]
    if len(lines) > LINES:
        shown.append(f"and {count(len(lines) - LINES, 'more kind', 'more kinds')}")
    reached = reach(found.blast) or "none"
    return f"| {SIGN[found.risk]} {found.risk.words} | {who} | {'<br>'.join(shown)} | {_safe(reached)} |"


def _whose(found: TextClass) -> str:
    return count(len(found.devices), "switch", "switches") if found.devices else "the site"


def _text_block(found: TextClass) -> str:
    rows = [row for hunk in found.hunks for row in hunk_lines(hunk)] or [f"# {WHOLE}"]
    left = len(rows) - PATCH
    body = "\n".join([*rows[:PATCH], *([f"# and {count(left, 'more line', 'more lines')}"] if left > 0 else [])])
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", body)), default=0))
    who = f"{found.artifact} of {_whose(found)}{': ' if found.devices else ''}{named(found.devices)}"
    return f"<details><summary>Text of {_plain(who)}</summary>\n\n{fence}diff\n{body}\n{fence}\n\n</details>"


def _listed(title: str, rows: Iterable[str]) -> str:
    every = [f"- {_safe(row)}" for row in rows]
    shown = every[:LISTED]
    if len(every) > LISTED:
        shown.append(f"- and {len(every) - LISTED:,} more")
    return "\n".join([f"<details><summary>{title}: {len(every):,}</summary>", "", *shown, "", "</details>"])


def _details(found: MeaningClass) -> str:
    """Which switches a class has, and why each line costs what it costs."""
    rows = [f"<details><summary>{switches(found)}, {found.risk.words}: sources</summary>", ""]
    rows.append(_safe(named(found.devices, 200)))
    rows.append("")
    for one in found.lines:
        told = _SIGN.sub(r"\\\1", _safe(line(one, len(found.devices))))
        rows.append(f"- {told}: {_safe(_costs(one))}")
    return "\n".join([*rows, "", "</details>"])


def _costs(found: ClassChange) -> str:
    return f"{found.risk.words}; source: {found.source}" if found.source else found.risk.words


def _safe(text: str) -> str:
    """Text in which nothing is markup, a mention or a second line."""
    return _MARKUP.sub(r"\\\1", _plain(text))


def _plain(text: str) -> str:
    """Text inside HTML, in which a forge reads no markup: nothing is a tag, an entity, a mention or a second line."""
    return escape(printable(text), quote=False).replace("@", "@\u200b")
