"""Commands of a site that are told of a run's events: JSON on their standard input, and a time in which they must end.

A hook runs with the user's own rights and environment, in the inventory's folder. It is told names, numbers and words
of the run; no secret is among them.
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
"""Characters of what a hook says that a reason repeats."""
KEPT, CHUNK = 4096, 65_536
"""Bytes of what a hook says: the first ones, which are kept, and how many are read at once."""
TICK = 0.05
"""Seconds in which it is seen that a hook has ended whose pipe another process holds."""
KILL_SECONDS = 5
"""In which a hook that was killed is gone."""


class Hooks:
    """Those of an inventory. folder: where they run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, hook: Hook, values: Mapping[str, object], /) -> None:
        """Tell a hook of an event. Raises HookError where it does not end with 0, in time."""
        try:
            child = _begun(hook.command, self._folder, json.dumps(values))
        except OSError as error:
            raise HookError(f"it cannot be run: {error.strerror}") from None
        with child:
            said = _ended(child, hook.timeout)
        if child.returncode:
            raise HookError(f"it ended with {child.returncode}{_words(said)}")


def _begun(command: tuple[str, ...], folder: Path, told: str) -> subprocess.Popen[bytes]:
    """A hook with what it is told, all of it there already: it may read that, or not."""
    with TemporaryFile() as file:
        file.write(told.encode())
        file.seek(0)
        return subprocess.Popen(  # noqa: S603 - the words of the site's own file, no shell
            command,
            cwd=folder,
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _ended(child: subprocess.Popen[bytes], seconds: float) -> bytes:
    """What it said first. Raises HookError where it takes too long, when it and all that it began are killed."""
    try:
        said = _said(child, monotonic() + seconds)
    except BaseException:  # Ctrl-C: a session of its own does not hear of it
        _kill(child)
        raise
    if child.returncode is None:
        _kill(child)
        raise HookError(f"it had not ended after {seconds:g} s, and was killed")
    return said


def _said(child: subprocess.Popen[bytes], until: float) -> bytes:
    """What it said first, once it has ended or it is that late; whoever else still holds the pipe."""
    said, is_open = b"", True
    if child.stdout is None:
        raise ValueError("it has no pipe")
    with DefaultSelector() as pipe:
        pipe.register(child.stdout, EVENT_READ)
        while child.poll() is None and monotonic() < until:
            if not is_open:
                sleep(TICK)
            elif pipe.select(TICK):
                said, is_open = _read(child.stdout, said)
        while is_open and len(said) < KEPT and pipe.select(0):
            said, is_open = _read(child.stdout, said)
    return said


def _read(pipe: IO[bytes], said: bytes) -> tuple[bytes, bool]:
    """The same and what the pipe has now, as far as it is kept; and whether more may come."""
    more = os.read(pipe.fileno(), CHUNK)
    return (said + more)[:KEPT], bool(more)


def _kill(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(KILL_SECONDS)


def _words(said: bytes) -> str:
    first = next((line.strip() for line in said.decode(errors="replace").splitlines() if line.strip()), "")
    return f": {printable(first[:SHOWN])}" if first else ""
