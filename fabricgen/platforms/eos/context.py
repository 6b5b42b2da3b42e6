"""From Device to EOS's own words: what the templates print that is no Device field word for word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Lag, Switching
from fabricgen.device.management import User
from fabricgen.device.routing import Bgp, Neighbor, PrefixList, RouteMap, Statement, StaticRoute
from fabricgen.platforms.eos.bgp import (
    MAKE,
    FamilyContext,
    GroupContext,
    LinkSession,
    VrfContext,
    families_of,
    groups_of,
    link_sessions,
    vrf_families,
)
from fabricgen.platforms.eos.qos import QosContext, qos_words
from fabricgen.platforms.eos.telemetry import telemetry_words

INTERNAL_VLANS = 512
"""VLANs that EOS takes for routed ports and L3 VNIs: more than the interfaces of any model in the library."""
FIRST_INTERNAL, LAST_INTERNAL = 1006, 4094
"""The range EOS takes them from when told nothing; sharing it with tenants' VLANs makes their order matter."""
DEFAULT_RANGE = "EOS's own range"
"""Stands for a range that no line names."""
TOLD_ALIKE = attrgetter("profile", "enabled", "lag", "switching")
"""What the words of a port depend on."""
PROFILE = attrgetter("profile")
MAPS_KEPT = 64
"""Of the route maps that were spelled last: a tier of a fabric has them alike."""
PRIVILEGES = {"network-admin": 15, "network-operator": 1}
"""Privilege level of a role; the role alone says what its users may do."""


class UserContext(NamedTuple):
    """A local user and the privilege level of its role."""

    row: User
    privilege: int


class PortContext(NamedTuple):
    """An Ethernet row with its words. What a port-channel says, its members leave out: the last two.

    guards  lines that limit what a server may send: source addresses, flooded frames
    """

    row: Ethernet
    shutdown: str
    speed: str
    fec: str
    trunk: str
    guards: tuple[str, ...]
    tracking: str


class LagContext(NamedTuple):
    """A port-channel, its tagged VLANs and its system id in groups of four digits."""

    row: Lag
    trunk: str
    system_id: str


class StatementContext(NamedTuple):
    """One sequence of a route map. `local_preference` is empty where none is set."""

    name: str
    action: str
    row: Statement
    communities: str
    local_preference: str


MAKER = "arista-"


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """What EOS spells by model, chip or family.

    sku          the maker's name of the model, as EOS prints it in the remark by which other tools know EOS
    queue        word of a unicast transmit queue
    mmu          start of the buffer commands
    ecn_count    marked packets are counted in the profile's queue
    ecn_feature  counters of marked packets have to be set aside, too, as the hardware file says
    queue_...    of watched queues: latency is told, thresholds, clients of the stream
    tracking     ports are tied to the state of the uplinks
    secured      ports have a limit of MAC addresses
    dlb          dynamic load balancing of ECMP groups is on
    cluster      ports of the hosts whose flows are placed one by one, as one list; empty where none are
    unnumbered   links have no IPv4 addresses, and IPv4 is routed over them
    certificates TLS profiles that an API uses
    relays       DHCP is relayed, of either family
    vxlan_qos    marks go into and out of tunnels: where the overlay wants it, and the hardware file says that it can
    """

    sku: str
    queue: str
    mmu: str
    ecn_count: bool
    ecn_feature: bool
    queue_latency: bool
    queue_thresholds: str
    queue_clients: int
    internal_vlans: str
    users: tuple[UserContext, ...]
    ports: tuple[PortContext, ...]
    lags: tuple[LagContext, ...]
    tracking: bool
    secured: bool
    dlb: bool
    cluster: str
    ipv6: bool
    unnumbered: bool
    relays: bool
    vxlan_qos: bool
    relays_ipv4: bool
    certificates: tuple[str, ...]
    static_ipv4: tuple[str, ...]
    static_ipv6: tuple[str, ...]
    lists_ipv4: tuple[PrefixList, ...]
    lists_ipv6: tuple[PrefixList, ...]
    route_maps: tuple[StatementContext, ...]
    qos: QosContext | None
    groups: tuple[GroupContext, ...]
    neighbors: tuple[Neighbor, ...]
    link_sessions: tuple[LinkSession, ...]
    families: tuple[FamilyContext, ...]
    vrfs: tuple[VrfContext, ...]


