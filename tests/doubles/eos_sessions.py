"""What a double of EOS's configuration sessions keeps and does: see eapi_sessions.py, which serves it."""

import difflib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from threading import RLock

from tests.doubles.eapi import INVALID_COMMAND
from tests.eos.modes import entered

COULD_NOT_RUN = 1000
OLD, NEW = "4.31.2F", "4.33.1F"
"""Releases before and after the change of how a commit timer is shown."""

Tree = dict[str, "Tree"]
"""Line → lines under it."""

SECRET = re.compile(r"\b(secret sha512|password 0|key 0|auth sha|priv aes) \S+")
SINGLE = ("description", "mtu", "hostname", "set community", "set local-preference", "maximum-paths")
"""What a mode has one line of."""


class CommandError(Exception):
    """A command that draws an error. code: eAPI's; words: in `errors`."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code
        self.words = words


@dataclass(slots=True)
class Session:
    """One configuration session. state: "pending" until it is committed."""

    tree: Tree
    state: str = "pending"


@dataclass(slots=True)
class Timer:
    """A commit that waits. before: what ran; until: on the clock of `time.monotonic`."""

    name: str
    before: Tree
    until: float


@dataclass(slots=True)
class Switch:
    """What it runs, and what a test wants of it.

    full      no file can be written to its flash any more
    hangs_up  a command that it does and never answers, once
    asked     commands, in order
    """

    running: Tree
    release: str
    startup: Tree = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    timer: Timer | None = None
    full: bool = False
    hangs_up: str = ""
    octets: int = 0
    port: int = 0
    asked: list[str] = field(default_factory=list)
    lock: RLock = field(default_factory=RLock)

    def text(self) -> str:
        """What runs by now, as `show running-config` has it."""
        with self.lock:
            self.tick()
            return printed(self.running)

    def tick(self) -> None:
        """Revert what nobody confirmed in time."""
        if self.timer is not None and time.monotonic() >= self.timer.until:
            self.revert()

    def revert(self) -> None:
        """Put back what ran before the commit that waits; its session goes."""
        assert self.timer is not None
        self.running = self.timer.before
        self.sessions.pop(self.timer.name, None)
        self.timer = None

    @property
    def done(self) -> str:
        """State of a session that was committed."""
        return "committed" if self.release == NEW else "completed"


def grown(text: str) -> Tree:
    """A configuration as a tree, of its own."""
    return copied(_grown(text))


@lru_cache(maxsize=64)
def _grown(text: str) -> Tree:
    """The same text is taken apart once."""
    tree: Tree = {}
    headings: tuple[str, ...] = ()
    for line in (line.strip() for line in text.splitlines()):
        if line and not line.startswith("!") and line != "end":
            headings = put(tree, headings, line)
    return tree


def checked(line: str) -> str:
    """A line as tests/eos/modes.py knows it, which wants a reference where a switch has a secret."""
    return SECRET.sub(r"\1 ${env:SECRET}", line)


def put(tree: Tree, headings: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Add a line in the innermost mode that knows it; it takes the place of what it contradicts.

    headings  of the line before, and that line
    Return the same for the next. Raises ValueError for a line that no open mode knows.
    """
    path = entered([*headings, checked(line)])[-1]
    for heading in path[:-1]:
        tree = tree.setdefault(heading, {})
    tree.pop(line.removeprefix("no ") if line.startswith("no ") else f"no {line}", None)
    for word in SINGLE:
        if line.startswith(f"{word} "):
            for other in [other for other in tree if other.startswith(f"{word} ") and other != line]:
                del tree[other]
    tree.setdefault(line, {})
    return path


def copied(tree: Tree) -> Tree:
    """The same tree, of its own."""
    return {line: copied(below) for line, below in tree.items()}


def lines_of(tree: Tree, depth: int = 0) -> Iterator[str]:
    """Lines with three blanks for each mode."""
    for line, below in tree.items():
        yield "   " * depth + line
        yield from lines_of(below, depth + 1)
        if depth == 0 and below:
            yield "!"


def printed(tree: Tree) -> str:
    """A configuration as it is shown."""
    return "\n".join(["! Command: show running-config", "!", *lines_of(tree), "end", ""])


