"""BGP in NVUE's terms: groups, sessions and families of the default VRF and of tenants."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address, Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, BgpVrf, ExternalNeighbor, Neighbor, PeerGroup, StaticRoute
from fabricgen.platforms.base.originated import originated_map
from fabricgen.platforms.cumulus.keywords import Keywords, is_renamed, keywords
from fabricgen.platforms.cumulus.names import quoted, vrf_names
from fabricgen.platforms.linux.interfaces import session_source

FAMILIES = {"ipv4": "ipv4-unicast", "ipv6": "ipv6-unicast", "evpn": "l2vpn-evpn"}
"""Family → NVUE's term."""
BFD_PROFILE = "FABRIC"
"""Name of the BFD profile, which has the intervals that releases without profiles have by themselves."""
MOST_TTL = 255
OWN_TIMERS = (3, 9)
"""Default keepalive and hold seconds of a session (NVUE reference, BGP)."""


class Family(NamedTuple):
    """One address family of the default VRF."""

    name: str
    networks: tuple[Prefix, ...]
    maximum_paths: int


class PeerFamily(NamedTuple):
    """One family of a group or a session; an empty map or 0 means that another line has it.

    state    the line that turns it on or off
    restart  seconds for which a session with too many routes is closed; 0: the switch only warns
    """

    name: str
    state: str
    route_map_in: str
    route_map_out: str
    maximum_routes: int
    restart: int = 0


class GroupContext(NamedTuple):
    """A peer group; `source` is an address, empty for the link's own; `bfd` is the line that turns BFD on."""

    row: PeerGroup
    description: str
    password: str
    source: Address
    bfd: str
    families: tuple[PeerFamily, ...]


class SessionContext(NamedTuple):
    """A session of a group: numbered, or of an unnumbered link. Empty `keepalive`: the default timers.

    ttl_hops  as of its group: the manual says that TTL security of a group does not reach its members
    """

    row: Neighbor
    peer: str
    description: str
    kind: str
    keepalive: str
    hold: str
    ttl_hops: int
    families: tuple[PeerFamily, ...]


class OutsideSession(NamedTuple):
    """A session with a peer outside the fabric."""

    row: ExternalNeighbor
    description: str
    password: str
    keepalive: str
    hold: str
    families: tuple[PeerFamily, ...]


class VrfFamily(NamedTuple):
    """One family of a VRF.

    connected_map  map on connected routes, which permits the VRF's networks; empty if it has none
    imports        VRFs whose routes it imports
    """

    name: str
    connected_map: str
    imports: tuple[str, ...]
    import_map: str


class VrfSpeaker(NamedTuple):
    """BGP of one VRF."""

    row: BgpVrf
    families: tuple[VrfFamily, ...]
    sessions: tuple[OutsideSession, ...]


class RouteContext(NamedTuple):
    """A static route; `kind` is NVUE's term for its next hop."""

    prefix: Prefix
    family: str
    target: str
    kind: str


def families(device: Device, groups: tuple[GroupContext, ...]) -> Iterator[Family]:
    """Families of the default VRF that have a group or a prefix."""
    bgp = device.routing.bgp
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": bgp.networks_ipv4, "ipv6": bgp.networks_ipv6, "evpn": ()}
    for name, originated in networks.items():
        if originated or any(name in group.row.families for group in groups):
            yield Family(FAMILIES[name], originated, 0 if name == "evpn" else bgp.maximum_paths)


def groups(device: Device) -> Iterator[GroupContext]:
    """Peer groups by name. IPv4 is on by default for every peer, so groups without it turn it off."""
    for group in sorted(device.routing.bgp.groups, key=lambda row: row.name):
        source = session_source(device, group)
        bfd = bfd_line(device.version) if group.bfd else ""
        families = tuple(_group_families(group, keywords(device.version)))
        password = quoted(str(group.password)) if group.password else ""
        yield GroupContext(group, quoted(group.description), password, source, bfd, families)


class BfdContext(NamedTuple):
    """The profile of BFD. `minimum_ttl` of packets from several hops away; 0 where every session is of one hop."""

    profile: str
    minimum_ttl: int


def bfd_profile(device: Device) -> BfdContext | None:
    """BFD's profile; None without BFD, and until 5.14, which has no profiles."""
    hops = [group.multihop for group in device.routing.bgp.groups if group.bfd]
    if not hops or not is_renamed(device.version):
        return None
    return BfdContext(BFD_PROFILE, MOST_TTL + 1 - max(hops) if max(hops) else 0)


