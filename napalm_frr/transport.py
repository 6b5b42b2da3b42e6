"""Transports to a switch: their common protocol, and the local one, through namespaces."""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from napalm.base.exceptions import CommandTimeoutException, ConnectionException

NETNS = Path("/run/netns")
KILL_SECONDS = 5


class Result(NamedTuple):
    """Result of a command: exit status, standard output, standard error."""

    status: int
    output: str
    errors: str

    @property
    def failure(self) -> str:
        """Error of a failed command, on one line."""
        lines = [line.strip() for line in (*self.errors.splitlines(), *self.output.splitlines()) if line.strip()]
        return "; ".join(lines[:3]) or f"exit status {self.status}"


class Transport(Protocol):
    """A connection to a switch.

    `run` passes one command to the switch's `sh -c`, with text for its standard input. Raises CommandTimeoutException
    after `seconds`, and ConnectionException when the switch cannot be reached; neither contains the command's input.
    """

    def open(self) -> None:
        """Connect. Raises ConnectionException."""

    def close(self) -> None:
        """Disconnect; does nothing when not open."""

    def is_alive(self) -> bool:
        """Whether a command could be sent."""

    def run(self, command: str, given: str, seconds: float) -> Result:
        """Run one command."""


class Local:
    """Runs commands on this host, in its namespaces if any are named."""

    def __init__(self, host: str, arguments: Mapping[str, object]) -> None:
        self._host = host
        self._files = {kind: path for kind in ("mount", "net", "uts") if (path := _file(kind, arguments))}
        self._open = False

    def open(self) -> None:
        """Check that every namespace exists."""
        missing = [str(path) for path in self._files.values() if not path.exists()]
        if missing:
            raise ConnectionException(f"{self._host}: no such namespace: {', '.join(missing)}")
        if shutil.which("nsenter") is None:
            raise ConnectionException(f"{self._host}: nsenter is not installed: install util-linux")
        self._open = True

    def close(self) -> None:
        """Mark as closed; there is nothing to release."""
        self._open = False

    def is_alive(self) -> bool:
        """Whether it is open and its namespaces still exist."""
        return self._open and all(path.exists() for path in self._files.values())

    def run(self, command: str, given: str, seconds: float) -> Result:
        """Run one command in its own process group, which ends with the command or at the timeout."""
        if not self.is_alive():
            raise ConnectionException(f"{self._host}: not connected, or its namespace is gone")
        enter = ["nsenter", *(f"--{kind}={path}" for kind, path in self._files.items()), "--"] if self._files else []
        child = subprocess.Popen(  # noqa: S603
            [*enter, "sh", "-c", command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            output, errors = child.communicate(given, seconds)
        except subprocess.TimeoutExpired:
            raise CommandTimeoutException(f"{self._host}: no answer within {seconds:g} s") from None
        finally:
            _end(child)
        if child.returncode != 0 and errors.startswith("nsenter: "):
            raise ConnectionException(f"{self._host}: {errors.strip()}")
        return Result(child.returncode, output, errors)


def _file(kind: str, arguments: Mapping[str, object]) -> Path | None:
    """File of a namespace. Only a network namespace can be given by name."""
    value = arguments.get("namespace" if kind == "net" else kind)
    if not value:
        return None
    return Path(str(value)) if kind != "net" or "/" in str(value) else NETNS / str(value)


def _end(child: subprocess.Popen[str]) -> None:
    """Kill the remaining processes of a command that did not end by itself, and close its pipes.

    The command has not been waited for, so its process group's number cannot belong to another. It may have ended just
    now, while its children still write to a pipe.
    """
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):  # a process of root, by sudo, ends by its own timeout
            os.killpg(child.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            child.communicate(timeout=KILL_SECONDS)
    for pipe in (child.stdin, child.stdout, child.stderr):
        with suppress(OSError):  # unwritten data is lost with the command
            pipe.close()  # type: ignore[union-attr]
