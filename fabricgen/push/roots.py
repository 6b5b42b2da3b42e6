"""What broke since a look: the causes among verify's findings, and whether what a wave changed has a part in them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from fabricgen.push.answers import Judged, Moment
from fabricgen.verify.causes import caused, key_of
from fabricgen.verify.finding import NOWHERE, Finding, Key, Verdict
from fabricgen.verify.report import order


class Root(NamedTuple):
    """A cause that was not there before. is_elsewhere: neither end of it is a switch of the wave."""

    told: str
    is_elsewhere: bool


def roots(kept: Iterable[tuple[Judged, Judged | None]], moment: Moment) -> tuple[Root, ...]:
    """New causes, the one with most consequences first. kept: what each switch shows now, and what it showed before."""
    pairs = [(now.findings, frozenset(map(_sign, before.findings if before else ()))) for now, before in kept]
    known = {sign for _, signs in pairs for sign in signs}
    every = [one for verdict in caused(_verdicts(pairs)) for one in verdict.findings]
    follow = Counter(one.cause for one in every if one.cause is not None)
    new = [one for one in every if one.cause is None and _sign(one) not in known]
    ordered = sorted(new, key=lambda one: (-follow[key_of(one)], order(one.check)))
    return tuple(Root(_told(one, follow), _is_elsewhere(one, moment.changed)) for one in ordered)


def _sign(one: Finding) -> tuple[str, str, str, str]:
    return one.device, one.check, one.code, one.subject


def _verdicts(pairs: Iterable[tuple[tuple[Finding, ...], object]]) -> Iterator[Verdict]:
    rows = sorted((one for findings, _ in pairs for one in findings), key=lambda one: one.device)
    for device, found in groupby(rows, key=lambda one: one.device):
        yield Verdict(device=device, passed=(), findings=tuple(found), unchecked=())


def _told(one: Finding, follow: Mapping[Key, int]) -> str:
    where = f" (cabled to {one.far})" if one.port and one.far != NOWHERE else ""
    number = follow.get(key_of(one), 0)
    more = f", with {number} consequence{'s' if number > 1 else ''}" if number else ""
    return f"{one.device}: {one.subject}{where} {one.problem}{more}"


def _is_elsewhere(one: Finding, changed: frozenset[str]) -> bool:
    return changed.isdisjoint((one.device, one.far.system, *one.about))
