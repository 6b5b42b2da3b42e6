"""A collection: one JSON file per switch, so that its state can be judged again, elsewhere and later.

A file has `collection` (its version), `device`, `system`, `vrfs` (VRF on the switch → VRF of the plan), `failure`
(null, or `code` and `reason`) and `outputs`: command → `value`, or `error`; also `armed` if a commit is armed there, or
that is unknown, and `pushed`: what a push committed there last, according to a journal. `at` is when it was read, UTC,
by this host's clock: counters are compared over the seconds between two collections. Keys are sorted, and it has no
other time.

A file is written completely or not at all, and only its owner can read it. Secrets in a running configuration are
removed (redact_config.py).
"""

import gzip
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from fabricgen.errors import FabricError, Problem
from fabricgen.output.writer import unfinished
from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand, Reader
from fabricgen.platforms.base.live.run_marks import Armed, Phase
from fabricgen.state.state import Pushed, State

VERSION = 1
PLAIN, PACKED = ".json", ".json.gz"
BY_HAND = "not collected manually: "
"""Beginning of the reason why an output is missing from a folder that a person filled: it is not checkable."""
ABSENT = {
    "host-missing": "is not in the inventory",
    "unreachable": "cannot be reached",
    "no-answer": "answers no command",
    "not-collected": "is not in the collection",
}
"""Code of a failure → the problem in words."""


class Target(NamedTuple):
    """A switch to read: its platform, NAPALM driver, VRFs (on the switch → in the plan) and commands."""

    device: str
    system: str
    driver: str
    vrfs: Mapping[str, str]
    reads: tuple[ReadCommand, ...]

    def state(self, reader: Reader, outputs: Outputs, lacking: str) -> State:
        """Its state by these outputs. lacking: why a command has none."""
        missing = {read.command: Output(None, lacking) for read in self.reads}
        return reader.state({**missing, **outputs}, self.vrfs)


