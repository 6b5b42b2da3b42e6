"""What follows from lines of a configuration on the same switch: what they say of a port, of an address, of a route.

A line is the cause only of what it speaks of: it names the port and says what is wrong with it, or names the prefix.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_interface

from fabricgen.base.addresses import Network
from fabricgen.verify.finding import Finding

Found = Mapping[str, list[Finding]]
"""Findings by device, in the order of the checks."""

WORD = re.compile(r"[^\s,;()\"'{}\[\]]+")
SWITCHES = frozenset({"shutdown", "disable", "enable", "up", "down", "link-down"})
"""Words by which the systems here enable a port, or shut it."""

FREE = re.compile(r"\b(?:description|alias)\b[^;]*")
"""Free text of a port: whatever words are in it, they say nothing of the port."""

DRAINS = ("runs-drained", "runs-undrained")
"""Codes of what a drain does to sessions; that of a leaf shuts the ports of its servers, too."""


def _lines(finding: Finding, found: Found) -> Iterator[tuple[Finding, frozenset[str]]]:
    """Differing lines of its switch, each finding with its words and those of its section."""
    for one in found.get(finding.device, ()):
        if one.check == "drift":
            yield one, frozenset(WORD.findall(FREE.sub("", f"{one.subject}; {one.expected}; {one.actual}")))


def _shut(finding: Finding, found: Found) -> Iterator[Finding]:
    """A port that is shut, or is not: a line of it that says so. Of servers also the drain of their leaf."""
    for one, words in _lines(finding, found):
        is_named = finding.port and finding.port in words and not words.isdisjoint(SWITCHES)
        if is_named or (one.code in DRAINS and finding.far.system not in one.about):
            yield one


def _sized(finding: Finding, found: Found) -> Iterator[Finding]:
    """An MTU: a line of the port that sets one."""
    return (one for one, words in _lines(finding, found) if finding.port and {finding.port, "mtu"} <= words)


def _addressed(finding: Finding, found: Found) -> Iterator[Finding]:
    """Addresses of an interface: a line that names one that is missing, or one that is there."""
    mine = {word for word in WORD.findall(f"{finding.expected} {finding.actual}") if "/" in word}
    return (one for one, words in _lines(finding, found) if not mine.isdisjoint(words))


def _routed(finding: Finding, found: Found) -> Iterator[Finding]:
    """Routes: lines that name all of them, or addresses that somebody gave an interface, each with its network."""
    mine = set(finding.lines)
    for one in found.get(finding.device, ()):
        if mine and one.check in ("addresses", "drift") and mine <= _prefixes(f"{one.expected} {one.actual}"):
            yield one


def _prefixes(text: str) -> set[str]:
    """Prefixes in a text, and the networks of its addresses."""
    words = {word for word in WORD.findall(text) if "/" in word}
    return words | {str(network) for word in words if (network := _network(word))}


def _network(word: str) -> Network | None:
    try:
        return ip_interface(word).network
    except ValueError:
        return None


def _shut_in_file(finding: Finding, found: Found) -> Iterator[Finding]:
    """A file beside the configuration in which ports of servers are shut and nothing else differs: the leaf's drain."""
    if finding.lines and all(not SWITCHES.isdisjoint(WORD.findall(row)) for row in finding.lines):
        yield from (one for one in found.get(finding.device, ()) if one.code in DRAINS)


def _armed(finding: Finding, found: Found) -> Iterator[Finding]:
    """A startup configuration that is another: a commit that waits there is not saved before it is confirmed."""
    return (one for one in found.get(finding.device, ()) if one.code == "commit-armed")


RULES: Mapping[str, Callable[[Finding, Found], Iterator[Finding]]] = {
    "interface-shut": _shut,
    "interface-not-shut": _shut,
    "mtu-wrong": _sized,
    "address-missing": _addressed,
    "address-wrong": _addressed,
    "address-unexpected": _addressed,
    "route-unexpected": _routed,
    "route-not-discarded": _routed,
    "startup-differs": _armed,
    "file-differs": _shut_in_file,
}
"""Code → what looks for the lines that it follows from."""
