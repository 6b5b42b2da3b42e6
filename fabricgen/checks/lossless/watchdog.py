"""Times of the PFC watchdog that an operating system takes in steps of its own."""

from collections.abc import Iterator

from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, boxes, planned_qos, rendered_of
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.qos import watchdog

TIMES = ("detect_ms", "restore_ms")
LONGEST_STEP = 1000
"""Milliseconds within which each system has a time that its file has exactly."""


def rounded_watchdog(plan: Plan) -> Iterator[Problem]:
    """Times of the PFC watchdog are in the files as the intent has them; else the time that is there is named.

    A warning: each system has steps or a least time of its own, and `plan` shows the time in its file.
    Source: the rounding of each platform, which its capability row pfc-watchdog and its NOTES.md cite.
    """
    found: dict[tuple[str, str, int], LosslessSwitch] = {}
    for box in boxes(plan):
        told, asked = rendered_of(box).watchdog, box.lossless.fabric.roce.watchdog
        for key in TIMES:
            value = getattr(told, key)
            if value is not None and value != getattr(asked, key):
                found.setdefault((box.name, key, value), box)
    for (_, key, value), box in found.items():
        yield _rounded(box, key, value)


def _rounded(box: LosslessSwitch, key: str, value: int) -> Problem:
    title = PLATFORMS[box.chassis.system.partition("-")[0]].title
    asked = getattr(box.lossless.fabric.roce.watchdog, key)
    return Problem(
        code="watchdog-rounded",
        what=f"{key} of {box.name} is {asked} ms, and the file of {title} has {value} ms",
        where=("fabrics", box.name, "roce", "watchdog", key),
        why=f"{title} counts in steps, or has a least time: {asked} ms is none of them",
        fix=f"write {key}: {_exact(box, key, asked)}",
    )


def _exact(box: LosslessSwitch, key: str, asked: int) -> int:
    """The next time that the file has as the intent has it: what it rounds to depends on how often it looks."""
    fabric, qos = box.lossless.fabric, planned_qos(box)
    for value in range(asked, asked + LONGEST_STEP):
        times = fabric.roce.watchdog.model_copy(update={key: value})
        roce = fabric.roce.model_copy(update={"watchdog": times})
        changed = qos._replace(watchdog=watchdog(fabric.model_copy(update={"roce": roce})))
        if getattr(rendered_of(box, changed).watchdog, key) == value:
            return value
    return asked
