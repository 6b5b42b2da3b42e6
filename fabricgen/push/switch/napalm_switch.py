"""A Box over a NAPALM driver. What is its driver's own is in its CommitOperations; what all do is here."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from fabricgen.platforms.base.live.commit_operations import CommitOperations, Loading, RunClaim, digest
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from fabricgen.platforms.base.live.standing import RunMarks, armed_words
from fabricgen.push.switch.errors import AWAY
from fabricgen.push.switch.redact import hidden_in, shown
from fabricgen.push.switch.switch import Candidate, Octets, SwitchError
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.redact_outputs import redacted, repeating

T = TypeVar("T")

RUNNING = "running"
"""Part of State whose commands show secrets."""

PASSING = frozenset({*AWAY, "login", "host-key"})
"""Kinds that are of the connection, not of one command."""


class Loaded(NamedTuple):
    """What a driver holds. hidden: secrets in it."""

    token: str
    message: str
    hidden: tuple[str, ...]


@dataclass(slots=True)
class NapalmConnection:
    """A connection to one switch, and what is known of it from one call to the next.

    secrets  that it was opened with
    loaded   None where nothing is to be committed
    run      token of the run that is at work over it, so that what it leaves when it is killed is known as its own
    seen     what the driver gave of its last commit
    broken   it went away; another is to be opened
    """

    driver: Any
    secrets: tuple[str, ...]
    loaded: Loaded | None = None
    run: str = ""
    seen: object = None
    broken: bool = field(default=False)


class SwitchGuard(Protocol):
    """Runs what may raise anything, and raises BoxError instead; what is a fault of this program passes."""

    def __call__(self, act: Callable[[], T], unknown: str, hidden: tuple[str, ...] = ()) -> T:
        """Run it. unknown: kind of what nothing is known of; hidden: secrets beside those of the connection."""


class NapalmBox:
    """One switch, connected: see push/switch/switch.py, Box."""

    def __init__(
        self,
        name: str,
        profile: CommitProfile,
        operations: CommitOperations,
        line: NapalmConnection,
        guard: SwitchGuard,
    ) -> None:
        self.name = name
        self.profile = profile
        self._operations = operations
        self._line = line
        self._guard = guard

    def running(self) -> str:
        """What runs: main file, then each pushed file under a line with its path. Without secrets and remarks."""
        driver = self._line.driver
        found = self._guard(lambda: driver.get_config(retrieve="running", sanitized=True), "lost")
        files = self._standing(self.profile.files.values())
        return "".join([
            self._plain(str(found["running"])),
            *(f"{path}\n{self._plain(text)}" for path, text in files.items()),
        ])  # fmt: skip

    def _plain(self, text: str) -> str:
        lines = (line.rstrip() for line in text.splitlines())
        kept = [line for line in lines if line and not line.lstrip().startswith(self.profile.comment)]
        return redacted(str(without_secrets("\n".join([*kept, ""]))), self._line.secrets)

    def _standing(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Files that are there, in this order; an empty one is none."""
        driver, wanted = self._line.driver, tuple(paths)
        if not wanted:
            return {}
        found = self._guard(lambda: self._operations.files(driver, wanted), "lost")
        return {path: str(found[path]) for path in wanted if found.get(path)}

    def files(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Files beside the main one as they stand there; "" for one that does not."""
        wanted = tuple(paths)
        unknown = [path for path in wanted if path not in self.profile.files.values()]
        if unknown:
            raise SwitchError("unable", f"{self.profile.driver} has no way to the files {', '.join(unknown)}")
        return {**dict.fromkeys(wanted, ""), **self._standing(wanted)}

    def snapshot(self) -> Candidate:
        """What runs, secrets in place, to go back to."""
        driver = self._line.driver
        found = self._guard(lambda: driver.get_config(retrieve="running"), "lost")
        return Candidate(str(found["running"]), self._standing(self.profile.files.values()))

    def startup(self) -> str:
        """What it starts with, secrets in place; "" where its driver knows nothing of that apart from what runs."""
        driver = self._line.driver
        found = self._guard(lambda: driver.get_config(retrieve="startup"), "lost")
        return str(found.get("startup") or "")

    def compare(self, candidate: Candidate) -> str:
        """What a commit would change; "" for nothing. Secrets masked. Nothing stays loaded."""
        whose = f"fabricgen {self._line.run} " if self._line.run else ""
        loaded = self._load(candidate, f"{whose}compare {secrets.token_hex(8)}")
        try:
            found = self._guard(self._line.driver.compare_config, "lost", loaded.hidden)
        except SwitchError:
            with suppress(SwitchError):
                self._abandon()
            raise
        self._abandon()
        return redacted(shown(str(found).strip()), (*self._line.secrets, *loaded.hidden))

    def load(self, candidate: Candidate, message: str) -> str:
        """Load for the next commit; a token by which `pending` knows that commit again. The message is logged."""
        armed = self.standing().armed
        if armed is not None:
            raise SwitchError("locked", armed_words(armed))
        return self._load(candidate, message).token

    def _load(self, candidate: Candidate, message: str) -> Loaded:
        """Load. What is loaded is known before the driver is asked, since it may stay where the way there breaks."""
        self._fits(candidate)
        line, operations = self._line, self._operations
        texts = (candidate.text, *candidate.files.values())
        hidden = (*candidate.hidden, *(word for text in texts for word in hidden_in(text)))
        line.loaded = Loaded(operations.token(message), message, hidden)
        loading = Loading(candidate.text, candidate.files, candidate.merge, line.loaded.token)
        try:
            self._guard(lambda: operations.load(line.driver, loading), "refused", hidden)
        except SwitchError as error:
            if not line.broken:
                line.loaded = None
            raise self._with_blame(error) from None
        return line.loaded

    def _fits(self, candidate: Candidate) -> None:
        if not candidate.merge and not self.profile.replaces:
            raise SwitchError("unable", f"{self.profile.driver} cannot replace a configuration by rendered text")
        unknown = [path for path in candidate.files if path not in self.profile.files.values()]
        if unknown or (candidate.merge and candidate.files):
            raise SwitchError("unable", f"{self.profile.driver} cannot push the files {', '.join(candidate.files)}")

    def _with_blame(self, error: SwitchError) -> SwitchError:
        """Say who holds the lock, where the driver does not."""
        if error.kind != "locked":
            return error
        found = ""
        with suppress(SwitchError):
            found = self._guard(lambda: self._operations.blame(self._line.driver), "lost")
        return SwitchError(error.kind, f"{error.reason} ({found})") if found else error

    def commit(self, seconds: int | None) -> None:
        """Commit what is loaded; unconfirmed it reverts after so many seconds, in whole steps. None: it stays."""
        line, operations, loaded = self._line, self._operations, self._line.loaded
        if loaded is None:
            raise SwitchError("lost", "nothing is loaded: the connection was opened again after it")
        if seconds is not None and not self.profile.timed:
            raise SwitchError("unable", f"{self.profile.driver} has no commit that reverts by itself")
        whole = None if seconds is None else -(-seconds // self.profile.step) * self.profile.step
        message = loaded.message if self.profile.says else ""
        line.seen = None
        try:
            line.seen = self._guard(
                lambda: operations.commit(line.driver, loaded.token, message, whole), "lost", loaded.hidden
            )
        except SwitchError as error:
            if error.kind not in AWAY:
                with suppress(SwitchError):
                    self._abandon()
            raise
        finally:
            line.loaded = None  # away: it may have been committed, and is not to be forgotten

    def _abandon(self) -> None:
        """Forget what is loaded."""
        line, operations, loaded = self._line, self._operations, self._line.loaded
        if loaded is not None:
            self._guard(lambda: operations.abandon(line.driver, loaded.token), "lost", loaded.hidden)
            line.loaded = None

    def mark(self) -> object:
        """What tells later whether somebody has changed it since, of values of JSON; None where nothing does."""
        line, loaded = self._line, self._line.loaded
        token = loaded.token if loaded is not None else ""
        return self._guard(lambda: self._operations.mark(line.driver, token, _digest), "lost")

    def meanwhile(self, token: str, mark: object) -> str:
        """Who or what changed it between a mark and our commit that waits; "" for nobody that it can tell."""
        if mark is None:
            return ""
        line = self._line
        operations = self._operations
        return self._guard(lambda: operations.meanwhile(line.driver, token, mark, line.seen, _digest), "lost")

    def pending(self) -> str | None:
        """Token of a timed commit that waits, whoever made it; None where none does."""
        return self._guard(lambda: self._operations.pending(self._line.driver), "lost")

    def standing(self) -> RunMarks:
        """The commit that the switch will end by itself, from its beginning on, and who is at work there."""
        return self._guard(lambda: self._operations.standing(self._line.driver), "lost")

    def limit(self) -> int:
        """Seconds after which the switch ends a commit that its client began and left; 0 where that is not known."""
        return self._operations.limit(self._line.driver)

    def claim(self, claim: RunClaim) -> None:
        """Be at work there, where its driver has a place to say so. Raises BoxError `leased` where another is."""
        self._guard(lambda: self._operations.claim(self._line.driver, claim), "lost")
        self._line.run = claim.token

    def release(self, token: str) -> None:
        """Be at work there no more. token: of the run."""
        self._guard(lambda: self._operations.release(self._line.driver, token), "lost")

    def confirm(self, token: str) -> None:
        """Keep the commit that waits, and have it outlast a restart."""
        self._guard(lambda: self._operations.confirm(self._line.driver, token), "lost")

    def revert(self, token: str) -> None:
        """End the commit that waits at once; what ran before runs again."""
        self._guard(lambda: self._operations.revert(self._line.driver, token), "lost")

    def counters(self) -> Mapping[str, Octets]:
        """Octets of each port that has counters."""
        found = self._guard(self._line.driver.get_interfaces_counters, "lost")
        octets = {str(name): Octets(int(row["rx_octets"]), int(row["tx_octets"])) for name, row in found.items()}
        return {name: row for name, row in octets.items() if min(row) >= 0}  # NAPALM has -1 where there are none

    def ask(self, reads: Iterable[ReadCommand]) -> Outputs:
        """Outputs by command; one that fails has its error, and a connection that fails raises."""
        return {read.command: self._output(read) for read in reads}

    def _output(self, read: ReadCommand) -> Output:
        driver = self._line.driver
        try:
            found = self._guard(lambda: driver.cli([read.command], encoding=read.encoding).get(read.command), "refused")
        except SwitchError as error:
            if error.kind in PASSING:
                raise
            return Output(None, error.reason)
        if not isinstance(found, str | dict | list):
            return Output(None, f"the driver gave {type(found).__name__} where {read.encoding} was asked for")
        kept = repeating(found, self._line.secrets)
        return Output(without_secrets(kept) if read.part == RUNNING else kept)


def _digest(text: str) -> str:
    """Of what the journal keeps: one with a password in it could be guessed."""
    return digest(str(without_secrets(text)))
