"""An intent and its neighboring files to a plan, in stages.

A stage reports all of its problems; after a stage with problems, no later one runs:

1. the intent's text and schema
2. rules across its keys; hardware/, fabricgen.lock and the CSV files, each by itself
3. the dimensions of every fabric, and the numbers
4. overrides and CSV files against the names of the plan
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.completion import chosen_version, completed
from fabricgen.intent.defaults import Values, values_at
from fabricgen.intent.kept_inputs import KEPT_SCENARIO, scenario_record
from fabricgen.intent.model import Intent
from fabricgen.intent.rules import rules
from fabricgen.intent.scenario_rules import in_all_scenarios, require_scenario
from fabricgen.intent.scenarios import BASE, in_scenario
from fabricgen.intent.steps import NO_STEPS, Step, upgraded, version_problem
from fabricgen.plan.exceptions import Exceptions, is_plain
from fabricgen.plan.lock import Lock, read_lock, without_fabric
from fabricgen.plan.lock_rules import lock_rules
from fabricgen.plan.plan import Plan, extend_lock, make_plan, make_shapes, with_exceptions
from fabricgen.site.inputs import Reading
from fabricgen.source import yaml_events
from fabricgen.source.document import Document, load_document, mapping
from fabricgen.source.validate import validate
from fabricgen.topologies.shape import Shape

# Modules of overlays, pools, overrides and CSV files are imported only where an intent has some: others start faster.
if TYPE_CHECKING:
    from pydantic import BaseModel

    from fabricgen.plan.csv_table import Table

LOCK = "fabricgen.lock"
HARDWARE = "hardware"
MAX_PROBLEMS = 50
"""Limit on the problems of one stage; the rest are reported after these are fixed."""


class WorkspaceError(FabricError):
    """All problems of the stage that failed, with the documents whose lines they refer to, the intent first."""

    def __init__(self, problems: Iterable[Problem], documents: tuple[Document, ...]) -> None:
        super().__init__(problems)
        self.documents = documents


class Workspace(NamedTuple):
    """Everything that one intent says, read once.

    path           the intent's file
    scenario       the one that it is read in; scenarios: names of all, `base` first
    document       its text with positions; lock_document: the lock's, None if there is no lock yet
    recorded       the lock as read; the plan has it as it must become
    documents      for `reporting.report`: the intent, then lock and CSV files
    inputs         contents of each file read, by its path relative to the intent's folder, sorted
    """

    path: Path
    scenario: str
    scenarios: tuple[str, ...]
    document: Document
    intent: Intent
    catalog: Catalog
    lock_document: Document | None
    recorded: Lock
    plan: Plan
    documents: tuple[Document, ...]
    inputs: Mapping[str, bytes]


class _NeighborFiles(NamedTuple):
    """The files next to the intent; and the intent with the defaults of the version that it or the lock names."""

    intent: Intent
    catalog: Catalog
    lock_document: Document | None
    recorded: Lock
    placement: "Table | None"
    cables: "Table | None"


def open_workspace(
    path: Path,
    *,
    forget: tuple[str, ...] = (),
    steps: Mapping[int, Step] = NO_STEPS,
    overlay: Path | None = None,
    scenario: str = BASE,
    defaults: Values | None = None,
) -> Workspace:
    """Read the intent and its neighboring files, and plan it. Writes nothing.

    forget    fabrics whose lines of the lock are left out, so that their numbers are allocated again
    steps     how an intent of an older schema is upgraded to this one; for the baseline of a comparison only, never for
              the intent that a person works on
    overlay   a file whose overrides are placed in front of the intent's; kept among the inputs as overlay.yaml
    scenario  the one to read the intent in; kept among the inputs as scenario.yaml where it is not base
    defaults  in place of those of the version in force: a step between two versions, for a comparison

    Raises WorkspaceError with the problems of the first stage that has any, each with its position.
    """
    reading = Reading(folder=path.parent)
    with _stage(reading):
        document = _intent_document(reading, path.name, steps)
        document, floor = _overlaid(reading, document, overlay)
        document = _pooled(reading, document)
        intent = validate(Intent, document)
        scenarios = (BASE, *intent.scenarios)
        all_tenants = in_all_scenarios(intent)
        document, intent = _scenariod(reading, document, intent, scenario)
    with _stage(reading):
        neighbors = _read_neighbors(reading, intent, defaults)
        neighbors = neighbors._replace(recorded=without_fabric(neighbors.recorded, *forget))
        all_tenants = neighbors.intent if all_tenants is intent else all_tenants
    with _stage(reading):
        plan = _plan(neighbors, all_tenants)
    with _stage(reading):
        plan = _with_inputs(plan, neighbors, floor)
    return Workspace(
        path=path,
        scenario=scenario,
        scenarios=scenarios,
        document=document,
        intent=neighbors.intent,
        catalog=neighbors.catalog,
        lock_document=neighbors.lock_document,
        recorded=neighbors.recorded,
        plan=plan,
        documents=tuple(reading.documents),
        inputs=dict(sorted(reading.inputs.items())),
    )


def plan_alone(text: str, catalog: Catalog) -> Plan:
    """Plan an intent that is in no file and has no neighbors, without trying fixes: `init` plans hundreds of them.

    Raises FabricError with the problems of the first stage that has any, without positions.
    """
    intent = validate(Intent, load_document(text, "intent.yaml"))
    version = chosen_version(intent, None)
    intent = completed(intent, version, values_at(version))
    problems = tuple(rules(intent))
    if problems:
        raise FabricError(problems)
    plan = make_plan(intent, catalog, make_shapes(intent, catalog, Lock()), Lock(), Exceptions())
    return with_exceptions(plan._replace(recorded=Lock()), Exceptions())


def folders_read(path: Path, templates: Path | None = None) -> tuple[Path, ...]:
    """Folders of which every file is read with an intent, whether they exist or not: they must hold nothing else."""
    return (path.parent / HARDWARE, *([templates] if templates is not None else []))


def _intent_document(reading: Reading, name: str, steps: Mapping[int, Step]) -> Document:
    document = upgraded(reading.yaml(name), steps)
    reading.documents = [document]
    usual = reading.folder / "intent.yaml"
    is_other = name != usual.name and usual.is_file()
    _require_kind(document, Intent, "an intent", f"use {usual if is_other else 'a file with the key fabricgen'}")
    problem = version_problem(document)
    if problem is not None:
        raise FabricError([problem])
    return document


def _require_kind(document: Document, model: "type[BaseModel]", kind: str, fix: str) -> None:
    """Raise FabricError with one problem for a file of another kind: one that has no key of the model."""
    keys = tuple(document.value) if isinstance(document.value, dict) else ()
    if keys and not model.model_fields.keys() & set(keys):
        required = [name for name, field in model.model_fields.items() if field.is_required()]
        raise FabricError.of(
            code="missing-key",
            what=f"{document.file} is not {kind}",
            why=f"it has none of the required keys, such as {', '.join(required[:3])}; its first key is {keys[0]}",
            fix=fix,
            at=document.keys[(keys[0],)],
        )


def _overlaid(reading: Reading, document: Document, path: Path | None) -> tuple[Document, Fraction | None]:
    """The intent with the overlay's overrides in front of its own, and the capacity floor that the overlay sets."""
    if path is None:
        return document, None
    from fabricgen.intent.overlay import Overlay, overlaid  # noqa: PLC0415

    overlay = reading.overlay(path)
    _require_kind(
        overlay, Overlay, "an overlay", "use --overlay with the file of the overlay; docs/steps.md has an example"
    )
    floor = validate(Overlay, overlay).floor
    merged = overlaid(document, overlay)
    reading.documents[0] = merged
    return merged, floor


