"""Doubles of a fleet, of its switches, and of what is seen of them: in memory, with a clock of their own.

A paper switch commits as NAPALM's drivers that have a timer do: one timed commit at a time, known by a token, reverting
by itself when its time is over; a confirmation keeps it, and is the only thing that reaches what it starts with. From
its beginning on a commit has a guard, which puts back what ran when the client does not come to its end.
A process that is killed is an exception that no code of ours catches (Killed is no Exception): what was in memory of
the run is dropped, what switches and journal hold stays.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.commit_profile import CommitProfile, Pace
from fabricgen.platforms.base.live.entry import Entry
from fabricgen.platforms.base.live.reader import Outputs, ReadCommand
from fabricgen.platforms.base.live.run_marks import Armed, Phase, RunMarks
from fabricgen.push.prove.answers import RunMoment
from fabricgen.push.prove.counter_rates import Sample
from fabricgen.push.prove.snapshots import CheckCounts, Verdicts
from fabricgen.push.switch.switch import Candidate, Octets, SwitchError
from fabricgen.verify.finding import SwitchVerdict

T = TypeVar("T")

GUARD_SECONDS = 270
"""After which a switch puts back what ran before a commit whose client is gone."""
SEEN = ReadCommand("signs", "who is drained", "text")


SHUT = {"deaf": "unreachable", "stranger": "login"}
"""Words of a configuration that refuses new sessions → kind of the refusal."""


class Killed(BaseException):
    """SIGKILL, here."""


class Clock:
    """Time that passes when somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.now += seconds


MANNER = CommitProfile(
    driver="paper",
    timed=True,
    pace=Pace(1, 5),
    step=1,
    replaces=True,
    carries_message=True,
    comment="#",
    files={},
    proven="",
    limits=(),
    drain=lambda device, running: "drained",
    signs=(),
    draining_peers=lambda outputs: frozenset(),
)


@dataclass(slots=True)
class Switch:
    """What one switch holds. history: every text that it has run, in order."""

    name: str
    running: str
    startup: str
    waiting: tuple[str, str, float] | None = None  # token, what ran before, until when
    changing: tuple[str, str, float] | None = None  # the same of a commit that is under way
    dead: bool = False
    history: list[str] = field(default_factory=list)

    def tick(self, now: float) -> None:
        """What its own timer does."""
        for armed in filter(None, (self.waiting, self.changing)):
            if now >= armed[2]:
                self.back(armed[1])

    def back(self, before: str) -> None:
        """Put back what ran, and forget the commit."""
        self.waiting = self.changing = None
        if self.running != before:
            self.run(before)

    def run(self, text: str) -> None:
        """Run something."""
        self.running = text
        self.history.append(text)


