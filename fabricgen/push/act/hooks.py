"""Commands of a site that run at a run's events: JSON on their standard input, and a timeout.

A hook runs with the user's own rights and environment, in the inventory's folder. It gets names, numbers and messages
of the run, but no secret.
"""

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from tempfile import TemporaryFile
from time import monotonic, sleep
from typing import IO

from fabricgen.diff.words import printable
from fabricgen.push.plan.duty import Hook, HookError

SHOWN = 200
"""Characters of a hook's output that a reason repeats."""
KEPT, CHUNK = 4096, 65_536
"""Bytes of a hook's output: the number of first bytes that are kept, and how many are read at once."""
TICK = 0.05
"""Seconds between two checks whether a hook has ended while another process holds its pipe."""
KILL_SECONDS = 5
"""Maximum seconds to wait for a killed hook."""


class Hooks:
    """The hooks of an inventory. folder: where they run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, hook: Hook, values: Mapping[str, object], /) -> None:
        """Run a hook for an event. Raises HookError unless it exits with 0 in time."""
        try:
            child = _started(hook.command, self._folder, json.dumps(values))
        except OSError as error:
            raise HookError(f"cannot be run: {error.strerror}") from None
        with child:
            output = _output_of(child, hook.timeout)
        if child.returncode:
            raise HookError(f"it ended with {child.returncode}{_first_line(output)}")


def _started(command: tuple[str, ...], folder: Path, input_text: str) -> subprocess.Popen[bytes]:
    """Start a hook; its input is complete in a file, so the hook need not read it."""
    with TemporaryFile() as file:
        file.write(input_text.encode())
        file.seek(0)
        # Its own session, so that a timeout can kill its children too.
        return subprocess.Popen(  # noqa: S603 - the words of the site's own file, no shell
            command,
            cwd=folder,
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _output_of(child: subprocess.Popen[bytes], seconds: float) -> bytes:
    """Beginning of its output. Raises HookError on a timeout; the hook and its children are killed then."""
    try:
        output = _read_output(child, monotonic() + seconds)
    except BaseException:  # Ctrl-C: the hook has its own session and does not get the signal
        _kill(child)
        raise
    if child.returncode is None:
        _kill(child)
        raise HookError(f"it was killed after {seconds:g} s")
    return output


def _read_output(child: subprocess.Popen[bytes], until: float) -> bytes:
    """Beginning of its output, once it has ended or the time is over, even if another process still holds the pipe."""
    output, is_open = b"", True
    if child.stdout is None:
        raise ValueError("it has no pipe")
    with DefaultSelector() as pipe:
        pipe.register(child.stdout, EVENT_READ)
        while child.poll() is None and monotonic() < until:
            if not is_open:
                sleep(TICK)
            elif pipe.select(TICK):
                output, is_open = _read(child.stdout, output)
        while is_open and len(output) < KEPT and pipe.select(0):
            output, is_open = _read(child.stdout, output)
    return output


def _read(pipe: IO[bytes], output: bytes) -> tuple[bytes, bool]:
    """The output so far with what the pipe has now, cut to KEPT bytes; and whether more may come."""
    chunk = os.read(pipe.fileno(), CHUNK)
    return (output + chunk)[:KEPT], bool(chunk)


def _kill(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(KILL_SECONDS)


def _first_line(output: bytes) -> str:
    first = next((line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()), "")
    return f": {printable(first[:SHOWN])}" if first else ""