def _pooled(reading: Reading, document: Document) -> Document:
    """The intent with a value in place of each part of a pool that it takes."""
    if not any("pool:" in line for line in document.lines):
        return document
    from fabricgen.site.pools import pooled  # noqa: PLC0415

    return pooled(reading, document)


def _scenariod(reading: Reading, document: Document, intent: Intent, name: str) -> tuple[Document, Intent]:
    """The intent in a scenario; unchanged in base."""
    if name == BASE:
        return document, intent
    require_scenario(intent, name)
    reading.keep(KEPT_SCENARIO, scenario_record(name))
    switched = in_scenario(document, name)
    reading.documents[0] = switched
    return switched, validate(Intent, switched)


WITH_RELEASES = ("bad-pattern", "wrong-type", "missing-key", "no-port-names")
"""Codes of problems of an `os:` value whose remedy lists the possible releases."""


@contextmanager
def _stage(reading: Reading) -> Iterator[None]:
    """Raise the problems of a stage as WorkspaceError: each with its position, and with the documents read so far."""
    try:
        yield
    except FabricError as error:
        documents = tuple(reading.documents)
        problems = (_with_releases(problem, documents) for problem in error.problems[:MAX_PROBLEMS])
        placed_problems = (placed(_with_site_values(problem, reading), documents) for problem in problems)
        raise WorkspaceError(placed_problems, documents) from None


