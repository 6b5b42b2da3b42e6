"""Cables between switches as one of the two ends sees them: looked up once, for interfaces and sessions alike."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple, cast

from fabricgen.base.addresses import NO_ADDRESS, Address, AddressTexts, InterfaceAddress, Ipv4
from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.adjacent import Adjacent, DirectionLinks
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import FabricPlan, OwnBlock, name_of, own_blocks, port_text
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.wiring import Uplink

ACTIVE, DRAINED, DEAD, ABSENT = "active", "drained", "dead", "absent"

PEERS = {Tier.LEAF: "LEAVES", Tier.BORDER: "LEAVES", Tier.SPINE: "SPINES", Tier.SUPERSPINE: "SUPERSPINES"}
"""What the switches of a tier are called together by those beside it."""


class Direction(NamedTuple):
    """One of the two directions that a switch has cables in: peers of one name, all above it or all below."""

    peers: str
    upward: bool


class LinkBundle(NamedTuple):
    """Cables of a switch in one direction, in the order of its ports: a column for each thing that is asked of them.

    ports, names  ours, and what the operating system calls them; far_names and far_ports are the other ends'
    far_texts     the far switch and port, as a description
    ipv4, ipv6    our addresses with their length, the far ones without; empty where links do not carry the family
    states        active, drained, dead or absent, as `link_state` tells
    """

    way: Direction
    ports: Sequence[PanelPort]
    names: Sequence[str]
    fars: Sequence[Place]
    far_names: Sequence[str]
    far_ports: Sequence[str]
    far_texts: Sequence[str]
    far_asns: Sequence[int]
    ipv4: Sequence[InterfaceAddress]
    far_ipv4: Sequence[Address]
    ipv6: Sequence[InterfaceAddress]
    far_ipv6: Sequence[Address]
    states: Sequence[str]


class FabricLink(NamedTuple):
    """One cable to a switch of a neighboring tier, as a `LinkBundle` has many. `upward`: it leads to the tier above."""

    upward: bool
    name: str
    far: Place
    far_name: str
    far_port: str
    ipv4: InterfaceAddress
    far_ipv4: Address
    ipv6: InterfaceAddress
    far_ipv6: Address
    state: str


def rows_of(bundles: Iterable[LinkBundle]) -> Iterator[FabricLink]:
    """The cables of bundles one by one."""
    for found in bundles:
        far = (found.fars, found.far_names, found.far_ports)
        columns = (found.names, *far, found.ipv4, found.far_ipv4, found.ipv6, found.far_ipv6, found.states)
        yield from (FabricLink(found.way.upward, *row) for row in zip(*columns, strict=True))


def plugged(bundle: LinkBundle) -> LinkBundle:
    """Without the cables that are absent."""
    if ABSENT not in bundle.states:
        return bundle
    there = [state != ABSENT for state in bundle.states]
    return LinkBundle._make((bundle.way, *(tuple(compress(column, there)) for column in bundle[1:])))


Evens = Sequence[int] | Sequence[int | None]
"""Even address of each link; None where its lower switch owns no block of the family."""


class Bundles:
    """Cables between the switches of one fabric, as one end after the other sees them."""

    def __init__(self, plan: FabricPlan, adjacent: Adjacent, texts: AddressTexts) -> None:
        self._plan, self._adjacent, self._texts = plan, adjacent, texts

    def of(self, place: Place) -> tuple[LinkBundle, ...]:
        """Cables of a switch to other switches: those down first; a leaf has none down, a superspine none up."""
        down = self._adjacent.down(place) if place.tier in UPPER else None
        up = self._adjacent.up(place)
        found = (self._bundle(place, links, upward=links is up) for links in (down, up) if links is not None)
        return tuple(bundle for bundle in found if bundle.ports)

    def _bundle(self, place: Place, links: DirectionLinks, *, upward: bool) -> LinkBundle:
        fan, far_ports = links.fan, links.far_ports
        return LinkBundle(
            Direction(PEERS[fan.fars[0].tier] if fan.fars else "", upward),
            fan.ports,
            fan.names,
            fan.fars,
            fan.far_names,
            far_ports,
            [f"{name} {port}" for name, port in zip(fan.far_names, far_ports, strict=True)],
            fan.far_asns,
            *self._ends("ipv4", place, links, upward=upward),
            *self._ends("ipv6", place, links, upward=upward),
            self._states(place, links, far_ports),
        )

    def _ends(
        self, family: str, place: Place, links: DirectionLinks, *, upward: bool
    ) -> tuple[Sequence[InterfaceAddress], Sequence[Address]]:
        """Our ends of links, and the far ones: the lower switch has the even address. Empty where a link has none."""
        at, texts, count = family == "ipv6", self._texts, len(links.fan.ports)
        if family not in self._plan.fabric.addressing.links:
            return [NO_ADDRESS] * count, [Ipv4("")] * count
        evens = _evens_up(own_blocks(self._plan, place)[at], count) if upward else _evens_down(links, at)
        write, length = (texts.ipv6_ends, "/127") if family == "ipv6" else (texts.ipv4_ends, "/31")
        found = [even for even in evens if even is not None]
        lower, upper = write(found, (length, "") if upward else ("", length))
        if len(found) < count:
            lower, upper = _spread(lower, evens), _spread(upper, evens)
        own, far = (lower, upper) if upward else (upper, lower)
        return cast(list[InterfaceAddress], own), cast(list[Address], far)

    def _states(self, place: Place, links: DirectionLinks, far_ports: list[str]) -> Sequence[str]:
        fan, name, found = links.fan, name_of(self._plan, place), self._plan.exceptions
        if not self._adjacent.is_stated(name, fan.far_names):
            return [ACTIVE] * len(fan.ports)
        own = [PortKey(name, port) for port in fan.names]
        far = [PortKey(*end) for end in zip(fan.far_names, far_ports, strict=True)]
        return [_state(found, ends) for ends in zip(own, far, strict=True)]


def _evens_up(own: OwnBlock | None, count: int) -> Evens:
    return range(own.uplink(0), own.uplink(count), 2) if own else [None] * count


def _evens_down(links: DirectionLinks, family: int) -> Evens:
    fan, ats = links
    blocks = zip((fan.fours, fan.sixes)[family], fan.turns, strict=True)
    return [block.uplink(ats[turn]) if block else None for block, turn in blocks]


def _spread(texts: list[str], evens: Evens) -> list[str]:
    """Return the texts in the places of the links that have an address."""
    rest = iter(texts)
    return [next(rest) if even is not None else "" for even in evens]


def link_state(plan: FabricPlan, link: Uplink) -> str:
    """active, drained (sessions stand, routes over it come last), dead or absent.

    absent  no cable, or no switch: both ends are shut down
    dead    the cable, or a switch, is broken: all is configured as ever, and nothing is carried
    """
    found = plan.exceptions
    if not (found.ports or found.devices or found.broken):
        return ACTIVE
    lower, upper = (
        PortKey(name_of(plan, place), port_text(plan, place, port))
        for place, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
    )
    return _state(found, (lower, upper))


def _state(found: Exceptions, ends: tuple[PortKey, PortKey]) -> str:
    of_ports = {found.ports.get(end) for end in ends}
    of_switches = {found.devices.get(end.device) for end in ends}
    if ABSENT in of_ports or ABSENT in of_switches:
        return ABSENT
    if DEAD in of_switches or not found.broken.isdisjoint(ends):
        return DEAD
    return DRAINED if DRAINED in of_ports else ACTIVE
