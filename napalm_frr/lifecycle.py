"""The life of a candidate: loaded, compared, committed under the guard on the switch, confirmed, rolled back."""

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

from napalm_frr import files, files_there, standing, vrfs
from napalm_frr.difference import Candidate, completed, difference, first_difference
from napalm_frr.distinguishers import held, unprinted
from napalm_frr.guard import DAEMON_DEAD, FULL, LOCKED, NOT_OURS, RELOADS, Guard, dead
from napalm_frr.paths import Path, masked
from napalm_frr.shell import Shell
from napalm_frr.syntax import complaints, failures
from napalm_frr.transport import Result


class Lifecycle:
    """Candidate and commits of one switch.

    state    folder on the switch
    seconds  time after which the switch reverts a commit that its client began and did not end
    """

    def __init__(self, shell: Shell, state: str, seconds: int) -> None:
        self._shell = shell
        self._state = state
        self._seconds = seconds
        self._guard = Guard(shell, state)
        self._candidate: Candidate | None = None

    def running(self) -> str:
        """What runs, without a header."""
        return self._shell.vtysh("show running-config no-header")

    def startup(self) -> str:
        """What the next start will have; "" when nothing was ever saved."""
        found = self._shell.run(["cat", self._shell.startup])
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

    def _unread(self, text: str) -> tuple[str, ...]:
        """What ifupdown2, which takes a second to start, has against a text for interfaces that is not in effect."""
        have = self.read_files((files.INTERFACES,))[files.INTERFACES]
        return files_there.complaints(self._shell, text) if files.difference(files.INTERFACES, have, text) else ()

    def load_files(self, texts: Mapping[str, str]) -> None:
        """Take files beside frr.conf into the candidate that is loaded, which replaces."""
        if self._candidate is None or self._candidate.merge:
            raise ReplaceConfigException(
                f"{self._shell.host}: files go with a candidate to replace with: load it first"
            )
        taken = {path: _clean(text) if text else "" for path, text in texts.items()}
        told = [fault for path, text in taken.items() for fault in files.refused(path, text)]
        if not told and files.INTERFACES in taken:
            told += self._unread(taken[files.INTERFACES])
        if told:
            raise ReplaceConfigException(f"{self._shell.host}: {'; '.join(told[:3])}")
        self._candidate = self._candidate._replace(files={**self._candidate.files, **taken})

    def read_files(self, paths: Iterable[str]) -> dict[str, str]:
        """Texts of files beside frr.conf that are in effect: those of a timed commit while it waits; "" for none."""
        return files_there.read(self._shell, self._state, paths)

    def compare(self) -> str:
        """What a commit would change; "" without a candidate."""
        if self._candidate is None:
            return ""
        running = self.running()
        told = [difference(running, self._candidate, self._held(running, self._candidate))]
        have = self.read_files(self._candidate.files)
        told += [files.difference(path, have[path], text) for path, text in self._candidate.files.items()]
        return "\n".join(part for part in told if part)

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

    def before(self) -> str:
        """What ran as the commit began that waits."""
        found = self._shell.run(["cat", f"{self._state}/before"])
        if found.status:
            raise CommandErrorException(f"{self._shell.host}: what ran before the commit is not there")
        return found.output

    def confirm(self) -> None:
        """Keep what waits."""
        found = self._guard.run("settle", "", "keep")
        if found.status and self.pending():
            why = "the guard of the commit is gone, so nobody can keep it: call rollback()"
            raise CommitConfirmException(f"{self._shell.host}: {why}")
        if found.status:
            raise CommitConfirmException(f"{self._shell.host}: no commit waits for confirmation")
        self._check_kept(found)

    def pending(self) -> bool:
        """Whether a timed commit waits, or any has lost its guard."""
        return self.pending_message() is not None

    def pending_message(self) -> str | None:
        """The message of that commit."""
        found = self._guard.run("pending")
        return found.output.rstrip("\n") if found.status == 0 else None

    def standing(self) -> standing.RunMarks:
        """What is armed on the switch, and who is at work there."""
        return standing.standing(self._shell.host, self._guard.standing())

    def take(self, token: str, owner: str, note: str, after: int | None) -> None:
        """Be at work on the switch."""
        standing.taken(self._shell.host, self._guard.lease(*standing.words(token, owner, note, after)))

    def release(self, token: str) -> None:
        """Be at work on the switch no more."""
        standing.released(self._shell.host, self._guard.run("release", token))

    def rollback(self) -> None:
        """Revert what waits, or else the last commit that was kept."""
        if self.pending():
            self._revert()
            return
        kept = self._shell.run(["cat", f"{self._state}/rollback"])
        if kept.status or not kept.output:
            raise CommitError(f"{self._shell.host}: no commit to roll back is known in {self._state}")
        old = {path: self._shell.run(["cat", f"{self._state}/rollback.{kind}"]) for path, kind in files.KINDS.items()}
        texts = {path: found.output for path, found in old.items() if found.status == 0}
        self._transact(Candidate(kept.output, merge=False, files=texts), "rollback", None, "keep-rollback")

    def cancel(self) -> None:
        """Revert what waits, or what a client has begun and left, and nothing else."""
        armed = self.standing().armed
        if armed is None:
            raise CommitConfirmException(f"{self._shell.host}: no commit waits for confirmation")
        self._revert(armed.owner)

    def _revert(self, owner: str = "") -> None:
        """End what waited a moment ago; it may have been reverted by its own timer since. owner: of what is meant."""
        found = self._guard.run("settle", owner, "revert")
        if found.status == NOT_OURS:
            found = self._guard.run("recover", "forget")
        if found.status == LOCKED:
            raise LockError(f"{self._shell.host}: another commit runs, or is being put back")
        if found.status == DAEMON_DEAD:
            raise CommitError(f"{self._shell.host}: {dead(found)}")
        if found.output.strip() == "kept":
            raise CommitConfirmException(f"{self._shell.host}: the commit was kept meanwhile")
        if found.output.strip() != "reverted":
            raise CommitError(f"{self._shell.host}: {self._guard.damaged()}")

    def _transact(self, candidate: Candidate, message: str, revert_in: int | None, keep: str) -> None:
        token = secrets.token_hex(8)
        seconds = self._seconds + (int(RELOADS["files"] * self._shell.seconds) if candidate.files else 0)
        running = self._guard.begin(token, message, seconds)
        try:
            if self._apply_files(token, candidate, "rollback" if keep == "keep-rollback" else "keep"):
                vrfs.known(self._shell, candidate.text)
                running = self.running()
            said, left = self._change(token, running, candidate)
        except NapalmException as error:
            raise CommitError(f"{error}; {self._give_up(token)}") from None
        except KeyboardInterrupt:
            self._give_up(token)
            raise
        if left:
            raise CommitError(f"{self._shell.host}: {_why(said, left, candidate)}; {self._give_up(token)}")
        if revert_in is None:
            self._check_kept(self._guard.run("settle", token, keep))
        else:
            self._hold(token, revert_in)

    def _change(self, token: str, running: str, candidate: Candidate) -> tuple[str, str]:
        """Apply a candidate; what the last reload said, and what it did not reach.

        frr-reload.py deletes in its first pass alone, and in an order of its own: `no import vrf X`, coming behind
        `no router bgp N vrf X`, makes that instance again (FRR 8.4.4). A second reload finds it, and nothing else.
        """
        said = self._apply(token, running, candidate)
        after = self.running()
        left = remainder(after, candidate, self._held(after, candidate))
        if left and not candidate.merge and not failures(said, candidate.text):
            said = self._apply(token, after, candidate)
            after = self.running()
            left = remainder(after, candidate, self._held(after, candidate))
        return said, left

    def _hold(self, token: str, revert_in: int) -> None:
        """Let the commit wait for its confirmation."""
        found = self._guard.run("hold", token, str(revert_in))
        if found.status == FULL:
            raise CommitError(f"{self._shell.host}: {self._guard.unwritable(found)}; {self._give_up(token)}")
        if found.status:
            raise CommitError(f"{self._shell.host}: the commit took too long, and the switch has reverted it")

    def _apply_files(self, token: str, candidate: Candidate, mode: str) -> bool:
        """Apply the files that differ; whether there were any."""
        have = self.read_files(candidate.files)
        wanted = candidate.files
        changed = [path for path in files.KINDS if path in have and files.difference(path, have[path], wanted[path])]
        if not changed:
            return False
        for path in changed:
            self._guard.upload(f"candidate.{token}.{files.KINDS[path]}", wanted[path])
        found = self._guard.run("files", token, mode, *(files.KINDS[path] for path in changed))
        if found.status:
            why = "the guard of the commit is gone" if found.status == NOT_OURS else self._guard.unwritable(found)
            raise CommandErrorException(f"{self._shell.host}: {why}")
        told = files.faults(found.output, have)
        if told:
            raise CommandErrorException(f"{self._shell.host}: {'; '.join(told[:3])}")
        return True

    def _apply(self, token: str, running: str, candidate: Candidate) -> str:
        """Output of what changed the configuration; "" when there was nothing to change."""
        if not difference(running, candidate, self._held(running, candidate)):
            return ""
        text = candidate.text if candidate.merge else completed(running, candidate)
        self._guard.upload(f"candidate.{token}", text)
        found = self._guard.run("apply", token, "merge" if candidate.merge else "replace")
        if found.status == NOT_OURS:
            raise CommandErrorException(f"{self._shell.host}: the guard of the commit is gone")
        return found.output

    def _give_up(self, token: str) -> str:
        """Have the switch put back what was, and say how that went."""
        try:
            found = self._guard.run("settle", token, "revert")
            if found.status == NOT_OURS and not found.output:
                found = self._guard.run("recover")
        except NapalmException:
            return f"the switch is out of reach, and puts back what ran before by itself within {self._seconds} s"
        told = {
            "reverted": "what ran before was put back",
        }
        return told.get(found.output.strip(), self._guard.damaged())

    def _check_kept(self, found: Result) -> None:
        word = found.output.strip()
        if found.status == 0 and word == "kept":
            return
        told = {
            "unsaved": "the startup file could not be written, so what ran before was put back; is its disk full?",
            "damaged": self._guard.damaged(),
        }
        raise CommitError(f"{self._shell.host}: {told.get(word, 'the switch has reverted the commit')}")


def remainder(running: str, candidate: Candidate, held_lines: Container[Path] = ()) -> str:
    """What a commit did not reach. A `no` line of a merge is content when nothing is left for it to take away."""
    left = difference(running, candidate, held_lines)
    if not candidate.merge:
        return left
    kept = [line for line in left.splitlines() if not line.lstrip("+ ").startswith("no ")]
    return "\n".join(kept) if any(line[0] != " " for line in kept) else ""


def _clean(text: str) -> str:
    return "\n".join([*text.splitlines(), ""])


def _why(said: str, left: str, candidate: Candidate) -> str:
    told = failures(said, candidate.text)
    if told:
        return "; ".join(told[:3])
    words = next((f" ({masked(line.strip())})" for line in said.splitlines() if line.strip()), "")
    return f"FRR did not come to {first_difference(left)!r}{words}"
