"""An intent read and checked, in one posture or in all of them; a problem of a posture alone says which."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from fabricgen.checks.catalogue import Accepted, run_checks
from fabricgen.errors import FabricError, Problem, Source
from fabricgen.intent.posture_rules import unknown_posture
from fabricgen.intent.postures import BASE, POSTURES
from fabricgen.plan.plan import Plan
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace, placed
from fabricgen.source.document import Document

Check = Callable[[Plan], Iterable[Problem]]
Keys = set[tuple[str, str, Source | None]]
"""Of problems: code, words and position."""


class Read(NamedTuple):
    """What is read: the intent, an overlay in front of it, and a fabric whose numbers are given again."""

    intent: Path
    overlay: Path | None = None
    forget: str = ""


class _Look(NamedTuple):
    """An intent in one posture. `workspace` is None where it cannot be read."""

    posture: str
    workspace: Workspace | None
    problems: tuple[Problem, ...]
    documents: tuple[Document, ...]


def opened(read: Read, posture: str = BASE) -> Workspace:
    """The intent in a posture, not yet checked. Raises WorkspaceError."""
    return sound(read, posture, lambda plan: ())


def sound(read: Read, posture: str = BASE, check: Check = run_checks) -> Workspace:
    """The intent in a posture, without problems. Raises WorkspaceError with those that it has."""
    found = _look(read, posture, check)
    if found.workspace is not None and not found.problems:
        return found.workspace
    known = _keys(_look(read, BASE, check).problems) if posture != BASE else set()
    told = (each if _key(each) in known else named(each, posture) for each in found.problems)
    raise WorkspaceError(told, found.documents)


def sound_in_all(read: Read, accepted: Accepted) -> tuple[Workspace, ...]:
    """The intent in each of its postures, base first. Raises WorkspaceError with the problems of all."""
    base = _look(read, BASE, accepted.check)
    if base.workspace is None:
        raise WorkspaceError(base.problems, base.documents)
    others = [_look(read, name, accepted.check) for name in base.workspace.postures if name != BASE]
    problems = (*base.problems, *_new(others, _keys(base.problems)))
    if problems:
        raise WorkspaceError(problems, base.documents)
    return tuple(each.workspace for each in (base, *others) if each.workspace is not None)


def of_posture(found: tuple[Workspace, ...], name: str) -> Workspace:
    """The one of a posture. Raises FabricError where there is none. `found`: as `sound_in_all` has them."""
    for each in found:
        if each.posture == name:
            return each
    raise FabricError([unknown_posture(found[0].intent, name)])


def problems_of_all(read: Read, workspace: Workspace, accepted: Accepted) -> tuple[Problem, ...]:
    """Problems of an intent in all of its postures.

    workspace  the intent in the posture that is asked for, whose switches are not looked at; those of others are
    """
    if workspace.postures == (BASE,):
        return _judged(workspace, accepted.check_plan).problems
    looks = (
        _judged(workspace, accepted.check_plan) if name == workspace.posture else _look(read, name, accepted.check)
        for name in workspace.postures
    )
    return tuple(_new(looks, set()))


def named(problem: Problem, posture: str) -> Problem:
    """The problem with the name of the posture, unless it is of the lines that name postures, or of all of them."""
    if posture == BASE or problem.where[:1] == (POSTURES,) or problem.code == "unknown-posture":
        return problem
    return problem._replace(what=f"in posture {posture}: {problem.what}")


def _look(read: Read, posture: str, check: Check) -> _Look:
    try:
        workspace = open_workspace(read.intent, overlay=read.overlay, forget=read.forget, posture=posture)
    except WorkspaceError as error:
        return _Look(posture, None, error.problems, error.documents)
    return _judged(workspace, check)


def _judged(workspace: Workspace, check: Check) -> _Look:
    """Problems of one posture. A waiver that it has no use for may be one that another needs: `Accepted` sees all."""
    problems = tuple(placed(problem, workspace.documents) for problem in check(workspace.plan))
    return _Look(workspace.posture, workspace, problems, workspace.documents)


def _new(looks: Iterable[_Look], known: Keys) -> Iterator[Problem]:
    """Problems that are not known yet, each by the first posture that has it."""
    for look in looks:
        told = [(problem, _key(problem)) for problem in look.problems]
        yield from (named(problem, look.posture) for problem, key in told if key not in known)
        known |= {key for _, key in told}


def _keys(problems: Iterable[Problem]) -> Keys:
    return {_key(problem) for problem in problems}


def _key(problem: Problem) -> tuple[str, str, Source | None]:
    return problem.code, problem.what, problem.at
