"""What follows from configuration lines on the same switch: lines about a port, an address, a route.

A line is the cause only of what it mentions: it names the port and says what is wrong with it, or names the prefix.
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
"""Words by which the network OSes enable a port or shut it down."""

FREE = re.compile(r"\b(?:description|alias)\b[^;]*")
"""Free text of a port: its words say nothing about the port's state."""

DRAINS = ("runs-drained", "runs-undrained")
"""Codes of a drain's effect on sessions; the drain of a leaf also shuts down the ports of its servers."""


def _lines(finding: Finding, others: Found) -> Iterator[tuple[Finding, frozenset[str]]]:
    """Differing lines of its switch: each finding with its words and those of its section."""
    for line in others.get(finding.device, ()):
        if line.check == "drift":
            yield (line, frozenset(WORD.findall(FREE.sub("", f"{line.subject}; {line.expected}; {line.actual}"))))


def _shut(finding: Finding, by_device: Found) -> Iterator[Finding]:
    """For a port that is shut down, or is not: a line of it that says so; for a server port also its leaf's drain."""
    for line_finding, words in _lines(finding, by_device):
        is_named = finding.port and finding.port in words and not words.isdisjoint(SWITCHES)
        if is_named or (line_finding.code in DRAINS and finding.far.system not in line_finding.about):
            yield line_finding


def _sized(finding: Finding, others: Found) -> Iterator[Finding]:
    """For an MTU: a line of the port that sets one."""
    return (line for line, words in _lines(finding, others) if finding.port and {finding.port, "mtu"} <= words)


def _addressed(finding: Finding, by_device: Found) -> Iterator[Finding]:
    """For addresses of an interface: a line that names a missing one or an existing one."""
    own_addresses = {word for word in WORD.findall(f"{finding.expected} {finding.actual}") if "/" in word}
    return (line_finding for line_finding, words in _lines(finding, by_device) if not own_addresses.isdisjoint(words))


def _routed(finding: Finding, others: Found) -> Iterator[Finding]:
    """For routes: lines that name all of them, or addresses added to an interface, each with its network."""
    own_prefixes = set(finding.lines)
    for other in others.get(finding.device, ()):
        if (
            own_prefixes
            and other.check in ("addresses", "drift")
            and own_prefixes <= _prefixes(f"{other.expected} {other.actual}")
        ):
            yield other


def _prefixes(text: str) -> set[str]:
    """Prefixes in a text, and the networks of its addresses."""
    words = {word for word in WORD.findall(text) if "/" in word}
    return words | {str(network) for word in words if (network := _network(word))}


def _network(word: str) -> Network | None:
    try:
        return ip_interface(word).network
    except ValueError:
        return None


def _shut_in_file(finding: Finding, by_device: Found) -> Iterator[Finding]:
    """For a file that differs only in server ports that are shut down: the leaf's drain."""
    if finding.lines and all(not SWITCHES.isdisjoint(WORD.findall(row)) for row in finding.lines):
        yield from (candidate for candidate in by_device.get(finding.device, ()) if candidate.code in DRAINS)


def _armed(finding: Finding, by_device: Found) -> Iterator[Finding]:
    """For a differing startup configuration: a pending commit, which is not saved before it is confirmed."""
    return (candidate for candidate in by_device.get(finding.device, ()) if candidate.code == "commit-armed")


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
"""Code → function that looks for the lines that it follows from."""
