"""Routing of one switch: policy objects, static routes and BGP."""

from typing import NamedTuple

from fabricgen.base.addresses import Address, Prefix
from fabricgen.base.secret import Secret


class PrefixEntry(NamedTuple):
    """One line of a prefix list. `longest` is the longest length that matches, 0 for the exact one."""

    sequence: int
    prefix: Prefix
    longest: int


class PrefixList(NamedTuple):
    """Prefixes of one family (ipv4, ipv6); every entry permits."""

    name: str
    family: str
    entries: tuple[PrefixEntry, ...]


class CommunityList(NamedTuple):
    """A standard community list of one member; `graceful_shutdown` marks the well-known one (RFC 8326)."""

    name: str
    community: str
    graceful_shutdown: bool


class RouteTargetList(NamedTuple):
    """An extended-community list of one route target."""

    name: str
    route_target: str


class PathsList(NamedTuple):
    """Routes that a neighbor has by fewer paths than `paths`, as it says in the link bandwidth of each (RFC 10005)."""

    name: str
    paths: int


class Statement(NamedTuple):
    """One sequence of a route map. Empty fields match or set nothing; local_preference -1 sets none.

    replace_communities  those that are set stand alone; else they join what the route carries
    match_paths_list     name of a PathsList
    set_paths            the route's link bandwidth is the number of equal paths that the switch itself has
    """

    sequence: int
    permit: bool
    match_community_list: str = ""
    match_route_target_list: str = ""
    match_prefix_list_ipv4: str = ""
    match_prefix_list_ipv6: str = ""
    set_community: str = ""
    set_graceful_shutdown: bool = False
    replace_communities: bool = False
    set_local_preference: int = -1
    match_paths_list: str = ""
    set_paths: bool = False


class RouteMap(NamedTuple):
    """Statements in order of sequence; what none permits is denied."""

    name: str
    statements: tuple[Statement, ...]


class StaticRoute(NamedTuple):
    """A static route; an empty next hop discards."""

    vrf: str
    family: str
    prefix: Prefix
    next_hop: str


class RoutingPolicy(NamedTuple):
    """Everything that a session uses is defined here; what is not used are the maps that a drained session takes."""

    prefix_lists: tuple[PrefixList, ...]
    community_lists: tuple[CommunityList, ...]
    route_target_lists: tuple[RouteTargetList, ...]
    route_maps: tuple[RouteMap, ...]
    paths_lists: tuple[PathsList, ...] = ()


class PeerGroup(NamedTuple):
    """What a set of sessions shares.

    families       address families activated: ipv4, ipv6, evpn
    update_source  loopback number, -1 for the link's own address
    multihop       TTL of a session between loopbacks, 0 for a direct one
    maximum_routes prefixes that are expected at most; more is told in the switch's log
    restart_minutes  a session that brings more than that is closed for so long; 0: it stands
    extended_next_hop  IPv4 prefixes have IPv6 next hops (RFC 8950): its sessions run over links without IPv4
    """

    name: str
    description: str
    families: tuple[str, ...]
    route_map_in: str
    route_map_out: str
    maximum_routes: int
    restart_minutes: int
    bfd: bool
    extended_communities: bool
    update_source: int = -1
    multihop: int = 0
    next_hop_unchanged: bool = False
    extended_next_hop: bool = False


class Neighbor(NamedTuple):
    """One session. Its own route maps stand in place of its group's; empty: the group's.

    address    of the far end; empty over an unnumbered link
    interface  the port of an unnumbered link, which finds the far end by its router advertisements; else empty
    """

    address: Address
    group: str
    remote_as: int
    description: str
    route_map_in: str = ""
    route_map_out: str = ""
    interface: str = ""

    @property
    def peer(self) -> str:
        """What the session is known by: the port of an unnumbered link, else the far address."""
        return self.interface or self.address


class ExternalNeighbor(NamedTuple):
    """A session with something outside the fabric, in a VRF; it shares nothing with another.

    maximum_routes, restart_minutes  as of a PeerGroup
    """

    address: Address
    family: str
    remote_as: int
    description: str
    route_map_in: str
    route_map_out: str
    maximum_routes: int
    restart_minutes: int
    password: Secret | None


class BgpVrf(NamedTuple):
    """BGP of one VRF: what it originates, imports, exports and learns from outside.

    networks        prefixes originated, of both families: a closed list, whatever else is connected
    imports         VRFs of this switch whose routes it takes over; their targets are among import_targets too
    import_map      route map on what is imported: all of its own, and of the others their subnets only, so that a
                    way out that one tenant has learned never becomes another's; empty where it imports nothing
    """

    name: str
    rd: str
    import_targets: tuple[str, ...]
    imports: tuple[str, ...]
    import_map: str
    export_target: str
    networks_ipv4: tuple[Prefix, ...]
    networks_ipv6: tuple[Prefix, ...]
    neighbors: tuple[ExternalNeighbor, ...]


class Bgp(NamedTuple):
    """The BGP speaker of one switch.

    maximum_paths  at least the ECMP width towards any prefix of the underlay
    overlay_paths  the same in VRFs, where one prefix comes from several VTEPs through every spine
    wait_install   advertise a route only when the forwarding table holds it
    families       ipv4, ipv6 as the underlay carries them
    """

    asn: int
    router_id: Address
    keepalive_seconds: int
    hold_seconds: int
    maximum_paths: int
    overlay_paths: int
    wait_install: bool
    families: tuple[str, ...]
    groups: tuple[PeerGroup, ...]
    neighbors: tuple[Neighbor, ...]
    networks_ipv4: tuple[Prefix, ...]
    networks_ipv6: tuple[Prefix, ...]
    vrfs: tuple[BgpVrf, ...]


class Routing(NamedTuple):
    """All routing of one switch."""

    policy: RoutingPolicy
    static_routes: tuple[StaticRoute, ...]
    bgp: Bgp
