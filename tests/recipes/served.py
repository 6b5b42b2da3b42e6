"""`fabricgen` for scripts that call it again and again: a fork of one process, in which nothing is imported again.

Words, folder, environment and the three streams are those of the script; the exit code goes back to it. Importing costs
more than most of what recipes ask. What pip installs is called by test_recipe_install.py, from first step to last.
"""

import atexit
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from functools import cache
from pathlib import Path
from typing import NoReturn

from fabricgen.cli import main
from fabricgen.cli.diff import command as diff
from fabricgen.cli.render import command as render
from fabricgen.cli.validate import command as validate
from tests.forked import FAULT, warm

IMPORTED = (diff, render, validate)
"""Verbs are imported when they are called; these by the first fork's parent, so once."""
MOST = 1 << 20
"""Octets of a question."""

CALLER = """\
#!{python} -ISB
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    question = json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(question).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(question)
    sys.exit(server.recv(1)[0])
"""


@cache
def program() -> Path:
    """A program that a process which is forked here serves, one call after the other, until this one ends."""
    folder = Path(tempfile.mkdtemp(prefix="fabricgen-served-"))
    path, address = folder / "fabricgen", folder / "socket"
    path.write_text(CALLER.format(python=sys.executable, address=str(address)))
    path.chmod(0o755)
    warm()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(address))
    listening.listen()
    ended, held = os.pipe()  # nobody else holds the other end: it is closed when this process ends, however that is
    pid = os.fork()
    if not pid:
        os.close(held)
        _serve(listening, ended, folder)
    listening.close()
    os.close(ended)
    atexit.register(_end, held, pid)
    return path


def _end(held: int, pid: int) -> None:
    os.close(held)
    os.waitpid(pid, 0)


def _serve(listening: socket.socket, ended: int, folder: Path) -> NoReturn:
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while ended not in select.select([listening.fileno(), ended], [], [])[0]:
            caller, _ = listening.accept()
            with caller:
                pid = os.fork()
                if not pid:
                    _answer(caller)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                caller.sendall(bytes([code if code >= 0 else 128 - code]))
        shutil.rmtree(folder)
    finally:
        os._exit(0)


def _answer(caller: socket.socket) -> NoReturn:
    """Do what is asked, and end."""
    code = FAULT
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        words, where, environment = _question(caller)
        os.chdir(where)
        os.environ.clear()
        os.environ.update(environment)
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        sys.argv = words
        code = _called()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _question(caller: socket.socket) -> tuple[list[str], str, dict[str, str]]:
    """Words, folder and environment; the caller's streams take the place of this process'."""
    head, streams, _, _ = socket.recv_fds(caller, 4, 3)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    length = int.from_bytes(head, "big")
    assert length < MOST
    text = b""
    while len(text) < length:
        text += caller.recv(length - len(text))
    words, where, environment = json.loads(text)
    return words, where, environment


def _called() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
    else:
        return 0
    return FAULT
