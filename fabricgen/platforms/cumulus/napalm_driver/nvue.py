"""`nv config` on one switch: its calls and outputs, and which revision waits for its confirmation."""

import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from napalm.base.exceptions import CommandErrorException

from napalm_frr.shell import Shell
from napalm_frr.transport import Result

WAITS = "confirm"
"""State of a revision that is applied and not confirmed."""
APPLIED = "applied"
"""Name of the revision that the switch runs."""
APPLIED_STATES = frozenset({"applied", "applied_and_saved", "auto_save", "auto_saving"})
"""States of a revision that the switch runs, or ran, permanently."""
UNDER_WAY = frozenset(
    {
        *("apply", "ays", "ays_no", "ays_yes", "checked", "checking", "confirm", "confirm_no", "confirm_yes"),
        *("ignore_fail", "ignore_fail_no", "ignore_fail_yes", "ready", "ready_error", "readying", "reloaded"),
        *("reloading", "verified", "verify_error", "verifying"),
    }
)
"""States in which NVUE has not finished a revision, so that parts of it may be applied; in `ignore_fail` it has failed
half-way and waits for a person. Source: the table of NVUE's states of a public deployer of event networks (gpncfg,
NT_BLOCKING and what it calls preprocessing); NVIDIA/nv-config-manager requires manual action at `ignore_fail`;
2026-11-22."""
FAILED = frozenset({"apply_error", "apply_fail", "ays_fail", "confirm_fail", "invalid"})
"""States of a failed revision (the same table)."""
NOTHING = ("", "[]", "{}")
"""Outputs of an empty difference."""
REFUSED = re.compile(r"^(?:Error|Invalid|Failed|Traceback|nv: error|usage:)", re.MULTILINE | re.IGNORECASE)
"""Beginning of an NVUE error (511 NVUE Snippets: `Invalid config [rev_id: 8]`). Further right in a line such a word may
be a text of the configuration."""
SCRIPT = """\
f=$(mktemp --suffix=.yaml) || exit 1
trap 'rm -f "$f"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$f" || exit 1
[ "$(wc -c <"$f")" -eq "$1" ] || { echo 'Error: the file came cut off' >&2; exit 1; }
nv config "$0" "$f" </dev/null
"""
"""Shell script that passes a file of standard input, of so many octets, to NVUE: if the connection breaks, standard
input simply ends. No other account can read the file, and it is removed when the script ends, also by a signal."""
SET = re.compile(r"^- (?:set|unset):", re.MULTILINE)
"""Beginning of an item that configures."""
PAUSE_SECONDS = 0.5
LONGEST, SHORTEST = 300, 4
"""Characters of an error; shortest secret that can be distinguished from other words."""


class NvueRevision(NamedTuple):
    """One revision of the configuration."""

    number: str
    state: str
    message: str


