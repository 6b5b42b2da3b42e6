"""Both ends of each link between switches, where overrides may have made them differ."""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import reduce
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.overrides import LINK_PREFIX, WILD

FABRIC_ROLES = ("uplink", "downlink")
MOST = 50
"""Overrides of which each is told; nobody reads on beyond."""


class LinkEnd(NamedTuple):
    """One end of a link: what both of them have to have alike."""

    near: PortKey
    far: PortKey
    mtu: int
    fec: str
    bfd: bool


class Alike(NamedTuple):
    """One thing that both ends have alike, how it is told, and why it matters."""

    code: str
    field: str
    keys: tuple[str, ...]
    words: str
    why: str


ALIKE = (
    Alike("mtu-differs", "mtu", ("mtu",), "MTU", "the larger end sends packets that the other one drops"),
    Alike("fec-differs", "fec", ("fec",), "FEC", "a link comes up only if both ends code it alike (IEEE 802.3)"),
    Alike(
        "bfd-differs", "bfd", ("bgp.bfd",), "BFD", "a BFD session needs both ends to ask for it (RFC 5880 section 6)"
    ),
)


def has_own(plan: FabricPlan) -> bool:
    """Whether overrides give any switch or port settings."""
    return bool(plan.exceptions.settings or plan.exceptions.port_settings)


def link_ends(device: Device) -> tuple[LinkEnd, ...]:
    """Ends of the links of one switch to others."""
    bfd = any(group.bfd for group in device.routing.bgp.groups)
    return tuple(
        LinkEnd(PortKey(device.name, row.name), PortKey(row.peer, row.peer_port), row.profile.mtu, row.profile.fec, bfd)
        for row in device.interfaces.ethernet
        if row.enabled and row.profile.role in FABRIC_ROLES
    )


class LinkEnds(NamedTuple):
    """The ends of a link that differ."""

    end: LinkEnd
    far: LinkEnd


def paired(ends: Iterable[LinkEnd]) -> Iterator[LinkEnds]:
    """Both ends of each link, of those that are there."""
    by_port = {end.near: end for end in ends}
    for end in by_port.values():
        if end.near < end.far and end.far in by_port:
            yield LinkEnds(end, by_port[end.far])


class OverrideCause(NamedTuple):
    """The override that gives one end of a link what the other has not. `device`: the switch of that end."""

    path: IntentPath
    device: str


class DifferingLinks(NamedTuple):
    """Links that one override makes differ: how many, the first, and switches of theirs, no more than two."""

    links: int
    first: LinkEnds
    devices: frozenset[str]

    def more(self, other: "DifferingLinks") -> "DifferingLinks":
        """These and others."""
        devices = self.devices if len(self.devices) > 1 else self.devices | other.devices
        return self._replace(links=self.links + other.links, devices=devices)


def differing(plan: FabricPlan, pairs: Iterable[LinkEnds]) -> Iterator[Problem]:
    """Links whose ends differ: one problem for all that come from one override, and one for what is past `MOST`.

    What one override does is accepted by a waiver of it, and nothing else with it.
    """
    found: dict[str, dict[IntentPath, DifferingLinks]] = {alike.code: {} for alike in ALIKE}
    for pair in pairs:
        for alike in ALIKE:
            if getattr(pair.end, alike.field) != getattr(pair.far, alike.field):
                cause = _cause(plan.exceptions, alike, pair)
                one, own = DifferingLinks(1, pair, frozenset([cause.device])), found[alike.code]
                own[cause.path] = own[cause.path].more(one) if cause.path in own else one
    for alike in ALIKE:
        several = list(found[alike.code].items())
        yield from (_differs(plan.name, alike, path, of_one) for path, of_one in several[:MOST])
        if several[MOST:]:
            first, *others = (of_one for _, of_one in several[MOST:])
            yield _differs(plan.name, alike, ("overrides",), reduce(DifferingLinks.more, others, first))


def _differs(fabric: str, alike: Alike, path: IntentPath, found: DifferingLinks) -> Problem:
    (one, two), more = found.first, found.links - 1
    values = [_text(getattr(end, alike.field)) for end in (one, two)]
    first = f"{one.near.device} {one.near.port} and {two.near.device} {two.near.port}"
    others = f", and {more} more link{'s differ' if more > 1 else ' differs'}" if more else ""
    return Problem(
        code=alike.code,
        what=f"{first} have {alike.words} {values[0]} and {values[1]}{others}",
        where=path,
        why=alike.why,
        fix=_remedy(fabric, alike, found.first, more),
        about=tuple(found.devices) if len(found.devices) == 1 else (),
    )


def _remedy(fabric: str, alike: Alike, pair: LinkEnds, more: int) -> str:
    if alike.code == "bfd-differs":
        return f"write fabrics.{fabric}.bgp.bfd: true, and bfd nowhere else"
    if more:
        return f"write {alike.keys[0]} for the fabric, or under link: for each of these cables"
    near, key, values = pair.end.near, alike.keys[0], [getattr(end, alike.field) for end in pair]
    value = "rs-fec" if "rs-fec" in values else max(values)
    return f'write overrides: {{"link:{near.device}/{near.port}": {{{key}: {value}}}}}, or one {key} for the fabric'


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "as the switch chooses"


def _cause(exceptions: Exceptions, alike: Alike, pair: LinkEnds) -> OverrideCause:
    """The override that makes a link's ends differ: of two the narrower one, as what is wider was meant for both."""
    found = [cause for end in pair if (cause := _given(exceptions, alike, end)) is not None]
    return min(found, key=_width, default=OverrideCause(("overrides",), pair.end.near.device))


def _given(exceptions: Exceptions, alike: Alike, end: LinkEnd) -> OverrideCause | None:
    """The override that gives an end what it has; its port's goes before its switch's."""
    own = exceptions.port_settings.get(end.near)
    device = exceptions.settings.get(end.near.device)
    given: list[Mapping[str, str]] = [dict(own.sources)] if own is not None else []
    given += [device.sources] if device is not None else []
    for sources in given:
        key = next((key for key in alike.keys if key in sources), "")
        if key:
            return OverrideCause(("overrides", sources[key], *key.split(".")), end.near.device)
    return None


def _width(cause: OverrideCause) -> int:
    """How much a cause covers, from 0: a port, a cable, a switch, a glob of them, a fabric or a role of it."""
    selector = str(cause.path[1])
    if selector.startswith(LINK_PREFIX):
        return 1
    head, _, port = selector.partition("/")
    if not fnmatchcase(cause.device, head):
        return 4
    return 0 if port else 3 if WILD.search(head) else 2
