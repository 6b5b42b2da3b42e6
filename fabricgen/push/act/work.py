"""Data and interfaces of a run. Values and protocols; nothing here acts."""

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
from fabricgen.push.plan.duty import FREE, Caller, RunRules
from fabricgen.push.prove.answers import RunMoment
from fabricgen.push.prove.counter_rates import Sample
from fabricgen.push.prove.snapshots import Verdicts
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.verify.finding import Finding, SwitchVerdict

T = TypeVar("T")

ABOVE = ("spine", "superspine")
"""Roles without servers or outside peers."""


class Fleet(Protocol):
    """Switches that are acted on, many in parallel."""

    def each(self, names: Iterable[str], act: Callable[[SwitchConnection], T]) -> dict[str, T | SwitchError]:
        """Run `act` on each switch. An error of a switch or its driver is its result."""


class Snapshots(Protocol):
    """Snapshots of switches; see push/prove/snapshots.py."""

    def around(self, names: Iterable[str]) -> tuple[str, ...]:
        """These switches and their neighbors."""

    def take_snapshot(self, name: str, switches: Iterable[str]) -> None:
        """Read switches, and keep their outputs under a name."""

    def has_snapshot(self, name: str, switches: Iterable[str]) -> bool:
        """Whether the snapshot of a killed run still exists, for all of these switches."""

    def findings(self, name: str, drained: frozenset[str] = frozenset()) -> tuple[SwitchVerdict, ...]:
        """Verdicts on the switches of a snapshot."""

    def established(self, name: str, switch: str) -> frozenset[str] | None:
        """Addresses of the peers of a switch whose sessions were up at a snapshot; None: not read."""

    def up(self, name: str, switch: str) -> frozenset[str] | None:
        """Names of the ports of a switch that were up at a snapshot; None: not read."""

    def compare(self, before: str, after: str, moment: RunMoment) -> Verdicts:
        """Compare two snapshots, and the second with the plan."""

    def samples(self, name: str, switches: Iterable[str]) -> Mapping[str, Sample]:
        """Port counters at a snapshot, of those of these switches that answered."""


class RunSettings(NamedTuple):
    """Times in seconds, limits in bits per second.

    watch     earliest time at which a change may pass: what BGP's hold timer (9 s in every profile of ours) and a
              daemon's delay after a policy change (5 s in those we know) have not undone by then lasts
    converge  latest time at which a change must pass; otherwise it is reverted
    confirm   the switch itself reverts a change that is not confirmed in this time
    quiet     ports of a drained switch must be idle by then
    limit     rate below which a port is idle; polls: number of such intervals in a row; interval: between two reads
    """

    watch: float = 10
    converge: float = 90
    confirm: int = 240
    quiet: float = 300
    limit: int = 100_000
    polls: int = 3
    interval: float = 2


def is_above(device: Device) -> bool:
    """Whether it forwards only other switches' traffic, so that route maps on its sessions move all of it."""
    return device.role in ABOVE


def shut_down(device: Device, drained: Device) -> Device:
    """A switch with the routing and elections of its drained Device: last in both, with its server ports unchanged.

    So the other leaf of the pair is the designated forwarder of a segment from before the ports go down until they are
    up.
    """
    lowered = {lag.esi: lag.df_preference for lag in drained.interfaces.lags}
    lags = tuple(lag._replace(df_preference=lowered.get(lag.esi, lag.df_preference)) for lag in device.interfaces.lags)
    interfaces = device.interfaces._replace(lags=lags)
    return device._replace(state=drained.state, routing=drained.routing, interfaces=interfaces)


def in_use(device: Device) -> frozenset[str]:
    """Names of the ports of a switch that are not shut."""
    return frozenset(row.name for row in device.interfaces.ethernet if row.enabled)


