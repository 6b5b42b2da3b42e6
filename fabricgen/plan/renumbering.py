"""What a renumbering moves: the values of each switch under two locks."""

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
    """Every value that differs, for switches that exist in both, in the order of the new names."""
    for place in places(after):
        new = lock_numbers(after, place)
        try:
            old = lock_numbers(before, place)
        except LookupError:
            continue
        for name, value in new.items():
            if old[name] != value:
                yield RenumberedValue(new["name"], name, old[name], value)
