"""MAC addresses of servers: those of one port, and those of a VLAN on all of its leaves."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.intent.fabric import Frontend, ServerPorts
from fabricgen.plan.fabric import FabricPlan
from fabricgen.resolve.variants import blocks

LEAST_ROOM = 8192
"""Fewest addresses in the table size of a VLAN, so that further servers do not change existing leaves."""


class ServerMacs(NamedTuple):
    """MAC addresses of one server of a frontend; where overrides differ, the largest numbers.

    planned  its own and those of its guests
    allowed  limit of its port
    """

    planned: int
    allowed: int


def mac_limit(ports: ServerPorts) -> int:
    """Return the limit of MAC addresses of one server port, 0 for no limit.

    Twice the planned addresses: a recreated guest sends before the address of the former one has aged out.
    """
    if ports.mac_limit == "auto":
        return 2 * _planned(ports)
    return 0 if ports.mac_limit == "none" else ports.mac_limit


def server_macs(fabric: FabricPlan) -> ServerMacs:
    """Return the addresses of one server of a fabric; 0 on a backend, whose servers are in no VLAN."""
    settings = tuple(_server_ports(fabric))
    return ServerMacs(
        planned=max((_planned(ports) for ports in settings), default=0),
        allowed=max((max(mac_limit(ports), 2 * _planned(ports)) for ports in settings), default=0),
    )


def table_room(servers: int, server: ServerMacs, most: int) -> int:
    """Return the table size of a VLAN: what ports may bring, rounded up to a power of two, at least LEAST_ROOM.

    most  largest table of the system; 0: it has no such setting, and the result is 0. The result is larger only if more
          addresses are planned, which the platform then refuses
    """
    if not most:
        return 0
    planned = servers * server.planned
    return planned if planned > most else min(most, 1 << (max(servers * server.allowed, LEAST_ROOM) - 1).bit_length())


def _planned(ports: ServerPorts) -> int:
    return 1 + ports.guests_per_server


def _server_ports(fabric: FabricPlan) -> Iterator[ServerPorts]:
    """Yield the server_ports settings of the fabric's block, and of overrides of leaves and of ports."""
    yield from (block.server_ports for block in blocks(fabric) if isinstance(block, Frontend))
    for port in fabric.exceptions.port_settings.values():
        if port.server_ports is not None:
            yield port.server_ports
