"""Lines of a document that raw lines of the intent add. They are merged into it, so they do not stand as they were."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fabricgen.readback.fields import Field

Keys = Mapping[str, Sequence[tuple[str, ...]]]
"""Name of a list → names of the keys of its entries; an entry has all keys of one of these."""


def added_lines(document: Field, added: Field, keys: Keys | None = None) -> frozenset[int]:
    """Lines of a document on which nothing begins but fields that the intent adds, with their values.

    An object or a list is added if everything in it is. A key that only says which entry of a list is meant is not.
    """
    marks = _Marks(keys or {}, set(), set())
    marks.is_added(document, (added,))
    return frozenset(marks.added - marks.others)


class _Marks(NamedTuple):
    """Lines on which fields begin that are added, and others."""

    keys: Keys
    added: set[int]
    others: set[int]

    def is_added(self, field: Field, candidates: Sequence[Field], keys: tuple[str, ...] = ()) -> bool:
        """Mark a field with all below. candidates: what the intent adds at its place; keys: of an entry of a list."""
        if not field.below:
            found = any(_kind(field) == _kind(other) and not other.below for other in candidates)
        elif field.is_list:
            entries = [entry for other in candidates if other.is_list for entry in other.below]
            found = all([self._is_entry_added(field.key, child, entries) for child in field.below])
        else:
            below = [child for other in candidates if other.is_object for child in other.below]
            found = all([self.is_added(child, [row for row in below if row.key == child.key]) for child in field.below])
        (self.added if found else self.others).add(field.number)
        if not found:
            self.others.update(child.number for child in field.below if child.key in keys)
        return found

    def _is_entry_added(self, name: str, entry: Field, candidates: list[Field]) -> bool:
        for keys in self.keys.get(name.rpartition(":")[2], ()):
            own = _values(entry, keys)
            if None not in own:
                return self.is_added(entry, [other for other in candidates if _values(other, keys) == own], keys)
        return self.is_added(entry, candidates)


def _kind(field: Field) -> tuple[bool, bool, object]:
    return field.is_list, field.is_object, field.value


def _values(entry: Field, keys: tuple[str, ...]) -> tuple[object, ...]:
    values = {child.key: child.value for child in entry.below}
    return tuple(values.get(key) for key in keys)
