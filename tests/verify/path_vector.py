"""BGP by brute force: every session of every switch, every route map statement, round after round until nothing moves.

Knows nothing of tiers, valleys or widths: it only does what RFC 4271, RFC 8326 and the route maps say.
"""

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.routing import PeerGroup, RoutingPolicy, Statement

SHUTDOWN = "65535:0"


class Wire(NamedTuple):
    """One direction of a session: what `sender` sends, `receiver` takes over `port` (empty between loopbacks)."""

    sender: str
    out: PeerGroup
    receiver: str
    into: PeerGroup
    port: str


class Learned(NamedTuple):
    """One path of a switch."""

    preference: int
    numbers: tuple[int, ...]
    communities: frozenset[str]
    sender: str
    port: str


def wires(devices: Iterable[Device], family: str) -> list[Wire]:
    """Both directions of every session of a family whose two ends agree on addresses and AS numbers."""
    by_name = {device.name: device for device in devices}
    owner = {
        address.partition("/")[0]: (device.name, name)
        for device in by_name.values()
        for name, address in _addresses(device)
        if address
    }
    ends: dict[tuple[str, str], tuple[PeerGroup, str]] = {}
    for device in by_name.values():
        groups = {group.name: group for group in device.routing.bgp.groups}
        for neighbor in device.routing.bgp.neighbors:
            group = groups[neighbor.group]
            far, _ = owner.get(neighbor.address, ("", ""))
            if family in group.families and far:
                assert neighbor.remote_as == by_name[far].routing.bgp.asn
                own = _own_address(device, neighbor.address)
                into, out = neighbor.route_map_in or group.route_map_in, neighbor.route_map_out or group.route_map_out
                ends[own, neighbor.address] = (group._replace(route_map_in=into, route_map_out=out), device.name)
    return [
        Wire(ends[far, own][1], ends[far, own][0], name, group, owner[own][1])
        for (own, far), (group, name) in ends.items()
        if (far, own) in ends
    ]


def _addresses(device: Device) -> Iterable[tuple[str, str]]:
    for row in device.interfaces.ethernet:
        if row.enabled:
            yield row.name, row.ipv4
            yield row.name, row.ipv6
    for loopback in device.interfaces.loopbacks:
        if loopback.number == 0:
            yield "", loopback.ipv4


def _own_address(device: Device, far: str) -> str:
    """Own end of a session: of the link that holds the far address, else of the loopback."""
    wanted = ip_network(far)
    for name, address in _addresses(device):
        if name and address and ip_network(address, strict=False).version == wanted.version:
            network: IPv4Network | IPv6Network = ip_network(address, strict=False)
            if wanted.network_address in network:
                return address.partition("/")[0]
    return next(address for name, address in _addresses(device) if not name).partition("/")[0]


def converge(
    devices: Iterable[Device], family: str, prefix: str, origin: str, found: list[Wire]
) -> dict[str, list[Learned]]:
    """Switch → the equal best paths to a prefix that one switch originates."""
    by_name = {device.name: device for device in devices}
    best: dict[str, list[Learned]] = {origin: [Learned(1 << 32, (), frozenset(), "", "")]}
    for _ in range(20):
        following = {origin: best[origin]}
        for wire in found:
            path = _over(by_name, family, prefix, wire, best.get(wire.sender))
            if path is not None and wire.receiver != origin:
                following[wire.receiver] = _best([*following.get(wire.receiver, []), path])
        if following == best:
            return best
        best = following
    raise AssertionError(f"no fixed point for {prefix}")


def _best(paths: list[Learned]) -> list[Learned]:
    top = min((-path.preference, len(path.numbers)) for path in paths)
    return [path for path in paths if (-path.preference, len(path.numbers)) == top]


def _over(
    by_name: Mapping[str, Device], family: str, prefix: str, wire: Wire, held: list[Learned] | None
) -> Learned | None:
    if not held:
        return None
    # Of equal paths the one from the lowest name is advertised; which one cannot matter to what is compared.
    sent = min(held, key=lambda path: (path.sender, path.port))
    sender, receiver = by_name[wire.sender].routing, by_name[wire.receiver].routing
    leaving = apply(sender.policy, wire.out.route_map_out, family, prefix, sent.communities)
    numbers = (sender.bgp.asn, *sent.numbers)
    if leaving is None or receiver.bgp.asn in numbers:
        return None
    arriving = apply(receiver.policy, wire.into.route_map_in, family, prefix, leaving[1])
    if arriving is None:
        return None
    preference, communities = arriving
    return Learned(100 if preference < 0 else preference, numbers, communities, wire.sender, wire.port)


def apply(
    policy: RoutingPolicy, name: str, family: str, prefix: str, communities: frozenset[str]
) -> tuple[int, frozenset[str]] | None:
    """Preference (-1 unset) and communities behind a route map; None where it denies."""
    for statement in next(found.statements for found in policy.route_maps if found.name == name):
        if not _matches(policy, statement, family, prefix, communities):
            continue
        if not statement.permit:
            return None
        added = {statement.set_community} - {""} | ({SHUTDOWN} if statement.set_graceful_shutdown else set())
        kept = frozenset() if statement.replace_communities else communities
        return statement.set_local_preference, kept | added
    return None


def _matches(
    policy: RoutingPolicy, statement: Statement, family: str, prefix: str, communities: frozenset[str]
) -> bool:
    members = {found.name: found.community for found in policy.community_lists}
    if statement.match_community_list and members[statement.match_community_list] not in communities:
        return False
    for name in (statement.match_prefix_list_ipv4, statement.match_prefix_list_ipv6):
        if name:
            listed = next(found for found in policy.prefix_lists if found.name == name)
            if not any(_within(prefix, entry.prefix, entry.longest) for entry in listed.entries):
                return False
    return True


def _within(prefix: str, block: str, longest: int) -> bool:
    one, two = ip_network(prefix), ip_network(block)
    if one.version != two.version:
        return False
    if not longest:
        return one == two
    return one.prefixlen <= longest and one.supernet(new_prefix=min(two.prefixlen, one.prefixlen)) == two
