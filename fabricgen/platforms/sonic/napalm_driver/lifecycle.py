"""The life of a candidate: load, compare, commit under a timer of the switch, confirm, roll back."""

import difflib
import secrets
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from napalm.base.exceptions import (
    CommitConfirmException,
    CommitError,
    LockError,
    MergeConfigException,
    NapalmException,
    ReplaceConfigException,
)

from fabricgen.platforms.linux.live.decode import Misread
from fabricgen.platforms.sonic.live.frr_conf import is_remark, without_appended
from fabricgen.platforms.sonic.live.target import difference, merged, target
from fabricgen.platforms.sonic.live.values import HIDDEN, Whole, secrets_in, tables_of, text_of
from fabricgen.platforms.sonic.napalm_driver import device_side as there
from fabricgen.platforms.sonic.napalm_driver.switch import SonicShell
from napalm_frr import paths
from napalm_frr.difference import Candidate as Lines
from napalm_frr.difference import difference as lines_between
from napalm_frr.syntax import complaints
from napalm_frr.transport import Result

SLACK = 60
"""Seconds beyond a commit's own time before the switch reverts one whose client is gone."""
MESSAGE_LENGTH = 500
UNIFIED = "unified"
STARTS = ("docker_routing_config_mode", "frr_mgmt_framework_config", "bgp_asn")
"""Fields of DEVICE_METADATA that the bgp container reads when it starts (dockers/docker-fpm-frr/docker_init.sh)."""


class Candidate(NamedTuple):
    """What a commit applies: a database to replace with, rows to add, or lines to add to what FRR runs.

    frr   frr.conf; None if not loaded
    """

    tables: Whole | None
    merge: bool
    lines: str = ""
    frr: str | None = None


