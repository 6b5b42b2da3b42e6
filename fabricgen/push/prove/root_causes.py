"""Root causes of new failures, counted as verify does: one cause is one finding, with its consequences below. Pure.

A cause need not be a failure of the change itself: a broken cable elsewhere removes routes from a switch of the wave.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from fabricgen.push.prove.answers import JudgedSwitch, RunMoment
from fabricgen.push.prove.causes import Cause
from fabricgen.push.prove.regressions import Regression
from fabricgen.verify.causes.causes import caused, key_of
from fabricgen.verify.finding import NOWHERE, Finding, Key, SwitchVerdict
from fabricgen.verify.judge.unplanned import KEPT
from fabricgen.verify.report.text import order

BEFORE = " (there before)"
IN_VRF = re.compile(r"^(?:[\d,]+ )?routes? (?:\S+ )?in (\S+)")
CARRIED = frozenset(("routes", "isolation", "vnis", "evpn"))
"""Checks of state that transit switches carry: a change of one may break it, although it is neither end."""
UNREACHABLE = "unreachable"
"""Code with the same property: the management path to a switch may lead over the fabric."""
OVER_HOPS = frozenset(("sessions", "bfd"))
"""Checks with the same property where no port is known, as for a session between loopbacks."""
Sign = tuple[str, str, str, str]


class News(NamedTuple):
    """One failure of the change, with its sentence."""

    sentence: str
    what: Finding | Regression


class Roots(NamedTuple):
    """Causes of what is new, the one with most consequences first.

    sentence  findings that are causes, and those that follow from them: device, check, code and subject
    """

    causes: tuple[Cause, ...] = ()
    sentence: frozenset[Sign] = frozenset()


def roots(kept: Iterable[tuple[JudgedSwitch, JudgedSwitch | None]], news: Iterable[News], moment: RunMoment) -> Roots:
    """The causes of what is new. kept: the judged snapshot of each switch now, and the one before.

    If a regression is explained by no finding, new causes without known consequences are listed after the others: it
    may follow from one of them.
    """
    findings = _FindingGraph(kept)
    by_cause: dict[Key, list[News]] = {}
    alone: dict[tuple[str, str, str], list[News]] = {}
    for item in news:
        root = findings.root(item.what)
        if root is not None:
            by_cause.setdefault(key_of(root), []).append(item)
        elif isinstance(item.what, Regression):
            alone.setdefault((item.what.device, item.what.check, item.what.far), []).append(item)
    new_causes = [key_of(item) for item in findings.new] if alone else []
    causes = [findings.sentence(key, by_cause.get(key, ()), moment) for key in dict.fromkeys((*by_cause, *new_causes))]
    placed_causes = [*causes, *(_alone(rows, moment) for rows in alone.values())]
    # Causes with new failures first, then by number of consequences and order of checks.
    ordered = tuple(root for _, root in sorted(placed_causes, key=lambda pair: (not pair[1].new, *pair[0])))
    return Roots(ordered, frozenset(findings.signs(by_cause)))


_Placed = tuple[tuple[int, int], Cause]
"""A cause, after its sort key."""


class _FindingGraph:
    """Findings of a snapshot, each with its cause.

    new  causes that did not exist before
    """

    def __init__(self, kept: Iterable[tuple[JudgedSwitch, JudgedSwitch | None]]) -> None:
        pairs = [(now.findings, frozenset(map(sign, before.findings if before else ()))) for now, before in kept]
        self._known = {sign for _, signs in pairs for sign in signs}
        all_findings = [finding for verdict in caused(_verdicts(pairs)) for finding in verdict.findings]
        self._by_key = {key_of(finding): finding for finding in all_findings}
        self._by_place: dict[tuple[str, str], list[Finding]] = {}
        self._follow: dict[Key, list[Finding]] = {}
        for finding in all_findings:
            self._by_place.setdefault((finding.device, finding.check), []).append(finding)
            if finding.cause is not None and sign(finding) not in self._known:
                self._follow.setdefault(finding.cause, []).append(finding)
        self.new = [finding for finding in all_findings if finding.cause is None and sign(finding) not in self._known]

    def root(self, item: Finding | Regression) -> Finding | None:
        """The cause of something, which may be itself; None if no finding explains it."""
        finding = self._by_key.get(key_of(item)) if isinstance(item, Finding) else self._finding_of(item)
        if finding is None or finding.cause is None:
            return finding
        return self._by_key.get(finding.cause, finding)

    def _finding_of(self, loss: Regression) -> Finding | None:
        """The finding that reports a loss: by what it names, else among those that name only the first few items.

        The same prefix may be in several VRFs, as a default route is.
        """
        candidates = self._by_place.get((loss.device, loss.check), ())
        matchers = (_names_in_vrf, _names, _sums_up, _is_of)
        return next((finding for matches in matchers for finding in candidates if matches(finding, loss)), None)

    def signs(self, keys: Iterable[Key]) -> Iterator[Sign]:
        """Signs of these causes, and of the findings that follow from them."""
        for key in keys:
            yield from map(sign, (self._by_key[key], *self._follow.get(key, ())))

    def sentence(self, key: Key, news: Sequence[News], moment: RunMoment) -> _Placed:
        """A cause with all its consequences."""
        cause, consequences = self._by_key[key], self._follow.get(key, [])
        is_named = cause.far == NOWHERE or f"({cause.far})" in cause.subject
        where = f" (cabled to {cause.far})" if cause.port and not is_named else ""
        before = BEFORE if sign(cause) in self._known else ""
        is_carried = cause.check in CARRIED or cause.code == UNREACHABLE
        is_single_hop = not is_carried and (bool(cause.port) or cause.check not in OVER_HOPS)
        is_elsewhere = moment.changed.isdisjoint((cause.device, cause.far.system, *cause.about))
        root = Cause(
            sentence=f"{cause.device}: {cause.subject}{where} {cause.problem}{before}",
            is_elsewhere=is_single_hop and is_elsewhere,
            checks=tuple(sorted(Counter(item.check for item in consequences).items(), key=lambda pair: order(pair[0]))),
            devices=tuple(dict.fromkeys(item.device for item in consequences)),
            new=tuple(dict.fromkeys(cause.sentence for cause in news)),
        )
        return (-len(consequences), order(cause.check)), root


def _alone(news: Sequence[News], moment: RunMoment) -> _Placed:
    """Regressions without a finding, of one check on one switch and with one far end: the first, and how many more."""
    lost = [item.what for item in news if isinstance(item.what, Regression)]
    first, others = lost[0], len(lost) - 1
    root = Cause(
        sentence=str(first),
        is_elsewhere=first.check not in CARRIED and moment.changed.isdisjoint((first.device, first.far)),
        checks=((first.check, others),) if others else (),
        devices=(first.device,) if others else (),
        new=tuple(dict.fromkeys(item.sentence for item in news)),
    )
    return (-others, order(first.check)), root


def _names_in_vrf(finding: Finding, loss: Regression) -> bool:
    """Whether a finding names it, in the same VRF if both name one."""
    return _names(finding, loss) and _vrf(finding.subject) == _vrf(loss.subject)


def _vrf(subject: str) -> str:
    match = IN_VRF.search(subject)
    return match[1] if match else ""


def _names(finding: Finding, loss: Regression) -> bool:
    """Whether a finding names it."""
    if not loss.key or finding.subject == loss.subject:
        return finding.subject == loss.subject
    named = (finding.port, finding.prefix, *finding.lines, finding.subject, finding.subject.removeprefix("port "))
    return loss.key in named or finding.subject.startswith(f"session {loss.key} ")


def _sums_up(finding: Finding, loss: Regression) -> bool:
    """Whether it sums up all of this kind with the same far system, or so many that it lists only the first ones."""
    is_far = bool(loss.far) and finding.far.system == loss.far
    return is_far or len(finding.lines) >= KEPT


def _is_of(finding: Finding, loss: Regression) -> bool:
    """Whether it reports several switches or ports at once, without naming each."""
    kind, _, origin = finding.subject.rpartition(" of ")
    is_several = origin.endswith(" switches") and loss.key.startswith(f"{kind} of ")
    return is_several or " ports (" in finding.subject or _is_route_of(finding, loss)


def _is_route_of(finding: Finding, loss: Regression) -> bool:
    """Whether it reports one EVPN route of that type and switch."""
    kind, _, origin = loss.key.removeprefix("EVPN routes of type ").partition(" of ")
    return finding.subject.startswith(f"EVPN route type {kind} ") and finding.subject.endswith(f" of {origin}")


def sign(finding: Finding) -> Sign:
    """Identity of a finding across snapshots."""
    return finding.device, finding.check, finding.code, finding.subject


def _verdicts(pairs: Iterable[tuple[tuple[Finding, ...], object]]) -> Iterator[SwitchVerdict]:
    rows = sorted((finding for findings, _ in pairs for finding in findings), key=lambda finding: finding.device)
    for device, device_findings in groupby(rows, key=lambda finding: finding.device):
        yield SwitchVerdict(device=device, passed=(), findings=tuple(device_findings), unchecked=())
