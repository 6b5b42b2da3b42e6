"""Ports that one server has at its leaves: which of them can take over from another, and which are out of service."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.intent.fabric import Backend
from fabricgen.plan.exceptions import ACTIVE, AWAY, PortKey
from fabricgen.plan.fabric import FabricPlan, binding_of, group_of, name_of, port_text, state_of
from fabricgen.plan.place import Place
from fabricgen.plan.wiring import HostPort, leaf_of


class Home(NamedTuple):
    """One port of a leaf that a server hangs at, as the leaf's operating system calls it."""

    leaf: Place
    key: PortKey


def home(fabric: FabricPlan, leaf: Place, host: HostPort) -> Home:
    """The port of a leaf that `host_ports` found there."""
    return Home(leaf, PortKey(name_of(fabric, leaf), port_text(fabric, leaf, host.port)))


def mates(fabric: FabricPlan, leaf: Place, host: HostPort) -> Iterator[Home]:
    """Other ports of the same server, and plane, that can carry its traffic instead.

    On a frontend all of them do. On a backend each NIC has addresses of its own, and only one of the same rail, nearest
    to the same GPU, can stand in for it.
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
    """Whether another port of the server is in service, so that the drain of this port or its leaf shuts this one.

    The other ports of a drained leaf are out of service with it.
    """
    return any(is_in_service(fabric, one) for one in mates(fabric, leaf, host))


def is_lost(fabric: FabricPlan, one: Home) -> bool:
    """Whether nothing comes through: the leaf, the port or the cable is dead or absent."""
    found = fabric.exceptions
    return state_of(fabric, one.leaf) in AWAY or found.ports.get(one.key) in AWAY or one.key in found.broken


def is_in_service(fabric: FabricPlan, one: Home) -> bool:
    """Whether it carries the server by itself: leaf, port and cable are active, so that another port may be shut."""
    is_active = state_of(fabric, one.leaf) == ACTIVE and fabric.exceptions.ports.get(one.key, ACTIVE) == ACTIVE
    return is_active and not is_lost(fabric, one)
