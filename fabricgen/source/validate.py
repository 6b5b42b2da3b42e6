"""A document to a validated model, or to all of its problems."""

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
        return problem._replace(at=document.keys[problem.where])
    return problem._replace(at=document.place(problem.where))
