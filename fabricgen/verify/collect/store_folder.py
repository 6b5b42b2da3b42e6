"""The folder of a collection: made for a new one, or checked against the plan."""

from collections.abc import Iterable
from pathlib import Path

from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.verify.collect.store import PLAIN, refused, unreadable

BESIDE = "._"
"""First characters of files that belong to no switch: being written, or of the whole collection."""


def open_folder(folder: Path, devices: Iterable[str]) -> None:
    """Prepare a folder for a collection of these switches; files of an earlier one of them are removed.

    Raises FabricError for a folder that holds anything else, such as an earlier collection of another switch.
    """
    files = {f"{device}{PLAIN}" for device in devices}
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = sorted(entry.name for entry in folder.iterdir())
        others = [name for name in names if name not in files and name[0] not in BESIDE]
        if not others:
            for name in files:
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise FabricError([refused(folder, error)]) from None
    if others:
        raise FabricError([_mixed(folder, others)])


def _mixed(folder: Path, others: list[str]) -> Problem:
    """The problem of files in the way of a new collection: outputs of different times would be judged as one state."""
    foreign = [name for name in others if not name.endswith(PLAIN)]
    if foreign:
        return Problem(
            code="collection-folder",
            what=f"{folder} has files that are not from a collection, such as {foreign[0]!r}",
            why="a collection needs a folder of its own",
            fix="choose an empty or new folder",
        )
    return Problem(
        code="collection-mixed",
        what=f"{folder} has an earlier collection with switches that are not queried now, such as {others[0]!r}",
        why="a collection is one state of the fabric, and those files are from another time",
        fix="choose an empty or new folder, remove the earlier files, or query the same switches as then",
    )


def check_folder(folder: Path, known: Iterable[str]) -> None:
    """Compare the file names of a collection with the plan.

    Raises FabricError for a folder that cannot be read, has no file of a switch, or has one of another plan.
    """
    try:
        files = [entry.name for entry in folder.iterdir() if entry.name.endswith(PLAIN)]
    except OSError as error:
        raise FabricError([unreadable(folder, error.strerror or str(error))]) from None
    names = dict.fromkeys(known)
    devices = sorted(name.removesuffix(PLAIN) for name in files if name[0] not in BESIDE)
    problems = [_unknown(folder, name, names) for name in devices if name not in names]
    if not devices:
        problems.append(unreadable(folder, "it has no file of a switch"))
    if problems:
        raise FabricError(problems)


def _unknown(folder: Path, name: str, known: Iterable[str]) -> Problem:
    return Problem(
        code="collection-device",
        what=f"{folder / name}{PLAIN} is not a switch of this intent",
        why="the plan has no switch of this name",
        fix=f"{did_you_mean(name, known)}; or remove the file, or use the intent that the collection was made with",
    )
