"""Device → EOS's terms: what the templates print, other than Device fields unchanged."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from fabricgen.base.addresses import Prefix, regrouped
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Lag, Switching
from fabricgen.device.management import Login, Management, ServiceAccess, User
from fabricgen.device.routing import Neighbor, PrefixList, RouteMap, Statement, StaticRoute
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.eos.bgp import (
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
from fabricgen.platforms.eos.releases import LOCAL_INTERFACE
from fabricgen.platforms.eos.telemetry import telemetry_words

INTERNAL_VLANS = 512
"""Number of VLANs for routed ports and L3 VNIs: more than the interfaces of any model in the library."""
FIRST_INTERNAL, LAST_INTERNAL = 1006, 4094
"""EOS's default range of internal VLANs; if it overlaps with tenants' VLANs, the order of their creation matters."""
DEFAULT_RANGE = "EOS's own range"
"""The value of `derived` without a line for the range."""
DECIDING_FIELDS = attrgetter("profile", "enabled", "lag", "switching")
"""The fields that the lines of a port depend on, other than those of its cable."""
OWN_FIELDS = attrgetter("name", "description", "vrf", "ipv4", "ipv6")
"""The fields that follow from the cable of a port."""
PROFILE = attrgetter("profile")
MAPS_KEPT = 64
"""Cache size for route maps: the switches of a tier have the same ones."""
PRIVILEGES = {"network-admin": 15, "network-operator": 1}
"""Privilege level of a role; only the role limits what its users can do."""


class UserContext(NamedTuple):
    """A local user, the privilege level of its role, and what follows its name for each SSH key."""

    row: User
    privilege: int
    keys: tuple[str, ...]


class PortsContext(NamedTuple):
    """Adjacent ports alike but for cable and addresses, and what each prints, in the order of the template.

    A port-channel has guards and tracking for its members.

    ports   OWN_FIELDS of each
    mtu     0: switched ports, which have none of their own
    vlans   empty: routed ports
    guards  lines that limit what a server may send: source addresses, flooded frames
    """

    ports: tuple[tuple[str, str, str, str, str], ...]
    shutdown: str
    mtu: int
    speed: str
    fec: str
    unnumbered: bool
    vlans: str
    mode: str
    lag: int
    guards: tuple[str, ...]
    bpdu_guard: bool
    qos: str
    sflow: bool
    tracking: str


class LagContext(NamedTuple):
    """A port-channel, its VLANs and their mode, its system id in groups of four digits, and its QoS profile."""

    row: Lag
    vlans: str
    mode: str
    system_id: str
    qos: str


class StatementContext(NamedTuple):
    """One sequence of a route map. `local_preference` is empty if none is set."""

    name: str
    action: str
    row: Statement
    communities: str
    local_preference: str


class AccessContext(NamedTuple):
    """The access list of each management service; empty: any source is let in, or the service is off."""

    ssh: str = ""
    api: str = ""
    gnmi: str = ""
    snmp: str = ""


class AccessListContext(NamedTuple):
    """A standard access list of a management service, and its entries with their numbers."""

    name: str
    entries: tuple[str, ...]


MAKER = "arista-"
ALGORITHMS = (
    ("cipher", "aes256-ctr", "aes256-gcm@openssh.com"),
    ("key-exchange", "ecdh-sha2-nistp521"),
    ("mac", "hmac-sha2-512", "hmac-sha2-512-etm@openssh.com"),
)
"""What SSH offers with strong ciphers: the words of aristanetworks/avd, molecule management-ssh-custom-cipher, without
the CBC cipher there; RFC 5656 and RFC 6668 describe the algorithms, and OpenSSH has them."""

PRIVACY = {"aes128": "aes", "aes256": "aes256"}
"""Algorithm of SNMP privacy → word of `snmp-server user`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """EOS's terms that depend on the model, the chip or the family.

    sku          the maker's name of the model, as EOS prints it in the remark by which other tools recognise EOS
    syslog_source  keyword of the port that syslog messages are sent from, which depends on the release
    queue        keyword of a unicast transmit queue
    mmu          start of the buffer commands
    ecn_count    marked packets are counted in the profile's queue
    ecn_feature  counters of marked packets must also be allocated, as the hardware file says
    queue_...    of queue monitoring: whether latency is reported, thresholds, clients of the stream
    tracking     ports are tied to the state of the uplinks
    secured      ports have a limit of MAC addresses
    dlb          dynamic load balancing of ECMP groups is on
    queue_pairs  the hash has the queue pair of RoCE
    cluster      ports of the hosts whose flows are placed one by one, as one list; empty if there are none
    unnumbered   links have no IPv4 addresses, and IPv4 is routed over them
    certificates TLS profiles that an API uses
    snmp_privacy  word of the algorithm of SNMP privacy; empty without SNMP
    access       access lists of the management services
    login        how operators log in
    algorithms   lines of what SSH offers; empty: as EOS does by itself
    relays       DHCP is relayed, of either family
    vxlan_qos    DSCP and ECN are copied into and out of tunnels: if the overlay needs it and the hardware allows it
    """

    sku: str
    syslog_source: str
    queue: str
    mmu: str
    ecn_count: bool
    ecn_feature: bool
    queue_latency: bool
    queue_thresholds: str
    queue_clients: int
    internal_vlans: str
    users: tuple[UserContext, ...]
    ports: tuple[PortsContext, ...]
    lags: tuple[LagContext, ...]
    tracking: bool
    secured: bool
    dlb: bool
    queue_pairs: bool
    cluster: str
    ipv6: bool
    unnumbered: bool
    relays: bool
    vxlan_qos: bool
    relays_ipv4: bool
    certificates: tuple[str, ...]
    snmp_privacy: str
    access: AccessContext
    access_lists: tuple[AccessListContext, ...]
    login: Login
    algorithms: tuple[str, ...]
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
    """The values that the templates print for one switch; those of chip and model are in `hardware.spellings`."""
    spellings = device.hardware.spellings
    routing = device.routing
    gateways = device.evpn.gateways if device.evpn else ()
    sessions = tuple(link_sessions(routing.bgp))
    groups = tuple(groups_of(routing.bgp, sessions))
    profiles = [profile for profile, _ in groupby(device.interfaces.ethernet, PROFILE)]
    lag_profiles = {row.lag: row.profile.qos for row in device.interfaces.ethernet if row.lag}
    monitoring = telemetry_words(device.telemetry)
    management = device.management
    access = served(management)
    names = {management.eapi_certificate, management.gnmi.certificate if management.gnmi else ""}
    return TemplateContext(
        sku=_sku(device.hardware.model),
        syslog_source="local-interface" if is_at_least(device.version, LOCAL_INTERFACE) else "source-interface",
        queue=spellings.get("transmit_queue", "uc-tx-queue"),
        mmu=spellings.get("mmu", "platform trident mmu"),
        ecn_count=device.telemetry.ecn_counters and spellings.get("ecn_count", "profile") == "profile",
        ecn_feature=device.telemetry.ecn_counters and "ecn_counter_feature" in spellings,
        queue_latency=monitoring.latency and "queue_latency" in spellings,
        queue_thresholds=monitoring.thresholds,
        queue_clients=monitoring.clients,
        internal_vlans=internal_vlans(device),
        users=tuple(UserContext(user, PRIVILEGES[user.role], tuple(_keys(user))) for user in device.management.users),
        ports=tuple(_ports(device)),
        lags=tuple(
            LagContext(
                lag,
                _vlans(lag.switching),
                _mode(lag.switching),
                regrouped(lag.system_id, 4, "."),
                lag_profiles.get(lag.number, ""),
            )
            for lag in device.interfaces.lags
        ),
        tracking=any(profile.tracking for profile in profiles),
        secured=any(row.switching.mac_limit for row in device.interfaces.ethernet if row.switching),
        dlb=device.load_balancing.mode == "dlb-flowlet",
        queue_pairs=device.load_balancing.mode == "ecmp-queue-pair",
        cluster=_port_list(device.load_balancing.cluster.ports) if device.load_balancing.cluster else "",
        ipv6=_has_ipv6(device),
        unnumbered=any(profile.unnumbered for profile in profiles),
        relays=any(row.relay_source >= 0 for row in gateways),
        vxlan_qos=device.evpn is not None and device.evpn.marks and "vxlan_qos" in spellings,
        relays_ipv4=any(row.relays_ipv4 for row in gateways),
        certificates=tuple(sorted(names - {""})),
        snmp_privacy=PRIVACY[management.snmp.privacy_algorithm] if management.snmp else "",
        access=AccessContext(**{row.service: access_list(row.service) for row in access}),
        access_lists=tuple(sorted(AccessListContext(access_list(row.service), _permits(row)) for row in access)),
        login=management.login or Login("", 0, only_keys=False, strong=False),
        algorithms=tuple(" ".join(row) for row in ALGORITHMS) if management.login and management.login.strong else (),
        static_ipv4=tuple(_static(route) for route in routing.static_routes if route.family == "ipv4"),
        static_ipv6=tuple(_static(route) for route in routing.static_routes if route.family == "ipv6"),
        lists_ipv4=tuple(prefix_list for prefix_list in routing.policy.prefix_lists if prefix_list.family == "ipv4"),
        lists_ipv6=tuple(prefix_list for prefix_list in routing.policy.prefix_lists if prefix_list.family == "ipv6"),
        route_maps=_statements(routing.policy.route_maps),
        qos=qos_words(device.qos) if device.qos else None,
        groups=groups,
        neighbors=tuple(row for row in routing.bgp.neighbors if not row.interface),
        link_sessions=sessions,
        families=tuple(families_of(device, groups)),
        vrfs=tuple(VrfContext(vrf, tuple(vrf_families(vrf))) for vrf in routing.bgp.vrfs),
    )


