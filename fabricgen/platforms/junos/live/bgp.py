"""BGP and BFD sessions of Junos, by `show bgp neighbor` and `show bfd session`.

A session that was found over a link has the far end's link-local address with the unit behind `%`, and says its
`local-interface-name`; the plan knows it by the port.
"""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from fabricgen.platforms.junos.live.xml import address, is_link_local, number, parsed, port_of, text, texts
from fabricgen.state.state import EVPN, IPV4, IPV6, BfdSession, BgpState, FamilyState, Session

ESTABLISHED = "Established"
MASTER = ("", "master", "default")
"""Names of the default routing instance."""
FAMILIES = {"inet-unicast": IPV4, "inet6-unicast": IPV6, "evpn": EVPN}
TABLES = {IPV4: "inet.0", IPV6: "inet6.0", EVPN: "bgp.evpn.0"}
UNSET = "0.0.0.0"  # noqa: S104 - how Junos writes no router id


def bgp(shown: object, names: Mapping[str, str]) -> BgpState:
    """Speaker and sessions; a local AS and router id of the default instance are the speaker's."""
    peers = [peer for found in parsed(shown, "bgp-information") for peer in found.iter("bgp-peer")]
    sessions = tuple(sorted(_session(peer, names) for peer in peers))
    own = [peer for peer in peers if text(peer, "peer-cfg-rti", "") in MASTER]
    asns = {number(peer, "local-as") for peer in own if text(peer, "local-as", "")}
    ids = {found for peer in own if (found := text(peer, "local-id", "")) not in ("", UNSET)}
    return BgpState(asns.pop() if len(asns) == 1 else 0, address(ids.pop()) if len(ids) == 1 else "", sessions)


def vrf_of(instance: str, names: Mapping[str, str]) -> str:
    """VRF of the plan for a routing instance."""
    return "" if instance in MASTER else names.get(instance, instance)


def _session(peer: Element, names: Mapping[str, str]) -> Session:
    state = text(peer, "peer-state")
    instance = text(peer, "peer-cfg-rti", "")
    return Session(
        vrf=vrf_of(instance, names),
        peer=_peer(peer),
        remote_as=number(peer, "peer-as", 0),
        state=state,
        families=tuple(_families(peer, instance)) if state == ESTABLISHED else (),
        ends=number(peer, "flap-count", -1),
    )


def _peer(peer: Element) -> str:
    """Far address without the TCP port behind `+`; of a link-local one the own port."""
    far = text(peer, ".//peer-address").partition("+")[0]
    if is_link_local(far):
        unit = far.partition("%")[2] or text(peer, "local-interface-name")
        return port_of(unit)
    return address(far)


def _families(peer: Element, instance: str) -> Iterator[FamilyState]:
    """Families of the session, with what came of each. Of a family that is none of ours nothing is said."""
    received = {text(rib, "name", ""): number(rib, "received-prefix-count", -1) for rib in peer.findall("bgp-rib")}
    before = "" if instance in MASTER else f"{instance}."
    for name in sorted(set(text(peer, "nlri-type-session", "").split()) & FAMILIES.keys()):
        family = FAMILIES[name]
        table = TABLES[family] if family == EVPN else before + TABLES[family]
        yield FamilyState(family, received.get(table, -1))


def bfd(shown: object) -> tuple[BfdSession, ...]:
    """Sessions. Junos does not name their instance here, and only sessions of the default one are watched."""
    found = [row for each in parsed(shown, "bfd-session-information") for row in each.iter("bfd-session")]
    return tuple(sorted(BfdSession("", _watched(row), text(row, "session-state") == "Up") for row in found))


def _watched(row: Element) -> str:
    far = text(row, "session-neighbor")
    if not is_link_local(far):
        return address(far)
    units = [far.partition("%")[2], *texts(row, "session-interface")]
    return next((port_of(unit) for unit in units if unit), far)
