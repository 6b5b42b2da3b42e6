"""A Device that notes which of its fields are read, found by reflection: no table of ours says what there is to read.

Each NamedTuple in it becomes one of a subclass that notes a read by name, by place or by unpacking. A comparison, a
hash and a copy with other values print nothing and note nothing. What is kept of equal values elsewhere
(`functools.cache`) is never handed to a traced one: it equals traced values of the same look alone.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from fabricgen.device.device import Device
from fabricgen.device.needs import has_value

Value = Any
"""Whatever a field may hold: this module looks before it touches."""
PORT = "Ethernet"
"""Rows of this type are told apart by the role of their profile."""


class Look:
    """One look at a Device.

    there  path of each field that has a value → `Type.field`
    read   paths of those that were read
    """

    def __init__(self) -> None:
        self.there: dict[str, str] = {}
        self.read: set[str] = set()

    def of(self, device: Device) -> Device:
        """The same Device, which notes here what is read of it."""
        found: Device = self._traced(device, "")
        return found

    def _traced(self, thing: Value, path: str) -> Value:
        if not isinstance(thing, tuple):
            return thing
        if not hasattr(thing, "_fields"):
            return tuple(self._traced(one, path) for one in thing)
        return self._row(thing, path)

    def _row(self, thing: Value, path: str) -> Value:
        here = path + (f"({thing.profile.role})" if type(thing).__name__ == PORT else "")
        values = []
        for name, value in zip(thing._fields, thing, strict=True):
            below, field = f"{here}.{name}" if here else name, f"{type(thing).__name__}.{name}"
            if has_value(field, value):
                self.there[below] = field
            values.append(self._traced(value, below))
        found = tuple.__new__(_of_type(thing), values)
        found._at, found._look = here, self
        return found


def _note(self: Value, at: int) -> Value:
    name = self._fields[at]
    self._look.read.add(f"{self._at}.{name}" if self._at else name)
    return tuple.__getitem__(self, at)


def _item(self: Value, key: Value) -> Value:
    if isinstance(key, slice):
        return tuple(_note(self, at) for at in range(*key.indices(len(self))))
    return _note(self, range(len(self))[key])


def _each(self: Value) -> Iterator[Value]:
    return (_note(self, at) for at in range(tuple.__len__(self)))


def _replaced(self: Value, **new: Value) -> Value:
    values = (new.get(name, tuple.__getitem__(self, at)) for at, name in enumerate(self._fields))
    found = tuple.__new__(type(self), values)
    found._at, found._look = self._at, self._look
    return found


def _same(self: Value, other: Value) -> bool:
    return type(other) is type(self) and other._look is self._look and tuple.__eq__(self, other)


def _unlike(self: Value, other: Value) -> bool:
    return not _same(self, other)


def _hashed(self: Value) -> int:
    return hash((id(self._look), tuple.__hash__(self)))


def _before(self: Value, other: Value) -> bool:
    return tuple(self) < tuple(other)


def _of_type(thing: tuple[Value, ...]) -> Value:
    return _traced_type(type(thing))


@cache
def _traced_type(cls: Value) -> Value:
    own = {name: property(partial(_note, at=at)) for at, name in enumerate(cls._fields)}
    special = {
        "__getitem__": _item,
        "__iter__": _each,
        "__eq__": _same,
        "__ne__": _unlike,
        "__hash__": _hashed,
        "__lt__": _before,
        "_replace": _replaced,
    }
    return type(f"Traced{cls.__name__}", (cls,), {**own, **special})
