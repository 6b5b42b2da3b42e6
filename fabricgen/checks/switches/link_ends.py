"""Both ends of each link between switches, where overrides may make them differ."""

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
PORT = 0
"""Scope of an override of a port; `_width` has the others."""
MOST = 50
"""Number of overrides with a problem of their own; further ones share one."""


class LinkEnd(NamedTuple):
    """One end of a link, with the values that both ends must have in common.

    ttl       none, send or check: what the sessions of the switch do (RFC 5082)
    password  reference to that of its sessions, or none
    """

    near: PortKey
    far: PortKey
    mtu: int
    fec: str
    bfd: bool
    ttl: str
    password: str


class Alike(NamedTuple):
    """One value that both ends must share, its name in messages, and why it matters."""

    code: str
    field: str
    keys: tuple[str, ...]
    words: str
    why: str


ALIKE = (
    Alike("mtu-differs", "mtu", ("mtu",), "MTU", "the far end drops the larger packets"),
    Alike("fec-differs", "fec", ("fec",), "FEC", "a link comes up only if both ends use the same FEC (IEEE 802.3)"),
    Alike(
        "bfd-differs", "bfd", ("bgp.bfd",), "BFD", "a BFD session needs both ends to ask for it (RFC 5880 section 6)"
    ),
    Alike(
        "ttl-differs",
        "ttl",
        ("bgp.ttl_security",),
        "TTL security",
        "the end that checks drops packets that the other sends with TTL 1: the session is down (RFC 5082 section 3)",
    ),
    Alike(
        "password-differs",
        "password",
        ("bgp.password",),
        "password",
        "each end drops packets without the signature that it expects: the session is down (RFC 2385 section 2)",
    ),
)
GUARDS = {"ttl-differs": "ttl_security: check", "password-differs": 'password: "${env:BGP_PASSWORD}"'}
"""Code → what to write for a whole fabric."""


def has_own(plan: FabricPlan) -> bool:
    """Return whether overrides give any switch or port settings."""
    return bool(plan.exceptions.settings or plan.exceptions.port_settings)


def link_ends(device: Device) -> tuple[LinkEnd, ...]:
    """Return the ends of one switch's links to others."""
    of_sessions = session_values(device)
    return tuple(
        LinkEnd(
            PortKey(device.name, row.name),
            PortKey(row.peer, row.peer_port),
            row.profile.mtu,
            row.profile.fec,
            *of_sessions,
        )
        for row in device.interfaces.ethernet
        if row.enabled and row.profile.role in FABRIC_ROLES
    )


def session_values(device: Device) -> tuple[bool, str, str]:
    """Return BFD, TTL security and password of one switch's sessions with others, as LinkEnd has them."""
    groups = device.routing.bgp.groups
    passwords = [group.password.written for group in groups if group.password is not None]
    # Groups of sessions with servers have none: those between switches have one value.
    ttl = max((group.ttl_security for group in groups), default="")
    return any(group.bfd for group in groups), ttl or "none", passwords[0] if passwords else "none"


def fit(alike: Alike, pair: "LinkEnds") -> bool:
    """Return whether a link works with what its ends have: one may check the TTL while the other only sends 255."""
    values = {getattr(end, alike.field) for end in pair}
    return len(values) == 1 or (alike.field == "ttl" and values != {"none", "check"})


class LinkEnds(NamedTuple):
    """The two ends of a link."""

    end: LinkEnd
    far: LinkEnd


def paired(ends: Iterable[LinkEnd]) -> Iterator[LinkEnds]:
    """Yield both ends of each link of which both are given."""
    by_port = {end.near: end for end in ends}
    for end in by_port.values():
        if end.near < end.far and end.far in by_port:
            yield LinkEnds(end, by_port[end.far])


class OverrideCause(NamedTuple):
    """The override that gives one end of a link another value. `device`: the switch of that end."""

    path: IntentPath
    device: str


class DifferingLinks(NamedTuple):
    """Links that one override makes differ: number, the first link, and their switches, at most two."""

    links: int
    first: LinkEnds
    devices: frozenset[str]

    def more(self, other: "DifferingLinks") -> "DifferingLinks":
        """Return the sum of these and other links."""
        devices = self.devices if len(self.devices) > 1 else self.devices | other.devices
        return self._replace(links=self.links + other.links, devices=devices)


