"""Flows between leaves of three tiers against an independent max-flow, and the worst leaf against all of them."""

from collections import Counter
from collections.abc import Mapping
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.checks.capacity.flows import Flows, LostLinks, Worst
from fabricgen.plan.fabric import FabricPlan, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Uplink, uplinks
from tests.checks.test_checks_capacity import max_flow
from tests.topologies.sites import backend, plan_of

Node = tuple[str, Place]


@cache
def fabric() -> FabricPlan:
    """Three pods of one unit: 8 leaves of 8 uplinks, 4 spines with two links to each leaf, 2 superspines a group."""
    topology = "design: rail-optimized, units_per_pod: 1, spines: {now: 4}, superspines: {now: 2}"
    return plan_of(backend(topology, "0-23", leaf="r16", spine="r32", core="r64")).fabrics["backend"]


LEAVES = tuple(place for place in places(fabric()) if place.tier is Tier.LEAF)
UPPER = tuple(place for place in places(fabric()) if place.tier is not Tier.LEAF)
LINKS = tuple(link for place in places(fabric()) for link in uplinks(fabric(), place))
UP = tuple(link for link in LINKS if link.lower.tier is Tier.SPINE)


def network(missing: LostLinks, source: Place, sink: Place) -> Mapping[tuple[object, object], int]:
    """Every link that carries something in both directions; no leaf but these two passes anything on."""
    found: Counter[tuple[object, object]] = Counter()
    for link in LINKS:
        is_lost = link in missing.links or {link.lower, link.upper} & missing.silent
        if not is_lost and (link.lower.tier is Tier.SPINE or link.lower in (source, sink)):
            found[link.lower, link.upper] += 1
            found[link.upper, link.lower] += 1
    return found


Losses = st.builds(
    LostLinks,
    st.frozensets(st.sampled_from(LINKS), max_size=30) | st.frozensets(st.sampled_from(UP), max_size=30),
    st.frozensets(st.sampled_from(UPPER), max_size=4),
    st.frozensets(st.sampled_from(UPPER), max_size=4),
)


@settings(max_examples=30, deadline=None)
@given(missing=Losses, other=st.sampled_from(LEAVES[1:]))
def test_a_flow_is_the_maximum_within_a_pod_and_between_two(missing: LostLinks, other: Place) -> None:
    assert Flows(fabric(), missing).between(LEAVES[0], other) == max_flow(
        network(missing, LEAVES[0], other), LEAVES[0], other
    )


def test_nothing_missing_is_all_uplinks() -> None:
    flows = Flows(fabric(), LostLinks(frozenset(), frozenset()))
    assert {flows.between(one, two) for one in LEAVES for two in LEAVES if one != two} == {8}
    assert flows.between(LEAVES[0], None) == flows.to_pod(LEAVES[0], 2) == 8


def worst_of_all(missing: LostLinks, touched: list[Place], leaf: Place) -> Place | None:
    """The first of those with the smallest flow, each looked at; nobody is one that misses nothing."""
    flows = Flows(fabric(), missing)
    others = [None, *(other for other in touched if other != leaf)]
    return min(others, key=lambda other: flows.between(leaf, other))


@settings(max_examples=60, deadline=None)
@given(missing=Losses, more=st.sets(st.sampled_from(LEAVES), max_size=4))
def test_the_worst_leaf_is_that_of_all(missing: LostLinks, more: set[Place]) -> None:
    touched = sorted({link.lower for link in missing.links if link.lower.tier is Tier.LEAF} | more)
    worst = Worst(fabric(), missing, touched)
    for leaf in touched:
        assert worst.of(leaf) == worst_of_all(missing, touched, leaf)


def test_few_leaves_are_looked_at_where_many_miss_a_link() -> None:
    """All leaves miss a link, to spines in turn: each finds its worst with a handful of questions."""
    own = {leaf: tuple(uplinks(fabric(), leaf))[number % 8] for number, leaf in enumerate(LEAVES)}
    missing = LostLinks(frozenset(own.values()), frozenset())
    worst = Worst(fabric(), missing, own)
    asked: list[Place | None] = []
    between = worst._flows.between

    class Noted:
        to_pod = staticmethod(worst._flows.to_pod)

        @staticmethod
        def between(one: Place, other: Place | None) -> int:
            asked.append(other)
            return between(one, other)

    worst._flows = Noted()  # type: ignore[assignment]
    for leaf in own:
        worst.of(leaf)
    assert len(asked) < 10 * len(own)


def core_links(pod: int, keep: int) -> frozenset[Uplink]:
    """Links of the first spine of a pod to its superspines, but the last few."""
    own = [link for link in UP if (link.lower.pod, link.lower.index) == (pod, 0)]
    return frozenset(own[: len(own) - keep])


def test_what_is_missing_above_the_spines_counts_between_pods_alone() -> None:
    """Two links a spine number: none over a core group that is away, one where one link is left to it."""
    one, mate, far = LEAVES[0], LEAVES[1], LEAVES[-1]
    group = frozenset(place for place in UPPER if place.tier is Tier.SUPERSPINE and place.su == 0)
    away = LostLinks(frozenset(), frozenset(), group)
    half = LostLinks(frozenset(), frozenset(), frozenset(list(group)[:1]))
    for missing, flow in (
        (away, 6),
        (half, 8),
        (LostLinks(core_links(0, 1), frozenset()), 7),
        (LostLinks(core_links(1, 0), frozenset()), 8),
    ):
        flows = Flows(fabric(), missing)
        assert flows.between(one, mate) == 8
        assert flows.between(one, far) == flow
    both = Flows(fabric(), LostLinks(core_links(0, 1), group - half.away, half.away))
    assert both.between(one, far) == 6
