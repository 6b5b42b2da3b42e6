"""Split a site into units of a few switches. Each unit is kept or made as a whole, by a digest of its inputs."""

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
"""Switches per unit. If one changes, all of them are checked again; the notes of a unit take a few kB."""


class WorkUnit(NamedTuple):
    """A few places of one fabric, in order, including switches that are declared absent."""

    fabric: str
    places: tuple[Place, ...]


class Sum(NamedTuple):
    """Inputs of a unit, before anything of it is resolved.

    keys       of the configured switches: name → input key
    check_key  digest of the inputs of a check; cabling: of the inputs of its cables
    """

    keys: dict[str, str]
    check_key: str
    cabling: str


def units(plan: Plan) -> Iterator[WorkUnit]:
    """All units of a site, in the order of its fabrics and their places."""
    for name, fabric in plan.fabrics.items():
        remaining = places(fabric)
        while chunk := tuple(islice(remaining, PLACES)):
            yield WorkUnit(name, chunk)


def summed(fabric: FabricPlan, unit: WorkUnit, keys: Keys) -> Sum:
    """Digest the inputs of a unit."""
    named_keys = [(name_of(fabric, place), keys.of(fabric, place)) for place in unit.places]
    states = fabric.exceptions.devices
    present = [item for item in named_keys if states.get(item[0]) != ABSENT] if states else named_keys
    return Sum(
        keys={name: key.files for name, key in present},
        check_key=_digest((name, key.checks) for name, key in present),
        cabling=_digest((name, key.lines) for name, key in named_keys),
    )


def _digest(rows: Iterable[tuple[str, str]]) -> str:
    return sha256("\n".join(f"{name} {key}" for name, key in rows).encode()).hexdigest()
