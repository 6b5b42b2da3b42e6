"""What a lab keeps of one switch on a kernel without VRF devices, in a folder of the switch: JSON files.

`<digest>.json`  the layout of the interfaces file with that SHA-256
`pairs.json`     VRFs that take routes from each other, which no interfaces file tells
`notes.json`     what stands

Each is written whole or not at all. Pairs are not part of a layout's key: two intents may render one interfaces file
and import differently, and then nobody applies it again. A pair more than FRR uses has no effect, so the pairs of the
old and of the new intent are both kept while one takes the place of the other.
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
    """Name by which the layout of an interfaces file is kept."""
    return sha256(text.encode()).hexdigest()


def write_layout(folder: Path, text: str, layout: Layout) -> None:
    """Keep the layout of an interfaces file."""
    _write(folder / f"{digest(text)}.json", layout._asdict())


def read_layout(folder: Path, file: str) -> Layout | None:
    """The layout of the interfaces file with a digest; None where none was kept."""
    found = _read(folder / f"{file}.json")
    if found is None:
        return None
    return Layout(_units(found["units"]), found["vrfs"], tuple(Routed(*row) for row in found["vlans"]))


def write_pairs(folder: Path, pairs: Iterable[VrfLeak]) -> None:
    """Keep which VRFs import from which."""
    _write(folder / PAIRS, sorted(set(pairs)))


def read_pairs(folder: Path) -> frozenset[VrfLeak]:
    """Which VRFs import from which; none where none were kept."""
    return frozenset(VrfLeak(*row) for row in _read(folder / PAIRS) or ())


def write_notes(folder: Path, notes: KernelState) -> None:
    """Keep what stands."""
    _write(folder / NOTES, {"units": notes.units, "unsure": sorted(notes.unsure), "file": notes.file})


def read_notes(folder: Path) -> KernelState:
    """What stands; nothing where nothing was kept."""
    found = _read(folder / NOTES)
    if found is None:
        return KernelState(())
    return KernelState(_units(found["units"]), frozenset(found["unsure"]), found["file"])


@contextmanager
def held(folder: Path) -> Iterator[int]:
    """Hold a switch's interfaces: who else changes them waits.

    Yields the lock's file descriptor. A program that is handed it holds the lock too, until it has ended itself: one
    that waits in the kernel when it is killed still carries out the line that it had begun.
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
