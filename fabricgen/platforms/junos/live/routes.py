"""Routes of Junos: those that rpd has the kernel forward by, and the EVPN table.

Of a prefix with several entries that counts which `show route` marks `*`, or `#` where one entry is for routing (`@`)
and another for forwarding alone. So it is with a tenant's prefix that several leaves announce: `#` is an entry of
protocol Multipath. What a tenant's route leads to is its protocol next hop, the VTEP; the next hops beside it are those
of the underlay. That the chip has it is not shown here.

How Junos writes a segment in the EVPN table is shown by public outputs: 00:10:01:02:02:00:00:00:00:02 as
100102020000000002 and 00:00:00:00:00:00:00:00:00:01 as 01, in routes such as 4:10.0.0.1:0::01:10.0.0.1/296 ES.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from ipaddress import ip_network
from xml.etree.ElementTree import Element

from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.junos.live.xml import address, parsed, port_of, prefix, text, texts
from fabricgen.state.state import EvpnRoute, Hop, Route

FORWARDS = ("#", "*")
"""Marks of the entry that packets follow, the stronger first."""
MULTIPATH, EVPN, BGP = "Multipath", "EVPN", "BGP"
TABLES = ("inet.0", "inet6.0")
EVPN_ROUTES, EVPN_TABLE = "show route table bgp.evpn.0 active-path detail", "bgp.evpn.0"
LAST = "0"
"""Preference of a route that is being shut down, by the policies of ours."""
_EVPN_ROUTE = re.compile(r"([1-5]):([\d.]+:\d+)::?(.*)", re.ASCII)
_MAC = r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}"
_KEYS = {
    1: re.compile(r":?([0-9a-f]{1,20})::.*", re.IGNORECASE),
    2: re.compile(rf":?(?P<tag>\d+)::(?P<mac>{_MAC})(?:::(?P<ip>.+))?", re.IGNORECASE),
    3: re.compile(r":?(?P<tag>\d+)::(?P<origin>.+)"),
    4: re.compile(r":?([0-9a-f]{1,20}):.*", re.IGNORECASE),
    5: re.compile(r":?(?P<tag>\d+)::(?P<prefix>.+)::(?P<length>\d+)"),
}
"""Route type → what of its text behind the RD is its key; a segment comes without the octets in front that are zero."""
_ESI_DIGITS = 20
_TAG_DIGITS = 10
SEGMENTS = (1, 4)
"""Types of routes of an Ethernet segment."""


def routes(shown: object, names: Mapping[str, str]) -> tuple[Route, ...]:
    """Routes of the unicast tables in one answer. Link-local and multicast prefixes are the system's own."""
    found = []
    for table in _tables(shown):
        vrf = _vrf(text(table, "table-name"), names)
        if vrf is None:
            continue
        for row in table.findall("rt"):
            text_ = _destination(row)
            network = ip_network(prefix(text_))
            entry = _forwarding(row)
            if entry is not None and not (network.is_link_local or network.is_multicast):
                hops = _hops(row, entry)
                found.append(Route(vrf, str(network), _protocol(row, entry), hops))
    return tuple(sorted(found))


def _tables(shown: object) -> Iterator[Element]:
    for found in parsed(shown, "route-information"):
        yield from found.iter("route-table")


def _vrf(table: str, names: Mapping[str, str]) -> str | None:
    """VRF of a table such as inet.0 or blue.inet6.0; None for one that holds no unicast routes, or is Junos' own."""
    for name in TABLES:
        if table == name:
            return ""
        if table.endswith(f".{name}"):
            instance = table.removesuffix(f".{name}")
            return None if instance.startswith(("__", ":")) else names.get(instance, instance)
    return None


def _destination(row: Element) -> str:
    """Prefix of a route; in detail its length is beside it."""
    found, length = text(row, "rt-destination"), text(row, "rt-prefix-length", "")
    return found if "/" in found or not length else f"{found}/{length.split()[0]}"


def _forwarding(row: Element) -> Element | None:
    """The entry that packets follow; None where all are hidden or stand back."""
    entries = {text(entry, "active-tag", ""): entry for entry in row.findall("rt-entry")}
    return next((entries[mark] for mark in FORWARDS if mark in entries), None)


def _protocol(row: Element, entry: Element) -> str:
    """Protocol, in small letters; of several paths that of those they are made of."""
    found = text(entry, "protocol-name", "")
    if found == MULTIPATH:
        found = next((text(one, "protocol-name", "") for one in _contributors(row)), found)
    return found.lower()