def served(management: Management) -> tuple[ServiceAccess, ...]:
    """The rows of the services that a switch answers; EOS has no NETCONF here."""
    runs = {
        "ssh": True,
        "api": bool(management.eapi_certificate),
        "gnmi": management.gnmi is not None,
        "snmp": management.snmp is not None,
    }
    return tuple(row for row in management.access if runs.get(row.service))


def access_list(service: str) -> str:
    """The name of a service's access list."""
    return f"MANAGEMENT-{service.upper()}"


def _permits(row: ServiceAccess) -> tuple[str, ...]:
    return tuple(f"{number * 10} permit {_source(prefix)}" for number, prefix in enumerate(row.prefixes, 1))


def _source(prefix: Prefix) -> str:
    """As a running configuration shows it (manual, ACLs: a mask of 32 bits is a host)."""
    address, _, length = prefix.partition("/")
    return {"0": "any", "32": f"host {address}"}.get(length, prefix)


def _keys(user: User) -> Iterator[str]:
    """One primary and one secondary key (PyAVD 6.4.0, local_users)."""
    for word, key in zip(("ssh-key", "ssh-key secondary"), user.ssh_keys, strict=False):
        yield f"{word} {key.line}"


def _port_list(names: tuple[str, ...]) -> str:
    """Ports as one list: Ethernet1/1,1/5,2/1."""
    return "Ethernet" + ",".join(name.removeprefix("Ethernet") for name in names) if names else ""


