"""Routes to NICs that have one address behind two leaves: a leaf has them from the server, others from both leaves."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet


class ServerRoute(NamedTuple):
    """The address of a NIC that a server announces over a port of a leaf."""

    prefix: Prefix
    port: Ethernet


ServerRoutes = Mapping[Prefix, tuple[str, ...]]
"""Address of a NIC → leaves whose ports towards it are in use."""


def server_routes(device: Device) -> Iterator[ServerRoute]:
    """What the servers of a leaf announce to it: what the inbound map of each session lets in."""
    rows = {row.name: row for row in device.interfaces.ethernet if row.profile.role == "host" and row.enabled}
    if not any(row.profile.unnumbered for row in rows.values()):
        return
    policy = device.routing.policy
    maps = {row.name: row.statements for row in policy.route_maps}
    lists = {row.name: row.entries for row in policy.prefix_lists}
    for neighbor in device.routing.bgp.neighbors:
        row = rows.get(neighbor.interface)
        if row is None or row.dead:
            continue
        names = {
            name
            for statement in maps.get(neighbor.route_map_in, ())
            for name in (statement.match_prefix_list_ipv4, statement.match_prefix_list_ipv6)
            if name
        }
        for entry in (entry for name in sorted(names) for entry in lists[name]):
            yield ServerRoute(entry.prefix, row)
