"""The driver: NAPALM's methods over JSON-RPC."""

import re
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import napalm.base.base as base  # noqa: PLR0402  # the class by name would be taken for a driver of this module

from fabricgen.platforms.base.live.commit_operations import CommitOperationError
from fabricgen.platforms.base.live.run_marks import name_of
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
"""Characters that are replaced in a comment, which is part of a CLI line."""
_LONGEST = 200  # characters of a comment


class SRLinuxDriver(base.NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """One switch that runs SR Linux. The package's docstring lists `optional_args`."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        """Store the arguments; nothing is contacted. timeout: seconds to connect, and for each request."""
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
        """Check that the switch answers, and accepts the user."""
        self._rpc.get([(STATE, HOSTNAME)])

    def close(self) -> None:
        """Disconnect. An unconfirmed timed commit stays pending; a candidate is discarded."""
        self.discard_config()

    def is_alive(self) -> dict[str, bool]:
        """Return whether the switch answers."""
        try:
            self.open()
        except CommitOperationError:
            return {"is_alive": False}
        return {"is_alive": True}

    def cli(self, commands: list[str], encoding: str = "text") -> dict[str, Any]:
        """Return answers by command: a path, or `running` and a path; see the package. Secrets are masked."""
        if isinstance(commands, str) or encoding not in ("text", "json"):
            raise AnswerError("unable", f"{self.hostname}: cli needs a list of paths, and encoding text or json")
        answers = (masked(answer) for answer in self._rpc.get([self._asked(command) for command in commands]))
        values = (without_remarks(answer) for answer in answers)
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
        """Return what runs. From then on errors do not show its secrets."""
        config = without_remarks(self._rpc.get([(RUNNING, "/")])[0])
        self._shown = tuple(dict.fromkeys(secrets_in(config)))
        return config

    def get_config(
        self, retrieve: str = "all", full: bool = False, sanitized: bool = False, format: str = "text"
    ) -> dict[str, str]:
        """Return running and candidate as JSON texts; "" for startup, which JSON-RPC does not offer."""
        del full
        if retrieve not in ("all", RUNNING, "startup", "candidate") or format != "text":
            raise AnswerError("unable", f"{self.hostname}: no configuration {retrieve!r} in format {format!r}")
        running = self._running() if retrieve in ("all", RUNNING) else None
        shown = masked(running) if sanitized else running
        candidate = self._candidate if retrieve in ("all", "candidate") else None
        text = candidate.text if candidate else ""
        return {
            "running": printed(shown) if running is not None else "",
            "candidate": hiding(text, candidate.hidden) if candidate and sanitized else text,
            "startup": "",
        }

    def get_facts(self) -> dict[str, Any]:
        """Return facts of the switch; -1 for its uptime, which is not computed."""
        information, host, chassis, ports = self._rpc.get(
            [(STATE, path) for path in (INFORMATION, HOSTNAME, CHASSIS, INTERFACES)]
        )
        return self._read(
            lambda: {
                "hostname": host if isinstance(host, str) else "",
                "fqdn": host if isinstance(host, str) else "",
                "vendor": "Nokia",
                "model": word(chassis, "type", ""),
                "serial_number": word(chassis, "serial-number", ""),
                "os_version": word(information, "version", ""),
                "uptime": -1.0,
                "interface_list": [word(row, "name") for row in rows(ports, "interface")],
            }
        )

    def get_interfaces_counters(self) -> dict[str, dict[str, int]]:
        """Return octets, packets, errors and discards of each port; -1 for what it does not count."""
        return self._read(lambda: counters(self._state(INTERFACES)))

    def _read(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except NotUnderstoodError as error:
            raise AnswerError("unable", f"{self.hostname}: an answer in another form: {error}") from None

    def load_replace_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load a whole configuration as the candidate. Raises ReplaceConfigException with the switch's reasons."""
        self._load(lambda: replacing(_text(filename, config), self._running()), ReplaceError)

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Load a part of a configuration; further calls add more. Raises MergeConfigException."""
        self._load(lambda: merging(_text(filename, config), self._candidate), MergeError)

    def _load(self, read: Callable[[], Candidate], error_class: type[CommitOperationError]) -> None:
        try:
            candidate = read()
        except (OSError, ValueError) as error:
            raise error_class("refused", f"{self.hostname}: {error}") from None
        try:
            self._rpc.validate(candidate.commands)
        except AnswerError as error:
            raise error_class(error.kind, self._discreet(error.reason, candidate)) from None
        self._candidate = candidate

    def _discreet(self, message: str, candidate: Candidate | None) -> str:
        return hiding(message, (*self._shown, *(candidate.hidden if candidate else ())))

    def compare_config(self) -> str:
        """Return what a commit would change, as the switch's CLI prints it; "" for nothing. Secrets are masked."""
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
        """Commit the candidate as one transaction, or leave everything unchanged and raise CommitError.

        An untimed commit that changes nothing is only saved.

        message    its digest names the checkpoint that is made before, of which it is the comment
        revert_in  seconds after which the switch itself reverts, unless `confirm_commit` comes before
        """
        candidate = self._candidate
        if candidate is None:
            raise CommitFailedError("unable", f"{self.hostname}: nothing is loaded")
        if revert_in is not None and revert_in <= 0:
            raise CommitFailedError("unable", f"{self.hostname}: revert_in is a number of seconds")
        if self.has_pending_commit():
            raise CommitFailedError("locked", f"{self.hostname}: a timed commit waits for its confirmation")
        # An untimed commit without a difference needs no checkpoint: it only saves.
        name = None if revert_in is None and not self._difference(candidate) else name_of(message)
        if name is not None:
            self._committed(candidate, name, message, revert_in)
        self._candidate = None
        if revert_in is None:
            self._commits.save(name)

    def _committed(self, candidate: Candidate, name: str, message: str, revert_in: int | None) -> None:
        try:
            # CLI command for a checkpoint (tests of napalm-srlinux run it on switches).
            comment = _UNSAFE.sub(" ", message)[:_LONGEST].strip()
            line = f"/tools system configuration generate-checkpoint name {name}"
            self._rpc.run(f'{line} comment "{comment}"' if comment else line)
            self._rpc.set(candidate.commands, revert_in)
        except AnswerError as error:
            raise CommitFailedError(error.kind, self._discreet(error.reason, candidate)) from None
        self._before = name
        self._commits.settle()

    def confirm_commit(self) -> None:
        """Keep our timed commit, and save. Raises CommitConfirmException if none is pending, or it was not kept."""
        self._commits.accept()

    def reject_commit(self) -> None:
        """Revert our timed commit now, and no other. Raises CommitConfirmException if none is pending any more."""
        self._commits.reject()

    def has_pending_commit(self) -> bool:
        """Return whether a timed commit, of any client, is pending."""
        return self._commits.waiting() is not None

    def pending_checkpoint(self) -> str | None:
        """Return the checkpoint of the pending commit; "" if it is somebody else's, None if there is none."""
        pending = self._commits.waiting()
        return None if pending is None else pending.checkpoint

    def complete_commits(self) -> tuple[int, ...]:
        """Return the numbers of the kept commits in the switch's list, of any client, oldest first."""
        all_commits = self._read(lambda: commits(self._state(CONFIGURATION)))
        return tuple(commit.number for commit in all_commits if commit.status == KEPT)

    def discard_config(self) -> None:
        """Discard the candidate."""
        self._candidate = None

    def rollback(self) -> None:
        """Revert our timed commit; without one, restore what ran before this connection's last commit, and save."""
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
    ssl_context = arguments.get("context")
    if isinstance(ssl_context, ssl.SSLContext):
        return ssl_context
    context = ssl.create_default_context(cafile=arguments.get("ca_file"))
    if arguments.get("ssl_verify") is False:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _text(filename: str | None, config: str | None) -> str:
    """Return the text of a candidate; as in NAPALM, the file wins over the text."""
    return Path(filename).read_text(encoding="utf-8") if filename else (config or "")
