"""Waves: every switch once, a canary of each kind alone, the floor kept by every wave, no two of a pair."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.plan.wiring import host_ports
from fabricgen.platforms.base.cost import Risk
from fabricgen.push.model import Decision, SwitchToChange, Wave
from fabricgen.push.plan.waves import Width, waves
from tests.checks.intents import plan as demo_plan
from tests.push.push_plans import (
    Cable,
    cables,
    clos,
    default_floor,
    every_subject,
    hit,
    inventory,
    kept,
    names,
    overrides,
    plain,
    subject,
)
from tests.some import rounds

ORDER = ("superspine", "spine", "border-leaf", "leaf")
DEMO = demo_plan()


def made(plan: Plan, found: list[Decision], floor: Fraction | None = None, limit: int = 32) -> tuple[Wave, ...]:
    result, problems = waves(plan, found, floor, Width(limit))
    assert problems == ()
    return result


def test_demo_by_hand() -> None:
    """4 spines, one at a time; 4 leaves of a backend; pairs of 8, 24 and 8 servers."""
    found = made(DEMO, plain(every_subject(DEMO)))
    assert [(one.fabric, one.role, one.canary, one.devices, one.keeps) for one in found] == [
        ("backend", "spine", True, ("be-spine-03",), Fraction(3, 4)),
        ("backend", "spine", False, ("be-spine-00",), Fraction(3, 4)),
        ("backend", "spine", False, ("be-spine-01",), Fraction(3, 4)),
        ("backend", "spine", False, ("be-spine-02",), Fraction(3, 4)),
        ("backend", "leaf", True, ("be-leaf-003",), 1),
        ("backend", "leaf", False, ("be-leaf-000", "be-leaf-001"), 1),
        ("backend", "leaf", False, ("be-leaf-002",), 1),
        ("frontend", "spine", True, ("fe-spine-03",), Fraction(3, 4)),
        ("frontend", "spine", False, ("fe-spine-00",), Fraction(3, 4)),
        ("frontend", "spine", False, ("fe-spine-01",), Fraction(3, 4)),
        ("frontend", "spine", False, ("fe-spine-02",), Fraction(3, 4)),
        ("frontend", "border-leaf", True, ("fe-border-01",), 1),
        ("frontend", "border-leaf", False, ("fe-border-00",), 1),
        ("frontend", "leaf", True, ("fe-leaf-005",), 1),
        ("frontend", "leaf", False, ("fe-leaf-000", "fe-leaf-002"), 1),
        ("frontend", "leaf", False, ("fe-leaf-001", "fe-leaf-003", "fe-leaf-004"), 1),
    ]
    assert [one.number for one in found] == list(range(1, len(found) + 1))


def test_fabrics_come_in_the_order_of_the_intent() -> None:
    """The plan sorts them by name; who writes the frontend first wants it first."""
    fabrics = DEMO.intent.fabrics
    turned = DEMO.intent.model_copy(update={"fabrics": dict(reversed(list(fabrics.items())))})
    plan = Plan(
        intent=turned,
        catalog=DEMO.catalog,
        fabrics=DEMO.fabrics,
        tenants=DEMO.tenants,
        lock=DEMO.lock,
        recorded=DEMO.recorded,
    )
    found = made(plan, plain(every_subject(plan)))
    assert list(dict.fromkeys(one.fabric for one in found)) == ["frontend", "backend"]


def test_a_floor_of_half_lets_two_spines_go() -> None:
    spines = [one for one in every_subject(DEMO) if one.role == "spine" and one.fabric == "backend"]
    found = made(DEMO, plain(spines), Fraction(1, 2))
    assert [(one.devices, one.keeps) for one in found] == [
        (("be-spine-03",), Fraction(3, 4)),
        (("be-spine-00", "be-spine-01"), Fraction(1, 2)),
        (("be-spine-02",), Fraction(3, 4)),
    ]


def test_a_floor_that_no_spine_keeps() -> None:
    result, problems = waves(DEMO, plain([subject(DEMO, "be-spine-02", Risk.NONE)]), Fraction(4, 5), Width(32))
    (problem,) = problems
    assert result == ()
    assert problem.code == "push-floor"
    assert problem.what == "be-spine-02 alone leaves be-leaf-000 3/4 of its uplinks; the floor is 4/5"
    assert "the largest possible floor is 3/4" in problem.why
    assert problem.fix == "write --floor 3/4; or exclude be-spine-02 from this push"
    both = waves(DEMO, plain(every_subject(DEMO)), Fraction(4, 5), Width(32))[1]
    assert len(both) == 2  # one a fabric, not one a spine


def test_the_only_spine_has_no_floor_unless_one_is_asked_for() -> None:
    plan = clos(spines=1, links=2, planes=1, pods=1, cores=0, borders=0, exceptions=Exceptions())
    found = plain([subject(plan, "be-spine-00", Risk.HITLESS)])
    (wave,) = made(plan, found)
    assert wave.keeps == 0
    (problem,) = waves(plan, found, Fraction(1, 2), Width(32))[1]
    assert problem.fix == "omit --floor; or exclude be-spine-00 from this push"


def test_a_drained_spine_is_no_loss_and_another_beside_it_is() -> None:
    plan = with_exceptions(DEMO, Exceptions(devices={"be-spine-01": "drained"}))
    (wave,) = made(plan, plain([subject(plan, "be-spine-01")]))
    assert wave.keeps == Fraction(3, 4)
    (problem,) = waves(plan, plain([subject(plan, "be-spine-00")]), None, Width(32))[1]
    assert problem.fix == (
        "write --floor 1/2; or return be-spine-01 to service first; or exclude be-spine-00 from this push"
    )
    both = plain([subject(plan, "be-spine-00"), subject(plan, "be-spine-01")])
    found = made(plan, both, Fraction(1, 2))
    assert [one.keeps for one in found] == [Fraction(3, 4), Fraction(1, 2)]


def test_one_link_that_is_drained_forbids_no_push() -> None:
    """Its leaf has 63 of 64 uplinks, and 47 while a spine of 16 is away; the default floor is that, not 48."""
    plan = with_exceptions(DEMO, Exceptions(ports={PortKey("be-leaf-002", "Ethernet33/1"): "drained"}))
    found = made(plan, plain([one for one in every_subject(plan) if one.role == "spine" and one.fabric == "backend"]))
    assert [(one.devices, one.keeps) for one in found] == [
        (("be-spine-03",), Fraction(47, 64)),
        (("be-spine-00",), Fraction(48, 64)),
        (("be-spine-01",), Fraction(47, 64)),
        (("be-spine-02",), Fraction(47, 64)),
    ]
    (problem,) = waves(plan, plain([subject(plan, "be-spine-02")]), Fraction(3, 4), Width(32))[1]
    assert "be-leaf-002 47/64 of its uplinks" in problem.what


def test_a_leaf_without_servers_needs_no_floor() -> None:
    """All four leaves of the backend have the same 32 servers."""
    absent = Exceptions(slots={SlotKey("train", slot): "absent" for slot in range(32)})
    spines = [one for one in every_subject(DEMO) if one.role == "spine" and one.fabric == "backend"]
    found = made(with_exceptions(DEMO, absent), plain(spines))
    assert [len(one.devices) for one in found] == [1, 2, 1]
    assert {one.keeps for one in found} == {1}


def test_systems_have_their_own_canaries() -> None:
    found = [subject(DEMO, f"be-leaf-00{at}", system="eos" if at % 2 else "junos") for at in range(4)]
    assert [(one.canary, one.devices) for one in made(DEMO, plain(found))] == [
        (True, ("be-leaf-003",)),
        (False, ("be-leaf-001",)),
        (True, ("be-leaf-002",)),
        (False, ("be-leaf-000",)),
    ]


def test_waves_double_up_to_the_limit(tmp_path: Path) -> None:
    """Six units of four leaves: 1, 2, 4, 8, and the rest."""
    plan = inventory("demo", tmp_path / "site", "", ("slots: 0-31, planned: 192", "slots: 0-191, planned: 192"))
    leaves = [one for one in every_subject(plan) if one.role == "leaf" and one.fabric == "backend"]
    assert len(leaves) == 24
    assert [len(one.devices) for one in made(plan, plain(leaves), None, 10)] == [1, 2, 4, 8, 9]
    assert [len(one.devices) for one in made(plan, plain(leaves), None, 6)] == [1, 2, 4, 6, 6, 5]
    assert [len(one.devices) for one in made(plan, plain(leaves), None, 1)] == [1] * 24


def test_frr(tmp_path: Path) -> None:
    plan = inventory("frr", tmp_path / "site", overrides(**{"be-spine-00": "drained"}))
    (problem,) = waves(plan, plain([subject(plan, "be-spine-01", Risk.NONE)]), None, Width(32))[1]
    assert problem.fix == "return be-spine-00 to service first; or exclude be-spine-01 from this push"


def test_nothing_to_do() -> None:
    assert waves(DEMO, [], None, Width(32)) == ((), ())


def test_a_switch_that_does_not_stand() -> None:
    ghost = subject(DEMO, "be-spine-00")._replace(name="be-spine-09")
    with pytest.raises(LookupError, match="be-spine-09"):
        waves(DEMO, plain([ghost]), None, Width(32))


STATES = st.sampled_from(("drained", "absent"))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Plan, list[SwitchToChange], Fraction | None, int]:
    """A fabric of any dimensions with some states, some of its switches in any order, a floor and a limit."""
    cores, borders = draw(st.sampled_from(((0, 0), (0, 2), (2, 0), (3, 0))))  # border leaves are a frontend's
    bare = clos(
        spines=draw(st.integers(1, 5)),
        links=draw(st.integers(1, 2)),
        planes=1 if borders else draw(st.integers(1, 2)),
        pods=draw(st.integers(1, 3)) if cores else 1,
        cores=cores,
        borders=borders,
        exceptions=Exceptions(),
    )
    ports = [port for own in cables(bare).values() for one in own for port in (one.neighbors, one.far)]
    states = Exceptions(
        devices=dict.fromkeys(draw(st.lists(st.sampled_from(list(names(bare))), max_size=2)), "drained"),
        ports=draw(st.dictionaries(st.sampled_from(ports), STATES, max_size=4)) if ports else {},
        slots=draw(st.dictionaries(st.builds(SlotKey, st.just("train"), st.integers(0, 9)), STATES, max_size=6)),
    )
    plan = with_exceptions(bare, states)
    every = every_subject(plan, Risk.NONE)
    chosen = draw(st.lists(st.sampled_from(every), unique=True))
    mixed = [one._replace(system=draw(st.sampled_from(("eos", "frr")))) for one in chosen]
    floor = draw(st.none() | st.fractions(0, 1, max_denominator=8))
    return plan, mixed, floor, draw(st.integers(1, 8))


def floor_of(own: list[Cable], asked: Fraction | None) -> Fraction:
    return default_floor(own) if asked is None else asked


@rounds(150)
@given(cases(), st.randoms())
def test_properties(case: tuple[Plan, list[SwitchToChange], Fraction | None, int], random: object) -> None:
    plan, chosen, floor, limit = case
    found, problems = waves(plan, plain(chosen), floor, Width(limit))
    uplinks_of = cables(plan)
    too_much = [
        kept(own, {one.name})
        for one in chosen
        for _, own in hit(uplinks_of, {one.name})
        if kept(own, {one.name}) < floor_of(own, floor)
    ]
    if too_much:
        (problem,) = problems
        assert found == ()
        assert problem.code == "push-floor"
        assert f" {min(too_much)} of its uplinks" in problem.what
        best = min(kept(own, {one.name}) for one in chosen for _, own in hit(uplinks_of, {one.name}))
        assert problem.why.endswith(f" {best}")
        assert ("write --floor" in problem.fix) == bool(best)
        assert waves(plan, plain(chosen), best, Width(limit))[1] == ()
        return
    assert problems == ()
    assert Counter(name for wave in found for name in wave.devices) == Counter(one.name for one in chosen)
    each_wave(plan, chosen, found, floor, limit)
    kinds(plan, chosen, found, limit)
    shuffled = list(chosen)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert waves(plan, plain(shuffled), floor, Width(limit)) == (found, ())


def each_wave(
    plan: Plan, chosen: list[SwitchToChange], found: tuple[Wave, ...], floor: Fraction | None, limit: int
) -> None:
    """The floor, what is kept, pairs, and the kind of every wave."""
    uplinks_of, known = cables(plan), names(plan)
    systems = {one.name: one.system for one in chosen}
    for wave in found:
        places = [known[name][1] for name in wave.devices]
        assert {place.tier.value for place in places} == {wave.role}
        assert len({systems[name] for name in wave.devices}) == 1
        assert len(wave.devices) <= limit
        for _, own in hit(uplinks_of, wave.devices):
            assert kept(own, wave.devices) >= floor_of(own, floor)
        if wave.role in ("leaf", "border-leaf"):
            assert wave.keeps == 1
            assert len({place._replace(index=0) for place in places}) == len(places)
        else:
            assert wave.keeps == min((kept(own, wave.devices) for own in uplinks_of.values()), default=1)


def kinds(plan: Plan, chosen: list[SwitchToChange], found: tuple[Wave, ...], limit: int) -> None:
    """The order of kinds, their canaries, and how waves grow."""
    known = names(plan)
    systems = {one.name: one.system for one in chosen}
    keys = [(ORDER.index(wave.role), systems[wave.devices[0]]) for wave in found]
    assert keys == sorted(keys)
    for key in set(keys):
        own = [wave for wave, other in zip(found, keys, strict=True) if other == key]
        assert [wave.canary for wave in own] == [True] + [False] * (len(own) - 1)
        (canary,) = own[0].devices
        for at, wave in enumerate(own):
            assert len(wave.devices) <= min(2**at, max(limit, 1))
        if known[canary][1].tier is Tier.LEAF:
            others = [name for wave in own for name in wave.devices]
            assert canary == min(sorted(others, reverse=True), key=lambda name: servers(plan, name))


def servers(plan: Plan, leaf: str) -> int:
    fabric, place = names(plan)[leaf]
    return len({host.slot for host in host_ports(fabric, place) if host.present})
