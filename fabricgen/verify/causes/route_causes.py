"""Causes of routes and traffic without an explanation: a switch that lacks a route makes the next one lack it, too.

Each rule looks for a finding nearer to the fault, and only where the protocols make it one: EVPN routes come over
sessions and from a reachable leaf, VTEPs and tenants' routes from EVPN routes, and pings depend on all of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from fabricgen.state.state import EVPN
from fabricgen.verify.causes import line_causes
from fabricgen.verify.causes.far_end import DEAD
from fabricgen.verify.finding import Finding

Found = Mapping[str, list[Finding]]
"""Findings by device, in the order of the checks."""

_WORD = re.compile(r"[^\s,;()]+")
_TARGET = re.compile(r" of (\S+) \(")
SHIFTED = ("route-missing", "route-width", "route-next-hop")
ADDRESSES = ("address-missing", "address-wrong")
TOP = "configuration"
"""Subject of lines outside of all sections."""
PINGS = ("ping-lost", "ping-loss")
BELOW = (
    "reachable",
    "interfaces",
    "mtu",
    "addresses",
    "sessions",
    "bfd",
    "routes",
    "vnis",
    "evpn",
    "qos",
    "paths",
)
"""Checks whose findings stop packets; of the check drift, kernel settings and lines that affect sessions do so too."""


def carried(finding: Finding, others: Found) -> Finding | None:
    """The finding that a finding directly follows from; None if no rule finds one."""
    rule = RULES.get(finding.code)
    return next((other for other in rule(finding, others) if other is not finding), None) if rule else None


def _cut(finding: Finding, others: Found) -> Iterator[Finding]:
    """For a session whose far end still has it: packets to this switch go elsewhere from there."""
    static_neighbors = (other for other in others.get(finding.far.system, ()) if other.code == "neighbor-by-hand")
    return (other for other in static_neighbors if other.port and other.port == finding.far.port)


def _learned(finding: Finding, others: Found) -> Iterator[Finding]:
    """For EVPN routes of a switch: the session with it, its own missing routes, or ports and addresses that lead to it.

    For its own routes: what keeps their prefixes from it, else lines of its configuration, overlay lines first.
    """
    far = finding.far.system
    if far == finding.device:
        for code in SHIFTED:
            yield from _shared(finding, others.get(far, ()), code)
        lines = [other for other in others.get(far, ()) if other.check == "drift" and other.subject != TOP]
        yield from sorted(lines, key=lambda other: not _is_overlay(other))
        return
    yield from (
        other for other in others.get(finding.device, ()) if other.code == "session-down" and other.far.system == far
    )
    yield from _shared(finding, (other for other in others.get(far, ()) if other.far.system == far), "evpn-missing")
    yield from (other for other in others.get(far, ()) if other.code in DEAD and other.port)
    yield from (other for other in others.get(far, ()) if other.code in ADDRESSES)


def _is_overlay(finding: Finding) -> bool:
    """Whether configuration lines are about the overlay."""
    words = _WORD.findall(f"{finding.subject} {finding.expected} {finding.actual}")
    return EVPN in words or "vni" in words


def _of_overlay(finding: Finding, others: Found) -> Iterator[Finding]:
    """For the switch's own VNIs and routes: a missing BGP process, and overlay lines."""
    yield from (other for other in others.get(finding.device, ()) if other.code == "bgp-not-running")
    yield from (other for other in others.get(finding.device, ()) if other.check == "drift" and _is_overlay(other))


def _leaked(finding: Finding, others: Found) -> Iterator[Finding]:
    """For a route that a VRF must not have: lines of that VRF, here or on a switch that may have announced it."""
    vrf = finding.subject.rpartition(" ")[2]
    for name in (finding.device, *sorted(others)):
        yield from (other for other in others[name] if other.check == "drift" and vrf in _WORD.findall(other.subject))


def _shared(finding: Finding, others: Iterable[Finding], code: str) -> Iterator[Finding]:
    """Findings of a code that share prefixes or VTEPs with this one."""
    own_lines = set(finding.lines)
    return (candidate for candidate in others if candidate.code == code and own_lines.intersection(candidate.lines))


def _flooded(finding: Finding, by_device: Found) -> Iterator[Finding]:
    """For VTEPs that are not flooded to: their routes of type 3 are missing here."""
    return _shared(finding, by_device.get(finding.device, ()), "evpn-missing")


def _strange(finding: Finding, by_device: Found) -> Iterator[Finding]:
    """For VTEPs that are flooded to against the plan: the switch that announces them."""
    for rows in by_device.values():
        yield from _shared(finding, rows, "evpn-unexpected")


def _routed(finding: Finding, others: Found) -> Iterator[Finding]:
    """For routes with other next hops: a line that names them, EVPN here, or the same on switches behind lost ports."""
    differing = (other for other in others.get(finding.device, ()) if other.check == "drift")
    yield from (
        other
        for other in differing
        if set(finding.lines).intersection(_WORD.findall(f"{other.expected} {other.actual}"))
    )
    yield from _shared(finding, others.get(finding.device, ()), "evpn-missing")
    here = others.get(finding.device, ())
    yield from (other for other in here if other.code == "session-reset" and other.far.system in finding.about)
    for name in finding.about:
        yield from (other for other in others.get(name, ()) if other.code in line_causes.DRAINS)
    for name, code in product(finding.about, SHIFTED):
        yield from _shared(finding, others.get(name, ()), code)


def _passed(finding: Finding, others: Found) -> Iterator[Finding]:
    """For a ping: a port of one of its servers; else what stops packets, at a leaf that it names or in its fabric."""
    words = _WORD.findall(finding.subject)
    yield from (
        other
        for rows in others.values()
        for other in rows
        if other.code in DEAD and other.far.system in _servers(finding)
    )
    leaves, fabrics = [word for word in words if word in others], {_fabric(word) for word in words if "-" in word}
    other_names = sorted(
        name for name in others if name not in leaves and (_fabric(name) in fabrics or "reaches" in words)
    )
    for name in (*leaves, *other_names):
        yield from (
            other for other in others[name] if other.check in BELOW or other.about or other.code == "setting-wrong"
        )


def _servers(finding: Finding) -> tuple[str, ...]:
    """Source and target server: `ping ADDRESS to ADDRESS of SERVER (…)`."""
    target = _TARGET.search(finding.subject)
    return (finding.device, target[1]) if target else (finding.device,)


def _fabric(name: str) -> str:
    """Fabric of a switch: the prefix of its name."""
    return name.partition("-")[0]


def _flapped(finding: Finding, others: Found) -> Iterator[Finding]:
    """For a session that was reset: the port below it went down meanwhile."""
    here = others.get(finding.device, ())
    return (other for other in here if other.code == "port-flapped" and other.port and other.port == finding.port)


RULES: Mapping[str, Callable[[Finding, Found], Iterator[Finding]]] = {
    **line_causes.RULES,
    "session-down": _cut,
    "session-reset": _flapped,
    "evpn-missing": _learned,
    "vtep-missing": _flooded,
    "vtep-unexpected": _strange,
    "vni-missing": _of_overlay,
    "evpn-next-hop": _of_overlay,
    "isolation-route": _leaked,
    **dict.fromkeys(SHIFTED, _routed),
    **dict.fromkeys(PINGS, _passed),
}
"""Code → function that looks for the finding that it follows from."""
