"""A seeded fault: one edit of the rendered text of one switch, and where a report about it must point."""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

Files = Mapping[str, str]
"""Files of one switch by name."""

KINDS: Mapping[str, str] = {
    "swapped-addresses": "two ports have the addresses of each other",
    "prefix-length": "an address with another prefix length",
    "wrong-ipv6": "another IPv6 address",
    "local-as": "another AS number of the switch itself",
    "remote-as": "another AS number of a peer",
    "missing-session": "a session is gone",
    "session-password": "a session without its password, or with that of another",
    "address-family": "an address family is off",
    "policy-not-applied": "a policy that exists and is not applied, in or out",
    "term-order": "terms of a policy in another order",
    "term-deleted": "a term of a policy is gone",
    "action-turned": "permit and deny turned",
    "community": "another community, or communities are not sent",
    "prefix-list": "an entry of a prefix list that is wider, or gone",
    "local-preference": "another local preference",
    "valley-filter": "routes of one spine are sent on to another",
    "default-route": "a default route that nobody planned",
    "extra-network": "a prefix is originated that nobody planned",
    "redistribute": "routes of another protocol go into BGP",
    "max-paths": "fewer equal-cost paths",
    "bfd": "BFD is off at one end",
    "timers": "other timers at one end",
    "next-hop-unchanged": "a spine puts itself in place of the VTEP",
    "route-limit": "another limit of routes of a session",
    "multihop": "sessions between loopbacks do not pass a hop",
    "vni-swapped": "VNIs of two tenants are swapped",
    "rd-duplicate": "two VRFs, or two switches, have one route distinguisher",
    "route-target": "another route target to import or to export",
    "tenant-leak": "a tenant takes over routes of another that it must not see",
    "port-vrf": "a port is in another VRF",
    "vlan-vni": "a VLAN with another VNI, or a port with another VLAN",
    "gateway": "another address or MAC address of an anycast gateway",
    "dhcp-relay": "another DHCP server, or none",
    "esi": "an Ethernet segment of one leaf alone, or of two servers",
    "lacp-system-id": "another system ID at one leaf of a bond",
    "df-preference": "both leaves of a segment have one preference",
    "dscp-map": "a code point in another class",
    "class-queue-map": "a class in another queue",
    "pfc-lost": "a port without PFC",
    "pfc-priority": "PFC of another priority",
    "watchdog": "no PFC watchdog, or other times",
    "ecn": "no ECN marking, or other thresholds",
    "headroom": "less headroom",
    "pool": "a smaller buffer pool",
    "mtu": "another MTU of a port",
    "scheduler": "another weight or kind of a queue",
    "port-state": "a port that is shut, or up where none is planned",
    "description": "a port that names another far end",
    "loopback": "a loopback is gone, or has another address",
    "vtep-source": "tunnels start at another loopback",
    "router-id": "the router ID of another switch",
    "load-balancing": "another hash or mode of load balancing",
    "services": "another NTP, syslog, SNMP, DNS or TACACS+ server, or none",
    "management": "another address, VRF or gateway of the management port",
    "user": "an account that nobody planned, or one without its role",
    "clear-secret": "a secret in clear where a reference or a hash was",
    "lldp": "LLDP is off",
    "sflow": "another collector or rate of sFlow, or none",
    "gnmi": "no gNMI, gNMI without TLS, or at another port",
}
"""Every kind of fault and what it is."""


class Seeded(NamedTuple):
    """One edit of the files of one switch.

    pattern  regular expression (of lines: ^ and $ are ends of one); it must match `of` times, and the `at`-th counts
    instead  template of what the match becomes
    why      why it is a fault, and what breaks; of a harmless edit: why it is none
    under    blocks that the match is in, from outside; `@key=value` is the entry of a list of JSON that has the key
    file     empty: the switch has one file
    also     lines of any file of the switch where a report may point as well
    allowed  a report may leave it out: it stops no packet
    variant  of the site
    """

    system: str
    kind: str
    switch: str
    pattern: str
    instead: str
    why: str
    under: tuple[str, ...] = ()
    file: str = ""
    at: int = 1
    of: int = 1
    also: tuple[str, ...] = ()
    allowed: bool = False
    variant: str = ""

    def __str__(self) -> str:
        return f"{self.system} {self.kind} {self.switch} {self.pattern!r} → {self.instead!r}"


class Place(NamedTuple):
    """Lines of a file, from 1, both ends included."""

    file: str
    first: int
    last: int


