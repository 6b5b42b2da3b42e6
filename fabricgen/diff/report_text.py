"""A difference for a terminal: the most important first, then class by class, the highest risk first."""

from collections.abc import Iterator

from fabricgen.base.text import natural
from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.model import Difference, Hunk, MeaningClass, TextCause, TextClass
from fabricgen.diff.words import (
    CAUSES,
    YES,
    classes,
    count,
    counts,
    line,
    named,
    new_and_removed,
    not_rendered,
    printable,
    reach,
    reaches,
    rendered_lines,
    sign,
    switches,
    verdict,
    what,
)

MOST_LINES = 14
"""Limit on the lines of one class without details."""
WHOLE = "the file exists on one side only"
MOST_ROWS = 40
"""Limit on the moved numbers, cables and hunks listed without details."""


def one_sided(cause: TextCause) -> str:
    """Return which side lacks a file, where that is known: files of the new side are rendered, never deleted."""
    return "the file is missing on the side of --against" if cause is TextCause.HAND else WHOLE


def text(difference: Difference, *, details: bool = False) -> Iterator[str]:
    """Lines of the report. details: every change and every hunk of every switch."""
    yield from (printable(note) for note in difference.notes)
    yield verdict(difference)
    if difference.is_whole or difference.unread:
        yield counts(difference)
    yield from _used_again(difference)
    yield from defaults_lines(difference)
    for each_class in classes(difference):
        yield ""
        if isinstance(each_class, MeaningClass):
            yield from _meaning(each_class, details=details)
        else:
            yield from _text(each_class, details=details)
    yield from _moved(difference, details=details)
    yield from _recabled(difference, details=details)
    if details:
        for system in sorted({each_class.system for each_class in difference.meaning}):
            yield ""
            yield f"Short names of sources: see templates/{system}/NOTES.md."
    for device, hunks in sorted(difference.hunks.items()):
        yield ""
        yield f"{device}, as text"
        yield from (f"  {row}" for hunk in hunks for row in hunk_lines(hunk))


def defaults_lines(difference: Difference) -> Iterator[str]:
    """What another version of the defaults changes by itself, default by default."""
    step = difference.defaults
    if step is None:
        return
    yield ""
    if not step.changes:
        yield f"Defaults: version {step.before} → {step.after}; no changed default affects this intent"
        return
    yield (
        f"Defaults: version {step.before} → {step.after}. These defaults change "
        "(the changes below include their effects):"
    )
    for row in step.changes:
        where = count(len(row.devices), "switch", "switches") if row.devices else "no switch affected"
        yield printable(f"  {row.risk.words.upper()}  {', '.join(row.places)}: {row.before} → {row.after} ({where})")
        yield printable(f"    {row.why}")


def _used_again(difference: Difference) -> Iterator[str]:
    """The names that a removed and a new switch have."""
    new, removed = new_and_removed(difference)
    names = sorted(new & removed, key=natural)
    if names:
        yield f"Both removed and new, at another position with the same name: {named(names)}"


def _meaning(meaning_class: MeaningClass, *, details: bool) -> Iterator[str]:
    names = ", ".join(meaning_class.devices) if details else named(meaning_class.devices)
    yield f"{meaning_class.risk.words.upper()}  {switches(meaning_class)}: {names}"
    rows = meaning_class.lines if details else rendered_lines(meaning_class)
    limit = len(rows) if details else MOST_LINES
    for class_change in rows[:limit]:
        cost = f"  [{class_change.risk.words}; source: {class_change.source}]" if details else ""
        yield f"  {line(class_change, len(meaning_class.devices))}{cost}"
    if len(rows) > limit:
        more = count(len(rows) - limit, "more kind", "more kinds")
        yield f"  and {more} of change, none with a higher risk (-v lists all)"
    unseen = not_rendered(meaning_class)
    if unseen and not details:
        yield f"  {unseen}"
    reached = reach(meaning_class.blast)
    if reached:
        yield f"  {reaches(meaning_class)} {reached}"
    if details:
        for device in meaning_class.devices:
            yield from (
                f"    {device}: {change_words(change)}" for change in meaning_class.device_changes.get(device, ())
            )


def change_words(change: DeviceChange) -> str:
    """One change with its values."""
    values = {
        ChangeOp.ADDED: change.after,
        ChangeOp.REMOVED: change.before,
        ChangeOp.CHANGED: f"{change.before} → {change.after}",
    }[change.change]
    subject = f" {change.subject}" if change.subject else ""
    value = f" {values}" if values and values not in (change.subject, YES) else ""
    return printable(f"{sign(change.kind, change.change)} {what(change.kind, change.change)[0]}{subject}{value}")


def _text(text_class: TextClass, *, details: bool) -> Iterator[str]:
    names = ", ".join(text_class.devices) if details else named(text_class.devices)
    where = count(len(text_class.devices), "switch", "switches") + f": {names}" if text_class.devices else "the site"
    yield f"{text_class.risk.words.upper()}  text of {text_class.artifact} on {where}"
    kinds = ", ".join(text_class.kinds) if details else named(text_class.kinds)
    yield f"  {CAUSES[text_class.cause]}{f'; it concerns {kinds}' if kinds else ''}"
    rows = [row for hunk in text_class.hunks for row in hunk_lines(hunk)] or [one_sided(text_class.cause)]
    limit = len(rows) if details else MOST_ROWS
    yield from (f"  {row}" for row in rows[:limit])
    if len(rows) > limit:
        yield f"  and {count(len(rows) - limit, 'more line', 'more lines')}"
    reached = reach(text_class.blast)
    if reached:
        yield f"  affects {reached}"


def hunk_lines(hunk: Hunk) -> Iterator[str]:
    """A hunk in the form of a patch, with its sections above it."""
    for depth, section in enumerate(hunk.section):
        yield f"@ {'  ' * depth}{printable(section)}"
    if hunk.sections:
        yield f"@ the same in {count(len(hunk.sections), 'section', 'sections')}"
    yield from (f"- {printable(row)}" for row in hunk.removed)
    yield from (f"+ {printable(row)}" for row in hunk.added)


def _moved(difference: Difference, *, details: bool) -> Iterator[str]:
    if not difference.is_whole or not (difference.meaning or difference.moved):
        return
    yield ""
    if not difference.moved:
        yield "Renumbering: none (no address, AS number or VNI changes)."
        return
    yield f"Renumbering: {count(len(difference.moved), 'value changes', 'values change')}"
    limit = len(difference.moved) if details else MOST_ROWS
    for moved in difference.moved[:limit]:
        yield printable(f"  {moved.owner}: {moved.what} {moved.before} → {moved.after}")
    if len(difference.moved) > limit:
        yield f"  and {len(difference.moved) - limit:,} more"


def _recabled(difference: Difference, *, details: bool) -> Iterator[str]:
    if not difference.recabled:
        return
    yield ""
    yield f"Cables to move: {len(difference.recabled):,}"
    limit = len(difference.recabled) if details else MOST_ROWS
    yield from (f"  {printable(row)}" for row in difference.recabled[:limit])
    if len(difference.recabled) > limit:
        yield f"  and {len(difference.recabled) - limit:,} more"
