"""Pods under superspines: whether each still has a way to each other one that no drained switch lies on."""

from collections.abc import Iterator
from itertools import combinations

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, name_of, stands
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan

ACTIVE = "active"


def pods_joined(plan: Plan) -> Iterator[Problem]:
    """Any two pods have spines of one number that are active, below an active superspine.

    Spine k of each pod joins core group k and nothing else, so only spines of the same number lead to each other. Else
    pods reach each other over drained switches alone, or not at all.
    """
    for name, fabric in plan.fabrics.items():
        if not fabric.shape.cores or not fabric.exceptions.devices:
            continue
        found = next(_apart(fabric), None)
        if found is not None:
            plane, one, two = found
            of = f" of plane {plane}" if fabric.shape.planes > 1 else ""
            yield Problem(
                code="pods-apart",
                what=f"pods {one} and {two}{of} of {name} have no way to each other that is in use",
                where=("overrides",),
                why="spine k of a pod reaches spine k of another over core group k; each number has a spine of the two "
                "that is not active, or no active superspine",
                fix="bring back a spine of the same number in both pods, and a superspine above it",
            )


def _apart(fabric: FabricPlan) -> Iterator[tuple[int, int, int]]:
    """Plane and numbers of pods without a common way."""
    for plane in range(fabric.shape.planes):
        above = _active(fabric, Place(fabric.name, Tier.SUPERSPINE, "", plane, 0, 0, 0, 0))
        spine = Place(fabric.name, Tier.SPINE, "", plane, 0, 0, 0, 0)
        pods = [pod for pod in range(fabric.shape.pods) if stands(fabric, spine._replace(pod=pod))]
        ways = {pod: above & _active(fabric, spine._replace(pod=pod)) for pod in pods}
        yield from ((plane, one, two) for one, two in combinations(ways, 2) if not ways[one] & ways[two])


def _active(fabric: FabricPlan, first: Place) -> frozenset[int]:
    """Numbers of the spines of a pod that are active, or of the core groups that have an active superspine."""
    states, shape = fabric.exceptions.devices, fabric.shape
    if first.tier is Tier.SPINE:
        return frozenset(
            number
            for number in range(shape.spines)
            if states.get(name_of(fabric, first._replace(index=number)), ACTIVE) == ACTIVE
        )
    return frozenset(
        number
        for number in range(shape.spines)
        for index in range(shape.cores)
        if states.get(name_of(fabric, first._replace(su=number, index=index)), ACTIVE) == ACTIVE
    )
