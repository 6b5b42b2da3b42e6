"""From Device to EOS's own words: what the templates print that is no Device field word for word."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Lag, Switching
from fabricgen.device.management import User
from fabricgen.device.routing import BgpVrf, ExternalNeighbor, PrefixList, RouteMap, Statement, StaticRoute
from fabricgen.platforms.eos_qos import QosWords, qos_words

INTERNAL_VLANS = 512
"""VLANs that EOS takes for routed ports and L3 VNIs: more than the interfaces of any model in the library."""
FIRST_INTERNAL, LAST_INTERNAL = 1006, 4094
"""The range EOS takes them from when told nothing; sharing it with tenants' VLANs makes their order matter."""
DEFAULT_RANGE = "EOS's own range"
"""Stands for a range that no line names."""
PRIVILEGES = {"network-admin": 15, "network-operator": 1}
"""Privilege level of a role; the role alone says what its users may do."""


class UserWords(NamedTuple):
    """A local user and the privilege level of its role."""

    row: User
    privilege: int


class Port(NamedTuple):
    """An Ethernet row with its words. What a port-channel says, its members leave out: the last three."""

    row: Ethernet
    speed: str
    trunk: str
    broadcast: int
    multicast: int
    tracking: str


class LagWords(NamedTuple):
    """A port-channel, its tagged VLANs and its system id in groups of four digits."""

    row: Lag
    trunk: str
    system_id: str


class StatementWords(NamedTuple):
    """One sequence of a route map. `local_preference` is empty where none is set."""

    name: str
    action: str
    row: Statement
    communities: str
    local_preference: str


class FamilyWords(NamedTuple):
    """One address family of the default VRF."""

    name: str
    groups: tuple[str, ...]
    networks: tuple[Prefix, ...]


class VrfFamily(NamedTuple):
    """One address family of a VRF."""

    name: str
    neighbors: tuple[ExternalNeighbor, ...]
    networks: tuple[Prefix, ...]


