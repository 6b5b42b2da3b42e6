"""Tasks of some units and their results: render, check, and stage the files here or return them."""

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
"""Path and content."""


class Task(NamedTuple):
    """The work for a unit.

    unchanged   switches whose files are unchanged; files: of the others, path → digest of the previous render
    must_check  whether all of its switches must be checked; cables: whether lines of its cables are needed
    """

    unit: WorkUnit
    unchanged: frozenset[str]
    files: Mapping[str, str]
    must_check: bool
    cables: bool


class WorkerInput(NamedTuple):
    """Input of a process. out: where it stages files; None: they are returned, as it may be on another machine."""

    plan: Plan
    tasks: tuple[Task, ...]
    templates: Path | None
    out: Path | None


class Made(NamedTuple):
    """Result of a task.

    files    staged result of each file, or path and content
    tallies  tallies of `Watch` for its switches; cabling: lines of the cabling plan; empty if not needed
    """

    files: tuple[Staged | WholeFile, ...]
    tallies: str
    cabling: bytes


class TaskResult(NamedTuple):
    """Output of a process: results of the tasks in order, or the problems that prevented them."""

    made: tuple[Made, ...]
    problems: tuple[Problem, ...] = ()


def part_of(work: WorkerInput) -> TaskResult:
    """Do all tasks of one input."""
    try:
        worker = Worker(work.plan, work.templates, work.out)
        return TaskResult(tuple(worker.do(task) for task in work.tasks))
    except FabricError as error:
        # Return problems as a value: an exception from another process keeps only its message.
        return TaskResult((), error.problems)


class Worker:
    """Does the tasks of one plan, one after the other."""

    def __init__(self, plan: Plan, templates: Path | None, out: Path | None) -> None:
        self._plan, self._out = plan, out
        self._press, self._watch = DeviceRenderer(plan, templates), Watch(plan)

    def do(self, task: Task) -> Made:
        """Do one task. Raises FabricError where a template or a write is refused."""
        lines = self._press.cabling(task.unit.fabric, task.unit.places) if task.cables else ()
        files = tuple(self._files(task))
        tallies = dumped(self._watch.take_tallies()) if task.must_check else ""
        return Made(files, tallies, "".join(lines).encode())

    def _files(self, task: Task) -> Iterable[Staged | WholeFile]:
        fabric = self._plan.fabrics[task.unit.fabric]
        staging = Staging(self._out, task.files) if self._out is not None else None
        for place in task.unit.places:
            is_unchanged = name_of(fabric, place) in task.unchanged
            if state_of(fabric, place) == ABSENT or (is_unchanged and not task.must_check):
                continue
            device = self._press.device(task.unit.fabric, place)
            if not is_unchanged:
                files = self._press.files(device)
                yield from (staging.add(*file) for file in files) if staging is not None else files
            if task.must_check:
                self._watch.add_switch(device)
