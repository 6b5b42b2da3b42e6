"""The driver: NAPALM's methods over JSON-RPC."""

import re
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import napalm.base.base as base  # noqa: PLR0402  # the class by name would be taken for a driver of this module

from fabricgen.platforms.base.live.commit_operations import CommitOperationError
from fabricgen.platforms.base.live.standing import name_of
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.srlinux.live.commits import CONFIGURATION, KEPT, commits
from fabricgen.platforms.srlinux.live.reader import CHASSIS, HOSTNAME, INFORMATION, INTERFACES
from fabricgen.platforms.srlinux.live.secrets import masked, secrets_in
from fabricgen.platforms.srlinux.live.values import rows, word
from fabricgen.platforms.srlinux.napalm_driver.candidate import (
    Candidate,
    hiding,
    merging,
    printed,
    replacing,
    without_remarks,
)
from fabricgen.platforms.srlinux.napalm_driver.commits import Commits
from fabricgen.platforms.srlinux.napalm_driver.counters import counters
from fabricgen.platforms.srlinux.napalm_driver.errors import (
    AnswerError,
    AwayError,
    CommitFailedError,
    MergeError,
    ReplaceError,
)
from fabricgen.platforms.srlinux.napalm_driver.rpc import RUNNING, STATE, Address, Rpc

T = TypeVar("T")

_UNSAFE = re.compile(r"[^A-Za-z0-9 .,:_/()-]")
"""What a comment is not given, so that a line of the CLI can hold it."""
_LONGEST = 200  # characters of a comment


