"""Outputs of NX-OS about routing: BGP, BFD and the forwarding tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from fabricgen.base.addresses import Network
from fabricgen.platforms.base.live.values import SHOWN, NotUnderstoodError, address, asn, is_link_local, prefix
from fabricgen.platforms.nxos.live.values import Row, flag, long_name, number, rows, text, top, vrf_name
from fabricgen.state.state import EVPN, IPV4, IPV6, BfdSession, BgpState, FamilyState, Hop, Route, Session

FAMILIES = {(1, 1): IPV4, (2, 1): IPV6, (25, 70): EVPN}
"""AFI and SAFI of IANA → name in the State."""
SHUT = frozenset({"Admin (Shut)", "Shut (Admin)", "Shutdown"})
"""NX-OS's states for a session that is shut, instead of Idle (the first and last: napalm/nxos/nxos.py)."""
NONE = ("0.0.0.0", "0::", "::")  # noqa: S104 -- in place of an address of the other family
DISCARD = "Null0"
CONNECTED = "direct"
OWN = frozenset({CONNECTED, "local", "hmm", "am"})
"""Clients whose next hop is the destination: networks and addresses of the switch, and hosts from ARP and ND."""

Negotiated = Mapping[tuple[str, str], frozenset[str]]
"""VRF and peer → families that both ends advertised."""


def bgp(summary: Row, neighbors: Row, names: Mapping[str, str]) -> BgpState:
    """Return the sessions of `show bgp all summary vrf all`, with families of `show bgp all neighbors vrf all`."""
    negotiated = _negotiated(neighbors, names)
    speaker = (0, "")
    sessions: dict[tuple[str, str], Session] = {}
    for row in top(summary, "vrf"):
        vrf = vrf_name(text(row, "vrf-name-out"), names)
        if not vrf:
            speaker = asn(row, "vrf-local-as"), address(text(row, "vrf-router-id"))
        for family, entry in _listed(row):
            peer, state = address(text(entry, "neighborid")), text(entry, "state")
            is_up = state == "Established" and family in negotiated.get((vrf, peer), frozenset())
            session = Session(
                vrf=vrf,
                peer=peer,
                remote_as=asn(entry, "neighboras"),
                state="Idle" if state in SHUT else state,
                families=(FamilyState(family, number(entry, "prefixreceived", -1)),) if is_up else (),
            )
            previous = sessions.get((vrf, session.peer))
            families = (*previous.families, *session.families) if previous else session.families
            sessions[vrf, session.peer] = session._replace(families=tuple(sorted(set(families))))
    return BgpState(*speaker, tuple(sorted(sessions.values())))


def _listed(vrf: Row) -> Iterator[tuple[str, Row]]:
    """Yield every neighbor of a VRF, once for each of its families; families of no plan have an empty name."""
    for afi in rows(vrf, "af"):
        for safi in rows(afi, "saf"):
            family = FAMILIES.get((number(afi, "af-id"), number(safi, "safi")), "")
            for entry in rows(safi, "neighbor"):
                yield family, entry


def _negotiated(shown: Row, names: Mapping[str, str]) -> Negotiated:
    families_by_peer: dict[tuple[str, str], frozenset[str]] = {}
    for row in top(shown, "neighbor"):
        # The key has another name for an IPv6 peer; the remote address of its connection is printed too.
        peer = next((text(row, key) for key in ("neighbor", "ipv6neighbor", "remoteaddr") if key in row), "")
        if peer:
            key = vrf_name(text(row, "vrf", "default"), names), address(peer)
            families_by_peer[key] = families_by_peer.get(key, frozenset()) | frozenset(_agreed(row))
    return families_by_peer


def _agreed(row: Row) -> Iterator[str]:
    for afi in rows(row, "af"):
        for safi in rows(afi, "saf"):
            family = FAMILIES.get((number(afi, "af-afi"), number(safi, "af-safi")))
            if family and _is_set(safi, "af-advertised") and _is_set(safi, "af-recvd"):
                yield family


def _is_set(row: Row, name: str) -> bool:
    return name in row and flag(row, name)


