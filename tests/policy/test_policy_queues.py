"""Watchdog, schedule and buffers against published values, and each of their rules broken."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.intent.fabric import Watchdog
from fabricgen.policy.buffers import (
    PoolBudget,
    buffer_faults,
    queue_limit_octets,
    xon_offset_octets,
)
from fabricgen.policy.marking import MARKING_BY_NAME, MARKINGS, Marking
from fabricgen.policy.scheduling import WEIGHTS, QueueRow, Weights, schedule, schedule_faults


def test_the_watchdog_is_as_published() -> None:
    """AMD's guide: 200 and 400 ms with drop."""
    times = Watchdog()
    assert (times.detect_ms, times.restore_ms, times.action) == (200, 400, "drop")


EVEN = WEIGHTS._replace(roce_percent=50, best_effort_percent=50)  # NVIDIA's `roce lossless`
CISCO = WEIGHTS._replace(roce_percent=60, best_effort_percent=40)


def queues_of(marking: str, weights: Weights = WEIGHTS) -> dict[str, QueueRow]:
    return {row.traffic: row for row in schedule(MARKING_BY_NAME[marking], weights)}


def test_the_schedule_of_nvidia() -> None:
    rows = queues_of("nvidia", EVEN)
    assert {name: (row.queue, row.strict, row.weight_percent, row.cap_percent) for name, row in rows.items()} == {
        "best-effort": (0, False, 50, 100),
        "roce": (3, False, 50, 100),
        "cnp": (6, True, 0, 10),
        "control": (7, True, 0, 5),
    }
    assert [name for name, row in rows.items() if row.lossless] == ["roce"]


def test_published_weights() -> None:
    assert (WEIGHTS.roce_percent, WEIGHTS.best_effort_percent) == (95, 5)


def test_a_plan_that_puts_cnp_with_control_has_one_capped_row() -> None:
    rows = queues_of("broadcom")
    assert set(rows) == {"best-effort", "roce", "control+cnp"}
    assert (rows["control+cnp"].queue, rows["control+cnp"].cap_percent) == (7, 10 + 5)


def test_a_queue_that_the_switchs_own_packets_share_has_room_for_both() -> None:
    for marking, rides, cap in (("nvidia", False, 10), ("nvidia", True, 15), ("broadcom", False, 15)):
        rows = schedule(MARKING_BY_NAME[marking], rides=rides)
        assert [row.cap_percent for row in rows if "cnp" in row.traffic] == [cap]
        assert schedule_faults(rows) == ()


@pytest.mark.parametrize("marking", MARKINGS, ids=lambda marking: marking.name)
@pytest.mark.parametrize("weights", [WEIGHTS, EVEN, CISCO])
def test_every_schedule_is_sound(marking: Marking, weights: Weights) -> None:
    rows = schedule(marking, weights)
    assert schedule_faults(rows) == ()
    assert [row.queue for row in rows] == sorted(row.queue for row in rows)


@pytest.mark.parametrize(
    ("traffic", "change", "words"),
    [
        ("roce", {"weight_percent": 40}, "weights add up to 90"),
        ("roce", {"strict": True, "weight_percent": 0}, "strict lossless"),
        ("cnp", {"strict": False}, "CNP queue is not strict"),
        ("cnp", {"cap_percent": 100}, "the CNP queue has no cap"),
        ("control", {"cap_percent": 100}, "the control queue has no cap"),
        ("cnp", {"lossless": True}, "CNP queue is lossless"),
        ("control", {"queue": 5}, "control is not strict above"),
        ("control", {"strict": False}, "control is not strict above"),
        ("cnp", {"queue": 7}, "two rows have the same queue"),
    ],
)
def test_wrong_schedules_are_found(traffic: str, change: dict[str, Any], words: str) -> None:
    rows = queues_of("nvidia", EVEN)
    rows[traffic] = rows[traffic]._replace(**change)
    assert any(words in why for why in schedule_faults(tuple(rows.values())))


def test_an_unweighted_queue_is_found() -> None:
    rows = queues_of("nvidia", EVEN)
    rows["roce"] = rows["roce"]._replace(weight_percent=100)
    rows["best-effort"] = rows["best-effort"]._replace(weight_percent=0)
    assert schedule_faults(tuple(rows.values())) == ("a weighted queue has no weight",)


# Dell Z9864F: pool 162,539,680, headroom 33,374,584.
TH5_POOL = PoolBudget(total_octets=162_539_680, headroom_octets=33_374_584, reserved_octets=0)


def test_published_buffer_values() -> None:
    assert xon_offset_octets(254) == 3_556
    assert TH5_POOL.shared_octets == 129_165_096


def test_the_limit_of_one_queue_is_half_the_memory_at_alpha_one() -> None:
    assert queue_limit_octets(1_000_000, Fraction(1), 1) == 500_000
    assert queue_limit_octets(1_000_000, Fraction(1, 4), 4) == 125_000


def test_wrong_buffers_are_found() -> None:
    assert buffer_faults(TH5_POOL, Fraction(1)) == ()
    assert buffer_faults(TH5_POOL, Fraction(1, 16)) == ()
    (why,) = buffer_faults(TH5_POOL, Fraction(1, 64))
    assert "1/64" in why
    (why,) = buffer_faults(TH5_POOL._replace(reserved_octets=129_165_096), Fraction(1))
    assert "leave nothing" in why


@given(
    st.integers(min_value=1, max_value=10**9),
    st.fractions(min_value=Fraction(1, 128), max_value=8),
    st.integers(min_value=1, max_value=1024),
)
def test_queues_in_balance_never_take_all(shared: int, alpha: Fraction, queues: int) -> None:
    limit = queue_limit_octets(shared, alpha, queues)
    assert queues * limit < shared
    assert limit >= queue_limit_octets(shared, alpha, queues + 1)
