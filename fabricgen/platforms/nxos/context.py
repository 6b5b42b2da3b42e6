"""From a Device to the template context of NX-OS: values that templates cannot print straight from a Device field."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import regrouped
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, PrefixList, RouteMap, Statement, StaticRoute
from fabricgen.platforms.base.limits import refuse
from fabricgen.platforms.nxos.access import AccessContext, access_words
from fabricgen.platforms.nxos.bgp import (
    VRF_FAMILIES,
    FamilyContext,
    NeighborContext,
    VrfSpeaker,
    families_of,
    neighbors_of,
    speaks_evpn,
    unchanged_maps,
    vrf_speakers,
)
from fabricgen.platforms.nxos.limits import limits
from fabricgen.platforms.nxos.login import LineContext, terminal_lines
from fabricgen.platforms.nxos.ports import MODES, PortContext, balanced, breakouts, panel
from fabricgen.platforms.nxos.qos import QosContext, qos_words

SNMP_AUTH = {"sha": "sha", "sha256": "sha-256"}
SNMP_PRIVACY = {"aes128": "aes-128"}
"""Algorithm of SNMP → word of `snmp-server user`."""
MANAGEMENT = "management"
"""The only VRF in which NX-OS allows mgmt0, whatever name the intent has."""
SHORT_NAME = 32
"""Longest VLAN name that NX-OS accepts without `system vlan long-name`, with which it is 128."""
NO_PORTS = "none"
"""Printed for an empty list of ports."""


class StatementContext(NamedTuple):
    """One sequence of a route map. `local_preference` is empty if none is set."""

    name: str
    action: str
    row: Statement
    communities: str
    local_preference: str
    unchanged: bool


class VrfContext(NamedTuple):
    """A VRF with its imports and exports in each family, its VNI and its static routes. `vni` 0: no tunnels."""

    name: str
    bgp: BgpVrf | None
    families: tuple[str, ...]
    vni: int
    static_ipv4: tuple[str, ...]
    static_ipv6: tuple[str, ...]


class BridgedVni(NamedTuple):
    """A VLAN's VNI; `routed` if the leaf is its gateway, and so suppresses ARP."""

    vni: int
    routed: bool


class Dlb(NamedTuple):
    """Dynamic load balancing of ports, in NX-OS's terms."""

    ports: str
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """Values that depend on more than one field of a Device.

    features   after `feature`, in the order of a running-config
    evpn       any session carries EVPN
    agent      agent address of sFlow samples
    snmp_...   words of the algorithms of SNMP; empty without SNMP
    access     access lists of the management services; None: any source is let in
    lines      kinds of sessions that have lines
    relays...  DHCP is relayed, of either family
    duplicate_moves  moves and seconds that make a MAC address a duplicate; empty if they are NX-OS's default
    long_names  a VLAN's name is longer than NX-OS accepts by default
    """

    management: str
    features: tuple[str, ...]
    snmp_auth: str
    snmp_privacy: str
    access: AccessContext | None
    banner: str
    lines: tuple[LineContext, ...]
    evpn: bool
    relays: bool
    relays_ipv6: bool
    agent: str
    sampled: tuple[str, ...]
    gateway_mac: str
    duplicate_moves: str
    long_names: bool
    breakouts: tuple[str, ...]
    ports: tuple[PortContext, ...]
    dlb: Dlb | None
    qos: QosContext | None
    vrfs: tuple[VrfContext, ...]
    vnis: tuple[BridgedVni, ...]
    static_ipv4: tuple[str, ...]
    static_ipv6: tuple[str, ...]
    lists_ipv4: tuple[PrefixList, ...]
    lists_ipv6: tuple[PrefixList, ...]
    route_maps: tuple[StatementContext, ...]
    neighbors: tuple[NeighborContext, ...]
    families: tuple[FamilyContext, ...]
    speakers: tuple[VrfSpeaker, ...]


DUPLICATE_MOVES = (5, 180)
"""Moves and seconds of duplicate MAC detection by default, which no running configuration shows (Cisco's node-utils,
overlay_global.yaml)."""


def _duplicate_moves(device: Device) -> str:
    found = device.evpn.duplicate_mac if device.evpn else None
    is_default = found is None or (found.moves, found.window_seconds) == DUPLICATE_MOVES
    return "" if found is None or is_default else f"{found.moves} {found.window_seconds}"


