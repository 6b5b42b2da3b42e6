"""What the lines of a change concern, and whether a finding is about that. Pure.

The lines that a commit adds, as the driver prints them, are text in the platform's own form. So what they concern is
their words: addresses, prefixes, VNIs, ports and VRFs. A word that a removed line has too existed before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from ipaddress import ip_interface

from fabricgen.verify.finding import Finding

REMARK = "description"
"""Lines with this word have no effect on forwarding."""
SIGNS = "+-"
SMALL = 4096
"""Numbers below it are ambiguous: a rail, a count, a sequence."""

_WORD = re.compile(r"[\w.:/\-]+")
_VNI = re.compile(r"\bVNI (\d+)")
_ADDRESS = re.compile(r"[0-9a-f]*[.:][0-9a-f.:]+(?:/\d+)?")

BROUGHT = frozenset(
    (
        *("interface-missing", "interface-shut", "interface-not-shut", "interface-wrong-vrf", "port-wrong-vlan"),
        *("mtu-wrong", "address-missing", "address-wrong", "daemon-dead", "lag-member-missing"),
        *("bgp-not-running", "bgp-wrong-asn", "session-missing", "session-wrong-as", "session-down"),
        *("session-family-missing", "bfd-missing", "bfd-down", "route-missing", "route-next-hop", "route-width"),
        *("vni-missing", "vni-wrong-kind", "vni-wrong-vlan", "vni-wrong-vrf", "vni-down", "vtep-missing"),
        *("evpn-missing", "evpn-next-hop", "qos-pfc-off", "qos-pfc", "qos-watchdog", "qos-ecn", "qos-ecn-off"),
    )
)
"""Findings that a configuration can fix; of the others, such as LLDP neighbors, that is unknown."""


@lru_cache(maxsize=4096)
def brought(difference: str) -> frozenset[str]:
    """Words of the lines that a change adds and does not remove. difference: as a driver prints it."""
    rows = [row for row in difference.splitlines() if not row.startswith(("+++", "---")) and REMARK not in row]
    if not any(row[:1] == "+" for row in rows):
        return frozenset()
    removed, added = (frozenset(_words(row[1:] for row in rows if row[:1] == sign)) for sign in "-+")
    return added - removed


def speaks_of(added_words: frozenset[str], finding: Finding, vrfs: Mapping[str, str], systems: frozenset[str]) -> bool:
    """Whether a change that adds these words was to add what a finding misses.

    vrfs     VRF of the plan → names that it may have on a switch
    systems  names of switches, which occur in comments
    """
    return finding.code in BROUGHT and not added_words.isdisjoint(_subjects(finding, vrfs, systems))


def names_in(rows: Iterable[str]) -> frozenset[str]:
    """Words of lines or sentences that identify one thing: an address, a port, a VNI."""
    return frozenset(filter(_is_name, _words(rows)))


def _subjects(finding: Finding, vrfs: Mapping[str, str], systems: frozenset[str]) -> Iterator[str]:
    peers = finding.actual if finding.subject.startswith("sessions") else ""
    yield from _VNI.findall(finding.subject)
    for word in _words((finding.subject, finding.prefix, finding.port, *finding.lines, peers)):
        if word in vrfs:
            yield from (word, vrfs[word])
        elif word == "bgp" or (word not in systems and _is_name(word)):
            yield word


def _is_name(word: str) -> bool:
    """Whether a word identifies one thing."""
    return any(sign.isdigit() for sign in word) and not (word.isdecimal() and int(word) < SMALL)


def _words(rows: Iterable[str]) -> Iterator[str]:
    """Words of lines; for an address with a prefix length also its network and the address itself."""
    for row in rows:
        for raw_word in _WORD.findall(row.lower()):
            word = raw_word.strip(".:-/")
            if word:
                yield word
            if _ADDRESS.fullmatch(word):
                yield from _networks(word)


def _networks(word: str) -> Iterator[str]:
    try:
        interface = ip_interface(word)
    except ValueError:
        return
    yield from (str(interface.ip), str(interface.network)) if "/" in word else (str(interface.ip),)
