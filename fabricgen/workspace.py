"""An intent and the files beside it to a plan, in stages; a stage reports all of its problems, then nothing later runs.

the intent's text and schema
rules across its keys; hardware/, fabricgen.lock and the CSV files by themselves
the dimensions of every fabric, and the numbers
overrides and CSV files against the names of the plan
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from fabricgen import composer
from fabricgen.documents import Document, decode, load_document, read_octets
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.model import Intent
from fabricgen.intent.overlay import KEPT, Overlay, overlaid
from fabricgen.intent.rules import rules
from fabricgen.intent.steps import NO_STEPS, Step, upgraded, version_problem
from fabricgen.plan import csv_cables, csv_placement, csv_table
from fabricgen.plan.csv_table import Table, read_table
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock, read_lock, without_fabric
from fabricgen.plan.lock_rules import lock_rules
from fabricgen.plan.medium import medium_names
from fabricgen.plan.names import make_names
from fabricgen.plan.overrides import stuck_ports
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from fabricgen.validation import validate

LOCK = "fabricgen.lock"
HARDWARE = "hardware"
MAX_PROBLEMS = 50
"""Problems of one stage; who has more mends these first."""

T = TypeVar("T")


class WorkspaceError(FabricError):
    """All problems of the stage that failed, with the documents whose lines they speak of, the intent first."""

    def __init__(self, problems: Iterable[Problem], documents: tuple[Document, ...]) -> None:
        super().__init__(problems)
        self.documents = documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Everything that one intent says, read once.

    path           the intent's file
    document       its text with places; lock_document: the lock's, None where there is no lock yet
    recorded       the lock as it stands; the plan has it as it must become
    documents      for `reporting.report`: the intent, then lock and CSV files
    inputs         octets of each file read, by its path relative to the intent's folder, sorted
    """

    path: Path
    document: Document
    intent: Intent
    catalog: Catalog
    lock_document: Document | None
    recorded: Lock
    plan: Plan
    documents: tuple[Document, ...]
    inputs: Mapping[str, bytes]


