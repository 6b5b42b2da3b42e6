"""Equal hunks in many places as one; and switches with the same hunks as one.

Equal lines under sections that differ in one word are one hunk with all of its sections. If more than MANY hunks
differ only in words that contain a number (addresses, ports, names), they are one too, and those words become *.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from fabricgen.base.grouping import grouped
from fabricgen.diff.model import Hunk, TextCause

MANY = 8
"""Number of similar hunks or switches up to which each is listed by itself."""
STAR = "*"

T = TypeVar("T")
Hunks = tuple[Hunk, ...]


def folded(hunks: Iterable[Hunk]) -> Hunks:
    """Return the hunks of one text, similar ones once, in the order of their first occurrence."""
    equal = [_one(similar) for similar in _by(hunks, _exact)]
    return tuple(
        hunk for similar in _by(equal, _likeness) for hunk in ([_one(similar)] if len(similar) > MANY else similar)
    )


def _exact(hunk: Hunk) -> tuple[object, ...]:
    return hunk.removed, hunk.added, tuple(_but_last(line) for line in hunk.section)


def _but_last(line: str) -> tuple[str, ...]:
    """Return the words of a section's line without the last one, if it has several."""
    words = line.split(" ")
    return (*words[:-1], STAR) if len(words) > 1 else (line,)


def _likeness(hunk: Hunk) -> tuple[object, ...]:
    return tuple(tuple(masked(line) for line in lines) for lines in hunk[:3])


def masked(line: str) -> str:
    """Return a line with * for each word that has a digit: such words may be different on each switch."""
    return " ".join(STAR if any(map(str.isdigit, word)) else word for word in line.split(" "))


def _by(items: Iterable[T], likeness: Callable[[T], tuple[object, ...]]) -> list[list[T]]:
    groups = grouped((likeness(item), item) for item in items)
    return list(groups.values())


def _one(hunks: Sequence[Hunk]) -> Hunk:
    """Return one hunk for several similar ones."""
    if len(hunks) == 1:
        return hunks[0]
    sections = tuple(section for hunk in hunks for section in (hunk.sections or (hunk.section,)))
    return _starred(hunks)._replace(sections=tuple(dict.fromkeys(sections)))


def _starred(hunks: Sequence[Hunk]) -> Hunk:
    """Return the text that similar hunks have in common."""
    section, removed, added = (
        tuple(_common(lines) for lines in zip(*(hunk[part] for hunk in hunks), strict=True)) for part in range(3)
    )
    return Hunk(section, removed, added)


def _common(lines: Sequence[str]) -> str:
    """Return the words that all lines have at the same position, and * for the others."""
    if len(set(lines)) == 1:
        return lines[0]
    places = zip(*(line.split(" ") for line in lines), strict=True)
    return " ".join(words[0] if len(set(words)) == 1 else STAR for words in places)


class Differing(NamedTuple):
    """An artifact of a switch that differs, with cause and hunks."""

    artifact: str
    cause: TextCause
    hunks: Hunks


def same_hunks(differing_by_name: Iterable[tuple[str, Differing]]) -> dict[Differing, tuple[str, ...]]:
    """Switches by the hunks that they share. `differing_by_name`: name of a switch, and what differs on it."""
    exact = grouped((differing, name) for name, differing in differing_by_name)
    classes: dict[Differing, tuple[str, ...]] = {}
    for similar in _by(exact, _class_likeness):
        if len(similar) > MANY:
            merged = similar[0]._replace(hunks=tuple(map(_merged, zip(*(item.hunks for item in similar), strict=True))))
            classes[merged] = tuple(name for item in similar for name in exact[item])
        else:
            classes.update((item, tuple(exact[item])) for item in similar)
    return classes


def _class_likeness(differing: Differing) -> tuple[object, ...]:
    return differing.artifact, differing.cause, tuple((_likeness(hunk), len(hunk.sections)) for hunk in differing.hunks)


def _merged(hunks: Sequence[Hunk]) -> Hunk:
    """Return one hunk for those of several switches."""
    sections = zip(*(hunk.sections for hunk in hunks), strict=True)
    shared = tuple(tuple(map(_common, zip(*each, strict=True))) for each in sections)
    return _starred(hunks)._replace(sections=shared)