def _with_releases(problem: Problem, documents: tuple[Document, ...]) -> Problem:
    """The problem; if it is of an `os:` value with a wrong form or an impossible release, with the possible values."""
    if problem.where[-1:] != ("os",) or problem.code not in WITH_RELEASES:
        return problem
    from fabricgen.platforms.releases import with_releases  # noqa: PLC0415 - it imports every platform

    fabrics = mapping(mapping(documents[0].value).get("fabrics")) if documents else {}
    switches = (mapping(switch) for fabric in fabrics.values() for switch in mapping(fabric).values())
    return with_releases(problem, [switch.get("os") for switch in switches])


def _with_site_values(problem: Problem, reading: Reading) -> Problem:
    """The problem; if it is of the form of a value, with the site's own value in its remedy where one is known."""
    if problem.code in IN_POOLS and reading.documents:
        return with_parts_of_pools(problem, reading.documents[0])
    if problem.code not in ("missing-key", "wrong-type") and problem.where[-1:] != ("asns",):
        return problem
    # Imported here because only a problem needs it: a sound site starts faster.
    from fabricgen.site.site_values import with_site_values  # noqa: PLC0415

    intent = reading.documents[0].value if reading.documents else None
    return with_site_values(problem, intent, lambda: (reading.attempt(lambda: _lock(reading)) or (None, Lock()))[1])


IN_POOLS = ("asns-overlap", "prefixes-overlap")
"""Codes of values that clash within a site, in place of which it may have parts of pools."""


def with_parts_of_pools(problem: Problem, document: Document) -> Problem:
    """The problem; of values that clash in a site that shares pools, with parts of them as the remedy."""
    if problem.code not in IN_POOLS or "pools" not in mapping(document.value):
        return problem
    from fabricgen.site.pool_fixes import with_pool_fix  # noqa: PLC0415

    return with_pool_fix(problem, document)


def placed(problem: Problem, documents: tuple[Document, ...]) -> Problem:
    """The problem with its position, if it has one. `documents`: the intent first."""
    if problem.at is not None or not problem.where or not documents:
        return problem
    is_key = problem.code == "unknown-name" and problem.what.endswith(f" {problem.where[-1]}")
    key = documents[0].keys.get(problem.where) if is_key else None
    return problem._replace(at=key or documents[0].place(problem.where))


def _read_neighbors(reading: Reading, intent: Intent, defaults: Values | None) -> _NeighborFiles:
    """Complete the intent, check it by itself and read its neighbors. Raises FabricError with the problems of all."""
    lock = reading.attempt(lambda: _lock(reading)) or (None, Lock())
    version = chosen_version(intent, lock[1].defaults if lock[0] is not None else None)
    complete = completed(intent, version, values_at(version) if defaults is None else defaults)
    # Problems of the intent itself come first in the report.
    reading.problems[:0] = islice(rules(complete), MAX_PROBLEMS)
    catalog = reading.attempt(lambda: _catalog(reading))
    tables = _tables(reading, complete)
    if reading.problems or catalog is None:
        raise FabricError(_with_known(complete, reading.problems, catalog, lock[1]))
    return _NeighborFiles(complete, catalog, *lock, *tables)


