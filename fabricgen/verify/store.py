"""A collection: one JSON file a switch, so that what was seen can be judged again, elsewhere and later.

A file has `collection` (its version), `device`, `system`, `vrfs` (VRF on the switch → VRF of the plan), `failure`
(null, or `code` and `reason`) and `outputs`: command → `value`, or `error`. Keys are sorted and no time stands in it.
A file is there whole or not at all, and only its owner can read it. What is secret in a running configuration is not
kept (hidden.py).
"""

import gzip
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from fabricgen.drivers.reader import Output, Outputs, Read
from fabricgen.errors import FabricError, Problem, did_you_mean

VERSION = 1
PLAIN, PACKED = ".json", ".json.gz"
BESIDE = "._"
"""First characters of files that are of no switch: being written, or of the whole."""
ABSENT = {
    "host-missing": "is not in the inventory",
    "unreachable": "can not be reached",
    "no-answer": "answers no command",
    "not-collected": "is not in the collection",
}
"""Code of a failure → the problem in words."""


class Target(NamedTuple):
    """A switch that is asked: its platform, NAPALM driver, VRFs (on the switch → in the plan) and commands."""

    device: str
    system: str
    driver: str
    vrfs: Mapping[str, str]
    reads: tuple[Read, ...]


class Failure(NamedTuple):
    """Why nothing was collected of a switch. `code`: see ABSENT."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """One switch as it answered."""

    device: str
    system: str
    vrfs: Mapping[str, str]
    outputs: Outputs = field(default_factory=dict)
    failure: Failure | None = None


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    class Answer(BaseModel):
        """Of one command."""

        model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

        value: object = None
        error: str = ""

    class Reason(BaseModel):
        """Of a switch that did not answer."""

        model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

        code: str
        reason: str

    collection: int
    device: str
    system: str
    vrfs: dict[str, str]
    failure: Reason | None
    outputs: dict[str, Answer]


def write(folder: Path, collected: Collected, suffix: str = PLAIN) -> None:
    """Keep one switch, in one step. Raises FabricError where the operating system refuses."""
    failure = collected.failure
    value = {
        "collection": VERSION,
        "device": collected.device,
        "system": collected.system,
        "vrfs": dict(collected.vrfs),
        "failure": failure._asdict() if failure is not None else None,
        "outputs": {command: _answer(output) for command, output in collected.outputs.items()},
    }
    octets = f"{json.dumps(value, indent=1, sort_keys=True)}\n".encode()
    if suffix == PACKED:
        octets = gzip.compress(octets, compresslevel=1, mtime=0)
    write_file(folder / f"{collected.device}{suffix}", octets)


def write_file(path: Path, octets: bytes) -> None:
    """Replace a file in one step, or leave it; it is its owner's alone. What a killed run has left is taken over."""
    staged = path.with_name(f".{path.name}.new")
    try:
        staged.unlink(missing_ok=True)
        try:
            handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(octets)
            staged.replace(path)
        finally:
            staged.unlink(missing_ok=True)
    except OSError as error:
        raise FabricError([_refused(path.parent, error)]) from None


def _answer(output: Output) -> dict[str, object]:
    return {"error": output.error} if output.error else {"value": output.value}


def read(folder: Path, device: str, suffix: str = PLAIN) -> Collected | None:
    """Return one switch; None where the collection has nothing of it. Raises FabricError for a file that is no such."""
    octets = read_octets(folder, device, suffix)
    return collected_of(octets, folder, device, suffix) if octets is not None else None


def read_octets(folder: Path, device: str, suffix: str = PLAIN) -> bytes | None:
    """Its file as it is; None where there is none. Raises FabricError where it can not be read."""
    path = folder / f"{device}{suffix}"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FabricError([unreadable(path, error.strerror or str(error))]) from None


