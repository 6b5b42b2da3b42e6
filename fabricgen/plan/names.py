"""What exceptions may name: existing switches, their ports, and planned slots."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.intent.model import Intent
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, place_of, places, port_text
from fabricgen.plan.place import Place, Tier


class NamedSwitch(NamedTuple):
    """One existing switch, and its fabric."""

    fabric: FabricPlan
    place: Place


class SwitchesByName(Mapping[str, NamedSwitch]):
    """Existing switches by name, in the order of fabrics and places.

    A single name is looked up by itself; all are listed on the first request for all: most intents name a few of
    thousands.
    """

    def __init__(self, fabrics: Iterable[FabricPlan] = ()) -> None:
        self._fabrics = tuple(fabrics)
        self._listed: dict[str, NamedSwitch] | None = None

    def __getitem__(self, name: str) -> NamedSwitch:
        """One switch. Raises KeyError."""
        if self._listed is not None:
            return self._listed[name]
        # Two fabrics may have the same names while that is not checked yet: the last one wins, as in `_every`.
        for fabric in reversed(self._fabrics):
            place = place_of(fabric, name)
            if place is not None:
                return NamedSwitch(fabric, place)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        """Names, in order."""
        return iter(self._every())

    def __len__(self) -> int:
        """Number of existing switches."""
        return len(self._every())

    def _every(self) -> dict[str, NamedSwitch]:
        if self._listed is None:
            all_places = ((fabric, place) for fabric in self._fabrics for place in places(fabric))
            self._listed = {name_of(fabric, place): NamedSwitch(fabric, place) for fabric, place in all_places}
        return self._listed


class SiteNames:
    """Everything of a site that has a name.

    fabrics  by name
    devices  existing switches
    slots    server group that a fabric connects → number of planned slots
    """

    def __init__(self, fabrics: Mapping[str, FabricPlan], devices: SwitchesByName, slots: Mapping[str, int]) -> None:
        self.fabrics, self.devices, self.slots = fabrics, devices, slots
        self._ports: dict[tuple[str, Tier, str, str], frozenset[str]] = {}

    def ports_of(self, device: str) -> frozenset[str]:
        """Ports of an existing switch, used by the plan or spare."""
        fabric, place = self.devices[device]
        key = fabric.name, place.tier, place.group, chassis_of(fabric, place).system.partition("-")[0]
        if key not in self._ports:
            self._ports[key] = _ports(fabric, place)
        return self._ports[key]


def make_names(intent: Intent, fabrics: Mapping[str, FabricPlan]) -> SiteNames:
    """Names of a site. Of the exceptions only operating systems matter: they determine the names of ports."""
    groups = {group.name for plan in fabrics.values() for group in plan.shape.groups}
    slots = {name: group.planned_slots for name, group in intent.servers.items() if name in groups}
    return SiteNames(fabrics, SwitchesByName(fabrics.values()), slots)


def _ports(plan: FabricPlan, place: Place) -> frozenset[str]:
    chassis = chassis_of(plan, place)
    return frozenset(port_text(plan, place, port) for port in (*chassis.down, *chassis.uplinks, *chassis.spare))