class PaperBox:
    """A connection to a paper switch. crash: called before and after whatever is done there."""

    profile = MANNER

    def __init__(self, switch: Switch, clock: Clock, crash: Callable[[str], None]) -> None:
        self.name = switch.name
        self._switch, self._clock, self._crash = switch, clock, crash
        self._loaded: tuple[str, Candidate] | None = None

    def _reach(self) -> Switch:
        if self._switch.dead:
            raise SwitchError("lost", "it does not answer")
        self._switch.tick(self._clock())
        return self._switch

    def running(self) -> str:
        return self._reach().running

    def files(self, paths: Iterable[str]) -> Mapping[str, str]:
        return dict.fromkeys(paths, "")

    def snapshot(self) -> Candidate:
        return Candidate(self._reach().running, {})

    def _result(self, candidate: Candidate) -> str:
        running = self._reach().running
        if not candidate.merge:
            return candidate.text
        return running if candidate.text in running.split() else f"{running} {candidate.text}"

    def compare(self, candidate: Candidate) -> str:
        return "" if self._result(candidate) == self._reach().running else "differs"

    def load(self, candidate: Candidate, message: str) -> str:
        self._loaded = (message, candidate)
        return message

    def commit(self, seconds: int | None) -> None:
        switch = self._reach()
        assert self._loaded is not None
        token, candidate = self._loaded
        if switch.waiting is not None or switch.changing is not None:
            raise SwitchError("locked", "a commit waits, or is under way")
        if "refused" in candidate.text:
            raise SwitchError("refused", "line 1: what is this?")
        self._crash(f"commit of {self.name} about to")
        before = switch.running
        switch.changing = (token, before, self._clock() + GUARD_SECONDS)
        self._crash(f"commit of {self.name} begun")
        switch.run(self._result(candidate))
        self._crash(f"commit of {self.name} applied")
        if seconds is None:
            switch.startup = switch.running
        else:
            switch.waiting = (token, before, self._clock() + seconds)
        switch.changing = None
        self._crash(f"commit of {self.name} done")

    def pending(self) -> str | None:
        switch = self._reach()
        return switch.waiting[0] if switch.waiting is not None else None

    def log_in(self) -> None:
        """A new session, which what runs may refuse; this one stays."""
        running = self._reach().running
        for word, kind in SHUT.items():
            if word in running:
                raise SwitchError(kind, "the switch refuses it")

    def entry(self) -> Entry:
        return Entry("ssh", "push", "192.0.2.7")

    def run_marks(self) -> RunMarks:
        switch = self._reach()
        if switch.changing is not None:
            return RunMarks(Armed(switch.changing[0], Phase.CHANGES))
        return RunMarks(None if switch.waiting is None else Armed(switch.waiting[0], Phase.WAITS))

    def mark(self) -> object:
        """It has nothing that tells."""
        return None

    def meanwhile(self, token: str, mark: object) -> str:
        """Nobody."""
        del token, mark
        return ""

    def limit(self) -> int:
        return GUARD_SECONDS

    def claim(self, claim: RunClaim) -> None:
        raise AssertionError(f"nobody is told: {claim}")

    def release(self, token: str) -> None:
        raise AssertionError(f"nobody was told: {token}")

    def confirm(self, token: str) -> None:
        switch = self._reach()
        if switch.waiting is None or switch.waiting[0] != token:
            raise SwitchError("gone", "no such commit waits")
        self._crash(f"confirm of {self.name} about to")
        switch.startup, switch.waiting = switch.running, None
        self._crash(f"confirm of {self.name} done")

    def revert(self, token: str) -> None:
        switch = self._reach()
        armed = switch.changing or switch.waiting
        if armed is None or armed[0] != token:
            raise SwitchError("gone", "no such commit waits")
        switch.back(armed[1])

    def counters(self) -> Mapping[str, Octets]:
        return {}

    def ask(self, reads: Iterable[ReadCommand]) -> Outputs:
        del reads
        return {}


class PaperFleet:
    """Acts on one switch after the other."""

    def __init__(self, switches: Mapping[str, Switch], clock: Clock, crash: Callable[[str], None]) -> None:
        self._boxes = {name: PaperBox(switch, clock, crash) for name, switch in switches.items()}

    def each(self, names: Iterable[str], act: Callable[[Any], T]) -> dict[str, T | SwitchError]:
        found: dict[str, T | SwitchError] = {}
        for name in names:
            try:
                found[name] = act(self._boxes[name])
            except SwitchError as error:
                found[name] = error
        return found


@dataclass(slots=True)
class PaperLooks:
    """What is seen: a switch looks wrong while `wrong` says so of what it runs. seen: look → what each switch ran."""

    switches: Mapping[str, Switch]
    wrong: Callable[[str], bool] = lambda running: "broken" in running
    seen: dict[str, dict[str, str]] = field(default_factory=dict)

    def around(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(names))

    def take_snapshot(self, name: str, switches: Iterable[str]) -> None:
        self.seen[name] = {one: self.switches[one].running for one in switches}

    def has_snapshot(self, name: str, switches: Iterable[str]) -> bool:
        return set(switches) <= self.seen.get(name, {}).keys()

    def findings(self, name: str, drained: frozenset[str] = frozenset()) -> tuple[SwitchVerdict, ...]:
        del name, drained
        return ()

    def established(self, name: str, switch: str) -> frozenset[str] | None:
        del name, switch
        return frozenset()

    def up(self, name: str, switch: str) -> frozenset[str] | None:
        """A switch that looks wrong has lost its port."""
        return frozenset() if self.wrong(self.seen[name].get(switch, "")) else frozenset({"port"})

    def samples(self, name: str, switches: Iterable[str]) -> Mapping[str, Sample]:
        del name, switches
        return {}

    def compare(self, before: str, after: str, moment: RunMoment) -> Verdicts:
        del moment
        was, now = self.seen[before], self.seen[after]
        new = tuple(
            f"{name} is broken" for name, text in now.items() if self.wrong(text) and not self.wrong(was.get(name, ""))
        )
        return Verdicts(CheckCounts(1, 0), CheckCounts(1, len(new)), new, 0, lost=frozenset(new))
