"""The program in a fork of the tests' process: a process of its own, in which nothing is imported again.

Importing costs as much as most of what is asked of it. What a user starts is tested by tests/cli and `make lab-demo`.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from fabricgen.cli import main
from fabricgen.cli.diff import run as diff
from fabricgen.cli.lab import run as lab
from fabricgen.cli.verify import live as verify_live
from fabricgen.render import render
from fabricgen.verify.collect import nornir_plugin as opened
from tests.held_outputs import hold

IMPORTED = (diff, lab, opened, verify_live)
"""Verbs are imported when they are called, NAPALM when a switch is; these by the first fork's parent, so once."""
FAULT = 70
"""Exit code of what nobody foresaw; EX_SOFTWARE of sysexits.h."""
POLL_SECONDS = 0.02
RENDERED = ("eos/", "frr/")
"""Platforms that forks render."""


@cache
def warm() -> None:
    """Compile templates before the first fork, so that forks find them compiled; see tests/conftest.py."""
    found = render.environment(None)
    for name in found.list_templates(filter_func=lambda name: name.startswith(RENDERED) and name.endswith(".j2")):
        found.get_template(name)


def fabricgen(words: Sequence[object], seconds: float) -> subprocess.CompletedProcess[str]:
    """What `subprocess.run` of the command with these words returns, or subprocess.TimeoutExpired."""
    given = [str(word) for word in words]
    with tempfile.TemporaryDirectory(prefix="fabricgen-forked-") as name:
        folder = Path(name)
        sys.stdout.flush()
        sys.stderr.flush()
        warm()
        pid = os.fork()
        if not pid:
            _run(folder, given)
        code = _wait(pid, given, time.monotonic() + seconds)
        out, err = ((folder / file).read_text() if (folder / file).exists() else "" for file in ("out", "err"))
    if code != FAULT:
        hold(given, code, out)
    return subprocess.CompletedProcess(["fabricgen", *given], code, out, err)


def _wait(pid: int, words: list[str], deadline: float) -> int:
    """Exit code of a child, below 0 a signal; it is killed where it takes too long, or where this is interrupted."""
    status = None
    try:
        while status is None:
            ended, found = os.waitpid(pid, os.WNOHANG)
            status = found if ended else None
            if status is None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(words, 0)
            time.sleep(0 if ended else POLL_SECONDS)
    finally:
        if status is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _run(folder: Path, words: list[str]) -> None:
    """Call the command, with files for its output, and end this process."""
    code = FAULT
    try:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout, sys.stderr = (os.fdopen(number, "w") for number in (1, 2))
        sys.argv = ["fabricgen", *words]
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)
        code = _called()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _called() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
        return FAULT
    return 0
