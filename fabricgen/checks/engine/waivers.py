"""Problems that the operator has accepted: they do not stop, and are printed with their reasons."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.checks.engine.coverage import NO_COVERAGE, Coverage
from fabricgen.device.device import Device
from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.waivers import Waiver
from fabricgen.plan.fabric import name_of, place_of, places
from fabricgen.plan.overrides import LINK_PREFIX, WILD
from fabricgen.plan.plan import Plan
from fabricgen.source.yaml_events import path_text

OF_FABRIC = frozenset({"links-missing", "outside-lost", "rail-lost", "spines-drained"})
"""Codes about capacity of a fabric with broken parts: reported for a switch, but also waivable for the fabric."""


class Waived(NamedTuple):
    """A problem that is accepted. `number`: position of its waiver, from 0."""

    problem: Problem
    number: int
    reason: str


class FeatureUse(NamedTuple):
    """One switch of a kind, and every feature that its configuration needs, by `device/needs.py`."""

    device: Device
    needs: frozenset[str]


class CheckVerdict(NamedTuple):
    """Result of checks: problems that stop, and what is only printed.

    notes     warnings, which never stop; waived ones are left out
    coverage  how the rules covered a plan whose switches were tested
    kinds     one switch of each kind of the plan, which was resolved for its parts
    """

    problems: tuple[Problem, ...]
    waived: tuple[Waived, ...] = ()
    notes: tuple[Problem, ...] = ()
    coverage: Coverage = NO_COVERAGE
    kinds: tuple[FeatureUse, ...] = ()


def verdict(plan: Plan, problems: Iterable[Problem]) -> CheckVerdict:
    """Divide problems by the intent's waivers. Of several matching waivers the most specific one is reported."""
    waivers = plan.intent.waivers
    if not waivers:
        return CheckVerdict(tuple(problems))
    # A longer place is more specific.
    ranked = sorted(enumerate(waivers), key=lambda number: -len(number[1].where or ""))
    remaining: list[Problem] = []
    waived: list[Waived] = []
    for problem in problems:
        number = next((index for index, waiver in ranked if covers(waiver, problem, plan)), None)
        if number is None:
            remaining.append(problem)
        else:
            waived.append(Waived(problem, number, waivers[number].reason))
    return CheckVerdict(tuple(remaining), tuple(waived))


def covers(waiver: Waiver, problem: Problem, plan: Plan | None = None) -> bool:
    """Return whether a waiver matches a problem: its code, and its place or the one switch that it is about.

    plan  set where problems of capacity can be waived for a whole fabric
    """
    if waiver.code != problem.code:
        return False
    where = waiver.where
    if where is None or _is_below(where, problem.where) or where in _subjects(problem):
        return True
    name = where.removeprefix("fabrics.")
    if problem.code not in OF_FABRIC or plan is None or name == where or name not in plan.fabrics:
        return False
    words = re.findall(r"[\w-]+", problem.what)
    return name in words or any(place_of(plan.fabrics[name], word) for word in words)


def _is_below(path: str, where: IntentPath) -> bool:
    """Return whether a place is at a path or below it. A glob may be written as in `overrides`, or quoted."""
    return any(
        path in (path_text(where[:length]), ".".join(map(str, where[:length]))) for length in range(1, len(where) + 1)
    )


def _subjects(problem: Problem) -> tuple[str, ...]:
    """Return the subjects of a problem, each by itself.

    If the problem does not list them: the switch of the override that causes it, and the first word of its message.
    Other switches in the message are only compared with these.
    """
    if problem.about is not None:
        return problem.about
    selector = str(problem.where[1]) if problem.where[:1] == ("overrides",) and len(problem.where) > 1 else ""
    switch = selector.removeprefix(LINK_PREFIX).partition("/")[0]
    first = re.split(r"[\s/]", problem.what, maxsplit=1)[0]
    return (first,) if WILD.search(switch) or not switch else (switch, first)


def waiver_places(plan: Plan) -> Iterator[Problem]:
    """A waiver names a part of this intent, or a switch that exists."""
    for position, waiver in enumerate(plan.intent.waivers):
        where = waiver.where
        if where is None or _is_known(plan, where):
            continue
        yield Problem(
            code="waiver-place",
            what=f"{where} is not a switch or a path of this intent",
            where=("waivers", position, "where"),
            why="`where` is a switch, or a path such as fabrics.NAME or overrides; without it the waiver covers the "
            "whole site",
            fix=did_you_mean(where, _places(plan)),
        )


def _places(plan: Plan) -> Iterator[str]:
    """Yield the valid values of `where` with names that can be misspelt: fabrics and switches."""
    for name, fabric in plan.fabrics.items():
        yield f"fabrics.{name}"
        yield from (name_of(fabric, place) for place in places(fabric))


def _is_known(plan: Plan, where: str) -> bool:
    head, _, rest = where.partition(".")
    if head == "fabrics":
        return rest.partition(".")[0] in plan.fabrics
    if re.match(r"(overrides|tenants|cables|management|servers)\b", where):
        return True
    return any(place_of(fabric, where) is not None for fabric in plan.fabrics.values())


def unused(plan: Plan, waived: Iterable[Waived]) -> Iterator[Problem]:
    """Yield a warning for each waiver that waived nothing, once everything was checked.

    The problem is gone, or has another place. Not an error: a release with a less strict check must not stop a site.
    """
    used = {entry.number for entry in waived}
    for position, waiver in enumerate(plan.intent.waivers):
        if position not in used:
            at = f" at {waiver.where}" if waiver.where else ""
            yield Problem(
                code="waiver-unused",
                what=f"the waiver of {waiver.code} has no effect: there is no such problem{at}",
                where=("waivers", position),
                why="an old waiver would hide the next problem of this kind",
                fix="remove it, or correct its `code` or `where`",
            )
