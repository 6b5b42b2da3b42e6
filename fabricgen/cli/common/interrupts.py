"""Work that the user may interrupt, and its progress line on a terminal."""

import os
import signal
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType
from typing import Self

import click


@contextmanager
def stopping(message: str = "") -> Iterator[Event]:
    """Yield an event that Ctrl-C or SIGTERM sets, instead of raising an exception. The second signal ends the process.

    message  a message for the terminal, printed at the first signal
    """
    stop = Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    old_handlers = {int(number): signal.getsignal(number) for number in signals}

    def asked(number: int, frame: FrameType | None) -> None:
        del frame
        stop.set()
        if message:
            click.echo(message, err=True)
        signal.signal(number, old_handlers[number])

    for number in signals:
        signal.signal(number, asked)
    try:
        with _at_once(stop, old_handlers):
            yield stop
    finally:
        for number in signals:
            signal.signal(number, old_handlers[number])


@contextmanager
def _at_once(stop: Event, numbers: Container[int]) -> Iterator[None]:
    """Set `stop` as soon as one of the signals arrives.

    The kernel may deliver a signal to any thread. The main thread, which alone runs handlers, then remains blocked
    until its wait ends; Python writes the signal's number to `set_wakeup_fd` from whichever thread receives it.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def listen() -> None:
        while number := os.read(reader, 1)[0]:
            if number in numbers:
                stop.set()

    thread = Thread(target=listen, daemon=True)
    thread.start()
    old_wakeup_fd = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(old_wakeup_fd)
        # Wake the thread by 0, which is no signal number. Closing would not do: a forked process has the pipe too.
        os.write(writer, b"\0")
        thread.join()
        os.close(writer)
        os.close(reader)


class Progress:
    """One line on a terminal that is overwritten, and removed at the end; nothing elsewhere."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._width:
            click.echo(f"\r{' ' * self._width}\r", nl=False, err=True)

    def show(self, text: str) -> None:
        """Replace the line."""
        if self._shown:
            click.echo(f"\r{text.ljust(self._width)}", nl=False, err=True)
            self._width = len(text)
