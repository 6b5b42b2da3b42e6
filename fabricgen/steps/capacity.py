"""The share of a rail's uplinks, and of the superspines above them, that carries traffic."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.plan.fabric import FabricPlan, name_of, places, state_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import host_ports, uplinks
from fabricgen.resolve.links import ACTIVE, link_state
from fabricgen.steps.model import Rail


def server_leaves(plan: Plan) -> frozenset[Place]:
    """Places of the leaves for servers."""
    all_places = (place for fabric in plan.fabrics.values() for place in places(fabric))
    return frozenset(place for place in all_places if place.tier is Tier.LEAF)


class _Uplinks(NamedTuple):
    """Uplinks of one leaf that no state of a port takes out of service. gbps: switch above → their bandwidth."""

    rail: Rail
    name: str
    gbps: Mapping[str, int]


class Capacity:
    """Shares of all rails, state by state; what states have in common is looked up once.

    Counted are the leaves that exist before and after. A rail has its full bandwidth on the smaller one of both sides,
    as uplinks may be added or removed with spines. A rail without uplinks is left out.
    """

    def __init__(self, before: Plan, after: Plan) -> None:
        self._leaves = server_leaves(before) & server_leaves(after)
        old, new = (_totals(plan, self._leaves) for plan in (before, after))
        self._whole = {rail: min(gbps, new[rail]) for rail, gbps in old.items() if rail in new}
        self._known: list[tuple[FabricPlan, dict[Place, _Uplinks]]] = []

    def shares(self, plan: Plan) -> dict[Rail, Fraction]:
        """Share of each rail's uplinks, by bandwidth, that carries traffic: both ends active, and no switch drained.

        A rail that no server uses is left out.
        """
        carried: dict[Rail, int] = {}
        served: set[Rail] = set()
        for fabric in plan.fabrics.values():
            out = {device for device, state in fabric.exceptions.devices.items() if state != ACTIVE}
            for leaf, own in self._uplinks(fabric).items():
                carried[own.rail] = carried.get(own.rail, 0) + _carried(own, out)
                if own.rail not in served and any(host.present for host in host_ports(fabric, leaf)):
                    served.add(own.rail)
        # At most 1: this state may have more uplinks than the smaller side.
        return {
            rail: min(Fraction(carried[rail], gbps), Fraction(1))
            for rail, gbps in self._whole.items()
            if rail in served
        }

    def _uplinks(self, fabric: FabricPlan) -> dict[Place, _Uplinks]:
        """Uplinks of each leaf: the same in states that differ in switches and slots only."""
        for known, uplinks_of in self._known:
            if known.name == fabric.name and _ports_of(known) == _ports_of(fabric):
                return uplinks_of
        uplinks_of = {leaf: _uplinks_of(fabric, leaf) for leaf in places(fabric) if leaf in self._leaves}
        self._known.append((fabric, uplinks_of))
        return uplinks_of


def _totals(plan: Plan, leaves: Collection[Place]) -> dict[Rail, int]:
    """Bandwidth of all uplinks of each rail, in Gb/s; rails without uplinks are left out."""
    gbps_of: dict[Rail, int] = {}
    for fabric in plan.fabrics.values():
        for leaf in places(fabric):
            speeds = sum(link.lower_port.speed_gbps for link in uplinks(fabric, leaf)) if leaf in leaves else 0
            if speeds:
                rail = _rail(leaf)
                gbps_of[rail] = gbps_of.get(rail, 0) + speeds
    return gbps_of


def _ports_of(fabric: FabricPlan) -> tuple[object, ...]:
    """What the uplinks of leaves depend on, except states of switches."""
    return fabric.shape, fabric.segments, fabric.bindings, fabric.exceptions.ports, fabric.exceptions.broken


def _uplinks_of(fabric: FabricPlan, leaf: Place) -> _Uplinks:
    of_ports = replace(fabric, exceptions=fabric.exceptions._replace(devices={}))
    links = (link for link in uplinks(fabric, leaf) if link_state(of_ports, link) == ACTIVE)
    speeds = grouped((name_of(fabric, link.upper), link.lower_port.speed_gbps) for link in links)
    return _Uplinks(_rail(leaf), name_of(fabric, leaf), {name: sum(gbps) for name, gbps in speeds.items()})


def _rail(leaf: Place) -> Rail:
    return Rail(leaf.fabric, leaf.group, leaf.plane, leaf.pod, leaf.su, leaf.rail)


def _carried(own: _Uplinks, out: Collection[str]) -> int:
    """Bandwidth of a leaf's uplinks that carry traffic, in Gb/s. out: switches that are not active."""
    if own.name in out:
        return 0
    return sum(gbps for name, gbps in own.gbps.items() if name not in out)


class Ways(NamedTuple):
    """Superspines of a plane, and those that carry traffic of one of its pods: they are active, and so is their spine.

    total    superspines of the plane
    serving  names
    """

    plane: int
    pod: int
    total: int
    serving: frozenset[str]

    @property
    def share(self) -> Fraction:
        """Share of the superspines that carry traffic of the pod."""
        return Fraction(len(self.serving), self.total)


def ways(fabric: FabricPlan) -> Iterator[Ways]:
    """Yield the ways of each plane and pod; none without superspines."""
    if fabric.shape.core is None:
        return
    spines = [place for place in places(fabric) if place.tier is Tier.SPINE]
    idle = {(place.plane, place.pod, place.index) for place in spines if state_of(fabric, place) != ACTIVE}
    by_plane = grouped((place.plane, place) for place in places(fabric) if place.tier is Tier.SUPERSPINE)
    for plane, superspines in by_plane.items():
        active = {name_of(fabric, place): place.su for place in superspines if state_of(fabric, place) == ACTIVE}
        for pod in dict.fromkeys(place.pod for place in spines):
            serving = frozenset(name for name, spine in active.items() if (plane, pod, spine) not in idle)
            yield Ways(plane, pod, len(superspines), serving)


def with_superspines(plan: Plan, share_of: Mapping[Rail, Fraction]) -> dict[Rail, Fraction]:
    """Shares of rails; of a rail whose pod has lost more of the superspines, the share of those."""
    above = {(name, way.plane, way.pod): way.share for name, fabric in plan.fabrics.items() for way in ways(fabric)}
    return {rail: min(share, above.get((rail.fabric, rail.plane, rail.pod), share)) for rail, share in share_of.items()}


def worst(share_of: Mapping[Rail, Fraction]) -> Rail | None:
    """The first of the rails with the smallest share; None if there is no rail."""
    return min(share_of, key=lambda rail: (share_of[rail], rail), default=None)
