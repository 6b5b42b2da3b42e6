"""The whole tree by several processes: what they give back, in the order of the switches."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from fabricgen.checks.switches import Watch
from fabricgen.errors import FabricError, Problem
from fabricgen.output.staging import Content, Staged
from fabricgen.plan.plan import Plan
from fabricgen.render.tree import CABLING, cabling_octets, runs_of
from fabricgen.runs.order import in_order
from fabricgen.runs.work import Stage, Work, part_of

LEAST = 64
"""Switches of a run, at least: what a run costs by itself is then little beside them."""
ROUNDS = 4
"""Runs that a process has, so that none waits long for the last of another."""
MOST = 128
"""Switches of a run whose files are returned, at most: a part is some 10 MB, and several wait to be taken."""

Done = Callable[[int], None]
"""Told how many switches have been rendered since the last call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A tree that is to be made. stage: None where no process but this one can write to the output folder."""

    plan: Plan
    switches: int
    templates: Path | None
    stage: Stage | None
    keys: dict[str, str] = field(default_factory=dict)
    watch: Watch

    def files(self, executor: Executor, jobs: int, done: Done) -> Iterator[Staged | tuple[str, Content]]:
        """Every file: what became of it, or path and content. Fills `keys`, and lets `watch` count all switches.

        Raises FabricError where a run could not be done.
        """
        size = size_of(self.switches, jobs, is_here=self.stage is not None)
        works = (
            Work(self.plan, run, number, self.templates, self.stage)
            for number, run in enumerate(runs_of(self.plan, size))
        )
        cabling: list[Path] = []
        with told_if_lost(), TemporaryFile() as spool:
            for part in in_order(executor, part_of, works, jobs):
                if part.problems:
                    raise FabricError(part.problems)
                self.keys.update(part.keys)
                self.watch.join(part.tallies)
                _keep(part.cabling, cabling, spool)
                yield from part.files
                done(len(part.keys))
            yield CABLING, cabling_octets(_pieces(cabling, spool))


def size_of(switches: int, jobs: int, *, is_here: bool) -> int:
    """Switches of a run. is_here: no files are returned, as they are staged where they are rendered."""
    size = max(LEAST, -(-switches // (jobs * ROUNDS)))
    return size if is_here else min(MOST, size)


@contextmanager
def told_if_lost() -> Iterator[None]:
    """Make a problem of a process of this machine that has ended."""
    try:
        yield
    except BrokenExecutor:
        raise FabricError([
            Problem(
                code="worker-lost",
                what="a process that worked on switches has ended before its work did",
                why="something else ended it, mostly for want of memory",
                fix="try again, with --jobs 1 where it happens again",
            )
        ]) from None  # fmt: skip


PIECE = 1 << 20


def _keep(part: bytes | Path, files: list[Path], spool: IO[bytes]) -> None:
    """Keep lines of the cabling plan where they take no memory, in order: all parts are files, or none is."""
    if isinstance(part, bytes):
        spool.write(part)
    else:
        files.append(part)


def _pieces(files: Iterable[Path], spool: IO[bytes]) -> Iterator[bytes]:
    spool.seek(0)
    yield from _read(spool)
    for path in files:
        with path.open("rb") as file:
            yield from _read(file)


def _read(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
