"""What is to be made of some units, and what comes of it: rendered, looked at, and staged here or returned."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from fabricgen.checks.switches.tally_json import dumped
from fabricgen.checks.switches.watch import Watch
from fabricgen.errors import FabricError, Problem
from fabricgen.output.staging import Staged, Staging
from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import name_of, state_of
from fabricgen.plan.plan import Plan
from fabricgen.render.tree import DeviceRenderer
from fabricgen.workers.units import WorkUnit

WholeFile = tuple[str, bytes]
"""Path and octets."""


class Task(NamedTuple):
    """What is to be made of a unit.

    stand    switches of it whose files stand; files: of the others, path → digest of the render before
    looks    whether its switches are to be looked at, all of them; cables: whether lines of their cables are asked for
    """

    unit: WorkUnit
    stand: frozenset[str]
    files: Mapping[str, str]
    looks: bool
    cables: bool


class WorkerInput(NamedTuple):
    """What a process is given. out: where it stages files; None: they are returned, as it may be on another machine."""

    plan: Plan
    tasks: tuple[Task, ...]
    templates: Path | None
    out: Path | None


class Made(NamedTuple):
    """What has become of a task.

    files    what became of each file, or path and octets
    look     what `Watch` has kept of its switches; cabling: lines of the cabling plan; empty if not asked for
    """

    files: tuple[Staged | WholeFile, ...]
    look: str
    cabling: bytes


class TaskResult(NamedTuple):
    """What a process gives back: of each task in order, or why there is nothing of them."""

    made: tuple[Made, ...]
    problems: tuple[Problem, ...] = ()


def part_of(work: WorkerInput) -> TaskResult:
    """Do all tasks of a piece of work."""
    try:
        worker = Worker(work.plan, work.templates, work.out)
        return TaskResult(tuple(worker.do(task) for task in work.tasks))
    except FabricError as error:
        # As a value: an exception comes back from a process by its words alone.
        return TaskResult((), error.problems)


class Worker:
    """Does tasks of one plan, one after the other."""

    def __init__(self, plan: Plan, templates: Path | None, out: Path | None) -> None:
        self._plan, self._out = plan, out
        self._press, self._watch = DeviceRenderer(plan, templates), Watch(plan)

    def do(self, task: Task) -> Made:
        """Do one. Raises FabricError where a template or a write is refused."""
        lines = self._press.cabling(task.unit.fabric, task.unit.places) if task.cables else ()
        files = tuple(self._files(task))
        look = dumped(self._watch.taken()) if task.looks else ""
        return Made(files, look, "".join(lines).encode())

    def _files(self, task: Task) -> Iterable[Staged | WholeFile]:
        fabric = self._plan.fabrics[task.unit.fabric]
        staging = Staging(self._out, task.files) if self._out is not None else None
        for place in task.unit.places:
            stands = name_of(fabric, place) in task.stand
            if state_of(fabric, place) == ABSENT or (stands and not task.looks):
                continue
            device = self._press.device(task.unit.fabric, place)
            if not stands:
                files = self._press.files(device)
                yield from (staging.add(*file) for file in files) if staging is not None else files
            if task.looks:
                self._watch.look(device)