class SRLinuxDriver(base.NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch that runs SR Linux. What `optional_args` holds is in the package's docstring."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        """Nothing is contacted. timeout: seconds to connect, and that each request has."""
        self.hostname = hostname
        self.username = username
        self.password = password
        self.timeout = timeout
        self.platform = "srlinux"
        self.profile = [self.platform]
        self._rpc = Rpc(_address(hostname, timeout, optional_args or {}), username, password)
        self._commits = Commits(self._rpc, hostname, timeout)
        self._candidate: Candidate | None = None
        self._shown: tuple[str, ...] = ()
        self._before = ""

    def open(self) -> None:
        """See that the switch answers, and lets the user in."""
        self._rpc.get([(STATE, HOSTNAME)])

    def close(self) -> None:
        """Let go. A timed commit that nobody has confirmed stays pending; a candidate is forgotten."""
        self.discard_config()

    def is_alive(self) -> dict[str, bool]:
        """Whether the switch answers."""
        try:
            self.open()
        except CommitOperationError:
            return {"is_alive": False}
        return {"is_alive": True}

    def cli(self, commands: list[str], encoding: str = "text") -> dict[str, Any]:
        """Answers by command: a path, or `running` and a path; see the package. Secrets are masked."""
        if isinstance(commands, str) or encoding not in ("text", "json"):
            raise AnswerError("unable", f"{self.hostname}: cli needs a list of paths, and encoding text or json")
        found = (masked(one) for one in self._rpc.get([self._asked(command) for command in commands]))
        values = (without_remarks(one) for one in found)
        return {
            command: printed(value) if encoding == "text" else value
            for command, value in zip(commands, values, strict=True)
        }

    def _asked(self, command: str) -> tuple[str, str]:
        words = command.split(maxsplit=1)
        if len(words) == 2 and words[0] == RUNNING and words[1].startswith("/"):
            return RUNNING, words[1]
        if len(words) == 1 and words[0].startswith("/"):
            return STATE, words[0]
        raise AnswerError("refused", f"{self.hostname}: {command!r} is no path, nor '{RUNNING}' and a path")

    def _state(self, path: str) -> object:
        return self._rpc.get([(STATE, path)])[0]

    def _running(self) -> object:
        """What runs. Its secrets are known from then on, and shown in no error."""
        found = without_remarks(self._rpc.get([(RUNNING, "/")])[0])
        self._shown = tuple(dict.fromkeys(secrets_in(found)))
        return found

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """Texts of running and candidate, as JSON. The startup configuration cannot be had by JSON-RPC: ""."""
        del full
        if retrieve not in ("all", RUNNING, "startup", "candidate") or format != "text":
            raise AnswerError("unable", f"{self.hostname}: no configuration {retrieve!r} in format {format!r}")
        running = self._running() if retrieve in ("all", RUNNING) else None
        shown = masked(running) if sanitized else running
        loaded = self._candidate if retrieve in ("all", "candidate") else None
        text = loaded.text if loaded else ""
        return {
            "running": printed(shown) if running is not None else "",
            "candidate": hiding(text, loaded.hidden) if loaded and sanitized else text,
            "startup": "",
        }

    def get_facts(self) -> dict[str, Any]:
        """Facts of the box; how long it is up is not reckoned: -1."""
        about, host, chassis, ports = self._rpc.get(
            [(STATE, path) for path in (INFORMATION, HOSTNAME, CHASSIS, INTERFACES)]
        )
        return self._read(
            lambda: {
                "hostname": host if isinstance(host, str) else "",
                "fqdn": host if isinstance(host, str) else "",
                "vendor": "Nokia",
                "model": word(chassis, "type", ""),
                "serial_number": word(chassis, "serial-number", ""),
                "os_version": word(about, "version", ""),
                "uptime": -1.0,
                "interface_list": [word(row, "name") for row in rows(ports, "interface")],
            }
        )

    def get_interfaces_counters(self) -> dict[str, dict[str, int]]:
        """Octets, packets, errors and discards of each port; -1 for what it does not count."""
        return self._read(lambda: counters(self._state(INTERFACES)))

    def _read(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except NotUnderstoodError as error:
            raise AnswerError("unable", f"{self.hostname}: an answer in another form: {error}") from None

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Take a whole configuration as the candidate. Raises ReplaceConfigException with what speaks against it."""
        try:
            candidate = replacing(_text(filename, config), self._running())
        except (OSError, ValueError) as error:
            raise ReplaceError("refused", f"{self.hostname}: {error}") from None
        self._checked(candidate, ReplaceError)

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Take a part of a configuration; further calls add more. Raises MergeConfigException."""
        try:
            candidate = merging(_text(filename, config), self._candidate)
        except (OSError, ValueError) as error:
            raise MergeError("refused", f"{self.hostname}: {error}") from None
        self._checked(candidate, MergeError)

    def _checked(self, candidate: Candidate, fault: type[CommitOperationError]) -> None:
        try:
            self._rpc.validate(candidate.commands)
        except AnswerError as error:
            raise fault(error.kind, self._discreet(error.reason, candidate)) from None
        self._candidate = candidate

    def _discreet(self, words: str, candidate: Candidate | None) -> str:
        return hiding(words, (*self._shown, *(candidate.hidden if candidate else ())))

    def compare_config(self) -> str:
        """What a commit would change, as the switch's CLI shows it; "" for nothing. Secrets are masked."""
        if self._candidate is None:
            return ""
        self._running()
        return self._difference(self._candidate)

    def _difference(self, candidate: Candidate) -> str:
        try:
            return self._discreet(self._rpc.diff(candidate.commands), candidate)
        except AnswerError as error:
            raise CommitFailedError(error.kind, self._discreet(error.reason, candidate)) from None

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Commit the candidate as one transaction, or leave all as it was and raise CommitError.

        One that is to stay and changes nothing is saved alone.

        message    its digest names the checkpoint that is made before, and stands there as the comment
        revert_in  seconds after which the switch itself reverts, unless `confirm_commit` comes before
        """
        candidate = self._candidate
        if candidate is None:
            raise CommitFailedError("unable", f"{self.hostname}: nothing is loaded")
        if revert_in is not None and revert_in <= 0:
            raise CommitFailedError("unable", f"{self.hostname}: revert_in is a number of seconds")
        if self.has_pending_commit():
            raise CommitFailedError("locked", f"{self.hostname}: a timed commit waits for its confirmation")
        name = None if revert_in is None and not self._difference(candidate) else name_of(message)
        if name is not None:
            self._committed(candidate, name, message, revert_in)
        self._candidate = None
        if revert_in is None:
            self._commits.save(name)

    def _committed(self, candidate: Candidate, name: str, message: str, revert_in: int | None) -> None:
        try:
            # Line of the CLI that makes a checkpoint (run on switches by napalm-srlinux's tests).
            comment = _UNSAFE.sub(" ", message)[:_LONGEST].strip()
            line = f"/tools system configuration generate-checkpoint name {name}"
            self._rpc.run(f'{line} comment "{comment}"' if comment else line)
            self._rpc.set(candidate.commands, revert_in)
        except AnswerError as error:
            raise CommitFailedError(error.kind, self._discreet(error.reason, candidate)) from None
        self._before = name
        self._commits.settle()

    def confirm_commit(self) -> None:
        """Keep our timed commit, and save. Raises CommitConfirmException where none is pending, or it was not kept."""
        self._commits.accept()

    def reject_commit(self) -> None:
        """End our timed commit at once, and no other. Raises CommitConfirmException where none is pending any more."""
        self._commits.reject()

    def has_pending_commit(self) -> bool:
        """Whether a timed commit of anybody waits."""
        return self._commits.waiting() is not None

    def pending_checkpoint(self) -> str | None:
        """Checkpoint by which the commit that waits is known; "" for one of somebody else, None for none."""
        found = self._commits.waiting()
        return None if found is None else found.checkpoint

    def commits_kept(self) -> tuple[int, ...]:
        """Numbers of the commits that the switch lists and has kept, of anybody, oldest first."""
        found = self._read(lambda: commits(self._state(CONFIGURATION)))
        return tuple(one.number for one in found if one.status == KEPT)

    def discard_config(self) -> None:
        """Forget the candidate."""
        self._candidate = None

    def rollback(self) -> None:
        """End our timed commit, or else put back what ran before the last commit of this connection, and save that."""
        if self.has_pending_commit():
            self.reject_commit()
            return
        if not self._before:
            raise CommitFailedError("unable", f"{self.hostname}: this connection has committed nothing")
        self._rpc.act(f"{CONFIGURATION}/checkpoint[id={self._before}]/revert")
        self._before = ""
        self._commits.save(None)


def _address(hostname: str, timeout: int, arguments: Mapping[str, Any]) -> Address:
    transport = arguments.get("transport", "https")
    if transport not in ("https", "http"):
        raise AwayError("unable", f"{hostname}: transport is https or http, not {transport!r}")
    context = _context(arguments) if transport == "https" else None
    port = int(arguments.get("port") or (80 if context is None else 443))
    return Address(hostname, port, timeout, context)


def _context(arguments: Mapping[str, Any]) -> ssl.SSLContext:
    given = arguments.get("context")
    if isinstance(given, ssl.SSLContext):
        return given
    context = ssl.create_default_context(cafile=arguments.get("ca_file"))
    if arguments.get("ssl_verify") is False:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _text(filename: str | None, config: str | None) -> str:
    """NAPALM: the file wins over the text."""
    return Path(filename).read_text(encoding="utf-8") if filename else (config or "")