class Nvue:
    """`nv` as the user who logged in. hidden: secrets of the candidate, which errors must not contain."""

    def __init__(self, shell: Shell, seconds: float) -> None:
        self._shell = shell
        self._seconds = seconds
        self.hidden: tuple[str, ...] = ()

    def config(self, *words: str, seconds: float = 0) -> str:
        """Output of `nv config`. Raises CommandErrorException with NVUE's error."""
        return self.checked_output(f"nv config {words[0]}", self._shell.run(["nv", "config", *words], "", seconds))

    def applied(self, option: str = "") -> str:
        """The applied configuration, without the header, which files do not need."""
        configuration = self.config("show", *filter(None, (option,)))
        if not configuration.strip():
            raise CommandErrorException(f"{self._shell.host}: nv config show: it printed nothing")
        begin = SET.search(configuration)
        return configuration[begin.start() :] if begin else configuration

    def quietly(self, *words: str) -> Result:
        """Result of `nv config`, also if it fails."""
        return self._shell.run(["nv", "config", *words])

    def load(self, verb: str, text: str) -> str:
        """Load a file with `replace` or `patch`."""
        octets = str(len(text.encode()))
        result = self._shell.run(["sh", "-c", SCRIPT, verb, octets], text, self._seconds)
        return self.checked_output(f"nv config {verb}", result)

    def checked_output(self, command: str, result: Result) -> str:
        """Output of a command that succeeded. NVUE may refuse with exit status 0, so its text is checked too."""
        refused = REFUSED.search(result.output) or REFUSED.search(result.errors)
        if result.status == 0 and not refused:
            return result.output
        lines = (line.strip() for line in (*result.errors.splitlines(), *result.output.splitlines()))
        reason = "; ".join(line for line in lines if line) or f"exit status {result.status}"
        raise CommandErrorException(f"{self._shell.host}: {command}: {self.plain(reason)[:LONGEST]}")

    def plain(self, text: str) -> str:
        """A text without the candidate's secrets."""
        for secret in sorted(self.hidden, key=len, reverse=True):
            text = text.replace(secret, "<removed>")
        return text

    def revisions(self) -> tuple[NvueRevision, ...]:
        """All revisions. Raises CommandErrorException if the output has none in the known form."""
        command = "nv config revision"
        revisions = self.parsed(command, self.config("revision", "-o", "json"))
        rows = [_revision(number, row) for number, row in revisions.items() if isinstance(row, dict)]
        if not rows:
            raise CommandErrorException(f"{self._shell.host}: {command}: it names no revision")
        return tuple(rows)

    def waiting(self) -> NvueRevision | None:
        """The revision that is applied and not confirmed, or else one that NVUE has not finished."""
        return waiting_of(self.revisions())

    def ended(self, states: frozenset[str], seconds: float) -> NvueRevision | None:
        """Wait until NVUE has finished all revisions, or has one in these states; the one that still waits, or None."""
        deadline = time.monotonic() + seconds
        while (row := self.waiting()) is not None and row.state not in states and time.monotonic() < deadline:
            time.sleep(PAUSE_SECONDS)
        return row

    def state_of(self, number: str) -> str:
        """State of a revision; "" if it does not exist."""
        return next((row.state for row in self.revisions() if row.number == number), "")

    def differs(self) -> bool:
        """Whether something is set and not applied."""
        return self.config("diff").strip() not in NOTHING

    def parent(self) -> str:
        """Revision that was applied before the current one; "" if NVUE does not show it."""
        result = self.quietly("revision", "--applied", "-o", "json")
        try:
            revision = json.loads(result.output)[APPLIED]["additional-data"]["parent-revision-id"]
        except (ValueError, KeyError, TypeError):
            return ""
        return revision if isinstance(revision, str) else ""

    def parsed(self, command: str, output: str) -> Mapping[str, Any]:
        """A JSON object that a command printed."""
        try:
            value = json.loads(output)
        except ValueError:
            first = output.strip().partition("\n")[0]
            raise CommandErrorException(f"{self._shell.host}: {command}: no JSON: {self.plain(first)[:200]}") from None
        if not isinstance(value, dict):
            raise CommandErrorException(f"{self._shell.host}: {command}: no JSON object")
        return value


def _revision(number: str, row: Mapping[str, Any]) -> NvueRevision:
    message = row.get("message")
    if not isinstance(message, str):
        last_apply = row.get("last-apply")
        message = last_apply.get("message", "") if isinstance(last_apply, dict) else ""
    return NvueRevision(str(number), str(row.get("state", "")), " ".join(str(message).split()))


def waiting_of(rows: Iterable[NvueRevision]) -> NvueRevision | None:
    """The revision that waits for its confirmation, or else one that NVUE has not finished."""
    unfinished = [row for row in rows if row.state in UNDER_WAY]
    return next((row for row in unfinished if row.state == WAITS), unfinished[0] if unfinished else None)


def applied_numbers(rows: Iterable[NvueRevision]) -> frozenset[str]:
    """Numbers of those that the switch runs or ran: every apply by anybody adds one."""
    return frozenset(row.number for row in rows if row.state in APPLIED_STATES)


def texts(values: Iterable[str]) -> tuple[str, ...]:
    """Values that are long enough to be distinguished from other words."""
    return tuple(dict.fromkeys(value for value in values if len(value) >= SHORTEST))
