"""Device → FRR's terms and order: what the templates print, other than Device fields unchanged."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress, Prefix
from fabricgen.device.device import Device
from fabricgen.device.evpn import Vlan
from fabricgen.device.routing import (
    MOST_HOPS,
    Bgp,
    BgpVrf,
    ExternalNeighbor,
    Neighbor,
    PeerGroup,
    PrefixList,
    Statement,
)
from fabricgen.platforms.base.originated import originated_map, with_originated
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.linux.firewall import rules
from fabricgen.platforms.linux.frr_releases import (
    DEFAULT_PREFERENCE,
    EVPN_LIMIT,
    LARGEST_TTL,
    LAST_METRIC,
    MANAGER,
    WAITS_BESIDE_EVPN,
    WITHDRAWALS_IN_ORDER,
)
from fabricgen.platforms.linux.interfaces import (
    FRR_PREFERENCE,
    BondStanza,
    Bridge,
    EthernetSegment,
    PortStanza,
    SubStanza,
    Svi,
    Tunnel,
    VrfDevice,
    bonds,
    bridge,
    loopbacks,
    management_vrf,
    ports,
    segment,
    session_source,
    subinterfaces,
    svis,
    tunnels,
    vrf_devices,
)
from fabricgen.platforms.linux.link_bandwidth import PathsContext, paths_words
from fabricgen.platforms.linux.relays import RelayProcess, relays

_NAME = re.compile(r"(\D+)(\d*)")
DUPLICATE_MOVES = (5, 180)
"""Moves and seconds of duplicate address detection by default, which FRR does not print (bgpd, bgp_evpn.h)."""
PROFILE_TIMERS = (3, 9)
"""Keepalive and hold seconds of `frr defaults datacenter`; equal timers are not printed."""


class GroupContext(NamedTuple):
    """A peer group; an empty `source` means the link's own address, empty `hops` that the TTL is 1.

    hops  the words that set another TTL
    """

    row: PeerGroup
    source: str
    hops: str


class FamilyContext(NamedTuple):
    """One address family of the default VRF. Groups by name; `neighbors` are those with route maps of their own."""

    name: str
    networks: tuple[Prefix, ...]
    groups: tuple[PeerGroup, ...]
    neighbors: tuple[Neighbor, ...]


class VrfFamily(NamedTuple):
    """One address family of a VRF.

    connected_map  map on connected routes, which permits the VRF's networks; empty if it originates none of this
                   family. FRR redistributes them, because in 8.4 a route of a `network` line is never leaked to another
                   VRF
    imports        VRF devices of this switch whose routes it imports
    """

    name: str
    connected_map: str
    neighbors: tuple[ExternalNeighbor, ...]
    import_map: str
    imports: tuple[str, ...]


class VrfContext(NamedTuple):
    """BGP of one VRF."""

    row: BgpVrf
    device: str
    families: tuple[VrfFamily, ...]


class StatementContext(NamedTuple):
    """One sequence of a route map. `action`: permit or deny; empty `communities` and `preference` set nothing."""

    row: Statement
    action: str
    communities: str
    preference: str


class MapContext(NamedTuple):
    """A route map."""

    name: str
    statements: tuple[StatementContext, ...]


class RouteContext(NamedTuple):
    """A static route; `word` is FRR's name of its family."""

    word: str
    prefix: Prefix
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """The configuration of FRR and Linux on one switch, in their order.

    last_metric   of a VRF's last route, which ends a lookup that found nothing
    last_distance of the same route, where frr.conf has it and not the file of interfaces; 0: it has not
    manager       mgmtd runs
    one_by_one    zebra takes messages one by one: FRR before 9.1 loses router MACs otherwise
    wait_install  false with an EVPN session before FRR 9.1, which applies it to EVPN routes too, and sends none
    evpn_limit    EVPN routes of a session are limited
    filter        rules of what the switch itself takes; none where the intent lists no sources
    duplicate_moves  moves and seconds that make a MAC address a duplicate; empty if they are FRR's default
    timers        empty if they are the profile's
    """

    management_vrf: str
    last_metric: int
    last_distance: int
    loopbacks: tuple[InterfaceAddress, ...]
    vrfs: tuple[VrfDevice, ...]
    ports: tuple[PortStanza, ...]
    bonds: tuple[BondStanza, ...]
    subinterfaces: tuple[SubStanza, ...]
    bridge: Bridge | None
    tunnels: tuple[Tunnel, ...]
    svis: tuple[Svi, ...]
    segments: tuple[EthernetSegment, ...]
    vlans: tuple[Vlan, ...]
    routes: tuple[RouteContext, ...]
    manager: bool
    one_by_one: bool
    wait_install: bool
    evpn_limit: bool
    duplicate_moves: str
    timers: str
    groups: tuple[GroupContext, ...]
    neighbors: tuple[Neighbor, ...]
    families: tuple[FamilyContext, ...]
    overlay: FamilyContext
    bgp_vrfs: tuple[VrfContext, ...]
    lists_ipv4: tuple[PrefixList, ...]
    lists_ipv6: tuple[PrefixList, ...]
    maps: tuple[MapContext, ...]
    paths_lists: tuple[PathsContext, ...]
    bfd: bool
    relays: tuple[RelayProcess, ...]
    filter: tuple[str, ...]


