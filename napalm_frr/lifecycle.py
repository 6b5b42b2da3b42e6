"""Candidate and commits: load, compare, commit under the guard on the switch, confirm, roll back."""

import secrets
from collections.abc import Container, Iterable, Mapping

from napalm.base.exceptions import (
    CommandErrorException,
    CommitConfirmException,
    CommitError,
    LockError,
    MergeConfigException,
    NapalmException,
    ReplaceConfigException,
)

from napalm_frr import files, files_there, vrfs
from napalm_frr.difference import Candidate, completed, difference, first_difference
from napalm_frr.distinguishers import rds_in_use, unprinted
from napalm_frr.guard import DAEMON_DEAD, FULL, LOCKED, NOT_OURS, RELOADS, Guard, dead
from napalm_frr.paths import Path, masked
from napalm_frr.run_marks import RunMarks, check_lease_released, check_lease_taken, lease_arguments, parse_run_marks
from napalm_frr.shell import Shell
from napalm_frr.syntax import complaints, failures
from napalm_frr.transport import Result


class Lifecycle:
    """Candidate and commits of one switch.

    state    folder on the switch
    seconds  time after which the switch reverts a commit whose client disconnected
    """

    def __init__(self, shell: Shell, state: str, seconds: int) -> None:
        self._shell = shell
        self._state = state
        self._seconds = seconds
        self._guard = Guard(shell, state)
        self._candidate: Candidate | None = None

    def running(self) -> str:
        """Running configuration, without a header."""
        return self._shell.vtysh("show running-config no-header")

    def startup(self) -> str:
        """Startup configuration; "" when it was never written."""
        result = self._shell.run(["cat", self._shell.startup])
        return result.output if result.status == 0 else ""

    def candidate(self) -> str:
        """Text of the candidate, or ""."""
        return self._candidate.text if self._candidate else ""

    def load_replace(self, text: str) -> None:
        """Load a replace candidate after a syntax check."""
        errors = self._complaints(text)
        if errors:
            raise ReplaceConfigException(f"{self._shell.host}: {'; '.join(errors)}")
        self._candidate = Candidate(_clean(text), merge=False)

    def load_merge(self, text: str) -> None:
        """Load lines, after those that were loaded before."""
        if self._candidate and not self._candidate.merge:
            raise MergeConfigException(f"{self._shell.host}: a candidate to replace with is loaded: discard it first")
        errors = self._complaints(text)
        if errors:
            raise MergeConfigException(f"{self._shell.host}: {'; '.join(errors)}")
        previous_text = self._candidate.text if self._candidate else ""
        self._candidate = Candidate(previous_text + _clean(text), merge=True)

    def _complaints(self, text: str) -> tuple[str, ...]:
        if not text.strip():
            return ("the candidate is empty",)
        if "\0" in text:
            return ("the candidate has a NUL character",)
        # Read from standard input: nothing is left on the switch.
        return complaints(self._shell.run(["vtysh", "-C", "-f", "/dev/stdin"], _clean(text)), text)

    def _unread(self, text: str) -> tuple[str, ...]:
        """Errors in an interfaces text that is not in effect yet, by ifupdown2, which takes a second to start."""
        have = self.read_files((files.INTERFACES,))[files.INTERFACES]
        return files_there.complaints(self._shell, text) if files.difference(files.INTERFACES, have, text) else ()

    def load_files(self, texts: Mapping[str, str]) -> None:
        """Add files besides frr.conf to the loaded replace candidate."""
        if self._candidate is None or self._candidate.merge:
            raise ReplaceConfigException(
                f"{self._shell.host}: files go with a candidate to replace with: load it first"
            )
        cleaned = {path: _clean(text) if text else "" for path, text in texts.items()}
        errors = [fault for path, text in cleaned.items() for fault in files.refused(path, text)]
        if not errors and files.INTERFACES in cleaned:
            errors += self._unread(cleaned[files.INTERFACES])
        if errors:
            raise ReplaceConfigException(f"{self._shell.host}: {'; '.join(errors[:3])}")
        self._candidate = self._candidate._replace(files={**self._candidate.files, **cleaned})

    def read_files(self, paths: Iterable[str]) -> dict[str, str]:
        """Texts of the files besides frr.conf in effect: those of a pending timed commit; "" for none."""
        return files_there.read(self._shell, self._state, paths)

    def compare(self) -> str:
        """Changes of a commit; "" without a candidate."""
        if self._candidate is None:
            return ""
        running = self.running()
        differences = [difference(running, self._candidate, self._unprinted_in_use(running, self._candidate))]
        have = self.read_files(self._candidate.files)
        differences += [files.difference(path, have[path], text) for path, text in self._candidate.files.items()]
        return "\n".join(part for part in differences if part)

    def _unprinted_in_use(self, running: str, candidate: Candidate) -> frozenset[Path]:
        """Lines that are in effect although FRR does not print them."""
        return rds_in_use(self._shell, unprinted(running, candidate.text))

    def discard(self) -> None:
        """Drop the candidate."""
        self._candidate = None

    def commit(self, message: str, revert_in: int | None) -> None:
        """Make the candidate the running configuration, and unless it is timed also the startup configuration."""
        if self._candidate is None:
            raise CommitError(f"{self._shell.host}: nothing is loaded to commit")
        if revert_in is not None and revert_in < 1:
            raise CommitError(f"{self._shell.host}: revert_in is a number of seconds, not {revert_in}")
        self._transact(self._candidate, message, int(revert_in) if revert_in else None, "keep")
        self._candidate = None

    def before(self) -> str:
        """Configuration before the pending commit."""
        result = self._shell.run(["cat", f"{self._state}/before"])
        if result.status:
            raise CommandErrorException(f"{self._shell.host}: what ran before the commit is not there")
        return result.output

    def confirm(self) -> None:
        """Keep the pending commit."""
        result = self._guard.run("settle", "", "keep")
        if result.status and self.pending():
            reason = "the guard of the commit is gone, so nobody can keep it: call rollback()"
            raise CommitConfirmException(f"{self._shell.host}: {reason}")
        if result.status:
            raise CommitConfirmException(f"{self._shell.host}: no commit waits for confirmation")
        self._check_confirmed(result)

    def pending(self) -> bool:
        """Whether a timed commit is pending, or any commit has lost its guard."""
        return self.pending_message() is not None

    def pending_message(self) -> str | None:
        """Message of that commit."""
        result = self._guard.run("pending")
        return result.output.rstrip("\n") if result.status == 0 else None

    def run_marks(self) -> RunMarks:
        """Armed commit and lease of the switch."""
        return parse_run_marks(self._shell.host, self._guard.run_marks())

    def take(self, token: str, owner: str, note: str, after: int | None) -> None:
        """Take the lease of the switch."""
        check_lease_taken(self._shell.host, self._guard.lease(*lease_arguments(token, owner, note, after)))

    def release(self, token: str) -> None:
        """Release the lease of the switch."""
        check_lease_released(self._shell.host, self._guard.run("release", token))

    def rollback(self) -> None:
        """Revert the pending commit, or else the last commit that was kept."""
        if self.pending():
            self._revert()
            return
        kept_config = self._shell.run(["cat", f"{self._state}/rollback"])
        if kept_config.status or not kept_config.output:
            raise CommitError(f"{self._shell.host}: no commit to roll back is known in {self._state}")
        old = {path: self._shell.run(["cat", f"{self._state}/rollback.{kind}"]) for path, kind in files.KINDS.items()}
        texts = {path: result.output for path, result in old.items() if result.status == 0}
        self._transact(Candidate(kept_config.output, merge=False, files=texts), "rollback", None, "keep-rollback")

    def cancel(self) -> None:
        """Revert the pending commit, or one that a client has begun and abandoned, and nothing else."""
        armed = self.run_marks().armed
        if armed is None:
            raise CommitConfirmException(f"{self._shell.host}: no commit waits for confirmation")
        self._revert(armed.owner)

    def _revert(self, owner: str = "") -> None:
        """Revert a commit that was pending; its timer may have done so since. owner: its token; "" for any."""
        result = self._guard.run("settle", owner, "revert")
        if result.status == NOT_OURS:
            result = self._guard.run("recover", "forget")
        if result.status == LOCKED:
            raise LockError(f"{self._shell.host}: another commit runs, or is being put back")
        if result.status == DAEMON_DEAD:
            raise CommitError(f"{self._shell.host}: {dead(result)}")
        if result.output.strip() == "kept":
            raise CommitConfirmException(f"{self._shell.host}: the commit was kept meanwhile")
        if result.output.strip() != "reverted":
            raise CommitError(f"{self._shell.host}: {self._guard.damaged()}")

    def _transact(self, candidate: Candidate, message: str, revert_in: int | None, keep: str) -> None:
        token = secrets.token_hex(8)
        seconds = self._seconds + (int(RELOADS["files"] * self._shell.seconds) if candidate.files else 0)
        running = self._guard.begin(token, message, seconds)
        try:
            if self._apply_files(token, candidate, "rollback" if keep == "keep-rollback" else "keep"):
                vrfs.known(self._shell, candidate.text)
                running = self.running()
            output, remaining = self._change(token, running, candidate)
        except NapalmException as error:
            raise CommitError(f"{error}; {self._give_up(token)}") from None
        except KeyboardInterrupt:
            self._give_up(token)
            raise
        if remaining:
            raise CommitError(f"{self._shell.host}: {_why(output, remaining, candidate)}; {self._give_up(token)}")
        if revert_in is None:
            self._check_confirmed(self._guard.run("settle", token, keep))
        else:
            self._hold(token, revert_in)

    def _change(self, token: str, running: str, candidate: Candidate) -> tuple[str, str]:
        """Apply a candidate; return the output of the last reload, and the difference that remains.

        frr-reload.py deletes lines in its first pass only, and in an order of its own: `no import vrf X` after
        `no router bgp N vrf X` creates that instance again (FRR 8.4.4). A second reload finds it, and nothing else.
        """
        output = self._apply(token, running, candidate)
        running_after = self.running()
        remaining = remainder(running_after, candidate, self._unprinted_in_use(running_after, candidate))
        if remaining and not candidate.merge and not failures(output, candidate.text):
            output = self._apply(token, running_after, candidate)
            running_after = self.running()
            remaining = remainder(running_after, candidate, self._unprinted_in_use(running_after, candidate))
        return output, remaining

    def _hold(self, token: str, revert_in: int) -> None:
        """Make the commit wait for its confirmation."""
        result = self._guard.run("hold", token, str(revert_in))
        if result.status == FULL:
            raise CommitError(f"{self._shell.host}: {self._guard.unwritable(result)}; {self._give_up(token)}")
        if result.status:
            raise CommitError(f"{self._shell.host}: the commit took too long, and the switch has reverted it")

    def _apply_files(self, token: str, candidate: Candidate, mode: str) -> bool:
        """Apply the files that differ; return whether there were any."""
        have = self.read_files(candidate.files)
        want = candidate.files
        changed = [path for path in files.KINDS if path in have and files.difference(path, have[path], want[path])]
        if not changed:
            return False
        for path in changed:
            self._guard.upload(f"candidate.{token}.{files.KINDS[path]}", want[path])
        result = self._guard.run("files", token, mode, *(files.KINDS[path] for path in changed))
        if result.status:
            reason = "the guard of the commit is gone" if result.status == NOT_OURS else self._guard.unwritable(result)
            raise CommandErrorException(f"{self._shell.host}: {reason}")
        errors = files.faults(result.output, have)
        if errors:
            raise CommandErrorException(f"{self._shell.host}: {'; '.join(errors[:3])}")
        return True

    def _apply(self, token: str, running: str, candidate: Candidate) -> str:
        """Apply the candidate and return the output; "" when there was nothing to change."""
        if not difference(running, candidate, self._unprinted_in_use(running, candidate)):
            return ""
        text = candidate.text if candidate.merge else completed(running, candidate)
        self._guard.upload(f"candidate.{token}", text)
        result = self._guard.run("apply", token, "merge" if candidate.merge else "replace")
        if result.status == NOT_OURS:
            raise CommandErrorException(f"{self._shell.host}: the guard of the commit is gone")
        return result.output

    def _give_up(self, token: str) -> str:
        """Revert the commit on the switch, and return a text with the result."""
        try:
            result = self._guard.run("settle", token, "revert")
            if result.status == NOT_OURS and not result.output:
                result = self._guard.run("recover")
        except NapalmException:
            return f"the switch is out of reach, and puts back what ran before by itself within {self._seconds} s"
        is_reverted = result.output.strip() == "reverted"
        return "what ran before was put back" if is_reverted else self._guard.damaged()

    def _check_confirmed(self, result: Result) -> None:
        outcome = result.output.strip()
        if result.status == 0 and outcome == "kept":
            return
        texts = {
            "unsaved": "the startup file could not be written, so what ran before was put back; is its disk full?",
            "damaged": self._guard.damaged(),
        }
        raise CommitError(f"{self._shell.host}: {texts.get(outcome, 'the switch has reverted the commit')}")


def remainder(running: str, candidate: Candidate, in_effect: Container[Path] = ()) -> str:
    """Difference that a commit did not reach. A merge's `no` line is satisfied when nothing is left to remove."""
    remaining = difference(running, candidate, in_effect)
    if not candidate.merge:
        return remaining
    relevant = [line for line in remaining.splitlines() if not line.lstrip("+ ").startswith("no ")]
    return "\n".join(relevant) if any(line[0] != " " for line in relevant) else ""


def _clean(text: str) -> str:
    return "\n".join([*text.splitlines(), ""])


def _why(output: str, remaining: str, candidate: Candidate) -> str:
    errors = failures(output, candidate.text)
    if errors:
        return "; ".join(errors[:3])
    first_line = next((f" ({masked(line.strip())})" for line in output.splitlines() if line.strip()), "")
    return f"FRR did not come to {first_difference(remaining)!r}{first_line}"
