"""What goes at the same time, by a judge that looks at waves and cables alone.

Never two planes, both of a pair, or two fabrics without a word; pods side by side as far as floors allow.
"""

from collections import Counter
from collections.abc import Collection
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Risk
from fabricgen.push.model import Decision, Need, Wave
from fabricgen.push.plan.waves import ROUNDS, Together, Width, side_by_side, waves
from tests.checks.intents import plan as demo_plan
from tests.push.push_plans import cables, clos, default_floor, every_subject, hit, kept, names
from tests.some import rounds

DEMO = demo_plan()
OF_POD, LEAST = 32, 32
"""Most of a pod, and of a wave whatever the workers: as documented."""
EVERY = frozenset(Together)


def decided(plan: Plan, drained: Collection[str] = ()) -> list[Decision]:
    rows = every_subject(plan, Risk.HITLESS)
    return [Decision(one, Need.DRAIN if one.name in drained else Need.PLAIN, "") for one in rows]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Plan, list[Decision], Fraction | None, Width]:
    """A fabric of several planes or pods, or with pairs; any of its switches, some of them drained; any width."""
    cores, borders = draw(st.sampled_from(((0, 0), (0, 2), (0, 4), (2, 0), (3, 0))))  # border leaves are a frontend's
    plan = clos(
        spines=draw(st.integers(2, 5)),
        links=draw(st.integers(1, 2)),
        planes=1 if borders else draw(st.integers(1, 3)),
        pods=draw(st.integers(1, 4)) if cores else 1,
        cores=cores,
        borders=borders,
        exceptions=Exceptions(),
    )
    every = decided(plan, draw(st.sets(st.sampled_from(sorted(names(plan))), max_size=3)))
    chosen = draw(st.lists(st.sampled_from(every), unique=True, min_size=1)) if draw(st.booleans()) else every
    floor = draw(st.sampled_from((None, Fraction(0), Fraction(1, 2))))
    limit = draw(st.none() | st.integers(1, 8))
    together = draw(st.sampled_from((frozenset[Together](), EVERY, *(frozenset({one}) for one in Together))))
    return plan, chosen, floor, Width(limit, draw(st.integers(1, 32)), together)


def part(place: Place) -> tuple[int, int]:
    """Pod of a plane; of a superspine its core group."""
    return place.plane, place.su if place.tier is Tier.SUPERSPINE else place.pod


def pair(place: Place) -> tuple[object, ...]:
    return (place.tier, place.group, place.plane, place.pod, place.su, place.rail)


def forbidden(plan: Plan, wave: Collection[str], drained: Collection[str], width: Width) -> list[str]:
    """What may not go together in a wave, and does."""
    found, known = [], names(plan)
    fabrics = {known[name][0].name for name in wave}
    planes = {(known[name][0].name, known[name][1].plane) for name in wave}
    pairs: dict[tuple[object, ...], list[str]] = {}
    for name in wave:
        if known[name][1].tier in (Tier.LEAF, Tier.BORDER):
            pairs.setdefault((known[name][0].name, *pair(known[name][1])), []).append(name)
    if len(fabrics) > 1 and Together.FABRICS not in width.together:
        found.append(f"fabrics {fabrics}")
    if len(planes) > len(fabrics) and Together.PLANES not in width.together:
        found.append(f"planes {planes}")
    for own in pairs.values():
        if len(own) > 1 and (Together.PAIRS not in width.together or set(own) & set(drained)):
            found.append(f"pair {own}")
    return found


def below_floor(plan: Plan, wave: Collection[str], floor: Fraction | None) -> list[str]:
    """Switches that would keep too little of their uplinks, counted cable by cable."""
    return [
        lower
        for lower, own in hit(cables(plan), wave)
        if kept(own, wave) < (default_floor(own) if floor is None else floor)
    ]


@rounds(120)
@given(cases())
def test_nothing_goes_together_that_may_not(case: tuple[Plan, list[Decision], Fraction | None, Width]) -> None:
    plan, chosen, floor, width = case
    drained = {one.subject.name for one in chosen if one.need is Need.DRAIN}
    found, problems = waves(plan, chosen, floor, width)
    assert problems == ()
    assert Counter(name for wave in found for name in wave.devices) == Counter(one.subject.name for one in chosen)
    for wave in found:
        assert forbidden(plan, wave.devices, drained, width) == []
        assert below_floor(plan, wave.devices, floor) == []
        assert len(wave.devices) <= (width.limit or max(LEAST, ROUNDS * width.workers))
    begun = set[str]()
    for wave in found:
        assert wave.canary == (wave.role not in begun)
        assert len(wave.devices) == 1 or not wave.canary
        begun.add(wave.role)


@settings(max_examples=80, deadline=None)
@given(cases())
def test_what_may_go_at_once_goes_at_once(case: tuple[Plan, list[Decision], Fraction | None, Width]) -> None:
    """Of several pods: no spine or leaf of a later wave of its kind could have gone with an earlier one."""
    plan, chosen, floor, width = case
    if width.limit is not None or any(one.need is Need.DRAIN for one in chosen):
        return
    (fabric,) = plan.fabrics.values()
    if fabric.shape.pods < 2:
        return
    found, _ = waves(plan, chosen, floor, width)
    places = {name: place for name, (_, place) in names(plan).items()}
    for at, wave in enumerate(found):
        if wave.canary or wave.role == "superspine" or len(wave.devices) >= max(LEAST, ROUNDS * width.workers):
            continue
        each = Counter(part(places[name]) for name in wave.devices)
        for later in found[at + 1 :]:
            for name in later.devices if later.role == wave.role else ():
                more = (*wave.devices, name)
                is_full = each[part(places[name])] >= OF_POD
                assert is_full or forbidden(plan, more, (), width) or below_floor(plan, more, floor), (name, wave)


