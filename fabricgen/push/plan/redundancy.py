"""Switches that must take over for others that go out of service, and cannot, by verify's present findings."""

from collections.abc import Collection, Iterable, Iterator

from fabricgen.base.text import natural
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.push.plan.capacity_floor import KnownFaults, UplinkCapacity, faults_of
from fabricgen.verify.finding import Finding


def without_mates(plan: Plan, leaving: Collection[str], findings: Iterable[Finding]) -> tuple[Problem, ...]:
    """Problems of leaves and border leaves that are about to go out of service while none that takes over for them can.

    leaving   switches that change together and whose traffic others carry
    findings  of verify, at present
    """
    faults = faults_of(findings)
    return tuple(problem for fabric in plan.fabrics.values() for problem in _alone(fabric, leaving, faults))


def _alone(fabric: FabricPlan, leaving: Collection[str], faults: KnownFaults) -> Iterator[Problem]:
    capacity, planned = UplinkCapacity(fabric, faults), UplinkCapacity(fabric)
    unable = faults.silent | faults.out | frozenset(leaving)
    for name in sorted(leaving, key=natural):
        place = place_of(fabric, name)
        mates = {name_of(fabric, mate): mate for mate in _mates(fabric, place)} if place is not None else {}
        backups = {mate: backup for mate, backup in mates.items() if planned.in_service(backup)}
        if backups and not any(mate not in unable and capacity.share(backup) for mate, backup in backups.items()):
            yield _problem(name, tuple(backups))


def _mates(fabric: FabricPlan, place: Place) -> Iterator[Place]:
    """The other leaf of the pair; the other border leaves."""
    if place.tier is Tier.LEAF:
        count = group_of(fabric, place.group).indexes
    else:
        count = fabric.shape.borders if place.tier is Tier.BORDER else 0
    return (place._replace(index=index) for index in range(count) if index != place.index)


def _problem(name: str, mates: tuple[str, ...]) -> Problem:
    return Problem(
        code="push-mate-live",
        what=f"{name} cannot be taken out of service now: {', '.join(mates)} cannot take over its traffic",
        why="that switch changes too, or verify finds that it does not answer, does not route, or has no uplink",
        fix=f"fix what fabricgen verify finds on {', '.join(mates)}, then repeat the command",
    )
