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
from fabricgen.intent.kept import KEPT_POSTURE, TAKEN, name_taken, posture_record
from fabricgen.intent.model import Intent
from fabricgen.intent.overlay import KEPT, Overlay, overlaid
from fabricgen.intent.posture_rules import in_all_postures, require_posture
from fabricgen.intent.postures import BASE, in_posture
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
from fabricgen.plan.plan import Plan, extend_lock, make_plan, make_shapes, with_exceptions
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
    posture        the one that it is read in; postures: names of all, `base` first
    document       its text with places; lock_document: the lock's, None where there is no lock yet
    recorded       the lock as it stands; the plan has it as it must become
    documents      for `reporting.report`: the intent, then lock and CSV files
    inputs         octets of each file read, by its path relative to the intent's folder, sorted
    """

    path: Path
    posture: str
    postures: tuple[str, ...]
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
        """Keep the octets of a file for the record. Names of ours can be taken: they are no file's own."""
        if name in TAKEN and name in self.inputs:
            raise FabricError([name_taken(self.folder / name)])
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
    path: Path,
    *,
    forget: str = "",
    steps: Mapping[int, Step] = NO_STEPS,
    overlay: Path | None = None,
    posture: str = BASE,
) -> Workspace:
    """Read the intent and what lies beside it, and plan it. Writes nothing.

    forget  a fabric whose lines of the lock are left out, so that its numbers are given anew
    steps   how an intent of an older schema is brought up to this one; for what is compared with, never for the
            intent that a person works on
    overlay a file whose overrides stand in front of the intent's; kept among the inputs as overlay.yaml
    posture the one to read the intent in; kept among the inputs as posture.yaml where it is not base

    Raises WorkspaceError with the problems of the first stage that has any, each with its position.
    """
    reading = _Reading(folder=path.parent)
    with _stage(reading):
        document = _intent_document(reading, path.name, steps)
        document, floor = _overlaid(reading, document, overlay)
        intent = validate(Intent, document)
        postures = (BASE, *intent.postures)
        everybody = in_all_postures(intent)
        document, intent = _postured(reading, document, intent, posture)
    with _stage(reading):
        beside = _beside(reading, intent)
        beside = beside._replace(recorded=without_fabric(beside.recorded, forget))
    with _stage(reading):
        plan = _plan(intent, beside, everybody)
    with _stage(reading):
        plan = _with_inputs(plan, beside, floor)
    return Workspace(
        path=path,
        posture=posture,
        postures=postures,
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


def _postured(reading: _Reading, document: Document, intent: Intent, name: str) -> tuple[Document, Intent]:
    """The intent in a posture; as it stands in base."""
    if name == BASE:
        return document, intent
    require_posture(intent, name)
    reading.keep(KEPT_POSTURE, posture_record(name))
    moved = in_posture(document, name)
    reading.documents[0] = moved
    return moved, validate(Intent, moved)


@contextmanager
def _stage(reading: _Reading) -> Iterator[None]:
    """End a stage that has problems: each with its place, and with the documents read so far."""
    try:
        yield
    except FabricError as error:
        documents = tuple(reading.documents)
        found = (placed(problem, documents) for problem in error.problems[:MAX_PROBLEMS])
        raise WorkspaceError(found, documents) from None


def placed(problem: Problem, documents: tuple[Document, ...]) -> Problem:
    """The problem with its position, where it has one. `documents`: the intent first."""
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


def _plan(intent: Intent, beside: _Beside, everybody: Intent) -> Plan:
    """Plan without exceptions: names, ports and numbers do not depend on them.

    everybody  the intent whose tenants have what they have in any posture: numbers are given for all of them at once
    """
    recorded = beside.recorded
    shapes = make_shapes(intent, beside.catalog, recorded)
    # Without postures the plan itself extends the lock.
    lock = recorded if everybody is intent else extend_lock(everybody, shapes, recorded)
    return replace(make_plan(intent, beside.catalog, shapes, lock, Exceptions()), recorded=recorded)


def _with_inputs(plan: Plan, beside: _Beside, floor: Fraction | None) -> Plan:
    """Plan with overrides and CSV files. Raises FabricError with the problems of all."""
    kinds = medium_names(beside.catalog.media) if beside.cables is not None or plan.intent.overrides else ()
    found = resolve_inputs(plan.intent, plan.fabrics, beside.placement, beside.cables, kinds)
    changed = with_exceptions(plan, replace(found, floor=floor))
    if any(fabric.bindings for fabric in changed.fabrics.values()):
        problems = tuple(stuck_ports(plan.intent, changed.fabrics, make_names(plan.intent, plan.fabrics)))
        if problems:
            raise FabricError(problems)
    return changed
