"""What can be lost: links and switches of one fabric, by place."""

from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.place import Place


class HostLink(NamedTuple):
    """The link of a NIC port of a server, or of its slice of a plane."""

    plane: int
    group: str
    slot: int
    nic: int


class Wire(NamedTuple):
    """A link to the tier above: the lower switch and the number of its uplink."""

    lower: Place
    number: int


class Unit(NamedTuple):
    """A scalable unit of a server group: servers whose NICs share one set of leaves, in all planes."""

    pod: int
    group: str
    su: int


class Lost(NamedTuple):
    """What a failure takes away. A pod is lost with its servers, leaves and spines, a unit with servers and leaves."""

    switches: frozenset[Place] = frozenset()
    wires: frozenset[Wire] = frozenset()
    hosts: frozenset[HostLink] = frozenset()
    servers: frozenset[SlotKey] = frozenset()
    planes: frozenset[int] = frozenset()
    pods: frozenset[int] = frozenset()
    units: frozenset[Unit] = frozenset()


NOTHING_LOST = Lost()


def links_lost(links: Iterable[HostLink | Wire]) -> Lost:
    """What is lost with some links."""
    found = frozenset(links)
    return Lost(
        hosts=frozenset(link for link in found if isinstance(link, HostLink)),
        wires=frozenset(link for link in found if isinstance(link, Wire)),
    )


def together(losses: Iterable[Lost]) -> Lost:
    """What several failures take away at once."""
    columns = zip(*losses, strict=True)
    return Lost(*(frozenset().union(*column) for column in columns))
