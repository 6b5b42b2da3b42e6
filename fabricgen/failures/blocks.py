"""Interchangeable values of one axis: blocks of values that share cages, alike blocks, alike values in a block.

A table is a set of cages; a cage is the set of its links as (value of the axis, other coordinates). Values that share a
cage form a block. Two blocks are alike if mapping their values in order maps the cages of one to those of the other.
The values of one block are alike if every exchange of two neighbors maps its cages to themselves. A value that an
exception names is not alike to any other.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

Value = Any
"""A value on any axis."""
Cage = frozenset[tuple[Value, Hashable]]
"""Links of a cage as (value of the axis, other coordinates)."""
Table = Collection[Cage]


class Seat(NamedTuple):
    """The position of a value: its block, and its number in the block. Blocks or values of one label are alike.

    block, blocks, label  number of the block among the alike blocks, how many these are, and their label
    at, alike, inner      the same for the value within its block
    """

    block: int
    blocks: int
    label: Hashable
    at: int
    alike: int
    inner: Hashable


class Blocks:
    """The values of an axis, grouped in blocks."""

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
                for position, value in enumerate(values):
                    inner_seat = (position, len(values), ()) if self._symmetric[label] else (0, 1, (position,))
                    yield value, Seat(number, len(blocks), label, *inner_seat)

    def seat(self, value: Value) -> Seat:
        """Return the position of a value."""
        return self._seats[value]

    def block(self, label: Hashable, number: int) -> tuple[Value, ...]:
        """Return the values of a block by its label and number."""
        return self._by_label[label][number]

    def value(self, block: tuple[Value, ...], inner: Hashable, number: int) -> Value:
        """Return a value of a block by its label in the block and its number among the alike values."""
        return block[inner[0]] if isinstance(inner, tuple) and inner else block[number]

    def representatives(self) -> list[Value]:
        """Return one value of each kind."""
        return [value for value, seat in self._seats.items() if not seat.block and not seat.at]


def by_cages(
    values: Sequence[Value],
    tables: Sequence[Table],
    attribute: Callable[[Value], Hashable] = lambda value: (),
    pinned: Callable[[Value], bool] = lambda value: False,
    joined: Iterable[Collection[Value]] = (),
) -> Blocks:
    """Return the blocks of some values.

    tables     tables that no exchange of alike values changes; attribute: has to be equal for alike values
    pinned     whether an exception names a value; joined: sets of values that form a block without sharing a cage
    """
    value_set = set(values)
    tables = [[frozenset(link for link in cage if link[0] in value_set) for cage in table] for table in tables]
    cage_values = [{value for value, _ in cage} for table in tables for cage in table]
    owner = _components(values, [*cage_values, *(value_set.intersection(group) for group in joined)])
    members: dict[Hashable, list[Hashable]] = {}
    for value in values:
        members.setdefault(owner[value], []).append(value)
    cages: dict[Hashable, list[list[Cage]]] = {root: [[] for _ in tables] for root in members}
    for table_number, table in enumerate(tables):
        for cage in table:
            if cage:
                cages[next(owner[value] for value, _ in cage)][table_number].append(cage)
    return Blocks(_labelled(tuple(block), cages[root], attribute, pinned) for root, block in members.items())


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
    positions = {value: number for number, value in enumerate(order)}
    return tuple(
        frozenset(frozenset((positions[value], rest) for value, rest in cage) for cage in table) for table in tables
    )


def _is_symmetric(block: tuple[Value, ...], tables: Sequence[Sequence[Cage]], form: Hashable) -> bool:
    """Return whether no exchange of neighbors changes the tables.

    With three or more values, also every cage with several values must keep its own links. Then an exchange that keeps
    one link of a cage keeps the cage: `classes.py` identifies a cage by one of its links.
    """
    swaps = [_swapped(block, position) for position in range(len(block) - 1)]
    if any(_form(swap, tables) != form for swap in swaps):
        return False
    if len(block) == 2:
        return True
    cages = [cage for table in tables for cage in table if len({value for value, _ in cage}) > 1]
    return all(_form(swap, [[cage]]) == _form(block, [[cage]]) for cage in cages for swap in swaps)


def _swapped(block: tuple[Value, ...], position: int) -> tuple[Value, ...]:
    return (*block[:position], block[position + 1], block[position], *block[position + 2 :])
