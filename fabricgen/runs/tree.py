"""The whole tree by several processes: what they give back, in the order of the switches."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field
from pathlib import Path

from fabricgen.checks.switches import Watch
from fabricgen.errors import FabricError, Problem
from fabricgen.output.staging import Content, Staged
from fabricgen.plan.plan import Plan
from fabricgen.render.tree import CABLING, cabling_octets, runs_of
from fabricgen.runs.work import Part, Stage, Work, part_of

LEAST = 64
"""Switches of a run, at least: what a run costs by itself is then little beside them."""
ROUNDS = 4
"""Runs that a process has, so that none waits long for the last of another."""

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
        cabling: list[bytes | Path] = []
        size = max(LEAST, -(-self.switches // (jobs * ROUNDS)))
        works = [
            Work(self.plan, run, number, self.templates, self.stage)
            for number, run in enumerate(runs_of(self.plan, size))
        ]
        for part in _parts(executor, works):
            if part.problems:
                raise FabricError(part.problems)
            self.keys.update(part.keys)
            self.watch.join(part.tallies)
            cabling.append(part.cabling)
            yield from part.files
            done(len(part.keys))
        yield CABLING, cabling_octets(_pieces(cabling))


def _parts(executor: Executor, works: Iterable[Work]) -> Iterator[Part]:
    try:
        yield from executor.map(part_of, works)
    except BrokenExecutor:
        raise FabricError([
            Problem(
                code="worker-lost",
                what="a process that rendered has ended before its work did",
                why="something else ended it, mostly for want of memory",
                fix="try again, with --jobs 1 where it happens again",
            )
        ]) from None  # fmt: skip


PIECE = 1 << 20


def _pieces(parts: Iterable[bytes | Path]) -> Iterator[bytes]:
    for part in parts:
        if isinstance(part, bytes):
            yield part
        else:
            with part.open("rb") as file:
                while piece := file.read(PIECE):
                    yield piece
