"""`nv config` on one switch: what it is told, what it answers, and which revision waits for its confirmation."""

import json
import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from napalm.base.exceptions import CommandErrorException

from napalm_frr.shell import Shell
from napalm_frr.transport import Result

WAITS = "confirm"
"""State of a revision that is applied and not confirmed."""
APPLIED = "applied"
"""Name of the revision that the switch runs."""
KEPT = frozenset({"applied", "applied_and_saved", "auto_save", "auto_saving"})
"""States of a revision that the switch runs, or ran, for good."""
UNDER_WAY = frozenset(
    {
        *("apply", "ays", "ays_no", "ays_yes", "checked", "checking", "confirm", "confirm_no", "confirm_yes"),
        *("ignore_fail", "ignore_fail_no", "ignore_fail_yes", "ready", "ready_error", "readying", "reloaded"),
        *("reloading", "verified", "verify_error", "verifying"),
    }
)
"""States in which NVUE has not ended with a revision, so that parts of it may be applied; `ignore_fail` is one that
failed half-way and waits for somebody. Source: the table of NVUE's states of a public deployer of event networks
(gpncfg, NT_BLOCKING and what it calls preprocessing); NVIDIA/nv-config-manager asks for hands at `ignore_fail`;
2026-11-22."""
FAILED = frozenset({"apply_error", "apply_fail", "ays_fail", "confirm_fail", "invalid"})
"""States of one that did not come to stand (the same table)."""
NOTHING = ("", "[]", "{}")
"""What a difference is where there is none."""
REFUSED = re.compile(r"^(?:Error|Invalid|Failed|Traceback|nv: error|usage:)", re.MULTILINE | re.IGNORECASE)
"""How NVUE begins where it does not take something (511 NVUE Snippets: `Invalid config [rev_id: 8]`). What stands
deeper in a line may be a text of the configuration."""
SCRIPT = """\
f=$(mktemp --suffix=.yaml) || exit 1
trap 'rm -f "$f"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$f" || exit 1
[ "$(wc -c <"$f")" -eq "$1" ] || { echo 'Error: the file came cut off' >&2; exit 1; }
nv config "$0" "$f" </dev/null
"""
"""Lines of sh that hand NVUE a file of standard input, of so many octets: where the connection is lost half-way
standard input just ends. Nobody else can read it, and it goes when the lines end, also by a signal."""
SET = re.compile(r"^- (?:set|unset):", re.MULTILINE)
"""Begin of an item that configures."""
PAUSE_SECONDS = 0.5
LONGEST, SHORTEST = 300, 4
"""Characters of an error; of a secret that is told apart from other words."""


class NvueRevision(NamedTuple):
    """One revision of the configuration."""

    number: str
    state: str
    message: str


