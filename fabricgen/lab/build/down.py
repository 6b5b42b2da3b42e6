"""Take labs down, and find the lab that a command is for."""

import shlex
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.lab.build.remove import remove, remove_files
from fabricgen.lab.host.place import DEFAULT, LabPlace, place_of
from fabricgen.lab.host.record import claimed, labs, read_record


def down(place: LabPlace) -> bool:
    """Remove a lab, or what a killed process left of it; return whether there was anything."""
    with claimed(place):
        if read_record(place) is None and not list(place.netns()) and not place.namespace_files.exists():
            return remove_files(place.folder)
        remove(place)
        return True


def find(folder: Path | None) -> LabPlace:
    """The lab in a folder; without a folder the one of the working directory, or the only one of an intent in it.

    Raises FabricError where there are several, or none: a lab of another folder may be another person's.
    """
    if folder is not None:
        return place_of(folder)
    here = place_of(Path(DEFAULT))
    if read_record(here) is not None or here.folder.exists() or list(here.netns()):
        return here
    running = sorted(labs(), key=lambda lab: lab[0].folder)
    local = [place for place, record in running if Path(record.intent).parent == here.folder.parent]
    if len(local) == 1:
        return local[0]
    raise FabricError([_which([str(place.folder) for place in local or [place for place, _ in running]], here.folder)])


def _which(folders: list[str], here: Path) -> Problem:
    if not folders:
        return Problem(
            code="no-lab", what="no lab is running on this host", why="none was found", fix="fabricgen lab up INTENT"
        )
    options = ", ".join(f"--dir {shlex.quote(name)}" for name in folders)
    up = f"{len(folders)} labs are running" if len(folders) > 1 else "a lab is running"
    return Problem(
        code="which-lab",
        what="no lab is selected",
        why=f"{here} has none, and {up} on this host: {', '.join(folders)}",
        fix=f"add one of {options}" if len(folders) > 1 else f"write {options}",
    )
