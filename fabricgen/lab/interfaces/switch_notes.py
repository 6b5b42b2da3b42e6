"""Files that a lab keeps for one switch on a kernel without VRF devices, in a folder of the switch: JSON.

`<digest>.json`  the layout of the interfaces file with that SHA-256
`pairs.json`     VRFs that import routes from each other, which no interfaces file contains
`notes.json`     the units that exist

Each is written atomically. Pairs are not part of a layout's key: two intents may render the same interfaces file and
import differently, and then the file is not applied again. A pair that FRR does not use has no effect, so the pairs of
the old and of the new intent are both kept during the change.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from fabricgen.lab.interfaces.units import KernelObject, KernelState, Layout, Lines, Order, Routed, VrfLeak

FOLDER = "units"
PAIRS, NOTES, LOCK = "pairs.json", "notes.json", "lock"


def digest(text: str) -> str:
    """Name of the file with the layout of an interfaces file."""
    return sha256(text.encode()).hexdigest()


def write_layout(folder: Path, text: str, layout: Layout) -> None:
    """Save the layout of an interfaces file."""
    _write(folder / f"{digest(text)}.json", layout._asdict())


def read_layout(folder: Path, file: str) -> Layout | None:
    """The layout of the interfaces file with this digest; None where none was saved."""
    values = _read(folder / f"{file}.json")
    if values is None:
        return None
    return Layout(_units(values["units"]), values["vrfs"], tuple(Routed(*row) for row in values["vlans"]))


def write_pairs(folder: Path, pairs: Iterable[VrfLeak]) -> None:
    """Save which VRFs import from which."""
    _write(folder / PAIRS, sorted(set(pairs)))


def read_pairs(folder: Path) -> frozenset[VrfLeak]:
    """Which VRFs import from which; empty where none were saved."""
    return frozenset(VrfLeak(*row) for row in _read(folder / PAIRS) or ())


def write_notes(folder: Path, notes: KernelState) -> None:
    """Save the units that exist."""
    _write(folder / NOTES, {"units": notes.units, "unsure": sorted(notes.unsure), "file": notes.file})


def read_notes(folder: Path) -> KernelState:
    """The units that exist; empty where none were saved."""
    values = _read(folder / NOTES)
    if values is None:
        return KernelState(())
    return KernelState(_units(values["units"]), frozenset(values["unsure"]), values["file"])


@contextmanager
def interfaces_lock(folder: Path) -> Iterator[int]:
    """Lock a switch's interfaces; other processes that change them wait.

    Yields the lock's file descriptor. A program that inherits it holds the lock too, until it has ended: a killed
    program that waits in the kernel still carries out the line that it had begun.
    """
    with (folder / LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def _units(rows: Iterable[Any]) -> tuple[KernelObject, ...]:
    return tuple(
        KernelObject(key, Order(order), _lines(make), _lines(unmake), tuple(needs))
        for key, order, make, unmake, needs in rows
    )


def _lines(row: Any) -> Lines:  # noqa: ANN401 - JSON
    return Lines(row[0], tuple(row[1]), *row[2:])


def _write(path: Path, value: object) -> None:
    staged = path.with_name(f"{path.name}.{os.getpid()}")
    staged.write_text(json.dumps(value), encoding="utf-8")
    staged.replace(path)


def _read(path: Path) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
