"""Times of the PFC watchdog that an operating system rounds."""

from collections.abc import Iterator

from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, boxes, planned_qos, rendered_of
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.qos import watchdog

TIMES = ("detect_ms", "restore_ms")
LONGEST_STEP = 1000
"""Milliseconds within which each system has a time that its file can express exactly."""


def rounded_watchdog(plan: Plan) -> Iterator[Problem]:
    """The file of a switch has the times of the PFC watchdog that the intent has.

    Each system has its own steps or a minimum, and rounds other times. The warning names the time in the file, and
    `plan` shows it.
    Source: the rounding of each platform, which its capability row pfc-watchdog and its NOTES.md cite.
    """
    rounded: dict[tuple[str, str, int], LosslessSwitch] = {}
    for box in boxes(plan):
        rendered, asked = rendered_of(box).watchdog, box.lossless.fabric.roce.watchdog
        for key in TIMES:
            value = getattr(rendered, key)
            if value is not None and value != getattr(asked, key):
                rounded.setdefault((box.name, key, value), box)
    for (_, key, value), box in rounded.items():
        yield _rounded(box, key, value)


def _rounded(box: LosslessSwitch, key: str, value: int) -> Problem:
    title = PLATFORMS[box.chassis.system.partition("-")[0]].title
    asked = getattr(box.lossless.fabric.roce.watchdog, key)
    return Problem(
        code="watchdog-rounded",
        what=f"{key} of {box.name} is {asked} ms, and {title} is configured with {value} ms",
        where=("fabrics", box.name, "roce", "watchdog", key),
        why=f"{title} has a minimum or a step for this time, and {asked} ms does not fit it",
        fix=f"write {key}: {_exact(box, key, asked)}",
    )


def _exact(box: LosslessSwitch, key: str, asked: int) -> int:
    """Return the next time that is rendered exactly. Rounding depends on the polling interval, so each is rendered."""
    fabric, qos = box.lossless.fabric, planned_qos(box)
    for value in range(asked, asked + LONGEST_STEP):
        times = fabric.roce.watchdog.model_copy(update={key: value})
        roce = fabric.roce.model_copy(update={"watchdog": times})
        changed = qos._replace(watchdog=watchdog(fabric.model_copy(update={"roce": roce})))
        if getattr(rendered_of(box, changed).watchdog, key) == value:
            return value
    return asked
