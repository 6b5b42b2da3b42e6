"""How much of its uplinks a rail has that carries traffic."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import host_ports, uplinks
from fabricgen.resolve.links import ACTIVE, link_state
from fabricgen.steps.model import Rail


def standing(plan: Plan) -> frozenset[Place]:
    """Leaves for servers that stand."""
    found = (place for fabric in plan.fabrics.values() for place in places(fabric))
    return frozenset(place for place in found if place.tier is Tier.LEAF)


def totals(plan: Plan, leaves: Collection[Place]) -> dict[Rail, int]:
    """Bandwidth of all uplinks of each rail, in Gb/s; rails without uplinks are left out."""
    found: dict[Rail, int] = {}
    for fabric in plan.fabrics.values():
        for leaf in places(fabric):
            speeds = sum(link.lower_port.speed_gbps for link in uplinks(fabric, leaf)) if leaf in leaves else 0
            if speeds:
                rail = _rail(leaf)
                found[rail] = found.get(rail, 0) + speeds
    return found


def fewer(one: Mapping[Rail, int], other: Mapping[Rail, int]) -> dict[Rail, int]:
    """Of each rail that both have the smaller bandwidth."""
    return {rail: min(gbps, other[rail]) for rail, gbps in one.items() if rail in other}


def shares(plan: Plan, leaves: Collection[Place], whole: Mapping[Rail, int]) -> dict[Rail, Fraction]:
    """Share of each rail's uplinks, by bandwidth, that carries traffic: both ends active, and neither switch drained.

    leaves  that count
    whole   rail → bandwidth that is all of it: the smaller one of both sides, as uplinks may come or go with spines

    A rail that no server uses has none.
    """
    found: dict[Rail, int] = {}
    served: set[Rail] = set()
    for fabric in plan.fabrics.values():
        drained = {device for device, state in fabric.exceptions.devices.items() if state != ACTIVE}
        for leaf in places(fabric):
            if leaf in leaves:
                rail = _rail(leaf)
                found[rail] = found.get(rail, 0) + _carrying(fabric, leaf, drained)
                if rail not in served and any(host.present for host in host_ports(fabric, leaf)):
                    served.add(rail)
    return {rail: min(Fraction(found[rail], gbps), Fraction(1)) for rail, gbps in whole.items() if rail in served}


def _rail(leaf: Place) -> Rail:
    return Rail(leaf.fabric, leaf.group, leaf.plane, leaf.pod, leaf.su, leaf.rail)


def _carrying(fabric: FabricPlan, leaf: Place, drained: Collection[str]) -> int:
    """Bandwidth of a leaf's uplinks that carry traffic."""
    if drained and name_of(fabric, leaf) in drained:
        return 0
    links = [link for link in uplinks(fabric, leaf) if link_state(fabric, link) == ACTIVE]
    if drained:
        links = [link for link in links if name_of(fabric, link.upper) not in drained]
    return sum(link.lower_port.speed_gbps for link in links)


def worst(found: Mapping[Rail, Fraction]) -> Rail | None:
    """The first of the rails with the least share; None where there is no rail."""
    return min(found, key=lambda rail: (found[rail], rail), default=None)
