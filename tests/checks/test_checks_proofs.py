"""What is proven on the formulas against a count of all: on sound fabrics, grown ones and broken ones.

A proof may not say more than the count: wherever the count finds a fault, the check tells it. And it is worth having
only if it goes through for what the planner makes: there it may not fall back to counting.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from fabricgen.checks.cabling import cabling
from fabricgen.checks.cabling.cabling import (
    cable_ends,
    counts_cables,
    fingerprint,
    is_even,
    planes_disjoint,
    ports_once,
)
from fabricgen.checks.cabling.wiring_proof import below, is_proven, specimens
from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.checks.numbers.asns import asns_unique
from fabricgen.checks.numbers.lock_fit import fits_recorded, rows_disjoint
from fabricgen.checks.numbers.pools import addresses_unique
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import Binding, FabricPlan, binding_of, name_of, places
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.plan.segments import Segment
from fabricgen.plan.wiring import Uplink, downlinks, uplinks
from tests.checks import counted
from tests.checks.intents import plan as demo
from tests.checks.intents import with_fabric
from tests.checks.sound import RAILS, fabrics, grown, made_of, sound, with_segment
from tests.resolve import tiers
from tests.some import LONG
from tests.topologies.sites import backend


@pytest.mark.parametrize("name", sound())
def test_a_sound_fabric_is_proven_and_the_count_agrees(name: str) -> None:
    plan = sound()[name]
    assert not counts_cables(plan)
    assert all(fits_recorded(plan, fabric) for fabric in fabrics(plan))
    for check in (cable_ends, ports_once, planes_disjoint, addresses_unique, asns_unique, rows_disjoint):
        assert list(check(plan)) == []
    for fabric in fabrics(plan):
        assert sum(counted.told_below(fabric).values()) > 0
        assert counted.told_below(fabric) == counted.told_above(fabric)
        assert counted.are_taken_once(fabric)
        assert counted.keep_to_planes(fabric)
    assert max(counted.addresses(plan).values()) == 1
    assert max(counted.names(plan).values()) == 1
    assert counted.are_asns_apart(plan)


Broken = Callable[[FabricPlan, Random], FabricPlan | None]
"""A fabric as no planner makes it; None where it has nothing to break."""


def one_segment(fabric: FabricPlan, random: Random, tiers_: tuple[Tier, ...]) -> Segment | None:
    found = [s for (tier, _), every in fabric.segments.items() if tier in tiers_ for s in every]
    return random.choice(found) if found else None


def rows_swapped(fabric: FabricPlan, random: Random) -> FabricPlan | None:
    """Two leaves have changed places in the table that names the leaf of a row."""
    if len(fabric.rows) < 2:
        return None
    one, two = random.sample(sorted(fabric.rows), 2)
    return replace(fabric, rows={**fabric.rows, one: fabric.rows[two], two: fabric.rows[one]})


def row_forgotten(fabric: FabricPlan, random: Random) -> FabricPlan | None:
    gone = random.choice(sorted(fabric.rows))
    return replace(fabric, rows={row: place for row, place in fabric.rows.items() if row != gone})


def rows_moved(fabric: FabricPlan, random: Random) -> FabricPlan | None:
    """A line of the lock says other rows than the table."""
    old = one_segment(fabric, random, (Tier.LEAF, Tier.BORDER))
    if old is None or old.row is None:
        return None
    return with_segment(fabric, old, old._replace(row=max(old.row + random.choice((-1, 1)), 0)))


def line_shortened(fabric: FabricPlan, random: Random) -> FabricPlan | None:
    """The last of some equal switches, or the last pod, is in no line of the lock."""
    old = one_segment(fabric, random, tuple(Tier))
    axis = random.choice((0, 1, 2, 4))
    if old is None or old.box[axis].size < 2:
        return None
    span = old.box[axis]
    return with_segment(fabric, old, old._replace(box=old.box.cut(axis, span._replace(last=span.last - 1))))


def ports_lost(fabric: FabricPlan, random: Random) -> FabricPlan | None:
    """A switch with dead ports has one less than its chassis, at an end or in the middle."""
    place = random.choice(list(places(fabric)))
    bound = binding_of(fabric, place)
    at = random.randrange(len(bound.down) + len(bound.up))
    down = tuple(port for number, port in enumerate(bound.down) if number != at)
    up = tuple(port for number, port in enumerate(bound.up) if number + len(bound.down) != at)
    return replace(fabric, bindings={name_of(fabric, place): Binding(down, up)})


def port_doubled(fabric: FabricPlan, random: Random) -> FabricPlan | None:
    """A dead port has stepped aside to where another cable is."""
    place = random.choice(list(places(fabric)))
    bound = binding_of(fabric, place)
    every = [*bound.down, *bound.up]
    every[random.randrange(len(every))] = random.choice(every)
    own = Binding(tuple(every[: len(bound.down)]), tuple(every[len(bound.down) :]))
    return replace(fabric, bindings={name_of(fabric, place): own})


def ports_turned(fabric: FabricPlan, random: Random) -> FabricPlan | None:
    """Ports in another order: strange, and sound."""
    place = random.choice(list(places(fabric)))
    bound = binding_of(fabric, place)
    return replace(fabric, bindings={name_of(fabric, place): Binding(bound.down[::-1], bound.up[::-1])})


BREAKS: dict[str, Broken] = {
    broken.__name__: broken
    for broken in (
        rows_swapped,
        row_forgotten,
        rows_moved,
        line_shortened,
        ports_lost,
        port_doubled,
        ports_turned,
    )
}


def verdicts(plan: Plan, fabric: FabricPlan) -> tuple[bool, bool, bool, bool]:
    """Whether proof and count find the cables' ends to agree, then the ports to be taken once."""
    made = with_fabric(plan, fabric.name, **{key: getattr(fabric, key) for key in ("rows", "segments", "bindings")})
    ends = not [problem for problem in cable_ends(made) if problem.where[1] == fabric.name]
    once = not [problem for problem in ports_once(made) if problem.where[1] == fabric.name]
    return ends, counted.have_other_ends(fabric), once, counted.are_taken_once(fabric)


