"""From the routing of a Device to SR Linux's network instances: their members, their BGP, EVPN instances."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.evpn import Vlan, Vrf
from fabricgen.device.routing import BgpVrf, ExternalNeighbor, Neighbor, PeerGroup
from fabricgen.platforms.srlinux.policy import export_policy
from fabricgen.platforms.srlinux.ports import GATEWAYS, LOOPBACKS, loopbacks, quoted, vlans
from fabricgen.platforms.srlinux.releases import is_newer

DEFAULT = "default"
FAMILIES = {"ipv4": "ipv4-unicast", "ipv6": "ipv6-unicast", "evpn": "evpn"}
LAST_EVI = 65535
"""EVIs of VRFs count down from here by the tenant's number; the EVI of a VLAN is its number (1-4094)."""
ALIASES = 8
"""Largest number of paths of a mac-vrf (a `must` of the models)."""
OUTSIDE = "EXTERNAL"
"""Prefix of the names of peer groups for external sessions."""


class Member(NamedTuple):
    """A subinterface of a network instance."""

    vrf: str
    name: str


class FamilyContext(NamedTuple):
    """One address family of a peer group, on or off.

    limit     prefixes that a session may bring; 0 if the family is off, or for EVPN sessions that must stay up: there
              the models have no warning without closing the session
    warns     a session above the limit stays up
    next_hops whether IPv4 prefixes have IPv6 next hops (RFC 8950), as JSON; empty if that of the instance holds
    types     JSON list of the communities that are sent; empty if the family is off, or before 25.3
    """

    name: str
    state: str
    limit: int
    next_hops: str
    types: str
    warns: bool


class GroupContext(NamedTuple):
    """A peer group. Each session over an unnumbered link has its own, which carries its settings."""

    row: PeerGroup
    name: str
    description: str
    route_map_in: str
    route_map_out: str
    source: str
    families: tuple[FamilyContext, ...]

    @property
    def restart_seconds(self) -> int:
        """How long a session stays closed after too many routes."""
        return 60 * self.row.restart_minutes


class NeighborContext(NamedTuple):
    """A session with an address; empty maps are those of its group."""

    row: Neighbor
    description: str


class LinkSession(NamedTuple):
    """A session over an unnumbered link."""

    row: Neighbor
    group: str


class InstanceFamily(NamedTuple):
    """An address family of a BGP instance. `transit` passes on EVPN routes that no instance here imports."""

    name: str
    paths: int
    extended: bool
    transit: bool


class NextHop(NamedTuple):
    """A next-hop group of a network instance; an empty address discards."""

    vrf: str
    name: str
    address: str


class RouteContext(NamedTuple):
    """A static route and its next-hop group."""

    vrf: str
    prefix: str
    group: str


class VlanContext(NamedTuple):
    """A mac-vrf. Its EVI is the VLAN, which the DF election uses (RFC 7432 section 8.5).

    paths  leaves of one Ethernet segment that a flow may use
    """

    row: Vlan
    name: str
    description: str
    paths: int


class VrfContext(NamedTuple):
    """An ip-vrf with its EVPN instance; `imported` is its first route target, since the YANG leaf takes no list."""

    row: Vrf
    bgp: BgpVrf
    evi: int
    imported: str
    export_policy: str
    neighbors: tuple["OutsideContext", ...]


class OutsideContext(NamedTuple):
    """An external session; `others` are the families of the VRF that it does not carry."""

    row: ExternalNeighbor
    description: str
    group: str
    family: str
    others: tuple[str, ...]

    @property
    def restart_seconds(self) -> int:
        """How long it stays closed after too many routes."""
        return 60 * self.row.restart_minutes


def instance(vlan: int) -> str:
    """Return the name of a VLAN's mac-vrf; names of tenants are in lower case."""
    return f"VLAN-{vlan}"


def members(device: Device) -> Iterator[Member]:
    """Yield every subinterface with its network instance; that of a gateway with both of its instances."""
    parents = {row.parent for row in device.interfaces.subinterfaces}
    for loopback in loopbacks(device):
        yield Member(loopback.vrf, f"{loopback.name}.{loopback.number}")
    for row in device.interfaces.ethernet:
        if row.profile.routed and row.name not in parents:
            yield Member(row.vrf or DEFAULT, f"{row.name}.0")
        elif row.switching and not row.lag:
            yield from (Member(instance(vlan), f"{row.name}.{vlan}") for vlan in vlans(row.switching))
    for lag in device.interfaces.lags:
        yield from (Member(instance(vlan), f"lag{lag.number}.{vlan}") for vlan in vlans(lag.switching))
    for tagged in device.interfaces.subinterfaces:
        yield Member(tagged.vrf, f"{tagged.parent}.{tagged.vlan_id}")
    for gateway in device.evpn.gateways if device.evpn else ():
        yield Member(instance(gateway.vlan_id), f"{GATEWAYS}.{gateway.vlan_id}")
        yield Member(gateway.vrf, f"{GATEWAYS}.{gateway.vlan_id}")


def link_group(row: Neighbor) -> str:
    """Return the peer group of the one session over an unnumbered link, named after its port."""
    return f"{row.group}-{row.interface.replace('/', '-')}"


def families(device: Device) -> tuple[str, ...]:
    """Return the families that any session of the default instance carries, in a fixed order."""
    carried = {family for group in device.routing.bgp.groups for family in group.families}
    return tuple(family for family in FAMILIES if family in carried)


