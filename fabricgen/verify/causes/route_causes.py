"""What routes and traffic follow from, where no explanation says so: routes that one switch lacks, lacks the next, too.

Each rule looks for a finding nearer to the fault, and only where the fabric's way of working makes it one: EVPN routes
come by sessions and from a leaf that can be reached, VTEPs and tenants' routes by EVPN routes, and pings by all of it.
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
"""Subject of lines that stand in no section."""
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
"""Checks whose findings keep packets from arriving; of drift settings of the kernel do so, and lines that decide over
sessions."""


def carried(finding: Finding, found: Found) -> Finding | None:
    """What a finding follows from by one step; None where no rule tells."""
    rule = RULES.get(finding.code)
    return next((one for one in rule(finding, found) if one is not finding), None) if rule else None


def _cut(finding: Finding, found: Found) -> Iterator[Finding]:
    """A session that its far end has not missed yet: packets to this one go elsewhere from there."""
    there = (one for one in found.get(finding.far.system, ()) if one.code == "neighbor-by-hand")
    return (one for one in there if one.port and one.port == finding.far.port)


def _learned(finding: Finding, found: Found) -> Iterator[Finding]:
    """EVPN routes of a switch: the session with it, that it has none itself, or ports and addresses that lead to it.

    Of its own routes: what keeps their prefixes from it, else lines of its configuration, those of the overlay first.
    """
    far = finding.far.system
    if far == finding.device:
        for code in SHIFTED:
            yield from _shared(finding, found.get(far, ()), code)
        lines = [one for one in found.get(far, ()) if one.check == "drift" and one.subject != TOP]
        yield from sorted(lines, key=lambda one: not _is_overlay(one))
        return
    yield from (one for one in found.get(finding.device, ()) if one.code == "session-down" and one.far.system == far)
    yield from _shared(finding, (one for one in found.get(far, ()) if one.far.system == far), "evpn-missing")
    yield from (one for one in found.get(far, ()) if one.code in DEAD and one.port)
    yield from (one for one in found.get(far, ()) if one.code in ADDRESSES)


def _is_overlay(finding: Finding) -> bool:
    """Whether lines of a configuration are of the overlay."""
    words = _WORD.findall(f"{finding.subject} {finding.expected} {finding.actual}")
    return EVPN in words or "vni" in words


def _told(finding: Finding, found: Found) -> Iterator[Finding]:
    """What makes the switch's own VNIs and routes: a speaker, without which none are there, and overlay lines."""
    yield from (one for one in found.get(finding.device, ()) if one.code == "bgp-not-running")
    yield from (one for one in found.get(finding.device, ()) if one.check == "drift" and _is_overlay(one))


def _leaked(finding: Finding, found: Found) -> Iterator[Finding]:
    """A route that a VRF must not have: lines of that VRF, here or on a switch that may have brought it."""
    vrf = finding.subject.rpartition(" ")[2]
    for name in (finding.device, *sorted(found)):
        yield from (one for one in found[name] if one.check == "drift" and vrf in _WORD.findall(one.subject))


def _shared(finding: Finding, others: Iterable[Finding], code: str) -> Iterator[Finding]:
    """Findings of a code about some of the same prefixes or VTEPs."""
    mine = set(finding.lines)
    return (one for one in others if one.code == code and mine.intersection(one.lines))


def _flooded(finding: Finding, found: Found) -> Iterator[Finding]:
    """VTEPs that are not flooded to: their routes of type 3 are missing here."""
    return _shared(finding, found.get(finding.device, ()), "evpn-missing")


def _strange(finding: Finding, found: Found) -> Iterator[Finding]:
    """VTEPs that are flooded to and should not be: who announces them."""
    for rows in found.values():
        yield from _shared(finding, rows, "evpn-unexpected")


def _routed(finding: Finding, found: Found) -> Iterator[Finding]:
    """Routes that go otherwise: by a line that names them, by EVPN here, or as they go behind the ports that lack."""
    own = (one for one in found.get(finding.device, ()) if one.check == "drift")
    yield from (one for one in own if set(finding.lines).intersection(_WORD.findall(f"{one.expected} {one.actual}")))
    yield from _shared(finding, found.get(finding.device, ()), "evpn-missing")
    mine = found.get(finding.device, ())
    yield from (one for one in mine if one.code == "session-reset" and one.far.system in finding.about)
    for name in finding.about:
        yield from (one for one in found.get(name, ()) if one.code in line_causes.DRAINS)
    for name, code in product(finding.about, SHIFTED):
        yield from _shared(finding, found.get(name, ()), code)


def _passed(finding: Finding, found: Found) -> Iterator[Finding]:
    """A ping: a port of one of its servers; else what keeps packets off, at a leaf that it names or in its fabric."""
    words = _WORD.findall(finding.subject)
    yield from (
        one for rows in found.values() for one in rows if one.code in DEAD and one.far.system in _servers(finding)
    )
    leaves, fabrics = [word for word in words if word in found], {_fabric(word) for word in words if "-" in word}
    others = sorted(name for name in found if name not in leaves and (_fabric(name) in fabrics or "reaches" in words))
    for name in (*leaves, *others):
        yield from (one for one in found[name] if one.check in BELOW or one.about or one.code == "setting-wrong")


def _servers(finding: Finding) -> tuple[str, ...]:
    """Who pings, and whom: `ping ADDRESS to ADDRESS of SERVER (…)`."""
    target = _TARGET.search(finding.subject)
    return (finding.device, target[1]) if target else (finding.device,)


def _fabric(name: str) -> str:
    """Switches are named by the prefix of their fabric."""
    return name.partition("-")[0]


def _flapped(finding: Finding, found: Found) -> Iterator[Finding]:
    """A session that was reset: the port that it is over went down meanwhile."""
    mine = found.get(finding.device, ())
    return (one for one in mine if one.code == "port-flapped" and one.port and one.port == finding.port)


RULES: Mapping[str, Callable[[Finding, Found], Iterator[Finding]]] = {
    **line_causes.RULES,
    "session-down": _cut,
    "session-reset": _flapped,
    "evpn-missing": _learned,
    "vtep-missing": _flooded,
    "vtep-unexpected": _strange,
    "vni-missing": _told,
    "evpn-next-hop": _told,
    "isolation-route": _leaked,
    **dict.fromkeys(SHIFTED, _routed),
    **dict.fromkeys(PINGS, _passed),
}
"""Code → what looks for what it follows from."""
