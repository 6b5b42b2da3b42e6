"""How each switch may be changed: at once, drained first, or only because somebody answers for those behind it.

A change that interrupts a switch interrupts servers, unless all that they use of it goes another way meanwhile.
Whom it would interrupt must be gone: absent or drained by the intent, or drained by the list of a scheduler; or
somebody accepts the loss by the name of the switch.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from fabricgen.base.text import natural
from fabricgen.errors import Problem, did_you_mean
from fabricgen.intent.fabric import Frontend
from fabricgen.plan.exceptions import SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, place_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.push.model import Decision, Need, SwitchToChange
from fabricgen.push.plan.impact import AffectedServers, FabricImpact, few

SHOWN_RANGES = 8
"""Ranges of slots that a remedy spells out."""


class AllowedRisk(NamedTuple):
    """What may be interrupted.

    accepted  switches whose loss somebody accepts, by exact name
    hosts     hostnames whose jobs are drained, by the scheduler's word
    """

    accepted: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()


def decide(
    plan: Plan, subjects: Sequence[SwitchToChange], allowed: AllowedRisk
) -> tuple[tuple[Decision, ...], tuple[Problem, ...]]:
    """Decide of each switch; those that may not be changed are in no decision but a problem.

    Decisions come by fabric in the intent's order, then in natural order of names. Raises LookupError for a subject
    that does not stand in the plan.
    """
    sites = {name: FabricImpact(plan, fabric) for name, fabric in plan.fabrics.items()}
    decisions: list[Decision] = []
    problems = list(_unknown(subjects, allowed))
    for subject in in_order(plan, subjects):
        found = _decide(plan.fabrics[subject.fabric], sites[subject.fabric], subject, allowed)
        if isinstance(found, Decision):
            decisions.append(found)
        else:
            problems.append(found)
    return tuple(decisions), tuple(problems)


def in_order(plan: Plan, subjects: Iterable[SwitchToChange]) -> list[SwitchToChange]:
    """Subjects by fabric in the intent's order, then in natural order of names."""
    order = {name: at for at, name in enumerate(plan.intent.fabrics)}
    return sorted(subjects, key=lambda one: (order[one.fabric], natural(one.name)))


def seat(fabric: FabricPlan, name: str) -> Place:
    """Place of a switch. Raises LookupError where none of that name stands."""
    place = place_of(fabric, name)
    if place is None:
        raise LookupError(f"{name} does not stand in {fabric.name}")
    return place


def _decide(
    fabric: FabricPlan, site: FabricImpact, subject: SwitchToChange, allowed: AllowedRisk
) -> Decision | Problem:
    place = seat(fabric, subject.name)
    if not subject.risk.is_disruptive:
        return Decision(subject, Need.PLAIN, f"{subject.risk.words}: {subject.why}")
    behind = site.behind(place)
    names = {key: server_name(fabric.exceptions, *key) for key in behind.cut}
    waiting = {key: name for key, name in names.items() if name not in allowed.hosts}
    if not behind.used:
        return Decision(subject, Need.ABSENT, "the intent has no server in use behind it")
    if not names:
        return Decision(subject, Need.DRAIN, _carrying_on(fabric, place, behind))
    if not waiting:
        return _idle(subject, fabric, place, behind)
    if subject.name in allowed.accepted:
        words = f"its loss is accepted by --accept-loss, with {_servers(waiting, behind)}"
        return Decision(subject, Need.ACCEPTED, words)
    return Problem(
        code="push-interrupts",
        what=f"the change of {subject.name} interrupts {_servers(waiting, behind)}",
        why=f"its risk is {subject.risk.words} ({subject.why}), and {behind.why}",
        fix=f"drain these servers and list them in --drained-hosts FILE; or declare {_selectors(waiting)} absent or "
        f"drained in overrides; or accept the loss with --accept-loss {subject.name}",
    )


def _idle(subject: SwitchToChange, fabric: FabricPlan, place: Place, behind: AffectedServers) -> Decision:
    """Servers without another way are drained; those that have one are given it, where there are any."""
    words = f"{_count(len(behind.cut), 'server')} without another way {'are' if len(behind.cut) > 1 else 'is'} idle"
    if behind.others and place.tier in (Tier.LEAF, Tier.BORDER):
        return Decision(subject, Need.DRAIN, f"{words}, by --drained-hosts; {_carrying_on(fabric, place, behind)}")
    return Decision(subject, Need.IDLE, f"{words}, by --drained-hosts")


def _carrying_on(fabric: FabricPlan, place: Place, behind: AffectedServers) -> str:
    others = few(behind.others)
    if place.tier is Tier.LEAF:
        is_bonded = isinstance(fabric.fabric, Frontend) and fabric.fabric.server_ports.multihoming == "evpn-esi"
        way = "their bonds fail over" if is_bonded else "they fail over"
        return (
            f"its servers are also on {others}, and {way} to it when their ports here go down: only routing is drained"
        )
    if place.tier is Tier.BORDER:
        return f"every tenant with external sessions on it has others on {others}"
    return f"its traffic moves to {others}"


def _servers(waiting: Mapping[SlotKey, str], behind: AffectedServers) -> str:
    gpus = sum(len(behind.cut[key]) for key in waiting)
    with_gpus = f" with {_count(gpus, 'GPU')}" if gpus else ""
    return f"{_count(len(waiting), 'server')}{with_gpus} ({few(list(waiting.values()))})"


def _count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def _selectors(slots: Iterable[SlotKey]) -> str:
    """Selectors of overrides that mean these slots."""
    found = []
    for group, keys in groupby(sorted(slots), key=lambda key: key.group):
        ranges = list(_ranges([key.slot for key in keys]))
        shown = ranges[:SHOWN_RANGES] + (["..."] if len(ranges) > SHOWN_RANGES else [])
        found.append(f"{group}[{','.join(shown)}]")
    return ", ".join(found)


def _ranges(slots: list[int]) -> Iterator[str]:
    """Ranges of ascending numbers, as selectors write them."""
    runs = groupby(enumerate(slots), key=lambda pair: pair[1] - pair[0])
    for _, run in runs:
        numbers = [slot for _, slot in run]
        yield f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _unknown(subjects: Iterable[SwitchToChange], allowed: AllowedRisk) -> Iterator[Problem]:
    names = {subject.name for subject in subjects}
    for name in sorted(allowed.accepted - names, key=natural):
        yield Problem(
            code="push-accept-unknown",
            what=f"--accept-loss names {name}, which this push does not change",
            why="--accept-loss takes the exact name of a switch that this push changes",
            fix=did_you_mean(name, names) if names else f"omit --accept-loss {name}",
        )