def template_context(device: Device) -> TemplateContext:
    """Return the template context of one switch. Raises FabricError for what NX-OS cannot be configured to do."""
    refuse(limits(device))
    routing = device.routing
    gateways = device.evpn.gateways if device.evpn else ()
    ports = tuple(panel(device))
    dlb_ports = balanced(device)
    login = device.management.login
    access = access_words(device.management)
    return TemplateContext(
        management=MANAGEMENT,
        features=tuple(_features(device)),
        access=access,
        banner=login.banner if login is not None else "",
        lines=tuple(terminal_lines(login, access)),
        snmp_auth=SNMP_AUTH[device.management.snmp.auth_algorithm] if device.management.snmp else "",
        snmp_privacy=SNMP_PRIVACY[device.management.snmp.privacy_algorithm] if device.management.snmp else "",
        evpn=speaks_evpn(routing.bgp),
        relays=any(row.relay_source >= 0 for row in gateways),
        relays_ipv6=any(row.relays_ipv6 for row in gateways),
        agent=device.management.address.partition("/")[0],
        gateway_mac=regrouped(device.evpn.gateway_mac, 4, ".") if device.evpn and gateways else "",
        duplicate_moves=_duplicate_moves(device),
        long_names=device.evpn is not None and any(len(vlan.name) > SHORT_NAME for vlan in device.evpn.vlans),
        sampled=tuple(port.row.name for port in ports if port.row.profile.sflow),
        breakouts=tuple(breakouts(device)),
        ports=ports,
        dlb=Dlb(dlb_ports, MODES[device.load_balancing.mode]) if dlb_ports else None,
        qos=qos_words(device.qos) if device.qos else None,
        vrfs=tuple(_vrfs(device)),
        vnis=tuple(_vnis(device)),
        static_ipv4=_static(device, "", "ipv4"),
        static_ipv6=_static(device, "", "ipv6"),
        lists_ipv4=tuple(dlb_ports for dlb_ports in routing.policy.prefix_lists if dlb_ports.family == "ipv4"),
        lists_ipv6=tuple(dlb_ports for dlb_ports in routing.policy.prefix_lists if dlb_ports.family == "ipv6"),
        route_maps=tuple(_statements(routing.policy.route_maps, unchanged_maps(routing.bgp))),
        neighbors=tuple(neighbors_of(routing.bgp)),
        families=tuple(families_of(device)),
        speakers=tuple(vrf_speakers(routing.bgp)),
    )


def derived(device: Device) -> dict[str, str]:
    """Return values that depend on several parts of a Device; every switch has them.

    The ports with load balancing by load are one list; NX-OS applies a change of it only at the next start.
    """
    return {"ports with dynamic load balancing": balanced(device) or NO_PORTS}


def _features(device: Device) -> Iterator[str]:
    """Yield enabled features, each before those that need it."""
    management, evpn = device.management, device.evpn
    features = (
        ("nxapi", bool(management.eapi_certificate)),
        ("grpc", management.gnmi is not None),
        ("tacacs+", management.tacacs is not None),
        ("bgp", True),
        ("fabric forwarding", evpn is not None),
        ("interface-vlan", evpn is not None and bool(evpn.gateways)),
        ("vn-segment-vlan-based", evpn is not None),
        ("lldp", management.lldp),
        ("dhcp", evpn is not None and any(row.relay_source >= 0 for row in evpn.gateways)),
        ("bfd", any(group.bfd for group in device.routing.bgp.groups)),
        ("sflow", management.sflow is not None),
        ("nv overlay", speaks_evpn(device.routing.bgp)),
    )
    for feature, is_on in features:
        if is_on:
            yield feature


def _vrfs(device: Device) -> Iterator[VrfContext]:
    """Yield VRFs, the management VRF first."""
    management_vrf = device.management.vrf
    yield VrfContext(
        MANAGEMENT, None, (), 0, _static(device, management_vrf, "ipv4"), _static(device, management_vrf, "ipv6")
    )
    vnis = {vrf.name: vrf.vni for vrf in device.evpn.vrfs} if device.evpn else {}
    for vrf in device.routing.bgp.vrfs:
        routes = (_static(device, vrf.name, "ipv4"), _static(device, vrf.name, "ipv6"))
        yield VrfContext(vrf.name, vrf, VRF_FAMILIES, vnis.get(vrf.name, 0), *routes)


def _vnis(device: Device) -> Iterator[BridgedVni]:
    if device.evpn is None:
        return
    routed = {gateway.vlan_id for gateway in device.evpn.gateways}
    for vlan in device.evpn.vlans:
        yield BridgedVni(vlan.vni, vlan.vlan_id in routed)


def _static(device: Device, vrf: str, family: str) -> tuple[str, ...]:
    """Return the static routes of a VRF: prefix and next hop."""
    routes: list[StaticRoute] = [
        route for route in device.routing.static_routes if (route.vrf, route.family) == (vrf, family)
    ]
    return tuple(f"{route.prefix} {route.next_hop or 'Null0'}" for route in routes)


def _statements(maps: tuple[RouteMap, ...], unchanged: frozenset[str]) -> Iterator[StatementContext]:
    for route_map in maps:
        for row in route_map.statements:
            set_communities = [row.set_community, "graceful-shutdown" if row.set_graceful_shutdown else ""]
            communities = " ".join(filter(None, set_communities))
            adds = bool(communities) and not row.replace_communities
            yield StatementContext(
                name=route_map.name,
                action="permit" if row.permit else "deny",
                row=row,
                communities=f"{communities} additive" if adds else communities,
                local_preference=str(row.set_local_preference) if row.set_local_preference >= 0 else "",
                unchanged=row.permit and route_map.name in unchanged,
            )
