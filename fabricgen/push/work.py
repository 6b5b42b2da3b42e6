"""What a run holds of its switches, and what it acts through. Values and protocols; nothing here acts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from threading import Event
from typing import NamedTuple, Protocol, TypeVar

from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.push.box import Box, BoxError, Candidate
from fabricgen.push.checks import Moment, Verdicts
from fabricgen.push.goal import Goal
from fabricgen.push.journal import Journal
from fabricgen.push.model import StageName, Wave
from fabricgen.verify.finding import Finding, Verdict

T = TypeVar("T")

ABOVE = ("spine", "superspine")
"""Roles without servers or outside peers."""


class Fleet(Protocol):
    """Switches that are acted on, many at a time."""

    def each(self, names: Iterable[str], act: Callable[[Box], T]) -> dict[str, T | BoxError]:
        """Run `act` on each switch; what a switch or its driver failed at is its result."""


class Looking(Protocol):
    """What switches show, look by look; see push/checks.py."""

    def around(self, names: Iterable[str]) -> tuple[str, ...]:
        """These switches and those beside them."""

    def look(self, name: str, switches: Iterable[str]) -> None:
        """Ask switches, and keep what they say under a name."""

    def findings(self, name: str, drained: frozenset[str] = frozenset()) -> tuple[Verdict, ...]:
        """Verdicts on the switches of a look."""

    def established(self, name: str, switch: str) -> frozenset[str] | None:
        """Addresses of the peers of a switch whose sessions stood at a look; None: not read."""

    def compare(self, before: str, after: str, moment: Moment) -> Verdicts:
        """Hold two looks against each other, and the second against the plan."""


class Settings(NamedTuple):
    """Times and limits. Seconds, and bits per second.

    watch     a change must look right when so much time has gone by: what BGP's hold timer (9 s in every profile of
              ours) and a daemon's delay behind a changed policy (5 s in those we know) have not undone by then stands
    converge  by then it must look right, else it is reverted
    confirm   the switch itself reverts a change that is not confirmed after so long
    quiet     ports of a drained switch must be quiet by then
    limit     below it a port is quiet; polls: so many times in a row; interval: between two
    """

    watch: float = 10
    converge: float = 90
    confirm: int = 240
    quiet: float = 300
    limit: int = 100_000
    polls: int = 3
    interval: float = 2


def is_above(device: Device) -> bool:
    """Whether all its traffic is other switches' own, so that maps at its sessions send it another way."""
    return device.role in ABOVE


class Work(NamedTuple):
    """One switch.

    drained  what it is to run while it is drained; None where it need not be
    first    what drains it, of a switch with servers: what it runs now, drained. None where that is not known
    """

    goal: Goal
    drained: Goal | None
    first: Goal | None = None

    @property
    def stages(self) -> tuple[StageName, ...]:
        """What it goes through."""
        if self.drained is None:
            return (StageName.CHANGE,)
        return (StageName.DRAIN, StageName.CHANGE, StageName.UNDRAIN)

    def candidate(self, stage: StageName) -> Candidate:
        """What is committed in CHANGE and UNDRAIN; that of DRAIN comes from what runs."""
        held = self.drained if stage is StageName.CHANGE and self.drained is not None else self.goal
        return held.candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a run acts through.

    work      a switch's name → what is to be done on it; made when its wave begins
    floor     findings before a wave, and the wave → problems where it would leave a leaf too little
    stop      set by a person: nothing new begins
    tell      a line for the terminal
    """

    fleet: Fleet
    journal: Journal
    checks: Looking
    work: Callable[[str], Work]
    floor: Callable[[Wave, Iterable[Finding]], Iterable[Problem]]
    settings: Settings
    stop: Event
    tell: Callable[[str], None]
    wait: Callable[[float], None]
    clock: Callable[[], float]


class Spot(NamedTuple):
    """Where a switch stands when its wave begins. `stage`: the next one; None: it is at its artifact.

    token  of a commit of this run that waits for its confirmation
    """

    stage: StageName | None
    token: str | None = None


class Stopped(Exception):  # noqa: N818  # no error
    """A person asked for it, and nothing was begun that is not undone."""


class Failed(Exception):  # noqa: N818  # of a run, told in its report
    """A run can not go on. reasons: switch → why."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in reasons.items()))
        self.reasons = dict(reasons)
