"""What a check is: codes, and a function from the plan to the problems that break its rule."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan

CoverageKind = Literal["proven", "streamed"]
"""How a check covers a fabric of any size.

proven    by dimensions, lines of the lock, settings and exceptions: it takes no longer for more switches, and the
          docstring says why that is enough
streamed  every switch or every cable is checked, one at a time, and the memory does not grow with them
"""


def by_proof(_plan: Plan) -> bool:
    """Return False: the proof of the check holds for every plan."""
    return False


class Check(NamedTuple):
    """One rule. The function's docstring gives the rule and its source; docs/checks.md is generated from it.

    codes        every code of its problems
    must_stream  whether a proven check must count every cable of a plan, because a condition of its proof does not hold
    """

    name: str
    codes: tuple[str, ...]
    run: Callable[[Plan], Iterator[Problem]]
    usual_coverage: CoverageKind = "proven"
    must_stream: Callable[[Plan], bool] = by_proof

    def coverage(self, plan: Plan) -> CoverageKind:
        """Return how the check covers this plan."""
        return "streamed" if self.must_stream(plan) else self.usual_coverage
