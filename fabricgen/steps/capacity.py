"""The share of a rail's uplinks that carries traffic."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import host_ports, uplinks
from fabricgen.resolve.links import ACTIVE, link_state
from fabricgen.steps.model import Rail


def server_leaves(plan: Plan) -> frozenset[Place]:
    """Places of the leaves for servers."""
    all_places = (place for fabric in plan.fabrics.values() for place in places(fabric))
    return frozenset(place for place in all_places if place.tier is Tier.LEAF)


def totals(plan: Plan, leaves: Collection[Place]) -> dict[Rail, int]:
    """Bandwidth of all uplinks of each rail, in Gb/s; rails without uplinks are left out."""
    gbps_of: dict[Rail, int] = {}
    for fabric in plan.fabrics.values():
        for leaf in places(fabric):
            speeds = sum(link.lower_port.speed_gbps for link in uplinks(fabric, leaf)) if leaf in leaves else 0
            if speeds:
                rail = _rail(leaf)
                gbps_of[rail] = gbps_of.get(rail, 0) + speeds
    return gbps_of


def fewer(first: Mapping[Rail, int], second: Mapping[Rail, int]) -> dict[Rail, int]:
    """The smaller bandwidth of each rail that both have."""
    return {rail: min(gbps, second[rail]) for rail, gbps in first.items() if rail in second}


def shares(plan: Plan, leaves: Collection[Place], whole: Mapping[Rail, int]) -> dict[Rail, Fraction]:
    """Share of each rail's uplinks, by bandwidth, that carries traffic: both ends active, and neither switch drained.

    leaves  that count
    whole   rail → its full bandwidth: the smaller one of both sides, as uplinks may be added or removed with spines

    A rail that no server uses is left out.
    """
    carried: dict[Rail, int] = {}
    served: set[Rail] = set()
    for fabric in plan.fabrics.values():
        drained = {device for device, state in fabric.exceptions.devices.items() if state != ACTIVE}
        for leaf in places(fabric):
            if leaf in leaves:
                rail = _rail(leaf)
                carried[rail] = carried.get(rail, 0) + _carrying(fabric, leaf, drained)
                if rail not in served and any(host.present for host in host_ports(fabric, leaf)):
                    served.add(rail)
    # At most 1: `whole` is the smaller side, and this state may have more uplinks.
    return {rail: min(Fraction(carried[rail], gbps), Fraction(1)) for rail, gbps in whole.items() if rail in served}


def _rail(leaf: Place) -> Rail:
    return Rail(leaf.fabric, leaf.group, leaf.plane, leaf.pod, leaf.su, leaf.rail)


def _carrying(fabric: FabricPlan, leaf: Place, drained: Collection[str]) -> int:
    """Bandwidth of a leaf's uplinks that carry traffic, in Gb/s."""
    if drained and name_of(fabric, leaf) in drained:
        return 0
    links = [link for link in uplinks(fabric, leaf) if link_state(fabric, link) == ACTIVE]
    if drained:
        links = [link for link in links if name_of(fabric, link.upper) not in drained]
    return sum(link.lower_port.speed_gbps for link in links)


def worst(share_of: Mapping[Rail, Fraction]) -> Rail | None:
    """The first of the rails with the smallest share; None if there is no rail."""
    return min(share_of, key=lambda rail: (share_of[rail], rail), default=None)
