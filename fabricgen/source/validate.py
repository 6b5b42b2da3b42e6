"""A document to a validated model, or to all of its problems."""

import re
from itertools import takewhile
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from fabricgen.errors import FabricError, Problem
from fabricgen.source.document import Document

M = TypeVar("M", bound=BaseModel)

_MOST = 200  # errors of one document that are reported; each costs a walk of the model


def validate(model: type[M], document: Document) -> M:
    """Return the document's value as `model`. Raises FabricError with all problems, each with its position."""
    try:
        return model.model_validate(document.value)
    except ValidationError as error:
        from fabricgen.source.pydantic_problems import from_pydantic  # noqa: PLC0415

        problems = from_pydantic(error.errors(include_url=False)[:_MOST], model)
    raise FabricError(_at_place(problem, document) for problem in problems)


def _at_place(problem: Problem, document: Document) -> Problem:
    if problem.code in ("unknown-key", "bad-name") and problem.where in document.keys:
        return _of_comma(problem, document)._replace(at=document.keys[problem.where])
    return problem._replace(at=document.place(problem.where))


def _of_comma(problem: Problem, document: Document) -> Problem:
    """The problem of a key that is part of the value before it: `{slots: 0-31,33}` has the keys slots and 33."""
    *path, key = problem.where
    owner = document.value
    for part in path:
        owner = owner[part]  # type: ignore[index]  # the key has a place, so what is above holds it
    if not isinstance(owner, dict) or owner[key] is not None:
        return problem
    words = list(owner)
    at = words.index(key)
    before, after = words[:at], words[at + 1 :]
    first = next((name for name in reversed(before) if owner[name] is not None), None)
    if first is None or re.fullmatch("[a-z_]+", str(key)):
        return problem
    pieces = [*before[before.index(first) + 1 :], key, *takewhile(lambda name: owner[name] is None, after)]
    value = ",".join(map(str, [owner[first], *pieces]))
    line = document.lines[document.keys[problem.where].line - 1]
    if f"{first}:{value}" not in "".join(line.split()):
        return problem
    fix = f'put the value in quotes: {first}: "{value}"'
    return problem._replace(why=f"a comma ends the value of {first}", fix=fix)