class _Beside(NamedTuple):
    """What lies beside the intent."""

    catalog: Catalog
    lock_document: Document | None
    recorded: Lock
    placement: Table | None
    cables: Table | None


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What has been read so far, and the problems of the stage that runs."""

    folder: Path
    documents: list[Document] = field(default_factory=list)
    inputs: dict[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def attempt(self, step: Callable[[], T]) -> T | None:
        """Result of a step; None, and its problems kept, where it has some."""
        try:
            return step()
        except FabricError as error:
            self.problems.extend(error.problems)
            return None

    def octets(self, name: str, most: int) -> bytes:
        """Octets of a file beside the intent, kept for the record."""
        octets = read_octets(self.folder / name, most)
        self.keep(name, octets)
        return octets

    def keep(self, name: str, octets: bytes) -> None:
        """Keep the octets of a file for the record. Only an overlay's name can be taken: it is no file's own."""
        if name == KEPT and name in self.inputs:
            raise FabricError([_name_taken(self.folder / name)])
        self.inputs[name] = octets

    def overlay(self, path: Path) -> Document:
        """Read an overlay, which may lie anywhere."""
        octets = read_octets(path, composer.MAX_OCTETS)
        document = load_document(decode(octets, str(path)), str(path))
        self.documents.append(document)
        self.keep(KEPT, octets)
        return document

    def yaml(self, name: str) -> Document:
        """Read a YAML file beside the intent."""
        file = str(self.folder / name)
        document = load_document(decode(self.octets(name, composer.MAX_OCTETS), file), file)
        self.documents.append(document)
        return document

    def csv(self, name: str, columns: tuple[str, ...], required: tuple[str, ...]) -> Table:
        """Read a CSV file beside the intent."""
        table = read_table(self.octets(name, csv_table.MAX_OCTETS), str(self.folder / name), columns, required)
        self.documents.append(table.document)
        return table


def open_workspace(
    path: Path, *, forget: str = "", steps: Mapping[int, Step] = NO_STEPS, overlay: Path | None = None
) -> Workspace:
    """Read the intent and what lies beside it, and plan it. Writes nothing.

    forget  a fabric whose lines of the lock are left out, so that its numbers are given anew
    steps   how an intent of an older schema is brought up to this one; for what is compared with, never for the
            intent that a person works on
    overlay a file whose overrides stand in front of the intent's; kept among the inputs as overlay.yaml

    Raises WorkspaceError with the problems of the first stage that has any, each with its position.
    """
    reading = _Reading(folder=path.parent)
    with _stage(reading):
        document = _intent_document(reading, path.name, steps)
        document, floor = _overlaid(reading, document, overlay)
        intent = validate(Intent, document)
    with _stage(reading):
        beside = _beside(reading, intent)
        beside = beside._replace(recorded=without_fabric(beside.recorded, forget))
    with _stage(reading):
        plan = _plan(intent, beside)
    with _stage(reading):
        plan = _with_inputs(plan, beside, floor)
    return Workspace(
        path=path,
        document=document,
        intent=intent,
        catalog=beside.catalog,
        lock_document=beside.lock_document,
        recorded=beside.recorded,
        plan=plan,
        documents=tuple(reading.documents),
        inputs=dict(sorted(reading.inputs.items())),
    )


def _intent_document(reading: _Reading, name: str, steps: Mapping[int, Step]) -> Document:
    document = upgraded(reading.yaml(name), steps)
    reading.documents = [document]
    problem = version_problem(document)
    if problem is not None:
        raise FabricError([problem])
    return document


def _overlaid(reading: _Reading, document: Document, path: Path | None) -> tuple[Document, Fraction | None]:
    """The intent with an overlay in front of its overrides, and the floor that the overlay sets."""
    if path is None:
        return document, None
    written = reading.overlay(path)
    floor = validate(Overlay, written).floor
    merged = overlaid(document, written)
    reading.documents[0] = merged
    return merged, floor


def _name_taken(path: Path) -> Problem:
    return Problem(
        code="overlay-name",
        what=f"{path} has the name that an overlay is kept under",
        why=f"a rendered tree keeps the octets of what it was made from, and the overlay's as {KEPT}",
        fix="give this file another name, or render without --overlay",
    )


@contextmanager
def _stage(reading: _Reading) -> Iterator[None]:
    """End a stage that has problems: each with its place, and with the documents read so far."""
    try:
        yield
    except FabricError as error:
        documents = tuple(reading.documents)
        placed = (_placed(problem, documents) for problem in error.problems[:MAX_PROBLEMS])
        raise WorkspaceError(placed, documents) from None


def _placed(problem: Problem, documents: tuple[Document, ...]) -> Problem:
    if problem.at is not None or not problem.where or not documents:
        return problem
    return replace(problem, at=documents[0].place(problem.where))


def _beside(reading: _Reading, intent: Intent) -> _Beside:
    """Check the intent by itself and read its neighbours. Raises FabricError with the problems of all."""
    reading.problems.extend(islice(rules(intent), MAX_PROBLEMS))
    catalog = reading.attempt(lambda: _catalog(reading))
    lock = reading.attempt(lambda: _lock(reading)) or (None, Lock())
    placement = reading.attempt(lambda: _csv(reading, intent.placement, csv_placement.COLUMNS, csv_placement.REQUIRED))
    cables = reading.attempt(lambda: _csv(reading, intent.cables.file, csv_cables.COLUMNS, csv_cables.REQUIRED))
    if reading.problems or catalog is None:
        raise FabricError(reading.problems)
    return _Beside(catalog, *lock, placement, cables)


def _catalog(reading: _Reading) -> Catalog:
    folder = reading.folder / HARDWARE
    catalog = load_catalog(folder)
    for file in (*folder.glob("*.yaml"), *folder.glob("*/*.yaml")):
        reading.octets(file.relative_to(reading.folder).as_posix(), composer.MAX_OCTETS)
    return catalog


def _lock(reading: _Reading) -> tuple[Document | None, Lock]:
    path = reading.folder / LOCK
    if not path.exists() and not path.is_symlink():
        return None, Lock()
    document = reading.yaml(LOCK)
    lock = read_lock(document)
    problems = tuple(islice(lock_rules(lock, document), MAX_PROBLEMS))
    if problems:
        raise FabricError(problems)
    return document, lock


def _csv(reading: _Reading, name: str | None, columns: tuple[str, ...], required: tuple[str, ...]) -> Table | None:
    return reading.csv(name, columns, required) if name else None


def _plan(intent: Intent, beside: _Beside) -> Plan:
    """Plan without exceptions: names, ports and numbers do not depend on them."""
    shapes = make_shapes(intent, beside.catalog)
    return make_plan(intent, beside.catalog, shapes, beside.recorded, Exceptions())


def _with_inputs(plan: Plan, beside: _Beside, floor: Fraction | None) -> Plan:
    """Plan with overrides and CSV files. Raises FabricError with the problems of all."""
    kinds = medium_names(beside.catalog.media) if beside.cables is not None else ()
    found = resolve_inputs(plan.intent, plan.fabrics, beside.placement, beside.cables, kinds)
    changed = with_exceptions(plan, replace(found, floor=floor))
    if any(fabric.bindings for fabric in changed.fabrics.values()):
        problems = tuple(stuck_ports(plan.intent, changed.fabrics, make_names(plan.intent, plan.fabrics)))
        if problems:
            raise FabricError(problems)
    return changed