def template_context(device: Device, release: str) -> TemplateContext:
    """The values that the templates print for one switch. release: of FRR."""
    bgp = device.routing.bgp
    policy = with_originated(device.routing.policy, bgp.vrfs)
    vrfs = vrf_devices(device)
    names = {vrf.tenant: vrf.name for vrf in vrfs}
    groups = tuple(sorted(bgp.groups, key=lambda group: group.name))
    overlay = _family(bgp, groups, "evpn", ())
    timers = (bgp.keepalive_seconds, bgp.hold_seconds)
    return TemplateContext(
        management_vrf=management_vrf(device),
        last_metric=LAST_METRIC,
        last_distance=0,
        loopbacks=loopbacks(device),
        vrfs=vrfs,
        ports=tuple(ports(device)),
        bonds=tuple(bonds(device)),
        subinterfaces=tuple(subinterfaces(device, names)),
        bridge=bridge(device, vrfs),
        tunnels=tuple(tunnels(device, vrfs)),
        svis=tuple(svis(device, vrfs)),
        segments=tuple(_printed(segment(device, lag), release) for lag in device.interfaces.lags if lag.esi),
        vlans=tuple(sorted(device.evpn.vlans, key=lambda vlan: -vlan.vni)) if device.evpn else (),
        routes=tuple(_routes(device)),
        manager=is_at_least(release, MANAGER),
        one_by_one=device.evpn is not None and not is_at_least(release, WITHDRAWALS_IN_ORDER),
        wait_install=bgp.wait_install and (not overlay.groups or is_at_least(release, WAITS_BESIDE_EVPN)),
        evpn_limit=is_at_least(release, EVPN_LIMIT),
        duplicate_moves=_duplicate_moves(device),
        timers="" if timers == PROFILE_TIMERS else f"{timers[0]} {timers[1]}",
        groups=tuple(GroupContext(group, session_source(device, group), _hops(group, release)) for group in groups),
        neighbors=tuple(_with_description(row) for row in sorted(bgp.neighbors, key=_neighbor_order)),
        families=tuple(_families(device, groups)),
        overlay=overlay,
        bgp_vrfs=tuple(sorted((_vrf(vrf, names) for vrf in bgp.vrfs), key=lambda vrf: vrf.device)),
        lists_ipv4=tuple(policy_object for policy_object in policy.prefix_lists if policy_object.family == "ipv4"),
        lists_ipv6=tuple(policy_object for policy_object in policy.prefix_lists if policy_object.family == "ipv6"),
        maps=tuple(MapContext(row.name, tuple(map(_statement, row.statements))) for row in policy.route_maps),
        paths_lists=tuple(paths_words(policy_object) for policy_object in policy.paths_lists),
        bfd=any(group.bfd for group in groups),
        relays=tuple(relays(device, vrfs)),
        filter=rules(device),
    )


def _duplicate_moves(device: Device) -> str:
    found = device.evpn.duplicate_mac if device.evpn else None
    is_default = found is None or (found.moves, found.window_seconds) == DUPLICATE_MOVES
    return "" if found is None or is_default else f"{found.moves} time {found.window_seconds}"