class Failure(NamedTuple):
    """Why nothing was collected from a switch. `code`: see ABSENT."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """One switch as it answered.

    armed  the commit that it will end by itself, or why that is unknown; None for none
    at     when it was read; None where unknown
    pushed  what a push committed last there; None where unknown
    """

    device: str
    system: str
    vrfs: Mapping[str, str]
    outputs: Outputs = field(default_factory=dict)
    failure: Failure | None = None
    armed: Armed | str | None = None
    at: datetime | None = field(default=None, compare=False)
    pushed: Pushed | None = None


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Stored(_Strict):
    class Answer(_Strict):
        """The answer to one command."""

        value: object = None
        error: str = ""

    class Reason(_Strict):
        """The failure of a switch that did not answer."""

        code: str
        reason: str

    class Timed(_Strict):
        """An armed commit."""

        token: str
        phase: str
        seconds: int | None
        who: str

    collection: int
    device: str
    system: str
    vrfs: dict[str, str]
    failure: Reason | None
    outputs: dict[str, Answer]

    class Earlier(_Strict):
        """What a push committed."""

        run: int
        at: str
        text: str

    armed: Timed | str | None = None
    at: str = ""
    pushed: Earlier | None = None


def write(folder: Path, collected: Collected, suffix: str = PLAIN) -> None:
    """Store one switch atomically. Raises FabricError where the operating system refuses."""
    failure = collected.failure
    value = {
        "collection": VERSION,
        "device": collected.device,
        "system": collected.system,
        "vrfs": dict(collected.vrfs),
        "failure": failure._asdict() if failure is not None else None,
        "outputs": {
            command: {"error": output.error} if output.error else {"value": output.value}
            for command, output in collected.outputs.items()
        },
    }
    if collected.armed is not None:
        armed = collected.armed
        value["armed"] = armed if isinstance(armed, str) else armed._asdict()
    if collected.at is not None:
        value["at"] = collected.at.astimezone(UTC).isoformat(timespec="milliseconds")
    if collected.pushed is not None:
        value["pushed"] = collected.pushed._asdict()
    octets = f"{json.dumps(value, indent=1, sort_keys=True)}\n".encode()
    if suffix == PACKED:
        # mtime=0: equal content gives equal octets.
        octets = gzip.compress(octets, compresslevel=1, mtime=0)
    write_file(folder / f"{collected.device}{suffix}", octets)


def write_file(path: Path, octets: bytes) -> None:
    """Replace a file atomically, readable for its owner only. A leftover of a killed run is overwritten."""
    staged = unfinished(path)
    try:
        staged.unlink(missing_ok=True)
        try:
            # O_EXCL: never write through a link that somebody else has placed there.
            handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(octets)
            staged.replace(path)
        finally:
            staged.unlink(missing_ok=True)
    except OSError as error:
        raise FabricError([refused(path.parent, error)]) from None


def read(folder: Path, device: str, suffix: str = PLAIN) -> Collected | None:
    """Return one switch; None where the collection does not have it. Raises FabricError for any other file."""
    octets = read_octets(folder, device, suffix)
    return collected_of(octets, folder, device, suffix) if octets is not None else None


def read_octets(folder: Path, device: str, suffix: str = PLAIN) -> bytes | None:
    """The unparsed file of a switch; None if it does not exist. Raises FabricError where it cannot be read."""
    path = folder / f"{device}{suffix}"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FabricError([unreadable(path, error.strerror or str(error))]) from None


def collected_of(octets: bytes, folder: Path, device: str, suffix: str = PLAIN) -> Collected:
    """Parse the content of a file; `folder` is its location for messages. Raises FabricError for any other content."""
    path = folder / f"{device}{suffix}"
    stored = _parsed(path, _unpacked(path, octets) if suffix == PACKED else octets)
    if stored.device != device:
        raise FabricError([unreadable(path, f"it is of {stored.device}")])
    return Collected(
        device=stored.device,
        system=stored.system,
        vrfs=stored.vrfs,
        outputs={command: Output(answer.value, answer.error) for command, answer in stored.outputs.items()},
        failure=Failure(stored.failure.code, stored.failure.reason) if stored.failure is not None else None,
        armed=_armed(path, stored.armed),
        at=_moment(path, stored.at),
        pushed=Pushed(stored.pushed.run, stored.pushed.at, stored.pushed.text) if stored.pushed is not None else None,
    )


def _unpacked(path: Path, octets: bytes) -> bytes:
    try:
        return gzip.decompress(octets)
    except (OSError, EOFError, zlib.error) as error:
        raise FabricError([unreadable(path, f"not whole: {error}")]) from None


def _moment(path: Path, stored: str) -> datetime | None:
    if not stored:
        return None
    try:
        at = datetime.fromisoformat(stored)
    except ValueError as error:
        raise FabricError([unreadable(path, f"at: {error}")]) from None
    if at.tzinfo is None:
        raise FabricError([unreadable(path, "at: it has no time zone")])
    return at


def _armed(path: Path, stored: "_Stored.Timed | str | None") -> Armed | str | None:
    if stored is None or isinstance(stored, str):
        return stored
    try:
        return Armed(stored.token, Phase(stored.phase), stored.seconds, stored.who)
    except ValueError as error:
        raise FabricError([unreadable(path, f"armed: {error}")]) from None


def _parsed(path: Path, octets: bytes) -> _Stored:
    try:
        value = json.loads(octets)
    except (ValueError, RecursionError) as error:
        raise FabricError([unreadable(path, f"not whole JSON: {error}")]) from None
    version = value.get("collection") if isinstance(value, dict) else None
    if version != VERSION:
        raise FabricError.of(
            code="collection-version",
            what=f"{path} is not a collection of this release",
            why=f"it has collection: {json.dumps(version)}; this release reads {VERSION}",
            fix="collect again with verify --save",
        )
    try:
        return _Stored.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FabricError([unreadable(path, f"{where}: {first['msg']}")]) from None


def unreadable(path: Path, reason: str) -> Problem:
    """The problem of a file that is not part of a collection."""
    return Problem(
        code="collection-file",
        what=f"{path} cannot be used",
        why=reason,
        fix="collect again with verify --save",
    )


def refused(folder: Path, error: OSError) -> Problem:
    """The problem of a folder that cannot be written to."""
    return Problem(
        code="collection-write",
        what=f"cannot write to {folder}",
        why=f"{error.strerror or type(error).__name__}: {error.filename or folder}",
        fix="free disk space, or correct the permissions",
    )
