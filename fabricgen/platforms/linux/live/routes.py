"""The forwarding table by the kernel, never FRR's own belief of it: after a link flap zebra has been seen to be wrong.

Source: `ip -j -N route show table all` of iproute2 6.1.0, and include/uapi/linux/rtnetlink.h for the numbers that -N
prints (a table's name is the box's own, its number is not). Shapes seen on Linux 6.1 and 6.18, 2026-11-21.
"""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.platforms.linux.live.decode import (
    CommandOutputs,
    Misread,
    Row,
    canonical,
    inner,
    number,
    rows,
    word,
    words,
)
from fabricgen.platforms.linux.live.interfaces import links, spaces
from fabricgen.state.state import Hop, Route

ROUTES = "ip -j -N route show table all"
UNICAST, DISCARDS = "1", ("6", "7", "8")
"""RTN_UNICAST; RTN_BLACKHOLE, RTN_UNREACHABLE, RTN_PROHIBIT. Other types deliver to the box itself."""
MAIN = "254"
PROTOCOLS = {"2": "connected", "3": "boot", "4": "static", "9": "ra", "16": "dhcp", "186": "bgp", "196": "static"}
"""RTPROT_ numbers; 186 and up are FRR's (zebra/rt_netlink.h)."""
BOOT = "3"
"""Set by a command. iproute2 leaves this protocol out (ip/iproute.c), so it is that of a route that shows none."""
NOT_USED = {"dead", "linkdown"}
"""Flags of a next hop that no packet leaves by."""


class _Entry(NamedTuple):
    """One line of the kernel's. Of those with one prefix the lowest metric counts."""

    vrf: str
    prefix: str
    metric: int
    protocol: str
    hops: tuple[Hop, ...]


def routes(answers: CommandOutputs) -> tuple[Route, ...]:
    """Routes in use, by VRF and prefix."""
    devices = links(answers).devices
    tables = {str(number): name for name, number in devices.items()}
    found: dict[tuple[str, str], _Entry] = {}
    for space, held in spaces(answers, ROUTES, devices):
        for row in _entries(held, {MAIN: ""} if space else {MAIN: "", **tables}):
            entry = row._replace(vrf=answers.vrf(space or row.vrf))
            key = entry.vrf, entry.prefix
            found[key] = _better(found[key], entry) if key in found else entry
    return tuple(Route(row.vrf, row.prefix, row.protocol, row.hops) for _, row in sorted(found.items()))


def _better(one: _Entry, other: _Entry) -> _Entry:
    """The entry of the lower metric. Equal ones are one route whose next hops are listed one by one."""
    if one.metric != other.metric:
        return min(one, other, key=lambda entry: entry.metric)
    return one._replace(hops=tuple(sorted({*one.hops, *other.hops})))


def _entries(held: Iterable[Row], tables: Mapping[str, str]) -> Iterator[_Entry]:
    for row in held:
        kind = word(row, "type", UNICAST)
        where = word(row, "table", MAIN)
        if where not in tables or kind not in (UNICAST, *DISCARDS):
            continue
        # Prefix of a route. Only IPv6 routes have a preference (RFC 4191), by which two defaults are told apart.
        text = word(row, "dst")
        prefix = ip_network(("::/0" if "pref" in row else "0.0.0.0/0") if text == "default" else text)
        if prefix.is_link_local or prefix.is_loopback or prefix.is_multicast:
            continue
        hops = () if kind in DISCARDS else _hops(row)
        if hops or kind in DISCARDS:
            protocol = word(row, "protocol", BOOT)
            name = PROTOCOLS.get(protocol, protocol)
            yield _Entry(tables[where], str(prefix), number(row, "metric", 0), name, hops)


def _hops(row: Row) -> tuple[Hop, ...]:
    """Next hops that packets leave by, sorted; none where all are dead."""
    listed = rows(row["nexthops"], "nexthops") if "nexthops" in row else [row]
    if "nhid" in row and "nexthops" not in row and "dev" not in row:
        raise Misread(f"{word(row, 'dst')}: next hops are shown as object {row['nhid']} only")
    used = [hop for hop in listed if not NOT_USED.intersection(words(hop, "flags"))]
    return tuple(sorted({Hop(_gateway(hop), word(hop, "dev", ""), number(hop, "weight", 1)) for hop in used}))


def _gateway(hop: Row) -> str:
    """Address of a next hop; `via` holds one of the other family (RFC 8950)."""
    address = word(hop, "gateway", "") or word(inner(hop, "via"), "host", "")
    return canonical(address) if address else ""
