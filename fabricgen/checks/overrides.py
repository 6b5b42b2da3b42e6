"""Switches that the operator drains: enough are left. Names, states and dead ports are told as overrides are read."""

from collections.abc import Iterator

from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.fabric import name_of, places
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan


def _where(plan: Plan, selector: str) -> IntentPath:
    return ("overrides", selector) if selector in plan.intent.overrides else ("overrides",)


def spines_left(plan: Plan) -> Iterator[Problem]:
    """At least one spine of each plane and pod is not drained: else no leaf reaches another but over drained ones."""
    for name, fabric in plan.fabrics.items():
        drained = {device for device, state in fabric.exceptions.devices.items() if state == "drained"}
        if not drained or not fabric.shape.spines:
            continue
        spines: dict[tuple[int, int], list[str]] = {}
        for place in places(fabric):
            if place.tier is Tier.SPINE:
                spines.setdefault((place.plane, place.pod), []).append(name_of(fabric, place))
        for found in spines.values():
            if drained.issuperset(found):
                yield Problem(
                    code="spines-drained",
                    what=f"all {len(found)} spines of {name} are drained",
                    where=_where(plan, found[0]),
                    why="a drained switch carries traffic only where nothing else can; with all drained none is",
                    fix=f"drain at most {len(found) - 1} at once",
                )
