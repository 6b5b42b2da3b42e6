"""NX-OS outputs about routing: BGP, BFD and the forwarding tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from fabricgen.base.addresses import Network
from fabricgen.platforms.base.live.values import SHOWN, NotUnderstoodError, address, asn, is_link_local, prefix
from fabricgen.platforms.nxos.live.values import Row, flag, long_name, number, rows, text, top, vrf_name
from fabricgen.state.state import EVPN, IPV4, IPV6, BfdSession, BgpState, FamilyState, Hop, Route, Session

FAMILIES = {(1, 1): IPV4, (2, 1): IPV6, (25, 70): EVPN}
"""AFI and SAFI as IANA numbers them → ours."""
SHUT = frozenset({"Admin (Shut)", "Shut (Admin)", "Shutdown"})
"""What NX-OS says in place of Idle of a session that is shut (the first and last: napalm/nxos/nxos.py)."""
NONE = ("0.0.0.0", "0::", "::")  # noqa: S104 -- what stands for an address of the other family
DISCARD = "Null0"
CONNECTED = "direct"
OWN = frozenset({CONNECTED, "local", "hmm", "am"})
"""Clients whose next hop is the address itself: networks and addresses of the switch, and hosts that it has heard."""

Negotiated = Mapping[tuple[str, str], frozenset[str]]
"""VRF and peer → families that both ends named."""


def bgp(summary: Row, neighbors: Row, names: Mapping[str, str]) -> BgpState:
    """Sessions of `show bgp all summary vrf all`; what they negotiated is of `show bgp all neighbors vrf all`."""
    agreed = _negotiated(neighbors, names)
    speaker = (0, "")
    found: dict[tuple[str, str], Session] = {}
    for row in top(summary, "vrf"):
        vrf = vrf_name(text(row, "vrf-name-out"), names)
        if not vrf:
            speaker = asn(row, "vrf-local-as"), address(text(row, "vrf-router-id"))
        for family, entry in _listed(row):
            peer, state = address(text(entry, "neighborid")), text(entry, "state")
            stands = state == "Established" and family in agreed.get((vrf, peer), frozenset())
            session = Session(
                vrf=vrf,
                peer=peer,
                remote_as=asn(entry, "neighboras"),
                state="Idle" if state in SHUT else state,
                families=(FamilyState(family, number(entry, "prefixreceived", -1)),) if stands else (),
            )
            known = found.get((vrf, session.peer))
            families = (*known.families, *session.families) if known else session.families
            found[vrf, session.peer] = session._replace(families=tuple(sorted(set(families))))
    return BgpState(*speaker, tuple(sorted(found.values())))


def _listed(vrf: Row) -> Iterator[tuple[str, Row]]:
    """Every neighbor of a VRF, once for each family it is in; families of no plan have an empty name."""
    for afi in rows(vrf, "af"):
        for safi in rows(afi, "saf"):
            family = FAMILIES.get((number(afi, "af-id"), number(safi, "safi")), "")
            for entry in rows(safi, "neighbor"):
                yield family, entry


def _negotiated(shown: Row, names: Mapping[str, str]) -> Negotiated:
    found: dict[tuple[str, str], frozenset[str]] = {}
    for row in top(shown, "neighbor"):
        # Of a peer with an IPv6 address the key has another name; the far end of its connection is told, too.
        peer = next((text(row, key) for key in ("neighbor", "ipv6neighbor", "remoteaddr") if key in row), "")
        if peer:
            key = vrf_name(text(row, "vrf", "default"), names), address(peer)
            found[key] = found.get(key, frozenset()) | frozenset(_agreed(row))
    return found


def _agreed(row: Row) -> Iterator[str]:
    for afi in rows(row, "af"):
        for safi in rows(afi, "saf"):
            family = FAMILIES.get((number(afi, "af-afi"), number(safi, "af-safi")))
            if family and _said(safi, "af-advertised") and _said(safi, "af-recvd"):
                yield family


def _said(row: Row, name: str) -> bool:
    return name in row and flag(row, name)


def bfd(shown: Row, names: Mapping[str, str]) -> Iterator[BfdSession]:
    """Sessions of `show bfd ipv4 neighbors detail`, or of IPv6."""
    for row in top(shown, "bfdNeighbor"):
        far = [text(row, key) for key in ("dest_ip_addr", "dest_ipv6_addr") if text(row, key, NONE[0]) not in NONE]
        if len(far) != 1:
            raise NotUnderstoodError("a BFD session without one far address")
        up = text(row, "local_state") == "Up" and text(row, "remote_state", "Up") == "Up"
        yield BfdSession(vrf_name(text(row, "vrf_name", "default"), names), address(far[0]), up)


def routes(shown: Row, names: Mapping[str, str]) -> Iterator[Route]:
    """Forwarding table of one family, of `show ip route vrf all` or `show ipv6 route vrf all`.

    Routes of BGP name no interface, but the address alone (recorded on 9.3(4)): it is that of the connected network.
    """
    for vrf in top(shown, "vrf"):
        name = text(vrf, "vrf-name-out")
        for family in rows(vrf, "addrf"):
            found = tuple(rows(family, "prefix"))
            hop = _hops(found, name)
            for row in found:
                route = _route(row, vrf_name(name, names), hop)
                if route is not None:
                    yield route


def _route(row: Row, vrf: str, hop: Callable[[Row], Hop]) -> Route | None:
    """A route with its best paths; None where it has none, as those of multicast have, and of addresses of a link."""
    best = _best(row)
    found = prefix(text(row, "ipprefix"))
    if not best or is_link_local(found.partition("/")[0]):
        return None
    discards = all(text(path, "ifname", "") == DISCARD for path in best)
    hops = () if discards else tuple(sorted({hop(path) for path in best}))
    return Route(vrf, found, text(best[0], "clientname", ""), hops)


def _best(row: Row) -> tuple[Row, ...]:
    return tuple(path for path in rows(row, "path") if flag(path, "ubest"))


def _hops(found: Iterable[Row], vrf: str) -> Callable[[Row], Hop]:
    """What tells the next hop of a path of a VRF's table."""
    over = _over(dict(_connected(found)))

    def hop(path: Row) -> Hop:
        """One next hop. Into the tunnel it is the VTEP's address, in the default VRF, without an interface."""
        far, interface = _far(text(path, "ipnexthop", "")), long_name(text(path, "ifname", ""))
        if text(path, "clientname", "") in OWN and interface:
            return Hop("", interface)
        if not far and not interface:
            raise NotUnderstoodError("a path that leads nowhere")
        if interface or text(path, "nexthop-vrf-name", vrf) != vrf:
            return Hop(far, interface)
        return Hop(far, over(far))

    return hop


@lru_cache(maxsize=SHOWN)
def _far(shown: str) -> str:
    """Address of a next hop. That of IPv6 through a tunnel of IPv4 is ::ffff:10.0.0.7%default:IPv4 (genieparser)."""
    if not shown:
        return ""
    found = ip_address(address(shown.partition("%")[0]))
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(mapped or found)


def _connected(found: Iterable[Row]) -> Iterator[tuple[Network, str]]:
    """Networks of interfaces, and the interface of each."""
    for row in found:
        for path in _best(row):
            if text(path, "clientname", "") == CONNECTED and "ifname" in path:
                yield ip_network(prefix(text(row, "ipprefix"))), long_name(text(path, "ifname"))


def _over(links: Mapping[Network, str]) -> Callable[[str], str]:
    """What tells the interface of the longest connected network that an address is in; empty where it is in none."""
    lengths = sorted({network.prefixlen for network in links}, reverse=True)

    @cache
    def over(far: str) -> str:
        whole = ip_address(far).max_prefixlen
        own = (ip_network(f"{far}/{length}", strict=False) for length in lengths if length <= whole)
        return next((links[network] for network in own if network in links), "")

    return over
