"""BGP and BFD sessions of Junos, from `show bgp neighbor` and `show bfd session`.

The peer address of an auto-discovered session over a link is the remote link-local address, with the unit after `%` or
in `local-interface-name`; the plan identifies the session by the port.
"""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from fabricgen.platforms.base.live.values import address
from fabricgen.platforms.junos.live.xml import is_link_local, number, parsed, port_of, text, texts
from fabricgen.state.state import ESTABLISHED, EVPN, IPV4, IPV6, BfdSession, BgpState, FamilyState, Session

MASTER = ("", "master", "default")
"""Names of the default routing instance."""
FAMILIES = {"inet-unicast": IPV4, "inet6-unicast": IPV6, "evpn": EVPN}
TABLES = {IPV4: "inet.0", IPV6: "inet6.0", EVPN: "bgp.evpn.0"}
UNSET = "0.0.0.0"  # noqa: S104 - how Junos writes no router id


def bgp(shown: object, names: Mapping[str, str]) -> BgpState:
    """The speaker and its sessions; its AS and router id are the local ones of the default instance."""
    peers = [peer for root in parsed(shown, "bgp-information") for peer in root.iter("bgp-peer")]
    sessions = tuple(sorted(_session(peer, names) for peer in peers))
    default_peers = [peer for peer in peers if text(peer, "peer-cfg-rti", "") in MASTER]
    asns = {number(peer, "local-as") for peer in default_peers if text(peer, "local-as", "")}
    router_ids = {root for peer in default_peers if (root := text(peer, "local-id", "")) not in ("", UNSET)}
    return BgpState(
        asns.pop() if len(asns) == 1 else 0, address(router_ids.pop()) if len(router_ids) == 1 else "", sessions
    )


def vrf_of(instance: str, names: Mapping[str, str]) -> str:
    """The VRF of the plan for a routing instance."""
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
    """The remote address without the TCP port after `+`; the local port if the address is link-local."""
    remote = text(peer, ".//peer-address").partition("+")[0]
    if is_link_local(remote):
        unit = remote.partition("%")[2] or text(peer, "local-interface-name")
        return port_of(unit)
    return address(remote)


def _families(peer: Element, instance: str) -> Iterator[FamilyState]:
    """Yield the families of the session, with their received prefixes.

    Families that fabricgen never plans are left out.
    """
    received = {text(rib, "name", ""): number(rib, "received-prefix-count", -1) for rib in peer.findall("bgp-rib")}
    table_prefix = "" if instance in MASTER else f"{instance}."
    for name in sorted(set(text(peer, "nlri-type-session", "").split()) & FAMILIES.keys()):
        family = FAMILIES[name]
        table = TABLES[family] if family == EVPN else table_prefix + TABLES[family]
        yield FamilyState(family, received.get(table, -1))


def bfd(shown: object) -> tuple[BfdSession, ...]:
    """BFD sessions. Junos does not print their instance, and only sessions of the default one are monitored."""
    rows = [row for root in parsed(shown, "bfd-session-information") for row in root.iter("bfd-session")]
    return tuple(sorted(BfdSession("", _watched(row), text(row, "session-state") == "Up") for row in rows))


def _watched(row: Element) -> str:
    remote = text(row, "session-neighbor")
    if not is_link_local(remote):
        return address(remote)
    units = [remote.partition("%")[2], *texts(row, "session-interface")]
    return next((port_of(unit) for unit in units if unit), remote)
