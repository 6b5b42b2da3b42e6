"""The whole tree: what stands of it is kept, the rest is made by this process or several, in one order."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from fabricgen.checks.switches.tally_json import loaded
from fabricgen.checks.switches.watch import Watch
from fabricgen.errors import FabricError, Problem
from fabricgen.output.faults import operator_faults
from fabricgen.output.manifest import FOLDER
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
"""Switches of a piece of work, at least: what it costs by itself is then little beside them."""
ROUNDS = 4
"""Runs that a process has, so that none waits long for the last of another."""
SHARES = 2
"""A piece is so much less than what is left for each process."""
MOST_HERE, MOST = 512, 128
"""Switches of a piece at most: their cables are 5 MB of lines; where files are returned, 10 MB. Several wait."""

Done = Callable[[int], None]
"""Told how many switches have been done since the last call."""


@dataclass(slots=True, kw_only=True)
class Tree:
    """A tree in the making, for `output.commit`.

    workers  who works besides this process; None: nobody
    judge    raises FabricError for what all switches together show
    keys     device → input key, of all that were looked at; looks, cabling: what is noted of each unit, in order
    """

    out: Path
    plan: Plan
    templates: Path | None
    workers: Workers | None
    done: Done
    judge: Callable[[Watch], None]
    keys: dict[str, str] = field(default_factory=dict)
    looks: dict[str, str] = field(default_factory=dict)
    cabling: list[tuple[str, int]] = field(default_factory=list)

    def files(self, before: Before, /) -> Iterator[Staged | tuple[str, Content]]:
        """Every file: what became of it, or path and content. Raises FabricError where one could not be made."""
        left = PreviousRender(before)
        steps: list[UnitWork] = []
        for found in planned(self.plan, Keys(self.plan, self.templates), left):
            steps.append(found.step)
            self.keys |= found.keys
            yield from found.kept
        with _spool(self.out) as spool:
            for step, made in self._made(steps, left):
                # Note what was seen of a unit, and lay lines of its cables that are new on the spool, in order.
                self.looks[step.look] = made.look if step.seen is None else step.seen
                if step.piece is None:
                    with operator_faults(self.out):
                        spool.write(made.cabling)
                self.cabling.append((step.cabling, len(made.cabling) if step.piece is None else step.piece.octets))
                yield from made.files
                self.done(step.switches)
            yield self._cabling_plan(steps, left, spool)
        watch = Watch(self.plan)
        for look in self.looks.values():
            watch.join(loaded(look))
        self.judge(watch)

    def notes(self) -> RenderNotes:
        """What is found again by the next render of the same tree."""
        return RenderNotes(self.looks, tuple(self.cabling))

    def _made(self, steps: list[UnitWork], left: PreviousRender) -> Iterator[tuple[UnitWork, Made]]:
        """What has become of each step."""
        todo = sum(step.switches for step in steps if not step.is_idle)
        found = self.workers
        if found is None or (found.here and todo <= LEAST):
            worker = Worker(self.plan, self.templates, self.out)
            made: Iterator[Made] = (worker.do(task) for task in self._tasks(steps, left))
        else:
            made = self._by(found, steps, left, todo)
        for step in steps:
            yield step, NOTHING if step.is_idle else next(made)

    def _by(self, found: Workers, steps: list[UnitWork], left: PreviousRender, todo: int) -> Iterator[Made]:
        out = self.out if found.here else None
        pieces = _pieces(self._tasks(steps, left), sizes(todo, found.jobs, is_here=found.here))
        works = (WorkerInput(self.plan, tasks, self.templates, out) for tasks in pieces)
        for part in found.each(part_of, works):
            if part.problems:
                raise FabricError(part.problems)
            yield from part.made

    def _tasks(self, steps: list[UnitWork], left: PreviousRender) -> Iterator[Task]:
        """What is to be done, unit by unit. All places are walked once more: they are not held."""
        for step, unit in zip(steps, units(self.plan), strict=True):
            if not step.is_idle:
                fabric = self.plan.fabrics[unit.fabric]
                yield step.task(unit, tuple(name_of(fabric, place) for place in unit.places), left)

    def _cabling_plan(
        self, steps: list[UnitWork], left: PreviousRender, spool: IO[bytes]
    ) -> Staged | tuple[str, Content]:
        """The cabling plan as it stands, where it is the same; else its lines, the new ones from the spool."""
        if left.cabling is not None and left.notes.cabling == tuple(self.cabling):
            return left.cabling
        with operator_faults(self.out):
            spool.seek(0)
        return CABLING, cabling_octets(self._lines(steps, left, spool))

    def _lines(self, steps: list[UnitWork], left: PreviousRender, spool: IO[bytes]) -> Iterator[bytes]:
        if left.cabling is None:
            while piece := spool.read(PIECE):
                yield piece
            return
        with (self.out / CABLING).open("rb") as standing:
            for step, (_, octets) in zip(steps, self.cabling, strict=True):
                if step.piece is not None:
                    standing.seek(step.piece.offset)
                yield (spool if step.piece is None else standing).read(octets)
        if not left.has_cabling():
            raise FabricError([_changed(self.out / CABLING)])


@contextmanager
def _spool(out: Path) -> Iterator[IO[bytes]]:
    """A file without a name, in the file system that the lines go to: where that is full, the problem names `out`."""
    with operator_faults(out):
        file = TemporaryFile(dir=out / FOLDER)  # noqa: SIM115 - closed below, whatever that says
    try:
        yield file
    finally:
        with suppress(OSError):  # octets that did not fit, which are of no use any more
            file.close()


def _changed(path: Path) -> Problem:
    return Problem(
        code="output-busy",
        what=f"{path} was changed while its lines were read",
        why="those of switches that have not changed are taken from it, and may be other ones now",
        fix="run the same command again, while nothing else writes there",
    )


NOTHING = Made((), "", b"")


def _pieces(tasks: Iterable[Task], sizes: Iterator[int]) -> Iterator[tuple[Task, ...]]:
    """Tasks in pieces of so many switches, or a few more."""
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
    """Switches of one piece of work after the other: the last ones are small, so that no process waits for another's.

    is_here  no files are returned, as they are staged where they are rendered
    """
    most = MOST_HERE if is_here else MOST
    while switches > 0:
        size = min(most, max(LEAST, switches // (jobs * SHARES)))
        yield size
        switches -= size


def size_of(switches: int, jobs: int) -> int:
    """Switches of a run where all are of one size."""
    return max(LEAST, -(-switches // (jobs * ROUNDS)))


PIECE = 1 << 20