def _with_known(
    intent: Intent, problems: list[Problem], catalog: Catalog | None, recorded: Lock
) -> tuple[Problem, ...]:
    """Problems of the intent alone, with what the hardware, the lock and the list of all codes add to them."""
    # Imported here because only a problem needs it: a sound site starts faster.
    from fabricgen.checks.remedies.offers import with_known  # noqa: PLC0415

    extended = with_known(problems, intent, catalog, recorded)
    if any(problem.code == "waiver-refused" for problem in extended):
        from fabricgen.explain.waiver_codes import with_unknown_codes  # noqa: PLC0415

        extended = with_unknown_codes(extended, intent.waivers)
    return extended


def _spelling_keys(system: str) -> tuple[str, ...] | None:
    # Only own hardware needs the platforms here.
    from fabricgen.platforms.spelling_keys import spelling_keys  # noqa: PLC0415

    return spelling_keys(system)


def _catalog(reading: Reading) -> Catalog:
    folder = reading.folder / HARDWARE
    catalog = load_catalog(folder, _spelling_keys)
    for file in (*folder.glob("*.yaml"), *folder.glob("*/*.yaml")):
        reading.octets(file.relative_to(reading.folder).as_posix(), yaml_events.MAX_OCTETS)
    return catalog


def _lock(reading: Reading) -> tuple[Document | None, Lock]:
    path = reading.folder / LOCK
    if not path.exists() and not path.is_symlink():
        return None, Lock()
    document = reading.yaml(LOCK)
    lock = read_lock(document)
    problems = tuple(islice(lock_rules(lock, document), MAX_PROBLEMS))
    if problems:
        raise FabricError(problems)
    return document, lock


def _tables(reading: Reading, intent: Intent) -> "tuple[Table | None, Table | None]":
    """The placement file and the cable file, where the intent names them."""
    if not intent.placement and not intent.cables.file:
        return None, None
    from fabricgen.plan import csv_cables, csv_placement  # noqa: PLC0415

    placement, cables = (
        reading.attempt(partial(reading.csv, name, columns, required)) if name else None
        for name, columns, required in (
            (intent.placement, csv_placement.COLUMNS, csv_placement.REQUIRED),
            (intent.cables.file, csv_cables.COLUMNS, csv_cables.REQUIRED),
        )
    )
    return placement, cables


def _plan(neighbors: _NeighborFiles, all_tenants: Intent) -> Plan:
    """Plan without exceptions: names, ports and numbers do not depend on them.

    all_tenants  the intent whose tenants have what they have in any scenario: numbers are allocated for all of them at
                 once
    """
    intent, recorded = neighbors.intent, neighbors.recorded
    shapes = _shapes(intent, neighbors.catalog, recorded)
    # Without scenarios the plan itself extends the lock.
    lock = recorded if all_tenants is intent else extend_lock(all_tenants, shapes, recorded)
    return make_plan(intent, neighbors.catalog, shapes, lock, Exceptions())._replace(recorded=recorded)


def _shapes(intent: Intent, catalog: Catalog, recorded: Lock) -> dict[str, Shape]:
    """Dimensions of each fabric. Raises FabricError, whose remedies were tried."""
    try:
        return make_shapes(intent, catalog, recorded)
    except FabricError as error:
        # Imported here because only a problem needs it: a sound site starts faster.
        from fabricgen.checks.remedies.offers import with_tried_fixes  # noqa: PLC0415

        raise FabricError(with_tried_fixes(error.problems, intent, catalog, recorded)) from None


def _with_inputs(plan: Plan, neighbors: _NeighborFiles, floor: Fraction | None) -> Plan:
    """Plan with overrides and CSV files. Raises FabricError with the problems of all."""
    if neighbors.placement is None and neighbors.cables is None and is_plain(plan.intent):
        return with_exceptions(plan, Exceptions(floor=floor))
    from fabricgen.plan.inputs import with_inputs  # noqa: PLC0415

    return with_inputs(plan, neighbors.placement, neighbors.cables, floor)
