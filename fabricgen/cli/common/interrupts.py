"""Work that a person may end early, and what a terminal shows of it meanwhile."""

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
def stopping(told: str = "") -> Iterator[Event]:
    """Yield what is set by Ctrl-C or a plain kill, instead of an exception. The second of them ends the process.

    told  a line for the terminal, at the first
    """
    stop = Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {int(number): signal.getsignal(number) for number in signals}

    def asked(number: int, frame: FrameType | None) -> None:
        del frame
        stop.set()
        if told:
            click.echo(told, err=True)
        signal.signal(number, before[number])

    for number in signals:
        signal.signal(number, asked)
    try:
        with _at_once(stop, before):
            yield stop
    finally:
        for number in signals:
            signal.signal(number, before[number])


@contextmanager
def _at_once(stop: Event, numbers: Container[int]) -> Iterator[None]:
    """Set `stop` as soon as one of the signals comes.

    The kernel may give a signal of the process to any thread. The main one, which alone runs handlers, then sleeps on
    until its wait is over; Python writes the signal's number to `set_wakeup_fd` from whichever thread has it.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def listen() -> None:
        while number := os.read(reader, 1)[0]:
            if number in numbers:
                stop.set()

    thread = Thread(target=listen, daemon=True)
    thread.start()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.write(writer, b"\0")  # no signal's number; a process that was made meanwhile has the pipe, too
        thread.join()
        os.close(writer)
        os.close(reader)


class Progress:
    """One line on a terminal that is written over, and taken away at the end; nothing elsewhere."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._width:
            click.echo(f"\r{' ' * self._width}\r", nl=False, err=True)

    def tell(self, words: str) -> None:
        """Replace the line."""
        if self._shown:
            click.echo(f"\r{words.ljust(self._width)}", nl=False, err=True)
            self._width = len(words)
