"""Runs as a journal has them, made by hand."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple

from fabricgen.push.model import (
    Event,
    Head,
    Need,
    PlannedSwitch,
    RunOutcome,
    RunRecord,
    StageName,
    StepName,
    StepState,
    Wave,
)

START = datetime(2026, 3, 1, 12, 0, 0, 0, UTC)
HEAD = Head("c0ffee", "site/intent.yaml", "inventories/lab", "0123456789abcdef", "alice@jump")
LEAF, SPINES = "be-leaf-000", ("be-spine-1", "be-spine-2")
WAVES = (
    Wave(1, "backend", "leaf", True, (LEAF,), Fraction(1)),
    Wave(2, "backend", "spine", False, SPINES, Fraction(3, 4)),
)
PLANNED = (
    PlannedSwitch(
        LEAF, 1, Need.ABSENT, "no server stands behind it", "hitless", "aa", "bb", "--- a\n+++ b\n+ one\n- two\n"
    ),
    PlannedSwitch(SPINES[0], 2, Need.DRAIN, "a session falls", "session reset", "cc", "dd", "+ three\n"),
    PlannedSwitch(SPINES[1], 2, Need.DRAIN, "a session falls", "session reset", "ee", "ff", "+ three\n"),
)


class Said(NamedTuple):
    """An event, so many seconds after the start."""

    after: float
    device: str
    stage: str
    step: StepName
    how: StepState
    detail: dict[str, object]


def said(after: float, device: str, stage: str, step: StepName, how: StepState, /, **detail: object) -> Said:
    return Said(after, device, stage, step, how, detail)


def took(after: float, seconds: float, device: str, stage: str, step: StepName, /, **detail: object) -> list[Said]:
    """A step with its beginning and its end."""
    return [
        said(after, device, stage, step, StepState.BEGUN),
        said(after + seconds, device, stage, step, StepState.ENDED, **detail),
    ]


def record(
    *events: Said,
    outcome: RunOutcome | None = None,
    waves: tuple[Wave, ...] = WAVES,
    planned: tuple[PlannedSwitch, ...] = PLANNED,
) -> RunRecord:
    """A run; with an outcome it ended a second after its last event."""
    ordered = sorted(events, key=lambda one: one.after)
    kept = tuple(
        Event(START + timedelta(seconds=one.after), one.device, one.stage, one.step, one.how, one.detail)
        for one in ordered
    )
    last = kept[-1].at if kept else START
    ended = last + timedelta(seconds=1) if outcome else None
    return RunRecord(7, HEAD, START, ended, outcome, waves, planned, kept)


def changed(device: str, after: float, *, drained: bool) -> list[Said]:
    """A switch that is changed as it should be: 10 s without a drain, 30 s with one."""
    before = {"passed": 1204, "findings": 3}
    checked: dict[str, object] = {"before": before, "after": {"passed": 1205, "findings": 2}, "new": [], "waits": 2}
    rows = took(after - 1, 0.5, device, "", StepName.READ, found="differs", lines=12)
    if drained:
        stage = StageName.DRAIN
        quiet = {"ports": {"swp1": 1200, "swp2": 900}, "limit": 10_000, "polls": 5, "seconds": 4.2}
        rows += took(after, 1, device, stage, StepName.LOAD, lines=3)
        rows += took(after + 1, 2, device, stage, StepName.COMMIT, seconds=120)
        rows += took(after + 3, 5, device, stage, StepName.QUIET, **quiet)
        rows += took(after + 8, 2, device, stage, StepName.CONFIRM)
        after += 10
    for stage in (StageName.CHANGE, StageName.UNDRAIN) if drained else (StageName.CHANGE,):
        rows += took(after, 1, device, stage, StepName.LOAD, lines=12)
        rows += took(after + 1, 2, device, stage, StepName.COMMIT, seconds=120)
        rows += took(after + 3, 5.25, device, stage, StepName.CHECK, **checked)
        rows += took(after + 8.25, 1.75, device, stage, StepName.CONFIRM)
        after += 10
    return [*rows, said(after, device, "", StepName.DONE, StepState.ENDED, how="pushed")]


def whole_check(after: float) -> list[Said]:
    """The last check of the whole, which finds nothing."""
    detail: dict[str, object] = {
        "before": {"passed": 2400, "findings": 3},
        "after": {"passed": 2403, "findings": 0},
        "new": [],
        "waits": 0,
    }
    return took(after, 4, "", "", StepName.CHECK, **detail)


def done() -> RunRecord:
    """A run in which all went well; be-spine-2 ran its artifact before."""
    rows = [*changed(LEAF, 2, drained=False), *changed(SPINES[0], 20, drained=True), *whole_check(60)]
    rows += took(19, 0.5, SPINES[1], "", StepName.READ, found="at the artifact")
    rows.append(said(50, SPINES[1], "", StepName.DONE, StepState.ENDED, how="at the artifact"))
    return record(*rows, outcome=RunOutcome.DONE)


def unsettled() -> RunRecord:
    """The same, with something that waits and something that the push has no part in."""
    told = {
        "pending": ["be-leaf-000: port swp9 is down (its far end is off)"],
        "excused": ["be-leaf-000: port swp8 hears nobody (it was there before)"],
    }
    found = done()
    events = (one._replace(detail={**one.detail, **told}) if "waits" in one.detail else one for one in found.events)
    return found._replace(events=tuple(events))


def broken() -> RunRecord:
    """A run whose first switch breaks what stood: it reverts, and nothing else is reached."""
    new = ["BGP session be-leaf-000 swp1 is down", "BGP session be-leaf-000 swp2 is down"]
    judged: dict[str, object] = {
        "before": {"passed": 10, "findings": 0},
        "after": {"passed": 8, "findings": 2},
        "new": new,
    }
    reason = "checks fail after the change: BGP session be-leaf-000 swp1 is down, and 1 more"
    rows = [
        *took(1, 0.5, LEAF, "", StepName.READ, found="differs"),
        *took(2, 1, LEAF, "change", StepName.LOAD),
        *took(3, 2, LEAF, "change", StepName.COMMIT, seconds=120),
        said(5, LEAF, "change", StepName.CHECK, StepState.BEGUN),
        said(35, LEAF, "change", StepName.CHECK, StepState.FAILED, **judged),
        *took(36, 2, LEAF, "", StepName.REVERT, why="reverted: it runs its previous configuration"),
        said(39, "", "", StepName.DONE, StepState.ENDED, reasons={LEAF: reason}),
    ]
    return record(*rows, outcome=RunOutcome.FAILED)


def cut() -> RunRecord:
    """The same with its cause, and with another one, as checks of today tell them."""
    causes = [
        {
            "told": "be-leaf-001: port swp18 (cabled to be-spine-01 swp2) is shut down",
            "elsewhere": True,
            "checks": {"sessions": 1, "routes": 2},
            "devices": ["be-leaf-000", "be-leaf-001"],
            "new": ["BGP session be-leaf-000 swp1 is down", "route 10.9.0.0/24 was over 2 paths, now over 1 path"],
        },
        {"told": "be-leaf-000: daemon bgpd does not run", "elsewhere": False, "checks": {}, "devices": [],
         "new": ["be-leaf-000: bgpd was running, now not running"]},
    ]  # fmt: skip
    found = broken()
    events = (
        one._replace(detail={**one.detail, "causes": causes, "more": 0}) if "new" in one.detail else one
        for one in found.events
    )
    return found._replace(events=tuple(events))


def stopped() -> RunRecord:
    """A run that a person stopped after its first wave."""
    rows = changed(LEAF, 2, drained=False)
    return record(
        *rows,
        said(20, "", "", StepName.DONE, StepState.ENDED, reason="stopped by the operator"),
        outcome=RunOutcome.STOPPED,
    )


def waiting() -> RunRecord:
    """A run that was killed when its second wave was committed and not confirmed; of be-spine-2 end not recorded."""
    rows = [
        *changed(LEAF, 2, drained=False),
        *took(20, 1, SPINES[0], "drain", StepName.COMMIT, seconds=120),
        said(20, SPINES[1], "drain", StepName.COMMIT, StepState.BEGUN),
    ]
    return record(*rows)


def killed() -> RunRecord:
    """A run that was killed while it loaded the second wave."""
    rows = [
        *changed(LEAF, 2, drained=False),
        *took(19, 0.5, SPINES[0], "", StepName.READ, found="differs", lines=4),
        *took(20, 1, SPINES[0], "drain", StepName.LOAD, lines=3),
        said(21, SPINES[0], "drain", StepName.COMMIT, StepState.BEGUN),
        said(19.5, SPINES[1], "", StepName.READ, StepState.BEGUN),
    ]
    return record(*rows)
