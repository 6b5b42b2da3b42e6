"""A site in units of a few switches: each is kept or made as one, by what its switches are a function of."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import FabricPlan, name_of, places, state_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys

PLACES = 32
"""Switches of a unit. If one of them changes, all are looked at again; what is noted of each unit takes a few kB."""


class Unit(NamedTuple):
    """A few places of one fabric, in order; also of switches that are declared absent."""

    fabric: str
    places: tuple[Place, ...]


class Sum(NamedTuple):
    """What a unit is a function of, before anything of it is resolved.

    keys   of the switches that are configured: name → input key
    look   digest of what a look at them can show; cabling: of what their cables are made of
    """

    keys: dict[str, str]
    look: str
    cabling: str


def units(plan: Plan) -> Iterator[Unit]:
    """All of a site, in the order of its fabrics and their places."""
    for name, fabric in plan.fabrics.items():
        every = places(fabric)
        while several := tuple(islice(every, PLACES)):
            yield Unit(name, several)


def summed(fabric: FabricPlan, unit: Unit, keys: Keys) -> Sum:
    """Sum up a unit of a fabric."""
    found = [(name_of(fabric, place), keys.files(fabric, place)) for place in unit.places]
    cables = [keys.cables(fabric, place, key) for place, (_, key) in zip(unit.places, found, strict=True)]
    present = [each for each, place in zip(found, unit.places, strict=True) if state_of(fabric, place) != ABSENT]
    return Sum(dict(present), _digest(present), _digest(list(zip((name for name, _ in found), cables, strict=True))))


def _digest(rows: list[tuple[str, str]]) -> str:
    return sha256("\n".join(f"{name} {key}" for name, key in rows).encode()).hexdigest()
