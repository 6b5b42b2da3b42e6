"""Hunks that say the same in many places, as one; and switches with the same hunks, as one.

Lines that are equal under sections that differ by a word are one hunk with all of its sections. Where more than MANY
differ in nothing but words with a number in them (addresses, ports, names), they are one too, and such words are *.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from fabricgen.diff.model import Hunk, TextCause

MANY = 8
"""Hunks or switches of one likeness that a reader still takes one by one."""
STAR = "*"

T = TypeVar("T")
Hunks = tuple[Hunk, ...]


def folded(hunks: Iterable[Hunk]) -> Hunks:
    """Return the hunks of one text, each likeness once, in the order of their first places."""
    equal = [_one(found) for found in _by(hunks, _exact)]
    return tuple(hunk for found in _by(equal, _likeness) for hunk in ([_one(found)] if len(found) > MANY else found))


def _exact(hunk: Hunk) -> tuple[object, ...]:
    return hunk.removed, hunk.added, tuple(_but_last(line) for line in hunk.section)


def _but_last(line: str) -> tuple[str, ...]:
    """Return the words of a section's line, but for the last of several."""
    words = line.split(" ")
    return (*words[:-1], STAR) if len(words) > 1 else (line,)


def _likeness(hunk: Hunk) -> tuple[object, ...]:
    return tuple(tuple(masked(line) for line in lines) for lines in hunk[:3])


def masked(line: str) -> str:
    """Return a line with a * for each word that has a digit: the words that each switch may have its own of."""
    return " ".join(STAR if any(map(str.isdigit, word)) else word for word in line.split(" "))


def _by(items: Iterable[T], likeness: Callable[[T], tuple[object, ...]]) -> list[list[T]]:
    found: dict[tuple[object, ...], list[T]] = {}
    for item in items:
        found.setdefault(likeness(item), []).append(item)
    return list(found.values())


def _one(hunks: Sequence[Hunk]) -> Hunk:
    """One hunk for several of one likeness."""
    if len(hunks) == 1:
        return hunks[0]
    sections = tuple(section for hunk in hunks for section in (hunk.sections or (hunk.section,)))
    return _starred(hunks)._replace(sections=tuple(dict.fromkeys(sections)))


def _starred(hunks: Sequence[Hunk]) -> Hunk:
    """What hunks of one likeness say alike."""
    section, removed, added = (
        tuple(_common(lines) for lines in zip(*(hunk[part] for hunk in hunks), strict=True)) for part in range(3)
    )
    return Hunk(section, removed, added)


def _common(lines: Sequence[str]) -> str:
    """Return the words that all lines have in the same place, and a * for the others."""
    if len(set(lines)) == 1:
        return lines[0]
    places = zip(*(line.split(" ") for line in lines), strict=True)
    return " ".join(words[0] if len(set(words)) == 1 else STAR for words in places)


class Differing(NamedTuple):
    """Why an artifact of a switch differs, and by what."""

    artifact: str
    cause: TextCause
    hunks: Hunks


def same_hunks(found: Iterable[tuple[str, Differing]]) -> dict[Differing, tuple[str, ...]]:
    """Switches by the hunks that they share. `found`: name of a switch, and what differs on it."""
    exact: dict[Differing, list[str]] = {}
    for name, differing in found:
        exact.setdefault(differing, []).append(name)
    classes: dict[Differing, tuple[str, ...]] = {}
    for alike in _by(exact, _class_likeness):
        if len(alike) > MANY:
            alike_one = alike[0]._replace(hunks=tuple(map(_merged, zip(*(one.hunks for one in alike), strict=True))))
            classes[alike_one] = tuple(name for one in alike for name in exact[one])
        else:
            classes.update((one, tuple(exact[one])) for one in alike)
    return classes


def _class_likeness(one: Differing) -> tuple[object, ...]:
    return one.artifact, one.cause, tuple((_likeness(hunk), len(hunk.sections)) for hunk in one.hunks)


def _merged(hunks: Sequence[Hunk]) -> Hunk:
    """One hunk for those of several switches."""
    sections = zip(*(hunk.sections for hunk in hunks), strict=True)
    shared = tuple(tuple(map(_common, zip(*each, strict=True))) for each in sections)
    return _starred(hunks)._replace(sections=shared)
