"""What a renumbering moves: the values of each switch under two locks, side by side."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.plan.fabric import FabricPlan, places
from fabricgen.plan.numbers import lock_numbers


class RenumberedValue(NamedTuple):
    """One value of one switch that changes."""

    device: str
    what: str
    before: str
    after: str


def moves(before: FabricPlan, after: FabricPlan) -> Iterator[RenumberedValue]:
    """Every value that differs, for the switches that stand in both, in the order of the new names."""
    for place in places(after):
        new = lock_numbers(after, place)
        try:
            old = lock_numbers(before, place)
        except LookupError:
            continue
        for what, value in new.items():
            if old[what] != value:
                yield RenumberedValue(new["name"], what, old[what], value)
