"""A difference as a review comment: the verdict, one table, and details that unfold; within the forge's size limit.

GitHub refuses a comment above 65,536 characters, GitLab a note above 1,000,000. The blocks that do not fit are counted,
and the command that prints everything is named. No block is cut.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape

from fabricgen.diff.expect import Unexpected
from fabricgen.diff.model import ClassChange, DefaultsStep, Difference, MeaningClass, TextClass
from fabricgen.diff.report_text import hunk_lines, one_sided
from fabricgen.diff.words import (
    CAUSES,
    classes,
    count,
    counts,
    line,
    named,
    not_rendered,
    printable,
    reach,
    rendered_lines,
    switches,
    verdict,
)
from fabricgen.platforms.base.cost import Risk

CHARACTERS = 60_000
"""Below GitHub's 65,536, with room for text that a job adds."""
MARK = "<!-- fabricgen diff {} -->"
"""First line, with the intent's path: a job finds its former comment by it and replaces that."""
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
"""A sign that would start a nested list after the dash of a list item."""


def markdown(
    difference: Difference, intent: str, against: str, more: str = "", strays: tuple[Unexpected, ...] | None = None
) -> str:
    """The comment on an intent compared with something. more: the command that prints all of it.

    strays  what an `expect:` file does not allow; None without such a file
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
    """Blocks as long as they fit, and the number of the others."""
    kept: list[str] = []
    remaining = CHARACTERS - len(tail) - 200
    for block in blocks:
        if len(block) + 2 > remaining:
            continue
        kept.append(block)
        remaining -= len(block) + 2
    omitted = len(blocks) - len(kept)
    if omitted:
        kept.append(f"_{count(omitted, 'part is', 'parts are')} omitted, because of the length limit of a comment._")
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
    yield from (_text_block(each_class) for each_class in difference.text)
    if difference.moved:
        rows = (f"{value.owner}: {value.what} {value.before} → {value.after}" for value in difference.moved)
        yield _listed("Addresses and numbers that change", rows)
    if difference.recabled:
        yield _listed("Cables to move", difference.recabled)
    yield from (_details(each_class) for each_class in difference.meaning)


def _defaults(step: DefaultsStep) -> str:
    """What another version of the defaults changes by itself."""
    head = f"**Defaults: version {step.before} → {step.after}**"
    if not step.changes:
        return f"{head}: no changed default affects this intent."
    rows = [
        f"{head}. These defaults change (the changes below include their effects):",
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
    all_classes = classes(difference)
    rows += [_row(each_class) for each_class in all_classes[:ROWS]]
    if len(all_classes) > ROWS:
        others = all_classes[ROWS:]
        devices = {name for each_class in others for name in each_class.devices}
        rows.append(
            f"| {SIGN[others[0].risk]} at most {others[0].risk.words} | {count(len(devices), 'switch', 'switches')} "
            f"| {count(len(others), 'more class', 'more classes')} | |"
        )
    return "\n".join(rows)


def _row(each_class: MeaningClass | TextClass) -> str:
    if isinstance(each_class, MeaningClass):
        who = f"{switches(each_class)}<br>{_safe(named(each_class.devices, 4))}"
        lines = [line(item, len(each_class.devices)) for item in rendered_lines(each_class)]
        unseen = not_rendered(each_class)
    else:
        who = (
            f"{_whose(each_class)}<br>{_safe(named(each_class.devices, 4))}"
            if each_class.devices
            else _whose(each_class)
        )
        lines = [f"text of {each_class.artifact}: {CAUSES[each_class.cause]}", *each_class.kinds]
        unseen = ""
    shown = [_safe(item) for item in lines[:LINES]]
    if len(lines) > LINES:
        shown.append(f"and {count(len(lines) - LINES, 'more kind', 'more kinds')}")
    shown += [unseen] if unseen else []
    reached = reach(each_class.blast) or "none"
    return f"| {SIGN[each_class.risk]} {each_class.risk.words} | {who} | {'<br>'.join(shown)} | {_safe(reached)} |"


def _whose(text_class: TextClass) -> str:
    return count(len(text_class.devices), "switch", "switches") if text_class.devices else "the site"


def _text_block(text: TextClass) -> str:
    rows = [row for hunk in text.hunks for row in hunk_lines(hunk)] or [f"# {one_sided(text.cause)}"]
    omitted = len(rows) - PATCH
    body = "\n".join([*rows[:PATCH], *([f"# and {count(omitted, 'more line', 'more lines')}"] if omitted > 0 else [])])
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", body)), default=0))
    who = f"{text.artifact} of {_whose(text)}{': ' if text.devices else ''}{named(text.devices)}"
    return f"<details><summary>Text of {_plain(who)}</summary>\n\n{fence}diff\n{body}\n{fence}\n\n</details>"


def _listed(title: str, rows: Iterable[str]) -> str:
    all_rows = [f"- {_safe(row)}" for row in rows]
    shown = all_rows[:LISTED]
    if len(all_rows) > LISTED:
        shown.append(f"- and {len(all_rows) - LISTED:,} more")
    return "\n".join([f"<details><summary>{title}: {len(all_rows):,}</summary>", "", *shown, "", "</details>"])


def _details(meaning_class: MeaningClass) -> str:
    """The switches of a class, and the source of each risk."""
    rows = [f"<details><summary>{switches(meaning_class)}, {meaning_class.risk.words}: sources</summary>", ""]
    rows.append(_safe(named(meaning_class.devices, 200)))
    rows.append("")
    for class_change in meaning_class.lines:
        text = _SIGN.sub(r"\\\1", _safe(line(class_change, len(meaning_class.devices))))
        rows.append(f"- {text}: {_safe(_costs(class_change))}")
    return "\n".join([*rows, "", "</details>"])


def _costs(row: ClassChange) -> str:
    return f"{row.risk.words}; source: {row.source}" if row.source else row.risk.words


def _safe(text: str) -> str:
    """Text without markup, mentions and line ends."""
    return _MARKUP.sub(r"\\\1", _plain(text))


def _plain(text: str) -> str:
    """Text inside HTML, where a forge reads no Markdown: without tags, entities, mentions and line ends."""
    return escape(printable(text), quote=False).replace("@", "@\u200b")
