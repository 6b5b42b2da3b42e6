"""Cables between switches as one of the two ends sees them: looked up once, for interfaces and sessions alike."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.hardware.ports import Port
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, OwnBlock, asn_of, name_of, own_blocks, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Uplink, downlinks, uplinks

ACTIVE, DRAINED, ABSENT = "active", "drained", "absent"


class Ends(NamedTuple):
    """Addresses of a link in one family, as integers."""

    own: int
    far: int


class FabricLink(NamedTuple):
    """One cable to the next tier.

    port, name  ours, and what the operating system calls it; far_name and far_port are the other end's
    ipv4, ipv6  None where links do not carry the family
    state       active, drained or absent
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


def fabric_links(plan: FabricPlan, place: Place) -> tuple[FabricLink, ...]:
    """Cables of a switch to the next tier: down from a spine, else up."""
    return tuple(_down(plan, place) if place.tier is Tier.SPINE else _up(plan, place))


def _up(plan: FabricPlan, place: Place) -> Iterator[FabricLink]:
    families = plan.fabric.addressing.links
    four, six = own_blocks(plan, place)
    for link in uplinks(plan, place):
        far = link.upper
        yield FabricLink(
            port=link.lower_port,
            name=port_text(plan, place, link.lower_port),
            far=far,
            far_name=name_of(plan, far),
            far_port=port_text(plan, far, link.upper_port),
            far_asn=asn_of(plan, far),
            ipv4=_lower(four, link.number) if "ipv4" in families else None,
            ipv6=_lower(six, link.number) if "ipv6" in families else None,
            state=link_state(plan, link),
        )


def _down(plan: FabricPlan, place: Place) -> Iterator[FabricLink]:
    families = plan.fabric.addressing.links
    for link in downlinks(plan, place):
        far = link.lower
        four, six = own_blocks(plan, far)
        yield FabricLink(
            port=link.upper_port,
            name=port_text(plan, place, link.upper_port),
            far=far,
            far_name=name_of(plan, far),
            far_port=port_text(plan, far, link.lower_port),
            far_asn=asn_of(plan, far),
            ipv4=_upper(four, link.number) if "ipv4" in families else None,
            ipv6=_upper(six, link.number) if "ipv6" in families else None,
            state=link_state(plan, link),
        )


def _lower(block: OwnBlock | None, number: int) -> Ends | None:
    """Ends of an uplink as the lower switch sees them: it owns the block and takes the even address."""
    if block is None:
        return None
    own = block.uplink(number)
    return Ends(own, own + 1)


def _upper(block: OwnBlock | None, number: int) -> Ends | None:
    """Return the same ends as the upper switch sees them."""
    if block is None:
        return None
    far = block.uplink(number)
    return Ends(far + 1, far)


def link_state(plan: FabricPlan, link: Uplink) -> str:
    """active, drained (sessions stand, routes over it come last) or absent (no cable: both ends shut down)."""
    states = plan.exceptions.ports
    if not states:
        return ACTIVE
    ends = ((link.lower, link.lower_port), (link.upper, link.upper_port))
    found = {states.get(PortKey(name_of(plan, place), port_text(plan, place, port))) for place, port in ends}
    if ABSENT in found:
        return ABSENT
    return DRAINED if DRAINED in found else ACTIVE
