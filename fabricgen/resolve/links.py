"""Cables between switches as seen from one of their two ends: looked up once, for interfaces and for sessions."""

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
"""Tier → collective name of its switches in the peer groups of neighboring tiers."""


class Direction(NamedTuple):
    """Direction of a switch's cables: the name of its peers, and whether they are all above or all below it."""

    peers: str
    upward: bool


class LinkBundle(NamedTuple):
    """Cables of a switch in one direction, in the order of its ports: one column per value.

    ports, names  of this switch, and the names in its operating system; far_names and far_ports: of the other ends
    far_texts     the far switch and port, as a description
    ipv4, ipv6    addresses of this switch with lengths; far addresses have none; empty where links lack the family
    states        active, drained, dead or absent, see `link_state`
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
    """One cable to a switch of a neighboring tier: a row of a `LinkBundle`. `upward`: to the tier above."""

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
    """Yield the cables of bundles one by one."""
    for bundle in bundles:
        far = (bundle.fars, bundle.far_names, bundle.far_ports)
        columns = (bundle.names, *far, bundle.ipv4, bundle.far_ipv4, bundle.ipv6, bundle.far_ipv6, bundle.states)
        yield from (FabricLink(bundle.way.upward, *row) for row in zip(*columns, strict=True))


def plugged(bundle: LinkBundle) -> LinkBundle:
    """Return the bundle without absent cables."""
    if ABSENT not in bundle.states:
        return bundle
    is_present = [state != ABSENT for state in bundle.states]
    return LinkBundle._make((bundle.way, *(tuple(compress(column, is_present)) for column in bundle[1:])))


Evens = Sequence[int] | Sequence[int | None]
"""Even address of each link; None where the lower switch has no block of the family."""


class Bundles:
    """Cables between the switches of one fabric, as each end sees them."""

    def __init__(self, plan: FabricPlan, adjacent: Adjacent, texts: AddressTexts) -> None:
        self._plan, self._adjacent, self._texts = plan, adjacent, texts

    def of(self, place: Place) -> tuple[LinkBundle, ...]:
        """Return a switch's cables to other switches: first down, then up. A direction without cables is omitted."""
        down = self._adjacent.down(place) if place.tier in UPPER else None
        up = self._adjacent.up(place)
        bundles = (self._bundle(place, links, upward=links is up) for links in (down, up) if links is not None)
        return tuple(bundle for bundle in bundles if bundle.ports)

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
        """Return own and far addresses of links, empty for links without; the lower switch has the even one."""
        family_index, texts, count = family == "ipv6", self._texts, len(links.fan.ports)
        if family not in self._plan.fabric.addressing.links:
            return [NO_ADDRESS] * count, [Ipv4("")] * count
        evens = (
            _evens_up(own_blocks(self._plan, place)[family_index], count)
            if upward
            else _evens_down(links, family_index)
        )
        write, length = (texts.ipv6_ends, "/127") if family == "ipv6" else (texts.ipv4_ends, "/31")
        known_evens = [even for even in evens if even is not None]
        lower, upper = write(known_evens, (length, "") if upward else ("", length))
        if len(known_evens) < count:
            lower, upper = _spread(lower, evens), _spread(upper, evens)
        own, far = (lower, upper) if upward else (upper, lower)
        return cast(list[InterfaceAddress], own), cast(list[Address], far)

    def _states(self, place: Place, links: DirectionLinks, far_ports: list[str]) -> Sequence[str]:
        fan, name, exceptions = links.fan, name_of(self._plan, place), self._plan.exceptions
        if not self._adjacent.is_stated(name, fan.far_names):
            return [ACTIVE] * len(fan.ports)
        own = [PortKey(name, port) for port in fan.names]
        far = [PortKey(*end) for end in zip(fan.far_names, far_ports, strict=True)]
        return [_state(exceptions, ends) for ends in zip(own, far, strict=True)]


def _evens_up(own: OwnBlock | None, count: int) -> Evens:
    return range(own.uplink(0), own.uplink(count), 2) if own else [None] * count


def _evens_down(links: DirectionLinks, family: int) -> Evens:
    fan, positions = links
    blocks = zip((fan.fours, fan.sixes)[family], fan.turns, strict=True)
    return [block.uplink(positions[turn]) if block else None for block, turn in blocks]


def _spread(texts: list[str], evens: Evens) -> list[str]:
    """Return the texts at the positions of links that have an address, else empty texts."""
    rest = iter(texts)
    return [next(rest) if even is not None else "" for even in evens]


def link_state(plan: FabricPlan, link: Uplink) -> str:
    """Return the state of a link: active, drained (sessions are up, its routes are least preferred), dead or absent.

    absent  no cable, or no switch: both ends are shut down
    dead    the cable, or a switch, is broken: configured as usual, but it carries nothing
    """
    exceptions = plan.exceptions
    if not (exceptions.ports or exceptions.devices or exceptions.broken):
        return ACTIVE
    lower, upper = (
        PortKey(name_of(plan, place), port_text(plan, place, port))
        for place, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
    )
    return _state(exceptions, (lower, upper))


def _state(exceptions: Exceptions, ends: tuple[PortKey, PortKey]) -> str:
    of_ports = {exceptions.ports.get(end) for end in ends}
    of_switches = {exceptions.devices.get(end.device) for end in ends}
    if ABSENT in of_ports or ABSENT in of_switches:
        return ABSENT
    if DEAD in of_switches or not exceptions.broken.isdisjoint(ends):
        return DEAD
    return DRAINED if DRAINED in of_ports else ACTIVE
