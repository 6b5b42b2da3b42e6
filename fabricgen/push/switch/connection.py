"""One connected switch, over a NAPALM driver. What differs between drivers is in their CommitOperations."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from fabricgen.platforms.base.live.commit_operations import CommitOperations, Loading, RunClaim, digest
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.entry import Entry
from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from fabricgen.platforms.base.live.run_marks import RunMarks, armed_words
from fabricgen.push.switch.errors import AWAY, OUT_OF_REACH
from fabricgen.push.switch.redact import hidden_in, shown
from fabricgen.push.switch.switch import Candidate, Octets, SwitchError
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.redact_outputs import output_of, redacted

T = TypeVar("T")


class Loaded(NamedTuple):
    """A candidate that a driver has loaded. hidden: secrets in it."""

    token: str
    message: str
    hidden: tuple[str, ...]


@dataclass(slots=True)
class NapalmConnection:
    """A connection to one switch, and its state between calls.

    secrets  that it was opened with
    loaded   None where nothing is loaded for a commit
    run      token of the run that uses it, by which what a killed run left behind is recognised
    commit_result  what the driver returned from its last commit
    broken   it was lost; another must be opened
    """

    driver: Any
    secrets: tuple[str, ...]
    loaded: Loaded | None = None
    run: str = ""
    commit_result: object = None
    broken: bool = field(default=False)


class SwitchGuard(Protocol):
    """Runs a call that may raise anything, and raises SwitchError instead; bugs of this program pass."""

    def __call__(self, act: Callable[[], T], unknown: str, hidden: tuple[str, ...] = ()) -> T:
        """Run it. unknown: kind of an unknown error; hidden: secrets in addition to those of the connection."""


class SwitchConnection:
    """One connected switch. All methods raise SwitchError; a commit that raises changed nothing, or says otherwise."""

    def __init__(
        self,
        name: str,
        profile: CommitProfile,
        operations: CommitOperations,
        line: NapalmConnection,
        guard: SwitchGuard,
        log_in: Callable[[], None],
    ) -> None:
        self.name = name
        self.profile = profile
        self._operations = operations
        self._line = line
        self._guard = guard
        self._log_in = log_in

    def running(self) -> str:
        """The running configuration: main file, then each pushed file after a line with its path.

        No secrets or comments.
        """
        driver = self._line.driver
        config = self._guard(lambda: driver.get_config(retrieve="running", sanitized=True), "lost")
        files = self._existing_files(self.profile.files.values())
        return "".join([
            self._plain(str(config["running"])),
            *(f"{path}\n{self._plain(text)}" for path, text in files.items()),
        ])  # fmt: skip

    def _plain(self, text: str) -> str:
        lines = (line.rstrip() for line in text.splitlines())
        kept = [line for line in lines if line and not line.lstrip().startswith(self.profile.comment)]
        return redacted(str(without_secrets("\n".join([*kept, ""]))), self._line.secrets)

    def _existing_files(self, paths: Iterable[str]) -> Mapping[str, str]:
        """The files that exist and are not empty, in this order."""
        driver, names = self._line.driver, tuple(paths)
        if not names:
            return {}
        contents = self._guard(lambda: self._operations.files(driver, names), "lost")
        return {path: str(contents[path]) for path in names if contents.get(path)}

    def files(self, paths: Iterable[str]) -> Mapping[str, str]:
        """The files in addition to the main one, as they are on the switch; "" for a missing one."""
        names = tuple(paths)
        unknown = [path for path in names if path not in self.profile.files.values()]
        if unknown:
            raise SwitchError("unable", f"{self.profile.driver} cannot read the files {', '.join(unknown)}")
        return {**dict.fromkeys(names, ""), **self._existing_files(names)}

    def snapshot(self) -> Candidate:
        """The running configuration with its secrets, for a rollback."""
        driver = self._line.driver
        config = self._guard(lambda: driver.get_config(retrieve="running"), "lost")
        return Candidate(str(config["running"]), self._existing_files(self.profile.files.values()))

    def startup(self) -> str:
        """The startup configuration with its secrets; "" where its driver does not report it separately."""
        driver = self._line.driver
        config = self._guard(lambda: driver.get_config(retrieve="startup"), "lost")
        return str(config.get("startup") or "")

    def compare(self, candidate: Candidate) -> str:
        """What a commit would change; "" for nothing. Secrets are masked. Nothing stays loaded."""
        prefix = f"fabricgen {self._line.run} " if self._line.run else ""
        loaded = self._load(candidate, f"{prefix}compare {secrets.token_hex(8)}")
        try:
            difference = self._guard(self._line.driver.compare_config, "lost", loaded.hidden)
        except SwitchError:
            with suppress(SwitchError):
                self._abandon()
            raise
        self._abandon()
        return redacted(shown(str(difference).strip()), (*self._line.secrets, *loaded.hidden))

    def load(self, candidate: Candidate, message: str) -> str:
        """Load for the next commit, with a message for its log. Return the token by which `pending` recognises it."""
        armed = self.run_marks().armed
        if armed is not None:
            raise SwitchError("locked", armed_words(armed))
        return self._load(candidate, message).token

    def _load(self, candidate: Candidate, message: str) -> Loaded:
        """Load a candidate. It is recorded before the driver is called: it may stay loaded if the connection breaks."""
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
        """Add the holder of the lock to the error, where the driver did not report it."""
        if error.kind != "locked":
            return error
        holder = ""
        with suppress(SwitchError):
            holder = self._guard(lambda: self._operations.blame(self._line.driver), "lost")
        return SwitchError(error.kind, f"{error.reason} ({holder})") if holder else error

    def commit(self, seconds: int | None) -> None:
        """Commit what is loaded; unconfirmed it reverts after these seconds, rounded up to steps. None: no timer."""
        line, operations, loaded = self._line, self._operations, self._line.loaded
        if loaded is None:
            raise SwitchError("lost", "no candidate is loaded: the connection was reopened since")
        if seconds is not None and not self.profile.timed:
            raise SwitchError("unable", f"{self.profile.driver} has no commit that reverts by itself")
        whole = None if seconds is None else -(-seconds // self.profile.step) * self.profile.step
        message = loaded.message if self.profile.carries_message else ""
        line.commit_result = None
        try:
            line.commit_result = self._guard(
                lambda: operations.commit(line.driver, loaded.token, message, whole), "lost", loaded.hidden
            )
        except SwitchError as error:
            if error.kind not in AWAY:
                with suppress(SwitchError):
                    self._abandon()
            raise
        finally:
            line.loaded = None  # lost: it may have been committed, so the token must not be abandoned

    def _abandon(self) -> None:
        """Discard what is loaded."""
        line, operations, loaded = self._line, self._operations, self._line.loaded
        if loaded is not None:
            self._guard(lambda: operations.abandon(line.driver, loaded.token), "lost", loaded.hidden)
            line.loaded = None

    def mark(self) -> object:
        """A JSON value that later shows whether somebody changed the configuration; None where the driver has none."""
        line, loaded = self._line, self._line.loaded
        token = loaded.token if loaded is not None else ""
        return self._guard(lambda: self._operations.mark(line.driver, token, _digest), "lost")

    def meanwhile(self, token: str, mark: object) -> str:
        """Who or what changed it between a mark and our pending commit; "" if nothing that the driver can detect."""
        if mark is None:
            return ""
        line = self._line
        operations = self._operations
        return self._guard(lambda: operations.meanwhile(line.driver, token, mark, line.commit_result, _digest), "lost")

    def pending(self) -> str | None:
        """Token of a pending timed commit, whoever made it; None without one."""
        return self._guard(lambda: self._operations.pending(self._line.driver), "lost")

    def log_in(self) -> None:
        """Log in once more over a new connection, read there which commit is pending, and close it.

        It is made as the open one was: same driver, address and account. The open one stays, whatever becomes of it.
        """
        self._log_in()

    def entry(self) -> Entry:
        """By which service, account and source address this connection came in."""
        return self._guard(lambda: self._operations.entry(self._line.driver), "lost")

    def run_marks(self) -> RunMarks:
        """The commit that the switch will end by itself, from its beginning on, and which run is at work there."""
        return self._guard(lambda: self._operations.run_marks(self._line.driver), "lost")

    def limit(self) -> int:
        """Seconds after which the switch ends a commit that its client began and left; 0 where that is unknown."""
        return self._operations.limit(self._line.driver)

    def claim(self, claim: RunClaim) -> None:
        """Record on the switch that a run is at work, if its driver can. Raises SwitchError `leased` if another is."""
        self._guard(lambda: self._operations.claim(self._line.driver, claim), "lost")
        self._line.run = claim.token

    def release(self, token: str) -> None:
        """Remove that record. token: of the run."""
        self._guard(lambda: self._operations.release(self._line.driver, token), "lost")

    def confirm(self, token: str) -> None:
        """Confirm the pending commit, and make it survive a restart."""
        self._guard(lambda: self._operations.confirm(self._line.driver, token), "lost")

    def revert(self, token: str) -> None:
        """End the pending commit at once; the previous configuration runs again."""
        self._guard(lambda: self._operations.revert(self._line.driver, token), "lost")

    def counters(self) -> Mapping[str, Octets]:
        """Octets of each port that has counters."""
        counters = self._guard(self._line.driver.get_interfaces_counters, "lost")
        octets = {str(name): Octets(int(row["rx_octets"]), int(row["tx_octets"])) for name, row in counters.items()}
        return {name: row for name, row in octets.items() if min(row) >= 0}  # NAPALM has -1 where there are none

    def ask(self, reads: Iterable[ReadCommand]) -> Outputs:
        """Outputs by command; a failed command has its error, a failed connection raises."""
        return {read.command: self._output(read) for read in reads}

    def _output(self, read: ReadCommand) -> Output:
        driver = self._line.driver
        try:
            output = self._guard(
                lambda: driver.cli([read.command], encoding=read.encoding).get(read.command), "refused"
            )
        except SwitchError as error:
            if error.kind in OUT_OF_REACH:
                raise
            return Output(None, error.reason)
        return output_of(read, output, self._line.secrets)


def _digest(text: str) -> str:
    """Digest for the journal, without secrets: a password could be guessed from a digest that includes it."""
    return digest(str(without_secrets(text)))
