"""What the checks prove on formulas, counted one by one over every switch, cable and address of a small fabric."""

from collections import Counter
from collections.abc import Iterator

from fabricgen.plan.fabric import (
    FabricPlan,
    asn_of,
    binding_of,
    loopback6,
    name_of,
    own_blocks,
    places,
    router_id,
    segment_of,
)
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlinks, uplinks


def told_below(fabric: FabricPlan) -> Counter[Uplink]:
    """Cables as the switches below say."""
    return Counter(link for place in places(fabric) for link in uplinks(fabric, place))


def told_above(fabric: FabricPlan) -> Counter[Uplink]:
    """Cables as the switches above say."""
    return Counter(link for place in places(fabric) if place.tier in UPPER for link in downlinks(fabric, place))


def have_other_ends(fabric: FabricPlan) -> bool:
    """Whether both say the same."""
    return set(told_below(fabric)) == set(told_above(fabric))


def are_taken_once(fabric: FabricPlan) -> bool:
    """Whether no port of any switch has two cables, by what the switches above say; uplinks are ports, too."""
    taken = Counter((link.upper, link.upper_port[:2]) for link in told_above(fabric).elements())
    for place in places(fabric):
        bound = binding_of(fabric, place)
        # A leaf's ports down are its servers', one each.
        own = bound.up if place.tier in UPPER else (*bound.down, *bound.up)
        taken.update((place, port[:2]) for port in own)
    return max(taken.values()) == 1


def keep_to_planes(fabric: FabricPlan) -> bool:
    """Whether both ends of every cable are of one plane."""
    return all(link.lower.plane == link.upper.plane for link in told_below(fabric))


def planned(plan: Plan) -> Iterator[tuple[FabricPlan, Place]]:
    """Every place of every line of the lock, whether a switch stands there or not."""
    for fabric in plan.fabrics.values():
        for segments in fabric.segments.values():
            for segment in segments:
                yield from ((fabric, place) for place in segment.places())


def addresses(plan: Plan) -> Counter[tuple[int, int]]:
    """Every address of every planned switch, each with its family: blocks, loopbacks with their VTEPs, management."""
    found: Counter[tuple[int, int]] = Counter()
    for fabric, place in planned(plan):
        segment = segment_of(fabric, place)
        loopback = router_id(fabric, place)
        found.update([(4, loopback), (4, loopback + 1), (4, segment.oob + segment.number(place.point))])
        six = loopback6(fabric, place)
        if six is not None:
            found.update([(6, six), (6, six + 1)])
        for version, run, own in zip((4, 6), (segment.ipv4, segment.ipv6), own_blocks(fabric, place), strict=True):
            if run is not None and own is not None:
                found.update((version, own.start + at) for at in range(run.stride))
    return found


def names(plan: Plan) -> Counter[str]:
    """Every name of a planned switch."""
    return Counter(name_of(fabric, place) for fabric, place in planned(plan))


def are_asns_apart(plan: Plan) -> bool:
    """Whether only spines of one pod, and superspines of one plane, have an AS number in common."""
    owners: dict[int, set[object]] = {}
    for fabric, place in planned(plan):
        shared = {Tier.SPINE: place[:5], Tier.SUPERSPINE: place[:4]}
        owners.setdefault(asn_of(fabric, place), set()).add(shared.get(place.tier, place))
    return all(len(found) == 1 for found in owners.values())
