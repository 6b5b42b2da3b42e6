"""Addresses and AS numbers that two switches would have: found by intervals as a count of each of them finds them."""

from collections.abc import Iterator
from random import Random

import pytest

from fabricgen.checks.catalogue import CHECKS
from fabricgen.checks.numbers.asns import asns_unique
from fabricgen.checks.numbers.pools import addresses_unique
from fabricgen.intent.scalars import Span
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from tests.checks import counted
from tests.checks.intents import with_fabric
from tests.checks.sound import sound, with_segment


def spread(plan: Plan, random: Random) -> Plan:
    """The plan with one run of one line of the lock moved by a few: onto its neighbors, or into a gap."""
    at = random.randrange(len(plan.lock.segments))
    old = plan.lock.segments[at]
    by = random.choice((-3, -2, -1, 1, 2, 3))
    runs = [name for name in ("ipv4", "ipv6", "loopback4", "loopback6") if getattr(old, name) is not None]
    name = random.choice((*runs, "oob", "asn"))
    run = getattr(old, name)
    moved = run + by if isinstance(run, int) else run._replace(start=max(run.start + by * run.stride, 0))
    new = old._replace(**{name: moved})  # type: ignore[arg-type]  # a field of any kind
    fabric = plan.fabrics[old.fabric]
    segments = (*plan.lock.segments[:at], new, *plan.lock.segments[at + 1 :])
    return with_fabric(plan, old.fabric, segments=with_segment(fabric, old, new).segments)._replace(
        lock=plan.lock._replace(segments=segments),
    )


@pytest.mark.parametrize("name", ["demo", "three tiers", "borders and pods", "grown"])
def test_runs_that_meet_are_found_as_the_count_finds_them(name: str) -> None:
    random, plan = Random(name), sound()[name]  # noqa: S311
    twice = 0
    for _ in range(25):
        made = spread(plan, random)
        is_once = max(counted.addresses(made).values()) == 1
        told = {problem.code for problem in (*addresses_unique(made), *asns_unique(made))}
        # A fabric whose runs leave its prefix is told so; then nobody asks where they meet.
        if not list(_outgrown(made)):
            assert ("address-twice" in told) == (not is_once)
        assert ("asn-twice" in told) == (not counted.are_asns_apart(made))
        twice += not is_once or not counted.are_asns_apart(made)
    assert twice


def _outgrown(plan: Plan) -> Iterator[object]:
    pools = next(check for check in CHECKS if check.name == "pool-sizes")
    yield from pools.run(plan)


def spines_moved(to: int) -> Plan:
    """The grown fabric whose newer spines, of the pods 2 and 3, begin with another AS number."""
    plan = sound()["grown"]
    segments = [s for s in plan.lock.segments if s.tier is Tier.SPINE]
    old = segments[-1]
    assert [(s.box.pod.first, s.box.pod.last) for s in segments] == [(0, 1), (2, 3)]
    new = old._replace(asn=segments[0].asn + to)
    locked = tuple(new if s is old else s for s in plan.lock.segments)
    moved = with_fabric(plan, segments=with_segment(plan.fabrics["backend"], old, new).segments)
    return moved._replace(lock=plan.lock._replace(segments=locked))


@pytest.mark.parametrize("to", [0, 1])
def test_spines_of_other_pods_do_not_share(to: int) -> None:
    """The same run as the older ones have, or the second half of it."""
    made = spines_moved(to)
    assert not counted.are_asns_apart(made)
    assert [problem.code for problem in asns_unique(made)] == ["asn-twice"]


def test_more_spines_of_the_same_pods_share() -> None:
    """Lines of 4 spines each in two pods, and one of 4 more in the first pod alone: a part of the run."""
    plan = sound()["three tiers"]
    old = next(s for s in plan.lock.segments if s.tier is Tier.SPINE)
    index = Span(old.box.index.last + 1, old.box.index.last + 2)
    for pods in (Span(0, 1), Span(1, 1)):
        more = old._replace(box=old.box.cut(4, index).cut(1, pods), asn=old.asn + pods.first)
        fabric = plan.fabrics["backend"]
        segments = {**fabric.segments, (Tier.SPINE, ""): (old, more)}
        made = plan._replace(lock=plan.lock._replace(segments=(*plan.lock.segments, more)))
        made = with_fabric(made, segments=segments)
        assert counted.are_asns_apart(made)
        assert not list(asns_unique(made))
