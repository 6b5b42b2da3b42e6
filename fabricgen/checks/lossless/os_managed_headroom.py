"""Headroom that an operating system reserves by itself: the number is unknown, so it cannot be checked."""

from collections.abc import Iterator

from fabricgen.checks.lossless.buffers import sets_aside
from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, boxes, budget_of
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS


def unproven(plan: Plan) -> Iterator[Problem]:
    """The chip's buffer is known, or the system does not reserve headroom by itself: else the pool cannot be checked.

    Nor can it be checked that marking begins before pausing: both need a test on the switch, with counters of drops and
    pauses.
    """
    boxes_by_model = {
        (box.name, box.chassis.switch.model): box for box in boxes(plan) if sets_aside(box) and budget_of(box) is None
    }
    yield from map(_unproven, boxes_by_model.values())


def _unproven(box: LosslessSwitch) -> Problem:
    platform = PLATFORMS[box.chassis.system.partition("-")[0]]
    return Problem(
        code="headroom-unproven",
        what=f"cannot check whether {box.chassis.switch.model} is lossless on {box.name}",
        where=box.where,
        why=f"{platform.title} reserves headroom itself for cables of up to {platform.own_headroom_m} m, and no "
        f"source gives the size of that buffer",
        fix="waive headroom-unproven with what you have measured, or add the chip's sizes to a file of your own in "
        "hardware/",
    )
