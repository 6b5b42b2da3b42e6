"""Record of a lab's resources on this host, written before each is made, so that later processes find all of them."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.lab.host.place import RUN, LabPlace

STARTING, UP = "starting", "up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One lab that is up, or was begun.

    state      starting until everything is up, then up
    thresholds limits of the host's neighbor table that were raised: name → value before, value set
    made       whether the lab created its folder
    """

    folder: str
    intent: str
    subset: str
    state: str
    thresholds: dict[str, tuple[int, int]] = field(default_factory=dict)
    made: bool = True


def write_record(place: LabPlace, record: Record) -> None:
    """Write the record atomically and synced to disk, before anything in it is made."""
    place.run.mkdir(parents=True, exist_ok=True)
    staged = place.record.with_suffix(".new")
    with staged.open("w", encoding="utf-8") as file:
        json.dump(asdict(record), file)
        file.flush()
        os.fsync(file.fileno())
    staged.replace(place.record)


def read_record(place: LabPlace) -> Record | None:
    """The record of a lab; None if there is none, or if the host went down while it was written."""
    try:
        values = json.loads(place.record.read_text(encoding="utf-8"))
        thresholds = {name: (int(old), int(new)) for name, (old, new) in values.pop("thresholds").items()}
        return Record(**values, thresholds=thresholds)
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        return None


def labs() -> Iterator[tuple[LabPlace, Record]]:
    """Every lab of this host."""
    if RUN.is_dir():
        for run in sorted(RUN.iterdir()):
            record = read_record(LabPlace(Path(), run.name))
            if record is not None:
                yield LabPlace(Path(record.folder), run.name), record


@contextmanager
def host_lock() -> Iterator[None]:
    """Lock what labs share: the host's limits, and the records of who restores them. Others wait."""
    RUN.mkdir(parents=True, exist_ok=True)
    handle = os.open(RUN, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def claimed(place: LabPlace) -> Iterator[None]:
    """Lock a lab while it is built or taken down. Raises FabricError where another process holds it."""
    while True:
        place.run.mkdir(parents=True, exist_ok=True)
        with place.lock.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FabricError.of(
                    code="lab-busy",
                    what=f"the lab of {place.folder} is being built or removed by another fabricgen",
                    why="only one process at a time can use a lab",
                    fix="wait until it has ended, or stop it; it then removes the lab",
                ) from None
            if not _is_current(file.fileno(), place.lock):
                continue
            try:
                yield
            finally:
                if not place.record.exists():
                    shutil.rmtree(place.run, ignore_errors=True)
                    with suppress(OSError):
                        RUN.rmdir()
            return


def _is_current(handle: int, path: Path) -> bool:
    """Whether the locked file is still the one at its path: a process that takes a lab down removes it."""
    try:
        return os.fstat(handle).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False
