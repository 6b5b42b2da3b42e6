"""The driver: NAPALM's methods over SSH and `nv config`."""

from collections.abc import Mapping
from typing import Any

from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    ConnectionException,
    LockError,
    MergeConfigException,
    NapalmException,
    ReplaceConfigException,
)

from fabricgen.platforms.cumulus.live.tree import masked, secrets_of, tree
from fabricgen.platforms.cumulus.napalm_driver.nvue import (
    APPLIED_STATES,
    FAILED,
    NOTHING,
    WAITS,
    Nvue,
    NvueRevision,
    applied_numbers,
    texts,
    waiting_of,
)
from fabricgen.platforms.cumulus.napalm_driver.shown import Shows
from fabricgen.platforms.linux.live.decode import Misread
from napalm_frr.arguments import candidate_text
from napalm_frr.base_driver import ShellDriver
from napalm_frr.getters_counters import counters
from napalm_frr.shell import Shell

MINUTE = 60
CONFIGS = ("all", "running", "startup", "candidate")
STARTUP = "/etc/nvue.d/startup.yaml"


class CumulusDriver(ShellDriver):
    """One switch with Cumulus Linux. The package's docstring describes `optional_args`."""

    name = "cumulus"

    def _set_up(self, arguments: Mapping[str, Any]) -> None:
        shell = Shell(transport=self._transport, host=self.hostname, seconds=self.timeout)
        self._seconds = float(arguments.get("commit_seconds") or 4 * self.timeout + MINUTE)
        self._settle = float(arguments.get("settle_seconds") or self.timeout)
        self._nvue = Nvue(shell, self._seconds)
        self._shell = Shell(
            transport=self._transport,
            host=self.hostname,
            seconds=self.timeout,
            sudo=bool(arguments.get("sudo", self.username != "root")),
        )
        self._shows = Shows(shell, self._shell)
        self._candidate = ""
        self._base: frozenset[str] = frozenset()

    def open(self) -> None:
        """Connect, and check that NVUE is there."""
        self._transport.open()
        try:
            result = self._transport.run("command -v nv", "", self.timeout)
        except NapalmException:
            self._transport.close()
            raise
        if result.status != 0:
            self._transport.close()
            raise ConnectionException(f"{self.hostname}: no NVUE there: the command nv is not found")

    def close(self) -> None:
        """Disconnect. An unconfirmed timed commit stays pending; a candidate is discarded."""
        try:
            if self._transport.is_alive():
                self.discard_config()
        finally:
            self._transport.close()

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load a whole startup.yaml. Raises ReplaceConfigException with NVUE's errors."""
        self._load("replace", candidate_text(filename, config, ReplaceConfigException), ReplaceConfigException)

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load `set:` and `unset:` to merge with what is applied; further calls add more."""
        self._load("patch", candidate_text(filename, config, MergeConfigException), MergeConfigException)

    def _load(self, verb: str, text: str, fault: type[Exception]) -> None:
        try:
            secrets = texts(secrets_of(tree(text)))
        except Misread as misread:
            raise fault(f"{self.hostname}: {misread}") from None
        self._nvue.hidden = (*self._nvue.hidden, *secrets)
        before = self._candidate if verb == "patch" else ""
        if not before:
            self.detach()
            # NVUE would commit leftovers of this account together with the patch.
            if verb == "patch" and self._nvue.differs():
                raise fault(f"{self.hostname}: what this account has set and not applied could not be detached")
            self._base = applied_numbers(self._nvue.revisions())
        self._candidate = before + text  # set before the call: NVUE may keep it if the connection breaks
        try:
            self._nvue.load(verb, text)
        except CommandErrorException as error:
            self.discard_config()
            raise fault(str(error)) from None

    def compare_config(self) -> str:
        """What a commit would change, as NVUE's `set:` and `unset:`; "" for nothing. Secrets are masked."""
        if not self._candidate:
            return ""
        difference = self._nvue.plain(masked(self._nvue.config("diff").strip()))
        return "" if difference in NOTHING else difference

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Apply the candidate, or raise CommitError. Without `revert_in` it is saved too.

        message    goes to the history of the switch
        revert_in  seconds after which the switch itself reverts, unless `confirm_commit` comes before: whole minutes
        """
        if not self._candidate:
            raise CommitError(f"{self.hostname}: nothing is loaded to commit")
        if revert_in is not None and (revert_in < MINUTE or revert_in % MINUTE):
            raise CommitError(f"{self.hostname}: revert_in is whole minutes in seconds, not {revert_in}")
        before = self._free()
        timed = [] if revert_in is None else ["--confirm", str(revert_in // MINUTE)]
        output = self._apply("--assume-yes", *timed, *(["-m", message] if message else []))
        if timed:
            self._waits(message, output)
        else:
            self._check_and_save(before, output)
        self._candidate = ""

    def _free(self) -> tuple[NvueRevision, ...]:
        """All revisions. Raises LockError if another commit waits or was applied since this candidate was loaded."""
        rows = self._nvue.revisions()
        if waiting_of(rows) is not None:
            raise LockError(f"{self.hostname}: another timed commit waits for its confirmation, or is under way")
        if applied_numbers(rows) != self._base:
            raise LockError(f"{self.hostname}: somebody else has applied a configuration since this one was loaded")
        return rows

    def _apply(self, *words: str) -> str:
        """Run `nv config apply`; returns NVUE's output."""
        try:
            output = self._nvue.config("apply", *words, seconds=self._seconds)
        except CommandErrorException as error:
            raise CommitError(str(error)) from None
        return self._nvue.plain(" ".join(output.split()))[:200] or "nothing"

    def _waits(self, message: str, output: str) -> None:
        """Check that the timed commit is the one that waits."""
        revision = self._nvue.ended(frozenset({WAITS}), self._settle)
        if revision is None or revision.state != WAITS or revision.message != " ".join(message.split()):
            actual = "none" if revision is None else f"{revision.message or 'one without a message'} ({revision.state})"
            raise CommitError(
                f"{self.hostname}: the commit did not become what waits: {actual} does; NVUE said: {output}"
            )

    def _check_and_save(self, before: tuple[NvueRevision, ...], output: str) -> None:
        """Check that a commit without a timer took effect, and save it."""
        unfinished = self._nvue.ended(frozenset(), self._settle)
        if unfinished is not None:
            raise CommitError(
                f"{self.hostname}: revision {unfinished.number} still waits: it is {unfinished.state}; {output}"
            )
        failed = [row for row in self._nvue.revisions() if row not in before and row.state in FAILED]
        if failed:
            raise CommitError(f"{self.hostname}: revision {failed[0].number} is {failed[0].state}: {output}")
        self._save()

    def _save(self, done: str = "applied") -> None:
        try:
            self._nvue.config("save")
        except CommandErrorException as error:
            raise CommitError(f"{error}: {done}, and the startup file could not be written") from None

    def has_pending_commit(self) -> bool:
        """Whether anybody's timed commit waits on the switch."""
        return self._nvue.waiting() is not None

    def pending_message(self) -> str | None:
        """Message of the waiting commit, "" for one without; None if none waits. Not a NAPALM method."""
        revision = self._nvue.waiting()
        return None if revision is None else revision.message

    def waiting(self) -> NvueRevision | None:
        """The revision that waits for its confirmation, or that NVUE has not finished. Not a NAPALM method."""
        return self._nvue.waiting()

    def applied_revisions(self) -> frozenset[str]:
        """Numbers of all revisions that the switch runs or ran permanently. Not a NAPALM method."""
        return applied_numbers(self._nvue.revisions())

    def confirm_commit(self) -> None:
        """Keep a timed commit, and save it. Raises CommitConfirmException if none is pending."""
        number, state = self._answer("--confirm-yes")
        if state not in APPLIED_STATES:
            raise CommitConfirmException(f"{self.hostname}: revision {number} is {state or 'gone'}: it was reverted")
        self._save()

    def cancel_commit(self) -> None:
        """Revert a pending commit, and no other. Raises CommitConfirmException if none is pending.

        What runs again is saved, because no source says whether a commit can be saved automatically before it is
        confirmed.
        """
        number, state = self._answer("--confirm-no")
        if state in APPLIED_STATES:
            raise CommitError(f"{self.hostname}: revision {number} is {state}: it was not reverted")
        self._save("reverted")

    def _answer(self, word: str) -> tuple[str, str]:
        """Confirm or end the waiting commit, as soon as NVUE accepts that; its revision and resulting state."""
        revision = self._nvue.waiting()
        if revision is None:
            raise CommitConfirmException(f"{self.hostname}: no commit waits for confirmation")
        if revision.state != WAITS:
            self._nvue.ended(frozenset({WAITS}), self._settle)
        number = revision.number
        if self._nvue.state_of(number) == WAITS:
            try:
                self._nvue.config("apply", number, word, "--assume-yes", seconds=self._seconds)
            except CommandErrorException as error:
                if self._nvue.state_of(number) == WAITS:  # otherwise its time has already ended
                    raise CommitError(f"{error}; the commit still waits, and reverts by its time") from None
        unfinished = self._nvue.ended(frozenset(), self._settle)
        if unfinished is not None and unfinished.number == number:
            raise CommitError(f"{self.hostname}: revision {number} still waits after {word}: it is {unfinished.state}")
        return number, self._nvue.state_of(number)

    def rollback(self) -> None:
        """Revert a pending commit, or else apply the revision before the applied one, and save it."""
        if self.has_pending_commit():
            self.cancel_commit()
            return
        parent = self._nvue.parent()
        if not parent:
            raise CommitError(f"{self.hostname}: NVUE names no revision to go back to")
        before = self._nvue.revisions()
        self._check_and_save(before, self._apply(parent, "--assume-yes"))

    def discard_config(self) -> None:
        """Discard the candidate."""
        if self._candidate:
            self._candidate = ""
            self.detach()

    def detach(self) -> None:
        """Discard what this account has set and not applied, also over an earlier connection. Not a NAPALM method."""
        self._nvue.quietly("detach")

    def cli(self, commands: list[str], encoding: str = "text") -> dict[str, Any]:
        """Outputs by command: `nv show …`, reading `nv config` commands, and the commands of napalm_frr's `cli`.

        encoding  "json": outputs are parsed. Raises CommandErrorException, which names the command
        """
        if isinstance(commands, str) or encoding not in ("text", "json"):
            raise CommandErrorException(f"{self.hostname}: cli needs a list of commands, and encoding text or json")
        return self._shows.outputs(commands, parsed=encoding == "json")

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """Texts of running (what is applied), startup and candidate. full: with defaults. sanitized: secrets masked."""
        if retrieve not in CONFIGS or format != "text":
            raise CommandErrorException(f"{self.hostname}: no configuration {retrieve!r} in format {format!r}")
        configs = {"running": "", "startup": "", "candidate": ""}
        if retrieve in ("all", "running"):
            configs["running"] = self._nvue.applied("--all" if full else "")
        if retrieve in ("all", "startup"):
            configs["startup"] = self._shell.must(["cat", STARTUP])
        if retrieve in ("all", "candidate"):
            configs["candidate"] = self._candidate
        return {name: masked(text) if sanitized else text for name, text in configs.items()}

    def get_facts(self) -> dict[str, Any]:
        """Facts of the switch."""
        return self._shows.facts()

    def get_interfaces_counters(self) -> dict[str, dict[str, int]]:
        """Octets, errors and discards from the kernel, to which switchd reports the chip's counts."""
        return counters(self._shell)
