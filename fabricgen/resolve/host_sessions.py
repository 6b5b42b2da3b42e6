"""BGP sessions of a leaf with the servers behind its ports, where a NIC has one address on both leaves of a pair.

in   of a NIC's session: the address of that very NIC, marked with its rail, without communities of the server
out  routes of the NICs of the same rail, from whatever leaf; of those on a drained leaf least preferred (RFC 8326)

A server therefore has one route for each NIC of the fabric, over the NIC of that rail: its packets leave by the rail of
their destination, and where a link is down by the leaf that still reaches it. No leaf promises an aggregate, or a
default, that it could not keep after it lost its uplinks.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from fabricgen.base.addresses import Ipv4, Prefix
from fabricgen.device.routing import CommunityList, Neighbor, PeerGroup, PrefixEntry, PrefixList, RouteMap, Statement
from fabricgen.plan.exceptions import server_name
from fabricgen.plan.fabric import port_text
from fabricgen.plan.leaf_pairs import has_leaf_pairs, nic_address, server_asn
from fabricgen.plan.links import slice_name
from fabricgen.plan.place import Tier
from fabricgen.plan.wiring import groups_on, host_ports
from fabricgen.resolve.context import Context
from fabricgen.resolve.nics import is_shut

RAIL_MARKS = 1000
"""Communities 65000:1000 and up mark routes to NICs by rail; lower ones say where a route came from."""
HOST_ROUTES = 2
"""Routes that a server may announce over one port: twice the one that it has."""


class HostSession(NamedTuple):
    """A session with a server over one port.

    number  of the port, from 0; text: the server and its NIC port
    prefix  the host route of the NIC; asn: AS number of the server
    """

    number: int
    port: str
    text: str
    rail: int
    prefix: Prefix
    asn: int


class HostSide(NamedTuple):
    """The side of a leaf of a pair towards its servers.

    family    of their addresses
    block     the prefix that the pair has such addresses in
    rails     of its ports, reserved ones among them
    sessions  with the servers that are there, by port
    """

    family: str
    block: Prefix
    rails: tuple[int, ...]
    sessions: tuple[HostSession, ...]


def host_side(context: Context) -> HostSide | None:
    """Return the side of a leaf towards servers; None where a NIC has one leaf, and on other tiers."""
    plan, place = context.fabric, context.place
    if place.tier is not Tier.LEAF or not has_leaf_pairs(plan):
        return None
    groups = {group.name: group for group in groups_on(plan, place)}
    rails: set[int] = set()
    sessions: list[HostSession] = []
    block = ""
    for host in host_ports(plan, place):
        group = groups[host.group]
        address = nic_address(plan, place, group, host.slot, host.nic)
        if address is None:
            return None
        rail, port = group.nics.ports[host.nic].rail, port_text(plan, place, host.port)
        rails.add(rail)
        block = address.block
        if host.present and not is_shut(context, port):
            text = f"{server_name(plan.exceptions, host.group, host.slot)} {slice_name(group, host.nic, place.plane)}"
            asn = server_asn(plan, group, host.slot)
            sessions.append(HostSession(host.number, port, text, rail, Prefix(address.prefix), asn))
    return HostSide(plan.fabric.addressing.hosts, Prefix(block), tuple(sorted(rails)), tuple(sessions))


def host_group(rail: int) -> str:
    """Return the peer group of sessions with the servers of a rail."""
    return f"HOSTS-RAIL{rail}-UNNUMBERED"


def nic_map(session: HostSession) -> str:
    """Return the inbound map of a session: it lets in one address."""
    return f"RM-NIC-{session.number:03d}-IN"


def rail_mark(rail: int) -> str:
    """Return the community of routes to NICs of a rail."""
    return f"65000:{RAIL_MARKS + rail}"


def host_groups(side: HostSide, restart_minutes: int) -> Iterator[PeerGroup]:
    """Yield a peer group for each rail. Its own inbound map lets nothing in: each session names that of its NIC."""
    for rail in side.rails:
        name = host_group(rail)
        yield PeerGroup(
            name=name,
            description=f"servers on rail {rail}",
            families=(side.family,),
            route_map_in=f"RM-{name}-IN",
            route_map_out=f"RM-{name}-OUT",
            maximum_routes=HOST_ROUTES,
            restart_minutes=restart_minutes,
            bfd=False,
            extended_communities=False,
            extended_next_hop=side.family == "ipv4",
        )


def host_neighbors(side: HostSide, *, drained: bool) -> Iterator[Neighbor]:
    """Yield the sessions as neighbors. A drained leaf still prefers its own ports: they are the shortest way."""
    for session in side.sessions:
        name = host_group(session.rail)
        yield Neighbor(
            address=Ipv4(""),
            group=name,
            remote_as=session.asn,
            description=session.text,
            route_map_in=nic_map(session),
            route_map_out=f"RM-{name}-DRAINED-OUT" if drained else "",
            interface=session.port,
        )


def host_community_lists(side: HostSide) -> Iterator[CommunityList]:
    """Yield a list for the mark of each rail."""
    return (CommunityList(rail_list(rail), rail_mark(rail), graceful_shutdown=False) for rail in side.rails)


def rail_list(rail: int) -> str:
    """Return the name of the list of a rail's mark."""
    return f"CL-RAIL{rail}"


def hosts_list(family: str) -> str:
    """Return the name of the list of the pair's host routes, which a leaf sends up."""
    return f"PL-HOSTS-{family.upper()}"


def host_prefix_lists(side: HostSide) -> Iterator[PrefixList]:
    """Yield the list of the pair's host routes, and one for each NIC."""
    longest = 128 if side.family == "ipv6" else 32
    yield PrefixList(hosts_list(side.family), side.family, (PrefixEntry(10, side.block, longest),))
    for session in side.sessions:
        yield PrefixList(_nic_list(session), side.family, (PrefixEntry(10, session.prefix, 0),))


def _nic_list(session: HostSession) -> str:
    return f"PL-NIC-{session.number:03d}"


def host_maps(side: HostSide, fabric_list: str, shutdown_list: str, last: int) -> Iterator[RouteMap]:
    """Yield all maps of the sessions.

    fabric_list    matches every prefix of the fabric
    shutdown_list  matches a route that is being shut down (RFC 8326), which gets the local preference `last`
    """

    def match(prefix_list: str) -> dict[str, Any]:
        return {f"match_prefix_list_{side.family}": prefix_list}

    for rail in side.rails:
        group = host_group(rail)
        for stem, drained in ((f"RM-{group}", False), (f"RM-{group}-DRAINED", True)):
            yield RouteMap(f"{stem}-IN", (Statement(sequence=10, permit=False),))
            sent = Statement(
                sequence=10, permit=True, match_community_list=rail_list(rail), set_graceful_shutdown=drained
            )
            yield RouteMap(f"{stem}-OUT", (sent._replace(**match(fabric_list)),))
    for session in side.sessions:
        taken = Statement(
            sequence=20, permit=True, set_community=rail_mark(session.rail), replace_communities=True
        )._replace(**match(_nic_list(session)))
        shut = taken._replace(
            sequence=10, match_community_list=shutdown_list, set_graceful_shutdown=True, set_local_preference=last
        )
        yield RouteMap(nic_map(session), (shut, taken))
