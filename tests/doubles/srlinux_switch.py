"""What a double of SR Linux runs: see srlinux_rpc.py, where its forms are from."""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from tests.doubles.srlinux_tree import RpcError, Tree


@dataclass(slots=True)
class Timer:
    """A commit that waits. before: what ran; until: on the clock of `time.monotonic`."""

    number: int
    before: Tree
    until: float


@dataclass(slots=True)
class Switch:
    """What it runs, and what a test wants of it.

    shown     path → answer of the datastore `state`; None for one that it does not know
    full      nothing can be saved any more
    hangs_up  a word of a request that it does and never answers, once
    meanwhile word of a request → what happens right before that is done, once
    absent    requests for which its web server has nobody behind it
    slow      looks at its commits for which it is shown at work on taking one back
    deaf      it answers `tools` as if it had done what it has not
    refuses   every login is refused
    asked     method and what it was about, in order
    """

    running: Tree
    shown: Callable[[str], object] = lambda path: None
    startup: Tree = field(default_factory=dict)
    commits: list[Tree] = field(default_factory=list)
    checkpoints: list[Tree] = field(default_factory=list)
    kept: dict[str, Tree] = field(default_factory=dict)
    timer: Timer | None = None
    full: bool = False
    refuses: bool = False
    hangs_up: str = ""
    meanwhile: dict[str, Callable[["Switch"], None]] = field(default_factory=dict)
    absent: int = 0
    slow: int = 0
    deaf: bool = False
    reverts: list[Tree] = field(default_factory=list)
    port: int = 0
    seconds: int = 0
    asked: list[str] = field(default_factory=list)
    lock: Any = field(default_factory=RLock)

    def now(self) -> str:
        """A time after all before."""
        self.seconds += 1
        return f"2026-06-12T{14 + self.seconds // 3600:02}:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}.000Z"

    def runs(self) -> Tree:
        """What runs by now."""
        with self.lock:
            self.tick()
            return copy.deepcopy(self.running)

    def tick(self) -> None:
        """Revert what nobody confirmed in time."""
        if self.timer is not None and time.monotonic() >= self.timer.until:
            self.end("failed", self.timer.before)

    def end(self, status: str, runs: Tree | None = None) -> None:
        """End the commit that waits."""
        if self.timer is None:
            raise RpcError("no commit is waiting for its confirmation")
        row = self.commits[self.timer.number]
        row["status"] = status
        self.timer = None
        if runs is not None and self.slow:
            row["status"] = "reverting"
            self.reverts = [row, runs]
            return
        row["ended"] = self.now()
        self.running = self.running if runs is None else runs

    def looked(self) -> None:
        """Go on with taking back."""
        if self.reverts and self.slow:
            self.slow -= 1
        elif self.reverts:
            (row, self.running), self.reverts = self.reverts, []
            row |= {"status": "failed", "ended": self.now()}

    def commit(self, tree: Tree, seconds: int | None, username: str = "push") -> None:
        """Have another tree run."""
        if self.timer is not None:
            raise RpcError("a commit is waiting for its confirmation")
        number, before = len(self.commits), self.running
        status = "complete" if seconds is None else "unconfirmed"
        row = {"id": number, "type": "private", "status": status, "username": username, "started": self.now()}
        row |= {"ended": self.now()} if seconds is None else {}
        self.commits.append(row)
        self.running = tree
        if seconds is not None:
            self.timer = Timer(number, before, time.monotonic() + seconds)
