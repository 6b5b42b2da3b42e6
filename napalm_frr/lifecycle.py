"""The life of a candidate: loaded, compared, committed under the guard on the switch, confirmed, rolled back."""

import hashlib
import secrets
from collections.abc import Container

from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    LockError,
    MergeConfigException,
    NapalmException,
    ReplaceConfigException,
)

from napalm_frr.device_side import SCRIPT
from napalm_frr.difference import Candidate, completed, difference, first_difference
from napalm_frr.distinguishers import held, unprinted
from napalm_frr.paths import Path, masked
from napalm_frr.shell import Shell
from napalm_frr.syntax import complaints, failures
from napalm_frr.transport import Result

NAME = "guard.sh"
MESSAGE_LENGTH = 500
# How many reloads a verb of the script may wait for; seconds beside them.
RELOADS = {"arm": 1, "put": 1, "apply": 1, "hold": 1, "pending": 1, "settle": 3, "recover": 3}
GRACE = 10
# What the script's exit statuses mean.
UNFINISHED, LOCKED, DAEMON_DEAD, NOT_OURS = 73, 75, 76, 79


class Lifecycle:
    """Candidate and commits of one switch.

    state    folder on the switch
    seconds  time after which the switch reverts a commit that its client began and did not end
    """

    def __init__(self, shell: Shell, state: str, seconds: int) -> None:
        self._shell = shell
        self._state = state
        self._seconds = seconds
        self._candidate: Candidate | None = None

    def running(self) -> str:
        """What runs, without a header."""
        return self._shell.vtysh("show running-config no-header")

    def startup(self) -> str:
        """What the next start will have; "" when nothing was ever saved."""
        folder = f"/etc/frr/{self._shell.pathspace}" if self._shell.pathspace else "/etc/frr"
        found = self._shell.run(["cat", f"{folder}/frr.conf"])
        return found.output if found.status == 0 else ""

    def candidate(self) -> str:
        """Text that was loaded, or ""."""
        return self._candidate.text if self._candidate else ""

    def load_replace(self, text: str) -> None:
        """Take a candidate that FRR can read."""
        told = self._complaints(text)
        if told:
            raise ReplaceConfigException(f"{self._shell.host}: {'; '.join(told)}")
        self._candidate = Candidate(_clean(text), merge=False)

    def load_merge(self, text: str) -> None:
        """Take lines, after those that were taken before."""
        if self._candidate and not self._candidate.merge:
            raise MergeConfigException(f"{self._shell.host}: a candidate to replace with is loaded: discard it first")
        told = self._complaints(text)
        if told:
            raise MergeConfigException(f"{self._shell.host}: {'; '.join(told)}")
        before = self._candidate.text if self._candidate else ""
        self._candidate = Candidate(before + _clean(text), merge=True)

    def _complaints(self, text: str) -> tuple[str, ...]:
        if not text.strip():
            return ("the candidate is empty",)
        if "\0" in text:
            return ("the candidate has a NUL character",)
        # Read from standard input: nothing is left on the switch.
        return complaints(self._shell.run(["vtysh", "-C", "-f", "/dev/stdin"], _clean(text)), text)

    def compare(self) -> str:
        """What a commit would change; "" without a candidate."""
        if self._candidate is None:
            return ""
        running = self.running()
        return difference(running, self._candidate, self._held(running, self._candidate))

    def _held(self, running: str, candidate: Candidate) -> frozenset[Path]:
        """Lines that FRR holds and does not print."""
        return held(self._shell, unprinted(running, candidate.text))

    def discard(self) -> None:
        """Forget the candidate."""
        self._candidate = None

    def commit(self, message: str, revert_in: int | None) -> None:
        """Make the candidate what runs, and unless it is timed what the next start will have."""
        if self._candidate is None:
            raise CommitError(f"{self._shell.host}: nothing is loaded to commit")
        if revert_in is not None and revert_in < 1:
            raise CommitError(f"{self._shell.host}: revert_in is a number of seconds, not {revert_in}")
        self._transact(self._candidate, message, int(revert_in) if revert_in else None, "keep")
        self._candidate = None

    def confirm(self) -> None:
        """Keep what waits."""
        found = self._script("settle", "", "keep")
        if found.status and self.pending():
            why = "the guard of the commit is gone, so nobody can keep it: call rollback()"
            raise CommitConfirmException(f"{self._shell.host}: {why}")
        if found.status:
            raise CommitConfirmException(f"{self._shell.host}: no commit waits for confirmation")
        self._check_kept(found)

    def pending(self) -> bool:
        """Whether a timed commit waits, or any has lost its guard."""
        return self._script("pending").status == 0

    def rollback(self) -> None:
        """Revert what waits, or else the last commit that was kept."""
        if self.pending():
            found = self._script("settle", "", "revert")
            if found.status == NOT_OURS:
                found = self._script("recover", "forget")
            if found.status == LOCKED:
                raise LockError(f"{self._shell.host}: another commit runs, or is being put back")
            if found.status == DAEMON_DEAD:
                raise CommitError(f"{self._shell.host}: {_dead(found)}")
            if found.output.strip() != "reverted":
                raise CommitError(f"{self._shell.host}: {self._damaged()}")
            return
        kept = self._shell.run(["cat", f"{self._state}/rollback"])
        if kept.status or not kept.output:
            raise CommitError(f"{self._shell.host}: no commit to roll back is known in {self._state}")
        self._transact(Candidate(kept.output, merge=False), "rollback", None, "keep-rollback")

    def _transact(self, candidate: Candidate, message: str, revert_in: int | None, keep: str) -> None:
        token = secrets.token_hex(8)
        running = self._begin(token, message)
        try:
            said = self._apply(token, running, candidate)
            after = self.running()
            left = remainder(after, candidate, self._held(after, candidate))
        except NapalmException as error:
            raise CommitError(f"{error}; {self._give_up(token)}") from None
        except KeyboardInterrupt:
            self._give_up(token)
            raise
        if left:
            raise CommitError(f"{self._shell.host}: {_why(said, left, candidate)}; {self._give_up(token)}")
        if revert_in is None:
            self._check_kept(self._script("settle", token, keep))
        elif self._script("hold", token, str(revert_in)).status:
            raise CommitError(f"{self._shell.host}: the commit took too long, and the switch has reverted it")

    def _begin(self, token: str, message: str) -> str:
        """Take the switch's lock, and start its guard; what runs."""
        self._install()
        found = self._script("arm", token, str(self._seconds), _one_line(message))
        host, said = self._shell.host, found.output.strip()
        if found.status == LOCKED:
            raise LockError(f"{host}: another commit runs, or waits for its confirmation: {said}")
        if found.status == DAEMON_DEAD:
            raise CommitError(f"{host}: {_dead(found)}")
        if found.status == UNFINISHED:
            raise CommitError(
                f"{host}: a commit lies there that nobody ended, as its guard is gone: call rollback() to put back "
                f"what ran before it ({self._state}/before): {said}"
            )
        if found.status:
            raise CommitError(f"{host}: the commit could not begin: {found.errors.strip() or found.status}")
        return found.output

    def _apply(self, token: str, running: str, candidate: Candidate) -> str:
        """Output of what changed the configuration; "" when there was nothing to change."""
        if not difference(running, candidate, self._held(running, candidate)):
            return ""
        text = candidate.text if candidate.merge else completed(running, candidate)
        self._upload(f"candidate.{token}", text)
        found = self._script("apply", token, "merge" if candidate.merge else "replace")
        if found.status == NOT_OURS:
            raise CommandErrorException(f"{self._shell.host}: the guard of the commit is gone")
        return found.output

    def _give_up(self, token: str) -> str:
        """Have the switch put back what was, and say how that went."""
        try:
            found = self._script("settle", token, "revert")
            if found.status == NOT_OURS and not found.output:
                found = self._script("recover")
        except NapalmException:
            return f"the switch is out of reach, and puts back what ran before by itself within {self._seconds} s"
        told = {
            "reverted": "what ran before was put back",
        }
        return told.get(found.output.strip(), self._damaged())

    def _damaged(self) -> str:
        return f"what ran before, {self._state}/before on the switch, could not be put back whole: see reload.log there"

    def _check_kept(self, found: Result) -> None:
        word = found.output.strip()
        if found.status == 0 and word == "kept":
            return
        told = {
            "unsaved": "the startup file could not be written, so what ran before was put back",
            "damaged": self._damaged(),
        }
        raise CommitError(f"{self._shell.host}: {told.get(word, 'the switch has reverted the commit')}")

    def _install(self) -> None:
        """Write the script; it comes whole or not at all."""
        make = 'umask 077 && mkdir -p "$1" && cat >"$1/$2.$$" && mv -f "$1/$2.$$" "$1/$2"'
        self._shell.must(["sh", "-c", make, "sh", self._state, NAME], SCRIPT)

    def _upload(self, name: str, text: str) -> None:
        checksum = hashlib.sha256(text.encode()).hexdigest()
        if self._script("put", name, checksum, given=text).status:
            raise CommandErrorException(f"{self._shell.host}: the candidate did not arrive whole")

    def _script(self, verb: str, *arguments: str, given: str = "") -> Result:
        """Run a verb of the script. What waits for reloads has their time. Without a commit ever, it is not there."""
        each = self._shell.seconds
        words = ["sh", f"{self._state}/{NAME}", self._state, self._shell.pathspace, f"{each:g}", verb, *arguments]
        return self._shell.run(words, given, each * RELOADS[verb] + GRACE)


def remainder(running: str, candidate: Candidate, held_lines: Container[Path] = ()) -> str:
    """What a commit did not reach. A `no` line of a merge is content when nothing is left for it to take away."""
    left = difference(running, candidate, held_lines)
    if not candidate.merge:
        return left
    kept = [line for line in left.splitlines() if not line.lstrip("+ ").startswith("no ")]
    return "\n".join(kept) if any(line[0] != " " for line in kept) else ""


def _dead(found: Result) -> str:
    """What a verb says that found daemons which do not answer."""
    return (
        f"the configuration of {found.output.strip()} is not known, as it does not answer: start it, or remove its pid "
        "file if it is not to run"
    )


def _clean(text: str) -> str:
    return "\n".join([*text.splitlines(), ""])


def _one_line(message: str) -> str:
    """A message for the log: one line of printable characters."""
    return "".join(sign if sign.isprintable() else " " for sign in message)[:MESSAGE_LENGTH]


def _why(said: str, left: str, candidate: Candidate) -> str:
    told = failures(said, candidate.text)
    if told:
        return "; ".join(told[:3])
    words = next((f" ({masked(line.strip())})" for line in said.splitlines() if line.strip()), "")
    return f"FRR did not come to {first_difference(left)!r}{words}"