def _hops(group: PeerGroup, release: str) -> str:
    """`ebgp-multihop` as FRR prints it: later releases leave the largest number out."""
    is_alone = group.multihop_ttl == MOST_HOPS and is_at_least(release, LARGEST_TTL)
    return "ebgp-multihop" if is_alone else f"ebgp-multihop {group.multihop_ttl}" if group.multihop_ttl else ""


def _printed(row: EthernetSegment, release: str) -> EthernetSegment:
    """The segment as FRR prints it: later releases leave their default preference out."""
    is_left_out = row.preference == FRR_PREFERENCE and is_at_least(release, DEFAULT_PREFERENCE)
    return row._replace(preference=0) if is_left_out else row


def _network_order(prefix: Prefix) -> tuple[int, int, int]:
    network = ip_network(prefix)
    return (network.version, int(network.network_address), network.prefixlen)


def _neighbor_order(neighbor: Neighbor) -> tuple[str, tuple[tuple[str, int], ...]]:
    """Order in which FRR prints neighbors: by group, IPv4 first, each family by number, ports by their numbers."""
    if neighbor.interface:
        return (neighbor.group, tuple((name, int(digits or 0)) for name, digits in _NAME.findall(neighbor.interface)))
    address = ip_address(neighbor.address)
    return (neighbor.group, (("", address.version), ("", int(address))))


def description_text(text: str) -> str:
    """Text as a description that vtysh accepts whole: it reads `|` as the start of an output filter."""
    return " ".join(text.replace("|", "/").split()) or "-"


def _with_description(neighbor: Neighbor) -> Neighbor:
    return neighbor._replace(description=description_text(neighbor.description))


def _routes(device: Device) -> Iterator[RouteContext]:
    """Static routes of the default VRF; the management VRF's gateway is in the interfaces file."""
    for route in device.routing.static_routes:
        if route.vrf == device.management.vrf:
            continue
        if route.vrf:
            raise ValueError(f"{device.name}: a static route of VRF {route.vrf} has no section")
        yield RouteContext("ipv6" if route.family == "ipv6" else "ip", route.prefix, route.next_hop or "blackhole")


def _families(device: Device, groups: tuple[PeerGroup, ...]) -> Iterator[FamilyContext]:
    bgp = device.routing.bgp
    for name, networks in (("ipv4", bgp.networks_ipv4), ("ipv6", bgp.networks_ipv6)):
        family = _family(bgp, groups, name, networks)
        if family.groups or networks:
            yield family


def _family(bgp: Bgp, groups: tuple[PeerGroup, ...], name: str, networks: tuple[Prefix, ...]) -> FamilyContext:
    active = tuple(group for group in groups if name in group.families)
    members = frozenset(group.name for group in active)
    with_maps = [row for row in bgp.neighbors if row.group in members and (row.route_map_in or row.route_map_out)]
    originated = tuple(sorted(networks, key=_network_order))
    return FamilyContext(name, originated, active, tuple(sorted(with_maps, key=_neighbor_order)))


def _vrf(vrf: BgpVrf, names: dict[str, str]) -> VrfContext:
    imports = tuple(names[name] for name in vrf.imports if name in names)
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": vrf.networks_ipv4, "ipv6": vrf.networks_ipv6}
    families = tuple(
        VrfFamily(
            name=name,
            connected_map=originated_map(vrf) if originated else "",
            neighbors=tuple(neighbor for neighbor in vrf.neighbors if neighbor.family == name),
            import_map=vrf.import_map if imports else "",
            imports=imports,
        )
        for name, originated in networks.items()
    )
    neighbors = tuple(row._replace(description=description_text(row.description)) for row in vrf.neighbors)
    return VrfContext(vrf._replace(neighbors=neighbors), names[vrf.name], families)


def _statement(row: Statement) -> StatementContext:
    communities = [row.set_community] if row.set_community else []
    if row.set_graceful_shutdown:
        communities.append("graceful-shutdown")
    if communities and not row.replace_communities:
        communities.append("additive")
    return StatementContext(
        row=row,
        action="permit" if row.permit else "deny",
        communities=" ".join(communities),
        preference="" if row.set_local_preference < 0 else str(row.set_local_preference),
    )
