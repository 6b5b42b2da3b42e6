"""Differences between NX-OS's running-config and the artifact: lines under their sections, by indentation.

The order of lines is not compared, except that of the servers of an AAA group. Remarks and blank lines are left out. A
secret equals any other in the same place, whatever its type. A line with several VLANs counts as one line per VLAN, and
IPv6 addresses are compared in canonical form (the recorded 10.3(9) has `0::/0`).

Unsure: `show running-config` does not print lines that state a default. DEFAULTS has those that a source names or
recordings lack; any other such line of an artifact counts as missing until it is listed. UNTOLD has what recorded
switches (9.2(3), 9.3(4), 10.3(9)) print by themselves; another release or model may print more.
"""

import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_interface

from fabricgen.base.secret import shown
from fabricgen.platforms.base.live.order import Ordered, by_list, reordered
from fabricgen.platforms.base.live.reader import Drift

Path = tuple[str, ...]

OWN_LINES: tuple[tuple[str, str], ...] = (
    ("", r"version \S+( .*)?"),
    ("", r"vdc \S+ id \d+"),
    (r"vdc \S+ id \d+", r"limit-resource .*"),
    ("", r"ip domain-lookup"),
    ("", r"ssh key rsa \d+"),
    ("", r"rmon event \d+ .*description \w+\(\d\) owner PMON@\w+"),
    ("", r"icam monitor scale"),
    ("", r"username \S+ passphrase lifetime 99999 warntime \d+( gracetime \d+)?"),
    ("", r"vlan 1"),
    ("", r"vrf context management"),
    ("", r"interface (Ethernet\S+|mgmt\d+|Vlan1)"),
    ("", r"line (console|vty)"),
    ("", r"boot nxos \S+( sup-\d)?"),
)
"""Section, "" for the top level, and line that NX-OS adds by itself. Source: batfish/lab-validation, suzieq.

A passphrase that never expires (99999 days) is added to created users: public running-configs of 9.2 to 10.3."""

DEFAULTS: tuple[tuple[str, str], ...] = (
    (r"interface Ethernet\S+", r"switchport( access vlan 1)?"),
    (r"interface (Ethernet|loopback|Vlan|mgmt)\S+", r"mtu 1500"),
    (r"interface Vlan\d+", r"no ipv6 nd suppress-ra"),
    ("", r"nxapi https port 443|no nxapi http"),
)
"""Section and line that NX-OS does not print, since it states a default.

Sources: recorded access ports, which print only their VLAN, and interfaces with MTU 1500, which print none (9.2(3),
9.3(4)); annet (NOTES.md) for `no ipv6 nd suppress-ra`; Programmability Guide 10.5(x) for NX-API's ports, and the
recorded 10.3(9), which has `feature nxapi` and no such line."""

