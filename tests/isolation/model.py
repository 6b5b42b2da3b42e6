"""What switches do with a packet of a host, by what was read from their configurations; knows no system.

A packet comes in by a port, with a VLAN tag or without one. It is bridged in a VLAN or routed by the table of one VRF:
connected networks, static routes, routes of BGP that another switch exports with a route target that the VRF imports,
and routes of VRFs that leak into it. The longest prefix decides (RFC 1812, 5.2.4.3). A packet to an own address goes to
the services, through what filters them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_interface, ip_network
from typing import NamedTuple

Frame = tuple[str, int]
"""A port and a VLAN tag, 0 without one."""
Network = IPv4Network | IPv6Network
OUTSIDE, DISCARD = "outside", "discard"
"""Where a packet leaves that follows a route which was learned from a peer outside the fabric; and a route of none."""


class Packet(NamedTuple):
    """The first packet of a flow. port 0: ICMP echo.

    by  interface that it came in by, as the switch that takes it calls it
    """

    source: str
    destination: str
    protocol: str = "icmp"
    port: int = 0
    by: str = ""


class Interface(NamedTuple):
    """A routed interface. vrf: empty for the default one."""

    vrf: str
    addresses: tuple[str, ...]


class Vlan(NamedTuple):
    """A bridged network: its gateway's interface, and the route targets of its L2 VNI."""

    interface: str
    imports: frozenset[str]
    exports: frozenset[str]


@dataclass(frozen=True)
class Vrf:
    """A routing table.

    imports, exports  route targets
    originated        prefixes that it hands to BGP
    outside           prefixes that it takes from peers outside the fabric
    statics           prefix → VRF that its next hop is in, or DISCARD
    leaks             VRFs whose routes it has, too
    goes_on           a lookup that finds nothing goes on in the default VRF
    """

    imports: frozenset[str] = frozenset()
    exports: frozenset[str] = frozenset()
    originated: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    statics: Mapping[str, str] = field(default_factory=dict)
    leaks: frozenset[str] = frozenset()
    goes_on: bool = False


@dataclass(frozen=True)
class Switch:
    """One switch, as its files say.

    bridged  frame → VLAN; routed: frame → interface
    takes    VRF and packet to an own address in it → answered, or what refuses it: filter or service
    """

    bridged: Mapping[Frame, str]
    routed: Mapping[Frame, str]
    vlans: Mapping[str, Vlan]
    interfaces: Mapping[str, Interface]
    vrfs: Mapping[str, Vrf]
    takes: Callable[[str, Packet], str]

    def vrf(self, name: str) -> Vrf:
        return self.vrfs.get(name, Vrf())

    def interface(self, frame: Frame) -> str:
        """Where a frame is routed; empty where nothing routes it."""
        vlan = self.bridged.get(frame)
        return self.vlans[vlan].interface if vlan else self.routed.get(frame, "")


Site = Mapping[str, Switch]


class Route(NamedTuple):
    """What a lookup found: the switch that has the destination, and the VRF there; no switch for a peer outside."""

    prefix: str
    switch: str
    vrf: str


def judge(site: Site, name: str, frame: Frame, packet: Packet, rows: Iterable[tuple[str, int]]) -> set[str]:
    """What becomes of packets that come in at a switch, one for each protocol and port.

    forwarded V  by the table of VRF V, to a host; outside V: to a peer outside the fabric; answered, filter, service:
    as `Switch.takes`; no interface: nothing routes the frame; no route: the table does not have the destination
    """
    switch = site[name]
    interface = switch.interface(frame)
    if interface not in switch.interfaces:
        return {"no interface"}
    vrf = switch.interfaces[interface].vrf
    found = lookup(site, name, vrf, packet.destination)
    if found is None or found.switch == DISCARD:
        return {"no route"}
    if found.switch == OUTSIDE:
        return {f"{OUTSIDE} {found.vrf}"}
    for far in (found.switch, *(site if not found.vrf else ())):
        # Both ends of a link of the fabric are connected to it, each with an address of its own.
        if is_own(site[far], found.vrf, packet.destination):
            taken = packet._replace(by=interface if far == name else "fabric")
            return {site[far].takes(found.vrf, taken._replace(protocol=row[0], port=row[1])) for row in rows}
    return {f"forwarded {found.vrf}"}


def is_own(switch: Switch, vrf: str, address: str) -> bool:
    """Whether an address is one of the switch's own in a VRF."""
    own = (at for row in switch.interfaces.values() if row.vrf == vrf for at in row.addresses)
    return any(_address(at) == ip_address(address) for at in own)


@cache
def _address(text: str) -> IPv4Address | IPv6Address:
    return ip_interface(text).ip


def lookup(site: Site, name: str, vrf: str, address: str) -> Route | None:
    """The route of the longest prefix; an own address of the switch comes first of those alike."""
    at = ip_address(address)
    matching = [row for row in table(site, name, vrf, ()) if at in _network(row.prefix)]
    if not matching:
        return lookup(site, name, "", address) if vrf and site[name].vrf(vrf).goes_on else None
    return max(matching, key=lambda row: (_network(row.prefix).prefixlen, row.switch == name))


@cache
def _network(text: str) -> Network:
    return ip_network(text, strict=False)


def table(site: Site, name: str, vrf: str, seen: tuple[str, ...]) -> Iterator[Route]:
    """All routes of a VRF of a switch; `seen`: VRFs that leak into each other."""
    switch, own = site[name], site[name].vrf(vrf)
    for row in switch.interfaces.values():
        if row.vrf == vrf:
            yield from (Route(address, name, vrf) for address in row.addresses)
    for prefix, there in own.statics.items():
        far = DISCARD if there == DISCARD else OUTSIDE
        yield Route(prefix, far, vrf) if there in (vrf, DISCARD) else from_vrf(site, name, there, prefix)
    yield from (Route(prefix, OUTSIDE, vrf) for prefix in own.outside)
    for other in own.leaks:
        if other not in seen:
            yield from table(site, name, other, (*seen, vrf))
    yield from _learned(site, name, vrf)


def from_vrf(site: Site, name: str, vrf: str, prefix: str) -> Route:
    """A static route into another VRF: the first of its routes that the prefix covers, else out of the fabric."""
    inside = (row for row in table(site, name, vrf, (vrf,)) if _covers(prefix, row.prefix))
    return next((row._replace(prefix=prefix) for row in inside), Route(prefix, OUTSIDE, vrf))


def _covers(prefix: str, other: str) -> bool:
    one, two = _network(prefix), _network(other)
    return one.version == two.version and two.network_address in one


def _learned(site: Site, name: str, vrf: str) -> Iterator[Route]:
    """Routes of other switches: by route targets, and in the default VRF by BGP of the underlay."""
    imports = site[name].vrf(vrf).imports
    for far, switch in site.items():
        for there, row in switch.vrfs.items():
            if far != name and (imports & row.exports or there == vrf == ""):
                yield from (Route(prefix, far, there) for prefix in row.originated)
                yield from (Route(prefix, OUTSIDE, there) for prefix in row.outside)


def broadcast(site: Site, name: str, frame: Frame) -> set[tuple[str, Frame]]:
    """Ports that a broadcast frame leaves by: those of its VLAN, and of VLANs that import what its L2 VNI exports."""
    vlan = site[name].bridged.get(frame)
    if not vlan:
        return set()
    exports = site[name].vlans[vlan].exports
    return {
        (far, port)
        for far, switch in site.items()
        for port, there in switch.bridged.items()
        if (far == name and there == vlan) or (far != name and switch.vlans[there].imports & exports)
    } - {(name, frame)}