def collected_of(octets: bytes, folder: Path, device: str, suffix: str = PLAIN) -> Collected:
    """What a file says, wherever it is read: `folder` is where it lies. Raises FabricError for one that is no such."""
    path = folder / f"{device}{suffix}"
    stored = _parsed(path, gzip.decompress(octets) if suffix == PACKED else octets)
    if stored.device != device:
        raise FabricError([unreadable(path, f"it is of {stored.device}")])
    return Collected(
        device=stored.device,
        system=stored.system,
        vrfs=stored.vrfs,
        outputs={command: Output(answer.value, answer.error) for command, answer in stored.outputs.items()},
        failure=Failure(stored.failure.code, stored.failure.reason) if stored.failure is not None else None,
    )


def _parsed(path: Path, octets: bytes) -> _Stored:
    try:
        value = json.loads(octets)
    except (ValueError, RecursionError) as error:
        raise FabricError([unreadable(path, f"not whole JSON: {error}")]) from None
    version = value.get("collection") if isinstance(value, dict) else None
    if version != VERSION:
        problem = Problem(
            code="collection-version",
            what=f"{path} is no collection that this release reads",
            why=f"it says collection: {json.dumps(version)}; read is {VERSION}",
            fix="collect again with verify --save",
        )
        raise FabricError([problem])
    try:
        return _Stored.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FabricError([unreadable(path, f"{where}: {first['msg']}")]) from None


def open_folder(folder: Path, devices: Iterable[str]) -> None:
    """Make room for a collection of these switches: what an earlier one had of them is gone.

    Raises FabricError for a folder that holds anything else, be it another switch as it was at another time.
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
        raise FabricError([_refused(folder, error)]) from None
    if others:
        raise FabricError([_mixed(folder, others)])


def _mixed(folder: Path, others: list[str]) -> Problem:
    """What is in the way of a new collection. Times that are mixed would be judged as one."""
    foreign = [name for name in others if not name.endswith(PLAIN)]
    if foreign:
        return Problem(
            code="collection-folder",
            what=f"{folder} holds files that no collection has, such as {foreign[0]!r}",
            why="a collection needs a folder of its own",
            fix="choose an empty or new folder",
        )
    return Problem(
        code="collection-mixed",
        what=f"{folder} holds an earlier collection, with switches that are not asked now, such as {others[0]!r}",
        why="a collection is judged as one state of the fabric, and those files would be of another time",
        fix="choose an empty or new folder, remove the earlier files, or ask the same switches as then",
    )


def check_folder(folder: Path, known: Iterable[str]) -> None:
    """Hold the names in a collection against the plan.

    Raises FabricError for a folder that can not be read, has no file of a switch, or has one of another plan's.
    """
    try:
        files = [entry.name for entry in folder.iterdir() if entry.name.endswith(PLAIN)]
    except OSError as error:
        raise FabricError([unreadable(folder, error.strerror or str(error))]) from None
    names = dict.fromkeys(known)
    found = sorted(name.removesuffix(PLAIN) for name in files if name[0] not in BESIDE)
    problems = [_unknown(folder, name, names) for name in found if name not in names]
    if not found:
        problems.append(unreadable(folder, "it holds no file of a switch"))
    if problems:
        raise FabricError(problems)


def _unknown(folder: Path, name: str, known: Iterable[str]) -> Problem:
    return Problem(
        code="collection-device",
        what=f"{folder / name}{PLAIN} is of no switch of this intent",
        why="the plan has no place with this name",
        fix=f"{did_you_mean(name, known)}; or remove the file, or name the intent that the collection was made with",
    )


def unreadable(path: Path, why: str) -> Problem:
    """A file that is no part of a collection."""
    return Problem(
        code="collection-file",
        what=f"{path} can not be judged",
        why=why,
        fix="collect again with verify --save",
    )


def _refused(folder: Path, error: OSError) -> Problem:
    return Problem(
        code="collection-write",
        what=f"can not write to {folder}",
        why=f"{error.strerror or type(error).__name__}: {error.filename or folder}",
        fix="make room or mend the permissions",
    )