def internal_vlans(device: Device) -> str:
    """First and last VLAN of the highest free run that is long enough for INTERNAL_VLANS; empty if there is none."""
    used = sorted(vlan.vlan_id for vlan in device.evpn.vlans) if device.evpn else []
    last = LAST_INTERNAL
    # From the top down: `last` is the end of the gap above each VLAN in use.
    for vlan in reversed(used):
        if last - vlan >= INTERNAL_VLANS:
            break
        last = min(last, vlan - 1)
    first = last - INTERNAL_VLANS + 1
    return f"{first} {last}" if first >= FIRST_INTERNAL else ""


def derived(device: Device) -> dict[str, str]:
    """Configuration that depends on several parts of a Device; every switch has it.

    All else of `TemplateContext` changes only together with what costs as much: `ipv6 unicast-routing` with an
    address that comes or goes, the DHCP options with a relay.
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
    """Ports with a cable and idle ones, in panel order."""
    rows = [*device.interfaces.ethernet, *device.interfaces.idle]
    if not device.interfaces.idle:
        return rows
    return sorted(rows, key=lambda row: tuple(int(digits) for digits in re.findall(r"\d+", row.name)))


def _ports(device: Device) -> Iterator[PortsContext]:
    for _, rows in groupby(_panel(device), DECIDING_FIELDS):
        first, *others = rows
        profile, switching, lag = first.profile, first.switching, first.lag
        speed, lanes = profile.speed_gbps, profile.lanes
        yield PortsContext(
            ports=tuple(map(OWN_FIELDS, (first, *others))),
            shutdown="no shutdown" if first.enabled else "shutdown",
            mtu=profile.mtu if profile.routed else 0,
            speed=device.hardware.spellings.get(f"speed_{speed}_{lanes}", f"{speed}g-{lanes}"),
            fec=FEC[profile.fec],
            unnumbered=profile.unnumbered,
            vlans=_vlans(switching) if switching else "",
            mode=_mode(switching) if switching else "",
            lag=lag,
            guards=tuple(_guards(switching)) if switching and not lag else (),
            bpdu_guard=switching is not None and switching.bpdu_guard,
            qos=profile.qos,
            sflow=profile.sflow,
            tracking="" if lag else profile.tracking,
        )


def _guards(switching: Switching) -> Iterator[str]:
    if switching.mac_limit:
        yield "switchport port-security violation protect"
        yield f"switchport port-security mac-address maximum {switching.mac_limit}"
    for kind, percent in (
        ("broadcast", switching.broadcast_percent),
        ("multicast", switching.multicast_percent),
        ("unknown-unicast", switching.unknown_unicast_percent),
    ):
        if percent:
            yield f"storm-control {kind} level {percent}"


def _vlans(switching: Switching) -> str:
    """The VLANs of a port, after `switchport`."""
    if switching.access_vlan:
        return f"access vlan {switching.access_vlan}"
    return f"trunk allowed vlan {','.join(str(vlan) for vlan in switching.trunk_vlans)}"


def _mode(switching: Switching) -> str:
    return "access" if switching.access_vlan else "trunk"


def _static(route: StaticRoute) -> str:
    """All of a static route after its first two words."""
    text = f"{route.prefix} {route.next_hop or 'Null0'}"
    return f"vrf {route.vrf} {text}" if route.vrf else text


@lru_cache(MAPS_KEPT)
def _statements(maps: tuple[RouteMap, ...]) -> tuple[StatementContext, ...]:
    return tuple(_statement(route_map.name, row) for route_map in maps for row in route_map.statements)


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


def _has_ipv6(device: Device) -> bool:
    """Whether anything on the switch routes IPv6, in any VRF."""
    interfaces, bgp = device.interfaces, device.routing.bgp
    if bgp.networks_ipv6 or any(row.interface for row in bgp.neighbors):
        return True
    gateways = device.evpn.gateways if device.evpn else ()
    of_ports = chain((row.ipv6 for row in interfaces.ethernet), (row.ipv6 for row in interfaces.subinterfaces))
    return any(of_ports) or any(row.ipv6 for row in gateways)
