"""Which values of one axis are interchangeable: blocks of values that share cages, alike blocks, alike values in one.

A table is a set of cages, each the set of links in it as (value of the axis, all else). Values that share a cage form
a block. Two blocks are alike where the map of their values in order takes the cages of one to those of the other; the
values of one block are alike where every exchange of two neighbors takes its cages to themselves. What is named by an
exception is like nothing else.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

Value = Any
"""A value of some axis."""
Cage = frozenset[tuple[Value, Hashable]]
"""Links of a cage: value of the axis, and the rest."""
Table = Collection[Cage]


class Seat(NamedTuple):
    """Where a value is: its block, and its place in it. Alike are those of one label; count says how many these are.

    block, blocks, label  number of the block among those alike, how many these are, and what they have in common
    at, alike, inner      the same of the value within its block
    """

    block: int
    blocks: int
    label: Hashable
    at: int
    alike: int
    inner: Hashable


class Blocks:
    """The values of an axis in their blocks."""

    def __init__(self, blocks: Iterable[tuple[tuple[Value, ...], Hashable, bool]]) -> None:
        self._by_label: dict[Hashable, list[tuple[Value, ...]]] = {}
        self._symmetric: dict[Hashable, bool] = {}
        for values, label, symmetric in blocks:
            self._by_label.setdefault(label, []).append(values)
            self._symmetric[label] = symmetric
        self._seats = {value: seat for value, seat in self._seated()}

    def _seated(self) -> Iterable[tuple[Value, Seat]]:
        for label, blocks in self._by_label.items():
            for number, values in enumerate(blocks):
                for at, value in enumerate(values):
                    inner = (at, len(values), ()) if self._symmetric[label] else (0, 1, (at,))
                    yield value, Seat(number, len(blocks), label, *inner)

    def seat(self, value: Value) -> Seat:
        """Where a value is."""
        return self._seats[value]

    def block(self, label: Hashable, number: int) -> tuple[Value, ...]:
        """Values of one of the blocks of a label."""
        return self._by_label[label][number]

    def value(self, block: tuple[Value, ...], inner: Hashable, at: int) -> Value:
        """A value of a block by its label there and its number among those alike."""
        return block[inner[0]] if isinstance(inner, tuple) and inner else block[at]

    def representatives(self) -> list[Value]:
        """One value of each kind."""
        return [value for value, seat in self._seats.items() if not seat.block and not seat.at]


def by_cages(
    values: Sequence[Value],
    tables: Sequence[Table],
    attribute: Callable[[Value], Hashable] = lambda value: (),
    pinned: Callable[[Value], bool] = lambda value: False,
    joined: Iterable[Collection[Value]] = (),
) -> Blocks:
    """Blocks of values.

    tables     each kept as it is by every exchange; attribute: what alike values have in common
    pinned     whether an exception names a value; joined: values that belong together for another reason than a cage
    """
    known = set(values)
    tables = [[frozenset(link for link in cage if link[0] in known) for cage in table] for table in tables]
    groups = [{value for value, _ in cage} for table in tables for cage in table]
    owner = _components(values, [*groups, *(known.intersection(each) for each in joined)])
    members: dict[Hashable, list[Hashable]] = {}
    for value in values:
        members.setdefault(owner[value], []).append(value)
    cages: dict[Hashable, list[list[Cage]]] = {root: [[] for _ in tables] for root in members}
    for at, table in enumerate(tables):
        for cage in table:
            if cage:
                cages[next(owner[value] for value, _ in cage)][at].append(cage)
    return Blocks(_labelled(tuple(found), cages[root], attribute, pinned) for root, found in members.items())


def _components(values: Sequence[Value], groups: Iterable[Collection[Value]]) -> dict[Value, Value]:
    parent: dict[Value, Value] = {value: value for value in values}

    def root(value: Value) -> Value:
        while parent[value] != value:
            parent[value] = parent[parent[value]]
            value = parent[value]
        return value

    for group in groups:
        first, *others = group or [None]
        for other in others:
            parent[root(other)] = root(first)
    return {value: root(value) for value in values}


def _labelled(
    block: tuple[Value, ...],
    tables: Sequence[Sequence[Cage]],
    attribute: Callable[[Value], Hashable],
    pinned: Callable[[Value], bool],
) -> tuple[tuple[Value, ...], Hashable, bool]:
    has_pin = any(pinned(value) for value in block)
    attributes = tuple(attribute(value) for value in block)
    form = _form(block, tables)
    label = ("pinned", block) if has_pin else (attributes, form)
    alike = not has_pin and len(set(attributes)) == 1
    return block, label, len(block) > 1 and alike and _is_symmetric(block, tables, form)


def _form(order: Sequence[Value], tables: Sequence[Sequence[Cage]]) -> Hashable:
    at = {value: number for number, value in enumerate(order)}
    return tuple(frozenset(frozenset((at[value], rest) for value, rest in cage) for cage in table) for table in tables)


def _is_symmetric(block: tuple[Value, ...], tables: Sequence[Sequence[Cage]], form: Hashable) -> bool:
    """Whether every exchange keeps the tables. Of three values and more each cage must be kept by itself, or be in one.

    Then whoever keeps one link of a cage in its place keeps the cage: `classes.py` names a cage by one of its links.
    """
    swaps = [_swapped(block, at) for at in range(len(block) - 1)]
    if any(_form(swap, tables) != form for swap in swaps):
        return False
    if len(block) == 2:
        return True
    cages = [cage for table in tables for cage in table if len({value for value, _ in cage}) > 1]
    return all(_form(swap, [[cage]]) == _form(block, [[cage]]) for cage in cages for swap in swaps)


def _swapped(block: tuple[Value, ...], at: int) -> tuple[Value, ...]:
    return (*block[:at], block[at + 1], block[at], *block[at + 2 :])
