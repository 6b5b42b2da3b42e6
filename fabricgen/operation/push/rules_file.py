"""push.yaml of an inventory: freezes, soak between waves, and hooks."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from fabricgen.errors import FabricError, Problem
from fabricgen.push.plan.duty import FREE, Freeze, Hook, HookName, RunRules
from fabricgen.push.plan.gates import BY_COUNT, WINDOW, Gate, Gates
from fabricgen.push.plan.site_rules import FILE
from fabricgen.site.workspace import WorkspaceError
from fabricgen.source.document import Document, read_document
from fabricgen.source.validate import validate
from fabricgen.state.counts import PortCounter

LONGEST_SOAK, LONGEST_HOOK, LONGEST_WINDOW = 86_400, 3600, 600
"""Maximum seconds."""
MOMENT = "write a date, a time and its zone, e.g. 2026-12-20T18:00+01:00"


Limit = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
"""Events per second above twice the rate before."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Freeze(_Model):
    begins: str = Field(alias="from")
    ends: str = Field(alias="until")
    why: str = Field(min_length=1)

    @field_validator("begins", "ends")
    @classmethod
    def _moment(cls, text: str) -> str:
        moment_of(text)
        return text


class _Hook(_Model):
    command: list[str] = Field(min_length=1)
    timeout: float = Field(default=30, gt=0, le=LONGEST_HOOK)


class _Gate(_Model):
    warn: Limit | None = None
    revert: Limit | None = None


class _Counters(_Model):
    window: float = Field(default=WINDOW, ge=1, le=LONGEST_WINDOW)
    limits: dict[PortCounter, _Gate] = {}


class _File(_Model):
    soak: float = Field(default=0, ge=0, le=LONGEST_SOAK)
    freeze: list[_Freeze] = []
    hooks: dict[HookName, _Hook] = {}
    counters: _Counters = _Counters()


def moment_of(text: str) -> datetime:
    """A time with its zone. Raises ValueError with the expected form."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(MOMENT) from None
    if moment.tzinfo is None:
        raise ValueError(MOMENT)
    return moment


def read_rules(folder: Path) -> RunRules:
    """Rules of an inventory; none without the file. Raises WorkspaceError with every mistake."""
    path = folder / FILE
    if not path.exists() and not path.is_symlink():
        return FREE
    document = read_document(path)
    if document.value is None:
        return FREE
    try:
        rules_file = validate(_File, document)
    except FabricError as error:
        raise WorkspaceError(error.problems, (document,)) from None
    problems = tuple(_backwards(rules_file, document))
    if problems:
        raise WorkspaceError(problems, (document,))
    limits = {count: Gate(warn=row.warn, revert=row.revert) for count, row in rules_file.counters.limits.items()}
    return RunRules(
        soak=rules_file.soak,
        freezes=tuple(Freeze(moment_of(row.begins), moment_of(row.ends), row.why) for row in rules_file.freeze),
        hooks={name: Hook(tuple(hook.command), hook.timeout) for name, hook in rules_file.hooks.items()},
        gates=Gates(window=rules_file.counters.window, by_count={**BY_COUNT, **limits}),
    )


def _backwards(rules_file: _File, document: Document) -> Iterator[Problem]:
    for number, freeze in enumerate(rules_file.freeze):
        if moment_of(freeze.ends) <= moment_of(freeze.begins):
            yield Problem(
                code="freeze-backwards",
                what=f"this freeze ends at {freeze.ends}, before it begins",
                why="it would have no effect",
                fix=f"write a time after {freeze.begins}",
                at=document.place(("freeze", number, "until")),
            )
