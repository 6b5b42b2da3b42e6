"""When a push may continue, how long it waits between waves, and its hooks: rules of a site and of one run. Pure."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, Protocol

from fabricgen.push.plan.gates import Gates


class HookName(StrEnum):
    """Events of a run. A failed hook of a beginning stops it; a hook of an end is only informed."""

    RUN_BEGINS = "run-begins"
    WAVE_BEGINS = "wave-begins"
    WAVE_ENDED = "wave-ended"
    RUN_ENDED = "run-ended"


class Freeze(NamedTuple):
    """A period without changes. `begins` is included, `ends` is not; both with their zone."""

    begins: datetime
    ends: datetime
    why: str


class Hook(NamedTuple):
    """A command that runs at an event. timeout: seconds."""

    command: tuple[str, ...]
    timeout: float


class RunRules(NamedTuple):
    """Rules of a run.

    soak     seconds between two waves, after which the changed switches are verified once more
    canary   the same after the first of its kind, at least
    freezes  no wave begins in one of them
    until    no wave begins from then on; None: at any time
    despite  why a person continues in spite of a freeze; empty: nobody does
    hooks    event → its command
    gates    limits of port counters; None: counters are not compared
    """

    soak: float = 0
    freezes: tuple[Freeze, ...] = ()
    until: datetime | None = None
    despite: str = ""
    hooks: Mapping[HookName, Hook] = MappingProxyType({})
    gates: Gates | None = None
    canary: float = 0

    def pause_after(self, *, canary: bool) -> float:
        """Seconds after a wave."""
        return max(self.soak, self.canary) if canary else self.soak


CANARY_SOAK = 10.0
"""Default seconds after a canary where pods wait for it in parallel: with the 10 s of its verification as long as two
BGP hold timers (9 s in every profile of ours).
"""
FREE = RunRules()
"""No rules."""


class HookError(Exception):
    """A hook that failed. The text is the beginning of its output, or why it did not run."""


class Caller(Protocol):
    """Runs a hook; the implementation is in hooks.py."""

    def __call__(self, hook: Hook, values: Mapping[str, object], /) -> None:
        """Pass it an event, as JSON. Raises HookError."""


def frozen(rules: RunRules, now: datetime) -> Freeze | None:
    """The freeze in effect now, whether or not a person continues in spite of it."""
    return next((freeze for freeze in rules.freezes if freeze.begins <= now < freeze.ends), None)


def why_not_now(rules: RunRules, now: datetime) -> str:
    """Why no wave may begin now; empty where one may."""
    freeze = frozen(rules, now)
    if freeze is not None and not rules.despite:
        return f"changes are frozen until {moment(freeze.ends)}: {freeze.why}"
    if rules.until is not None and now >= rules.until:
        return f"the time of --until has passed: {moment(rules.until)}"
    return ""


def moment(at: datetime) -> str:
    """A time in its own zone, for people."""
    return f"{at:%Y-%m-%d %H:%M %z}"
