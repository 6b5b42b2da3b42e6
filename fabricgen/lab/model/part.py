"""Which switches, servers and cables of a plan a lab or an export holds; each is made when it is asked for.

What is held of a switch is its place and the names of its cabled ports, once for all that have the same.
"""

from array import array
from collections.abc import Collection, Iterator

from fabricgen.device.device import Device
from fabricgen.lab.model.lab import LabEnd, LabLink, LabServer
from fabricgen.lab.model.restrict import peers, restrict
from fabricgen.lab.model.selection import Slots, kept_places, kept_slots, kept_uplinks, unit_of
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

    built  ends of the cables of a lab that stands: it has what was declared dead since
    """

    def __init__(self, plan: Plan, subset: Subset, built: Collection[LabEnd] = frozenset()) -> None:
        self.plan, self.subset = plan, subset
        self._slots = kept_slots(plan, subset)
        self._fabrics = tuple(_PartOfFabric(plan, name, subset, self._slots, built) for name in plan.fabrics)

    @property
    def name(self) -> str:
        """That of the site."""
        return self.plan.intent.site

    @property
    def systems(self) -> tuple[str, ...]:
        """Operating systems of its switches, without releases, each once."""
        found = (chassis_of(one.fabric, place).system for one in self._fabrics for place in one.kept)
        return tuple(dict.fromkeys(system.partition("-")[0] for system in found))

    def switches(self) -> Iterator[tuple[Device, tuple[LabLink, ...]]]:
        """Every switch with what it is joined to here only, and its cables to those above it.

        Fabric by fabric, a tier before the one above it.
        """
        for one in self._fabrics:
            for place in one.kept:
                yield one.device(place), tuple(one.links(place))

    def servers(self) -> Iterator[LabServer]:
        """Every kept server with a NIC on a kept leaf, by group and slot."""
        for slot in (SlotKey(group, number) for group in sorted(self._slots) for number in sorted(self._slots[group])):
            nics = [nic for one in self._fabrics for nic in one.plugged(slot)]
            if nics:
                yield make_server(self.plan, slot, nics)


class _PartOfFabric:
    """What is kept of one fabric."""

    def __init__(self, plan: Plan, name: str, subset: Subset, slots: Slots, built: Collection[LabEnd]) -> None:
        self.fabric = plan.fabrics[name]
        self.kept = kept_places(self.fabric, subset, built)
        self._site, self._subset, self._slots, self._built = make_site(plan, name), subset, slots, built
        self._standing = frozenset(self.kept)
        self._ports = self._cabled()
        self._leaves: dict[tuple[str, int], list[Place]] = {}
        for place in self.kept:
            if place.tier is Tier.LEAF:
                self._leaves.setdefault((place.group, unit_of(self.fabric, place)), []).append(place)
        self._unit, self._plugged = ("", -1), dict[SlotKey, list[PluggedNic]]()

    def device(self, place: Place) -> Device:
        """A switch with the ports and sessions that are kept."""
        whole = resolve(self._site, place)
        ports = frozenset(self._ports.get(whole.name, ()))
        cabled = ports.union(nic.row.name for _, nic in self._nics(place, whole))
        links = (link for link in rows_of(self._site.bundles.of(place)) if link.name in ports)
        return restrict(whole, cabled, frozenset(peers(self.fabric, links)))

    def links(self, place: Place) -> Iterator[LabLink]:
        """Kept cables of a switch to those above it."""
        name = name_of(self.fabric, place)
        yield from (LabLink(LabEnd(name, up.name), LabEnd(up.far_name, up.far_port)) for up in self._uplinks(place))

    def plugged(self, slot: SlotKey) -> list[PluggedNic]:
        """NICs of a server in leaves of this fabric. Those of a unit's leaves are held until another is asked for."""
        size = next((group.slots_a_unit for group in self.fabric.shape.groups if group.name == slot.group), 0)
        unit = (slot.group, slot.slot // size if size else -1)
        if unit != self._unit:
            self._unit, self._plugged = unit, {}
            for leaf in self._leaves.get(unit, ()):
                for at, nic in self._nics(leaf, resolve(self._site, leaf)):
                    self._plugged.setdefault(at, []).append(nic)
        return self._plugged.get(slot, [])

    def _nics(self, place: Place, device: Device) -> Iterator[tuple[SlotKey, PluggedNic]]:
        if place.tier is Tier.LEAF:
            yield from plugged_in(self.fabric, place, device, self._slots, self._built)

    def _uplinks(self, place: Place) -> Iterator[FabricLink]:
        name = name_of(self.fabric, place)
        return kept_uplinks(name, rows_of(self._site.bundles.of(place)), self._standing, self._subset, self._built)

    def _cabled(self) -> dict[str, Ports]:
        """Names of the ports of each switch that kept cables to other switches are in."""
        found: dict[str, array[int]] = {}
        numbers: dict[str, int] = {}
        for lower in self.kept:
            name = name_of(self.fabric, lower)
            for link in self._uplinks(lower):
                for switch, port in ((name, link.name), (link.far_name, link.far_port)):
                    found.setdefault(switch, array("I")).append(numbers.setdefault(port, len(numbers)))
        ports, alike = tuple(numbers), dict[bytes, Ports]()
        return {
            switch: alike.setdefault(own.tobytes(), tuple(map(ports.__getitem__, own))) for switch, own in found.items()
        }
