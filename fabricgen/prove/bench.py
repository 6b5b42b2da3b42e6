"""The switch under test: one connection, what is read over it, what is committed there, and the records of both."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import NamedTuple, TypeVar

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.proof import Flaps, Trial
from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from fabricgen.platforms.base.live.run_marks import Phase
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.prove.values import First, Measure, ProofMoment, ProofSettings, ProofSubject, Timing
from fabricgen.push.act.work import Fleet
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.state.state import ESTABLISHED, State

T = TypeVar("T")


class ProofStopped(Exception):  # noqa: N818  # no error
    """A person stopped the proof."""


class UntouchedState(NamedTuple):
    """State that a hitless change must not affect: ports and sessions that are up, and counters of both."""

    ports: frozenset[str]
    sessions: frozenset[str]
    flaps: Flaps


class ProofBench:
    """One switch.

    reach   the switch; other: the same over a second connection
    claim   lease of this run; its token identifies the run's commits
    print_line  prints a line on the terminal
    """

    def __init__(
        self,
        subject: ProofSubject,
        settings: ProofSettings,
        reach: tuple[Fleet, Fleet],
        claim: RunClaim,
        stop: Event,
        print_line: Callable[[str], None],
    ) -> None:
        self.subject, self.settings, self.stop, self.print_line = subject, settings, stop, print_line
        self._claim = claim
        self._reach, self._other = reach
        self._began = time.monotonic()
        self.measures: dict[Trial, Measure] = {}
        self.reasons: dict[Trial, str] = {}
        self.moments: list[ProofMoment] = []
        self.timings: list[Timing] = []
        self.texts: dict[str, str] = {}
        self.first = First("", {}, None)
        self.commit_seconds = 0.0
        self.tokens: set[str] = set()

    @property
    def hold(self) -> int:
        """Seconds after which the switch reverts: the requested ones, rounded up to its driver's steps."""
        step = COMMIT_PROFILES[self.subject.driver].step
        return -(-self.settings.hold // step) * step

    # Time

    def now(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._began

    def pause(self) -> None:
        """Wait between two reads. Raises ProofStopped."""
        if self.stop.wait(self.settings.poll):
            raise ProofStopped

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Record the duration of a block, and its error."""
        started, ended = self.now(), ""
        try:
            yield
        except SwitchError as error:
            ended = f"{error.kind}: {error.reason}"
            raise
        finally:
            self.timings.append(Timing(what, round(started, 2), round(self.now() - started, 2), ended))

    # Results

    def measure(self, trial: Trial, ok: bool, words: str, seconds: float | None = None, *shows: str) -> None:
        """Record the result of a trial."""
        rounded = None if seconds is None else round(seconds, 2)
        self.measures[trial] = Measure(ok, words, rounded, frozenset(shows))

    def untried(self, reason: str, *trials: Trial) -> None:
        """Record why trials are not made; finished trials are not changed."""
        for trial in trials:
            if trial not in self.measures:
                self.reasons.setdefault(trial, reason)

    # The switch

    def act(self, act: Callable[[SwitchConnection], T]) -> T:
        """Run `act` at the switch. Raises SwitchError."""
        return self._at(self._reach, act)

    def act_other(self, act: Callable[[SwitchConnection], T]) -> T:
        """Run `act` over the other connection. Raises SwitchError."""
        return self._at(self._other, act)

    def _at(self, fleet: Fleet, act: Callable[[SwitchConnection], T]) -> T:
        result = fleet.each([self.subject.name], act)[self.subject.name]
        if isinstance(result, SwitchError):
            raise result
        return result

    def reading(self) -> First:
        """Both configurations as they are now, with secrets."""
        snapshot = self.act(lambda switch: switch.snapshot())
        return First(snapshot.text, snapshot.files, self.startup())

    def running(self) -> str:
        """The running configuration with secrets."""
        return self.act(lambda switch: switch.snapshot()).text

    def startup(self) -> str | None:
        """The startup configuration with secrets; None if there is no separate one, or it cannot be read."""
        try:
            return self.act(lambda switch: switch.startup()) or None
        except SwitchError:
            return None

    def agrees(self, startup: str | None, running: str) -> bool:
        """Whether a startup configuration has the same content as the running one, in any form."""
        return startup is not None and not self.subject.reader.drift(startup, running)

    def plain(self, text: str) -> str:
        """A configuration without comment lines, some of which contain dates."""
        comment = COMMIT_PROFILES[self.subject.driver].comment
        return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(comment))

    def same(self) -> bool:
        """Whether the configuration is the first one, except for comments."""
        return self.plain(self.running()) == self.plain(self.first.running)

    def read_all(self, name: str) -> State:
        """Read all that the reader needs, and keep it under a name."""
        reads = self.subject.reader.reads(self.subject.vrfs)
        started = self.now()
        outputs = self.act(lambda switch: switch.ask(reads))
        self.moments.append(ProofMoment(name, round(started, 2), outputs))
        return self.subject.reader.state(outputs, self.subject.vrfs)

    def state(self, *parts: str) -> State:
        """The present values of these parts of the state; only these are read."""
        return self._state(self.act(lambda switch: switch.ask(self._reads(*parts))))

    def _reads(self, *parts: str) -> list[ReadCommand]:
        return [read for read in self.subject.reader.reads(self.subject.vrfs) if read.part in parts]

    def _state(self, outputs: Outputs) -> State:
        reader, vrfs = self.subject.reader, self.subject.vrfs
        missing = {read.command: Output(None, "not asked") for read in reader.reads(vrfs)}
        return reader.state({**missing, **outputs}, vrfs)

    def links(self) -> UntouchedState:
        """The present ports, sessions and counters."""
        wanted = self._reads("interfaces", "bgp")
        all_reads = [*wanted, *(read for read in self.subject.table.flap_reads if read not in wanted)]
        outputs = self.act(lambda switch: switch.ask(all_reads))
        state = self._state(outputs)
        sessions = state.bgp.sessions if state.bgp is not None else ()
        return UntouchedState(
            frozenset(row.name for row in state.interfaces or () if row.oper_up and row.kind == "ethernet"),
            frozenset(row.peer for row in sessions if row.state == ESTABLISHED),
            self.subject.table.flaps(outputs),
        )

    # Commits

    def message(self, what: str) -> str:
        """Message of a commit, by which a push and people recognise this run."""
        return f"fabricgen {self._claim.token} prove {what}"

    def claim(self) -> None:
        """Take the lease; leftovers of a killed process of this run are ended, if the driver can."""
        self.act(lambda switch: switch.claim(self._claim))

    def release(self) -> None:
        """Release the lease."""
        self.act(lambda switch: switch.release(self._claim.token))

    def committed(self, candidate: Candidate, what: str) -> str:
        """Load and commit on the timer. Return the commit's token."""

        def act(switch: SwitchConnection) -> str:
            token = switch.load(candidate, self.message(what))
            self.tokens.add(token)
            switch.commit(self.hold)
            return token

        started = self.now()
        with self.timed(f"commit {what}"):
            token = self.act(act)
        self.commit_seconds = self.now() - started
        return token

    def lines(self, text: str) -> Candidate:
        """A candidate that merges lines."""
        return Candidate(text, {}, merge=True)

    def test_lines(self) -> Candidate:
        """The candidate with the test lines of the platform's probe."""
        return self.lines(self.subject.table.probe.lines)

    def reverted(self, token: str, what: str) -> None:
        """End a pending commit."""
        with self.timed(f"revert {what}"):
            self.act(lambda switch: switch.revert(token))

    def wait_unarmed(self, seconds: float) -> bool:
        """Wait until nothing is armed, for at most so long. Only reads."""
        last = self.now() + seconds
        while self.act(lambda switch: switch.run_marks()).armed is not None:
            if self.now() >= last:
                return False
            self.pause()
        return True

    def settle(self) -> bool:
        """End an armed commit of this run, or wait until the switch has. Return whether nothing is armed any more.

        It continues after a person has asked to stop: that is when it matters.
        """
        last = self.now() + self.hold + self.act(lambda switch: switch.limit()) + self.settings.slack
        while True:
            armed = self.act(lambda switch: switch.run_marks()).armed
            if armed is None:
                return True
            if self.now() >= last:
                return False
            if armed.phase is not Phase.ENDS and armed.token in self.tokens:
                self.reverted(armed.token, "what was left")
            else:
                time.sleep(self.settings.poll)
