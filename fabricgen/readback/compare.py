"""What a text configures beside what its Device asks for: each difference once, with the line where it is seen."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from fabricgen.readback.policy import (
    PERMIT_ALL,
    Lines,
    Policy,
    Term,
    TermLines,
    TermPart,
    each_line,
    line_of,
    lines_of,
)
from fabricgen.readback.rows import A_VALUE, Key, Reading, Row, Value, is_nothing


class DifferenceKind(StrEnum):
    """How a row differs."""

    MISSING = "missing"
    EXTRA = "extra"
    DIFFERENT = "different"


class Difference(NamedTuple):
    """One difference. `setting` is empty for a thing that is missing or extra as a whole.

    intended, read  the values; None where one side has no row
    file, line      where it was read. Of what is missing: the first line of the thing, or of those around it. Line 0:
                    it has no place in the file; and no file: nothing like it is there
    near            lines of what a missing part belongs to: of the thing, of its neighbors, of the policy's term
    """

    kind: DifferenceKind
    thing: str
    name: str
    setting: str
    intended: Value | None
    read: Value | None
    file: str
    line: int
    near: tuple[int, ...] = ()


def differences(
    expected: Mapping[Key, Value], reading: Reading, *, filled: bool = True, not_shown: Iterable[str] = ()
) -> tuple[Difference, ...]:
    """All differences, in the order of the expected rows; what is extra comes last, by its line.

    filled     the text may hold secrets as values; without, each must be the reference
    not_shown  `thing.setting` of expected rows that the text does not show: no row of it is read
    """
    hidden = frozenset(not_shown)
    places = _Places(expected, reading.rows)
    return (
        *_missing_or_different(expected, places, hidden, filled=filled),
        *_others(expected, reading, places, hidden, filled=filled),
        *_extra(expected, reading),
    )


def _unequal(
    expected: Mapping[Key, Value], rows: Mapping[Key, Row], hidden: frozenset[str]
) -> Iterator[tuple[Key, Value, Row | None]]:
    """Expected rows that were not read, or with another value. Policies are shared, so each pair is compared once."""
    alike: set[tuple[int, int]] = set()
    for key, value in expected.items():
        read = rows.get(key)
        if read is None:
            if is_nothing(key[2], value):
                continue
        elif value.__class__ is Policy:
            pair = (id(value), id(read[0]))
            if pair in alike or value == read[0]:
                alike.add(pair)
                continue
        elif value == read[0] or (is_nothing(key[2], value) and is_nothing(key[2], read[0])):
            continue
        if f"{key.thing}.{key.setting}" not in hidden:
            yield key, value, read


def _missing_or_different(
    expected: Mapping[Key, Value], places: "_Places", hidden: frozenset[str], *, filled: bool
) -> Iterator[Difference]:
    lost: set[tuple[str, str]] = set()
    for key, value, read in _unequal(expected, places.rows, hidden):
        if read is not None:
            if not (filled and read.value == A_VALUE and value):
                file, line, near = places.of_row(key, value, read)
                if key.thing == "line":
                    yield Difference(DifferenceKind.MISSING, key.thing, key.name, "", None, None, file, line, near)
                else:
                    yield Difference(DifferenceKind.DIFFERENT, *key, value, read.value, file, line, near)
        elif key[:2] in lost:
            continue
        elif places.has(key):
            file, line, near = places.of_thing(key)
            yield Difference(DifferenceKind.MISSING, *key, value, None, file, line, near)
        else:
            lost.add(key[:2])
            file, line, near = places.of_neighbors(key)
            yield Difference(DifferenceKind.MISSING, key.thing, key.name, "", None, None, file, line, near)


def _others(
    expected: Mapping[Key, Value], reading: Reading, places: "_Places", hidden: frozenset[str], *, filled: bool
) -> Iterator[Difference]:
    """Other values of a row that was read twice: each must be the planned one. Of an extra row one is enough."""
    for key, row in reading.others:
        value = expected.get(key)
        same = value == row.value or (filled and row.value == A_VALUE and value)
        if value is not None and not same and f"{key.thing}.{key.setting}" not in hidden:
            yield Difference(DifferenceKind.DIFFERENT, *key, value, row.value, *places.of_row(key, value, row))


UNSAID = Policy((PERMIT_ALL,))
"""What a session has without a policy."""

Spot = tuple[str, int, tuple[int, ...]]
"""File, line, and lines near it."""


class _Places:
    """Where things are in the text: worked out once something differs."""

    def __init__(self, expected: Mapping[Key, Value], rows: Mapping[Key, Row]) -> None:
        self.rows, self._expected = rows, expected

    @cached_property
    def _lines(self) -> dict[tuple[str, str], tuple[str, list[int]]]:
        """Thing → its file and all of its lines, in order."""
        found: dict[tuple[str, str], tuple[str, set[int]]] = {}
        for key, row in self.rows.items():
            file, lines = found.setdefault(key[:2], (row.file, set()))
            if row.line and row.file == file:
                lines.add(row.line)
            if row.parts is not None and row.file == file:
                lines.update(line for part in row.parts.values() for line in each_line(part) if line)
        return {thing: (file, sorted(lines)) for thing, (file, lines) in found.items()}

    @cached_property
    def _order(self) -> dict[str, list[str]]:
        """Kind of thing → names of those that are planned, in their order."""
        names: dict[str, dict[str, None]] = {}
        for key in self._expected:
            names.setdefault(key.thing, {})[key.name] = None
        return {thing: list(found) for thing, found in names.items()}

    def has(self, key: Key) -> bool:
        """Whether the text has the thing."""
        return key[:2] in self._lines

    def of_thing(self, key: Key) -> Spot:
        """All lines of a thing."""
        file, lines = self._lines[key[:2]]
        return file, lines[0] if lines else 0, tuple(lines)

    def of_row(self, key: Key, intended: Value, row: Row) -> Spot:
        """The line of the part that differs. What is there by default could be on any line of the thing."""
        if is_nothing(key.setting, row.value) or (row.value == UNSAID and not _has_lines(row.value)):
            file, line, near = self.of_thing(key)
            if not row.line:
                return file, line, near
            line = each_line(_part(intended, row) or row.line)[0]
            return row.file, line, near if file == row.file else ()
        line, near = _part_lines(intended, row)
        return row.file, line, near

    def of_neighbors(self, key: Key) -> Spot:
        """Where a thing would be that is not there: behind the one that is planned before it, ahead of the next.

        A line that the system needs is of any part of the file: it has no place.
        """
        names = self._order[key.thing]
        at = names.index(key.name)
        before = next((name for name in reversed(names[:at]) if (key.thing, name) in self._lines), None)
        after = next((name for name in names[at + 1 :] if (key.thing, name) in self._lines), None)
        spots = [self._lines[key.thing, name] for name in (before, after) if name is not None]
        file = spots[0][0] if spots else ""
        near = sorted({line for other, lines in spots if other == file for line in lines})
        first = near[0] if near and key.thing != "line" else 0
        return file, first, tuple(near)


def _part_lines(intended: Value, row: Row) -> tuple[int, tuple[int, ...]]:
    """The line of the first part that differs; where a part is missing also the lines of the others.

    A policy that has none of the terms may be another one: the line that names it counts as well.
    """
    if isinstance(intended, Policy) and isinstance(row.value, Policy):
        line, near = _term_lines(intended, row.value)
        if set(intended.terms).isdisjoint(row.value.terms):
            near = tuple(sorted({row.line, line, *near} - {0}))
        return line or row.line, near
    if row.parts is None:
        return row.line, ()
    found = _part(intended, row)
    if found:
        return _spot(found)
    return row.line, tuple(sorted({row.line, *(line for lines in row.parts.values() for line in each_line(lines))}))


def _part(intended: Value, row: Row) -> Lines:
    """Lines of the first part that differs; 0 where none has one."""
    parts = row.parts or {}
    return next((parts[part] for part in _parts(intended, row.value) if part in parts), 0)


def _spot(lines: Lines) -> tuple[int, tuple[int, ...]]:
    """The first line, and all of them where there are several."""
    every = each_line(lines)
    return every[0], tuple(sorted({*every})) if len(every) > 1 else ()


def _has_lines(value: Value) -> bool:
    return isinstance(value, Policy) and any(map(line_of, value.lines))


def _parts(intended: Value, read: Value) -> Iterator[int | str]:
    """Parts of a value that differ: indexes of a tuple; members of a set that are not planned, then those missing."""
    if isinstance(read, tuple) and isinstance(intended, tuple):
        yield from (at for at, value in enumerate(read) if at >= len(intended) or intended[at] != value)
    elif isinstance(read, frozenset) and isinstance(intended, frozenset):
        yield from sorted(read - intended)
        yield from sorted(intended - read)


def _term_lines(intended: Policy, read: Policy) -> tuple[int, tuple[int, ...]]:
    """The line of the part of the first term that differs; where a term is missing or moved all lines of the policy."""
    same = 0
    while same < min(len(read.terms), len(intended.terms)) and read.terms[same] == intended.terms[same]:
        same += 1
    every = tuple(sorted({line for term in read.lines for line in lines_of(term) if line}))
    if same >= len(read.lines):
        return every[-1] if every else 0, every
    lines = read.lines[same]
    if same >= len(read.terms):
        return line_of(lines), lines_of(lines)
    if same >= len(intended.terms) or read.terms[same] in intended.terms:
        return line_of(lines), every
    found = _term_part(intended.terms[same], read.terms[same], lines.parts) if isinstance(lines, TermLines) else ()
    return _spot(found) if found else (line_of(lines), lines_of(lines))


def _term_part(intended: Term, read: Term, parts: Mapping[TermPart, Lines]) -> tuple[int, ...]:
    """Lines of the first part of a term that differs: of a member that is not planned; of the others if one is lost."""
    for name in Term._fields:
        mine, theirs = getattr(read, name), getattr(intended, name)
        if mine == theirs:
            continue
        if isinstance(mine, frozenset):
            extra = [member for member in sorted(mine - (theirs or frozenset()), key=str) if member in parts]
            if extra:
                return each_line(parts[extra[0]])
            kept = {line for member in mine if member in parts for line in each_line(parts[member])}
            if kept:
                return tuple(sorted(kept))
        if name in parts:
            return each_line(parts[name])
    return ()


IDLE = frozenset({"policy"})
"""Things that do nothing until something names them."""


def _extra(expected: Mapping[Key, Value], reading: Reading) -> Iterator[Difference]:
    found = (row for row in reading.rows.items() if row[0] not in expected)
    rows = [(key, row) for key, row in found if key.thing not in IDLE and not is_nothing(key.setting, row.value)]
    if not rows:
        return
    planned = {key[:2] for key in expected}
    named: set[tuple[str, str]] = set()
    shut = {key[:2] for key, row in reading.rows.items() if key.setting == "enabled" and row.value is False}
    for key, row in rows:
        if key[:2] in planned:
            yield Difference(DifferenceKind.EXTRA, *key, None, row.value, row.file, row.line)
        elif key[:2] not in named and key[:2] not in shut:
            named.add(key[:2])
            yield Difference(DifferenceKind.EXTRA, key.thing, key.name, "", None, row.value, row.file, row.line)
