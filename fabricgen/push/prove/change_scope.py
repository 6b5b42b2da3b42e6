"""What the lines of a change speak of, and whether a finding is about that. Pure.

What a switch's driver says that a commit adds is text in the platform's own form, so what it speaks of are its words:
addresses, prefixes, VNIs, ports and VRFs. A word that a changed line takes away, too, was there before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from ipaddress import ip_interface

from fabricgen.verify.finding import Finding

REMARK = "description"
"""Lines of it bring nothing about."""
SIGNS = "+-"
SMALL = 4096
"""Numbers below it stand for anything: a rail, a count, a sequence."""

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
"""Findings that a configuration mends; of others, what is heard on a port among them, nobody knows that it does."""


@lru_cache(maxsize=4096)
def brought(difference: str) -> frozenset[str]:
    """Words of the lines that a change adds and does not take away. difference: in a driver's words."""
    rows = [row for row in difference.splitlines() if not row.startswith(("+++", "---")) and REMARK not in row]
    if not any(row[:1] == "+" for row in rows):
        return frozenset()
    gone, new = (frozenset(_words(row[1:] for row in rows if row[:1] == sign)) for sign in "-+")
    return new - gone


def speaks_of(words: frozenset[str], one: Finding, vrfs: Mapping[str, str], systems: frozenset[str]) -> bool:
    """Whether a change that adds these words is to bring what a finding misses.

    vrfs     VRF of the plan → names that it may have on a switch
    systems  names of switches, which stand in remarks
    """
    return one.code in BROUGHT and not words.isdisjoint(_subjects(one, vrfs, systems))


def names_in(rows: Iterable[str]) -> frozenset[str]:
    """Words of lines, or of sentences, that name one thing: an address, a port, a VNI."""
    return frozenset(filter(_is_name, _words(rows)))


def _subjects(one: Finding, vrfs: Mapping[str, str], systems: frozenset[str]) -> Iterator[str]:
    peers = one.actual if one.subject.startswith("sessions") else ""
    yield from _VNI.findall(one.subject)
    for word in _words((one.subject, one.prefix, one.port, *one.lines, peers)):
        if word in vrfs:
            yield from (word, vrfs[word])
        elif word == "bgp" or (word not in systems and _is_name(word)):
            yield word


def _is_name(word: str) -> bool:
    """Whether a word names one thing."""
    return any(sign.isdigit() for sign in word) and not (word.isdecimal() and int(word) < SMALL)


def _words(rows: Iterable[str]) -> Iterator[str]:
    """Words of lines; of an address with a length its network and itself, too."""
    for row in rows:
        for found in _WORD.findall(row.lower()):
            word = found.strip(".:-/")
            if word:
                yield word
            if _ADDRESS.fullmatch(word):
                yield from _networks(word)


def _networks(word: str) -> Iterator[str]:
    try:
        found = ip_interface(word)
    except ValueError:
        return
    yield from (str(found.ip), str(found.network)) if "/" in word else (str(found.ip),)
