"""What a run holds of its switches, and what it acts through. Values and protocols; nothing here acts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import NamedTuple, Protocol, TypeVar

from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.push.journal.journal import Journal, utc_now
from fabricgen.push.model import PlannedSwitch, StageName, Wave
from fabricgen.push.plan.by_hand import Drifts
from fabricgen.push.plan.duty import FREE, Caller, Hook, RunRules
from fabricgen.push.prove.answers import RunMoment
from fabricgen.push.prove.counter_rates import Sample
from fabricgen.push.prove.snapshots import Verdicts
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.switch import Candidate, SwitchConnection, SwitchError
from fabricgen.verify.finding import Finding, SwitchVerdict

T = TypeVar("T")

ABOVE = ("spine", "superspine")
"""Roles without servers or outside peers."""


class Fleet(Protocol):
    """Switches that are acted on, many at a time."""

    def each(self, names: Iterable[str], act: Callable[[SwitchConnection], T]) -> dict[str, T | SwitchError]:
        """Run `act` on each switch; what a switch or its driver failed at is its result."""


class Looking(Protocol):
    """What switches show, look by look; see push/prove/snapshots.py."""

    def around(self, names: Iterable[str]) -> tuple[str, ...]:
        """These switches and those beside them."""

    def look(self, name: str, switches: Iterable[str]) -> None:
        """Ask switches, and keep what they say under a name."""

    def is_kept(self, name: str, switches: Iterable[str]) -> bool:
        """Whether a look that a killed run took is there still, of all of these switches."""

    def findings(self, name: str, drained: frozenset[str] = frozenset()) -> tuple[SwitchVerdict, ...]:
        """Verdicts on the switches of a look."""

    def established(self, name: str, switch: str) -> frozenset[str] | None:
        """Addresses of the peers of a switch whose sessions stood at a look; None: not read."""

    def up(self, name: str, switch: str) -> frozenset[str] | None:
        """Names of the ports of a switch that were up at a look; None: not read."""

    def compare(self, before: str, after: str, moment: RunMoment) -> Verdicts:
        """Hold two looks against each other, and the second against the plan."""

    def samples(self, name: str, switches: Iterable[str]) -> Mapping[str, Sample]:
        """What ports had counted at a look, of those of these switches that answered."""


class RunSettings(NamedTuple):
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


def shut_down(device: Device, drained: Device) -> Device:
    """A switch with its drained self's routing and elections: last in both, with its servers' ports as they were.

    So its mate is the designated forwarder of a segment before the ports fall, and until they are up again.
    """
    lowered = {lag.esi: lag.df_preference for lag in drained.interfaces.lags}
    lags = tuple(lag._replace(df_preference=lowered.get(lag.esi, lag.df_preference)) for lag in device.interfaces.lags)
    interfaces = device.interfaces._replace(lags=lags)
    return device._replace(state=drained.state, routing=drained.routing, interfaces=interfaces)


def in_use(device: Device) -> frozenset[str]:
    """Names of the ports of a switch that are not shut."""
    return frozenset(row.name for row in device.interfaces.ethernet if row.enabled)


class SwitchWork(NamedTuple):
    """One switch.

    drained  what it is to run while it is drained; None where it need not be
    first    what drains it, of a switch with servers: what it runs now, drained. None where that is not known
    marked   before that: what it runs now, with drained sessions alone. None where its servers' ports stay as they are
    ports    before the end: the goal, with drained sessions still. None where that is all that drains it
    before   what it ran before the run, to go back to where the process that had seen it was killed. None: not known
    """

    goal: Goal
    drained: Goal | None
    first: Goal | None = None
    marked: Goal | None = None
    ports: Goal | None = None
    before: Goal | None = None

    @property
    def stages(self) -> tuple[StageName, ...]:
        """What it goes through."""
        taken = {
            StageName.MARK: self.marked is not None,
            StageName.DRAIN: self.drained is not None,
            StageName.CHANGE: self.drained is not None or self.ports is None,
            StageName.PORTS: self.ports is not None,
            StageName.UNDRAIN: self.drained is not None or self.ports is not None,
        }
        return tuple(stage for stage, is_taken in taken.items() if is_taken)

    def candidate(self, stage: StageName) -> Candidate:
        """What is committed in a stage; that of DRAIN comes from what runs."""
        given = {StageName.MARK: self.marked, StageName.CHANGE: self.drained, StageName.PORTS: self.ports}
        return (given.get(stage) or self.goal).candidate

    def reached(self, box: SwitchConnection) -> StageName:
        """Stage that comes next on a switch that this run has changed already, by what runs there."""
        runs = ((self.ports, StageName.UNDRAIN), (self.drained, StageName.PORTS), (self.first, StageName.DRAIN))
        found = (after for goal, after in runs if goal is not None and not box.compare(goal.candidate))
        stage = next(found, self.stages[0])
        return stage if stage in self.stages else StageName.UNDRAIN


def no_hook(hook: Hook, values: Mapping[str, object], /) -> None:
    """Nobody is told."""


def shown(planned: PlannedSwitch) -> str:
    """A difference as its driver says it."""
    return planned.difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a run acts through.

    work      a switch's name → what is to be done on it; made when its wave begins
    goals     a switch's name → what it is to run in the end; None: that of its work, which may take longer to make
    claim     that this run is at work on a switch; None where nobody is told
    rules     when a wave may begin, how long is rested behind one, and who is told; call: tells them
    now       the present moment, with its zone
    floor     findings before a wave, and the wave → problems where it would leave a leaf too little
    stop      set by a person: nothing new begins
    tell      a line for the terminal
    added         words of the lines that the change of a switch adds, see push/prove/change_scope.py
    signed        what a commit would change on a switch, with - and + before lines that go and come
    probe         packets over every equal-cost path, with these switches still to be changed; None: none are sent
    drifts        switch → how lines of its configurations are told apart; None where nobody can
    interruption  seconds for which the change of a switch may interrupt what stood; None where nobody knows
    """

    fleet: Fleet
    journal: Journal
    checks: Looking
    work: Callable[[str], SwitchWork]
    floor: Callable[[Wave, Iterable[Finding]], Iterable[Problem]]
    settings: RunSettings
    stop: Event
    tell: Callable[[str], None]
    wait: Callable[[float], None]
    clock: Callable[[], float]
    interruption: Callable[[PlannedSwitch], float | None]
    added: Callable[[PlannedSwitch], frozenset[str]]
    signed: Callable[[PlannedSwitch], str] = shown
    probe: Callable[[frozenset[str]], Iterable[SwitchVerdict]] | None = None
    claim: RunClaim | None = None
    rules: RunRules = FREE
    call: Caller = no_hook
    now: Callable[[], datetime] = utc_now
    goals: Callable[[str], Goal] | None = None
    drifts: Callable[[str], Drifts] | None = None

    def goal(self, name: str) -> Goal:
        """What a switch is to run in the end."""
        return self.goals(name) if self.goals is not None else self.work(name).goal


class SwitchStage(NamedTuple):
    """Where a switch stands when its wave begins. `stage`: the next one; None: it is at its artifact.

    token  of a commit of this run that waits for its confirmation
    """

    stage: StageName | None
    token: str | None = None


class RunStopped(Exception):  # noqa: N818  # no error
    """Nothing was begun that is not undone, and nothing more is begun: a person, or a rule, asked for it."""

    def __init__(self, reason: str = "stopped by hand before the next switch") -> None:
        super().__init__(reason)
        self.reason = reason


class Failed(Exception):  # noqa: N818  # of a run, told in its report
    """A run cannot go on. reasons: switch → why."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in reasons.items()))
        self.reasons = dict(reasons)
