"""The parts of one fabric that can fail, by place."""

from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.place import Place


class HostLink(NamedTuple):
    """The link of a NIC port of a server, or of the slice of the port in one plane."""

    plane: int
    group: str
    slot: int
    nic: int


class Wire(NamedTuple):
    """A link between switches: the lower switch and the number of its uplink."""

    lower: Place
    number: int


class Unit(NamedTuple):
    """A scalable unit of a server group: servers whose NICs share one set of leaves, in all planes.

    Groups on the same leaves have a unit each. The leaves belong to one of them, and fail with it.
    """

    pod: int
    group: str
    su: int


class Lost(NamedTuple):
    """The parts that a failure removes. A pod includes its servers, leaves, spines; a unit its servers and leaves."""

    switches: frozenset[Place] = frozenset()
    wires: frozenset[Wire] = frozenset()
    hosts: frozenset[HostLink] = frozenset()
    servers: frozenset[SlotKey] = frozenset()
    planes: frozenset[int] = frozenset()
    pods: frozenset[int] = frozenset()
    units: frozenset[Unit] = frozenset()


NOTHING_LOST = Lost()


def links_lost(links: Iterable[HostLink | Wire]) -> Lost:
    """Return the loss of some links."""
    lost_links = frozenset(links)
    return Lost(
        hosts=frozenset(link for link in lost_links if isinstance(link, HostLink)),
        wires=frozenset(link for link in lost_links if isinstance(link, Wire)),
    )


def together(losses: Iterable[Lost]) -> Lost:
    """Return the union of several losses."""
    fields = zip(*losses, strict=True)
    return Lost(*(frozenset().union(*parts) for parts in fields))