def _sku(model: str) -> str:
    """The maker's name of a model of the library: arista-7060x6-64pe is DCS-7060X6-64PE."""
    return f"DCS-{model.removeprefix(MAKER)}".upper() if model.startswith(MAKER) else model


def template_context(device: Device) -> TemplateContext:
    """EOS's words for one switch; chip and model speak through `hardware.spellings`."""
    words = device.hardware.spellings
    routing = device.routing
    gateways = device.evpn.gateways if device.evpn else ()
    sessions = tuple(link_sessions(routing.bgp))
    groups = tuple(groups_of(routing.bgp, sessions))
    profiles = [profile for profile, _ in groupby(device.interfaces.ethernet, PROFILE)]
    watched = telemetry_words(device.telemetry)
    management = device.management
    names = {management.eapi_certificate, management.gnmi.certificate if management.gnmi else ""}
    return TemplateContext(
        sku=_sku(device.hardware.model),
        queue=words.get("transmit_queue", "uc-tx-queue"),
        mmu=words.get("mmu", "platform trident mmu"),
        ecn_count=device.telemetry.ecn_counters and words.get("ecn_count", "profile") == "profile",
        ecn_feature=device.telemetry.ecn_counters and "ecn_counter_feature" in words,
        queue_latency=watched.latency and "queue_latency" in words,
        queue_thresholds=watched.thresholds,
        queue_clients=watched.clients,
        internal_vlans=internal_vlans(device),
        users=tuple(UserContext(user, PRIVILEGES[user.role]) for user in device.management.users),
        ports=_ports(device),
        lags=tuple(LagContext(lag, _trunk(lag.switching), _dotted(lag.system_id)) for lag in device.interfaces.lags),
        tracking=any(profile.tracking for profile in profiles),
        secured=any(row.switching.mac_limit for row in device.interfaces.ethernet if row.switching),
        dlb=device.load_balancing.mode == "dlb-flowlet",
        cluster=_port_list(device.load_balancing.cluster.ports) if device.load_balancing.cluster else "",
        ipv6=_has_ipv6(device),
        unnumbered=any(profile.unnumbered for profile in profiles),
        relays=any(row.relay_source >= 0 for row in gateways),
        vxlan_qos=device.evpn is not None and device.evpn.marks and "vxlan_qos" in words,
        relays_ipv4=any(row.relays_ipv4 for row in gateways),
        certificates=tuple(sorted(names - {""})),
        static_ipv4=tuple(_static(route) for route in routing.static_routes if route.family == "ipv4"),
        static_ipv6=tuple(_static(route) for route in routing.static_routes if route.family == "ipv6"),
        lists_ipv4=tuple(found for found in routing.policy.prefix_lists if found.family == "ipv4"),
        lists_ipv6=tuple(found for found in routing.policy.prefix_lists if found.family == "ipv6"),
        route_maps=_statements(routing.policy.route_maps),
        qos=qos_words(device.qos) if device.qos else None,
        groups=groups,
        neighbors=_neighbors(routing.bgp) if sessions else routing.bgp.neighbors,
        link_sessions=sessions,
        families=tuple(families_of(device, groups)),
        vrfs=tuple(VrfContext(vrf, tuple(vrf_families(vrf))) for vrf in routing.bgp.vrfs),
    )


def _port_list(names: tuple[str, ...]) -> str:
    """Ports as one list: Ethernet1/1,1/5,2/1."""
    return "Ethernet" + ",".join(name.removeprefix("Ethernet") for name in names) if names else ""


def internal_vlans(device: Device) -> str:
    """First and last VLAN of the highest run that none of this switch's VLANs lies in; empty where there is none."""
    taken = sorted(vlan.vlan_id for vlan in device.evpn.vlans) if device.evpn else []
    last = LAST_INTERNAL
    for vlan in reversed(taken):
        if last - vlan >= INTERNAL_VLANS:
            break
        last = min(last, vlan - 1)
    first = last - INTERNAL_VLANS + 1
    return f"{first} {last}" if first >= FIRST_INTERNAL else ""


