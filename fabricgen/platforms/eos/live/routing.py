"""EOS outputs about routing: the forwarding table, BFD and the EVPN table."""

import re
from collections.abc import Iterator, Mapping, Sequence

from fabricgen.platforms.base.live.values import (
    NotUnderstoodError,
    address,
    flag,
    is_link_local,
    is_mac,
    mac,
    number,
    prefix,
    rows,
    table,
    word,
)
from fabricgen.platforms.eos.live.values import peer_name, vrf_name
from fabricgen.state.state import BfdSession, EvpnRoute, Hop, Route

_EVPN_TYPES = {"auto-discovery": 1, "mac-ip": 2, "imet": 3, "ethernet-segment": 4, "ip-prefix": 5}
_ESI = re.compile(r"[0-9a-f]{4}(?::[0-9a-f]{4}){4}", re.IGNORECASE)
_VXLAN = "Vxlan1"


def routes(output: object, names: Mapping[str, str]) -> tuple[Route, ...]:
    """Forwarding table of one family from `show ip route vrf all` or `show ipv6 route vrf all`.

    A route that the hardware lacks is left out; if a release does not show that, the kernel's flag decides. A route
    with the action `drop` discards and has no hops, though EOS calls it directly connected.
    """
    forwarded = []
    for vrf, row in table(output, "vrfs").items():
        for text, route in table(row, "routes", optional=True).items():
            if flag(route, "hardwareProgrammed", flag(route, "kernelProgrammed", True)):
                forwarded.append(
                    Route(vrf_name(vrf, names), prefix(text), word(route, "routeType", "").lower(), _hops(route))
                )
    return tuple(sorted(forwarded))


def _hops(route: object) -> tuple[Hop, ...]:
    if word(route, "routeAction", "forward") == "drop":
        return ()
    return tuple(sorted({_hop(via) for via in rows(route, "vias", optional=True)}))


def _hop(via: object) -> Hop:
    """One next hop. Into a tunnel it is the VTEP's address over the VXLAN interface."""
    vtep = word(via, "vtepAddr", "")
    if vtep:
        return Hop(address(vtep), _VXLAN)
    text = word(via, "nexthopAddr", "")
    return Hop(address(text) if text else "", word(via, "interface", ""))


def bfd(output: object, names: Mapping[str, str]) -> tuple[BfdSession, ...]:
    """Sessions of `show bfd peers`, revision 1, which NAPALM uses. Later revisions nest by type of session."""
    sessions = []
    for vrf, row in table(output, "vrfs").items():
        for family in ("ipv4Neighbors", "ipv6Neighbors"):
            for peer, entry in table(row, family, optional=True).items():
                states = {port: _is_up(state) for port, state in table(entry, "peerStats").items()}
                if states and is_link_local(peer):
                    # One far address may be on several ports; such a session is identified by its port.
                    sessions += [BfdSession(vrf_name(vrf, names), port, up) for port, up in states.items()]
                    continue
                up = states.values()
                sessions.append(BfdSession(vrf_name(vrf, names), peer_name(peer), bool(up) and all(up)))
    return tuple(sorted(sessions))


def _is_up(state: object) -> bool:
    return word(state, "status") == "up" and number(state, "remoteDisc", 1) != 0


def evpn(output: object) -> tuple[EvpnRoute, ...]:
    """Routes of `show bgp evpn` that have an active path, once for each next hop.

    With VLAN-aware bundles, routes differ in their Ethernet tag only. The route's own text has it, after the type: `RD:
    10.1.0.5:500 mac-ip 10020 aac1.ab4e.bec2` (ANTA 68667e0, VerifyEVPNType2Route), and in tables of EOS switches with
    bundles `imet 10010 10.255.254.101`. A route of type 5 was never seen with one.
    """
    evpn_routes = set()
    for text, row in table(output, "evpnRoutes").items():
        detail = table(row, "routeKeyDetail")
        kind = _EVPN_TYPES.get(word(detail, "nlriType", ""), 0)
        if kind:
            key = _key(kind, detail, text.split())
            tag = _tag(kind, text.split())
            evpn_routes |= {EvpnRoute(kind, word(detail, "rd"), key, hop, tag) for hop in _next_hops(row)}
    return tuple(sorted(evpn_routes))


def _tag(kind: int, route_words: Sequence[str]) -> int:
    """Ethernet tag of a route of type 2, 3 or 5 by its text; 0 if there is none."""
    tag = route_words[3] if len(route_words) > 3 else ""
    return int(tag[:10]) if kind in (2, 3, 5) and tag.isascii() and tag.isdecimal() else 0


def _next_hops(row: object) -> Iterator[str]:
    for path in rows(row, "evpnRoutePaths"):
        if flag(table(path, "routeType"), "active", False):
            hop = word(path, "nextHop", "")
            yield address(hop) if hop else ""


def _key(kind: int, detail: Mapping[str, object], route_words: Sequence[str]) -> str:
    """Key of a route after its RD: from a field if one is known, otherwise from the route's text."""
    if kind == 5:
        return prefix(word(detail, "ipGenPrefix"))
    if kind == 3:
        return address(word(detail, "ipGenAddr"))
    return _mac_ip(route_words) if kind == 2 else _esi(route_words)


def _mac_ip(route_words: Sequence[str]) -> str:
    """MAC and, if there is one, IP from `RD: 10.0.0.1:10 mac-ip [tag] 001c.7300.0001 [10.1.1.5]`."""
    for index, text in enumerate(route_words):
        if is_mac(text):
            tail = [address(item) for item in route_words[index + 1 : index + 2] if item not in ("local", "remote")]
            return " ".join((mac(text), *tail))
    raise NotUnderstoodError("no MAC address in a mac-ip route")


def _esi(route_words: Sequence[str]) -> str:
    """Ten octets in groups of two, like in the Device."""
    for text in route_words:
        if _ESI.fullmatch(text):
            return text.lower()
    raise NotUnderstoodError("no Ethernet segment in a route of one")