class SwitchWork(NamedTuple):
    """Configurations of one switch.

    drained  while it is drained; None where it need not be
    first    what drains a switch with servers: its present configuration, drained. None where unknown
    marked   before that: its present configuration with only its sessions drained. None where its server ports stay as
             they are
    ports    before the end: the goal with its sessions still drained. None where that is all that drains it
    before   before the run, for a rollback after the process that had read it was killed. None: unknown
    """

    goal: Goal
    drained: Goal | None
    first: Goal | None = None
    marked: Goal | None = None
    ports: Goal | None = None
    before: Goal | None = None

    @property
    def stages(self) -> tuple[StageName, ...]:
        """The stages of its change, in order."""
        needed = {
            StageName.MARK: self.marked is not None,
            StageName.DRAIN: self.drained is not None,
            StageName.CHANGE: self.drained is not None or self.ports is None,
            StageName.PORTS: self.ports is not None,
            StageName.UNDRAIN: self.drained is not None or self.ports is not None,
        }
        return tuple(stage for stage, is_needed in needed.items() if is_needed)

    def candidate(self, stage: StageName) -> Candidate:
        """Candidate of a stage; that of DRAIN is made from the running configuration."""
        given = {StageName.MARK: self.marked, StageName.CHANGE: self.drained, StageName.PORTS: self.ports}
        return (given.get(stage) or self.goal).candidate

    def reached(self, switch: SwitchConnection) -> StageName:
        """Next stage of a switch that this run has already changed, by its running configuration."""
        steps = ((self.ports, StageName.UNDRAIN), (self.drained, StageName.PORTS), (self.first, StageName.DRAIN))
        next_stages = (after for goal, after in steps if goal is not None and not switch.compare(goal.candidate))
        stage = next(next_stages, self.stages[0])
        return stage if stage in self.stages else StageName.UNDRAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """Dependencies of a run.

    work      switch name → its configurations; made when its wave begins
    goals     switch name → its target configuration; None: the one of `work`, which may take longer to make
    claim     lease of this run on the switches; None: no leases
    rules     when a wave may begin, the soak after one, and the hooks; call: runs a hook
    now       the present time, with its zone
    floor     wave and findings before it → problems where it would leave a leaf too few uplinks
    stop      set by a person: nothing new begins
    print_line  prints a line on the terminal
    added         words of the lines that the change of a switch adds, see push/prove/change_scope.py
    signed        what a commit would change on a switch, with - and + before removed and added lines
    probe         packets over every equal-cost path, with these switches still to be changed; None: none are sent
    drifts        switch → function that compares two of its configurations; None if there is none
    interruption  seconds for which the change of a switch may interrupt sessions and paths; None where unknown
    """

    fleet: Fleet
    journal: Journal
    checks: Snapshots
    work: Callable[[str], SwitchWork]
    floor: Callable[[Wave, Iterable[Finding]], Iterable[Problem]]
    settings: RunSettings
    stop: Event
    print_line: Callable[[str], None]
    wait: Callable[[float], None]
    clock: Callable[[], float]
    interruption: Callable[[PlannedSwitch], float | None]
    added: Callable[[PlannedSwitch], frozenset[str]]
    signed: Callable[[PlannedSwitch], str] = lambda planned: planned.difference
    probe: Callable[[frozenset[str]], Iterable[SwitchVerdict]] | None = None
    claim: RunClaim | None = None
    rules: RunRules = FREE
    call: Caller = lambda hook, values: None
    now: Callable[[], datetime] = utc_now
    goals: Callable[[str], Goal] | None = None
    drifts: Callable[[str], Drifts] | None = None

    def goal(self, name: str) -> Goal:
        """The target configuration of a switch."""
        return self.goals(name) if self.goals is not None else self.work(name).goal


class SwitchStage(NamedTuple):
    """State of a switch when its wave begins. `stage`: the next one; None: it is at its artifact.

    token  of a commit of this run that waits for its confirmation
    """

    stage: StageName | None
    token: str | None = None


class RunStopped(Exception):  # noqa: N818  # no error
    """The run stops: what was begun is rolled back and nothing more begins, on request of a person or a rule."""

    def __init__(self, reason: str = "stopped by the operator before the next switch") -> None:
        super().__init__(reason)
        self.reason = reason


class Failed(Exception):  # noqa: N818  # of a run, in its report
    """A run cannot continue. reasons: switch → why."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in reasons.items()))
        self.reasons = dict(reasons)
