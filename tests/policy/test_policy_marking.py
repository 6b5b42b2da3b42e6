"""Every marking plan against its published values, and every way to spoil one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.policy.marking import (
    MARKING_BY_NAME,
    MARKINGS,
    Marking,
    dscp_map,
    lossless_classes,
    marking_faults,
    pfc_bitmap,
    priority_is_class,
    queue_map,
    shares_control,
)

NVIDIA = MARKING_BY_NAME["nvidia"]

# name → data DSCP, PFC priority, queue, CNP DSCP, CNP queue
PUBLISHED = {
    "nvidia": (26, 3, 3, 48, 6),
    "broadcom": (26, 3, 3, 48, 7),
    "cisco": (24, 3, 3, 48, 7),
    "arista": (26, 3, 3, 48, 6),
    "juniper": (26, 3, 4, 48, 3),
    "dell": (26, 3, 3, 48, 6),
    "amd-pollara": (24, 3, 3, 46, 6),
    "amd-26-48": (26, 3, 3, 48, 6),
    "amd-10-46": (10, 3, 3, 46, 6),
    "azure": (3, 3, 3, 48, 6),
}


def test_plans_are_as_published() -> None:
    found = {m.name: (m.data_dscp, m.priority, m.queue, m.cnp_dscp, m.cnp_queue) for m in MARKINGS}
    assert found == PUBLISHED
    assert len(MARKING_BY_NAME) == len(MARKINGS)


@pytest.mark.parametrize("marking", MARKINGS, ids=lambda marking: marking.name)
def test_every_plan_is_sound_and_cited(marking: Marking) -> None:
    assert marking_faults(marking) == ()
    assert marking.source


def test_the_map_of_nvidia_is_complete() -> None:
    classes = dscp_map(NVIDIA)
    expected = [0] * 24 + [3] * 8 + [0] * 16 + [6] + [0] * 7 + [7] + [0] * 7
    assert list(classes) == expected
    assert len(classes) == 64


def test_network_control_has_its_class_where_the_plan_leaves_it_free() -> None:
    classes = dscp_map(MARKING_BY_NAME["amd-pollara"])
    assert (classes[24], classes[26], classes[46], classes[48], classes[56]) == (3, 0, 6, 7, 7)


def test_only_the_plans_code_points_are_lossless() -> None:
    for marking in MARKINGS:
        (lossless,) = lossless_classes(marking)
        reached = tuple(dscp for dscp, number in enumerate(dscp_map(marking)) if number == lossless)
        assert reached == marking.roce_dscps


def test_queues_follow_classes() -> None:
    assert queue_map(NVIDIA) == (0, 1, 2, 3, 4, 5, 6, 7)
    assert queue_map(MARKING_BY_NAME["juniper"])[4] == 4
    assert queue_map(NVIDIA._replace(queue=5))[3] == 5


def test_what_the_nic_is_told() -> None:
    assert pfc_bitmap(NVIDIA) == (0, 0, 0, 1, 0, 0, 0, 0)
    assert pfc_bitmap(MARKING_BY_NAME["juniper"]) == (0, 0, 0, 1, 0, 0, 0, 0)


def test_plans_that_need_a_second_look_are_told_apart() -> None:
    assert [m.name for m in MARKINGS if shares_control(m)] == ["broadcom", "cisco"]
    assert [m.name for m in MARKINGS if not priority_is_class(m)] == ["juniper"]


@pytest.mark.parametrize(
    ("spoiled", "words"),
    [
        (NVIDIA._replace(data_dscp=10), "data DSCP 10"),
        (NVIDIA._replace(cnp_dscp=25), "CNP DSCP 25"),
        (NVIDIA._replace(roce_dscps=(0, 26)), "DSCP 0"),
        (NVIDIA._replace(cnp_traffic_class=3), "class 3"),
        (NVIDIA._replace(traffic_class=0), "class 0"),
        (NVIDIA._replace(control_traffic_class=3), "class 3"),
        (NVIDIA._replace(queue=6), "queue 6"),
        (NVIDIA._replace(cnp_dscp=64), "outside 0-63"),
        (NVIDIA._replace(priority=8), "outside 0-7"),
    ],
)
def test_every_spoiled_plan_is_found(spoiled: Marking, words: str) -> None:
    (why,) = marking_faults(spoiled)
    assert words in why


@given(st.sampled_from(MARKINGS), st.integers(min_value=0, max_value=63))
def test_any_code_point_has_a_class(marking: Marking, dscp: int) -> None:
    assert dscp_map(marking)[dscp] in range(8)
