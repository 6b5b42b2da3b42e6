"""Uplinks of switches that stand before and after: those that move, and those that come or go with the spines."""

from typing import NamedTuple

from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, name_of, places, port_text, stands
from fabricgen.plan.growth import Recabling, moves_between
from fabricgen.plan.place import Tier
from fabricgen.plan.wiring import Uplink, uplinks


class UplinkChanges(NamedTuple):
    """What becomes of the cables to the next tier. Ports are those of the lower switches."""

    moves: tuple[Recabling, ...]
    going: tuple[PortKey, ...]
    coming: tuple[PortKey, ...]

    @property
    def leaving(self) -> tuple[PortKey, ...]:
        """Ports whose cable is not where it is any more: moved or gone."""
        return (*self._moved, *self.going)

    @property
    def arriving(self) -> tuple[PortKey, ...]:
        """Ports whose cable is not where it will be yet: moved or new."""
        return (*self._moved, *self.coming)

    @property
    def _moved(self) -> tuple[PortKey, ...]:
        return tuple(PortKey(move.leaf, move.leaf_port) for move in self.moves)


def changes(old: FabricPlan, new: FabricPlan) -> UplinkChanges:
    """Compare the uplinks of every switch that stands on both sides; they are counted from 0."""
    going: list[PortKey] = []
    coming: list[PortKey] = []
    for lower in places(old):
        if lower.tier is not Tier.SUPERSPINE and stands(new, lower):
            left, right = tuple(uplinks(old, lower)), tuple(uplinks(new, lower))
            going += (_key(old, link) for link in left[len(right) :])
            coming += (_key(new, link) for link in right[len(left) :])
    return UplinkChanges(tuple(moves_between(old, new)), tuple(going), tuple(coming))


def _key(plan: FabricPlan, link: Uplink) -> PortKey:
    return PortKey(name_of(plan, link.lower), port_text(plan, link.lower, link.lower_port))
