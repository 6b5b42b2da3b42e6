"""A configuration in the form in which FRR prints it, so that both can be compared.

FRR numbers list entries without a number in steps of five, prints the AS number of a session on a port after the line
that creates the session, and does not print EVPN's unchanged next hops, which are its default (FRR 8.4.4, lib/plist.c,
bgpd/bgp_clist.c and bgp_vty.c; seen).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

STEP = 5
ENTRY = re.compile(r"((?:ip|ipv6) prefix-list \S+|bgp community-list standard \S+) ((?:permit|deny) .*)")
SESSION = re.compile(r"^( neighbor \S+) interface (remote-as \d+)\n\1 interface peer-group (\S+)$", re.MULTILINE)

FAMILY = re.compile(r" address-family (.+)")
UNCHANGED = re.compile(r"  neighbor \S+ attribute-unchanged next-hop")


def printed(text: str) -> str:
    """The same configuration: entries numbered, sessions of ports in FRR's order, EVPN's defaults left out."""
    return "".join(
        f"{line}\n" for line in _as_printed(_numbered(SESSION.sub(r"\1 interface peer-group \3\n\1 \2", text)))
    )


def _as_printed(lines: Iterable[str]) -> Iterator[str]:
    family = ""
    for line in lines:
        if match := FAMILY.fullmatch(line):
            family = match[1]
        if not (family == "l2vpn evpn" and UNCHANGED.fullmatch(line)):
            yield line


def _numbered(text: str) -> Iterator[str]:
    numbers: Counter[str] = Counter()
    for line in text.splitlines():
        entry = ENTRY.fullmatch(line)
        if entry is None:
            yield line
            continue
        numbers[entry[1]] += STEP
        yield f"{entry[1]} seq {numbers[entry[1]]} {entry[2]}"