class Lifecycle:
    """Candidate and commits of one switch. seconds: time that a commit may take."""

    def __init__(self, switch: SonicShell, seconds: int) -> None:
        self._switch = switch
        self._seconds = seconds
        self._candidate: Candidate | None = None
        self._owner = ""

    def load_replace(self, text: str) -> None:
        """Load a whole CONFIG_DB. Raises ReplaceConfigException."""
        try:
            tables = tables_of(text)
        except Misread as error:
            raise ReplaceConfigException(f"{self._switch.host}: {error}") from None
        if "DEVICE_METADATA" not in tables:
            raise ReplaceConfigException(f"{self._switch.host}: a whole CONFIG_DB has DEVICE_METADATA")
        self._candidate = Candidate(tables, merge=False)

    def load_merge(self, text: str) -> None:
        """Load rows of CONFIG_DB as JSON, or lines of FRR, to add. Raises MergeConfigException."""
        host = self._switch.host
        if self._candidate is not None:
            raise MergeConfigException(f"{host}: a candidate is loaded: discard it first")
        if not text.lstrip().startswith("{"):
            errors = self._complaints(text)
            if errors:
                raise MergeConfigException(f"{host}: {'; '.join(errors[:3])}")
            self._candidate = Candidate(None, merge=True, lines=text)
            return
        try:
            self._candidate = Candidate(tables_of(text), merge=True)
        except Misread as error:
            raise MergeConfigException(f"{host}: {error}") from None

    def load_files(self, files: Mapping[str, str]) -> None:
        """Add frr.conf to the replace candidate. Raises ReplaceConfigException."""
        host = self._switch.host
        if self._candidate is None or self._candidate.merge:
            raise ReplaceConfigException(f"{host}: files go with a candidate to replace with: load it first")
        unknown = sorted(files.keys() - {there.FRR_CONF})
        if unknown:
            raise ReplaceConfigException(f"{host}: no way to the files {', '.join(unknown)}")
        for text in files.values():
            errors = () if is_remark(text) else self._complaints(text)
            if errors:
                raise ReplaceConfigException(f"{host}: {there.FRR_CONF}: {'; '.join(errors[:3])}")
            self._candidate = self._candidate._replace(frr=without_appended(text))

    def _complaints(self, text: str) -> tuple[str, ...]:
        if not text.strip():
            return ("the candidate is empty",)
        # On standard input, which the host's vtysh passes into the container: no file is left on the switch.
        return complaints(self._switch.run(["vtysh", "-C", "-f", "/dev/stdin"], text), text)

    def read_files(self, file_paths: Iterable[str]) -> dict[str, str]:
        """Return the frr.conf in effect by path, without SONiC's additions; "" for none.

        If SONiC makes the file itself, its value is the kept file of remarks.
        """
        texts = {}
        for path in file_paths:
            script = there.READ_REMARKS if self._makes_frr(self._switch.config()) else there.READ
            texts[path] = without_appended(self._read(script)) if path == there.FRR_CONF else ""
        return texts

    def _read(self, script: str) -> str:
        result = self._switch.script(script)
        if result.status:
            raise CommitError(f"{self._switch.host}: {there.FRR_CONF}: {result.failure}")
        return result.output

    @staticmethod
    def _makes_frr(tables: Whole) -> bool:
        return _local(tables).get("docker_routing_config_mode") == UNIFIED

    def candidate(self) -> Whole:
        """Return the loaded tables."""
        return (self._candidate.tables if self._candidate else None) or {}

    def compare(self) -> str:
        """Return what a commit changes in CONFIG_DB and frr.conf, or the lines it adds to FRR; "" for nothing."""
        if self._candidate is None:
            return ""
        if self._candidate.tables is None:
            frr_running = self._switch.must(["vtysh", "-c", "show running-config"])
            return lines_between(frr_running, Lines(self._candidate.lines, merge=True))
        running = self._switch.config()
        target_tables = self._wanted(self._candidate, running)
        return "\n".join(
            part for part in (difference(running, target_tables), self._frr_difference(self._candidate)) if part
        )

    def _frr_difference(self, candidate: Candidate) -> str:
        """Return lines of frr.conf that are added and removed, secrets masked; "" if the file is SONiC's."""
        if candidate.frr is None or is_remark(candidate.frr):
            return ""
        running = without_appended(self._read(there.READ)).splitlines()
        changes = [
            entry for entry in difflib.ndiff(running, candidate.frr.splitlines()) if entry.startswith(("- ", "+ "))
        ]
        return "\n".join([there.FRR_CONF, *(paths.masked(line[0] + line[2:]) for line in changes)]) if changes else ""

    @staticmethod
    def _wanted(candidate: Candidate, running: Whole) -> Whole:
        tables = candidate.tables or {}
        return merged(tables, running) if candidate.merge else target(tables, running)

    def discard(self) -> None:
        """Discard the candidate."""
        self._candidate = None

    def pending_message(self) -> str | None:
        """Return the message of the commit that is there, of any client; None if there is none."""
        result = self._switch.script(there.PENDING)
        if result.status not in (0, there.NOTHING):
            raise CommitError(f"{self._switch.host}: {result.failure}")
        return None if result.status else result.output.rstrip("\n")

    def commit(self, message: str, revert_in: int | None) -> None:
        """Apply the candidate; without `revert_in` also save it for the next start. Raises CommitError, LockError."""
        candidate, host = self._candidate, self._switch.host
        if candidate is None:
            raise CommitError(f"{host}: nothing is loaded to commit")
        if revert_in is not None and revert_in < 1:
            raise CommitError(f"{host}: revert_in is a number of seconds, not {revert_in}")
        running = self._switch.config()
        # Errors of the updater may quote the patch, with the secrets in it.
        secret_values = (*secrets_in(running), *secrets_in(candidate.tables or {}))
        self._owner = secrets.token_hex(8)
        try:
            self._begin(message)
            self._apply(candidate, running)
            if revert_in is not None:
                self._must(self._script(there.TIMED, str(revert_in)), "no timer to revert by: ")
        except LockError:
            raise
        except NapalmException as error:
            raise CommitError(f"{_without(str(error), secret_values)}; {self._undone(self._owner)}") from None
        except KeyboardInterrupt:
            self._undone(self._owner)
            raise
        self._candidate = None
        if revert_in is None:
            self._keep(self._owner)

    def _script(self, script: str, *words: str, given: str = "", seconds: float = 0) -> Result:
        """Run a script for the commit of this client."""
        return self._switch.script(script, self._owner, *words, given=given, seconds=seconds)

    def _must(self, result: Result, prefix: str) -> None:
        """Raise CommitError with these words and the switch's own, unless a script of the commit succeeded."""
        if result.status == there.NOTHING:
            raise CommitError(f"{self._switch.host}: the commit took too long, and the switch has ended it")
        if result.status == there.FULL:
            raise CommitError(f"{self._switch.host}: a file could not be written: is its disk full? {result.failure}")
        if result.status:
            raise CommitError(f"{self._switch.host}: {prefix}{result.failure}")

    def _begin(self, message: str) -> None:
        """Create the commit. From then on the switch reverts it by itself if no client ends it."""
        line = "".join(character if character.isprintable() else " " for character in message)[:MESSAGE_LENGTH]
        guard = str(self._seconds + SLACK)
        result = self._script(there.BEGIN, guard, there.UNDO, given=line, seconds=self._seconds)
        if result.status == there.TAKEN:
            raise LockError(f"{self._switch.host}: a commit lies there that nobody ended: confirm it or roll it back")
        if result.status == there.BROKEN:
            raise CommitError(f"{self._switch.host}: the updater could not go back to what runs: {result.failure}")
        self._must(result, "no checkpoint, or no timer to revert by: ")

    def _write(self, name: str, text: str) -> None:
        self._must(self._script(there.WRITE, name, given=text), "")

    def _apply(self, candidate: Candidate, running: Whole) -> None:
        if candidate.tables is None:
            self._add_lines(candidate.lines)
            return
        target_tables = self._wanted(candidate, running)
        frr = self._other_frr(candidate, target_tables)
        if frr is not None:
            self._write("frr.new", frr)
        if difference(running, target_tables):
            self._write("target.json", text_of(target_tables))
            self._must(self._script(there.REPLACE, seconds=self._seconds), "refused: ")
        # A restart of the container ends all sessions, so only what it reads at its start causes one.
        if frr is not None or _starts(running) != _starts(target_tables):
            result = self._script(there.RELOAD, str(max(2, self._seconds // 2)), seconds=self._seconds)
            self._must(result, f"the bgp container did not start with the new {there.FRR_CONF}: ")

    def _other_frr(self, candidate: Candidate, target_tables: Whole) -> str | None:
        """Return frr.conf if the switch reads it and it differs; a file that is not read is kept as remarks."""
        if candidate.frr is None:
            return None
        if self._makes_frr(target_tables) or is_remark(candidate.frr):
            self._write("remarks", candidate.frr)
            return None
        return candidate.frr if candidate.frr != without_appended(self._read(there.READ)) else None

    def _add_lines(self, lines: str) -> None:
        result = self._script(there.MERGE, given=lines, seconds=self._seconds)
        errors = complaints(result, lines)
        if errors and result.status not in (there.NOTHING, there.FULL):
            raise CommitError(f"{self._switch.host}: {'; '.join(errors[:3])}")
        self._must(result, "")

    def _undone(self, owner: str) -> str:
        """Revert the commit of an owner, "" for any, and return the outcome in words."""
        try:
            result = self._switch.script(there.UNDO, owner, seconds=self._seconds)
        except NapalmException:
            return "the switch is out of reach, and reverts by itself"
        if result.status in (0, there.NOTHING):
            return "what ran before runs again"
        return "what ran before could not be put back whole: look at the switch"

    def confirm(self) -> None:
        """Keep the pending commit. Raises CommitConfirmException, or CommitError if it could not be saved."""
        self._keep("")

    def _keep(self, owner: str) -> None:
        host = self._switch.host
        result = self._switch.script(there.KEEP, owner, seconds=self._seconds)
        if result.status == there.NOTHING:
            raise CommitConfirmException(f"{host}: no commit waits for confirmation")
        if result.status:
            raise CommitError(f"{host}: the startup file could not be written: is its disk full? {self._undone(owner)}")

    def cancel(self) -> None:
        """Revert the pending commit, and nothing else."""
        result = self._switch.script(there.UNDO, seconds=self._seconds)
        if result.status == there.NOTHING:
            raise CommitConfirmException(f"{self._switch.host}: no commit waits for confirmation")
        if result.status:
            raise CommitError(f"{self._switch.host}: what ran before could not be put back whole")

    def rollback(self) -> None:
        """Revert the pending commit; if there is none, the last one kept since the switch started."""
        if self.pending_message() is None:
            result = self._switch.script(there.AGAIN)
            if result.status:
                raise CommitError(f"{self._switch.host}: no commit to roll back is known")
            self.cancel()
            if self._switch.script(there.SAVE, seconds=self._seconds).status:
                raise CommitError(f"{self._switch.host}: the startup file could not be written: is its disk full?")
        else:
            self.cancel()


def _local(tables: Whole) -> Mapping[str, object]:
    return tables.get("DEVICE_METADATA", {}).get("localhost", {})


def _starts(tables: Whole) -> tuple[object, ...]:
    return tuple(_local(tables).get(field) for field in STARTS)


def _without(text: str, secret_values: Iterable[str]) -> str:
    for secret in sorted(filter(None, secret_values), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text
