"""Fabrics that the planner makes, small enough to count everything in them: what the proofs are held against."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from fabricgen.intent.model import Intent
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import Segment
from tests.checks.intents import plan as demo
from tests.resolve import tiers
from tests.topologies.sites import backend, pairs, plan_of

RAILS = "design: rail-optimized"


def made_of(intent: Intent, recorded: Lock | None = None) -> Plan:
    """The plan with links of IPv4 alone, as the prefixes of these sites are."""
    four = {
        name: fabric.model_copy(update={"addressing": fabric.addressing.model_copy(update={"links": ("ipv4",)})})
        for name, fabric in intent.fabrics.items()
    }
    return plan_of(intent.model_copy(update={"fabrics": four}), recorded)


def pods(slots: str) -> Intent:
    cores = "superspines: {now: 2, planned: 4}, units_per_pod: 1"
    return backend(f"{RAILS}, {cores}", slots, leaf="r16", spine="r16", core="r16")


def grown() -> Plan:
    """Two pods of one unit, then four: spines and leaves in lines of the lock that came one after the other."""
    return made_of(pods("'0-7,16-31'"), made_of(pods("0-15")).lock)


@cache
def sound() -> dict[str, Plan]:
    """Fabrics that the planner makes: tiers, planes, pairs of leaves, borders, two groups, growth, and gaps in it."""
    return {
        "demo": demo(),
        "three tiers": tiers.three_tiers(),
        "one superspine": tiers.three_tiers(cores=1),
        "borders and pods": tiers.overlay(),
        "planes": tiers.planes(count=3),
        "pairs of leaves": made_of(backend(f"{RAILS}, leaves_per_rail: 2", "0-31", model="gpu8-slices")),
        "slices": made_of(backend(f"{RAILS}, planes: 4", "0-31", leaf="r64-800", spine="r64-800", model="gpu8-slices")),
        "frontend": made_of(pairs("mixed", "r32", "2:1", "0-40", borders=2, spines="{now: 2, planned: 4}")),
        "grown": grown(),
    }


def fabrics(plan: Plan) -> Iterator[FabricPlan]:
    return iter(plan.fabrics.values())


def with_segment(fabric: FabricPlan, old: Segment, new: Segment) -> FabricPlan:
    segments = {key: tuple(new if s is old else s for s in every) for key, every in fabric.segments.items()}
    return replace(fabric, segments=segments)
