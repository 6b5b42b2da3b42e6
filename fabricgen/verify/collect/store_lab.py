"""Lab files of a collection: which part of the plan the lab has, and its pings."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from fabricgen.errors import FabricError
from fabricgen.verify.collect.store import VERSION, unreadable, write_file
from fabricgen.verify.probe.pings import Ping, PingResult

LAB, PINGS = "_lab.json", "_pings.json"
"""No switch has a name that begins with this character."""


class _Pings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    class Tried(BaseModel):
        """One ping and its result."""

        model_config = ConfigDict(extra="forbid", frozen=True)

        ping: Ping
        answer: PingResult

    collection: int
    pings: tuple[Tried, ...]


def write_lab(folder: Path, subset: str | None, release: str = "", built: Collection[tuple[str, str]] = ()) -> None:
    """Begin a collection: record the lab's subset, as written on the command line; None: no switches of a lab.

    release  of containerlab, if its switches are containers
    built    ends of the cables that the lab was built with, if known: owner and interface
    """
    (folder / PINGS).unlink(missing_ok=True)
    if subset is None:
        (folder / LAB).unlink(missing_ok=True)
    else:
        optional: dict[str, object] = {"release": release} if release else {}
        optional |= {"built": sorted(built)} if built else {}
        _write(folder / LAB, {"collection": VERSION, "subset": subset, **optional})


def write_pings(folder: Path, results: Mapping[Ping, PingResult]) -> None:
    """Store the results of a lab's pings. Raises FabricError where the operating system refuses."""
    tried = [{"ping": ping._asdict(), "answer": answer._asdict()} for ping, answer in results.items()]
    _write(folder / PINGS, {"collection": VERSION, "pings": tried})


def _write(path: Path, value: object) -> None:
    write_file(path, f"{json.dumps(value, indent=1, sort_keys=True)}\n".encode())


def read_lab(folder: Path) -> str | None:
    """The lab's subset; None if it was not a lab. Raises FabricError for any other file."""
    path = folder / LAB
    value = _read(path)
    if value is None:
        return None
    subset = value.get("subset") if isinstance(value, dict) and value.get("collection") == VERSION else None
    if not isinstance(subset, str):
        raise FabricError([unreadable(path, "it names no part of a plan")])
    return subset


def read_release(folder: Path) -> str:
    """Release of containerlab if a collection is of its containers; else ""."""
    value = _read(folder / LAB)
    return str(value.get("release", "")) if isinstance(value, dict) else ""


def read_built(folder: Path) -> frozenset[tuple[str, str]]:
    """Ends of the cables that a lab was built with; none if not recorded. Raises FabricError as `read_lab`."""
    value = _read(folder / LAB)
    rows = value.get("built", []) if isinstance(value, dict) else []
    if not isinstance(rows, list) or not all(_is_end(row) for row in rows):
        raise FabricError([unreadable(folder / LAB, "it names no ends of cables")])
    return frozenset((owner, interface) for owner, interface in rows)


def _is_end(row: object) -> bool:
    return isinstance(row, list) and len(row) == 2 and all(isinstance(part, str) for part in row)


def read_pings(folder: Path) -> dict[Ping, PingResult] | None:
    """Results of a lab's pings; None if none were tried. Raises FabricError for any other file."""
    path = folder / PINGS
    value = _read(path)
    if value is None:
        return None
    try:
        stored = _Pings.model_validate(value)
    except ValidationError as error:
        raise FabricError([unreadable(path, str(error.errors(include_url=False)[0]["msg"]))]) from None
    if stored.collection != VERSION:
        raise FabricError([unreadable(path, f"it says collection: {stored.collection}; read is {VERSION}")])
    return {tried.ping: tried.answer for tried in stored.pings}


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise FabricError([unreadable(path, str(error))]) from None
