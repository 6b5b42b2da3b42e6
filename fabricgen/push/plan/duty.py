"""When a push may go on, how long it rests between waves, and who is told: rules of a site and of one run. Pure."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, Protocol

from fabricgen.push.plan.gates import Gates


class HookName(StrEnum):
    """Events of a run. One whose hook refuses a beginning does not begin; what has ended is only told."""

    RUN_BEGINS = "run-begins"
    WAVE_BEGINS = "wave-begins"
    WAVE_ENDED = "wave-ended"
    RUN_ENDED = "run-ended"


class Freeze(NamedTuple):
    """A time in which nothing is changed. `begins` counts, `ends` does not; both with their zone."""

    begins: datetime
    ends: datetime
    why: str


class Hook(NamedTuple):
    """A command that is told of an event. timeout: seconds."""

    command: tuple[str, ...]
    timeout: float


class RunRules(NamedTuple):
    """What a run keeps to.

    soak     seconds between two waves, behind which what changed is looked at once more
    canary   the same behind the first of its kind, at least
    freezes  no wave begins in one of them
    until    no wave begins from then on; None: at any time
    despite  why somebody goes on in spite of a freeze; empty: nobody does
    hooks    event → its command
    gates    limits of what ports count; None: nothing is compared
    """

    soak: float = 0
    freezes: tuple[Freeze, ...] = ()
    until: datetime | None = None
    despite: str = ""
    hooks: Mapping[HookName, Hook] = MappingProxyType({})
    gates: Gates | None = None
    canary: float = 0

    def rests(self, *, canary: bool) -> float:
        """Seconds behind a wave."""
        return max(self.soak, self.canary) if canary else self.soak


CANARY_SOAK = 10.0
"""Seconds behind a canary where pods wait for it side by side, without a word of the site: with the 10 s of its proof
as long as two hold timers of BGP (9 s in every profile of ours)."""
FREE = RunRules()
"""No rule."""


class HookError(Exception):
    """A hook that did not end well. The words are its own first ones, or why it did not run."""


class Caller(Protocol):
    """Runs a hook; hooks.py has the real one."""

    def __call__(self, hook: Hook, values: Mapping[str, object], /) -> None:
        """Tell it of an event, as JSON. Raises HookError."""


def frozen(rules: RunRules, now: datetime) -> Freeze | None:
    """The freeze that holds now, whether or not somebody goes on in spite of it."""
    return next((one for one in rules.freezes if one.begins <= now < one.ends), None)


def held_back(rules: RunRules, now: datetime) -> str:
    """Why no wave may begin now; empty where one may."""
    found = frozen(rules, now)
    if found is not None and not rules.despite:
        return f"changes are frozen until {moment(found.ends)}: {found.why}"
    if rules.until is not None and now >= rules.until:
        return f"the time of --until has passed: {moment(rules.until)}"
    return ""


def moment(at: datetime) -> str:
    """A time as a person of that zone reads it."""
    return f"{at:%Y-%m-%d %H:%M %z}"
