"""Signals that end a process, while a lab is built: they unwind it, so that what it made is removed."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let the signals that end a process unwind it, so that what it made is removed."""

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        raise SystemExit(128 + number)

    with _handled(end, ENDING):
        yield


@contextmanager
def signals_ignored() -> Iterator[None]:
    """Let nothing but SIGKILL end the removal of what was made."""
    with _handled(signal.SIG_IGN, (signal.SIGINT, *ENDING)):
        yield


@contextmanager
def signals_held() -> Iterator[None]:
    """Let what ends a process wait until something is made and it is said who removes it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, *ENDING))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


Handler = Callable[[int, FrameType | None], None] | signal.Handlers


@contextmanager
def _handled(handler: Handler, numbers: tuple[signal.Signals, ...]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread only
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, found in before.items():
            signal.signal(number, found)
