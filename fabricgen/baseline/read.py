"""An intent of the other side to its plan, or to the reason why it cannot be read."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from fabricgen.baseline.naming import Naming
from fabricgen.checks.catalogue import run_plan_checks
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.scenarios import BASE
from fabricgen.intent.steps import STEPS, VERSION, Step, version_of
from fabricgen.plan.plan import Plan
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import environment
from fabricgen.render.user_templates import check_templates
from fabricgen.site.workspace import HARDWARE, WorkspaceError, open_workspace
from fabricgen.source.document import read_document
from fabricgen.source.report import as_json

NAMED = Naming()
"""For files at their real place."""


class Templates(NamedTuple):
    """The user's templates: those given now, and those that the other side is rendered with.

    then      None: only fabricgen's own
    is_known  whether it is known which ones the other side had, even if none; else it is rendered with fabricgen's own
    """

    now: Path | None
    then: Path | None = None
    is_known: bool = False


class Front(NamedTuple):
    """The overlay and the scenario that an intent is read with."""

    overlay: Path | None = None
    scenario: str = BASE


AS_IT_IS = Front()


class BaselineInputs(NamedTuple):
    """Inputs of a side. `plan` is None if they cannot be read; `fault` says why."""

    plan: Plan | None
    fault: str = ""
    notes: tuple[str, ...] = ()


class BaselineReader(NamedTuple):
    """How another side is read: the names of its files, and the steps that upgrade its schema.

    scenario  of an intent; None: base, and for a rendered tree its own
    """

    naming: Naming = NAMED
    steps: Mapping[int, Step] = STEPS
    scenario: str | None = None

    def shown(self, path: Path) -> str:
        """A path as the user knows it."""
        return self.naming.text(str(path))

    def read(self, intent: Path, templates: Path | None, front: Front = AS_IT_IS) -> BaselineInputs:
        """Read an intent and its neighboring files by this release. A problem becomes the fault.

        templates  the user's of that side, which must be readable too
        front      the overlay and the scenario that it was rendered with

        Raises FabricError for a scenario that was asked for and that the intent does not define.
        """
        # A dangling link. Without its target the same intent would be another fabric.
        hardware = intent.parent / HARDWARE
        hardware_paths = (hardware, *sorted(hardware.rglob("*")))
        dangling = next((path for path in hardware_paths if path.is_symlink() and not path.exists()), None)
        if dangling is not None:
            return BaselineInputs(
                None, fault=f"{self.shown(dangling)} is a link to something that this side does not have"
            )
        try:
            workspace = open_workspace(intent, steps=self.steps, overlay=front.overlay, scenario=front.scenario)
            problems = tuple(run_plan_checks(workspace.plan))
            if problems:
                raise WorkspaceError(problems, workspace.documents)
            if templates is not None:
                check_templates(templates, templates_folder(), environment(templates))
        except FabricError as error:
            if self.scenario is not None and any(problem.code == "unknown-scenario" for problem in error.problems):
                raise FabricError([_unknown_scenario(problem) for problem in error.problems]) from None
            return BaselineInputs(None, fault=sentence(self.naming.error(error)))
        version = version_of(read_document(intent))
        note = f"{self.shown(intent)} has schema version {version}, and is read as version {VERSION}"
        return BaselineInputs(workspace.plan, notes=() if version == VERSION else (note,))

    def side(self, name: str, intent: Path, templates: Templates) -> SiteState:
        """The side of an intent that has no rendered tree."""
        scenario = self.scenario or BASE
        read = self.read(intent, templates.then, Front(scenario=scenario))
        return SiteState(
            name=in_words(name, scenario),
            plan=read.plan,
            templates=templates.then,
            fault=read.fault,
            notes=(*([_unknown(name)] if _is_unknown(templates, read) else []), *read.notes),
            intent=intent,
            scenario=scenario,
            stays=self.naming.folder is None,
        )


def _is_unknown(templates: Templates, read: BaselineInputs) -> bool:
    """Whether to report that the old templates are not known. Without a plan nothing is rendered."""
    return templates.now is not None and not templates.is_known and read.plan is not None


def _unknown(name: str) -> str:
    return (
        f"{name} has no copy of your templates: it is compared with fabricgen's own; changes by your templates are "
        f"listed under text"
    )


def _unknown_scenario(problem: Problem) -> Problem:
    """The problem of --against-scenario, of which the fix may name --scenario."""
    return problem._replace(
        what=f"{problem.what} in the state of --against", fix=problem.fix.replace("--scenario", "--against-scenario")
    )


def in_words(name: str, scenario: str) -> str:
    """A side's name, with its scenario if that is not base."""
    return name if scenario == BASE else f"{name} in scenario {scenario}"


def sentence(error: FabricError) -> str:
    """The first problem with its position, and the number of the others. Secrets are not shown."""
    documents = error.documents if isinstance(error, WorkspaceError) else ()
    first, *rest = as_json(error.problems, *documents)
    position = "{file}:{line}:{column}: ".format(**first) if first["file"] else ""
    more = f" (and {len(rest)} more problem{'s' if len(rest) != 1 else ''})" if rest else ""
    return f"{position}{first['what']}: {first['why']}{more}"
