"""Problems of a plan that prevent a lab: all except those of the switches' own operating systems."""

from collections.abc import Iterator

from fabricgen.checks.catalogue import run_plan_checks
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan

PASSED_OVER = frozenset({"unknown-platform", "unsupported-version", "platform-role", "platform-cannot"})
"""The lab runs another operating system on every switch, and lists what that one does not support."""


def faults(plan: Plan) -> Iterator[Problem]:
    """Problems of the plan as written."""
    return (problem for problem in run_plan_checks(plan) if problem.code not in PASSED_OVER)