@pytest.mark.parametrize("rounds", [1, pytest.param(4, marks=LONG)])
@pytest.mark.parametrize("break_", BREAKS)
def test_no_fault_that_the_count_finds_is_proven_away(break_: str, rounds: int) -> None:
    """Random breaks of every fabric above; those that are no fault may be counted, and are not told."""
    random = Random(break_)  # noqa: S311 - to choose, not to hide
    found = faults = 0
    for name in sorted(sound()):
        plan = sound()[name]
        for fabric in fabrics(plan):
            for _ in range(rounds):
                broken = BREAKS[break_](fabric, random)
                if broken is None or not is_even(broken):
                    continue
                try:
                    ends, ends_counted, once, once_counted = verdicts(plan, broken)
                except (LookupError, IndexError):
                    # What is not there is asked for: no answer is no pass.
                    faults += 1
                    continue
                found += 1
                assert ends == ends_counted, (name, broken)
                # A port that is twice in a list is told where no cable hangs at it, too.
                assert once == once_counted or (break_ == "port_doubled" and not once), (name, broken)
                faults += not (ends_counted and once_counted)
    assert found + faults
    assert bool(faults) == (break_ != "ports_turned")


def test_lists_whose_sums_are_equal_have_other_fingerprints() -> None:
    """And the order plays no part."""
    assert fingerprint([1, 4]) != fingerprint([2, 3])
    assert fingerprint([1, 4, 4]) != fingerprint([1, 1, 4])
    assert fingerprint(["a", "b", "c"]) == fingerprint(["c", "a", "b"])
    assert fingerprint([])[0] == 0