def instance_families(device: Device) -> Iterator[InstanceFamily]:
    """Yield the families of the default instance."""
    bgp = device.routing.bgp
    has_unnumbered = any(group.extended_next_hop for group in bgp.groups)
    for family in families(device):
        is_overlay = family == "evpn"
        yield InstanceFamily(
            name=FAMILIES[family],
            paths=bgp.overlay_paths if is_overlay else bgp.maximum_paths,
            extended=has_unnumbered and family == "ipv4",
            transit=is_overlay,
        )


def groups(device: Device) -> Iterator[GroupContext]:
    """Yield peer groups in the order of the Device; a group of unnumbered links becomes one group per link."""
    sources = {row.number: row.ipv4.partition("/")[0] for row in device.interfaces.loopbacks}
    of_links = {row.group for row in device.routing.bgp.neighbors if row.interface}
    for group in device.routing.bgp.groups:
        context = GroupContext(
            row=group,
            name=group.name,
            description=quoted(group.description),
            route_map_in=group.route_map_in,
            route_map_out=group.route_map_out,
            source=sources.get(group.update_source, ""),
            families=tuple(_group_families(device, group)),
        )
        if not group.extended_next_hop and group.name not in of_links:
            yield context
        for row in device.routing.bgp.neighbors:
            if row.interface and row.group == group.name:
                yield context._replace(
                    name=link_group(row),
                    description=quoted(row.description),
                    route_map_in=row.route_map_in or group.route_map_in,
                    route_map_out=row.route_map_out or group.route_map_out,
                )


def _group_families(device: Device, group: PeerGroup) -> Iterator[FamilyContext]:
    has_unnumbered = any(other.extended_next_hop for other in device.routing.bgp.groups)
    types = '["standard", "extended"]' if group.extended_communities else '["standard"]'
    for family in families(device):
        is_on = family in group.families
        yield FamilyContext(
            name=FAMILIES[family],
            state="enable" if is_on else "disable",
            limit=group.maximum_routes if is_on and (group.restart_minutes or family != "evpn") else 0,
            next_hops=str(group.extended_next_hop).lower() if is_on and family == "ipv4" and has_unnumbered else "",
            types=types if is_on and is_newer(device.version) else "",
            warns=not group.restart_minutes,
        )


def neighbors(device: Device) -> Iterator[NeighborContext]:
    """Yield sessions with addresses."""
    for row in device.routing.bgp.neighbors:
        if not row.interface:
            yield NeighborContext(row, quoted(row.description))


def link_sessions(device: Device) -> Iterator[LinkSession]:
    """Yield sessions over unnumbered links."""
    for row in device.routing.bgp.neighbors:
        if row.interface:
            yield LinkSession(row, link_group(row))


def watched(device: Device) -> tuple[str, ...]:
    """Return subinterfaces that run BFD: those of links, and the loopback that multihop sessions start from."""
    from_loopback = {group.update_source >= 0 for group in device.routing.bgp.groups if group.bfd}
    links = [f"{row.name}.0" for row in device.interfaces.ethernet if row.profile.role in ("uplink", "downlink")]
    return (*(links if False in from_loopback else ()), *((f"{LOOPBACKS}.0",) if True in from_loopback else ()))


def next_hops(device: Device) -> tuple[NextHop, ...]:
    """Return next-hop groups of static routes, without duplicates."""
    hops = (
        NextHop(route.vrf or DEFAULT, _hop(route.next_hop), route.next_hop) for route in device.routing.static_routes
    )
    return tuple(dict.fromkeys(hops))


def routes(device: Device) -> Iterator[RouteContext]:
    """Yield static routes."""
    for route in device.routing.static_routes:
        yield RouteContext(route.vrf or DEFAULT, route.prefix, _hop(route.next_hop))


def _hop(address: str) -> str:
    return f"via-{address}" if address else "discard"


def mac_vrfs(device: Device) -> Iterator[VlanContext]:
    """Yield bridged networks."""
    for row in device.evpn.vlans if device.evpn else ():
        yield VlanContext(row, instance(row.vlan_id), quoted(row.name), min(device.routing.bgp.overlay_paths, ALIASES))


def ip_vrfs(device: Device) -> Iterator[VrfContext]:
    """Yield tenants' VRFs, each with its BGP."""
    speakers = {vrf.name: vrf for vrf in device.routing.bgp.vrfs}
    for row in device.evpn.vrfs if device.evpn else ():
        bgp = speakers[row.name]
        yield VrfContext(
            row=row,
            bgp=bgp,
            evi=LAST_EVI - row.id,
            imported=bgp.import_targets[0],
            export_policy=export_policy(bgp),
            neighbors=tuple(_outside(bgp)),
        )


def _outside(bgp: BgpVrf) -> Iterator[OutsideContext]:
    carried = tuple(dict.fromkeys(FAMILIES[neighbor.family] for neighbor in bgp.neighbors))
    for neighbor in bgp.neighbors:
        family = FAMILIES[neighbor.family]
        yield OutsideContext(
            row=neighbor,
            description=quoted(neighbor.description),
            group=f"{OUTSIDE}-{neighbor.family}".upper(),
            family=family,
            others=tuple(other_family for other_family in carried if other_family != family),
        )
