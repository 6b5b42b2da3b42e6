"""The switch on the bench: one connection, what is read over it, what is committed there, and what is kept of both."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import NamedTuple, TypeVar

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.proof import Flaps, Trial
from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from fabricgen.platforms.base.live.standing import Phase
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.prove.values import First, Measure, ProofMoment, ProofSettings, ProofSubject, Timing
from fabricgen.push.act.work import Fleet
from fabricgen.push.switch.switch import Candidate, SwitchConnection, SwitchError
from fabricgen.state.state import State

T = TypeVar("T")


class ProofStopped(Exception):  # noqa: N818  # no error
    """A person asked for it."""


class UntouchedState(NamedTuple):
    """What a hitless change must leave alone: ports that are up, sessions that stand, and counters of both."""

    ports: frozenset[str]
    sessions: frozenset[str]
    flaps: Flaps


class ProofBench:
    """One switch.

    reach   the switch; other: the same over a connection of its own
    claim   that this run is at work there; by its token its commits are known
    tell    a line for the terminal
    """

    def __init__(
        self,
        subject: ProofSubject,
        settings: ProofSettings,
        reach: tuple[Fleet, Fleet],
        claim: RunClaim,
        stop: Event,
        tell: Callable[[str], None],
    ) -> None:
        self.subject, self.settings, self.stop, self.tell = subject, settings, stop, tell
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
        """Seconds after which the switch reverts: those that were asked for, in whole steps of its driver."""
        step = COMMIT_PROFILES[self.subject.driver].step
        return -(-self.settings.hold // step) * step

    # -- time

    def now(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._began

    def pause(self) -> None:
        """Rest between two looks. Raises Stopped."""
        if self.stop.wait(self.settings.poll):
            raise ProofStopped

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Keep how long it took, and what went wrong."""
        began, ended = self.now(), ""
        try:
            yield
        except SwitchError as error:
            ended = f"{error.kind}: {error.reason}"
            raise
        finally:
            self.timings.append(Timing(what, round(began, 2), round(self.now() - began, 2), ended))

    # -- what came of it

    def measure(self, trial: Trial, ok: bool, words: str, seconds: float | None = None, *shows: str) -> None:
        """Keep what a trial showed."""
        rounded = None if seconds is None else round(seconds, 2)
        self.measures[trial] = Measure(ok, words, rounded, frozenset(shows))

    def untried(self, reason: str, *trials: Trial) -> None:
        """Keep why trials are not made; of those that have been made nothing is changed."""
        for trial in trials:
            if trial not in self.measures:
                self.reasons.setdefault(trial, reason)

    # -- the switch

    def act(self, act: Callable[[SwitchConnection], T]) -> T:
        """Do it at the switch. Raises BoxError."""
        return self._at(self._reach, act)

    def act_other(self, act: Callable[[SwitchConnection], T]) -> T:
        """Do it over the other connection. Raises BoxError."""
        return self._at(self._other, act)

    def _at(self, fleet: Fleet, act: Callable[[SwitchConnection], T]) -> T:
        found = fleet.each([self.subject.name], act)[self.subject.name]
        if isinstance(found, SwitchError):
            raise found
        return found

    def reading(self) -> First:
        """Both configurations as they are now, secrets in place."""
        found = self.act(lambda box: box.snapshot())
        return First(found.text, found.files, self.startup())

    def running(self) -> str:
        """The running configuration, secrets in place."""
        return self.act(lambda box: box.snapshot()).text

    def startup(self) -> str | None:
        """The startup configuration, secrets in place; None where there is none apart, or no way to it."""
        try:
            return self.act(lambda box: box.startup()) or None
        except SwitchError:
            return None

    def agrees(self, startup: str | None, running: str) -> bool:
        """Whether a startup configuration says what runs, however it is written."""
        return startup is not None and not self.subject.reader.drift(startup, running)

    def plain(self, text: str) -> str:
        """A configuration without lines of remark, which some systems date."""
        comment = COMMIT_PROFILES[self.subject.driver].comment
        return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(comment))

    def same(self) -> bool:
        """Whether it runs what it ran at first, remarks apart."""
        return self.plain(self.running()) == self.plain(self.first.running)

    def look(self, name: str) -> State:
        """Ask all that the reader asks, and keep it under a name."""
        reads = self.subject.reader.reads(self.subject.vrfs)
        at = self.now()
        outputs = self.act(lambda box: box.ask(reads))
        self.moments.append(ProofMoment(name, round(at, 2), outputs))
        return self.subject.reader.state(outputs, self.subject.vrfs)

    def state(self, *parts: str) -> State:
        """These parts of the state as they are now; no other is asked for."""
        return self._state(self.act(lambda box: box.ask(self._reads(*parts))))

    def _reads(self, *parts: str) -> list[ReadCommand]:
        return [read for read in self.subject.reader.reads(self.subject.vrfs) if read.part in parts]

    def _state(self, outputs: Outputs) -> State:
        return self.subject.reader.state(
            _filled(outputs, self.subject.reader.reads(self.subject.vrfs)), self.subject.vrfs
        )

    def links(self) -> UntouchedState:
        """Ports, sessions and counters as they are now."""
        wanted = self._reads("interfaces", "bgp")
        asked = [*wanted, *(read for read in self.subject.table.flap_reads if read not in wanted)]
        outputs = self.act(lambda box: box.ask(asked))
        state = self._state(outputs)
        sessions = state.bgp.sessions if state.bgp is not None else ()
        return UntouchedState(
            frozenset(row.name for row in state.interfaces or () if row.oper_up and row.kind == "ethernet"),
            frozenset(row.peer for row in sessions if row.state == "Established"),
            self.subject.table.flaps(outputs),
        )

    # -- commits

    def message(self, what: str) -> str:
        """Of a commit, so that a push and its readers know whose it is."""
        return f"fabricgen {self._claim.token} prove {what}"

    def claim(self) -> None:
        """Be at work there; what a killed process of this run has left open is ended, where its driver knows how."""
        self.act(lambda box: box.claim(self._claim))

    def release(self) -> None:
        """Be at work there no more."""
        self.act(lambda box: box.release(self._claim.token))

    def committed(self, candidate: Candidate, what: str) -> str:
        """Load and commit on the timer; the commit's token."""

        def act(box: SwitchConnection) -> str:
            token = box.load(candidate, self.message(what))
            self.tokens.add(token)
            box.commit(self.hold)
            return token

        began = self.now()
        with self.timed(f"commit {what}"):
            token = self.act(act)
        self.commit_seconds = self.now() - began
        return token

    def lines(self, text: str) -> Candidate:
        """Lines to merge."""
        return Candidate(text, {}, merge=True)

    def test_lines(self) -> Candidate:
        """Those of the platform's probe."""
        return self.lines(self.subject.table.probe.lines)

    def reverted(self, token: str, what: str) -> None:
        """End a commit that waits."""
        with self.timed(f"revert {what}"):
            self.act(lambda box: box.revert(token))

    def gone_back(self, seconds: float) -> bool:
        """Wait until nothing is armed, for so long at most. Only reads."""
        last = self.now() + seconds
        while self.act(lambda box: box.standing()).armed is not None:
            if self.now() >= last:
                return False
            self.pause()
        return True

    def settle(self) -> bool:
        """End what is armed of this run, or wait until the switch has; whether nothing is armed any more.

        It goes on where a person has asked to stop: that is when it matters.
        """
        last = self.now() + self.hold + self.act(lambda box: box.limit()) + self.settings.slack
        while True:
            armed = self.act(lambda box: box.standing()).armed
            if armed is None:
                return True
            if self.now() >= last:
                return False
            if armed.phase is not Phase.ENDS and armed.token in self.tokens:
                self.reverted(armed.token, "what was left")
            else:
                time.sleep(self.settings.poll)


def _filled(outputs: Outputs, reads: tuple[ReadCommand, ...]) -> Outputs:
    return {**{read.command: Output(None, "not asked") for read in reads}, **outputs}