def test_the_proof_itself_is_refused_and_not_only_the_specimens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any switch looked at: what each condition is for, on a fabric that breaks it alone."""
    monkeypatch.setattr(cabling, "_specimens_agree", lambda _fabric: True)
    fabric = tiers.three_tiers().fabrics["backend"]
    assert is_proven(fabric)
    random = Random(1)  # noqa: S311
    for broken in (rows_swapped, row_forgotten, rows_moved, ports_lost):
        changed = broken(fabric, random)
        assert changed is not None
        assert not is_proven(changed), broken.__name__
    spines = next(s for s in fabric.segments[Tier.SPINE, ""])
    short = with_segment(fabric, spines, spines._replace(box=spines.box.cut(4, spines.box.index._replace(last=0))))
    assert not is_proven(short)


def test_specimens_show_code_that_is_not_the_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row too far in the last pod alone, which no dimension tells."""

    def astray(fabric: FabricPlan, place: Place) -> Iterator[Uplink]:
        for link in uplinks(fabric, place):
            wrong = link.lower.tier is Tier.LEAF and link.lower.pod == fabric.shape.pods - 1 and link.number == 1
            yield link._replace(upper=link.upper._replace(index=0)) if wrong else link

    plan = tiers.three_tiers()
    assert not list(cable_ends(plan))
    monkeypatch.setattr(cabling, "uplinks", astray)
    (problem,) = cable_ends(plan)
    assert problem.code == "cable-ends"


def test_specimens_are_the_corners_of_what_stands() -> None:
    plan = grown()
    fabric = plan.fabrics["backend"]
    found = specimens(fabric, *Tier)
    assert set(found) <= set(places(fabric))
    for tier in (Tier.LEAF, Tier.SPINE, Tier.SUPERSPINE):
        every = [place for place in places(fabric) if place.tier is tier]
        own = [place for place in found if place.tier is tier]
        assert every[0] in own
        assert every[-1] in own
    for upper in found:
        if upper.tier in UPPER:
            assert set(below(fabric, upper)) == {link.lower for link in downlinks(fabric, upper)}


def test_cables_looked_at_do_not_grow_with_pods(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the planes and four times the pods, and as many calls for a fabric's cables."""
    asked: list[Place] = []

    def noted(fabric: FabricPlan, place: Place) -> Iterator[Uplink]:
        asked.append(place)
        return uplinks(fabric, place)

    monkeypatch.setattr(cabling, "uplinks", noted)
    counts = []
    for slots in ("0-15", "0-63"):
        plan = made_of(
            backend(f"{RAILS}, units_per_pod: 1, superspines: {{now: 2}}", slots, leaf="r16", spine="r16", core="r32")
        )
        asked.clear()
        assert not list(cable_ends(plan))
        counts.append(len([place for place in asked if place.tier is Tier.LEAF]))
    assert counts[0] == counts[1]


def test_every_check_says_how_it_holds() -> None:
    assert {check.name for check in (*CHECKS, *NOTES) if check.usual_coverage == "streamed"} == {"switches"}
    plain = demo()
    assert {check.name for check in CHECKS if check.coverage(plain) == "streamed"} == {"switches"}
    dead = with_exceptions(plain, Exceptions(broken=frozenset()))
    assert {check.name for check in CHECKS if check.coverage(dead) == "streamed"} == {"switches"}


@pytest.mark.parametrize("name", ["cable-ends", "media"])
def test_a_check_that_has_to_look_says_so(name: str) -> None:
    plan = demo()
    fabric = plan.fabrics["backend"]
    check = next(check for check in CHECKS if check.name == name)
    spine = next(place for place in places(fabric) if place.tier is Tier.SPINE)
    bound = binding_of(fabric, spine)
    bindings = {name_of(fabric, spine): Binding(bound.down[:-1], bound.up)}
    assert check.coverage(with_fabric(plan, bindings=bindings)) == "streamed"
