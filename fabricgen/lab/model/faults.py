"""Problems of a plan that keep it from being a lab: all but those of the switches' own operating systems."""

from collections.abc import Iterator

from fabricgen.checks.catalogue import run_plan_checks
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan

PASSED_OVER = frozenset({"unknown-platform", "unsupported-version", "platform-role", "platform-cannot"})
"""The lab runs another operating system on every switch, and lists what that one cannot do."""


def faults(plan: Plan) -> Iterator[Problem]:
    """Problems of the plan, as it was written."""
    return (problem for problem in run_plan_checks(plan) if problem.code not in PASSED_OVER)