class Nvue:
    """`nv` as the user who logged in. hidden: secrets of the candidate, for no error to tell."""

    def __init__(self, shell: Shell, seconds: float) -> None:
        self._shell = shell
        self._seconds = seconds
        self.hidden: tuple[str, ...] = ()

    def config(self, *words: str, seconds: float = 0) -> str:
        """Output of `nv config`. Raises CommandErrorException with what NVUE has against it."""
        return self.told(f"nv config {words[0]}", self._shell.run(["nv", "config", *words], "", seconds))

    def applied(self, option: str = "") -> str:
        """What is applied, without the header that no file needs."""
        shown = self.config("show", *filter(None, (option,)))
        if not shown.strip():
            raise CommandErrorException(f"{self._shell.host}: nv config show: it said nothing")
        begin = SET.search(shown)
        return shown[begin.start() :] if begin else shown

    def quietly(self, *words: str) -> Result:
        """What `nv config` says, whether or not it succeeds."""
        return self._shell.run(["nv", "config", *words])

    def load(self, verb: str, text: str) -> str:
        """Have NVUE take a file, by `replace` or `patch`."""
        octets = str(len(text.encode()))
        found = self._shell.run(["sh", "-c", SCRIPT, verb, octets], text, self._seconds)
        return self.told(f"nv config {verb}", found)

    def told(self, command: str, found: Result) -> str:
        """Output of a command that succeeded. NVUE may refuse and exit as if it had not, so its words count too."""
        refused = REFUSED.search(found.output) or REFUSED.search(found.errors)
        if found.status == 0 and not refused:
            return found.output
        lines = (line.strip() for line in (*found.errors.splitlines(), *found.output.splitlines()))
        words = "; ".join(line for line in lines if line) or f"exit status {found.status}"
        raise CommandErrorException(f"{self._shell.host}: {command}: {self.plain(words)[:LONGEST]}")

    def plain(self, text: str) -> str:
        """A text without the candidate's secrets."""
        for secret in sorted(self.hidden, key=len, reverse=True):
            text = text.replace(secret, "<removed>")
        return text

    def revisions(self) -> tuple[NvueRevision, ...]:
        """All revisions. Raises CommandErrorException where NVUE shows none in the form that is known."""
        command = "nv config revision"
        shown = self.parsed(command, self.config("revision", "-o", "json"))
        found = [_revision(number, row) for number, row in shown.items() if isinstance(row, dict)]
        if not found:
            raise CommandErrorException(f"{self._shell.host}: {command}: it names no revision")
        return tuple(found)

    def waiting(self) -> NvueRevision | None:
        """The revision that is applied and not confirmed, or else one that NVUE has not ended with, of whomever."""
        return waiting_of(self.revisions())

    def ended(self, states: frozenset[str], seconds: float) -> NvueRevision | None:
        """What still waits once NVUE has ended with all, or with one of them is in these states; or after the time."""
        deadline = time.monotonic() + seconds
        while (row := self.waiting()) is not None and row.state not in states and time.monotonic() < deadline:
            time.sleep(PAUSE_SECONDS)
        return row

    def state_of(self, number: str) -> str:
        """State of a revision; "" for one that is not there."""
        return next((row.state for row in self.revisions() if row.number == number), "")

    def differs(self) -> bool:
        """Whether something is set and not applied."""
        return self.config("diff").strip() not in NOTHING

    def parent(self) -> str:
        """Revision that was applied before the one that is; "" where NVUE does not say."""
        found = self.quietly("revision", "--applied", "-o", "json")
        try:
            row = json.loads(found.output)[APPLIED]["additional-data"]["parent-revision-id"]
        except (ValueError, KeyError, TypeError):
            return ""
        return row if isinstance(row, str) else ""

    def parsed(self, command: str, output: str) -> Mapping[str, Any]:
        """A JSON object that a command printed."""
        try:
            found = json.loads(output)
        except ValueError:
            first = output.strip().partition("\n")[0]
            raise CommandErrorException(f"{self._shell.host}: {command}: no JSON: {self.plain(first)[:200]}") from None
        if not isinstance(found, dict):
            raise CommandErrorException(f"{self._shell.host}: {command}: no JSON object")
        return found


def _revision(number: str, row: Mapping[str, Any]) -> NvueRevision:
    message = row.get("message")
    if not isinstance(message, str):
        last = row.get("last-apply")
        message = last.get("message", "") if isinstance(last, dict) else ""
    return NvueRevision(str(number), str(row.get("state", "")), " ".join(str(message).split()))


def waiting_of(rows: Iterable[NvueRevision]) -> NvueRevision | None:
    """The one of these that waits for its confirmation, or else one that NVUE has not ended with."""
    left = [row for row in rows if row.state in UNDER_WAY]
    return next((row for row in left if row.state == WAITS), left[0] if left else None)


def kept_of(rows: Iterable[NvueRevision]) -> frozenset[str]:
    """Numbers of those that the switch runs or ran: another one is there as soon as somebody applies."""
    return frozenset(row.number for row in rows if row.state in KEPT)


def texts(values: Iterable[str]) -> tuple[str, ...]:
    """Values that are long enough to be told apart from other words."""
    return tuple(dict.fromkeys(value for value in values if len(value) >= SHORTEST))


def text_of(filename: str | None, config: str | None, fault: type[Exception]) -> str:
    """Text of a candidate; NAPALM has the file win over the text."""
    try:
        return Path(filename).read_text(encoding="utf-8") if filename else (config or "")
    except (OSError, UnicodeDecodeError) as error:
        raise fault(f"{filename}: cannot be read: {error}") from None
