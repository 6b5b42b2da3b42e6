"""A killed process: a child process commits on a timer and is killed; from then on, the switch is only read.

The child has its own session, so that Ctrl-C at the terminal does not reach it, and is killed by its own number.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Empty, Queue
from typing import Protocol

from fabricgen.platforms.base.live.commit_operations import same
from fabricgen.platforms.base.live.proof import Trial
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS
from fabricgen.prove.bench import ProofBench
from fabricgen.prove.child import COMMITTING, FAILED, WAITS
from fabricgen.push.switch.switch import SwitchError

STARTS_SECONDS = 120
"""Maximum seconds until a child begins to commit: Python imports Nornir and NAPALM, and logs in to the switch."""


class Victim(Protocol):
    """A process to kill."""

    def next_line(self, seconds: float) -> str:
        """Its next line; "" if it has ended, or prints nothing in time."""

    def kill(self) -> None:
        """Kill it as the kernel does when memory runs out: nothing of it runs afterwards."""


class Child:
    """A child process on this host."""

    def __init__(self, spec: Mapping[str, object]) -> None:
        command = [sys.executable, "-m", "fabricgen.prove.child"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )
        self._lines: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()
        if self._process.stdin is not None:
            self._process.stdin.write(f"{json.dumps(dict(spec))}\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line.strip())
        self._lines.put("")

    def next_line(self, seconds: float) -> str:
        """Its next line; "" if it has ended, or prints nothing in time."""
        try:
            return self._lines.get(timeout=seconds)
        except Empty:
            return ""

    def kill(self) -> None:
        """Send SIGKILL, and wait until it is gone."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


Start = Callable[[Mapping[str, object]], Victim]


class Killing:
    """Both trials. start: creates the process; inventory: folder that it reads."""

    def __init__(self, inventory: Path, start: Start = Child) -> None:
        self._inventory, self._start = inventory, start

    def waiting(self, bench: ProofBench) -> None:
        """Kill it while its commit is pending."""
        token = self._token(bench, "killed while it waits")
        armed = self._killed(bench, "killed while it waits", COMMITTING, WAITS)
        commit = bench.act(lambda switch: switch.run_marks()).armed
        is_reverted, seconds = self._wait_unarmed(bench)
        is_same, is_ours = bench.same(), commit is not None and commit.token == token
        text = f"armed as {commit.token}" if commit is not None else "no armed commit was found"
        text += (
            f"; back {seconds:.1f} s after the kill" if is_reverted else f"; still armed {seconds:.0f} s after the kill"
        )
        text += "" if is_same else "; its running configuration is NOT the original one"
        bench.measure(Trial.KILL_WAITING, armed and is_ours and is_reverted and is_same, text, seconds)

    def committing(self, bench: ProofBench) -> None:
        """Kill it half-way through its commit, by the duration of an earlier one."""
        self._token(bench, "killed half-way")
        delay = bench.commit_seconds / 2
        self._killed(bench, "killed half-way", COMMITTING, delay=delay)
        armed_commit = bench.act(lambda switch: switch.run_marks()).armed
        is_reverted, seconds = self._wait_unarmed(bench)
        is_same = bench.same()
        text = f"killed {delay:.2f} s after it began; "
        text += "a commit was armed" if armed_commit is not None else "no commit was armed"
        text += f"; nothing was {seconds:.1f} s later" if is_reverted else f"; still armed {seconds:.0f} s later"
        text += "" if is_same else "; its running configuration is NOT the original one"
        bench.measure(Trial.KILL_COMMITTING, is_reverted and is_same, text, seconds)

    def _token(self, bench: ProofBench, what: str) -> str:
        operations = COMMIT_OPERATIONS.get(bench.subject.driver)
        commit_token = (operations.token if operations is not None else same)(bench.message(what))
        bench.tokens.add(commit_token)
        return commit_token

    def _killed(self, bench: ProofBench, what: str, *expected_lines: str, delay: float = 0) -> bool:
        """Wait until it has printed these words, and kill it. Raises SwitchError if it fails by itself."""
        spec = {
            "inventory": str(self._inventory.absolute()),
            "device": bench.subject.name,
            "driver": bench.subject.driver,
            "lines": bench.subject.table.probe.lines,
            "hold": bench.hold,
            "message": bench.message(what),
        }
        with bench.timed(f"commit {what}"):
            victim = self._start(spec)
            try:
                for word in expected_lines:
                    heard = victim.next_line(STARTS_SECONDS)
                    if heard.startswith(FAILED) or not heard.startswith(word):
                        raise SwitchError("refused", f"its process said {heard or 'nothing'}")
                bench.stop.wait(delay)
            finally:
                victim.kill()
        return True

    @staticmethod
    def _wait_unarmed(bench: ProofBench) -> tuple[bool, float]:
        """Whether nothing is armed at the end of the timer, and the time that it took."""
        started = bench.now()
        limit = bench.act(lambda switch: switch.limit())
        is_reverted = bench.wait_unarmed(max(bench.hold, limit) + bench.settings.slack)
        return is_reverted, bench.now() - started