class Cli:
    """One request: it begins outside of every session."""

    def __init__(self, box: Switch) -> None:
        self._box = box
        self._session: Session | None = None
        self._headings: tuple[str, ...] = ()

    def run(self, command: str, style: str) -> object:
        """Do one command; what it gives."""
        if self._session is not None:
            self._configure(self._session, command)
            return {"output": ""} if style == "text" else {}
        if command.startswith("show "):
            return self._shown(command, style)
        for pattern, act in ACTS:
            if found := re.fullmatch(pattern, command):
                act(self, *found.groups())
                return {"output": ""} if style == "text" else {}
        raise CommandError(INVALID_COMMAND, f"Invalid input (at token 0: '{command.split(maxsplit=1)[0]}')")

    def _configure(self, session: Session, line: str) -> None:
        if line == "end":
            self._session = None
        elif line == "rollback clean-config":
            session.tree = {}
            self._headings = ()
        elif line:
            try:
                self._headings = put(session.tree, self._headings, line)
            except ValueError:
                words = f"Invalid input (at token 0: '{line.split(maxsplit=1)[0]}')"
                raise CommandError(INVALID_COMMAND, words) from None

    def enter(self, name: str) -> None:
        """Open a session, or one that is open."""
        found = self._box.sessions.setdefault(name, Session(copied(self._box.running)))
        if found.state != "pending":
            raise CommandError(COULD_NOT_RUN, f"Cannot enter session {name} (session already completed)")
        self._session = found

    def commit(self, name: str, clock: str | None = None) -> None:
        """Commit a session, or confirm the commit of it that waits."""
        box = self._box
        if box.timer is not None and box.timer.name == name:
            box.sessions[name].state = box.done
            box.timer = None
            return
        found = box.sessions.get(name)
        if found is None or found.state != "pending":
            raise CommandError(COULD_NOT_RUN, f"Cannot commit session {name}")
        if clock is not None:
            if box.timer is not None:
                raise CommandError(COULD_NOT_RUN, f"a commit timer runs for session {box.timer.name}")
            hours, minutes, seconds = map(int, clock.split(":"))
            until = time.monotonic() + hours * 3600 + minutes * 60 + seconds
            box.timer = Timer(name, box.running, until)
        box.running = copied(found.tree)
        found.state = box.done if clock is None or box.release == NEW else "pendingCommitTimer"

    def abort(self, name: str) -> None:
        """End a session, and its commit that waits."""
        box = self._box
        if box.timer is not None and box.timer.name == name:
            box.revert()
        elif name in box.sessions and box.sessions[name].state == "pending":
            del box.sessions[name]
        else:
            raise CommandError(COULD_NOT_RUN, f"Cannot abort session {name}")

    def keep(self) -> None:
        """`write memory`, and the copy of the startup configuration."""
        if self._box.full:
            raise CommandError(COULD_NOT_RUN, "no room on flash:")

    def write(self) -> None:
        """Save what runs."""
        self.keep()
        self._box.startup = copied(self._box.running)

    def nothing(self) -> None:
        """What needs nothing done."""

    def _shown(self, command: str, style: str) -> object:
        box = self._box
        texts: dict[str, Callable[..., str]] = {
            r"show running-config(?: sanitized)?": lambda: printed(box.running),
            r"show startup-config": lambda: printed(box.startup),
            r"show session-config named (\S+) diffs": self._diffs,
        }
        objects: dict[str, Callable[[], object]] = {
            r"show version": lambda: {"version": box.release, "uptime": time.monotonic()},
            r"show configuration sessions(?: detail)?": self._sessions,
            r"show interfaces": self._interfaces,
        }
        if style == "text":
            for pattern, text in texts.items():
                if found := re.fullmatch(pattern, command):
                    return {"output": text(*found.groups())}
        else:
            for pattern, made in objects.items():
                if re.fullmatch(pattern, command):
                    return made()
        raise CommandError(INVALID_COMMAND, f"Invalid input (at token 1: '{command.split()[1]}')")

    def _diffs(self, name: str) -> str:
        if name not in self._box.sessions:
            raise CommandError(COULD_NOT_RUN, f"Cannot find session {name}")
        have, want = (list(lines_of(tree)) for tree in (self._box.running, self._box.sessions[name].tree))
        files = ("system:/running-config", f"session:/{name}-session-config")
        return "\n".join(difflib.unified_diff(have, want, *files, n=3, lineterm=""))

    def _sessions(self) -> object:
        box = self._box
        rows: dict[str, dict[str, object]] = {
            name: {"state": row.state, "commitUser": "", "description": "", "instances": {}}
            for name, row in box.sessions.items()
        }
        more: dict[str, object] = {"maxSavedSessions": 1, "maxOpenSessions": 5, "mergeOnCommit": False}
        if box.timer is not None and box.release == NEW:
            more |= {"commitTimerSessionName": box.timer.name, "commitTimerExpireTime": box.timer.until}
        elif box.timer is not None:
            rows[box.timer.name]["commitBy"] = box.timer.until
        return {"sessions": rows, **more}

    def _interfaces(self) -> object:
        names = [line.removeprefix("interface ") for line in self._box.running if line.startswith("interface ")]
        counters = {"inOctets": self._box.octets, "outOctets": 2 * self._box.octets}
        return {
            "interfaces": {
                name: {"hardware": "ethernet", **({"interfaceCounters": counters} if "Ethernet" in name else {})}
                for name in names
            }
        }


ACTS = (
    (r"enable|end", Cli.nothing),
    (r"configure session (\S+)", Cli.enter),
    (r"configure session (\S+) commit", Cli.commit),
    (r"configure session (\S+) commit timer (\d\d:\d\d:\d\d)", Cli.commit),
    (r"configure session (\S+) abort", Cli.abort),
    (r"copy startup-config flash:rollback-0", Cli.keep),
    (r"write memory", Cli.write),
)
