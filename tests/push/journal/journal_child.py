"""Processes that hold, write to and are killed over a journal: `python journal_child.py VERB PATH [NUMBER]`."""

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.push.journal.journal import Journal, open_journal, read_journal
from fabricgen.push.model import Head, StepName, StepState

HEAD = Head("c0ffee", "intent.yaml", "inventories/lab", "ab" * 32, "alice@jump")
PADDING = "x" * 2000


def say(word: str) -> None:
    """One line to the parent, at once."""
    os.write(1, f"{word}\n".encode())


def notes(path: Path) -> None:
    """Note after note until it is killed; each is said when it has returned."""
    with open_journal(path) as journal:
        run = journal.begin(HEAD, [], [])
        number = 0
        while True:
            journal.note(run, StepName.READ, StepState.BEGUN, device=f"d{number}", detail={"number": number})
            say(str(number))
            number += 1


def holds(path: Path) -> None:
    """Hold the journal until standard input ends."""
    with open_journal(path):
        say("held")
        sys.stdin.read()


def limited(path: Path, size: int) -> None:
    """Note until no file may grow beyond a size, octets; say how many notes returned, and the problem."""
    with open_journal(path) as journal:
        run = journal.begin(HEAD, [], [])
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        say(_until_refused(lambda number: _padded(journal, run, number)))


def says(count: int) -> None:
    """Say so many lines at once, and wait to be killed."""
    say("\n".join(map(str, range(count))))
    sys.stdin.read()


def full(path: Path, size: int) -> None:
    """Note on a disk of its own until it is full; read there; make room and note once more."""
    filler = path.with_name("filler")
    filler.write_bytes(bytes(size))
    with open_journal(path) as journal:
        run = journal.begin(HEAD, [], [])
        said = _until_refused(lambda number: _padded(journal, run, number))
        with read_journal(path) as reader:
            said += f" {len(reader.record(run).events)}"
        filler.unlink()
        journal.note(run, StepName.READ, StepState.ENDED)
        say(f"{said} {len(journal.record(run).events)}")


def _padded(journal: Journal, run: int, number: int) -> None:
    journal.note(run, StepName.READ, StepState.BEGUN, detail={"number": number, "padding": PADDING})


def _until_refused(step: Callable[[int], None]) -> str:
    number = 0
    while True:
        try:
            step(number)
        except FabricError as error:
            return f"{number} {error.problems[0].code}"
        number += 1


if __name__ == "__main__":
    verb, where, *size = sys.argv[1:]
    if verb == "notes":
        notes(Path(where))
    elif verb == "holds":
        holds(Path(where))
    elif verb == "says":
        says(int(size[0]))
    elif verb == "limited":
        limited(Path(where), int(size[0]))
    else:
        full(Path(where), int(size[0]))
