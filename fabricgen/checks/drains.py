"""What a drained leaf takes along: subnets of tenants that no other leaf in service has."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.exceptions import DRAINED
from fabricgen.plan.fabric import name_of, present_places, state_of
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_context, make_site
from fabricgen.resolve.evpn import attached, subnets


def lone_subnets(plan: Plan) -> Iterator[Problem]:
    """A subnet of a tenant is on a leaf in service, too, while a leaf that has it is drained.

    Graceful shutdown moves traffic to another path of the same prefix; where there is none, all of it stays, and what
    is done to the leaf then cuts it. One problem for each drained leaf.

    Source: RFC 8326, section 3.
    """
    for name, fabric in plan.fabrics.items():
        if DRAINED not in fabric.exceptions.devices.values():
            continue
        site = make_site(plan, name)
        leaves = [place for place in present_places(fabric) if place.tier is Tier.LEAF]
        tenants = {place: attached(make_context(site, place)) for place in leaves}
        serving = {tenant.name for place in leaves if state_of(fabric, place) == "active" for tenant in tenants[place]}
        for place in leaves:
            lone = [tenant for tenant in tenants[place] if tenant.name not in serving]
            if lone and state_of(fabric, place) == DRAINED:
                told = ", ".join(f"{subnet} of {tenant.name}" for tenant in lone for subnet in subnets(tenant))
                if told:
                    yield _lone(name_of(fabric, place), told)


def _lone(leaf: str, told: str) -> Problem:
    return Problem(
        code="subnet-alone",
        what=f"{leaf} is drained, and no other leaf in service has {told}",
        where=("overrides", leaf),
        why="graceful shutdown moves traffic to another leaf of the same subnet; without one, all of it stays, and "
        "what is done to the leaf while it is drained cuts it",
        fix="bring the other leaf back first, or waive subnet-alone with the time in which the loss is accepted",
    )
