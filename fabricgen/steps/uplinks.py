"""Uplinks of switches that exist before and after: those that move, and those that are added or removed with spines."""

from typing import NamedTuple

from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, name_of, place_exists, places, port_text
from fabricgen.plan.growth import Recabling, moves_between
from fabricgen.plan.place import Tier
from fabricgen.plan.wiring import Uplink, uplinks


class UplinkChanges(NamedTuple):
    """Changes of the cables to the next tier. Ports are those of the lower switches."""

    moves: tuple[Recabling, ...]
    going: tuple[PortKey, ...]
    coming: tuple[PortKey, ...]

    @property
    def leaving(self) -> tuple[PortKey, ...]:
        """Ports whose cable leaves its present place: moved or removed."""
        return (*self._moved, *self.going)

    @property
    def arriving(self) -> tuple[PortKey, ...]:
        """Ports whose cable gets a new place: moved or new."""
        return (*self._moved, *self.coming)

    @property
    def _moved(self) -> tuple[PortKey, ...]:
        return tuple(PortKey(move.leaf, move.leaf_port) for move in self.moves)


def changes(old: FabricPlan, new: FabricPlan) -> UplinkChanges:
    """Compare the uplinks of every switch that exists on both sides; they are counted from 0."""
    going: list[PortKey] = []
    coming: list[PortKey] = []
    for lower in places(old):
        if lower.tier is not Tier.SUPERSPINE and place_exists(new, lower):
            old_links, new_links = tuple(uplinks(old, lower)), tuple(uplinks(new, lower))
            going += (_key(old, link) for link in old_links[len(new_links) :])
            coming += (_key(new, link) for link in new_links[len(old_links) :])
    return UplinkChanges(tuple(moves_between(old, new)), tuple(going), tuple(coming))


def _key(plan: FabricPlan, link: Uplink) -> PortKey:
    return PortKey(name_of(plan, link.lower), port_text(plan, link.lower, link.lower_port))