def derived(device: Device) -> dict[str, str]:
    """What EOS is told that depends on more than one part of a Device; it stands on every switch.

    All else of `TemplateContext` moves only with facts that cost as much: `ipv6 unicast-routing` with an address that
    comes or goes, the DHCP options with a relay.
    """
    return {"internal VLANs": internal_vlans(device).replace(" ", "-") or DEFAULT_RANGE}


FEC = {
    "": "",
    "rs-fec": "error-correction encoding reed-solomon",
    "fc-fec": "error-correction encoding fire-code",
    "none": "no error-correction encoding",
}
"""Lines of a port (pyavd 6.4.0, eos_cli_config_gen/ethernet-interfaces.j2); without one the switch chooses."""


def _panel(device: Device) -> list[Ethernet]:
    """Ports with a cable and idle ones, in the order of the panel."""
    rows = [*device.interfaces.ethernet, *device.interfaces.idle]
    if not device.interfaces.idle:
        return rows
    return sorted(rows, key=lambda row: tuple(int(digits) for digits in re.findall(r"\d+", row.name)))


def _ports(device: Device) -> tuple[PortContext, ...]:
    """The panel. Ports that stand together mostly differ in their cables alone, and have one port's words."""
    ports: list[PortContext] = []
    for _, rows in groupby(_panel(device), TOLD_ALIKE):
        first, *others = rows
        speed, lanes = first.profile.speed_gbps, first.profile.lanes
        switching = first.switching
        alone = None if first.lag else switching
        port = PortContext(
            row=first,
            shutdown="no shutdown" if first.enabled else "shutdown",
            speed=device.hardware.spellings.get(f"speed_{speed}_{lanes}", f"{speed}g-{lanes}"),
            fec=FEC[first.profile.fec],
            trunk=_trunk(switching),
            guards=tuple(_guards(alone)) if alone else (),
            tracking="" if first.lag else first.profile.tracking,
        )
        words = port[1:]
        ports += (port, *[MAKE(PortContext, (row, *words)) for row in others])
    return tuple(ports)


def _guards(switching: Switching) -> Iterator[str]:
    if switching.mac_limit:
        yield "switchport port-security violation protect"
        yield f"switchport port-security mac-address maximum {switching.mac_limit}"
    for kind, percent in (("broadcast", switching.broadcast_percent), ("multicast", switching.multicast_percent)):
        if percent:
            yield f"storm-control {kind} level {percent}"


def _trunk(switching: Switching | None) -> str:
    return ",".join(str(vlan) for vlan in switching.trunk_vlans) if switching else ""


def _dotted(mac: str) -> str:
    """02:fa:00:00:00:01 as 02fa.0000.0001."""
    digits = mac.replace(":", "")
    return ".".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def _static(route: StaticRoute) -> str:
    """All of a static route after its first two words."""
    way = f"{route.prefix} {route.next_hop or 'Null0'}"
    return f"vrf {route.vrf} {way}" if route.vrf else way


@lru_cache(MAPS_KEPT)
def _statements(maps: tuple[RouteMap, ...]) -> tuple[StatementContext, ...]:
    return tuple(_statement(found.name, row) for found in maps for row in found.statements)


def _statement(name: str, row: Statement) -> StatementContext:
    communities = " ".join(filter(None, [row.set_community, "GSHUT" if row.set_graceful_shutdown else ""]))
    adds = bool(communities) and not row.replace_communities
    return StatementContext(
        name=name,
        action="permit" if row.permit else "deny",
        row=row,
        communities=f"{communities} additive" if adds else communities,
        local_preference=str(row.set_local_preference) if row.set_local_preference >= 0 else "",
    )


def _neighbors(bgp: Bgp) -> tuple[Neighbor, ...]:
    return tuple(row for row in bgp.neighbors if not row.interface)


def _has_ipv6(device: Device) -> bool:
    """Whether anything of the switch routes IPv6, in whatever VRF."""
    interfaces, bgp = device.interfaces, device.routing.bgp
    if bgp.networks_ipv6 or any(row.interface for row in bgp.neighbors):
        return True
    gateways = device.evpn.gateways if device.evpn else ()
    of_ports = chain((row.ipv6 for row in interfaces.ethernet), (row.ipv6 for row in interfaces.subinterfaces))
    return any(of_ports) or any(row.ipv6 for row in gateways)