def bfd_line(version: str) -> str:
    """The line that turns BFD on for a session."""
    return f"profile: {BFD_PROFILE}" if is_renamed(version) else keywords(version).enabled


def _group_families(group: PeerGroup, words: Keywords) -> Iterator[PeerFamily]:
    for name, family in FAMILIES.items():
        if name in group.families:
            limit = 0 if name == "evpn" else group.maximum_routes
            yield PeerFamily(family, words.enabled, group.route_map_in, group.route_map_out, limit, _seconds(group))
        elif name == "ipv4":
            yield PeerFamily(family, words.disabled, "", "", 0)


def _seconds(row: PeerGroup | ExternalNeighbor) -> int:
    """Restart time in seconds, the unit of NVUE's manual; FRR, below NVUE, has minutes."""
    return 60 * row.restart_minutes


def sessions(device: Device) -> Iterator[SessionContext]:
    """Sessions of groups, in the Device's order. EVPN limits are per session."""
    bgp, words = device.routing.bgp, keywords(device.version)
    by_name = {group.name: group for group in bgp.groups}
    keepalive, hold = _timers(bgp)
    for row in bgp.neighbors:
        yield SessionContext(
            row=row,
            peer=row.peer,
            description=quoted(row.description),
            kind="unnumbered" if row.interface else "numbered",
            keepalive=keepalive,
            hold=hold,
            ttl_hops=by_name[row.group].ttl_hops,
            families=tuple(_own_families(row, by_name[row.group], words)),
        )


def _own_families(row: Neighbor, group: PeerGroup, words: Keywords) -> Iterator[PeerFamily]:
    has_maps = bool(row.route_map_in or row.route_map_out)
    for name, family in FAMILIES.items():
        limit = group.maximum_routes if name == "evpn" else 0
        if name in group.families and (has_maps or limit):
            yield PeerFamily(family, words.enabled, row.route_map_in, row.route_map_out, limit, _seconds(group))


def _timers(bgp: Bgp) -> tuple[str, str]:
    timers = (bgp.keepalive_seconds, bgp.hold_seconds)
    return ("", "") if timers == OWN_TIMERS else (str(timers[0]), str(timers[1]))


def vrf_speakers(device: Device) -> dict[str, VrfSpeaker]:
    """VRF's name on the switch → its BGP."""
    names, bgp, words = vrf_names(device), device.routing.bgp, keywords(device.version)
    return {names[vrf.name]: _vrf(vrf, names, _timers(bgp), words) for vrf in bgp.vrfs}


def _vrf(vrf: BgpVrf, names: dict[str, str], timers: tuple[str, str], words: Keywords) -> VrfSpeaker:
    imports = tuple(names[name] for name in vrf.imports if name in names)
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": vrf.networks_ipv4, "ipv6": vrf.networks_ipv6}
    return VrfSpeaker(
        row=vrf,
        families=tuple(
            VrfFamily(
                name=FAMILIES[name],
                connected_map=originated_map(vrf) if originated else "",
                imports=imports,
                import_map=vrf.import_map if imports else "",
            )
            for name, originated in networks.items()
        ),
        sessions=tuple(_outside(row, timers, words) for row in vrf.neighbors),
    )


def _outside(row: ExternalNeighbor, timers: tuple[str, str], words: Keywords) -> OutsideSession:
    maps = (row.route_map_in, row.route_map_out)
    active = PeerFamily(FAMILIES[row.family], words.enabled, *maps, row.maximum_routes, _seconds(row))
    off = (PeerFamily(FAMILIES["ipv4"], words.disabled, "", "", 0),) if row.family != "ipv4" else ()
    password = quoted(str(row.password)) if row.password else ""
    return OutsideSession(row, quoted(row.description), password, *timers, (*off, active))


def static_routes(device: Device, vrf: str) -> tuple[RouteContext, ...]:
    """Static routes of a VRF, "" for the default one; the management VRF's default route is configured at its port."""
    rows = [row for row in device.routing.static_routes if row.vrf == vrf and row.vrf != device.management.vrf]
    return tuple(_route(row) for row in rows)


def _route(row: StaticRoute) -> RouteContext:
    family = FAMILIES[row.family]
    if not row.next_hop:
        return RouteContext(row.prefix, family, "blackhole", "blackhole")
    return RouteContext(row.prefix, family, row.next_hop, f"{row.family}-address")
