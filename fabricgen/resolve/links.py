"""Cables between switches as one of the two ends sees them: looked up once, for interfaces and sessions alike."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.hardware.ports import Port
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, OwnBlock, name_of, numbers_of, port_text
from fabricgen.plan.place import UPPER, Place
from fabricgen.plan.wiring import Uplink, downlinks, uplinks

ACTIVE, DRAINED, DEAD, ABSENT = "active", "drained", "dead", "absent"


class Ends(NamedTuple):
    """Addresses of a link in one family, as integers."""

    own: int
    far: int


class FabricLink(NamedTuple):
    """One cable to a switch of a neighboring tier.

    port, name  ours, and what the operating system calls it; far_name and far_port are the other end's
    upward      it leads to the tier above
    ipv4, ipv6  None where links do not carry the family
    state       active, drained, dead or absent, as `link_state` tells
    far_text    the far switch and port, as a description
    """

    port: Port
    name: str
    far: Place
    far_name: str
    far_port: str
    far_asn: int
    ipv4: Ends | None
    ipv6: Ends | None
    state: str
    upward: bool
    far_text: str


def fabric_links(plan: FabricPlan, place: Place) -> tuple[FabricLink, ...]:
    """Cables of a switch to other switches: those down first, each in the order of its ports; a leaf has none down."""
    below = _down(plan, place) if place.tier in UPPER else ()
    return (*below, *_up(plan, place))


def _up(plan: FabricPlan, place: Place) -> Iterator[FabricLink]:
    families = plan.fabric.addressing.links
    own = numbers_of(plan, place)
    four, six = own.four if "ipv4" in families else None, own.six if "ipv6" in families else None
    for link in uplinks(plan, place):
        far = numbers_of(plan, link.upper)
        far_port = port_text(plan, link.upper, link.upper_port)
        yield FabricLink(
            link.lower_port,
            port_text(plan, place, link.lower_port),
            link.upper,
            far.name,
            far_port,
            far.asn,
            _lower(four, link.number),
            _lower(six, link.number),
            link_state(plan, link),
            True,
            f"{far.name} {far_port}",
        )


def _down(plan: FabricPlan, place: Place) -> Iterator[FabricLink]:
    families = plan.fabric.addressing.links
    has_four, has_six = "ipv4" in families, "ipv6" in families
    for link in downlinks(plan, place):
        far = numbers_of(plan, link.lower)
        far_port = port_text(plan, link.lower, link.lower_port)
        yield FabricLink(
            link.upper_port,
            port_text(plan, place, link.upper_port),
            link.lower,
            far.name,
            far_port,
            far.asn,
            _upper(far.four, link.number) if has_four else None,
            _upper(far.six, link.number) if has_six else None,
            link_state(plan, link),
            False,
            f"{far.name} {far_port}",
        )


def _lower(block: OwnBlock | None, number: int) -> Ends | None:
    """Ends of an uplink as the lower switch sees them: it owns the block and takes the even address."""
    if block is None:
        return None
    own = block.uplinks + 2 * number
    return Ends(own, own + 1)


def _upper(block: OwnBlock | None, number: int) -> Ends | None:
    """Return the same ends as the upper switch sees them."""
    if block is None:
        return None
    far = block.uplinks + 2 * number
    return Ends(far + 1, far)


def link_state(plan: FabricPlan, link: Uplink) -> str:
    """active, drained (sessions stand, routes over it come last), dead or absent.

    absent  no cable, or no switch: both ends are shut down
    dead    the cable, or a switch, is broken: all is configured as ever, and nothing is carried
    """
    found = plan.exceptions
    if not (found.ports or found.devices or found.broken):
        return ACTIVE
    ends = tuple(
        PortKey(name_of(plan, place), port_text(plan, place, port))
        for place, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
    )
    of_ports = {found.ports.get(end) for end in ends}
    of_switches = {found.devices.get(end.device) for end in ends}
    if ABSENT in of_ports or ABSENT in of_switches:
        return ABSENT
    if DEAD in of_switches or not found.broken.isdisjoint(ends):
        return DEAD
    return DRAINED if DRAINED in of_ports else ACTIVE
