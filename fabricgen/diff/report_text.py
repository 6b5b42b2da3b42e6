"""A difference for a terminal: what to know first, then class by class, the worst first; details on request."""

from collections.abc import Iterator

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.model import Difference, Hunk, MeaningClass, TextClass
from fabricgen.diff.words import (
    CAUSES,
    YES,
    classes,
    count,
    counts,
    line,
    named,
    printable,
    reach,
    reaches,
    sign,
    switches,
    verdict,
    what,
)

MOST_LINES = 14
"""Lines of one class; a reader who wants the others asks for details."""
WHOLE = "the file exists on one side only"
MOST_ROWS = 40
"""Moved numbers, cables and hunks that are listed without details."""


def text(difference: Difference, *, details: bool = False) -> Iterator[str]:
    """Lines of the report. details: every fact and every hunk of every switch."""
    yield from (printable(note) for note in difference.notes)
    yield verdict(difference)
    if difference.is_whole or difference.unread:
        yield counts(difference)
    yield from defaults_lines(difference)
    for found in classes(difference):
        yield ""
        if isinstance(found, MeaningClass):
            yield from _meaning(found, details=details)
        else:
            yield from _text(found, details=details)
    yield from _moved(difference, details=details)
    yield from _recabled(difference, details=details)
    if details:
        for system in sorted({found.system for found in difference.meaning}):
            yield ""
            yield f"Short names of sources: see templates/{system}/NOTES.md."
    for device, hunks in sorted(difference.hunks.items()):
        yield ""
        yield f"{device}, as text"
        yield from (f"  {row}" for hunk in hunks for row in hunk_lines(hunk))


def defaults_lines(difference: Difference) -> Iterator[str]:
    """What another version of the defaults does by itself, default by default."""
    step = difference.defaults
    if step is None:
        return
    yield ""
    if not step.changes:
        yield f"Defaults: version {step.before} → {step.after}; no changed default affects this intent"
        return
    yield f"Defaults: version {step.before} → {step.after}; the effect of each, included in the changes below:"
    for row in step.changes:
        where = count(len(row.devices), "switch", "switches") if row.devices else "no switch affected"
        yield printable(f"  {row.risk.words.upper()}  {', '.join(row.places)}: {row.before} → {row.after} ({where})")
        yield printable(f"    {row.why}")


def _meaning(found: MeaningClass, *, details: bool) -> Iterator[str]:
    names = ", ".join(found.devices) if details else named(found.devices)
    yield f"{found.risk.words.upper()}  {switches(found)}: {names}"
    most = len(found.lines) if details else MOST_LINES
    for one in found.lines[:most]:
        cost = f"  [{one.risk.words}; source: {one.source}]" if details else ""
        yield f"  {line(one, len(found.devices))}{cost}"
    if len(found.lines) > most:
        yield f"  and {count(len(found.lines) - most, 'more kind', 'more kinds')} of no higher risk"
    reached = reach(found.blast)
    if reached:
        yield f"  {reaches(found)} {reached}"
    if details:
        for device in found.devices:
            yield from (f"    {device}: {fact_words(fact)}" for fact in found.facts.get(device, ()))


def fact_words(fact: DeviceChange) -> str:
    """One fact with its values."""
    values = {
        ChangeOp.ADDED: fact.after,
        ChangeOp.REMOVED: fact.before,
        ChangeOp.CHANGED: f"{fact.before} → {fact.after}",
    }[fact.change]
    subject = f" {fact.subject}" if fact.subject else ""
    value = f" {values}" if values and values not in (fact.subject, YES) else ""
    return printable(f"{sign(fact.kind, fact.change)} {what(fact.kind, fact.change)[0]}{subject}{value}")


def _text(found: TextClass, *, details: bool) -> Iterator[str]:
    names = ", ".join(found.devices) if details else named(found.devices)
    where = count(len(found.devices), "switch", "switches") + f": {names}" if found.devices else "the site"
    yield f"{found.risk.words.upper()}  text of {found.artifact} on {where}"
    facts = ", ".join(found.facts) if details else named(found.facts)
    yield f"  {CAUSES[found.cause]}{f'; it concerns {facts}' if facts else ''}"
    rows = [row for hunk in found.hunks for row in hunk_lines(hunk)] or [WHOLE]
    most = len(rows) if details else MOST_ROWS
    yield from (f"  {row}" for row in rows[:most])
    if len(rows) > most:
        yield f"  and {count(len(rows) - most, 'more line', 'more lines')}"
    reached = reach(found.blast)
    if reached:
        yield f"  affects {reached}"


def hunk_lines(hunk: Hunk) -> Iterator[str]:
    """A hunk as a patch has it, its sections above it."""
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
    most = len(difference.moved) if details else MOST_ROWS
    for one in difference.moved[:most]:
        yield printable(f"  {one.owner}: {one.what} {one.before} → {one.after}")
    if len(difference.moved) > most:
        yield f"  and {len(difference.moved) - most:,} more"


def _recabled(difference: Difference, *, details: bool) -> Iterator[str]:
    if not difference.recabled:
        return
    yield ""
    yield f"Cables to be moved by hand: {len(difference.recabled):,}"
    most = len(difference.recabled) if details else MOST_ROWS
    yield from (f"  {printable(row)}" for row in difference.recabled[:most])
    if len(difference.recabled) > most:
        yield f"  and {len(difference.recabled) - most:,} more"
