"""What a look finds new, as verify counts it: one cause is one finding, with what follows from it below. Pure.

A cause need not be anything that the change answers for: a cable elsewhere takes routes from a switch of the wave.
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
"""Checks of what switches in between carry: a change of one of them may take it away, and it has neither end of it."""
UNREACHABLE = "unreachable"
"""Code of which the same is true: the way to a switch may lead over the fabric."""
OVER_HOPS = frozenset(("sessions", "bfd"))
"""Checks of which the same is true where no port is told, as of a session between loopbacks."""
Sign = tuple[str, str, str, str]


class News(NamedTuple):
    """What the change has to answer for, with its sentence."""

    told: str
    what: Finding | Regression


class Roots(NamedTuple):
    """Causes of what is new, the one with most consequences first.

    told  findings that they are, and those that follow from them: device, check, code and subject
    """

    causes: tuple[Cause, ...] = ()
    told: frozenset[Sign] = frozenset()


def roots(kept: Iterable[tuple[JudgedSwitch, JudgedSwitch | None]], news: Iterable[News], moment: RunMoment) -> Roots:
    """What is new by its causes. kept: what each switch shows now, and showed before.

    Where something that stood is told by no finding, causes that are new and that nothing is known to follow from come
    behind the others: it may follow from one of them.
    """
    found = _Found(kept)
    by_cause: dict[Key, list[News]] = {}
    alone: dict[tuple[str, str, str], list[News]] = {}
    for one in news:
        root = found.root(one.what)
        if root is not None:
            by_cause.setdefault(key_of(root), []).append(one)
        elif isinstance(one.what, Regression):
            alone.setdefault((one.what.device, one.what.check, one.what.far), []).append(one)
    more = [key_of(one) for one in found.new] if alone else []
    causes = [found.told(key, by_cause.get(key, ()), moment) for key in dict.fromkeys((*by_cause, *more))]
    every = [*causes, *(_alone(rows, moment) for rows in alone.values())]
    ordered = tuple(root for _, root in sorted(every, key=lambda pair: (not pair[1].new, *pair[0])))
    return Roots(ordered, frozenset(found.signs(by_cause)))


_Placed = tuple[tuple[int, int], Cause]
"""A cause, behind its place in their order."""


class _Found:
    """Findings of a look, each with its cause.

    new  causes that were not there before
    """

    def __init__(self, kept: Iterable[tuple[JudgedSwitch, JudgedSwitch | None]]) -> None:
        pairs = [(now.findings, frozenset(map(sign, before.findings if before else ()))) for now, before in kept]
        self._known = {sign for _, signs in pairs for sign in signs}
        every = [one for verdict in caused(_verdicts(pairs)) for one in verdict.findings]
        self._by_key = {key_of(one): one for one in every}
        self._by_place: dict[tuple[str, str], list[Finding]] = {}
        self._follow: dict[Key, list[Finding]] = {}
        for one in every:
            self._by_place.setdefault((one.device, one.check), []).append(one)
            if one.cause is not None and sign(one) not in self._known:
                self._follow.setdefault(one.cause, []).append(one)
        self.new = [one for one in every if one.cause is None and sign(one) not in self._known]

    def root(self, what: Finding | Regression) -> Finding | None:
        """Its cause, which may be itself; None of what no finding tells."""
        one = self._by_key.get(key_of(what)) if isinstance(what, Finding) else self._finding_of(what)
        if one is None or one.cause is None:
            return one
        return self._by_key.get(one.cause, one)

    def _finding_of(self, what: Regression) -> Finding | None:
        """The finding that tells what is lost: by what it names, else among those that name only the first few.

        The same prefix may be in several VRFs, as a default route is.
        """
        found = self._by_place.get((what.device, what.check), ())
        fits = (_names_there, _names, _sums_up, _is_of)
        return next((one for fit in fits for one in found if fit(one, what)), None)

    def signs(self, keys: Iterable[Key]) -> Iterator[Sign]:
        """Of these causes, and of what follows from them."""
        for key in keys:
            yield from map(sign, (self._by_key[key], *self._follow.get(key, ())))

    def told(self, key: Key, news: Sequence[News], moment: RunMoment) -> _Placed:
        """A cause with all that follows from it."""
        one, follow = self._by_key[key], self._follow.get(key, [])
        is_told = one.far == NOWHERE or f"({one.far})" in one.subject
        where = f" (cabled to {one.far})" if one.port and not is_told else ""
        before = BEFORE if sign(one) in self._known else ""
        is_carried = one.check in CARRIED or one.code == UNREACHABLE
        is_single_hop = not is_carried and (bool(one.port) or one.check not in OVER_HOPS)
        is_elsewhere = moment.changed.isdisjoint((one.device, one.far.system, *one.about))
        root = Cause(
            told=f"{one.device}: {one.subject}{where} {one.problem}{before}",
            is_elsewhere=is_single_hop and is_elsewhere,
            checks=tuple(sorted(Counter(each.check for each in follow).items(), key=lambda pair: order(pair[0]))),
            devices=tuple(dict.fromkeys(each.device for each in follow)),
            new=tuple(dict.fromkeys(one.told for one in news)),
        )
        return (-len(follow), order(one.check)), root


def _alone(news: Sequence[News], moment: RunMoment) -> _Placed:
    """What no finding tells, of one check on one switch and with one far end: the first, and how many more."""
    lost = [one.what for one in news if isinstance(one.what, Regression)]
    first, more = lost[0], len(lost) - 1
    root = Cause(
        told=str(first),
        is_elsewhere=first.check not in CARRIED and moment.changed.isdisjoint((first.device, first.far)),
        checks=((first.check, more),) if more else (),
        devices=(first.device,) if more else (),
        new=tuple(dict.fromkeys(one.told for one in news)),
    )
    return (-more, order(first.check)), root


def _names_there(one: Finding, what: Regression) -> bool:
    """Whether a finding names it, in the same VRF as far as both say one."""
    return _names(one, what) and _vrf(one.subject) == _vrf(what.subject)


def _vrf(subject: str) -> str:
    found = IN_VRF.search(subject)
    return found[1] if found else ""


def _names(one: Finding, what: Regression) -> bool:
    """Whether a finding names it."""
    if not what.key or one.subject == what.subject:
        return one.subject == what.subject
    named = (one.port, one.prefix, *one.lines, one.subject, one.subject.removeprefix("port "))
    return what.key in named or one.subject.startswith(f"session {what.key} ")


def _sums_up(one: Finding, what: Regression) -> bool:
    """Whether it tells of all of this kind with the same far system, or of so many that it names the first ones."""
    is_far = bool(what.far) and one.far.system == what.far
    return is_far or len(one.lines) >= KEPT


def _is_of(one: Finding, what: Regression) -> bool:
    """Whether it tells of several switches or ports at once, without naming each."""
    kind, _, whose = one.subject.rpartition(" of ")
    is_several = whose.endswith(" switches") and what.key.startswith(f"{kind} of ")
    return is_several or " ports (" in one.subject or _is_route_of(one, what)


def _is_route_of(one: Finding, what: Regression) -> bool:
    """Whether it tells of one EVPN route of that type and switch."""
    kind, _, whose = what.key.removeprefix("EVPN routes of type ").partition(" of ")
    return one.subject.startswith(f"EVPN route type {kind} ") and one.subject.endswith(f" of {whose}")


def sign(one: Finding) -> Sign:
    """What tells a finding from others, from one look to the next."""
    return one.device, one.check, one.code, one.subject


def _verdicts(pairs: Iterable[tuple[tuple[Finding, ...], object]]) -> Iterator[SwitchVerdict]:
    rows = sorted((one for findings, _ in pairs for one in findings), key=lambda one: one.device)
    for device, found in groupby(rows, key=lambda one: one.device):
        yield SwitchVerdict(device=device, passed=(), findings=tuple(found), unchecked=())
