"""Routes of Junos: those that rpd installs in the kernel, and the EVPN table.

If a prefix has several entries, the one counts that `show route` marks with `*`, or with `#` if one entry is for
routing (`@`) and another for forwarding only. The latter happens for a tenant's prefix that several leaves announce:
`#` marks an entry of protocol Multipath. A tenant's route leads to its protocol next hop, the VTEP; the plain next hops
are those of the underlay. Whether the chip has the route is not shown.

Public outputs show how Junos writes a segment in the EVPN table: 00:10:01:02:02:00:00:00:00:02 as 100102020000000002
and 00:00:00:00:00:00:00:00:00:01 as 01, in routes such as 4:10.0.0.1:0::01:10.0.0.1/296 ES.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from ipaddress import ip_network
from xml.etree.ElementTree import Element

from fabricgen.platforms.base.live.values import NotUnderstoodError, address, prefix
from fabricgen.platforms.junos.live.xml import parsed, port_of, text, texts
from fabricgen.state.state import EvpnRoute, Hop, Route

FORWARDS = ("#", "*")
"""Marks of the entry that packets follow, the stronger first."""
MULTIPATH, EVPN, BGP = "Multipath", "EVPN", "BGP"
TABLES = ("inet.0", "inet6.0")
EVPN_ROUTES, EVPN_TABLE = "show route table bgp.evpn.0 active-path detail", "bgp.evpn.0"
LAST = "0"
"""Local preference that the rendered policies give a route with the graceful-shutdown community."""
_EVPN_ROUTE = re.compile(r"([1-5]):([\d.]+:\d+)::?(.*)", re.ASCII)
_MAC = r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}"
_KEYS = {
    1: re.compile(r":?([0-9a-f]{1,20})::.*", re.IGNORECASE),
    2: re.compile(rf":?(?P<tag>\d+)::(?P<mac>{_MAC})(?:::(?P<ip>.+))?", re.IGNORECASE),
    3: re.compile(r":?(?P<tag>\d+)::(?P<origin>.+)"),
    4: re.compile(r":?([0-9a-f]{1,20}):.*", re.IGNORECASE),
    5: re.compile(r":?(?P<tag>\d+)::(?P<prefix>.+)::(?P<length>\d+)"),
}
"""Route type → pattern of its text after the RD, with its key; leading zero octets of a segment are not printed."""
_ESI_DIGITS = 20
_TAG_DIGITS = 10
SEGMENTS = (1, 4)
"""Types of routes of an Ethernet segment."""


def routes(shown: object, names: Mapping[str, str]) -> tuple[Route, ...]:
    """Return routes of the unicast tables in one output, without link-local and multicast prefixes of the system."""
    all_routes = []
    for table in _tables(shown):
        vrf = _vrf(text(table, "table-name"), names)
        if vrf is None:
            continue
        for row in table.findall("rt"):
            destination = _destination(row)
            network = ip_network(prefix(destination))
            entry = _forwarding(row)
            if entry is not None and not (network.is_link_local or network.is_multicast):
                hops = _hops(row, entry)
                all_routes.append(Route(vrf, str(network), _protocol(row, entry), hops))
    return tuple(sorted(all_routes))


def _tables(shown: object) -> Iterator[Element]:
    for root in parsed(shown, "route-information"):
        yield from root.iter("route-table")


def _vrf(table: str, names: Mapping[str, str]) -> str | None:
    """Return the VRF of a table such as inet.0 or blue.inet6.0; None for one without unicast routes, or internal."""
    for name in TABLES:
        if table == name:
            return ""
        if table.endswith(f".{name}"):
            instance = table.removesuffix(f".{name}")
            return None if instance.startswith(("__", ":")) else names.get(instance, instance)
    return None


def _destination(row: Element) -> str:
    """Return the prefix of a route; detailed output has its length in another element."""
    destination, length = text(row, "rt-destination"), text(row, "rt-prefix-length", "")
    return destination if "/" in destination or not length else f"{destination}/{length.split()[0]}"


def _forwarding(row: Element) -> Element | None:
    """Return the entry that packets follow; None if all are hidden or not active."""
    entries = {text(entry, "active-tag", ""): entry for entry in row.findall("rt-entry")}
    return next((entries[mark] for mark in FORWARDS if mark in entries), None)


def _protocol(row: Element, entry: Element) -> str:
    """Return the protocol in lower case; for Multipath, that of the contributing entries."""
    protocol = text(entry, "protocol-name", "")
    if protocol == MULTIPATH:
        protocol = next((text(contributor, "protocol-name", "") for contributor in _contributors(row)), protocol)
    return protocol.lower()


def _contributors(row: Element) -> list[Element]:
    """Return the entries that a Multipath entry may consist of: those with the protocol of the first, which is best."""
    others = [other for other in row.findall("rt-entry") if text(other, "protocol-name", "") != MULTIPATH]
    return [other for other in others if text(other, "protocol-name", "") == text(others[0], "protocol-name", "")]


def _hops(row: Element, entry: Element) -> tuple[Hop, ...]:
    """Return the next hops of an entry without duplicates."""
    # A tenant's route leads to VTEPs, not to the next hops of the underlay that it is resolved by.
    vteps = set(texts(entry, "protocol-nh/to"))
    if text(entry, "protocol-name", "") == MULTIPATH and not vteps:
        vteps = _joined(row, entry)
    if vteps and _is_tunnelled(row, entry):
        return tuple(sorted({Hop(address(vtep), "") for vtep in vteps}))
    return tuple(sorted({_hop(hop) for hop in entry.findall("nh") if len(hop)}))


def _is_tunnelled(row: Element, entry: Element) -> bool:
    return text(entry, "protocol-name", "") == EVPN or any(
        text(contributor, "protocol-name", "") == EVPN for contributor in _contributors(row)
    )


def _joined(row: Element, entry: Element) -> set[str]:
    """Return protocol next hops of all contributors if the entry has as many next hops as they have together."""
    contributors = _contributors(row)
    if not contributors or sum(len(contributor.findall("nh")) for contributor in contributors) != len(
        entry.findall("nh")
    ):
        return set()
    return {vtep for contributor in contributors for vtep in texts(contributor, "protocol-nh/to")}


def _hop(hop: Element) -> Hop:
    address_text = text(hop, "to", "")
    unit = text(hop, "via", "") or text(hop, "nh-local-interface", "")
    return Hop(address(address_text) if address_text else "", port_of(unit))


def evpn(shown: object) -> tuple[EvpnRoute, ...]:
    """Return the active routes of bgp.evpn.0; those of protocol EVPN are the switch's own."""
    evpn_routes: set[EvpnRoute] = set()
    for table in _tables(shown):
        if text(table, "table-name") == EVPN_TABLE:
            for row in table.findall("rt"):
                entry = _forwarding(row)
                if entry is not None:
                    evpn_routes |= set(_evpn(text(row, "rt-destination"), entry))
    return tuple(sorted(evpn_routes))