_HIDDEN = "*"
_SECRETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<before>username \S+ password) .*?(?P<after>(?: role \S+)?)",
        r"(?P<before>tacacs-server host \S+ key) .*(?P<after>)",
        r"(?P<before>password) .*(?P<after>)",
        r"(?P<before>snmp-server community) \S+(?P<after>.*)",
    )
)
_SNMP_USER = re.compile(r"(snmp-server user \S+)( (?!auth )\S+)? (auth \S+) \S+ (priv(?: aes-128)?) .*")
_VLANS = re.compile(r"vlan ([\d,-]+)", re.ASCII)
_LISTS = re.compile(
    r"(?P<words>switchport trunk allowed vlan|match (?:ip |ipv6 )?dscp|match qos-group|match cos)(?: add)? "
    r"(?P<members>\d[\d, -]*)",
    re.ASCII,
)
"""Lines that end in numbers and ranges, in any order, possibly over several lines (`add`): each member is compared
alone."""
_PORTS = re.compile(r"(?P<words>dlb-interface) (?P<members>\S.*)", re.ASCII)
_LAST_VLAN = 4094


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Return lines of the artifact that do not run (present False), and the reverse, each in their order."""
    ours, theirs = dict.fromkeys(_lines(shown(wanted))), dict.fromkeys(_lines(running))
    users = {line.split()[1] for section, line in ours if not section and line.startswith("username ")}
    missing = [Drift(*entry, present=False) for entry in ours if entry not in theirs and not _is(DEFAULTS, *entry)]
    added = [
        Drift(*entry, present=True)
        for entry in theirs
        if entry not in ours and not _is(OWN_LINES, *entry) and not _is_synchronized(*entry, users)
    ]
    return (*missing, *added, *reordered(_servers(ours), _servers(theirs)))


def _servers(lines: Iterable[tuple[Path, str]]) -> dict[Ordered, list[str]]:
    """Return AAA group → its servers.

    They "are tried in the same order in which you configure them" (Cisco, NX-API REST SDK 9.3(x), server groups).
    """
    return by_list(
        (Ordered(section, "servers"), line.split()[1])
        for section, line in lines
        if section and section[0].startswith("aaa group server ") and line.startswith("server ")
    )


def _is(rows: tuple[tuple[str, str], ...], section: Path, line: str) -> bool:
    """Return whether a row of a table matches this line."""
    section_text = " / ".join(section)
    return any(
        re.fullmatch(section_pattern, section_text) and re.fullmatch(line_pattern, line)
        for section_pattern, line_pattern in rows
    )


def _is_synchronized(section: Path, line: str, users: set[str]) -> bool:
    """Return whether it is the SNMP user that NX-OS creates for each local user (recorded for `admin`)."""
    return not section and line.startswith("snmp-server user ") and line.split()[2] in users


def _lines(text: str) -> Iterator[tuple[Path, str]]:
    """Yield every line with its section."""
    parents: list[tuple[int, str]] = []
    for raw in text.splitlines():
        plain = " ".join(raw.split())
        if not plain or plain.startswith("!"):
            continue
        depth = len(raw) - len(raw.lstrip())
        # Only lines with less indentation are parents of this one.
        while parents and parents[-1][0] >= depth:
            parents.pop()
        section = tuple(name for _, name in parents)
        line = " ".join(map(_canonical, _normal(plain).split()))
        vlans = _VLANS.fullmatch(line)
        if vlans and not section:
            yield from (((), f"vlan {vlan}") for vlan in sorted(_members(vlans[1])))
        else:
            yield from ((section, member_line) for member_line in _each(line))
        parents.append((depth, line))


def _each(line: str) -> Iterator[str]:
    """Yield a line that ends in a list once per member; any other line unchanged."""
    numbers, ports = _LISTS.fullmatch(line), _PORTS.fullmatch(line)
    if numbers:
        members = re.sub(r"[ ,]+", ",", numbers["members"]).strip(",")
        yield from (f"{numbers['words']} {member}" for member in sorted(_members(members)))
    elif ports:
        names = sorted({name.strip() for name in ports["members"].split(",")} - {""})
        yield from (f"{ports['words']} {name}" for name in names)
    else:
        yield line


def _canonical(word: str) -> str:
    """Return an IPv6 address, with or without its prefix length, in the form of RFC 5952."""
    if word.count(":") < 2:
        return word
    try:
        return str(ip_interface(word)) if "/" in word else str(ip_address(word))
    except ValueError:
        return word


def _normal(line: str) -> str:
    """Return one form for lines with the same meaning."""
    user = _SNMP_USER.fullmatch(line)
    if user:
        return f"{user[1]}{user[2] or ''} {user[3]} {_HIDDEN} {user[4]} {_HIDDEN}"
    for pattern in _SECRETS:
        match = pattern.fullmatch(line)
        if match:
            return f"{match['before']} {_HIDDEN}{match['after']}"
    return line


def _members(text: str) -> set[int]:
    """Return VLANs of `1,10,20-22`; a range that runs backwards or beyond the last has only its ends."""
    vlans: set[int] = set()
    for part in text.split(","):
        # Five digits suffice to exceed the last VLAN, however long the text is.
        ends = [int(digits[:5]) for digits in part.split("-") if digits]
        if ends:
            vlans |= {*ends, *range(ends[0], min(ends[-1], _LAST_VLAN) + 1)}
    return vlans
