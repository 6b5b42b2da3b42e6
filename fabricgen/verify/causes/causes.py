"""One cause is one finding: which findings follow from another, on whatever switch, and who only has another name.

What a finding follows from is told in its explanation, in the words of `judge/` and `miscabling.py`; here it is found
again among the findings. Where nothing is found, the finding stands for itself: a cause too many is no harm.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby, pairwise

from fabricgen.verify.causes.far_end import SESSION, SPEAKER, UNTOLD, WHOLE
from fabricgen.verify.causes.line_causes import DRAINS
from fabricgen.verify.causes.miscabling import MISPLUGGED, STRANGER, explain
from fabricgen.verify.causes.route_causes import carried
from fabricgen.verify.finding import CHECKS, Finding, FindingEnd, Key, SwitchVerdict

_ORDER = {check: number for number, check in enumerate(CHECKS)}
_WORD = re.compile(r"[^\s,;]+")
_SESSION = re.compile(r"sessions? (?:over a link to|with) ([^\s,;]+)")
_DAEMON = re.compile(r"(\w+) (?:does not run|hangs)")
_INTERFACE = re.compile(r"((?:port|vlan|lag|loopback) [^\s,;]+)")
_OWN_SPEAKER = ("BGP has no session", "BGP here is", "no EVPN session")
_ALONE = (*WHOLE, "another-name")
"""Codes whose explanation is no cause: it says who answered."""
_OF_SWITCH = (*WHOLE, "daemon-dead", "daemon-hangs", *SPEAKER, *SESSION)
MIRRORED = {
    "interface-down": "link",
    "interface-missing": "link",
    "lldp-missing": "cable",
    "session-down": "session",
    "bfd-down": "session",
    "session-reset": "reset",
    "port-flapped": "flap",
}
"""Codes that both ends of a cable or session tell of one fault between them, in both families."""
SAME = ("route-missing", "evpn-missing", "address-duplicate")
"""Codes that every switch tells of one prefix that nobody has, or of one address that several have."""


def caused(verdicts: Iterable[SwitchVerdict]) -> tuple[SwitchVerdict, ...]:
    """The verdicts, explained, each consequence with its cause."""
    found = tuple(explain(verdicts))
    if not any(verdict.findings for verdict in found):
        return found
    named = _renamed(found)
    every = tuple(_with_name(verdict, named) for verdict in found)
    causes = _Causes(tuple(one for verdict in every for one in verdict.findings), named)
    return tuple(
        replace(verdict, findings=tuple(causes.told(one) for one in verdict.findings)) if verdict.findings else verdict
        for verdict in every
    )


def key_of(finding: Finding) -> Key:
    """What tells a finding from others."""
    return (finding.device, finding.code, finding.subject)


def _renamed(verdicts: tuple[SwitchVerdict, ...]) -> Mapping[str, Finding]:
    """System that only has another name → its finding.

    Each end that should lead to it hears one other name, on the port that is meant. Where that is one end alone, the
    system itself must hear that end.
    """
    devices = {verdict.device for verdict in verdicts}
    judged = {verdict.device for verdict in verdicts if any(check == "lldp" for check, _ in verdict.passed)}
    troubled = {
        FindingEnd(one.device, one.port) for verdict in verdicts for one in verdict.findings if one.check == "lldp"
    }
    wrong = (one for verdict in verdicts for one in verdict.findings if one.code in MISPLUGGED)
    found: dict[str, Finding] = {}
    for system, held in groupby(sorted(wrong, key=lambda one: one.far.system), lambda one: one.far.system):
        ends = list(held)
        names = {one.heard.system for one in ends}
        (name, *others) = sorted(names)
        is_right = all(one.heard.port == one.far.port for one in ends)
        is_heard = all(one.far not in troubled and system in judged for one in ends)
        is_known = name.partition(".")[0] in devices or not name
        if not others and is_right and not is_known and (len(ends) > 1 or is_heard):
            found[system] = _named(system if system in devices else ends[0].device, system, name)
    return found


def _named(device: str, system: str, name: str) -> Finding:
    return Finding(
        device=device,
        check="lldp",
        code="lldp-renamed",
        subject=f"the name of {system}",
        problem="is another one in LLDP",
        expected=system,
        actual=name,
        explained="each cable to it leads to the port that is meant: none is to be moved",
    )


def _with_name(verdict: SwitchVerdict, named: Mapping[str, Finding]) -> SwitchVerdict:
    """With the finding of a name; where the host name has changed, that is told already."""
    if any(one.code == "another-name" for one in verdict.findings):
        return verdict
    more = tuple(one for one in named.values() if one.device == verdict.device)
    return replace(verdict, findings=(*verdict.findings, *more)) if more else verdict


class _Causes:
    """Where each finding may be looked up. named: systems that only have another name."""

    def __init__(self, findings: tuple[Finding, ...], named: Mapping[str, Finding]) -> None:
        ordered = sorted(findings, key=lambda one: _ORDER.get(one.check, len(_ORDER)))
        self._named = named
        self._ports: dict[FindingEnd, list[Finding]] = {}
        self._subjects: dict[FindingEnd, list[Finding]] = {}
        self._devices: dict[str, list[Finding]] = {}
        self._first: dict[tuple[object, ...], Finding] = {}
        self._rank = {key_of(one): number for number, one in enumerate(ordered)}
        for one in ordered:
            self._devices.setdefault(one.device, []).append(one)
            self._subjects.setdefault(FindingEnd(one.device, one.subject.partition(" (")[0]), []).append(one)
            if one.port:
                self._ports.setdefault(FindingEnd(one.device, one.port), []).append(one)
            if alike := _alike(one):
                self._first.setdefault(alike, one)

    def told(self, finding: Finding) -> Finding:
        """With the cause at the end of the chain, if it is not one itself. Of a circle it is the first."""
        path, above = [finding], self._above(finding)
        while above is not None and above not in path:
            path.append(above)
            above = self._above(above)
        circle = path[path.index(above) :] if above is not None else path[-1:]
        root = min(circle, key=lambda one: self._rank[key_of(one)])
        return finding if root is finding else finding._replace(cause=key_of(root))

    def _above(self, finding: Finding) -> Finding | None:
        """What it follows from by one step."""
        if finding.code in _ALONE or finding.code == "lldp-renamed":
            return None
        if finding.cause is not None:
            return next((one for one in self._devices[finding.device] if key_of(one) == finding.cause), None)
        if finding.code in MISPLUGGED and finding.far.system in self._named:
            named = self._named[finding.far.system]
            other = (one for one in self._devices.get(named.device, ()) if one.code in ("another-name", named.code))
            return next(other, None)
        moved = finding.code in MISPLUGGED
        found = self._told(finding) if finding.explained and not moved else iter(())
        lower = (one for one in found if key_of(one) != key_of(finding) and self._is_below(one, finding))
        above = next(lower, None)
        if above is not None:
            return above
        first = self._first.get(_alike(finding))
        if first is not None and first is not finding and not _has_other(finding) and not _is_own(finding):
            return first
        return carried(finding, self._devices) if not finding.explained or _is_untold(finding) else None

    def _is_below(self, one: Finding, other: Finding) -> bool:
        """Whether it may be a cause: nothing follows from what lies above it."""
        return one.device != other.device or _ORDER[one.check] <= _ORDER[other.check] or one.check == "drift"

    def _told(self, finding: Finding) -> Iterator[Finding]:
        """Findings that its explanation speaks of, the likeliest first."""
        text, own = finding.explained, finding.device
        words = _WORD.findall(text.replace("`", " "))
        ends = (FindingEnd(name.rstrip(":"), port.rstrip(":")) for name, port in pairwise(words))
        for end in ends:
            yield from self._ports.get(end, ())
        for subject in _INTERFACE.findall(text):
            yield from self._subjects.get(FindingEnd(own, subject), ())
            yield from self._ports.get(FindingEnd(own, subject.partition(" ")[2]), ())
        for name in _DAEMON.findall(text):
            yield from self._subjects.get(FindingEnd(own, f"daemon {name}"), ())
        for system in _SESSION.findall(text):
            mine = self._devices.get(own, ())
            yield from (one for one in mine if one.check == "sessions" and one.far.system == system)
        if text.startswith(_OWN_SPEAKER):
            yield from (one for one in self._devices.get(own, ()) if one.check in ("reachable", "sessions"))
        for name in dict.fromkeys(word.rstrip(":") for word in words):
            yield from self._of_device(name, text, finding)

    def _of_device(self, name: str, text: str, finding: Finding) -> Iterator[Finding]:
        """Findings of a switch that the text names."""
        found = self._devices.get(name, ())
        yield from (one for one in found if one.about and f"{one.subject} {one.problem}" in text)
        yield from (one for one in found if one.code == "not-read" and one.subject in text.lower())
        if "configuration" in text:
            yield from (
                one for one in found if one.check == "drift" and finding.prefix in f"{one.expected} {one.lines}"
            )
        yield from (one for one in found if one.code in _OF_SWITCH)
        yield from (one for one in found if one.subject and one.subject in text)
        yield from (one for one in found if one.prefix and one.prefix in text.split())


def _is_untold(finding: Finding) -> bool:
    """Whether its explanation says no more than that its origin does not announce it."""
    return finding.explained.endswith(UNTOLD.format(""))


def _is_own(finding: Finding) -> bool:
    """Whether a switch lacks routes of its own: then the cause is on it."""
    return finding.code == "evpn-missing" and finding.far.system == finding.device


def _has_other(finding: Finding) -> bool:
    """Whether its explanation is of its own, so that it is none of a group."""
    return bool(finding.explained) and finding.code in SAME


def _alike(finding: Finding) -> tuple[object, ...]:
    """The same for findings that tell one fault; empty for all others."""
    if finding.code in (*MISPLUGGED, STRANGER) and finding.explained:
        return ("moved", finding.explained)
    if finding.code in MIRRORED and finding.far.system:
        return (MIRRORED[finding.code], *sorted((FindingEnd(finding.device, finding.port), finding.far)))
    if finding.code in DRAINS:
        return (finding.code, *sorted((finding.device, *finding.about)))
    if finding.code in SAME:
        return (finding.code, finding.far, finding.prefix or finding.subject)
    return ()