def bfd(shown: Row, names: Mapping[str, str]) -> Iterator[BfdSession]:
    """Yield sessions of `show bfd ipv4 neighbors detail`, or of IPv6."""
    for row in top(shown, "bfdNeighbor"):
        remote_addresses = [
            text(row, key) for key in ("dest_ip_addr", "dest_ipv6_addr") if text(row, key, NONE[0]) not in NONE
        ]
        if len(remote_addresses) != 1:
            raise NotUnderstoodError("a BFD session without one far address")
        is_up = text(row, "local_state") == "Up" and text(row, "remote_state", "Up") == "Up"
        yield BfdSession(vrf_name(text(row, "vrf_name", "default"), names), address(remote_addresses[0]), is_up)


def routes(shown: Row, names: Mapping[str, str]) -> Iterator[Route]:
    """Yield the forwarding table of one family, of `show ip route vrf all` or `show ipv6 route vrf all`.

    BGP routes have no interface, only the address (recorded on 9.3(4)): the interface is that of the connected network.
    """
    for vrf in top(shown, "vrf"):
        name = text(vrf, "vrf-name-out")
        for family in rows(vrf, "addrf"):
            prefix_rows = tuple(rows(family, "prefix"))
            hop = _hops(prefix_rows, name)
            for row in prefix_rows:
                route = _route(row, vrf_name(name, names), hop)
                if route is not None:
                    yield route


def _route(row: Row, vrf: str, hop: Callable[[Row], Hop]) -> Route | None:
    """Return a route with its best paths; None without any, as for multicast, and for link-local addresses."""
    best = _best(row)
    destination = prefix(text(row, "ipprefix"))
    if not best or is_link_local(destination.partition("/")[0]):
        return None
    discards = all(text(path, "ifname", "") == DISCARD for path in best)
    hops = () if discards else tuple(sorted({hop(path) for path in best}))
    return Route(vrf, destination, text(best[0], "clientname", ""), hops)


def _best(row: Row) -> tuple[Row, ...]:
    return tuple(path for path in rows(row, "path") if flag(path, "ubest"))


def _hops(prefix_rows: Iterable[Row], vrf: str) -> Callable[[Row], Hop]:
    """Return a function from a path of a VRF's table to its next hop."""
    interface_of = _over(dict(_connected(prefix_rows)))

    def hop(path: Row) -> Hop:
        """Return one next hop. Into a tunnel it is the VTEP's address, in the default VRF, without an interface."""
        next_hop, interface = _far(text(path, "ipnexthop", "")), long_name(text(path, "ifname", ""))
        if text(path, "clientname", "") in OWN and interface:
            return Hop("", interface)
        if not next_hop and not interface:
            raise NotUnderstoodError("a path that leads nowhere")
        if interface or text(path, "nexthop-vrf-name", vrf) != vrf:
            return Hop(next_hop, interface)
        return Hop(next_hop, interface_of(next_hop))

    return hop


@lru_cache(maxsize=SHOWN)
def _far(shown: str) -> str:
    """Return the address of a next hop.

    For IPv6 through an IPv4 tunnel it is ::ffff:10.0.0.7%default:IPv4 (genieparser).
    """
    if not shown:
        return ""
    parsed = ip_address(address(shown.partition("%")[0]))
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return str(mapped or parsed)


def _connected(prefix_rows: Iterable[Row]) -> Iterator[tuple[Network, str]]:
    """Yield networks of interfaces, and the interface of each."""
    for row in prefix_rows:
        for path in _best(row):
            if text(path, "clientname", "") == CONNECTED and "ifname" in path:
                yield ip_network(prefix(text(row, "ipprefix"))), long_name(text(path, "ifname"))


def _over(links: Mapping[Network, str]) -> Callable[[str], str]:
    """Return a function from an address to the interface of the longest connected network; "" if there is none."""
    lengths = sorted({network.prefixlen for network in links}, reverse=True)

    @cache
    def over(next_hop: str) -> str:
        max_length = ip_address(next_hop).max_prefixlen
        networks = (ip_network(f"{next_hop}/{length}", strict=False) for length in lengths if length <= max_length)
        return next((links[network] for network in networks if network in links), "")

    return over
