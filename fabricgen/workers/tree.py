"""The whole tree: unchanged files are kept, the others are made by this process or several, in one order."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from fabricgen.checks.switches.tally_json import loaded
from fabricgen.checks.switches.watch import Watch
from fabricgen.errors import FabricError
from fabricgen.output.faults import operator_faults
from fabricgen.output.manifest import FOLDER, PIECE
from fabricgen.output.memory import RenderNotes
from fabricgen.output.previous_render import Before
from fabricgen.output.staging import Content, Staged
from fabricgen.plan.fabric import name_of
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys
from fabricgen.render.tree import CABLING, cabling_octets
from fabricgen.workers.incremental import PreviousRender, UnitWork, planned
from fabricgen.workers.pool import Workers
from fabricgen.workers.tasks import Made, Task, Worker, WorkerInput, part_of
from fabricgen.workers.units import units

LEAST = 64
"""Least number of switches per piece of work, so that its own overhead is small."""
ROUNDS = 4
"""Runs per process, so that no process waits long for the last run of another."""
SHARES = 2
"""A piece is the remaining work per process divided by this number."""
MOST_HERE, MOST = 512, 128
"""Most switches per piece: their cables are 5 MB of lines; returned files are 10 MB. Several pieces wait."""

Done = Callable[[int], None]
"""Callback with the number of switches that were done since the last call."""


@dataclass(slots=True, kw_only=True)
class Tree:
    """A tree in the making, for `output.commit`.

    judge    raises FabricError for problems of all switches together
    keys     device → input key, of all checked switches; check_results, cabling: notes of each unit, in order
    """

    out: Path
    plan: Plan
    templates: Path | None
    workers: Workers
    done: Done
    judge: Callable[[Watch], None]
    keys: dict[str, str] = field(default_factory=dict)
    check_results: dict[str, str] = field(default_factory=dict)
    cabling: list[tuple[str, int]] = field(default_factory=list)

    def files(self, before: Before, /) -> Iterator[Staged | tuple[str, Content]]:
        """Every file: its staged result, or path and content. Raises FabricError where one could not be made."""
        previous = PreviousRender(before)
        steps: list[UnitWork] = []
        for decision in planned(self.plan, Keys(self.plan, self.templates), previous):
            steps.append(decision.step)
            self.keys |= decision.keys
            yield from decision.unchanged_files
        with _spool(self.out) as spool:
            for step, result in self._made(steps, previous):
                # Note the check result of a unit, and append its new cable lines to the spool, in order.
                self.check_results[step.check_key] = result.tallies if step.check_result is None else step.check_result
                if step.piece is None:
                    with operator_faults(self.out):
                        spool.write(result.cabling)
                self.cabling.append((step.cabling, len(result.cabling) if step.piece is None else step.piece.octets))
                yield from result.files
                self.done(step.switches)
            yield self._cabling_plan(steps, previous, spool)
        watch = Watch(self.plan)
        for tallies in self.check_results.values():
            watch.join(loaded(tallies))
        self.judge(watch)

    def notes(self) -> RenderNotes:
        """Notes for the next render of the same tree."""
        return RenderNotes(self.check_results, tuple(self.cabling))

    def _made(self, steps: list[UnitWork], previous: PreviousRender) -> Iterator[tuple[UnitWork, Made]]:
        """Each step with its result."""
        pending_switches = sum(step.switches for step in steps if not step.is_idle)
        pool = self.workers
        if pool.executor is None or (pool.here and pending_switches <= LEAST):
            worker = Worker(self.plan, self.templates, self.out)
            results: Iterator[Made] = (worker.do(task) for task in self._tasks(steps, previous))
        else:
            results = self._by(pool, steps, previous, pending_switches)
        for step in steps:
            yield step, NOTHING if step.is_idle else next(results)

    def _by(
        self, pool: Workers, steps: list[UnitWork], previous: PreviousRender, pending_switches: int
    ) -> Iterator[Made]:
        out = self.out if pool.here else None
        pieces = _pieces(self._tasks(steps, previous), sizes(pending_switches, pool.jobs, is_here=pool.here))
        inputs = (WorkerInput(self.plan, tasks, self.templates, out) for tasks in pieces)
        for result in pool.each(part_of, inputs):
            if result.problems:
                raise FabricError(result.problems)
            yield from result.made

    def _tasks(self, steps: list[UnitWork], previous: PreviousRender) -> Iterator[Task]:
        """Tasks unit by unit. The places are computed once more, as they are not held in memory."""
        for step, unit in zip(steps, units(self.plan), strict=True):
            if not step.is_idle:
                fabric = self.plan.fabrics[unit.fabric]
                yield step.task(unit, tuple(name_of(fabric, place) for place in unit.places), previous)

    def _cabling_plan(
        self, steps: list[UnitWork], previous: PreviousRender, spool: IO[bytes]
    ) -> Staged | tuple[str, Content]:
        """The unchanged cabling plan if it is the same; otherwise its lines, with the new ones from the spool."""
        if previous.cabling is not None and previous.notes.cabling == tuple(self.cabling):
            return previous.cabling
        with operator_faults(self.out):
            spool.seek(0)
        return CABLING, cabling_octets(self._lines(steps, previous, spool))

    def _lines(self, steps: list[UnitWork], previous: PreviousRender, spool: IO[bytes]) -> Iterator[bytes]:
        if previous.cabling is None:
            while piece := spool.read(PIECE):
                yield piece
            return
        with (self.out / CABLING).open("rb") as previous_plan:
            for step, (_, octets) in zip(steps, self.cabling, strict=True):
                if step.piece is not None:
                    previous_plan.seek(step.piece.offset)
                yield (spool if step.piece is None else previous_plan).read(octets)
        # If the old plan was changed while it was read, the copied lines cannot be trusted.
        if not previous.has_cabling():
            raise FabricError.of(
                code="output-busy",
                what=f"{(self.out / CABLING)} was changed while its lines were read",
                why="lines of unchanged switches are taken from it, and may have changed",
                fix="run the same command again, while nothing else writes there",
            )


@contextmanager
def _spool(out: Path) -> Iterator[IO[bytes]]:
    """A nameless file on the file system of the output: if that is full, the problem names `out`."""
    with operator_faults(out):
        file = TemporaryFile(dir=out / FOLDER)  # noqa: SIM115 - closed below
    try:
        yield file
    finally:
        with suppress(OSError):  # closing may fail for buffered data that did not fit
            file.close()


NOTHING = Made((), "", b"")


def _pieces(tasks: Iterable[Task], sizes: Iterator[int]) -> Iterator[tuple[Task, ...]]:
    """Tasks in pieces of at least the given numbers of switches."""
    piece: list[Task] = []
    count, size = 0, next(sizes, LEAST)
    for task in tasks:
        piece.append(task)
        count += len(task.unit.places)
        if count >= size:
            yield tuple(piece)
            piece, count, size = [], 0, next(sizes, LEAST)
    if piece:
        yield tuple(piece)


def sizes(switches: int, jobs: int, *, is_here: bool) -> Iterator[int]:
    """Sizes of the pieces of work. The last ones are small, so that no process waits for another's.

    is_here  files are staged where they are rendered, not returned
    """
    largest = MOST_HERE if is_here else MOST
    while switches > 0:
        size = min(largest, max(LEAST, switches // (jobs * SHARES)))
        yield size
        switches -= size


def size_of(switches: int, jobs: int, least: int = LEAST) -> int:
    """Size of a run where all runs have one size. least: switches for which the overhead of a run is small."""
    return max(least, -(-switches // (jobs * ROUNDS)))
