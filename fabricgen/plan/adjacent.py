"""Links of a switch to the tiers above and below it; what equal switches share is computed once.

All leaves of a pod have the same spines above, all spines of a pod have the same leaves below, and so on. `wiring`
computes one cable; this module computes all cables of a switch in one direction.
"""

from collections.abc import Hashable, Iterable
from typing import NamedTuple, TypeVar

from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.fabric import FabricPlan, OwnBlock, binding_of, name_of, numbers_of, own_blocks, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Above, Below, above_of

MOST_UP = 256
"""Limit on the cached upward fans of spines: more than a pod has spines, each of which has its own core group."""
MOST_OF_LEAVES = 16
"""Limit on those of leaves: in the order of places, leaves of one pod and plane follow each other closely."""
MOST_DOWN = 4
"""Limit on the cached downward fans: all switches that share one follow each other."""


class Panel(NamedTuple):
    """Ports of a switch towards the tiers below and above, in the order of their links, and their names."""

    down: tuple[PanelPort, ...]
    up: tuple[PanelPort, ...]
    down_names: tuple[str, ...]
    up_names: tuple[str, ...]


class Fan(NamedTuple):
    """Links in one direction that equal switches have, in the order of their ports: one column per shared property.

    ports, names  own ports, and their names in the operating system
    turns         index of the link within its pair, from 0
    far_ports     names of all ports of the far switch in this direction
    fours, sixes  IPv4 and IPv6 blocks of the far switch if it is the lower end, whose block has the addresses of both
                  ends
    """

    ports: tuple[PanelPort, ...]
    names: tuple[str, ...]
    turns: tuple[int, ...]
    fars: tuple[Place, ...]
    far_names: tuple[str, ...]
    far_asns: tuple[int, ...]
    far_ports: tuple[tuple[str, ...], ...]
    fours: tuple[OwnBlock | None, ...] = ()
    sixes: tuple[OwnBlock | None, ...] = ()


class DirectionLinks(NamedTuple):
    """Links of one switch in one direction. ats: position of the port at the far ends, by the turn of a link."""

    fan: Fan
    ats: tuple[int, ...]

    @property
    def far_ports(self) -> list[str]:
        """Names of the ports at the far ends."""
        ats = self.ats
        return [names[ats[turn]] for names, turn in zip(self.fan.far_ports, self.fan.turns, strict=True)]


class Adjacent:
    """Links of the switches of one fabric."""

    def __init__(self, plan: FabricPlan) -> None:
        self._plan = plan
        self._panels: dict[tuple[Tier, str, str], Panel] = {}
        self._up: dict[tuple[Tier, str, Place], Fan] = {}
        self._of_leaves: dict[tuple[Tier, str, Place], Fan] = {}
        self._down: dict[Place, Fan] = {}
        exceptions = plan.exceptions
        self._other = {*plan.bindings, *exceptions.systems}
        self._stated = {*exceptions.devices, *(key.device for key in (*exceptions.ports, *exceptions.broken))}

    def is_stated(self, name: str, others: Iterable[str]) -> bool:
        """Whether an exception gives a state to any of these switches, to their ports or to the cables at them."""
        return name in self._stated or not self._stated.isdisjoint(others)

    def panel(self, place: Place) -> Panel:
        """Ports of a switch. All of a tier and server group have the same, except with dead ports or another system."""
        name = name_of(self._plan, place) if self._other else ""
        if name in self._plan.bindings:
            return _panel(self._plan, place)
        # Names of ports are those of an operating system, whichever release of it.
        system = self._plan.exceptions.systems.get(name, "").partition("-")[0]
        key = (place.tier, place.group, system)
        cached = self._panels.get(key)
        return cached if cached is not None else _add_to_cache(self._panels, key, _panel(self._plan, place), MOST_UP)

    def _is_other(self, place: Place) -> bool:
        return bool(self._other) and name_of(self._plan, place) in self._other

    def up(self, lower: Place) -> DirectionLinks | None:
        """Links to the tier above, by number; None if there is no tier above."""
        above = above_of(self._plan, lower)
        if above is None:
            return None
        if self._is_other(lower):
            fan = self._fan_up(lower, above)
        else:
            key = (lower.tier, lower.group, above.first)
            cache, limit = (self._up, MOST_UP) if lower.tier is Tier.SPINE else (self._of_leaves, MOST_OF_LEAVES)
            fan = cache.get(key) or _add_to_cache(cache, key, self._fan_up(lower, above), limit)
        turns = -(-len(fan.ports) // above.equals)
        return DirectionLinks(fan, tuple(above.at(turn) for turn in range(turns)))

    def down(self, upper: Place) -> DirectionLinks:
        """Links of a spine or superspine to the existing switches below it, in the order of its ports."""
        below = Below(self._plan, upper)
        if self._is_other(upper):
            fan = self._fan_down(upper, below)
        else:
            key = upper._replace(index=0)
            fan = self._down.get(key) or _add_to_cache(self._down, key, self._fan_down(upper, below), MOST_DOWN)
        return DirectionLinks(fan, tuple(turn * below.equals + upper.index for turn in range(below.links)))

    def _fan_up(self, lower: Place, above: Above) -> Fan:
        panel = self.panel(lower)
        uppers = [above.place(index) for index in range(above.equals)]
        ends = [divmod(number, above.equals) for number in range(len(panel.up))]
        names = [self.panel(upper).down_names for upper in uppers]
        return self._fan((panel.up, panel.up_names), (uppers, names), ends)

    def _fan_down(self, upper: Place, below: Below) -> Fan:
        panel = self.panel(upper)
        existing = [(row, lower_links[0]) for row in range(below.rows) if (lower_links := below.at(row)) is not None]
        lowers = [lower for _, lower in existing]
        ends = [(turn, index) for turn in range(below.links) for index in range(len(lowers))]
        seats = [turn * below.rows + row for turn in range(below.links) for row, _ in existing]
        near_ports = (tuple(panel.down[seat] for seat in seats), tuple(panel.down_names[seat] for seat in seats))
        fan = self._fan(near_ports, (lowers, [self.panel(lower).up_names for lower in lowers]), ends)
        blocks = [own_blocks(self._plan, lower) for lower in lowers]
        return fan._replace(
            fours=tuple(blocks[index][0] for _, index in ends), sixes=tuple(blocks[index][1] for _, index in ends)
        )

    def _fan(
        self,
        near: tuple[tuple[PanelPort, ...], tuple[str, ...]],
        far: tuple[list[Place], list[tuple[str, ...]]],
        ends: list[tuple[int, int]],
    ) -> Fan:
        """Build a fan.

        near: own ports and their names, by link; far: switches and their port names; ends: turn and switch.
        """
        numbers = [numbers_of(self._plan, place) for place in far[0]]
        switches = [index for _, index in ends]
        return Fan(
            *near,
            turns=tuple(turn for turn, _ in ends),
            fars=tuple(far[0][index] for index in switches),
            far_names=tuple(numbers[index].name for index in switches),
            far_asns=tuple(numbers[index].asn for index in switches),
            far_ports=tuple(far[1][index] for index in switches),
        )


def _panel(plan: FabricPlan, place: Place) -> Panel:
    down, up, _ = binding_of(plan, place)
    down_names, up_names = (tuple(port_text(plan, place, port) for port in ports) for ports in (down, up))
    return Panel(down, up, down_names, up_names)


Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")


def _add_to_cache(cache: dict[Key, Kept], key: Key, value: Kept, limit: int) -> Kept:
    """Add an entry to a cache; a full cache is emptied first."""
    if len(cache) >= limit:
        cache.clear()
    cache[key] = value
    return value
