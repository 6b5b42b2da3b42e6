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
    between = {frozenset((one.own, one.session.peer)) for one in sessions}
    return Compared(len(rows), len(between) + sum(_is_unnumbered(views, cable) for cable in rows), tuple(found))


def _cable(views: Views, cable: Cable) -> Iterator[str]:
    name = f"{cable.near} {cable.near_port} to {cable.far} {cable.far_port}"
    near, far = views[cable.near].ports.get(cable.near_port), views[cable.far].ports.get(cable.far_port)
    if near is None or far is None:
        yield f"{name}: no routed port at {cable.near if near is None else cable.far}"
        return
    for text in (*_addresses(near, far), *_wire(near, far), *_unspoken(views, cable, near, far)):
        yield f"{name}: {text}"
    if _is_unnumbered(views, cable):
        for text in _unnumbered(views, cable, near, far):
            yield f"{name}: {text}"
    elif not (near.ipv4 or near.ipv6 or far.ipv4 or far.ipv6):
        yield f"{name}: no address at either end"


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


def _is_unnumbered(views: Views, cable: Cable) -> bool:
    """Whether an end has a session that is known by its port."""
    return cable.near_port in views[cable.near].sessions or cable.far_port in views[cable.far].sessions


def _unnumbered(views: Views, cable: Cable, near: Port, far: Port) -> Iterator[str]:
    """What the two ends of a link say that find each other by router advertisements (RFC 4861) and have no address."""
    one = views[cable.near].sessions.get(cable.near_port)
    other = views[cable.far].sessions.get(cable.far_port)
    if one is None or other is None:
        yield f"{cable.near if one is None else cable.far} has no session over it"
        return
    for name, port in ((cable.near, near), (cable.far, far)):
        if not port.advertises:
            yield f"{name} does not advertise itself"
    for session, whose in ((one, cable.far), (other, cable.near)):
        if session.remote_as != views[whose].asn:
            yield f"AS {session.remote_as} is expected, it is {views[whose].asn}"
    yield from _profiles(one, other)
    if IPV4 in one.families & other.families and not (one.ipv6_hops and other.ipv6_hops):
        yield "IPv4 without next hops of IPv6, and there are no others"


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
    for text in (*_speakers(views, known, back), *_profiles(known.session, back), *_ends(views, known, back)):
        yield f"{name}: {text}"


def _speakers(views: Views, known: _Known, back: Session) -> Iterator[str]:
    if known.session.remote_as != views[known.far].asn:
        yield f"AS {known.session.remote_as} is expected, it is {views[known.far].asn}"
    if back.source and back.source != known.session.peer:
        yield f"it speaks from {back.source}"


def _profiles(session: Session, back: Session) -> Iterator[str]:
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
    if EVPN in known.session.families and not views[known.switch].vtep and not known.session.kept:
        yield "EVPN routes get another next hop than the VTEP"
    if EVPN in known.session.families and not known.session.extended:
        yield "EVPN without extended communities has no route targets"
    external = views[known.switch].asn != views[known.far].asn
    if between and external and min(known.session.multihop, back.multihop) < 2:
        yield "a session between loopbacks does not reach over a hop"


def tenants(views: Views) -> Iterator[str]:
    """Whether leaves have the same tenants: what any exports of a VNI, all import into it; and VTEPs of their own.

    The gateway of a VLAN is the same on all of its leaves, to the MAC address: a server keeps it when it moves.
    """
    names = sorted(views)
    for at, name in enumerate(names):
        if views[name].vtep not in views[name].loopbacks:
            yield f"{name}: the VTEP {views[name].vtep or 'has no address, which'} is on no loopback"
        for other in names[at + 1 :]:
            if views[name].vtep == views[other].vtep:
                yield f"{name} and {other} have one VTEP address"
            yield from _vnis(name, views[name].bridged, other, views[other].bridged, "L2 VNI")
            yield from _vnis(name, views[name].routed, other, views[other].routed, "L3 VNI")
            yield from _gateways(name, views[name], other, views[other])
            yield from _segments(name, views[name], other, views[other])


def _segments(name: str, own: View, other: str, far: View) -> Iterator[str]:
    """Leaves that share servers know each of their bonds by one identifier, one target and one system id."""
    for one in sorted(own.segments ^ far.segments):
        whose = name if one in own.segments else other
        yield f"segment {one.esi} of {one.target} and {one.system_id} is of {whose} alone"


def _gateways(name: str, own: View, other: str, far: View) -> Iterator[str]:
    for vni in sorted({*own.bridged, *own.gateways} & {*far.bridged, *far.gateways}):
        one, two = own.gateways.get(vni), far.gateways.get(vni)
        if one is None or two is None:
            lacking = [who for who, found in ((name, one), (other, two)) if found is None]
            yield f"gateway of {vni}: none at {' and '.join(lacking)}"
            continue
        if one.mac != two.mac:
            yield f"gateway of {vni}: {name} has {one.mac}, {other} {two.mac}"
        if one.addresses != two.addresses:
            yield f"gateway of {vni}: {name} has {sorted(one.addresses)}, {other} {sorted(two.addresses)}"


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
