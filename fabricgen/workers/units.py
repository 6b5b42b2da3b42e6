"""A site in units of a few switches: each is kept or made as one, by what its switches are a function of."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys

PLACES = 32
"""Switches of a unit. If one of them changes, all are looked at again; what is noted of each unit takes a few kB."""


class WorkUnit(NamedTuple):
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


def units(plan: Plan) -> Iterator[WorkUnit]:
    """All of a site, in the order of its fabrics and their places."""
    for name, fabric in plan.fabrics.items():
        every = places(fabric)
        while several := tuple(islice(every, PLACES)):
            yield WorkUnit(name, several)


def summed(fabric: FabricPlan, unit: WorkUnit, keys: Keys) -> Sum:
    """Sum up a unit of a fabric."""
    found = [(name_of(fabric, place), keys.of(fabric, place)) for place in unit.places]
    states = fabric.exceptions.devices
    present = [each for each in found if states.get(each[0]) != ABSENT] if states else found
    return Sum(
        keys={name: key.files for name, key in present},
        look=_digest((name, key.look) for name, key in present),
        cabling=_digest((name, key.lines) for name, key in found),
    )


def _digest(rows: Iterable[tuple[str, str]]) -> str:
    return sha256("\n".join(f"{name} {key}" for name, key in rows).encode()).hexdigest()
