"""How each switch may be changed: at once, drained first, or only because a person accepts the loss of its servers.

A change that interrupts a switch interrupts servers, unless all their traffic takes another path meanwhile. Such
servers must be absent or drained by the intent, or drained according to a scheduler's list; or a person accepts the
loss of the switch by name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from fabricgen.base.text import counted, listed, natural
from fabricgen.errors import Problem, did_you_mean
from fabricgen.intent.fabric import Frontend
from fabricgen.plan.exceptions import SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, place_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.push.model import Decision, Need, SwitchToChange
from fabricgen.push.plan.impact import AffectedServers, FabricImpact

SHOWN_RANGES = 8
"""Ranges of slots that a remedy lists."""


class AllowedRisk(NamedTuple):
    """What may be interrupted.

    accepted  switches whose loss a person accepts, by exact name
    hosts     hostnames whose jobs are drained, according to the scheduler
    """

    accepted: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()


def decide(
    plan: Plan, subjects: Sequence[SwitchToChange], allowed: AllowedRisk
) -> tuple[tuple[Decision, ...], tuple[Problem, ...]]:
    """Decide for each switch; one that must not be changed has a problem instead of a decision.

    Decisions are ordered by fabric as in the intent, then by natural order of names. Raises LookupError for a subject
    that is not in the plan.
    """
    sites = {name: FabricImpact(plan, fabric) for name, fabric in plan.fabrics.items()}
    decisions: list[Decision] = []
    problems = list(_unknown(subjects, allowed))
    for subject in in_order(plan, subjects):
        result = _decide(plan.fabrics[subject.fabric], sites[subject.fabric], subject, allowed)
        if isinstance(result, Decision):
            decisions.append(result)
        else:
            problems.append(result)
    return tuple(decisions), tuple(problems)


def in_order(plan: Plan, subjects: Iterable[SwitchToChange]) -> list[SwitchToChange]:
    """Subjects by fabric in the intent's order, then in natural order of names."""
    order = {name: position for position, name in enumerate(plan.intent.fabrics)}
    return sorted(subjects, key=lambda subject: (order[subject.fabric], natural(subject.name)))


def seat(fabric: FabricPlan, name: str) -> Place:
    """Place of a switch. Raises LookupError for an unknown name."""
    place = place_of(fabric, name)
    if place is None:
        raise LookupError(f"{name} is not in {fabric.name}")
    return place


def _decide(
    fabric: FabricPlan, site: FabricImpact, subject: SwitchToChange, allowed: AllowedRisk
) -> Decision | Problem:
    place = seat(fabric, subject.name)
    if not subject.risk.is_disruptive:
        return Decision(subject, Need.PLAIN, f"{subject.risk.words}: {subject.why}")
    affected = site.affected_by(place)
    names = {key: server_name(fabric.exceptions, *key) for key in affected.cut}
    waiting = {key: name for key, name in names.items() if name not in allowed.hosts}
    if not affected.used:
        return Decision(subject, Need.ABSENT, "the intent has no server in use on it")
    if not names:
        return Decision(subject, Need.DRAIN, _carrying_on(fabric, place, affected))
    if not waiting:
        return _idle(subject, fabric, place, affected)
    if subject.name in allowed.accepted:
        text = f"its loss is accepted by --accept-loss, with {_servers(waiting, affected)}"
        return Decision(subject, Need.ACCEPTED, text)
    return Problem(
        code="push-interrupts",
        what=f"the change of {subject.name} interrupts {_servers(waiting, affected)}",
        why=f"its risk is {subject.risk.words} ({subject.why}), and {affected.why}",
        fix=f"drain these servers and list them in --drained-hosts FILE; or set {_selectors(waiting)} to absent or "
        f"drained in overrides; or accept the loss with --accept-loss {subject.name}",
    )


def _idle(subject: SwitchToChange, fabric: FabricPlan, place: Place, affected: AffectedServers) -> Decision:
    """The decision where servers without another path are drained; the others, if any, get time to fail over."""
    text = (
        f"{counted(len(affected.cut), 'server')} without another path {'are' if len(affected.cut) > 1 else 'is'} idle"
    )
    if affected.others and place.tier in (Tier.LEAF, Tier.BORDER):
        return Decision(subject, Need.DRAIN, f"{text}, by --drained-hosts; {_carrying_on(fabric, place, affected)}")
    return Decision(subject, Need.IDLE, f"{text}, by --drained-hosts")


def _carrying_on(fabric: FabricPlan, place: Place, affected: AffectedServers) -> str:
    others = listed(affected.others, "")
    if place.tier is Tier.LEAF:
        is_bonded = isinstance(fabric.fabric, Frontend) and fabric.fabric.server_ports.multihoming == "evpn-esi"
        way = "their bonds fail over" if is_bonded else "they fail over"
        return (
            f"its servers are also connected to {others}, and {way} to it when their ports here go down: only routing "
            f"is drained"
        )
    if place.tier is Tier.BORDER:
        return f"every tenant with external sessions on it also has some on {others}"
    return f"its traffic moves to {others}"


def _servers(waiting: Mapping[SlotKey, str], affected: AffectedServers) -> str:
    gpus = sum(len(affected.cut[key]) for key in waiting)
    of_them = f"{counted(gpus, 'GPU')} of " if gpus else ""
    return f"{of_them}{counted(len(waiting), 'server')} ({listed(waiting.values())})"


def _selectors(slots: Iterable[SlotKey]) -> str:
    """Selectors of overrides that match these slots."""
    selectors = []
    for group, keys in groupby(sorted(slots), key=lambda key: key.group):
        ranges = list(_ranges([key.slot for key in keys]))
        shown = ranges[:SHOWN_RANGES] + (["..."] if len(ranges) > SHOWN_RANGES else [])
        selectors.append(f"{group}[{','.join(shown)}]")
    return ", ".join(selectors)


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
