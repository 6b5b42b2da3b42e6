"""Cables that no part of the hardware library can make, with settings that avoid them."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.cable import Cable
from fabricgen.plan.cabling import unsupported
from fabricgen.plan.plan import Plan

SERVER_LEAF = "server-leaf"
REACH = "no part of"
"""Start of the reason if no length is short enough: nothing connects these cages."""


def media(plan: Plan) -> Iterator[Problem]:
    """Every cable can be made of parts of the hardware library; one cause in a fabric is one problem.

    Source: its media.yaml, with the vendor's list of each part.
    """
    yield from (_tried(plan, cable, problem) for cable, problem in unsupported(plan))


def _tried(plan: Plan, cable: Cable, problem: Problem) -> Problem:
    """Return the problem, with another speed or model as a fix if one works with the parts."""
    if problem.where[0] != "fabrics" or not problem.why.startswith(REACH):
        return problem
    # Imported only if something is wrong: the import would slow down a correct site.
    from fabricgen.checks.remedies.speeds import joined  # noqa: PLC0415
    from fabricgen.checks.remedies.trial import anywhere, trial_of  # noqa: PLC0415

    group = str(problem.where[3]) if problem.where[2] == "leaf_models" else ""
    offer = joined(trial_of(plan, cable.fabric), group, is_uplink=cable.kind != SERVER_LEAF)
    return problem._replace(fix=f"{anywhere(cable.fabric, offer)}, or {problem.fix}") if offer else problem
