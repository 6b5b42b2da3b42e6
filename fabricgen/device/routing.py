"""Routing of one switch: policy objects, static routes and BGP."""

from typing import NamedTuple

from fabricgen.base.addresses import Address, Prefix
from fabricgen.base.secret import Secret

MOST_HOPS = 255
"""The largest TTL of a packet."""


class PrefixEntry(NamedTuple):
    """One line of a prefix list. `longest` is the longest prefix length that matches, 0 for an exact match."""

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
    """Routes that a neighbor has over fewer paths than `paths`, by the link bandwidth of each route (RFC 10005)."""

    name: str
    paths: int


class Statement(NamedTuple):
    """One sequence of a route map. Empty fields match or set nothing; local_preference -1 sets none.

    replace_communities  the set communities replace those of the route; else they are added
    match_paths_list     name of a PathsList
    set_paths            sets the route's link bandwidth to the number of equal paths that the switch itself has
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
    """Statements in order of sequence; a route that none permits is denied."""

    name: str
    statements: tuple[Statement, ...]


class StaticRoute(NamedTuple):
    """A static route; an empty next hop is a discard route."""

    vrf: str
    family: str
    prefix: Prefix
    next_hop: str


class RoutingPolicy(NamedTuple):
    """Every policy object that a session uses, and the route maps of a drained session, which may be unused."""

    prefix_lists: tuple[PrefixList, ...]
    community_lists: tuple[CommunityList, ...]
    route_target_lists: tuple[RouteTargetList, ...]
    route_maps: tuple[RouteMap, ...]
    paths_lists: tuple[PathsList, ...] = ()


class PeerGroup(NamedTuple):
    """Settings shared by a set of sessions.

    families       address families activated: ipv4, ipv6, evpn
    update_source  loopback number, -1 for the link's own address
    multihop       TTL of a session between loopbacks, 0 for a direct one
    maximum_routes largest expected number of prefixes; more are logged by the switch
    restart_minutes  how long a session with more prefixes stays closed; 0: it stays open
    extended_next_hop  IPv4 prefixes have IPv6 next hops (RFC 8950): its sessions run over links without IPv4
    ttl_security   send: packets leave with TTL 255 (RFC 5082), instead of that of `multihop` or 1; check: and packets
                   that have come over more than `ttl_hops` are refused; empty: neither
    password       key of TCP-MD5 (RFC 2385)
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
    ttl_security: str = ""
    password: Secret | None = None

    @property
    def multihop_ttl(self) -> int:
        """TTL of a system's words for a peer that is farther away, by which a session sends another one than 1.

        0: none. A session that checks the TTL has other words, which send 255 as well.
        """
        return {"": self.multihop, "send": MOST_HOPS}.get(self.ttl_security, 0)

    @property
    def ttl_hops(self) -> int:
        """Hops that a packet may have come, 1 for the link; 0: the TTL is not checked.

        Between loopbacks it is one less than the TTL that a session sends without TTL security: that has one to spare.
        """
        return max(self.multihop - 1, 1) if self.ttl_security == "check" else 0


class Neighbor(NamedTuple):
    """One session. Its own route maps replace those of its group; empty: the group's.

    address    of the far end; empty over an unnumbered link
    interface  port of an unnumbered link, where the far end is found by its router advertisements; else empty
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
        """Identifies the session: the port of an unnumbered link, else the far address."""
        return self.interface or self.address


class ExternalNeighbor(NamedTuple):
    """A session with a peer outside the fabric, in a VRF; it shares no settings with other sessions.

    maximum_routes, restart_minutes  as in PeerGroup
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
    """BGP of one VRF: the routes that it originates, imports, exports and learns from outside.

    networks_ipv4, networks_ipv6  prefixes originated: a closed list, connected routes are not redistributed
    imports         VRFs of this switch whose routes it imports; their targets are in import_targets, too
    import_map      route map for imported routes: all of its own, and only the subnets of the other VRFs, so that a
                    default route that one tenant has learned is never imported by another; empty without imports
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
    wait_install   advertise a route only when it is in the forwarding table
    families       ipv4, ipv6: those of the underlay
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