class VrfWords(NamedTuple):
    """BGP of one VRF, by family."""

    vrf: BgpVrf
    families: tuple[VrfFamily, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """What EOS spells by model, chip or family.

    queue        word of a unicast transmit queue
    mmu          start of the buffer commands
    ecn_count    marked packets are counted in the profile's queue
    tracking     ports are tied to the state of the uplinks
    dlb          dynamic load balancing of ECMP groups is on
    certificates TLS profiles that an API uses
    relays       DHCP is relayed, of either family
    """

    queue: str
    mmu: str
    ecn_count: bool
    internal_vlans: str
    users: tuple[UserWords, ...]
    ports: tuple[Port, ...]
    lags: tuple[LagWords, ...]
    tracking: bool
    dlb: bool
    ipv6: bool
    relays: bool
    relays_ipv4: bool
    certificates: tuple[str, ...]
    static_ipv4: tuple[str, ...]
    static_ipv6: tuple[str, ...]
    lists_ipv4: tuple[PrefixList, ...]
    lists_ipv6: tuple[PrefixList, ...]
    route_maps: tuple[StatementWords, ...]
    qos: QosWords | None
    families: tuple[FamilyWords, ...]
    vrfs: tuple[VrfWords, ...]


def spell(device: Device) -> Spelling:
    """EOS's words for one switch; chip and model speak through `hardware.spellings`."""
    words = device.hardware.spellings
    routing = device.routing
    gateways = device.evpn.gateways if device.evpn else ()
    return Spelling(
        queue=words.get("transmit_queue", "uc-tx-queue"),
        mmu=words.get("mmu", "platform trident mmu"),
        ecn_count=words.get("ecn_count", "profile") == "profile",
        internal_vlans=internal_vlans(device),
        users=tuple(UserWords(user, PRIVILEGES[user.role]) for user in device.management.users),
        ports=tuple(_port(device, row) for row in device.interfaces.ethernet),
        lags=tuple(LagWords(lag, _trunk(lag.switching), _dotted(lag.system_id)) for lag in device.interfaces.lags),
        tracking=any(row.profile.tracking for row in device.interfaces.ethernet),
        dlb=device.load_balancing.mode == "dlb-flowlet",
        ipv6=_has_ipv6(device),
        relays=any(row.relay_source >= 0 for row in gateways),
        relays_ipv4=any(row.relays_ipv4 for row in gateways),
        certificates=_certificates(device),
        static_ipv4=tuple(_static(route) for route in routing.static_routes if route.family == "ipv4"),
        static_ipv6=tuple(_static(route) for route in routing.static_routes if route.family == "ipv6"),
        lists_ipv4=tuple(found for found in routing.policy.prefix_lists if found.family == "ipv4"),
        lists_ipv6=tuple(found for found in routing.policy.prefix_lists if found.family == "ipv6"),
        route_maps=tuple(_statements(routing.policy.route_maps)),
        qos=qos_words(device.qos) if device.qos else None,
        families=tuple(_families(device)),
        vrfs=tuple(VrfWords(vrf, tuple(_vrf_families(vrf))) for vrf in routing.bgp.vrfs),
    )


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

    All else of `Spelling` moves only with facts that cost as much: `ipv6 unicast-routing` with an address that comes or
    goes, the DHCP options with a relay.
    """
    return {"internal VLANs": internal_vlans(device).replace(" ", "-") or DEFAULT_RANGE}


def _port(device: Device, row: Ethernet) -> Port:
    speed, lanes = row.profile.speed_gbps, row.profile.lanes
    switching = row.switching
    alone = None if row.lag else switching
    return Port(
        row=row,
        speed=device.hardware.spellings.get(f"speed_{speed}_{lanes}", f"{speed}g-{lanes}"),
        trunk=_trunk(switching),
        broadcast=alone.broadcast_percent if alone else 0,
        multicast=alone.multicast_percent if alone else 0,
        tracking="" if row.lag else row.profile.tracking,
    )


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


def _statements(maps: tuple[RouteMap, ...]) -> Iterator[StatementWords]:
    for found in maps:
        for row in found.statements:
            found_communities = [row.set_community, "GSHUT" if row.set_graceful_shutdown else ""]
            communities = " ".join(filter(None, found_communities))
            adds = bool(communities) and not row.replace_communities
            yield StatementWords(
                name=found.name,
                action="permit" if row.permit else "deny",
                row=row,
                communities=f"{communities} additive" if adds else communities,
                local_preference=str(row.set_local_preference) if row.set_local_preference >= 0 else "",
            )


def _has_ipv6(device: Device) -> bool:
    """Whether anything of the switch routes IPv6, in whatever VRF."""
    addresses = [row.ipv6 for row in device.interfaces.ethernet]
    addresses += [row.ipv6 for row in device.interfaces.subinterfaces]
    addresses += [row.ipv6 for row in device.evpn.gateways] if device.evpn else []
    return bool(device.routing.bgp.networks_ipv6) or any(addresses)


def _certificates(device: Device) -> tuple[str, ...]:
    management = device.management
    names = {management.eapi_certificate, management.gnmi.certificate if management.gnmi else ""}
    return tuple(sorted(names - {""}))


def _families(device: Device) -> Iterator[FamilyWords]:
    bgp = device.routing.bgp
    networks: dict[str, tuple[Prefix, ...]] = {"evpn": (), "ipv4": bgp.networks_ipv4, "ipv6": bgp.networks_ipv6}
    for name, originated in networks.items():
        groups = tuple(group.name for group in bgp.groups if name in group.families)
        if groups or originated:
            yield FamilyWords(name, groups, originated)


def _vrf_families(vrf: BgpVrf) -> Iterator[VrfFamily]:
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": vrf.networks_ipv4, "ipv6": vrf.networks_ipv6}
    for name, originated in networks.items():
        neighbors = tuple(neighbor for neighbor in vrf.neighbors if neighbor.family == name)
        if neighbors or originated:
            yield VrfFamily(name, neighbors, originated)
