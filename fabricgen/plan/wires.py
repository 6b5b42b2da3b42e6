"""The cable at a port of a switch: for selectors of cables and of a port's own settings."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from fabricgen.intent.fabric import Backend
from fabricgen.plan.exceptions import Exceptions, PortKey, server_name
from fabricgen.plan.fabric import FabricPlan, binding_of, group_of, name_of, port_text
from fabricgen.plan.links import slice_name
from fabricgen.plan.names import SiteNames
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.wiring import Uplink, downlinks, host_ports, uplinks

FABRIC_CABLE, HOST_CABLE, SERVER_CABLE, OUTSIDE_CABLE = "fabric", "host", "server", "outside"
"""Between switches; to a routed NIC of a backend; to a bridged port of a server; external."""


class Wire(NamedTuple):
    """One cable. `ends`: ports of switches, the lower first; `far`: the other end if it is not a switch."""

    kind: str
    ends: tuple[PortKey, ...]
    far: PortKey | None = None


class Wires:
    """Cables of a site by their ports. Cables of dead ports are at their spare ports already.

    outside  fabric → border leaf → numbers of its ports with an external cable
    """

    def __init__(
        self,
        names: SiteNames,
        fabrics: Mapping[str, FabricPlan],
        servers: Exceptions,
        outside: Mapping[str, Mapping[int, Collection[int]]],
    ) -> None:
        self._names, self._fabrics, self._servers, self._outside = names, fabrics, servers, outside
        self._of = lru_cache(maxsize=256)(self._cables)

    def at(self, key: PortKey) -> Wire | None:
        """The cable at a port; None if the plan has none."""
        return self._of(key.device).get(key.port)

    def _cables(self, device: str) -> dict[str, Wire]:
        switch = self._names.devices[device]
        plan, place = self._fabrics[switch.fabric.name], switch.place
        wires = dict(_between_switches(plan, place))
        if place.tier is Tier.LEAF:
            wires.update(self._hosts(plan, place, device))
        if place.tier is Tier.BORDER:
            wires.update(self._outwards(plan, place, device))
        return wires

    def _hosts(self, plan: FabricPlan, leaf: Place, device: str) -> Iterator[tuple[str, Wire]]:
        kind = HOST_CABLE if isinstance(plan.fabric, Backend) else SERVER_CABLE
        for host in host_ports(plan, leaf):
            group = group_of(plan, host.group)
            server = server_name(self._servers, host.group, host.slot)
            port = port_text(plan, leaf, host.port)
            far = PortKey(server, slice_name(group, host.nic, leaf.plane))
            yield port, Wire(kind, (PortKey(device, port),), far)

    def _outwards(self, plan: FabricPlan, border: Place, device: str) -> Iterator[tuple[str, Wire]]:
        down = binding_of(plan, border).down
        for number in self._outside.get(plan.name, {}).get(border.index, ()):
            if number < len(down):
                port = port_text(plan, border, down[number])
                yield port, Wire(OUTSIDE_CABLE, (PortKey(device, port),))


def _between_switches(plan: FabricPlan, place: Place) -> Iterator[tuple[str, Wire]]:
    for link in uplinks(plan, place):
        ends = uplink_ends(plan, link)
        yield ends[0].port, Wire(FABRIC_CABLE, ends)
    for link in downlinks(plan, place) if place.tier in UPPER else ():
        ends = uplink_ends(plan, link)
        yield ends[1].port, Wire(FABRIC_CABLE, ends)


def uplink_ends(plan: FabricPlan, link: Uplink) -> tuple[PortKey, PortKey]:
    """Ports of both ends of a cable between switches, the lower first."""
    return (
        PortKey(name_of(plan, link.lower), port_text(plan, link.lower, link.lower_port)),
        PortKey(name_of(plan, link.upper), port_text(plan, link.upper, link.upper_port)),
    )
