"""Cables that nothing in the hardware library can be, with what may be written in the place of what asks for them."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.cable import Cable
from fabricgen.plan.cabling import unsupported
from fabricgen.plan.plan import Plan

SERVER_LEAF = "server-leaf"
REACH = "no part of"
"""How the reason begins where no length is short enough: cages that nothing joins."""


def media(plan: Plan) -> Iterator[Problem]:
    """Every cable can be made of parts of the hardware library; what one cause refuses in a fabric is one problem.

    Source: its media.yaml, with the maker's list of each part.
    """
    yield from (_tried(plan, cable, problem) for cable, problem in unsupported(plan))


def _tried(plan: Plan, cable: Cable, problem: Problem) -> Problem:
    """The problem with another speed, or another model, where one needs no other part."""
    if problem.where[:2] != ("cables", "default") or not problem.why.startswith(REACH):
        return problem
    # Imported where something is wrong: a sound site would wait for it.
    from fabricgen.checks.remedies.speeds import joined  # noqa: PLC0415
    from fabricgen.checks.remedies.trial import anywhere, trial_of  # noqa: PLC0415

    found = joined(trial_of(plan, cable.fabric), is_uplink=cable.kind != SERVER_LEAF)
    return problem._replace(fix=f"{anywhere(cable.fabric, found)}, or {problem.fix}") if found else problem
