"""What a double of EOS's configuration sessions keeps and does: see eapi_sessions.py, which serves it."""

import difflib
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import RLock

from tests.doubles.eapi import INVALID_COMMAND
from tests.doubles.eos_tree import Tree, copied, opened, printed, put, sections
from tests.doubles.eos_words import UNSET, whole, words

COULD_NOT_RUN, INCOMPATIBLE = 1000, 1004
MOST_PENDING = 5
"""Sessions that are open at once: `maxOpenSessions` of napalm issue 2166; ansible-modules-core issue 4945 (EOS 4.17,
with five pending no new one is made) and ansible issue 36977. The words of the refusal are believed, not cited."""
FULL = "Maximum number of pending sessions has been reached."
EXEC = ("configure", "copy", "disable", "enable", "end", "exit", "reload", "show", "write")
SHOWN = (
    "banner",
    "configuration",
    "hostname",
    "interfaces",
    "running-config",
    "session-config",
    "startup-config",
    "version",
)
OLD, NEW = "4.31.2F", "4.33.1F"
"""Releases before and after the change of how a commit timer is shown."""


class CommandError(Exception):
    """A command that draws an error. code: eAPI's; words: in `errors`."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code
        self.words = words


def unknown(line: str, known_words: Iterable[str], at: int = 0) -> CommandError:
    """The error of a line that nobody knows: what is cut short is incomplete. at: number of the first word in doubt."""
    typed = line.split()
    word = typed[min(at, len(typed) - 1)]
    choices = tuple(known_words)
    if word in choices and len(typed) > at + 1:
        at, word, choices = at + 1, typed[at + 1], ()
    is_cut = any(one != word and one.startswith(word) for one in choices)
    return CommandError(
        INVALID_COMMAND, f"{'Incomplete token' if is_cut else 'Invalid input'} (at token {at}: '{word}')"
    )


def unset(tree: Tree) -> Tree:
    """Settings that are told to be unset."""
    return {f"no {word}": {} for word in UNSET if not any(line.startswith((word, f"no {word}")) for line in tree)}


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
    checkpoint: Tree = field(default_factory=dict)
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


class Cli:
    """One request: it begins outside of every session."""

    def __init__(self, box: Switch, *, completes: bool = False, expands: bool = False) -> None:
        self._box = box
        self._completes, self._expands = completes, expands
        self._session: Session | None = None
        self._name = ""
        self._headings: tuple[str, ...] = ()
        self._privileged = True

    def run(self, command: str, style: str) -> object:
        """Do one command; what it gives."""
        nothing = {"output": ""} if style == "text" else {}
        command = self._expanded(command)
        if self._session is not None and not command.startswith("show "):
            self._configure(self._session, command)
            return nothing
        if command.startswith("show "):
            return self._shown(command, style)
        for pattern, act in ACTS:
            if found := re.fullmatch(pattern, command):
                act(self, *found.groups())
                return nothing
        raise unknown(command, EXEC)

    def _expanded(self, command: str) -> str:
        """The whole of what was typed, where the request lets it be an alias, or be cut short."""
        if self._expands:
            aliases = (line.split(maxsplit=2) for line in self._box.running if line.startswith("alias "))
            command = next((row[2] for row in aliases if row[1] == command), command)
        if not self._completes or self._session is not None:
            return command
        typed = command.split()
        for at, known_words in enumerate((EXEC, SHOWN if typed[0] in "show" else ())):
            fitting = [one for one in known_words if at < len(typed) and one.startswith(typed[at])]
            typed[at : at + 1] = fitting[:1] if len(fitting) == 1 else typed[at : at + 1]
        return " ".join(typed)

    def _configure(self, session: Session, line: str) -> None:
        acts = {"end": self._leave, "exit": self._exit}
        if self._name:
            acts |= {"commit": lambda: self.commit(self._name), "abort": lambda: self.abort(self._name)}
        if line in acts:
            acts[line]()
        elif line == "rollback clean-config":
            session.tree = {}
            self._headings = ()
        elif line:
            try:
                self._headings = put(session.tree, self._headings, line)
            except ValueError:
                mode, _ = opened(self._headings)[-1]
                raise unknown(line, (*words(mode), *words(""), "interface")) from None

    def configure(self) -> None:
        """Change what runs, line by line."""
        self._session, self._name, self._headings = Session(self._box.running), "", ()

    def _leave(self) -> None:
        self._session = None

    def _exit(self) -> None:
        _, path = opened(self._headings)[-1]
        self._headings = path[:-1]
        self._session = self._session if path else None

    def disable(self) -> None:
        """Go on without privileges."""
        self._privileged = False

    def enable(self) -> None:
        """Go on with them."""
        self._privileged = True

    def reload(self) -> None:
        """What wants to ask somebody."""
        raise CommandError(INCOMPATIBLE, "Command not permitted via API access.")

    def enter(self, name: str) -> None:
        """Open a session, or one that is open."""
        pending = [one for one in self._box.sessions.values() if one.state == "pending"]
        if name not in self._box.sessions and len(pending) >= MOST_PENDING:
            raise CommandError(COULD_NOT_RUN, FULL)
        found = self._box.sessions.setdefault(name, Session(copied(self._box.running)))
        if found.state != "pending":
            raise CommandError(COULD_NOT_RUN, f"Cannot enter session {name} (session already completed)")
        self._session, self._name, self._headings = found, name, ()

    def commit(self, name: str, clock: str | None = None) -> None:
        """Commit a session, or confirm the commit of it that waits."""
        box = self._box
        self._session = None
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
        self._session = None
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

    def keep_startup(self) -> None:
        """What NAPALM saves before a commit, to go back to."""
        self.keep()
        self._box.checkpoint = copied(self._box.startup)

    def replace(self) -> None:
        """Go back to that."""
        self._box.running = copied(self._box.checkpoint)

    def write(self) -> None:
        """Save what runs."""
        self.keep()
        self._box.startup = copied(self._box.running)

    def nothing(self) -> None:
        """What needs nothing done."""

    def _shown(self, command: str, style: str) -> object:
        box = self._box
        if not self._privileged and command.startswith(("show running-config", "show startup-config")):
            raise CommandError(INVALID_COMMAND, "Invalid input (privileged mode required)")
        texts: dict[str, Callable[..., str]] = {
            r"show running-config(?: sanitized)?": lambda: printed(box.running),
            r"show running-config all": lambda: printed({**box.running, **unset(box.running)}),
            r"show running-config(?: all)? interfaces (\S+)": lambda name: printed(
                {line: below for line, below in box.running.items() if line == whole(f"interface {name}")}
            ),
            r"show running-config \| include (.+)": self._included,
            r"show startup-config": lambda: printed(box.startup),
            r"show session-config named (\S+) diffs": self._diffs,
            r"show banner (login|motd)": self._banner,
        }
        about = {"version": box.release, "modelName": "vEOS-lab", "uptime": time.monotonic()}
        objects: dict[str, Callable[..., object]] = {
            r"show version": lambda: about,
            r"show hostname": self._hostname,
            r"show configuration sessions(?: detail)?": self._sessions,
            r"show interfaces": self._interfaces,
            r"show banner (login|motd)": lambda which: {f"{which}Banner": self._banner(which)},
        }
        for pattern, made in (texts if style == "text" else objects).items():
            if found := re.fullmatch(pattern, command):
                value = made(*found.groups())
                return {"output": value} if style == "text" else value
        raise unknown(command, SHOWN, 1)

    def _included(self, pattern: str) -> str:
        return "".join(f"{line}\n" for line in printed(self._box.running).splitlines() if re.search(pattern, line))

    def _banner(self, which: str) -> str:
        found = [line for line in self._box.running if line.startswith(f"banner {which}\n")]
        return found[0].partition("\n")[2].removesuffix("EOF") if found else ""

    def _hostname(self) -> object:
        found = [line.split()[1] for line in self._box.running if line.startswith("hostname ")]
        name = found[0] if found else "localhost"
        return {"hostname": name, "fqdn": name}

    def _diffs(self, name: str) -> str:
        if name not in self._box.sessions:
            raise CommandError(COULD_NOT_RUN, f"Cannot find session {name}")
        have, want = (list(sections(tree)) for tree in (self._box.running, self._box.sessions[name].tree))
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
    (r"enable", Cli.enable),
    (r"disable", Cli.disable),
    (r"end|exit", Cli.nothing),
    (r"reload", Cli.reload),
    (r"configure(?: terminal)?", Cli.configure),
    (r"configure session (\S+)", Cli.enter),
    (r"configure session (\S+) commit", Cli.commit),
    (r"configure session (\S+) commit timer (\d\d:\d\d:\d\d)", Cli.commit),
    (r"configure session (\S+) abort", Cli.abort),
    (r"copy startup-config flash:rollback-0", Cli.keep_startup),
    (r"configure replace flash:rollback-0", Cli.replace),
    (r"write memory", Cli.write),
)
