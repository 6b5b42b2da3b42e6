"""An intent read and checked, in one scenario or in all; a problem that only one scenario has names that scenario."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from fabricgen.checks.catalogue import Accepted, run_checks
from fabricgen.errors import FabricError, Problem, Source
from fabricgen.intent.scenario_rules import unknown_scenario
from fabricgen.intent.scenarios import BASE, SCENARIOS
from fabricgen.plan.plan import Plan
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace, placed, with_parts_of_pools
from fabricgen.source.document import Document

Check = Callable[[Plan], Iterable[Problem]]
Keys = set[tuple[str, str, Source | None]]
"""Keys of problems: code, `what` and position."""


class LoadRequest(NamedTuple):
    """What to read: the intent, an overlay in front of it, and fabrics whose numbers are allocated again."""

    intent: Path
    overlay: Path | None = None
    forget: tuple[str, ...] = ()


class _CheckedScenario(NamedTuple):
    """An intent read and checked in one scenario. `workspace` is None where it cannot be read."""

    scenario: str
    workspace: Workspace | None
    problems: tuple[Problem, ...]
    documents: tuple[Document, ...]


def load(read: LoadRequest, scenario: str = BASE) -> Workspace:
    """The intent in a scenario, not yet checked. Raises WorkspaceError."""
    return load_checked(read, scenario, lambda plan: ())


def load_checked(
    read: LoadRequest, scenario: str = BASE, check: Check = run_checks, *, with_sites: bool = False
) -> Workspace:
    """The intent in a scenario, without problems. Raises WorkspaceError with those that it has.

    with_sites  also compares it with the other sites of its pool file, if it has one
    """
    checked = _check_scenario(read, scenario, check)
    sites = _with_other_sites(checked.workspace) if with_sites and checked.workspace is not None else ()
    if checked.workspace is not None and not checked.problems and not sites:
        return checked.workspace
    base_keys = _keys(_check_scenario(read, BASE, check).problems) if scenario != BASE else set()
    problems = (problem if _key(problem) in base_keys else named(problem, scenario) for problem in checked.problems)
    raise WorkspaceError((*problems, *sites), checked.documents)


def load_checked_in_all(read: LoadRequest, accepted: Accepted) -> tuple[Workspace, ...]:
    """The intent in each of its scenarios, base first. Raises WorkspaceError with the problems of all."""
    base = _check_scenario(read, BASE, accepted.check)
    if base.workspace is None:
        raise WorkspaceError(base.problems, base.documents)
    others = [_check_scenario(read, name, accepted.check) for name in base.workspace.scenarios if name != BASE]
    sites = _with_other_sites(base.workspace)
    problems = (*base.problems, *sites, *_new(others, _keys(base.problems)))
    if problems:
        raise WorkspaceError(problems, base.documents)
    return tuple(checked.workspace for checked in (base, *others) if checked.workspace is not None)


def of_scenario(workspaces: tuple[Workspace, ...], name: str) -> Workspace:
    """The workspace of a scenario, from those of `load_checked_in_all`. Raises FabricError where there is none."""
    for workspace in workspaces:
        if workspace.scenario == name:
            return workspace
    raise FabricError([unknown_scenario(workspaces[0].intent, name)])


def problems_of_all(read: LoadRequest, workspace: Workspace, accepted: Accepted) -> tuple[Problem, ...]:
    """Problems of an intent in all of its scenarios.

    workspace  the intent in the scenario that is asked for; its switches are not checked here, those of the others are
    """
    sites = _with_other_sites(workspace)
    if workspace.scenarios == (BASE,):
        return (*_judged(workspace, accepted.check_plan).problems, *sites)
    checked = (
        _judged(workspace, accepted.check_plan)
        if name == workspace.scenario
        else _check_scenario(read, name, accepted.check)
        for name in workspace.scenarios
    )
    return (*_new(checked, set()), *sites)


def named(problem: Problem, scenario: str) -> Problem:
    """The problem with the scenario's name, unless it is in the lines that define scenarios, or is of all of them."""
    if scenario == BASE or problem.where[:1] == (SCENARIOS,) or problem.code == "unknown-scenario":
        return problem
    return problem._replace(what=f"in scenario {scenario}: {problem.what}")


def _check_scenario(read: LoadRequest, scenario: str, check: Check) -> _CheckedScenario:
    try:
        workspace = open_workspace(read.intent, overlay=read.overlay, forget=read.forget, scenario=scenario)
    except WorkspaceError as error:
        return _CheckedScenario(scenario, None, error.problems, error.documents)
    return _judged(workspace, check)


def _judged(workspace: Workspace, check: Check) -> _CheckedScenario:
    """Problems of one scenario. A waiver that is unused here may be used in another: `Accepted` sees all."""
    found = (with_parts_of_pools(problem, workspace.document) for problem in check(workspace.plan))
    problems = tuple(placed(problem, workspace.documents) for problem in found)
    return _CheckedScenario(workspace.scenario, workspace, problems, workspace.documents)


def _with_other_sites(workspace: Workspace) -> tuple[Problem, ...]:
    """Problems of a site with the pools of its repository and the sites that share them; they are of no scenario."""
    if workspace.intent.pools is None:
        return ()
    # Most sites share no pools.
    from fabricgen.site.other_sites import problems_of_sites  # noqa: PLC0415

    return tuple(placed(problem, workspace.documents) for problem in problems_of_sites(workspace))


def _new(checked: Iterable[_CheckedScenario], known: Keys) -> Iterator[Problem]:
    """Yield the problems that are not known yet, each in the first scenario that has it. Adds them to `known`."""
    for one_scenario in checked:
        keyed = [(problem, _key(problem)) for problem in one_scenario.problems]
        yield from (named(problem, one_scenario.scenario) for problem, key in keyed if key not in known)
        known |= {key for _, key in keyed}


def _keys(problems: Iterable[Problem]) -> Keys:
    return {_key(problem) for problem in problems}


def _key(problem: Problem) -> tuple[str, str, Source | None]:
    return problem.code, problem.what, problem.at
