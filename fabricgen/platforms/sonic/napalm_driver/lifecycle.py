"""The life of a candidate: loaded, compared, committed under a timer of the switch, confirmed, rolled back."""

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
from fabricgen.platforms.sonic.napalm_driver.switch import SonicShell, said
from napalm_frr import paths
from napalm_frr.difference import Candidate as Lines
from napalm_frr.difference import difference as lines_between
from napalm_frr.syntax import complaints
from napalm_frr.transport import Result

SLACK = 60
"""Seconds that a commit has beside its own before the switch ends one whose client is gone."""
MESSAGE_LENGTH = 500
UNIFIED = "unified"
STARTS = ("docker_routing_config_mode", "frr_mgmt_framework_config", "bgp_asn")
"""Fields of DEVICE_METADATA that the bgp container reads when it starts (dockers/docker-fpm-frr/docker_init.sh)."""


class Candidate(NamedTuple):
    """What is to be committed: a database to replace with, rows to add, or lines to add to what FRR runs.

    frr   frr.conf; None where it is not said
    """

    tables: Whole | None
    merge: bool
    lines: str = ""
    frr: str | None = None


class Lifecycle:
    """Candidate and commits of one switch. seconds: that a commit may take."""

    def __init__(self, switch: SonicShell, seconds: int) -> None:
        self._switch = switch
        self._seconds = seconds
        self._candidate: Candidate | None = None
        self._owner = ""

    def load_replace(self, text: str) -> None:
        """Take a whole CONFIG_DB. Raises ReplaceConfigException."""
        try:
            tables = tables_of(text)
        except Misread as error:
            raise ReplaceConfigException(f"{self._switch.host}: {error}") from None
        if "DEVICE_METADATA" not in tables:
            raise ReplaceConfigException(f"{self._switch.host}: a whole CONFIG_DB has DEVICE_METADATA")
        self._candidate = Candidate(tables, merge=False)

    def load_merge(self, text: str) -> None:
        """Take rows of CONFIG_DB as JSON, or lines of FRR, to add. Raises MergeConfigException."""
        host = self._switch.host
        if self._candidate is not None:
            raise MergeConfigException(f"{host}: a candidate is loaded: discard it first")
        if not text.lstrip().startswith("{"):
            told = self._complaints(text)
            if told:
                raise MergeConfigException(f"{host}: {'; '.join(told[:3])}")
            self._candidate = Candidate(None, merge=True, lines=text)
            return
        try:
            self._candidate = Candidate(tables_of(text), merge=True)
        except Misread as error:
            raise MergeConfigException(f"{host}: {error}") from None

    def load_files(self, files: Mapping[str, str]) -> None:
        """Take frr.conf into the candidate that replaces. Raises ReplaceConfigException."""
        host = self._switch.host
        if self._candidate is None or self._candidate.merge:
            raise ReplaceConfigException(f"{host}: files go with a candidate to replace with: load it first")
        unknown = sorted(files.keys() - {there.FRR_CONF})
        if unknown:
            raise ReplaceConfigException(f"{host}: no way to the files {', '.join(unknown)}")
        for text in files.values():
            told = () if is_remark(text) else self._complaints(text)
            if told:
                raise ReplaceConfigException(f"{host}: {there.FRR_CONF}: {'; '.join(told[:3])}")
            self._candidate = self._candidate._replace(frr=without_appended(text))

    def _complaints(self, text: str) -> tuple[str, ...]:
        if not text.strip():
            return ("the candidate is empty",)
        # Read from standard input, which the host's vtysh hands into the container: nothing is left on the switch.
        return complaints(self._switch.run(["vtysh", "-C", "-f", "/dev/stdin"], text), text)

    def read_files(self, wanted: Iterable[str]) -> dict[str, str]:
        """frr.conf that is in effect, without what SONiC has added; "" for none.

        Where SONiC makes the file itself, the remarks that stand in its place.
        """
        found = {}
        for path in wanted:
            script = there.READ_REMARKS if self._makes_frr(self._switch.config()) else there.READ
            found[path] = without_appended(self._read(script)) if path == there.FRR_CONF else ""
        return found

    def _read(self, script: str) -> str:
        found = self._switch.script(script)
        if found.status:
            raise CommitError(f"{self._switch.host}: {there.FRR_CONF}: {said(found)}")
        return found.output

    @staticmethod
    def _makes_frr(tables: Whole) -> bool:
        return _local(tables).get("docker_routing_config_mode") == UNIFIED

    def candidate(self) -> Whole:
        """Tables that were loaded."""
        return (self._candidate.tables if self._candidate else None) or {}

    def compare(self) -> str:
        """What a commit would change in CONFIG_DB and frr.conf, or the lines that are added to FRR; "" for nothing."""
        if self._candidate is None:
            return ""
        if self._candidate.tables is None:
            runs = self._switch.must(["vtysh", "-c", "show running-config"])
            return lines_between(runs, Lines(self._candidate.lines, merge=True))
        running = self._switch.config()
        wanted = self._wanted(self._candidate, running)
        return "\n".join(part for part in (difference(running, wanted), self._frr_difference(self._candidate)) if part)

    def _frr_difference(self, candidate: Candidate) -> str:
        """Lines of frr.conf that come and go, secrets masked; "" where it is not ours."""
        if candidate.frr is None or is_remark(candidate.frr):
            return ""
        have = without_appended(self._read(there.READ)).splitlines()
        lines = [one for one in difflib.ndiff(have, candidate.frr.splitlines()) if one.startswith(("- ", "+ "))]
        return "\n".join([there.FRR_CONF, *(paths.masked(line[0] + line[2:]) for line in lines)]) if lines else ""

    @staticmethod
    def _wanted(candidate: Candidate, running: Whole) -> Whole:
        tables = candidate.tables or {}
        return merged(tables, running) if candidate.merge else target(tables, running)

    def discard(self) -> None:
        """Forget the candidate."""
        self._candidate = None

    def pending_message(self) -> str | None:
        """Message of the commit that is there, whoever made it; None where none is."""
        found = self._switch.script(there.PENDING)
        if found.status not in (0, there.NOTHING):
            raise CommitError(f"{self._switch.host}: {said(found)}")
        return None if found.status else found.output.rstrip("\n")

    def commit(self, message: str, revert_in: int | None) -> None:
        """Make the candidate run, and unless it is timed what the next start has. Raises CommitError, LockError."""
        candidate, host = self._candidate, self._switch.host
        if candidate is None:
            raise CommitError(f"{host}: nothing is loaded to commit")
        if revert_in is not None and revert_in < 1:
            raise CommitError(f"{host}: revert_in is a number of seconds, not {revert_in}")
        running = self._switch.config()
        hidden = (*secrets_in(running), *secrets_in(candidate.tables or {}))
        self._owner = secrets.token_hex(8)
        try:
            self._begin(message)
            self._apply(candidate, running)
            if revert_in is not None:
                self._must(self._script(there.TIMED, str(revert_in)), "no timer to revert by: ")
        except LockError:
            raise
        except NapalmException as error:
            raise CommitError(f"{_without(str(error), hidden)}; {self._undone(self._owner)}") from None
        except KeyboardInterrupt:
            self._undone(self._owner)
            raise
        self._candidate = None
        if revert_in is None:
            self._keep(self._owner)

    def _script(self, script: str, *words: str, given: str = "", seconds: float = 0) -> Result:
        """Run a script of the commit that this client has made."""
        return self._switch.script(script, self._owner, *words, given=given, seconds=seconds)

    def _must(self, found: Result, words: str) -> None:
        """Raise CommitError, in these words and the switch's own, unless a script of the commit has succeeded."""
        if found.status == there.NOTHING:
            raise CommitError(f"{self._switch.host}: the commit took too long, and the switch has ended it")
        if found.status == there.FULL:
            raise CommitError(f"{self._switch.host}: a file could not be written: is its disk full? {said(found)}")
        if found.status:
            raise CommitError(f"{self._switch.host}: {words}{said(found)}")

    def _begin(self, message: str) -> None:
        """Make the commit, from which on the switch ends it by itself when nobody else does."""
        line = "".join(sign if sign.isprintable() else " " for sign in message)[:MESSAGE_LENGTH]
        guard = str(self._seconds + SLACK)
        found = self._script(there.BEGIN, guard, there.UNDO, given=line, seconds=self._seconds)
        if found.status == there.TAKEN:
            raise LockError(f"{self._switch.host}: a commit lies there that nobody ended: confirm it or roll it back")
        if found.status == there.BROKEN:
            raise CommitError(f"{self._switch.host}: the updater could not go back to what runs: {said(found)}")
        self._must(found, "no checkpoint, or no timer to revert by: ")

    def _write(self, name: str, text: str) -> None:
        self._must(self._script(there.WRITE, name, given=text), "")

    def _apply(self, candidate: Candidate, running: Whole) -> None:
        if candidate.tables is None:
            self._add_lines(candidate.lines)
            return
        wanted = self._wanted(candidate, running)
        frr = self._other_frr(candidate, wanted)
        if frr is not None:
            self._write("frr.new", frr)
        if difference(running, wanted):
            self._write("target.json", text_of(wanted))
            self._must(self._script(there.REPLACE, seconds=self._seconds), "refused: ")
        if frr is not None or _starts(running) != _starts(wanted):
            found = self._script(there.RELOAD, str(max(2, self._seconds // 2)), seconds=self._seconds)
            self._must(found, f"the bgp container did not start with the new {there.FRR_CONF}: ")

    def _other_frr(self, candidate: Candidate, wanted: Whole) -> str | None:
        """frr.conf, where it is ours and differs; what has remarks only is kept beside it."""
        if candidate.frr is None:
            return None
        if self._makes_frr(wanted) or is_remark(candidate.frr):
            self._write("remarks", candidate.frr)
            return None
        return candidate.frr if candidate.frr != without_appended(self._read(there.READ)) else None

    def _add_lines(self, lines: str) -> None:
        found = self._script(there.MERGE, given=lines, seconds=self._seconds)
        told = complaints(found, lines)
        if told and found.status not in (there.NOTHING, there.FULL):
            raise CommitError(f"{self._switch.host}: {'; '.join(told[:3])}")
        self._must(found, "")

    def _undone(self, owner: str) -> str:
        """End a commit, "" for whosever is there, and say what came of it."""
        try:
            found = self._switch.script(there.UNDO, owner, seconds=self._seconds)
        except NapalmException:
            return "the switch is out of reach, and reverts by itself"
        if found.status in (0, there.NOTHING):
            return "what ran before runs again"
        return "what ran before could not be put back whole: look at the switch"

    def confirm(self) -> None:
        """Keep what waits. Raises CommitConfirmException, or CommitError where it could not be saved."""
        self._keep("")

    def _keep(self, owner: str) -> None:
        host = self._switch.host
        found = self._switch.script(there.KEEP, owner, seconds=self._seconds)
        if found.status == there.NOTHING:
            raise CommitConfirmException(f"{host}: no commit waits for confirmation")
        if found.status:
            raise CommitError(f"{host}: the startup file could not be written: is its disk full? {self._undone(owner)}")

    def cancel(self) -> None:
        """Revert what waits, and nothing else."""
        found = self._switch.script(there.UNDO, seconds=self._seconds)
        if found.status == there.NOTHING:
            raise CommitConfirmException(f"{self._switch.host}: no commit waits for confirmation")
        if found.status:
            raise CommitError(f"{self._switch.host}: what ran before could not be put back whole")

    def rollback(self) -> None:
        """Revert what waits, or else the last commit that was kept since the switch started."""
        if self.pending_message() is None:
            found = self._switch.script(there.AGAIN)
            if found.status:
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


def _without(text: str, hidden: Iterable[str]) -> str:
    for secret in sorted(filter(None, hidden), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text
