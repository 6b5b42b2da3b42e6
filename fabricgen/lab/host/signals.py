"""Signal handling while a lab is built: signals that end the process unwind it, so that the lab is removed."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise SystemExit on signals that end a process, so that what it made is removed."""

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        raise SystemExit(128 + number)

    with _handled(end, ENDING):
        yield


@contextmanager
def signals_ignored() -> Iterator[None]:
    """Ignore signals except SIGKILL during the removal."""
    with _handled(signal.SIG_IGN, (signal.SIGINT, *ENDING)):
        yield


@contextmanager
def blocked_signals() -> Iterator[None]:
    """Block signals that end a process until something is made and its removal is registered."""
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
        for number, old_handler in before.items():
            signal.signal(number, old_handler)
