"""Ports of one server at its leaves: which of them can take over from another, and which are out of service."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.intent.fabric import Backend
from fabricgen.plan.exceptions import ACTIVE, AWAY, PortKey
from fabricgen.plan.fabric import FabricPlan, binding_of, group_of, name_of, port_text, state_of
from fabricgen.plan.place import Place
from fabricgen.plan.wiring import HostPort, leaf_of


class Home(NamedTuple):
    """One leaf port of a server, as the leaf's operating system names it."""

    leaf: Place
    key: PortKey


def home(fabric: FabricPlan, leaf: Place, host: HostPort) -> Home:
    """The home of a port from `host_ports`."""
    return Home(leaf, PortKey(name_of(fabric, leaf), port_text(fabric, leaf, host.port)))


def mates(fabric: FabricPlan, leaf: Place, host: HostPort) -> Iterator[Home]:
    """Other ports of the same server and plane that can carry its traffic instead.

    On a frontend all of them can. On a backend each NIC has its own addresses, and only a NIC of the same rail, nearest
    to the same GPU, can replace it.
    """
    group = group_of(fabric, host.group)
    rails = [port.rail for port in group.nics.ports]
    for nic in range(len(group.columns)):
        if nic == host.nic or (isinstance(fabric.fabric, Backend) and rails[nic] != rails[host.nic]):
            continue
        other, number = leaf_of(fabric, group, host.slot, nic, leaf.plane)
        port = binding_of(fabric, other).down[number]
        yield Home(other, PortKey(name_of(fabric, other), port_text(fabric, other, port)))


def takes_over(fabric: FabricPlan, leaf: Place, host: HostPort) -> bool:
    """Whether another port of the server is in service, so that a drain of this port or its leaf shuts this one down.

    The other ports of a drained leaf are out of service with it.
    """
    return any(is_in_service(fabric, other) for other in mates(fabric, leaf, host))


def is_lost(fabric: FabricPlan, port: Home) -> bool:
    """Whether it carries no traffic: the leaf, the port or the cable is dead or absent."""
    exceptions = fabric.exceptions
    return (
        state_of(fabric, port.leaf) in AWAY or exceptions.ports.get(port.key) in AWAY or port.key in exceptions.broken
    )


def is_in_service(fabric: FabricPlan, port: Home) -> bool:
    """Whether it can carry the server alone: leaf, port and cable are active, so another port may be shut down."""
    is_active = state_of(fabric, port.leaf) == ACTIVE and fabric.exceptions.ports.get(port.key, ACTIVE) == ACTIVE
    return is_active and not is_lost(fabric, port)