def _contributors(row: Element) -> list[Element]:
    """Entries that a Multipath entry may be made of: of the protocol of the first, which is the best."""
    others = [one for one in row.findall("rt-entry") if text(one, "protocol-name", "") != MULTIPATH]
    return [one for one in others if text(one, "protocol-name", "") == text(others[0], "protocol-name", "")]


def _hops(row: Element, entry: Element) -> tuple[Hop, ...]:
    """Next hops of an entry, each once."""
    vteps = set(texts(entry, "protocol-nh/to"))
    if text(entry, "protocol-name", "") == MULTIPATH and not vteps:
        vteps = _joined(row, entry)
    if vteps and _is_tunnelled(row, entry):
        return tuple(sorted({Hop(address(vtep), "") for vtep in vteps}))
    return tuple(sorted({_hop(hop) for hop in entry.findall("nh") if len(hop)}))


def _is_tunnelled(row: Element, entry: Element) -> bool:
    return text(entry, "protocol-name", "") == EVPN or any(
        text(one, "protocol-name", "") == EVPN for one in _contributors(row)
    )


def _joined(row: Element, entry: Element) -> set[str]:
    """Protocol next hops of all contributors, where the entry has as many next hops as they have together."""
    parts = _contributors(row)
    if not parts or sum(len(one.findall("nh")) for one in parts) != len(entry.findall("nh")):
        return set()
    return {vtep for one in parts for vtep in texts(one, "protocol-nh/to")}


def _hop(hop: Element) -> Hop:
    far = text(hop, "to", "")
    unit = text(hop, "via", "") or text(hop, "nh-local-interface", "")
    return Hop(address(far) if far else "", port_of(unit))


def evpn(shown: object) -> tuple[EvpnRoute, ...]:
    """Active routes of bgp.evpn.0; those of protocol EVPN are the switch's own."""
    found: set[EvpnRoute] = set()
    for table in _tables(shown):
        if text(table, "table-name") == EVPN_TABLE:
            for row in table.findall("rt"):
                entry = _forwarding(row)
                if entry is not None:
                    found |= set(_evpn(text(row, "rt-destination"), entry))
    return tuple(sorted(found))


def shut_down(shown: object, members: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Next hop of each route of the EVPN table that BGP brought, and whether the route is being shut down.

    members  spellings of the graceful-shutdown community. An entry that names its communities is judged by them too
    """
    for table in _tables(shown):
        if text(table, "table-name") == EVPN_TABLE:
            for entry in (_forwarding(row) for row in table.findall("rt")):
                if entry is not None and text(entry, "protocol-name", "") == BGP:
                    told = tuple(texts(entry, "communities/community"))
                    last = text(entry, "local-preference", "") == LAST
                    marked = last and (not told or any(one in members for one in told))
                    yield from ((hop, marked) for hop in _far_ends(entry))


def _evpn(route: str, entry: Element) -> Iterator[EvpnRoute]:
    """A route of types 1 to 5, once for each next hop."""
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
    hops = {address(found) for found in texts(entry, "protocol-nh/to")}
    if not hops:
        raise NotUnderstoodError("no protocol next hop of an EVPN route")
    return hops


def _key(kind: int, behind: str) -> tuple[str, int]:
    """What identifies a route behind its RD, and its Ethernet tag: all VLANs of a bundle have one RD."""
    match = _KEYS[kind].fullmatch(behind)
    if match is None:
        raise NotUnderstoodError(f"no route of type {kind}: {behind[:60]!r}")
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
    """Peers that sent the routes of an answer, by BGP, in the default tables; over a link without addresses its port.

    Junos says whom a path is from only where that is not its one next hop (recorded: a list of paths, the first with
    `learned-from`, the other with a next hop alone).
    """
    found: set[str] = set()
    for table in _tables(shown):
        if _vrf(text(table, "table-name"), {}) == "":
            found |= {
                peer for row in table.findall("rt") for entry in row.findall("rt-entry") for peer in _peers(entry)
            }
    return frozenset(found)


def _peers(entry: Element) -> Iterator[str]:
    if text(entry, "protocol-name", "") != BGP:
        return
    hops = [_hop(hop) for hop in entry.findall("nh")]
    sender = text(entry, "learned-from", "").partition("%")[0]
    whom = address(sender) if sender else (hops[0].address if len(hops) == 1 else "")
    if not whom:
        return
    over = {hop.interface for hop in hops if hop.address == whom}
    if whom.startswith("fe80:"):
        yield from over if len(over) == 1 else ()
    else:
        yield whom
