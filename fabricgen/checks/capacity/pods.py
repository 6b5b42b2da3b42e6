"""Pods under superspines: whether each has a path to each other pod without drained switches."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from fabricgen.base.grouping import grouped_sets
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, place_exists, place_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan

ACTIVE = "active"


def pods_joined(plan: Plan) -> Iterator[Problem]:
    """Any two pods have active spines of the same number, below an active superspine.

    Spine k of each pod joins core group k and nothing else, so only spines of the same number reach each other.
    Otherwise pods reach each other over drained switches only, or not at all. Pods whose spines are all active are
    alike: one of them is compared with those that have inactive spines.
    """
    for name, fabric in plan.fabrics.items():
        if not fabric.shape.cores or not fabric.exceptions.devices:
            continue
        pair = next(_apart(fabric), None)
        if pair is not None:
            plane, one, two = pair
            plane_text = f" of plane {plane}" if fabric.shape.planes > 1 else ""
            yield Problem(
                code="pods-apart",
                what=f"pods {one} and {two}{plane_text} of {name} have no path to each other in service",
                where=("overrides",),
                why="spine k of a pod reaches spine k of another over core group k; for each k, one of the two spines "
                "is not active, or core group k has no active superspine",
                fix="return the spines of one number in both pods to service, and a superspine of their core group",
            )


def _apart(fabric: FabricPlan) -> Iterator[tuple[int, int, int]]:
    """Yield plane and numbers of pods without a common path."""
    spines, cores = _inactive(fabric, Tier.SPINE), _inactive(fabric, Tier.SUPERSPINE)
    numbers = frozenset(range(fabric.shape.spines))
    for plane in range(fabric.shape.planes):
        inactive_cores = Counter(place.su for place in cores if place.plane == plane)
        above = numbers - {number for number, count in inactive_cores.items() if count == fabric.shape.cores}
        first = Place(fabric.name, Tier.SPINE, "", plane, 0, 0, 0, 0)
        pods = [pod for pod in range(fabric.shape.pods) if place_exists(fabric, first._replace(pod=pod))]
        down = grouped_sets((place.pod, place.index) for place in spines if place.plane == plane)
        # Two complete pods represent all complete ones: these have the same paths, and are apart only if there are
        # none.
        whole = [pod for pod in pods if pod not in down][:2]
        ways = {pod: above - down.get(pod, set()) for pod in pods if pod in down or pod in whole}
        yield from ((plane, pod_a, pod_b) for pod_a, pod_b in combinations(ways, 2) if not ways[pod_a] & ways[pod_b])


def _inactive(fabric: FabricPlan, tier: Tier) -> tuple[Place, ...]:
    """Return the switches of a tier that the intent declares not active."""
    states = fabric.exceptions.devices
    inactive = (place_of(fabric, device) for device, state in states.items() if state != ACTIVE)
    return tuple(place for place in inactive if place is not None and place.tier is tier)
