"""Three tiers and planes in a push: who is behind a superspine, what waves leave to spines and to pods."""

from fractions import Fraction

import pytest

from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import place_of
from fabricgen.plan.plan import Plan
from fabricgen.push.model import Wave
from fabricgen.push.plan.capacity_floor import UplinkCapacity
from fabricgen.push.plan.impact import FabricImpact
from fabricgen.push.plan.pod_floor import PodFloor
from fabricgen.push.plan.waves import Width, waves
from fabricgen.push.report.model import WaveResult
from fabricgen.push.report.words import wave_words
from tests.push.push_plans import clos, every_subject, plain
from tests.resolve import tiers

ONE_CORE = tiers.three_tiers(cores=1)
TWO_CORES = tiers.three_tiers()


def behind(plan: Plan, name: str) -> tuple[bool, int, tuple[str, ...]]:
    fabric = plan.fabrics["backend"]
    place = place_of(fabric, name)
    assert place is not None
    found = FabricImpact(plan, fabric).affected_by(place)
    return found.used, len(found.cut), found.others


def test_a_superspine_alone_in_its_group_cuts_nobody_while_other_spines_have_a_way_up() -> None:
    """Its spines have no uplink left; leaves of their pods have another spine, which has."""
    assert behind(ONE_CORE, "be-super-00") == (True, 0, ())
    assert behind(TWO_CORES, "be-super-00") == (True, 0, ("be-super-01",))


@pytest.mark.parametrize("gone", ["be-super-01", "be-spine-01"])
def test_a_superspine_cuts_those_for_whom_it_is_the_last_way(gone: str) -> None:
    """With core group 1 away, or spine 1 of the first pod, spine 0 of that pod is the one way up for its servers."""
    drained = tiers.three_tiers(exceptions=Exceptions(devices={gone: "drained"}), cores=1)
    used, cut, _ = behind(drained, "be-super-00")
    assert used
    assert cut == (4 if gone == "be-super-01" else 2)


def test_superspines_come_first_then_spines_then_leaves() -> None:
    found, problems = waves(TWO_CORES, plain(every_subject(TWO_CORES)), None, Width(32))
    assert problems == ()
    assert list(dict.fromkeys(wave.role for wave in found)) == ["superspine", "spine", "leaf"]
    assert all(wave.keeps >= Fraction(1, 2) for wave in found)


def test_one_superspine_of_each_group_together_are_too_many_for_a_pod() -> None:
    """Two groups of two: with one of each away every spine has half of its uplinks, and so has its pod."""
    fabric = TWO_CORES.fabrics["backend"]
    places = [place_of(fabric, f"be-super-{number:02}") for number in range(4)]
    one, other = (place for place in (places[0], places[2]) if place is not None)
    assert PodFloor(UplinkCapacity(fabric), None).fit({one})
    assert PodFloor(UplinkCapacity(fabric), None).fit({one, other})  # two spines: half may be away
    assert not PodFloor(UplinkCapacity(fabric), Fraction(3, 4)).fit({one, other})
    assert PodFloor(UplinkCapacity(fabric), Fraction(3, 4)).fit({one})
    third = place_of(fabric, "be-super-01")
    assert third is not None
    assert not PodFloor(UplinkCapacity(fabric), None).fit({one, other, third})
    spine, leaf = place_of(fabric, "be-spine-00"), place_of(fabric, "be-leaf-000")
    assert spine is not None
    assert leaf is not None
    assert PodFloor(UplinkCapacity(fabric), Fraction(1)).fit({spine, leaf}), (
        "what is below takes nothing of a pod's way out"
    )


def test_one_core_a_group_never_goes_with_that_of_another_group() -> None:
    """Spines of one superspine have no floor of their own to keep, as any change takes all; the pod's holds."""
    fabric = ONE_CORE.fabrics["backend"]
    cores = {place for number in (0, 1) if (place := place_of(fabric, f"be-super-{number:02}")) is not None}
    assert len(cores) == 2
    assert not PodFloor(UplinkCapacity(fabric), None).fit(cores)
    assert all(PodFloor(UplinkCapacity(fabric), None).fit({core}) for core in cores)


def test_of_a_plane_it_is_told_that_its_slices_have_no_other_leaf() -> None:
    plan = tiers.planes()
    fabric = plan.fabrics["backend"]
    place = place_of(fabric, "be-leaf-002")
    assert place is not None
    found = FabricImpact(plan, fabric).affected_by(place)
    assert found.why == "their NICs have no other leaf of this plane"
    assert len(found.cut) == 2


def test_a_leaf_of_a_plane_of_rails_takes_its_rail_from_two_servers() -> None:
    plan = tiers.rail_planes()
    fabric = plan.fabrics["backend"]
    place = place_of(fabric, "be-leaf-003")
    assert place is not None
    found = FabricImpact(plan, fabric).affected_by(place)
    assert (len(found.cut), found.why) == (2, "their NICs have no other leaf of this plane")


@pytest.mark.parametrize(("floor", "sizes"), [(None, [1, 1, 1, 1]), (Fraction(0), [1, 2, 1])])
def test_waves_of_superspines_keep_the_pods_floor(floor: Fraction | None, sizes: list[int]) -> None:
    """Four groups of one: of four spines' worth of a pod's way out one may be away, or as many as is asked."""
    plan = clos(spines=4, links=1, planes=1, pods=2, cores=1, borders=0, exceptions=Exceptions())
    found, problems = waves(plan, plain(every_subject(plan)), floor, Width(32))
    assert problems == ()
    assert [len(wave.devices) for wave in found if wave.role == "superspine"] == sizes


def test_a_report_says_who_keeps_uplinks() -> None:
    for role, words in (("superspine", "spines keep"), ("spine", "leaves keep")):
        wave = Wave(number=2, fabric="backend", role=role, canary=False, devices=(), keeps=Fraction(1, 2))
        assert words in wave_words(WaveResult(wave, None, None, ()))
