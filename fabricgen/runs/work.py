"""One run of switches: rendered, looked at, and staged here or returned to whoever asked."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from fabricgen.checks.switches import Watch
from fabricgen.checks.tally import Tally
from fabricgen.errors import FabricError, Problem
from fabricgen.output.manifest import FOLDER
from fabricgen.output.staging import STAGE, Content, Staged, Staging, write_new
from fabricgen.plan.plan import Plan
from fabricgen.render.tree import Press, Run


class Stage(NamedTuple):
    """Where a process of this machine stages its files. files: path → digest of the render before."""

    out: Path
    files: Mapping[str, str]


class Work(NamedTuple):
    """What a process is given. stage: None where its files are to be returned, as it may be on another machine."""

    plan: Plan
    run: Run
    number: int
    templates: Path | None
    stage: Stage | None


class Part(NamedTuple):
    """What a process gives back.

    keys      device → input key; tallies: what `Watch` has kept, by fabric
    files     what became of each file, or path and octets
    cabling   lines of the cabling plan, or the file that has them
    problems  why there is nothing of it
    """

    keys: Mapping[str, str]
    tallies: Mapping[str, Tally]
    files: tuple[Staged | tuple[str, Content], ...]
    cabling: bytes | Path
    problems: tuple[Problem, ...] = ()


def part_of(work: Work) -> Part:
    """Do one run."""
    try:
        return _part(work)
    except FabricError as error:
        # As a value: an exception comes back from a process by its words alone.
        return Part({}, {}, (), b"", error.problems)


def _part(work: Work) -> Part:
    press, watch = Press(work.plan, work.templates), Watch(work.plan)
    staging = Staging(work.stage.out, work.stage.files) if work.stage is not None else None
    keys: dict[str, str] = {}
    files: list[Staged | tuple[str, Content]] = []
    for printed in press.switches(work.run):
        keys[printed.device.name] = printed.key
        files += [staging.add(*file) for file in printed.files] if staging is not None else printed.files
        watch.look(printed.device)
    lines = (line.encode() for line in press.cabling(work.run))
    return Part(keys, watch.tallies, tuple(files), _cabling(work, lines))


def _cabling(work: Work, lines: Iterator[bytes]) -> bytes | Path:
    if work.stage is None:
        return b"".join(lines)
    folder = work.stage.out / FOLDER / STAGE / "cabling"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / str(work.number)
    write_new(str(path), lines)
    return path
