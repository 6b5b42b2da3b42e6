"""An intent read and checked, in one scenario or in all of them; a problem of a scenario alone says which."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from fabricgen.checks.catalogue import Accepted, run_checks
from fabricgen.errors import FabricError, Problem, Source
from fabricgen.intent.scenario_rules import unknown_scenario
from fabricgen.intent.scenarios import BASE, SCENARIOS
from fabricgen.plan.plan import Plan
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace, placed
from fabricgen.source.document import Document

Check = Callable[[Plan], Iterable[Problem]]
Keys = set[tuple[str, str, Source | None]]
"""Of problems: code, words and position."""


class LoadRequest(NamedTuple):
    """What is read: the intent, an overlay in front of it, and a fabric whose numbers are given again."""

    intent: Path
    overlay: Path | None = None
    forget: str = ""


class _Look(NamedTuple):
    """An intent in one scenario. `workspace` is None where it cannot be read."""

    scenario: str
    workspace: Workspace | None
    problems: tuple[Problem, ...]
    documents: tuple[Document, ...]


def load(read: LoadRequest, scenario: str = BASE) -> Workspace:
    """The intent in a scenario, not yet checked. Raises WorkspaceError."""
    return load_checked(read, scenario, lambda plan: ())


def load_checked(read: LoadRequest, scenario: str = BASE, check: Check = run_checks) -> Workspace:
    """The intent in a scenario, without problems. Raises WorkspaceError with those that it has."""
    found = _look(read, scenario, check)
    if found.workspace is not None and not found.problems:
        return found.workspace
    known = _keys(_look(read, BASE, check).problems) if scenario != BASE else set()
    told = (each if _key(each) in known else named(each, scenario) for each in found.problems)
    raise WorkspaceError(told, found.documents)


def load_checked_in_all(read: LoadRequest, accepted: Accepted) -> tuple[Workspace, ...]:
    """The intent in each of its scenarios, base first. Raises WorkspaceError with the problems of all."""
    base = _look(read, BASE, accepted.check)
    if base.workspace is None:
        raise WorkspaceError(base.problems, base.documents)
    others = [_look(read, name, accepted.check) for name in base.workspace.scenarios if name != BASE]
    problems = (*base.problems, *_new(others, _keys(base.problems)))
    if problems:
        raise WorkspaceError(problems, base.documents)
    return tuple(each.workspace for each in (base, *others) if each.workspace is not None)


def of_scenario(found: tuple[Workspace, ...], name: str) -> Workspace:
    """The one of a scenario. Raises FabricError where there is none. `found`: as `sound_in_all` has them."""
    for each in found:
        if each.scenario == name:
            return each
    raise FabricError([unknown_scenario(found[0].intent, name)])


def problems_of_all(read: LoadRequest, workspace: Workspace, accepted: Accepted) -> tuple[Problem, ...]:
    """Problems of an intent in all of its scenarios.

    workspace  the intent in the scenario that is asked for, whose switches are not looked at; those of others are
    """
    if workspace.scenarios == (BASE,):
        return _judged(workspace, accepted.check_plan).problems
    looks = (
        _judged(workspace, accepted.check_plan) if name == workspace.scenario else _look(read, name, accepted.check)
        for name in workspace.scenarios
    )
    return tuple(_new(looks, set()))


def named(problem: Problem, scenario: str) -> Problem:
    """The problem with the name of the scenario, unless it is of the lines that name scenarios, or of all of them."""
    if scenario == BASE or problem.where[:1] == (SCENARIOS,) or problem.code == "unknown-scenario":
        return problem
    return problem._replace(what=f"in scenario {scenario}: {problem.what}")


def _look(read: LoadRequest, scenario: str, check: Check) -> _Look:
    try:
        workspace = open_workspace(read.intent, overlay=read.overlay, forget=read.forget, scenario=scenario)
    except WorkspaceError as error:
        return _Look(scenario, None, error.problems, error.documents)
    return _judged(workspace, check)


def _judged(workspace: Workspace, check: Check) -> _Look:
    """Problems of one scenario. A waiver that it has no use for may be one that another needs: `Accepted` sees all."""
    problems = tuple(placed(problem, workspace.documents) for problem in check(workspace.plan))
    return _Look(workspace.scenario, workspace, problems, workspace.documents)


def _new(looks: Iterable[_Look], known: Keys) -> Iterator[Problem]:
    """Problems that are not known yet, each by the first scenario that has it."""
    for look in looks:
        told = [(problem, _key(problem)) for problem in look.problems]
        yield from (named(problem, look.scenario) for problem, key in told if key not in known)
        known |= {key for _, key in told}


def _keys(problems: Iterable[Problem]) -> Keys:
    return {_key(problem) for problem in problems}


def _key(problem: Problem) -> tuple[str, str, Source | None]:
    return problem.code, problem.what, problem.at
