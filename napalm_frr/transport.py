"""How one shell command reaches a switch: what every way has in common, and the local way, through namespaces."""

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
    """What a command left: exit status, standard output, standard error."""

    status: int
    output: str
    errors: str


class Transport(Protocol):
    """A way to a switch.

    `run` gives one command to the switch's `sh -c`, with text for its standard input. Raises CommandTimeoutException
    after `seconds`, and ConnectionException when the switch cannot be reached; neither tells the command's input.
    """

    def open(self) -> None:
        """Connect. Raises ConnectionException."""

    def close(self) -> None:
        """Let go; harmless when not open."""

    def is_alive(self) -> bool:
        """Whether a command could be sent."""

    def run(self, command: str, given: str, seconds: float) -> Result:
        """Run one command."""


class Local:
    """Commands on this host, in namespaces of it when such are named."""

    def __init__(self, host: str, arguments: Mapping[str, object]) -> None:
        self._host = host
        self._files = {kind: path for kind in ("mount", "net", "uts") if (path := _file(kind, arguments))}
        self._open = False

    def open(self) -> None:
        """See that every namespace is there."""
        absent = [str(path) for path in self._files.values() if not path.exists()]
        if absent:
            raise ConnectionException(f"{self._host}: no such namespace: {', '.join(absent)}")
        if shutil.which("nsenter") is None:
            raise ConnectionException(f"{self._host}: nsenter is not installed: install util-linux")
        self._open = True

    def close(self) -> None:
        """Nothing is held."""
        self._open = False

    def is_alive(self) -> bool:
        """Whether it is open and its namespaces still stand."""
        return self._open and all(path.exists() for path in self._files.values())

    def run(self, command: str, given: str, seconds: float) -> Result:
        """Run one command in a process group of its own, which ends with it or with the time."""
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
    """File of a namespace. Only a network namespace may be given by name."""
    given = arguments.get("namespace" if kind == "net" else kind)
    if not given:
        return None
    return Path(str(given)) if kind != "net" or "/" in str(given) else NETNS / str(given)


def _end(child: subprocess.Popen[str]) -> None:
    """Kill what is left of a command that did not end by itself, and close its pipes.

    It was not waited for before, so that its group's number belongs to no other. The command itself may have ended just
    now, and what it left behind still write to a pipe.
    """
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):  # root's, by sudo: it ends by a limit of its own
            os.killpg(child.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            child.communicate(timeout=KILL_SECONDS)
    for pipe in (child.stdin, child.stdout, child.stderr):
        with suppress(OSError):  # what was not written is lost with the command
            pipe.close()  # type: ignore[union-attr]