def differing(plan: FabricPlan, pairs: Iterable[LinkEnds]) -> Iterator[Problem]:
    """Yield problems of links whose ends differ: one for all links of one override, and one for all beyond `MOST`.

    A waiver accepts the effect of one override only.
    """
    by_code: dict[str, dict[IntentPath, DifferingLinks]] = {alike.code: {} for alike in ALIKE}
    for pair in pairs:
        for alike in ALIKE:
            if not fit(alike, pair):
                cause = _cause(plan.exceptions, alike, pair)
                single, by_path = DifferingLinks(1, pair, frozenset([cause.device])), by_code[alike.code]
                by_path[cause.path] = by_path[cause.path].more(single) if cause.path in by_path else single
    for alike in ALIKE:
        items = list(by_code[alike.code].items())
        yield from (_differs(plan, alike, path, links) for path, links in items[:MOST])
        if items[MOST:]:
            first, *others = (links for _, links in items[MOST:])
            yield _differs(plan, alike, ("overrides",), reduce(DifferingLinks.more, others, first))


def _differs(plan: FabricPlan, alike: Alike, path: IntentPath, differing_links: DifferingLinks) -> Problem:
    (near, far), more = differing_links.first, differing_links.links - 1
    values = [_text(getattr(end, alike.field)) for end in (near, far)]
    first = f"{near.near.device} {near.near.port} and {far.near.device} {far.near.port}"
    others = f", and {more} more link{'s differ' if more > 1 else ' differs'}" if more else ""
    return Problem(
        code=alike.code,
        what=f"{first} have {alike.words} {values[0]} and {values[1]}{others}",
        where=path,
        why=alike.why,
        fix=_remedy(plan, alike, differing_links.first, more),
        about=tuple(differing_links.devices) if len(differing_links.devices) == 1 else (),
    )


def _remedy(plan: FabricPlan, alike: Alike, pair: LinkEnds, more: int) -> str:
    if alike.code == "bfd-differs":
        return f"write fabrics.{plan.name}.bgp.bfd: true, and bfd nowhere else"
    if alike.code in GUARDS:
        written = GUARDS[alike.code]
        return f"write fabrics.{plan.name}.bgp.{written}, and {written.partition(':')[0]} nowhere else"
    near, key, values = pair.end.near, alike.keys[0], [getattr(end, alike.field) for end in pair]
    same = f" and the same for the other {f'{more} cables' if more > 1 else 'cable'}" if more else ""
    # A port's override takes precedence over that of its cable: it has to go.
    causes = {end: cause for end in pair for cause in _causes(plan.exceptions, alike, [end]) if _width(cause) == PORT}
    if causes:
        value = max(getattr(end, alike.field) for end in causes)
        selectors = " and ".join(dict.fromkeys(str(cause.path[1]) for cause in causes.values()))
        cable = f'write overrides: {{"link:{near.device}/{near.port}": {{{key}: {value}}}}}'
        return f"remove {key} from the override of {selectors}, or remove it there and {cable}{same}"
    if key == "mtu":
        # A link has one MTU on both ends, and a switch has many links: what fits is one MTU of the fabric.
        cause = _cause(plan.exceptions, alike, pair)
        own = next(end.mtu for end in pair if end.near.device == cause.device)
        selector = cause.path[-2]
        return (
            f"remove mtu from the override of {selector}, or remove it there and write fabrics.{plan.name}.mtu: {own}, "
            "the MTU of all its links"
        )
    value = "rs-fec" if "rs-fec" in values else max(values)
    return f'write overrides: {{"link:{near.device}/{near.port}": {{{key}: {value}}}}}{same}'


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "the switch's default"


def _cause(exceptions: Exceptions, alike: Alike, pair: LinkEnds) -> OverrideCause:
    """Return the override that makes a link's ends differ: of two the narrower, as the wider is meant for both."""
    return min(
        _causes(exceptions, alike, pair), key=_width, default=OverrideCause(("overrides",), pair.end.near.device)
    )


def _causes(exceptions: Exceptions, alike: Alike, ends: Iterable[LinkEnd]) -> list[OverrideCause]:
    return [cause for end in ends if (cause := _given(exceptions, alike, end)) is not None]


def _given(exceptions: Exceptions, alike: Alike, end: LinkEnd) -> OverrideCause | None:
    """Return the override that sets the value of an end; that of its port precedes that of its switch."""
    port = exceptions.port_settings.get(end.near)
    device = exceptions.settings.get(end.near.device)
    all_sources: list[Mapping[str, str]] = [dict(port.sources)] if port is not None else []
    all_sources += [device.sources] if device is not None else []
    for sources in all_sources:
        key = next((key for key in alike.keys if key in sources), "")
        if key:
            return OverrideCause(("overrides", sources[key], *key.split(".")), end.near.device)
    return None


def _width(cause: OverrideCause) -> int:
    """Return the scope of a cause, from 0: a port, a cable, a switch, a glob of switches, a fabric or role."""
    selector = str(cause.path[1])
    if selector.startswith(LINK_PREFIX):
        return 1
    head, _, port = selector.partition("/")
    if not fnmatchcase(cause.device, head):
        return 4
    return PORT if port else 3 if WILD.search(head) else 2
