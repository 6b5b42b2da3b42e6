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

from fabricgen.diff.words import printable
from fabricgen.push.duty import Hook, HookError

SHOWN = 200
"""Characters of what a hook says that a reason repeats."""
KILL_SECONDS = 5
"""For what a hook that was killed has left behind: it may hold the pipes."""


class Hooks:
    """Those of an inventory. folder: where they run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, hook: Hook, values: Mapping[str, object], /) -> None:
        """Tell a hook of an event. Raises HookError where it does not end with 0, in time."""
        try:
            child = subprocess.Popen(  # noqa: S603 - the words of the site's own file, no shell
                hook.command,
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise HookError(f"it can not be run: {error.strerror}") from None
        with child:
            said = _ended(child, json.dumps(values).encode(), hook.timeout)
        if child.returncode:
            raise HookError(f"it ended with {child.returncode}{_words(said)}")


def _ended(child: subprocess.Popen[bytes], told: bytes, seconds: float) -> bytes:
    """What it said. Raises HookError where it takes too long, when it and all that it began are killed."""
    try:
        return child.communicate(told, timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        _kill(child)
        raise HookError(f"it had not ended after {seconds:g} s, and was killed") from None
    except BaseException:  # Ctrl-C: a session of its own does not hear of it
        _kill(child)
        raise


def _kill(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.communicate(timeout=KILL_SECONDS)


def _words(said: bytes) -> str:
    first = next((line.strip() for line in said.decode(errors="replace").splitlines() if line.strip()), "")
    return f": {printable(first[:SHOWN])}" if first else ""
