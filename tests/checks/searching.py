"""Remedies searched from end to end: sites as `init` writes them, edits of them, and every choice that is printed.

A step is what one run of `validate` prints: remedies of problems that it prints together are typed in one step. What a
search must not meet: a circle, a dead end, more than three steps.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fabricgen.checks.catalogue import run_checks, run_plan_checks
from fabricgen.cli.init.choose import choose
from fabricgen.cli.init.model import InitAnswers
from fabricgen.errors import Problem
from fabricgen.hardware.catalog import load_catalog
from fabricgen.plan.lock import Lock, read_lock, without_fabric, write_lock
from fabricgen.render.tree import count_devices
from fabricgen.site.workspace import WorkspaceError, open_workspace
from fabricgen.source.document import load_document
from tests.checks.test_checks_remedies import FACT, PROSE, ROOM
from tests.typing_remedies import apply, choices

Document = dict[str, Any]
CATALOG = load_catalog(None)
STEPS = 3
MANY = 400
"""Switches above which a search does not look at each."""
ELSEWHERE = (*(row for row, why in PROSE.items() if why in (ROOM, FACT)), r"hardware/media\.yaml", r"^waive |waive it")
"""Remedies that are work in the room, a fact for a file of hardware, or a waiver: an end, and no dead one."""
SCHEMA = frozenset({"bad-choice", "bad-name", "bad-pattern", "out-of-range", "unknown-key", "wrong-type"})
"""Codes of a value that the schema refuses: no remedy of another problem leads to one."""
GONE = object()
"""In place of a value: the key is taken away."""


class State(NamedTuple):
    """An intent and the lock beside it; no lock where it was never rendered."""

    document: Document
    lock: Lock | None


class Way(NamedTuple):
    """What was typed, code by code, and how it ended: `valid`, `elsewhere`, or what must not be."""

    codes: tuple[str, ...]
    end: str

    @property
    def is_bad(self) -> bool:
        """Whether it must not be."""
        return self.end not in ("valid", "elsewhere")


Edit = Mapping[str, object]
"""Key with dots → its value, or a function that makes it of the document."""


@cache
def written(model: str, system: str, design: str = "rail-optimized") -> str:
    """What `init` writes with Enter at every other prompt."""
    answers = InitAnswers(site="dc1", design=design, model=model, servers=8, planned=0, system=system, frontend=True)
    return choose(answers).text


def changed(document: Document, edit: Edit) -> Document:
    """The document with an edit. Raises KeyError where it has not what is edited."""
    new = deepcopy(document)
    for path, value in edit.items():
        *ahead, last = path.split(".")
        inside: Any = new
        for at, key in enumerate(ahead):
            inside = inside[key] if at < 2 or key in inside else inside.setdefault(key, {})
        if value is GONE:
            del inside[last]
        else:
            inside[last] = value(document) if callable(value) else value
    return new


def recorded(text: str, folder: Path) -> Lock:
    """The lock that the first render of an intent writes."""
    file = folder / "first.yaml"
    file.write_text(text)
    lock = write_lock(open_workspace(file).plan.lock)
    file.unlink()
    return read_lock(load_document(lock, "fabricgen.lock"))


def problems_in(folder: Path, *, is_whole: bool = False) -> Callable[[State], tuple[Problem, ...]]:
    """What gives the problems of a state, in a folder of its own. is_whole: its switches are looked at, too."""

    def problems(state: State) -> tuple[Problem, ...]:
        (folder / "intent.yaml").write_text(json.dumps(state.document))  # no part is a name of another there
        lock = folder / "fabricgen.lock"
        lock.unlink(missing_ok=True)
        if state.lock is not None:
            lock.write_text(write_lock(state.lock))
        try:
            plan = open_workspace(folder / "intent.yaml").plan
        except WorkspaceError as error:
            return error.problems
        return run_checks(plan) if is_whole and count_devices(plan) <= MANY else run_plan_checks(plan)

    return problems


def choices_of(state: State, problem: Problem) -> Iterator[State]:
    """The intent and lock behind each choice of a fix: keys written, and the fabric renumbered where that is said."""
    for piece in re.split(r", or (?=run |write |topology\.|spine|servers)| or (?=planned:)", problem.fix):
        command = re.search(r"run fabricgen render INTENT((?: --renumber [a-z]+)+) -o out", piece)
        named = command[1].split()[1::2] if command is not None else []
        lock = without_fabric(state.lock, *named) if state.lock is not None else state.lock
        found = choices(piece.partition(" and run ")[0] if command is not None else piece, tuple(PROSE)).typed
        for typed in found:
            yield State(apply(state.document, problem, typed), lock)
        if command is not None and not found:
            yield State(state.document, lock)


class Search(NamedTuple):
    """A search from one state. problems: what gives the problems of a state."""

    problems: Callable[[State], tuple[Problem, ...]]

    def ways(
        self, state: State, codes: tuple[str, ...] = (), steps: int = 0, seen: tuple[object, ...] = ()
    ) -> Iterator[Way]:
        """Every way from a state until nothing is refused, or to what must not be."""
        found = self.problems(state)
        if not found:
            yield Way(codes, "valid")
            return
        first, printed = found[0], seen[-1] if seen else ()
        steps += (first.code, first.what) not in printed  # type: ignore[operator]
        if state in seen:
            yield Way((*codes, first.code), f"circle: {first.fix}")
            return
        if first.code in SCHEMA and codes and codes[0] not in SCHEMA:
            yield Way((*codes, first.code), f"refused as typed: {first.what}")
            return
        if steps > STEPS:
            yield Way((*codes, first.code), f"more than {STEPS} steps: {first.fix}")
            return
        following = list(choices_of(state, first))
        if not following:
            is_elsewhere = any(re.search(row, first.fix) for row in ELSEWHERE)
            yield Way((*codes, first.code), "elsewhere" if is_elsewhere else f"dead end: {first.fix}")
        told = tuple((each.code, each.what) for each in found)
        for each in following:
            yield from self.ways(each, (*codes, first.code), steps, (*seen, state, told))
