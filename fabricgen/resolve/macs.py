"""MAC addresses that servers bring: those of one port, and those of a VLAN on all of its leaves."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.intent.fabric import Frontend, ServerPorts
from fabricgen.intent.scalars import Spans
from fabricgen.plan.fabric import FabricPlan
from fabricgen.resolve.variants import variants

LEAST_ROOM = 8192
"""Addresses that the table of a VLAN has room for at least: servers that come later change no leaf."""


class ServerMacs(NamedTuple):
    """Addresses of one server of a frontend, where overrides say several: of the one with most.

    planned  its own and those of its guests
    allowed  how many its port may bring
    """

    planned: int
    allowed: int


def mac_limit(ports: ServerPorts) -> int:
    """MAC addresses of one server port, 0 for any number.

    Twice those that are there: a guest that is made again comes before the address of the former one is forgotten.
    """
    if ports.mac_limit == "auto":
        return 2 * _planned(ports)
    return 0 if ports.mac_limit == "none" else ports.mac_limit


def server_macs(fabric: FabricPlan) -> ServerMacs:
    """Addresses of one server of a fabric; none of a backend, whose servers are in no VLAN."""
    every = tuple(_server_ports(fabric))
    return ServerMacs(
        planned=max((_planned(ports) for ports in every), default=0),
        allowed=max((max(mac_limit(ports), 2 * _planned(ports)) for ports in every), default=0),
    )


def table_room(servers: int, each: ServerMacs, most: int) -> int:
    """Addresses that the table of a VLAN has room for: what ports may bring, a power of two, LEAST_ROOM at least.

    most  of one table; 0: the system is told nothing of it, and nothing is said. More than that only where more are
          planned, which the platform then refuses
    """
    if not most:
        return 0
    planned = servers * each.planned
    return planned if planned > most else min(most, 1 << (max(servers * each.allowed, LEAST_ROOM) - 1).bit_length())


def count(spans: Spans) -> int:
    """How many slots some spans are."""
    return sum(span.last - span.first + 1 for span in spans)


def _planned(ports: ServerPorts) -> int:
    return 1 + ports.guests_per_server


def _server_ports(fabric: FabricPlan) -> Iterator[ServerPorts]:
    """What the fabric's block says of server ports, and overrides of leaves and of ports."""
    for body in (fabric.fabric, *(variant.settings.fabric for variant in variants(fabric))):
        if isinstance(body, Frontend):
            yield body.server_ports
    for own in fabric.exceptions.port_settings.values():
        if own.server_ports is not None:
            yield own.server_ports