THREE_TIERS = clos(spines=3, links=1, planes=2, pods=4, cores=2, borders=0, exceptions=Exceptions())


def shown(found: tuple[Wave, ...], role: str) -> list[tuple[bool, list[str]]]:
    return [(wave.canary, list(wave.devices)) for wave in found if wave.role == role]


def test_pods_go_side_by_side_behind_the_canary_and_planes_do_not() -> None:
    """Three spines, of which leaves keep two: one of each of four pods at a time. Four leaves a pod, all at once."""
    found, problems = waves(THREE_TIERS, decided(THREE_TIERS), None, Width())
    assert problems == ()
    places = {name: place for name, (_, place) in names(THREE_TIERS).items()}
    spines = [Counter(part(places[name]) for name in devices) for _, devices in shown(found, "spine")]
    assert spines[0] == {(1, 3): 1}
    assert spines[1:4] == [Counter({(0, pod): 1 for pod in range(4)})] * 3
    assert [sum(each.values()) for each in spines[4:]] == [4, 4, 3]
    leaves = [Counter(part(places[name]) for name in devices) for _, devices in shown(found, "leaf")]
    assert leaves == [
        Counter({(1, 3): 1}),
        Counter({(0, pod): 4 for pod in range(4)}),
        Counter({**{(1, pod): 4 for pod in range(3)}, (1, 3): 3}),
    ]
    both, _ = waves(THREE_TIERS, decided(THREE_TIERS), None, Width(together=frozenset({Together.PLANES})))
    assert [len(devices) for _, devices in shown(both, "leaf")] == [1, 31]
    assert len(both) < len(found)


def test_what_interrupts_doubles_in_each_pod() -> None:
    """Of four leaves a pod in four pods and two planes: a canary, two of each pod, what is left there, the other plane.

    One of them that is drained is enough.
    """
    (some, *_) = [one.subject.name for one in decided(THREE_TIERS) if one.subject.role == "leaf"]
    found, _ = waves(THREE_TIERS, decided(THREE_TIERS, [some]), None, Width())
    assert [len(devices) for _, devices in shown(found, "leaf")] == [1, 8, 8, 15]


def test_a_limit_that_is_typed_is_of_the_whole_wave() -> None:
    found, _ = waves(THREE_TIERS, decided(THREE_TIERS), None, Width(limit=4))
    assert max(len(wave.devices) for wave in found) == 4
    assert [len(devices) for _, devices in shown(found, "leaf")][:3] == [1, 2, 4]


@pytest.mark.parametrize("workers", [1, 16, 24])
def test_a_wave_is_no_wider_than_what_is_asked_at_once_allows(workers: int) -> None:
    """64 leaves: two planes of eight pods of four."""
    plan = clos(spines=2, links=1, planes=2, pods=8, cores=2, borders=0, exceptions=Exceptions())
    found, _ = waves(plan, decided(plan), None, Width(workers=workers, together=frozenset({Together.PLANES})))
    assert [len(devices) for _, devices in shown(found, "leaf")] == [1, *((48, 15) if workers > 16 else (32, 31))]


def test_backend_and_frontend_go_together_when_asked() -> None:
    """Each fabric's canary of a kind goes alone still."""
    apart, _ = waves(DEMO, decided(DEMO), None, Width())
    assert {wave.fabric for wave in apart} == {"backend", "frontend"}
    found, _ = waves(DEMO, decided(DEMO), None, Width(together=frozenset({Together.FABRICS})))
    assert [(wave.fabric, wave.canary, wave.devices) for wave in found if wave.role == "leaf"] == [
        ("backend", True, ("be-leaf-003",)),
        ("frontend", True, ("fe-leaf-005",)),
        ("backend and frontend", False, ("be-leaf-000", "be-leaf-001", "fe-leaf-000", "fe-leaf-002")),
        ("backend and frontend", False, ("be-leaf-002", "fe-leaf-001", "fe-leaf-003", "fe-leaf-004")),
    ]
    assert [wave.number for wave in found] == list(range(1, len(found) + 1))
    assert {wave.keeps for wave in found if wave.role == "spine"} == {Fraction(3, 4)}


def test_what_stands_in_for_each_other_goes_together_when_asked_and_is_not_drained() -> None:
    plan = clos(spines=2, links=1, planes=1, pods=1, cores=0, borders=3, exceptions=Exceptions())
    asked = Width(together=frozenset({Together.PAIRS}))
    borders = [one.subject.name for one in decided(plan) if one.subject.role == "border-leaf"]
    last = borders.pop()
    assert shown(waves(plan, decided(plan), None, asked)[0], "border-leaf") == [(True, [last]), (False, borders)]
    for width, drained in ((Width(), ()), (asked, borders[:1])):
        found, _ = waves(plan, decided(plan, drained), None, width)
        assert [devices for _, devices in shown(found, "border-leaf")] == [[last], *([one] for one in borders)]


def test_fabrics_together_are_no_wider_than_is_typed() -> None:
    found, _ = waves(DEMO, decided(DEMO), None, Width(limit=3, together=frozenset({Together.FABRICS})))
    assert max(len(wave.devices) for wave in found) <= 3


def test_what_is_side_by_side() -> None:
    found, _ = waves(THREE_TIERS, decided(THREE_TIERS), None, Width())
    assert side_by_side(THREE_TIERS, found)
    assert not side_by_side(THREE_TIERS, [wave for wave in found if wave.canary])
    assert not side_by_side(DEMO, waves(DEMO, decided(DEMO), None, Width())[0])
