"""A client of the driver that is killed at a step of a commit: a fork of the tests' process, which imports nothing."""

import os
import signal
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from napalm import get_network_driver

from napalm_frr import lifecycle

SECONDS = 240
POLL_SECONDS = 0.02
FAULT = 70
"""Exit code of what nobody foresaw; EX_SOFTWARE of sysexits.h."""


class Client(NamedTuple):
    """What a client is to do.

    arguments  the driver's optional_args
    step       name in napalm_frr.lifecycle at which it kills itself; "" for none
    """

    arguments: Mapping[str, object]
    step: str
    text: str
    files: Mapping[str, str] | None = None
    revert_in: int | None = None


def begin(client: Client) -> int:
    """Start it; the number of its process."""
    pid = os.fork()
    if pid:
        return pid
    try:
        _commit(client)
    finally:
        os._exit(FAULT)


def _commit(client: Client) -> None:
    if client.step:
        owner: Any = lifecycle if client.step == "remainder" else lifecycle.Lifecycle
        assert hasattr(owner, client.step)
        setattr(owner, client.step, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    driver = get_network_driver("frr")("leaf1", "", "", timeout=60, optional_args=dict(client.arguments))
    driver.open()
    driver.load_replace_candidate(config=client.text)
    if client.files is not None:
        driver.load_files(client.files)
    driver.commit_config(revert_in=client.revert_in)


def end(pid: int) -> int:
    """Exit code, below 0 a signal. One that hangs is killed."""
    deadline = time.monotonic() + SECONDS
    ended, status = os.waitpid(pid, os.WNOHANG)
    while not ended:
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise AssertionError(f"the client did not end within {SECONDS} s")
        time.sleep(POLL_SECONDS)
        ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status)


def killed(client: Client) -> None:
    """Have a client commit that kills itself at its step."""
    assert end(begin(client)) == -signal.SIGKILL
