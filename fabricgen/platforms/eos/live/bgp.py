"""BGP sessions from EOS: from the summary of all families or, on releases without it, from two lists of neighbors.

`show ip bgp neighbors` leaves out every peer with an IPv6 address (seen on 4.36, where two sessions were up and the
list empty), so the IPv6 list is always read too.
"""

from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.live.values import asn, flag, is_link_local, number, rows, table, word
from fabricgen.platforms.eos.live.values import peer_name, vrf_name
from fabricgen.state.state import EVPN, IPV4, IPV6, BgpState, FamilyState, Session

_FAMILIES = {"ipv4Unicast": IPV4, "ipv6Unicast": IPV6, "l2VpnEvpn": EVPN}
_COUNTERS = {
    IPV4: ("prefixesReceived", "prefixesSent"),
    IPV6: ("v6PrefixesReceived", "v6PrefixesSent"),
    EVPN: ("evpnReceived", "evpnSent"),
}


def from_summary(output: object, names: Mapping[str, str]) -> BgpState:
    """Sessions of `show bgp summary vrf all`."""
    sessions = []
    for vrf, row in table(output, "vrfs").items():
        for peer, entry in table(row, "peers", optional=True).items():
            sessions.append(
                Session(
                    vrf=vrf_name(vrf, names),
                    peer=peer_name(peer),
                    remote_as=asn(entry, "peerAsn"),
                    state=word(entry, "peerState"),
                    families=tuple(_summarized(entry)),
                    since=_since(entry),
                )
            )
    default = table(table(output, "vrfs"), "default", optional=True)
    return BgpState(asn(default, "asn", 0), word(default, "routerId", ""), tuple(sorted(sessions)))


def _since(entry: object) -> float:
    """Time of the last state change by the switch's clock; -1 if it is not shown or the session is not established."""
    changed = (
        entry.get("upDownTime") if isinstance(entry, Mapping) and entry.get("peerState") == "Established" else None
    )
    return float(changed) if isinstance(changed, int | float) and not isinstance(changed, bool) else -1.0


def _summarized(entry: object) -> Iterator[FamilyState]:
    for name, family in _FAMILIES.items():
        row = table(entry, name, optional=True)
        if word(row, "afiSafiState", "") == "negotiated":
            yield FamilyState(family, number(row, "nlrisReceived", -1))


def from_neighbors(lists: tuple[object, ...], names: Mapping[str, str]) -> BgpState:
    """Sessions of `show ip bgp neighbors vrf all` and `show ipv6 bgp peers vrf all`; a session in both counts once."""
    sessions: dict[tuple[str, str], Session] = {}
    speaker = (0, "")
    for output in lists:
        for vrf, row in table(output, "vrfs").items():
            for entry in rows(row, "peerList", optional=True):
                session = _listed(entry, vrf_name(vrf, names))
                sessions[session.vrf, session.peer] = session
                if not session.vrf:
                    speaker = (asn(entry, "localAsn", 0), word(entry, "localRouterId", ""))
    return BgpState(*speaker, tuple(sorted(sessions.values())))


def _listed(entry: object, vrf: str) -> Session:
    state = word(entry, "state")
    # Far address; for a link-local one the port in `ifName`, which EOS prints for other sessions as well.
    address = word(entry, "peerAddress")
    port = word(entry, "ifName", "") if is_link_local(address) else ""
    return Session(
        vrf=vrf,
        peer=port or peer_name(address),
        remote_as=asn(entry, "asn"),
        state=state,
        families=tuple(_negotiated(entry)) if state == "Established" else (),
    )


def _negotiated(entry: object) -> Iterator[FamilyState]:
    """Families of an established session.

    4.23 does not list capabilities: there, a family that carries prefixes counts as negotiated. EVPN's counters exist
    for EVPN peers only.
    """
    capabilities = table(entry, "neighborCapabilities", optional=True)
    listed = table(capabilities, "multiprotocolCaps", optional=True)
    for name, family in _FAMILIES.items():
        received, sent = _COUNTERS[family]
        if listed:
            enabled = flag(table(listed, name, optional=True), "enabled", False)
        else:
            enabled = number(entry, received, 0) + number(entry, sent, 0) > 0
        if enabled:
            yield FamilyState(family, number(entry, received, -1))
