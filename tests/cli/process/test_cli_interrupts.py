"""Ctrl-C is heard at once, whichever thread the kernel gives the signal to."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.cli.common.interrupts import stopping
from fabricgen.workers.local import processes


def held() -> tuple[int, int]:
    """Open files and threads of this process."""
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = held()
    yield
    assert signal.set_wakeup_fd(-1) == -1
    # What an earlier test left may end meanwhile; nothing is left by this one.
    assert all(now <= then for now, then in zip(held(), before, strict=True))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_another_thread_took_is_heard_while_the_main_one_waits(number: signal.Signals) -> None:
    heard: list[bool] = []
    with stopping() as stop:

        def take() -> None:
            time.sleep(0.3)  # until the main thread sleeps in join
            signal.pthread_kill(threading.get_ident(), number)
            heard.append(stop.wait(5))

        worker = threading.Thread(target=take)
        worker.start()
        worker.join()
    assert heard == [True]


def test_it_ends_while_a_process_that_was_made_meanwhile_lives_on() -> None:
    with processes(1) as pool:
        with stopping() as stop:
            child = pool.submit(os.getpid).result(10)
            os.kill(child, signal.SIGTERM)
            assert not stop.wait(0.3), "a signal to that process is none to this one"
        assert child != os.getpid()


def test_another_signal_stops_nothing() -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        with stopping() as stop:
            signal.raise_signal(signal.SIGUSR1)
            assert not stop.wait(0.2)
    finally:
        signal.signal(signal.SIGUSR1, before)
