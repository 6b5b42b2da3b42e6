"""Root causes: which findings follow from another one, on any switch, and which systems only have another name.

A finding's explanation says what it follows from, in the words of `judge/` and `miscabling.py`; here that finding is
looked up. If none is found, the finding counts as a cause itself: one cause too many does no harm.
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
"""Codes whose explanation is not a cause: it says who answered."""
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
"""Codes of one fault that both ends of a cable or session report, in both address families."""
SAME = ("route-missing", "evpn-missing", "address-duplicate")
"""Codes of one missing prefix that every switch reports, or of one address that several hosts have."""


def caused(verdicts: Iterable[SwitchVerdict]) -> tuple[SwitchVerdict, ...]:
    """The verdicts, explained, each consequence with its cause."""
    explained = tuple(explain(verdicts))
    if not any(verdict.findings for verdict in explained):
        return explained
    named = _renamed(explained)
    every = tuple(_with_name(verdict, named) for verdict in explained)
    causes = _Causes(tuple(finding for verdict in every for finding in verdict.findings), named)
    return tuple(
        replace(verdict, findings=tuple(causes.with_root(finding) for finding in verdict.findings))
        if verdict.findings
        else verdict
        for verdict in every
    )


def key_of(finding: Finding) -> Key:
    """Identity of a finding."""
    return (finding.device, finding.code, finding.subject)


def _renamed(verdicts: tuple[SwitchVerdict, ...]) -> Mapping[str, Finding]:
    """System that only has another name → its finding.

    Each end that should lead to it hears the same other name, on the planned port. If there is only one such end, the
    system itself must hear that end.
    """
    devices = {verdict.device for verdict in verdicts}
    judged = {verdict.device for verdict in verdicts if any(check == "lldp" for check, _ in verdict.passed)}
    troubled = {
        FindingEnd(item.device, item.port) for verdict in verdicts for item in verdict.findings if item.check == "lldp"
    }
    wrong = (item for verdict in verdicts for item in verdict.findings if item.code in MISPLUGGED)
    renamed: dict[str, Finding] = {}
    for system, group in groupby(sorted(wrong, key=lambda item: item.far.system), lambda item: item.far.system):
        ends = list(group)
        names = {item.heard.system for item in ends}
        (name, *others) = sorted(names)
        is_right = all(item.heard.port == item.far.port for item in ends)
        is_heard = all(item.far not in troubled and system in judged for item in ends)
        is_known = name.partition(".")[0] in devices or not name
        if not others and is_right and not is_known and (len(ends) > 1 or is_heard):
            renamed[system] = _named(system if system in devices else ends[0].device, system, name)
    return renamed


def _named(device: str, system: str, name: str) -> Finding:
    return Finding(
        device=device,
        check="lldp",
        code="lldp-renamed",
        subject=f"the name of {system}",
        problem="differs in LLDP",
        expected=system,
        actual=name,
        explained="all cables to it are in the planned ports: do not move any",
    )


def _with_name(verdict: SwitchVerdict, named: Mapping[str, Finding]) -> SwitchVerdict:
    """Add the finding of a renamed system, unless its changed host name is already reported."""
    if any(finding.code == "another-name" for finding in verdict.findings):
        return verdict
    name_findings = tuple(finding for finding in named.values() if finding.device == verdict.device)
    return replace(verdict, findings=(*verdict.findings, *name_findings)) if name_findings else verdict


class _Causes:
    """Indexes of the findings. named: systems that only have another name."""

    def __init__(self, findings: tuple[Finding, ...], named: Mapping[str, Finding]) -> None:
        ordered = sorted(findings, key=lambda finding: _ORDER.get(finding.check, len(_ORDER)))
        self._named = named
        self._ports: dict[FindingEnd, list[Finding]] = {}
        self._subjects: dict[FindingEnd, list[Finding]] = {}
        self._devices: dict[str, list[Finding]] = {}
        self._first: dict[tuple[object, ...], Finding] = {}
        self._rank = {key_of(finding): number for number, finding in enumerate(ordered)}
        for finding in ordered:
            self._devices.setdefault(finding.device, []).append(finding)
            self._subjects.setdefault(FindingEnd(finding.device, finding.subject.partition(" (")[0]), []).append(
                finding
            )
            if finding.port:
                self._ports.setdefault(FindingEnd(finding.device, finding.port), []).append(finding)
            if group := _alike(finding):
                self._first.setdefault(group, finding)

    def with_root(self, finding: Finding) -> Finding:
        """The finding with the cause at the end of its chain, unless it is one itself; in a circle, the first one."""
        path, above = [finding], self._above(finding)
        while above is not None and above not in path:
            path.append(above)
            above = self._above(above)
        # `above` is on the path already: the chain is a circle from there on.
        circle = path[path.index(above) :] if above is not None else path[-1:]
        root = min(circle, key=lambda candidate: self._rank[key_of(candidate)])
        return finding if root is finding else finding._replace(cause=key_of(root))

    def _above(self, finding: Finding) -> Finding | None:
        """The finding that it directly follows from."""
        if finding.code in _ALONE or finding.code == "lldp-renamed":
            return None
        if finding.cause is not None:
            return next((cause for cause in self._devices[finding.device] if key_of(cause) == finding.cause), None)
        if finding.code in MISPLUGGED and finding.far.system in self._named:
            named = self._named[finding.far.system]
            other = (
                cause for cause in self._devices.get(named.device, ()) if cause.code in ("another-name", named.code)
            )
            return next(other, None)
        moved = finding.code in MISPLUGGED
        mentioned = self._mentioned(finding) if finding.explained and not moved else iter(())
        lower = (cause for cause in mentioned if key_of(cause) != key_of(finding) and self._is_below(cause, finding))
        above = next(lower, None)
        if above is not None:
            return above
        first = self._first.get(_alike(finding))
        if first is not None and first is not finding and not _has_other(finding) and not _is_own(finding):
            return first
        return carried(finding, self._devices) if not finding.explained or _is_unannounced(finding) else None

    def _is_below(self, candidate: Finding, other: Finding) -> bool:
        """Whether it may be a cause: nothing follows from a finding of an upper layer."""
        return (
            candidate.device != other.device
            or _ORDER[candidate.check] <= _ORDER[other.check]
            or candidate.check == "drift"
        )

    def _mentioned(self, finding: Finding) -> Iterator[Finding]:
        """Findings that its explanation mentions, the likeliest first."""
        text, device = finding.explained, finding.device
        words = _WORD.findall(text.replace("`", " "))
        ends = (FindingEnd(name.rstrip(":"), port.rstrip(":")) for name, port in pairwise(words))
        for end in ends:
            yield from self._ports.get(end, ())
        for subject in _INTERFACE.findall(text):
            yield from self._subjects.get(FindingEnd(device, subject), ())
            yield from self._ports.get(FindingEnd(device, subject.partition(" ")[2]), ())
        for name in _DAEMON.findall(text):
            yield from self._subjects.get(FindingEnd(device, f"daemon {name}"), ())
        for system in _SESSION.findall(text):
            here = self._devices.get(device, ())
            yield from (other for other in here if other.check == "sessions" and other.far.system == system)
        if text.startswith(_OWN_SPEAKER):
            yield from (other for other in self._devices.get(device, ()) if other.check in ("reachable", "sessions"))
        for name in dict.fromkeys(word.rstrip(":") for word in words):
            yield from self._of_device(name, text, finding)

    def _of_device(self, name: str, text: str, finding: Finding) -> Iterator[Finding]:
        """Findings of a switch that the text names."""
        findings = self._devices.get(name, ())
        yield from (other for other in findings if other.about and f"{other.subject} {other.problem}" in text)
        yield from (other for other in findings if other.code == "not-read" and other.subject in text.lower())
        if "configuration" in text:
            yield from (
                other
                for other in findings
                if other.check == "drift" and finding.prefix in f"{other.expected} {other.lines}"
            )
        yield from (other for other in findings if other.code in _OF_SWITCH)
        yield from (other for other in findings if other.subject and other.subject in text)
        yield from (other for other in findings if other.prefix and other.prefix in text.split())


def _is_unannounced(finding: Finding) -> bool:
    """Whether its explanation only says that its origin does not announce it."""
    return finding.explained.endswith(UNTOLD.format(""))


def _is_own(finding: Finding) -> bool:
    """Whether a switch lacks its own routes: then the cause is on it."""
    return finding.code == "evpn-missing" and finding.far.system == finding.device


def _has_other(finding: Finding) -> bool:
    """Whether it has its own explanation, so that it does not belong to a group."""
    return bool(finding.explained) and finding.code in SAME


def _alike(finding: Finding) -> tuple[object, ...]:
    """The same value for findings of one fault; empty for all others."""
    if finding.code in (*MISPLUGGED, STRANGER) and finding.explained:
        return ("moved", finding.explained)
    if finding.code in MIRRORED and finding.far.system:
        return (MIRRORED[finding.code], *sorted((FindingEnd(finding.device, finding.port), finding.far)))
    if finding.code in DRAINS:
        return (finding.code, *sorted((finding.device, *finding.about)))
    if finding.code in SAME:
        return (finding.code, finding.far, finding.prefix or finding.subject)
    return ()
