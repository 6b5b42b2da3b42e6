"""A thousand switches on a virtual clock: each answers and commits in its time, so many of them at once.

A double holds which text it runs; texts stand in files, as a real switch's are not in the memory of a push. Acts are
made one after the other, and each begins when the worker that takes it is free: what a push with threads does at the
same time goes by on this clock at the same time.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, TypeVar

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.entry import Entry
from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from fabricgen.platforms.base.live.run_marks import Armed, Phase, RunMarks
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.eos.live.needed import CERTIFICATES
from fabricgen.platforms.eos.live.reader import RUNNING
from fabricgen.push.switch.switch import Candidate, Octets, SwitchError

T = TypeVar("T")

ANSWER, COMMIT = 1.0, 3.0
"""Seconds."""
BACK = 270
"""Seconds after which a double ends a commit that its client left."""
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
DRAINED = "fabricgen-bench-drained"
"""Last line of what a double runs while its sessions are drained by lines that were merged."""


class Clock:
    """Time that passes when somebody waits, or when a switch answers."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.now += seconds

    def moment(self) -> datetime:
        """The same as a time of the calendar."""
        return BEGINNING + timedelta(seconds=self.now)


@dataclass(slots=True)
class Switch:
    """What one double holds. runs: digest of its text.

    waits   token, what ran before, and whether that was drained
    loaded  token, what is to run, and whether lines are merged that drain it
    """

    name: str
    ports: tuple[str, ...]
    runs: str
    is_drained: bool = False
    waits: tuple[str, str, bool] | None = None
    loaded: tuple[str, str, bool] | None = None
    lease: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All of them. strict: every question takes ANSWER; else all questions of one visit take it together."""

    folder: Path
    clock: Clock
    workers: int
    strict: bool
    switches: dict[str, Switch] = field(default_factory=dict)

    def keep(self, text: str) -> str:
        """Keep a text; its digest."""
        digest = sha256(text.encode()).hexdigest()
        path = self.folder / digest
        if not path.exists():
            path.write_text(text)
        return digest

    def add(self, name: str, ports: Iterable[str], text: str) -> None:
        """A switch that runs this."""
        self.switches[name] = Switch(name, tuple(ports), self.keep(text))

    def at_once(self, names: Iterable[str], act: Callable[[str], T]) -> dict[str, T]:
        """Act on each, so many at the same time, and let the time of all of it go by."""
        begun, found = self.clock.now, {}
        free = [begun] * self.workers
        ended = begun
        for name in names:
            self.clock.now = heappop(free)
            found[name] = act(name)
            heappush(free, self.clock.now)
            ended = max(ended, self.clock.now)
        self.clock.now = ended
        return found

    def look(self, folder: Path, targets: Mapping[str, object]) -> None:
        """Ask switches what verify asks: each takes ANSWER, and what they say is not in these figures."""
        del folder
        self.at_once(targets, lambda name: self.clock.wait(ANSWER))


class Everyone(frozenset[str]):
    """Addresses from which a peer has heard that they are drained: peers of doubles hear of it at once."""

    def __ge__(self, other: object) -> bool:
        return True


MANNER = COMMIT_PROFILES["eos"]._replace(
    drain=lambda device, running: DRAINED,
    signs=(ReadCommand("signs", "who is drained", "text"),),
    draining_peers=lambda outputs: Everyone(),
    overlay=(),
)


class _Box:
    """One visit to a double."""

    profile = MANNER

    def __init__(self, world: World, switch: Switch) -> None:
        self.name = switch.name
        self._world, self._switch, self._is_asked = world, switch, False

    def _asked(self) -> Switch:
        if self._world.strict or not self._is_asked:
            self._world.clock.wait(ANSWER)
        self._is_asked = True
        return self._switch

    def running(self) -> str:
        switch = self._asked()
        text = (self._world.folder / switch.runs).read_text()
        return f"{text}{DRAINED}\n" if switch.is_drained else text

    def files(self, paths: Iterable[str]) -> Mapping[str, str]:
        return dict.fromkeys(paths, "")

    def snapshot(self) -> Candidate:
        return Candidate(self.running(), {})

    def compare(self, candidate: Candidate) -> str:
        switch = self._asked()
        if candidate.merge:
            return "" if switch.is_drained else f"+ {candidate.text}"
        runs, wanted = (self._world.folder / switch.runs).read_text().splitlines(), candidate.text.splitlines()
        gone, come = set(runs) - set(wanted), set(wanted) - set(runs)
        gone |= {DRAINED} if switch.is_drained else set()
        return "\n".join(
            [*(f"-{line}" for line in runs if line in gone), *(f"+{line}" for line in wanted if line in come)]
        )

    def load(self, candidate: Candidate, message: str) -> str:
        switch = self._asked()
        digest = switch.runs if candidate.merge else self._world.keep(candidate.text)
        switch.loaded = (message, digest, candidate.merge)
        return message

    def commit(self, seconds: int | None) -> None:
        switch = self._switch
        if switch.loaded is None or switch.waits is not None:
            raise SwitchError("locked", "nothing is loaded, or a commit waits")
        self._world.clock.wait(COMMIT)
        token, digest, is_drained = switch.loaded
        switch.waits = (token, switch.runs, switch.is_drained) if seconds is not None else None
        switch.runs, switch.is_drained, switch.loaded = digest, is_drained, None

    def run_marks(self) -> RunMarks:
        switch = self._asked()
        return RunMarks(None if switch.waits is None else Armed(switch.waits[0], Phase.WAITS))

    def pending(self) -> str | None:
        switch = self._asked()
        return switch.waits[0] if switch.waits is not None else None

    def log_in(self) -> None:
        """A connection of its own: an answer, whatever the open one has been asked."""
        self._world.clock.wait(ANSWER)

    def entry(self) -> Entry:
        return Entry("api", "push", "192.0.2.7")

    def mark(self) -> object:
        """It has nothing that tells."""
        return None

    def meanwhile(self, token: str, mark: object) -> str:
        """Nobody."""
        del token, mark
        return ""

    def limit(self) -> int:
        return BACK

    def claim(self, claim: RunClaim) -> None:
        switch = self._asked()
        if switch.lease not in ("", claim.token):
            raise SwitchError("leased", "another run is at work")
        switch.lease = claim.token

    def release(self, token: str) -> None:
        switch = self._asked()
        switch.lease = "" if switch.lease == token else switch.lease

    def confirm(self, token: str) -> None:
        switch = self._asked()
        if switch.waits is None or switch.waits[0] != token:
            raise SwitchError("gone", "no such commit waits")
        switch.waits = None

    def revert(self, token: str) -> None:
        switch = self._asked()
        if switch.waits is None or switch.waits[0] != token:
            raise SwitchError("gone", "no such commit waits")
        _, switch.runs, switch.is_drained = switch.waits
        switch.waits = None

    def counters(self) -> Mapping[str, Octets]:
        """What keeps sessions up moves them, and nothing else does."""
        self._world.clock.wait(ANSWER)
        octets = int(self._world.clock.now * 100)
        return dict.fromkeys(self._switch.ports, Octets(octets, octets))

    def ask(self, reads: Iterable[ReadCommand]) -> Outputs:
        self._asked()
        known: dict[str, Callable[[], str]] = {RUNNING: self.running, CERTIFICATES.command: lambda: "fabric.crt"}
        return {read.command: Output(known.get(read.command, str)()) for read in reads}


class Fleet:
    """Acts on doubles as `push.fleet.Fleet` does on switches."""

    def __init__(self, world: World) -> None:
        self._world = world

    def each(self, names: Iterable[str], act: Callable[[Any], T]) -> dict[str, T | SwitchError]:
        """What each act returned, or the BoxError that it raised."""

        def visit(name: str) -> T | SwitchError:
            try:
                return act(_Box(self._world, self._world.switches[name]))
            except SwitchError as error:
                return error

        return self._world.at_once(names, visit)
