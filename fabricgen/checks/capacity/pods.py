"""Pods under superspines: whether each still has a way to each other one that no drained switch lies on."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, place_of, stands
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan

ACTIVE = "active"


def pods_joined(plan: Plan) -> Iterator[Problem]:
    """Any two pods have spines of one number that are active, below an active superspine.

    Spine k of each pod joins core group k and nothing else, so only spines of the same number lead to each other. Else
    pods reach each other over drained switches alone, or not at all. Pods whose spines are all active are alike: one of
    them is compared with those that have some that are not.
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
                what=f"pods {one} and {two}{of} of {name} have no path to each other in service",
                where=("overrides",),
                why="spine k of a pod reaches spine k of another over core group k; each number has a spine of the two "
                "that is not active, or no active superspine",
                fix="bring back a spine of the same number in both pods, and a superspine above it",
            )


def _apart(fabric: FabricPlan) -> Iterator[tuple[int, int, int]]:
    """Plane and numbers of pods without a common way."""
    spines, cores = _inactive(fabric, Tier.SPINE), _inactive(fabric, Tier.SUPERSPINE)
    every = frozenset(range(fabric.shape.spines))
    for plane in range(fabric.shape.planes):
        gone = Counter(place.su for place in cores if place.plane == plane)
        above = every - {number for number, count in gone.items() if count == fabric.shape.cores}
        first = Place(fabric.name, Tier.SPINE, "", plane, 0, 0, 0, 0)
        pods = [pod for pod in range(fabric.shape.pods) if stands(fabric, first._replace(pod=pod))]
        down: dict[int, set[int]] = {}
        for place in spines:
            if place.plane == plane:
                down.setdefault(place.pod, set()).add(place.index)
        # Two whole pods stand for all of them: they have the ways above, and are apart only without any.
        whole = [pod for pod in pods if pod not in down][:2]
        ways = {pod: above - down.get(pod, set()) for pod in pods if pod in down or pod in whole}
        yield from ((plane, one, two) for one, two in combinations(ways, 2) if not ways[one] & ways[two])


def _inactive(fabric: FabricPlan, tier: Tier) -> tuple[Place, ...]:
    """Switches of a tier that the intent says are not active."""
    states = fabric.exceptions.devices
    found = (place_of(fabric, device) for device, state in states.items() if state != ACTIVE)
    return tuple(place for place in found if place is not None and place.tier is tier)
