"""Switches, servers and cables of a plan that a lab or an export contains; each is resolved only on request.

Of each switch only its place and its cabled ports are held; switches with equal ports share one tuple.
"""

from array import array
from collections.abc import Collection, Iterator

from fabricgen.device.device import Device
from fabricgen.lab.model.lab import LabEnd, LabLink, LabServer
from fabricgen.lab.model.restrict import peers, restrict
from fabricgen.lab.model.selection import Slots, selected_places, selected_slots, selected_uplinks, unit_of
from fabricgen.lab.model.servers import PluggedNic, make_server, plugged_in
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import chassis_of, name_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.resolve.links import FabricLink, rows_of

Ports = tuple[str, ...]


class PlanSubset:
    """A subset of a plan, as a stream.

    built  ends of the cables of a running lab: it has what was declared dead since
    """

    def __init__(self, plan: Plan, subset: Subset, built: Collection[LabEnd] = frozenset()) -> None:
        self.plan, self.subset = plan, subset
        self._slots = selected_slots(plan, subset)
        self._fabrics = tuple(_PartOfFabric(plan, name, subset, self._slots, built) for name in plan.fabrics)

    @property
    def name(self) -> str:
        """Name of the site."""
        return self.plan.intent.site

    @property
    def systems(self) -> tuple[str, ...]:
        """Operating systems of its switches, without releases, without duplicates."""
        systems = (chassis_of(part.fabric, place).system for part in self._fabrics for place in part.kept)
        return tuple(dict.fromkeys(system.partition("-")[0] for system in systems))

    def switches(self) -> Iterator[tuple[Device, tuple[LabLink, ...]]]:
        """Every switch, with only the connections inside the subset, and its cables to the switches above it.

        Fabric by fabric, each tier before the one above it.
        """
        for part in self._fabrics:
            for place in part.kept:
                yield part.device(place), tuple(part.links(place))

    def servers(self) -> Iterator[LabServer]:
        """Every kept server with a NIC on a kept leaf, by group and slot."""
        for slot in (SlotKey(group, number) for group in sorted(self._slots) for number in sorted(self._slots[group])):
            nics = [nic for part in self._fabrics for nic in part.plugged(slot)]
            if nics:
                yield make_server(self.plan, slot, nics)


class _PartOfFabric:
    """The kept part of one fabric."""

    def __init__(self, plan: Plan, name: str, subset: Subset, slots: Slots, built: Collection[LabEnd]) -> None:
        self.fabric = plan.fabrics[name]
        self.kept = selected_places(self.fabric, subset, built)
        self._site, self._subset, self._slots, self._built = make_site(plan, name), subset, slots, built
        self._standing = frozenset(self.kept)
        self._ports = self._cabled()
        self._leaves: dict[tuple[str, int], list[Place]] = {}
        for place in self.kept:
            if place.tier is Tier.LEAF:
                self._leaves.setdefault((place.group, unit_of(self.fabric, place)), []).append(place)
        self._unit, self._plugged = ("", -1), dict[SlotKey, list[PluggedNic]]()

    def device(self, place: Place) -> Device:
        """Return a switch with its kept ports and sessions."""
        full_device = resolve(self._site, place)
        ports = frozenset(self._ports.get(full_device.name, ()))
        host_ports = frozenset(nic.row.name for _, nic in self._nics(place, full_device))
        links = (link for link in rows_of(self._site.bundles.of(place)) if link.name in ports)
        return restrict(full_device, ports | host_ports, host_ports.union(peers(self.fabric, links)))

    def links(self, place: Place) -> Iterator[LabLink]:
        """Kept cables of a switch to those above it."""
        name = name_of(self.fabric, place)
        yield from (LabLink(LabEnd(name, up.name), LabEnd(up.far_name, up.far_port)) for up in self._uplinks(place))

    def plugged(self, slot: SlotKey) -> list[PluggedNic]:
        """Return a server's NICs on leaves of this fabric. The NICs of the last unit are cached."""
        group = next((group for group in self.fabric.shape.groups if group.name == slot.group), None)
        unit = (group.leaves_of, slot.slot // group.slots_a_unit) if group is not None else ("", -1)
        if unit != self._unit:
            self._unit, self._plugged = unit, {}
            for leaf in self._leaves.get(unit, ()):
                for nic_slot, nic in self._nics(leaf, resolve(self._site, leaf)):
                    self._plugged.setdefault(nic_slot, []).append(nic)
        return self._plugged.get(slot, [])

    def _nics(self, place: Place, device: Device) -> Iterator[tuple[SlotKey, PluggedNic]]:
        if place.tier is Tier.LEAF:
            yield from plugged_in(self.fabric, place, device, self._slots, self._built)

    def _uplinks(self, place: Place) -> Iterator[FabricLink]:
        name = name_of(self.fabric, place)
        return selected_uplinks(name, rows_of(self._site.bundles.of(place)), self._standing, self._subset, self._built)

    def _cabled(self) -> dict[str, Ports]:
        """Return the names of each switch's ports that have kept cables to other switches."""
        rows: dict[str, array[int]] = {}
        numbers: dict[str, int] = {}
        for lower in self.kept:
            name = name_of(self.fabric, lower)
            for link in self._uplinks(lower):
                for switch, port in ((name, link.name), (link.far_name, link.far_port)):
                    rows.setdefault(switch, array("I")).append(numbers.setdefault(port, len(numbers)))
        ports, shared = tuple(numbers), dict[bytes, Ports]()
        return {
            switch: shared.setdefault(row.tobytes(), tuple(map(ports.__getitem__, row))) for switch, row in rows.items()
        }
