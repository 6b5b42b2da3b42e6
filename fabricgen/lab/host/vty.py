"""What a daemon of FRR in a switch says, asked at its own socket: a vtysh takes 20 ms of a processor to start.

vtysh speaks so to the daemons: a command ends with NUL, an answer with three of them and the command's status, 0 where
it succeeded. Source: FRR 8.4.4, vtysh_read and vtysh_flush of lib/vty.c and vtysh_client_run of vtysh/vtysh.c; tried on
8.4.4.
"""

import ctypes
import os
import re
import socket
import time
from pathlib import Path
from threading import Thread

VRFS = "show vrf"
SOCKET = "/run/frr/{}.vty"
END = b"\0\0\0"
CLONE_FS, CLONE_NEWNS = 0x200, 0x20000
"""Flags of unshare(2) and setns(2), from linux/sched.h."""


def ask(mount: Path, daemon: str, command: str, seconds: float) -> str | None:
    """What a daemon says to a `show` command; None where none answers, or not well. Raises TimeoutError.

    mount  file that holds the mount namespace of the switch
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(seconds)
        faults: list[OSError] = []
        caller = Thread(target=_connect, args=(line, mount, SOCKET.format(daemon), faults))
        caller.start()
        caller.join()
        if faults:
            if isinstance(faults[0], BlockingIOError):  # who stands still takes no more callers
                raise TimeoutError(str(faults[0]))
            return None
        try:
            return _answer(line, command, time.monotonic() + seconds)
        except (ConnectionError, UnicodeDecodeError):
            return None


def found_vrfs(mount: Path, seconds: float) -> frozenset[str] | None:
    """VRFs whose network namespace zebra has found; None where it does not say. Raises TimeoutError."""
    said = ask(mount, "zebra", VRFS, seconds)
    return None if said is None else vrfs_in(said)


def vrfs_in(said: str) -> frozenset[str]:
    """VRFs whose network namespace zebra has found, by its answer to VRFS."""
    return frozenset(re.findall(r"^vrf (\S+) id ", said, re.MULTILINE))


def _connect(line: socket.socket, mount: Path, path: str, faults: list[OSError]) -> None:
    """Connect from inside a switch. For a thread of its own, which alone goes there: setns(2), CLONE_NEWNS."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        number = os.open(mount, os.O_RDONLY)
        try:
            if libc.unshare(CLONE_FS) or libc.setns(number, CLONE_NEWNS):
                raise OSError(ctypes.get_errno(), "setns")
            line.connect(path)
        finally:
            os.close(number)
    except OSError as error:
        faults.append(error)


def _answer(line: socket.socket, command: str, deadline: float) -> str | None:
    line.sendall(command.encode() + b"\0")
    said = bytearray()
    while said[-4:-1] != END:
        line.settimeout(max(0.01, deadline - time.monotonic()))
        found = line.recv(65536)
        if not found:
            return None
        said += found
    return said[:-4].decode() if said[-1] == 0 else None
