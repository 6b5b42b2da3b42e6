"""Waivers of unknown codes: the problem names the codes that may be meant."""

from collections.abc import Iterable, Sequence

from fabricgen.errors import Problem
from fabricgen.explain.meanings import OF_CHECKS
from fabricgen.explain.problem import problem_codes
from fabricgen.intent.waivers import WAIVABLE, WARNINGS, Waiver, near_codes


def with_unknown_codes(problems: Iterable[Problem], waivers: Sequence[Waiver]) -> tuple[Problem, ...]:
    """The problems; a refused waiver whose code does not exist says so, with the codes that are spelt like it."""
    return tuple(_unknown(problem, waivers) if problem.code == "waiver-refused" else problem for problem in problems)


def _unknown(problem: Problem, waivers: Sequence[Waiver]) -> Problem:
    code = waivers[int(problem.where[1])].code
    if code in OF_CHECKS or code in problem_codes():
        return problem
    similar_codes = near_codes(code)
    return problem._replace(
        what=f"unknown check code {code}",
        why="the `code` of a waiver is one that `validate` prints in brackets, e.g. few-flows of warning[few-flows]",
        fix=f"did you mean {' or '.join(similar_codes)}?"
        if similar_codes
        else f"choose one of {', '.join(sorted({*WAIVABLE, *WARNINGS}))}",
    )