def shut_down(shown: object, members: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the next hop of each BGP route of the EVPN table, and whether the route has graceful shutdown.

    members  forms of the graceful-shutdown community, which must be among the communities if an entry has any
    """
    for table in _tables(shown):
        if text(table, "table-name") == EVPN_TABLE:
            for entry in (_forwarding(row) for row in table.findall("rt")):
                if entry is not None and text(entry, "protocol-name", "") == BGP:
                    communities = tuple(texts(entry, "communities/community"))
                    is_last = text(entry, "local-preference", "") == LAST
                    marked = is_last and (not communities or any(community in members for community in communities))
                    yield from ((hop, marked) for hop in _far_ends(entry))


def _evpn(route: str, entry: Element) -> Iterator[EvpnRoute]:
    """Yield a route of types 1 to 5, once per next hop."""
    match = _EVPN_ROUTE.fullmatch(route.partition("/")[0])
    if match is None:
        return
    kind = int(match[1])
    key, tag = _key(kind, match[3])
    for hop in _far_ends(entry):
        yield EvpnRoute(kind, match[2], key, hop, tag)


def _far_ends(entry: Element) -> Iterable[str]:
    if text(entry, "protocol-name") == EVPN:
        return ("",)
    hops = {address(hop) for hop in texts(entry, "protocol-nh/to")}
    if not hops:
        raise NotUnderstoodError("no protocol next hop of an EVPN route")
    return hops


def _key(kind: int, rest: str) -> tuple[str, int]:
    """Return the key of a route after its RD, and its Ethernet tag: all VLANs of a bundle have one RD."""
    match = _KEYS[kind].fullmatch(rest)
    if match is None:
        raise NotUnderstoodError(f"no route of type {kind}: {rest[:60]!r}")
    if kind in SEGMENTS:
        return match[1].lower().zfill(_ESI_DIGITS), 0
    tag = int(match["tag"][-_TAG_DIGITS:])
    if kind == 5:
        return prefix(f"{match['prefix']}/{match['length']}"), tag
    if kind == 3:
        return address(match["origin"]), tag
    host = match["mac"].lower()
    return (f"{host} {address(match['ip'])}" if match["ip"] else host), tag


def peers_of(shown: object) -> frozenset[str]:
    """Return the BGP peers that sent the routes of an output, in the default tables; a port for an unnumbered link.

    Junos prints the sender of a path only if it is not the path's one next hop (recorded: a list of paths, the first
    with `learned-from`, the other with a next hop only).
    """
    peers: set[str] = set()
    for table in _tables(shown):
        if _vrf(text(table, "table-name"), {}) == "":
            peers |= {
                peer for row in table.findall("rt") for entry in row.findall("rt-entry") for peer in _peers(entry)
            }
    return frozenset(peers)


def _peers(entry: Element) -> Iterator[str]:
    if text(entry, "protocol-name", "") != BGP:
        return
    hops = [_hop(hop) for hop in entry.findall("nh")]
    sender = text(entry, "learned-from", "").partition("%")[0]
    peer = address(sender) if sender else (hops[0].address if len(hops) == 1 else "")
    if not peer:
        return
    interfaces = {hop.interface for hop in hops if hop.address == peer}
    if peer.startswith("fe80:"):
        yield from interfaces if len(interfaces) == 1 else ()
    else:
        yield peer
