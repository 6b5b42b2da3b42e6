"""The forwarding table from the kernel, not from FRR: zebra's table has been seen to be wrong after a link flap.

Source: `ip -j -N route show table all` of iproute2 6.1.0, and include/uapi/linux/rtnetlink.h for the numbers that -N
prints (a table's name is the switch's own, its number is not). Forms seen on Linux 6.1 and 6.18, 2026-11-21.
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
"""RTN_UNICAST; RTN_BLACKHOLE, RTN_UNREACHABLE, RTN_PROHIBIT. Other types deliver to the switch itself."""
MAIN = "254"
PROTOCOLS = {"2": "connected", "3": "boot", "4": "static", "9": "ra", "16": "dhcp", "186": "bgp", "196": "static"}
"""RTPROT_ numbers; 186 and up are FRR's (zebra/rt_netlink.h)."""
BOOT = "3"
"""Routes set by a command. iproute2 does not print this protocol (ip/iproute.c), so a route without one has it."""
NOT_USED = {"dead", "linkdown"}
"""Flags of a next hop that no packet uses."""


class _Entry(NamedTuple):
    """One line of the kernel's table. Among lines with one prefix the lowest metric is in use."""

    vrf: str
    prefix: str
    metric: int
    protocol: str
    hops: tuple[Hop, ...]


def routes(answers: CommandOutputs) -> tuple[Route, ...]:
    """Routes in use, by VRF and prefix."""
    devices = links(answers).devices
    tables = {str(number): name for name, number in devices.items()}
    entries: dict[tuple[str, str], _Entry] = {}
    for space, kernel_rows in spaces(answers, ROUTES, devices):
        for row in _entries(kernel_rows, {MAIN: ""} if space else {MAIN: "", **tables}):
            entry = row._replace(vrf=answers.vrf(space or row.vrf))
            key = entry.vrf, entry.prefix
            entries[key] = _better(entries[key], entry) if key in entries else entry
    return tuple(Route(row.vrf, row.prefix, row.protocol, row.hops) for _, row in sorted(entries.items()))


def _better(entry: _Entry, other: _Entry) -> _Entry:
    """The entry with the lower metric. Equal metrics are one route whose next hops are listed one by one."""
    if entry.metric != other.metric:
        return min(entry, other, key=lambda candidate: candidate.metric)
    return entry._replace(hops=tuple(sorted({*entry.hops, *other.hops})))


def _entries(kernel_rows: Iterable[Row], tables: Mapping[str, str]) -> Iterator[_Entry]:
    for row in kernel_rows:
        kind = word(row, "type", UNICAST)
        where = word(row, "table", MAIN)
        if where not in tables or kind not in (UNICAST, *DISCARDS):
            continue
        # Prefix of a route. Only IPv6 routes have a preference (RFC 4191), which distinguishes the two default routes.
        text = word(row, "dst")
        prefix = ip_network(("::/0" if "pref" in row else "0.0.0.0/0") if text == "default" else text)
        if prefix.is_link_local or prefix.is_loopback or prefix.is_multicast:
            continue
        hops = () if kind in DISCARDS else _hops(row)
        # A unicast route without a live next hop is not in use.
        if hops or kind in DISCARDS:
            protocol = word(row, "protocol", BOOT)
            name = PROTOCOLS.get(protocol, protocol)
            yield _Entry(tables[where], str(prefix), number(row, "metric", 0), name, hops)


def _hops(row: Row) -> tuple[Hop, ...]:
    """Next hops in use, sorted; none if all are dead."""
    listed = rows(row["nexthops"], "nexthops") if "nexthops" in row else [row]
    if "nhid" in row and "nexthops" not in row and "dev" not in row:
        raise Misread(f"{word(row, 'dst')}: next hops are shown as object {row['nhid']} only")
    used = [hop for hop in listed if not NOT_USED.intersection(words(hop, "flags"))]
    return tuple(sorted({Hop(_gateway(hop), word(hop, "dev", ""), number(hop, "weight", 1)) for hop in used}))


def _gateway(hop: Row) -> str:
    """Address of a next hop; `via` has one of the other family (RFC 8950)."""
    address = word(hop, "gateway", "") or word(inner(hop, "via"), "host", "")
    return canonical(address) if address else ""
