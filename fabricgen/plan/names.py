"""What exceptions may name: switches that stand, their ports, and planned slots."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.intent.model import Intent
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, places, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.topologies.request import planned_slots


class Switch(NamedTuple):
    """One switch that stands, and its fabric."""

    fabric: FabricPlan
    place: Place


class Names(NamedTuple):
    """Everything of a site that has a name.

    fabrics  by name
    devices  switches that stand, by name, in the order of fabrics and places
    ports    fabric, tier, server group and operating system without its release → ports the plan uses or keeps spare
    slots    server group that a fabric connects → how many slots are planned
    """

    fabrics: Mapping[str, FabricPlan]
    devices: Mapping[str, Switch]
    ports: Mapping[tuple[str, Tier, str, str], frozenset[str]]
    slots: Mapping[str, int]

    def ports_of(self, device: str) -> frozenset[str]:
        """Ports of a switch that stands."""
        fabric, place = self.devices[device]
        return self.ports[_kind(fabric, place)]


def _kind(fabric: FabricPlan, place: Place) -> tuple[str, Tier, str, str]:
    """What switches share that have equal ports under equal names."""
    return fabric.name, place.tier, place.group, chassis_of(fabric, place).system.partition("-")[0]


def make_names(intent: Intent, fabrics: Mapping[str, FabricPlan]) -> Names:
    """List the names of a site. Of exceptions only operating systems matter: ports are called as they call them."""
    devices = {name_of(plan, place): Switch(plan, place) for plan in fabrics.values() for place in places(plan)}
    ports: dict[tuple[str, Tier, str, str], frozenset[str]] = {}
    for plan, place in devices.values():
        key = _kind(plan, place)
        if key not in ports:
            ports[key] = _ports(plan, place)
    groups = {group.name for plan in fabrics.values() for group in plan.shape.groups}
    return Names(
        fabrics=fabrics,
        devices=devices,
        ports=ports,
        slots={name: planned_slots(group) for name, group in intent.servers.items() if name in groups},
    )


def _ports(plan: FabricPlan, place: Place) -> frozenset[str]:
    chassis = chassis_of(plan, place)
    return frozenset(port_text(plan, place, port) for port in (*chassis.down, *chassis.uplinks, *chassis.spare))
