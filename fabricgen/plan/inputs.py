"""Overrides of the intent and the two CSV files beside it to `Exceptions`, against the names of the plan."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from fabricgen.errors import FabricError
from fabricgen.intent.model import Intent
from fabricgen.plan.csv_cables import read_cables
from fabricgen.plan.csv_placement import read_placement
from fabricgen.plan.csv_table import Table
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.names import make_names
from fabricgen.plan.overrides import raw_devices, states

K = TypeVar("K")


def resolve_overrides(intent: Intent, fabrics: Mapping[str, FabricPlan]) -> Exceptions:
    """States that the intent's `overrides` give. Raises FabricError with every selector that is refused.

    fabrics  planned without exceptions: names, ports and numbers do not depend on them
    """
    return resolve_inputs(intent, fabrics, None, None)


def resolve_inputs(
    intent: Intent,
    fabrics: Mapping[str, FabricPlan],
    placement: Table | None,
    cables: Table | None,
    kinds: Collection[str] = (),
) -> Exceptions:
    """All exceptions of a site, without states that are active. Raises FabricError with every problem of all sources.

    fabrics  planned without exceptions; kinds: media that the hardware library knows

    A state in the intent wins over one in the placement file: it is what a review of the intent shows.
    """
    is_plain = not intent.overrides and all(raw.device is None for raw in intent.raw)
    if is_plain and placement is None and cables is None:
        return Exceptions()
    names = make_names(intent, fabrics)
    found, problems = states(intent, names)
    problems += raw_devices(intent, names)
    slots = dict(found.slots)
    if placement is not None:
        placed = read_placement(placement, names)
        problems += placed.problems
        found = replace(found, servers=placed.servers)
        slots = placed.states | slots
    if cables is not None:
        built, faults = read_cables(cables, names, fabrics, found, kinds)
        problems += faults
        found = replace(found, cables=built)
    if problems:
        raise FabricError(problems)
    return replace(found, devices=_differing(found.devices), ports=_differing(found.ports), slots=_differing(slots))


def _differing(given: Mapping[K, str]) -> dict[K, str]:
    return {key: state for key, state in given.items() if state != "active"}
