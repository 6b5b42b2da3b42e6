"""A folder filled by a person, with a folder per switch and a file per command, converted to a collection."""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem, Source, did_you_mean
from fabricgen.output.manifest import FOLDER as MANIFESTS
from fabricgen.platforms.base.live.by_hand import RefusedError
from fabricgen.platforms.base.live.reader import TEXT, ByHand, Output, ReadCommand
from fabricgen.platforms.readers import reader_of
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.redact_outputs import CONFIGURED
from fabricgen.verify.collect.store import BY_HAND, PLAIN, Collected, Target, unreadable, write
from fabricgen.verify.collect.store_folder import BESIDE

LONGEST = 80
"""Maximum characters of a file's name; a longer command is cut, and gets a digest to stay unique."""


class Command(NamedTuple):
    """What to type on a switch, and the file for its output."""

    device: str
    file: str
    typed: str


def commands(target: Target) -> tuple[Command, ...]:
    """All commands of one switch. Raises FabricError for a platform that is not collected by hand."""
    hand = _hand(target.system)
    return tuple(Command(target.device, file_name(read), hand.typed(read)) for read in target.reads)


def file_name(read: ReadCommand) -> str:
    """File name of a command: its words, joined by hyphens."""
    words = re.sub(r"[^a-z0-9]+", "-", read.command.lower()).strip("-")
    if len(words) > LONGEST:
        words = f"{words[:LONGEST]}-{sha256(read.command.encode()).hexdigest()[:8]}"
    return f"{words}.{'txt' if read.encoding == TEXT else read.encoding}"


def _hand(system: str) -> ByHand:
    by_hand = reader_of(system).by_hand
    if by_hand is None:
        raise FabricError.of(
            code="by-hand",
            what=f"{system} cannot be collected manually",
            why="commands that can be typed there print another format than the one that verify reads",
            fix="collect with fabricgen verify -i INVENTORY --save DIR",
        )
    return by_hand


def is_by_hand(folder: Path) -> bool:
    """Whether a folder contains folders of switches. An unreadable one is reported elsewhere."""
    try:
        return any(entry.is_dir() for entry in folder.iterdir() if entry.name[0] not in BESIDE)
    except OSError:
        return False


def convert(folder: Path, targets: Mapping[str, Target], known: Iterable[str], into: Path) -> None:
    """Convert what a person collected to a collection. Raises FabricError with everything that cannot be read.

    known  names of all switches, selected or not
    """
    _require_collected(folder)
    names = dict.fromkeys(known)
    problems: list[Problem] = []
    count = 0
    for entry in sorted(folder.iterdir()):
        if entry.name[0] in BESIDE:
            continue
        if entry.name not in names or not entry.is_dir():
            problems.append(_unexpected(entry, names))
        elif entry.name in targets:
            collected, faults = _collected(entry, targets[entry.name])
            problems += faults
            if collected is not None:
                write(into, collected, PLAIN)
                count += 1
    if not count and not problems:
        problems.append(unreadable(folder, "it has no file of a selected switch"))
    if problems:
        raise FabricError(problems)


def _collected(folder: Path, target: Target) -> tuple[Collected | None, list[Problem]]:
    """One switch and its problems; None if it has not a single file."""
    try:
        hand = _hand(target.system)
        present = {entry.name for entry in folder.iterdir() if entry.name[0] not in BESIDE}
    except OSError as error:
        return None, [unreadable(folder, error.strerror or str(error))]
    except FabricError as error:
        return None, list(error.problems)
    files = {file_name(read): read for read in target.reads}
    problems = [_unexpected(folder / name, files) for name in sorted(present - set(files))]
    outputs: dict[str, Output] = {}
    for name, read in files.items():
        if name not in present:
            outputs[read.command] = Output(None, f"{BY_HAND}{target.device}/{name}")
            continue
        try:
            outputs[read.command] = Output(_value(folder / name, read, hand))
        except RefusedError as refusal:
            outputs[read.command] = Output(None, str(refusal))
        except FabricError as error:
            problems += error.problems
    if not present & set(files):
        return None, problems
    return Collected(device=target.device, system=target.system, vrfs=target.vrfs, outputs=outputs), problems


def _value(path: Path, read: ReadCommand, hand: ByHand) -> object:
    """Content of a file; a configuration without its secrets. Raises FabricError, or RefusedError."""
    try:
        value = hand.value(read, path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError, OSError) as error:
        position = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        reason = getattr(error, "strerror", None) or getattr(error, "msg", None) or "it is not UTF-8 text"
        raise FabricError.of(
            code="by-hand-file",
            what=f"{path} is not the output of `{hand.typed(read)}`",
            why=f"not {read.encoding}: {reason}",
            fix="collect it again, or remove it: its checks are then skipped",
            at=Source(str(path), *position),
        ) from None
    return without_secrets(value) if read.part in CONFIGURED and isinstance(value, str | dict | list) else value


def _require_collected(folder: Path) -> None:
    """Raise FabricError for the output of `render`, whose folders of switches look like collected ones."""
    if not (folder / MANIFESTS).is_dir():
        return
    raise FabricError.of(
        code="collection-rendered",
        what=f"{folder} was written by `fabricgen render`, so it has no state collected from switches",
        why="--from reads what switches run: a folder of `fabricgen verify --save`, or the output of the commands that "
        "`fabricgen verify --commands` lists",
        fix="name such a folder; or compare this one with an intent: fabricgen diff INTENT --against FOLDER",
    )


def _unexpected(path: Path, known: Iterable[str]) -> Problem:
    return Problem(
        code="by-hand-name",
        what=f"{path} is an unexpected file",
        why="a file with a wrong name would be ignored, and its switch or command would not be checked",
        fix=f"{did_you_mean(path.name, known)} All names: fabricgen verify INTENT --commands PLATFORM",
    )
