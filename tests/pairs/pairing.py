"""Whether what two configurations say of what they share fits together. Knows no platform: it compares views."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tests.pairs.view import EVPN, IPV4, IPV6, Port, Session, Targets, View, address, parsed

Views = Mapping[str, View]


class Cable(NamedTuple):
    """A cable by its two ends: switch and port of each."""

    near: str
    near_port: str
    far: str
    far_port: str


class Compared(NamedTuple):
    """What was held against each other, and a sentence for whatever does not fit."""

    cables: int
    sessions: int
    faults: tuple[str, ...]


def compare(views: Views, cables: Iterable[Cable]) -> Compared:
    """Hold both ends of every cable and of every session between these switches against each other."""
    rows = tuple(cables)
    found = [fault for cable in rows for fault in _cable(views, cable)]
    sessions = tuple(_sessions(views))
    found += [fault for one in sessions for fault in _session(views, one)]
    return Compared(len(rows), len({frozenset((one.own, one.session.peer)) for one in sessions}), tuple(found))


def _cable(views: Views, cable: Cable) -> Iterator[str]:
    name = f"{cable.near} {cable.near_port} to {cable.far} {cable.far_port}"
    near, far = views[cable.near].ports.get(cable.near_port), views[cable.far].ports.get(cable.far_port)
    if near is None or far is None:
        yield f"{name}: no routed port at {cable.near if near is None else cable.far}"
        return
    for text in (*_addresses(near, far), *_wire(near, far), *_unspoken(views, cable, near, far)):
        yield f"{name}: {text}"


def _addresses(near: Port, far: Port) -> Iterator[str]:
    for family, one, other in ((IPV4, near.ipv4, far.ipv4), (IPV6, near.ipv6, far.ipv6)):
        if not one and not other:
            continue
        if not one or not other:
            yield f"{family} at one end only"
            continue
        first, second = parsed(one), parsed(other)
        if first.network != second.network:
            yield f"{family} {one} and {other} are in two networks"
        elif first.ip == second.ip:
            yield f"{family} {one} is at both ends"
        elif first.network.num_addresses != 2:
            yield f"{family} {one} leaves room for a third"
    if not near.ipv4 and not near.ipv6:
        yield "no address at either end"


def _wire(near: Port, far: Port) -> Iterator[str]:
    if near.mtu != far.mtu:
        yield f"packets of {near.mtu} and {far.mtu} octets"
    if near.enabled != far.enabled:
        yield "one end is shut down"
    if near.sends or far.sends or near.obeys or far.obeys:
        if near.classes != far.classes:
            yield f"DSCP in two classes: {_differing(near.classes, far.classes)}"
        if near.sends != far.obeys or near.obeys != far.sends:
            rows = {*near.sends} ^ {*far.obeys} | {*near.obeys} ^ {*far.sends}
            yield f"PFC by DSCP and priority that one end sends and the other does not obey: {sorted(rows)}"


def _differing(near: tuple[int, ...], far: tuple[int, ...]) -> list[int]:
    """DSCPs; all where one end takes no notice."""
    return [dscp for dscp in range(64) if near[dscp : dscp + 1] != far[dscp : dscp + 1]]


def _unspoken(views: Views, cable: Cable, near: Port, far: Port) -> Iterator[str]:
    """Addresses of a cable that its two ends have no session between."""
    for end, own, other in ((cable.near, near, far), (cable.far, far, near)):
        for family, peer in ((IPV4, other.ipv4), (IPV6, other.ipv6)):
            if peer and getattr(own, family) and peer.partition("/")[0] not in views[end].sessions:
                yield f"{end} has no session to {peer.partition('/')[0]}"


class _Known(NamedTuple):
    """A session whose peer is one of the switches; `own` is the address that it speaks from."""

    switch: str
    own: str
    far: str
    session: Session


def _sessions(views: Views) -> Iterator[_Known]:
    """Sessions to others of these switches; who is none of them is not looked at."""
    owners = {one: name for name, view in views.items() for one in _own(view)}
    for name, view in views.items():
        for session in view.sessions.values():
            if (far := owners.get(session.peer)) is not None:
                yield _Known(name, session.source or _towards(view, session.peer), far, session)


def _own(view: View) -> Iterator[str]:
    yield from view.loopbacks
    yield from (text.partition("/")[0] for port in view.ports.values() for text in (port.ipv4, port.ipv6) if text)


def _towards(view: View, peer: str) -> str:
    far = parsed(peer)
    for port in view.ports.values():
        text = port.ipv4 if far.version == 4 else port.ipv6
        if text and far.ip in parsed(text).network:
            return address(text)
    return ""


def _session(views: Views, known: _Known) -> Iterator[str]:
    """What one end says, against the other end; each session is looked at from both."""
    name = f"{known.switch} to {known.far} {known.session.peer}"
    back = views[known.far].sessions.get(known.own)
    if back is None:
        yield f"{name}: {known.far} has no session to {known.own or 'it'}"
        return
    for text in (*_speakers(views, known, back), *_manners(known.session, back), *_ends(views, known, back)):
        yield f"{name}: {text}"


def _speakers(views: Views, known: _Known, back: Session) -> Iterator[str]:
    if known.session.remote_as != views[known.far].asn:
        yield f"AS {known.session.remote_as} is expected, it is {views[known.far].asn}"
    if back.source and back.source != known.session.peer:
        yield f"it speaks from {back.source}"


def _manners(session: Session, back: Session) -> Iterator[str]:
    if session.families != back.families:
        yield f"families {sorted(session.families)} and {sorted(back.families)}"
    if not session.families:
        yield "no family is active"
    if (session.keepalive, session.hold) != (back.keepalive, back.hold):
        yield f"timers {session.keepalive} {session.hold} and {back.keepalive} {back.hold}"
    if session.bfd != back.bfd:
        yield "BFD at one end only"


def _ends(views: Views, known: _Known, back: Session) -> Iterator[str]:
    """EVPN is spoken between loopbacks, which are a hop away; the rest over the cable itself."""
    between = known.session.peer in views[known.far].loopbacks and known.own in views[known.switch].loopbacks
    if EVPN in known.session.families and not between:
        yield "EVPN is not between loopbacks"
    if EVPN in known.session.families and not known.session.extended:
        yield "EVPN without extended communities has no route targets"
    external = views[known.switch].asn != views[known.far].asn
    if between and external and min(known.session.multihop, back.multihop) < 2:
        yield "a session between loopbacks does not reach over a hop"


def tenants(views: Views) -> Iterator[str]:
    """Whether leaves have the same tenants: what any exports of a VNI, all import into it; and VTEPs of their own."""
    names = sorted(views)
    for at, name in enumerate(names):
        if views[name].vtep not in views[name].loopbacks:
            yield f"{name}: the VTEP {views[name].vtep or 'has no address, which'} is on no loopback"
        for other in names[at + 1 :]:
            if views[name].vtep == views[other].vtep:
                yield f"{name} and {other} have one VTEP address"
            yield from _vnis(name, views[name].bridged, other, views[other].bridged, "L2 VNI")
            yield from _vnis(name, views[name].routed, other, views[other].routed, "L3 VNI")


def _vnis(name: str, own: Mapping[int, Targets], other: str, far: Mapping[int, Targets], kind: str) -> Iterator[str]:
    for vni in sorted({*own, *far}):
        if vni not in own or vni not in far:
            yield f"{kind} {vni} is known to {name if vni in own else other} alone, not to both of {name} and {other}"
        elif own[vni].exports != far[vni].exports:
            yield f"{kind} {vni}: {name} exports {sorted(own[vni].exports)}, {other} {sorted(far[vni].exports)}"
        elif not own[vni].exports or not own[vni].exports <= far[vni].imports & own[vni].imports:
            yield f"{kind} {vni}: what {name} and {other} export is not imported by both"
        elif own[vni].imports != far[vni].imports:
            yield f"{kind} {vni}: {name} imports {sorted(own[vni].imports)}, {other} {sorted(far[vni].imports)}"
