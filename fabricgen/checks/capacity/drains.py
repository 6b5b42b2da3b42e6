"""Subnets of tenants that only drained leaves have."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.checks.engine.waivers import verdict
from fabricgen.errors import Problem
from fabricgen.plan.exceptions import DRAINED
from fabricgen.plan.fabric import name_of, present_places, state_of
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_context, make_site
from fabricgen.resolve.evpn import attached, subnets


class Leaving(NamedTuple):
    """Switches that a push changes together, and those leaves among them that lose packets, drained first or not."""

    switches: Collection[str]
    leaves: Collection[str]


class _Attached(NamedTuple):
    """Subnets of each leaf of a fabric, as text, and the number of leaves in service that have each."""

    subnets: Mapping[str, tuple[str, ...]]
    serving: Counter[str]
    active: frozenset[str]


def lone_subnets(plan: Plan) -> Iterator[Problem]:
    """While a leaf is drained, another leaf in service has its tenants' subnets, too.

    Graceful shutdown moves traffic to another path of the same prefix; if there is none, all traffic stays, and work on
    the leaf interrupts it. There is one problem per drained leaf.

    Source: RFC 8326, section 3.
    """
    for name, fabric in plan.fabrics.items():
        states = fabric.exceptions.devices
        if DRAINED in states.values():
            attachments = _attached(plan, name)
            for leaf in attachments.subnets:
                lone = [subnet for subnet in attachments.subnets[leaf] if not attachments.serving[subnet]]
                if lone and states.get(leaf) == DRAINED:
                    yield _lone(leaf, ", ".join(lone))


def drained_alone(plan: Plan) -> Iterator[Problem]:
    """A drained switch has sessions that its drain marks; a leaf of a fabric without spines has none.

    Its configuration is the same either way. Source: RFC 8326, section 3: a drain moves routes to another session's
    path.
    """
    for name, fabric in plan.fabrics.items():
        drained = sorted(leaf for leaf, state in fabric.exceptions.devices.items() if state == DRAINED)
        if drained and not fabric.shape.spines:
            verb = "is" if len(drained) == 1 else "are"
            yield Problem(
                code="drain-idle",
                what=f"{', '.join(drained)} of {name} {verb} set to drained, which changes no configuration",
                where=("overrides", drained[0]),
                why=f"{name} has no spines: a leaf has no BGP session to drain, and its servers have no other path on "
                f"its rails",
                fix="stop the jobs on its servers, and remove this override",
            )


def lone_in_force(plan: Plan) -> tuple[Problem, ...]:
    """Return the problems of `lone_subnets` that no waiver accepts."""
    return verdict(plan, lone_subnets(plan)).problems


def lost_subnets(plan: Plan, leaving: Iterable[Leaving]) -> Iterator[tuple[str, str]]:
    """Yield (leaf, its subnets that no leaf in service keeps) for leaves that a push changes, group by group."""
    groups = tuple(group for group in leaving if group.leaves)
    fabrics = tuple(_attached(plan, name) for name in plan.fabrics) if groups else ()
    for group in groups:
        for attachments in fabrics:
            away = Counter(
                subnet
                for leaf in attachments.active.intersection(group.switches)
                for subnet in attachments.subnets[leaf]
            )
            for leaf in sorted(attachments.active.intersection(group.leaves)):
                lone = [subnet for subnet in attachments.subnets[leaf] if attachments.serving[subnet] == away[subnet]]
                if lone:
                    yield leaf, ", ".join(lone)


def _attached(plan: Plan, name: str) -> _Attached:
    if not plan.tenants.get(name):
        return _Attached({}, Counter(), frozenset())
    site, fabric = make_site(plan, name), plan.fabrics[name]
    leaves = {name_of(fabric, place): place for place in present_places(fabric) if place.tier is Tier.LEAF}
    subnets_of = {
        leaf: tuple(
            f"{subnet} of {tenant.name}" for tenant in attached(make_context(site, place)) for subnet in subnets(tenant)
        )
        for leaf, place in leaves.items()
    }
    active = frozenset(leaf for leaf, place in leaves.items() if state_of(fabric, place) == "active")
    return _Attached(subnets_of, Counter(subnet for leaf in active for subnet in subnets_of[leaf]), active)


def _lone(leaf: str, subnet_list: str) -> Problem:
    return Problem(
        code="subnet-alone",
        what=f"{leaf} is drained, and no other leaf in service has {subnet_list}",
        where=("overrides", leaf),
        why="graceful shutdown moves traffic to another leaf of the same subnet; without one, all of it stays on this "
        "leaf and is lost when the leaf goes down",
        fix="return the other leaf to service first, or waive subnet-alone and write in its reason until when the loss "
        "is accepted",
    )