class FitError(Exception):
    """The rendered text is not what the row was written for."""


def file_of(row: Seeded, files: Files) -> str:
    """Name of the file that a row edits."""
    if not row.file and len(files) != 1:
        raise FitError(f"{row}: {row.switch} has several files: {sorted(files)}")
    name = row.file or next(iter(files))
    if name not in files:
        raise FitError(f"{row}: {row.switch} has no {name}")
    return name


def edited(row: Seeded, files: Files) -> dict[str, str]:
    """The files of the row's switch with its edit. Raises FitError where the text is another than expected."""
    name = file_of(row, files)
    text = files[name]
    first, last = _block(row, text.splitlines(keepends=True))
    lines = text.splitlines(keepends=True)
    ahead, inside, behind = "".join(lines[:first]), "".join(lines[first:last]), "".join(lines[last:])
    found = list(re.finditer(row.pattern, inside, re.MULTILINE))
    if len(found) != row.of:
        raise FitError(f"{row}: found {len(found)} times, {row.of} expected")
    match = found[row.at - 1]
    new = inside[: match.start()] + match.expand(row.instead) + inside[match.end() :]
    if new == inside:
        raise FitError(f"{row}: changes nothing")
    return {**files, name: ahead + new + behind}


def places(row: Seeded, files: Files) -> tuple[Place, ...]:
    """Where a report about the row may point, in the edited files: at any of these places.

    Changed and inserted lines; for deleted ones the line that opens their block, and the lines before and behind.
    """
    name, changed = file_of(row, files), edited(row, files)
    return (*_changed(name, files[name], changed[name]), *_also(row, changed))


def _changed(name: str, before: str, after: str) -> Iterator[Place]:
    old, new = before.splitlines(), after.splitlines()
    ahead = _common(old, new)
    behind = _common(old[ahead:][::-1], new[ahead:][::-1])
    was, now = old[ahead : len(old) - behind], new[ahead : len(new) - behind]
    for tag, first, _, start, end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "delete":
            opens, here = _parent(old, ahead + first) + 1, ahead + start
            yield Place(name, opens, opens)
            yield Place(name, max(here, 1), min(here + 1, len(new)))
        elif tag != "equal":
            yield Place(name, ahead + start + 1, ahead + end)


def _common(one: list[str], other: list[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((number for number, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def _parent(lines: list[str], number: int) -> int:
    """The line that opens the block of a line; the line ahead, where it is in none."""
    inside = _indent(lines[number])
    above = (row for row in range(number - 1, -1, -1) if lines[row].strip() and _indent(lines[row]) < inside)
    return next(above, max(number - 1, 0))


def _also(row: Seeded, files: Files) -> Iterator[Place]:
    for pattern in row.also:
        found = [
            Place(name, number, number)
            for name, text in files.items()
            for number, line in enumerate(text.splitlines(), 1)
            if re.search(pattern, line)
        ]
        if not found:
            raise FitError(f"{row}: no line is {pattern!r}")
        yield from found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _word(line: str) -> str:
    """A line as `under` writes it: without the signs of JSON, YAML and braces around it."""
    return line.strip().rstrip("{[:, ").strip("'\"")


def _block(row: Seeded, lines: list[str]) -> tuple[int, int]:
    """Lines that a row is about, from 0, the last one excluded."""
    first, last = 0, len(lines)
    for name in row.under:
        if name.startswith("@"):
            key, _, value = name[1:].partition("=")
            wanted = re.compile(rf'"{re.escape(key)}": "?{re.escape(value)}"?,?$')
            found = [number for number in range(first, last) if wanted.search(lines[number].strip())]
            found = [_parent(lines, number) for number in _outermost(found, lines)]
        else:
            found = _outermost([number for number in range(first, last) if _word(lines[number]) == name], lines)
        if len(found) != 1:
            raise FitError(f"{row}: {len(found)} blocks {name!r}")
        (first,) = found
        depth, end = _indent(lines[first]), last
        last = next((n for n in range(first + 1, end) if lines[n].strip() and _indent(lines[n]) <= depth), end)
        if last < end and _indent(lines[last]) == depth and lines[last].strip() in ("}", "},"):
            last += 1
    return first, last


def _outermost(found: list[int], lines: list[str]) -> list[int]:
    """Of several lines those that are indented least."""
    least = min((_indent(lines[number]) for number in found), default=0)
    return [number for number in found if _indent(lines[number]) == least]
