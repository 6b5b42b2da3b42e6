"""What a check is: codes, and a function from the plan to the problems that break its rule."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan

Holds = Literal["proven", "streamed"]
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

    codes  every code of its problems
    looks  whether a proven check must count every cable of a plan, because a condition of its proof does not hold
    """

    name: str
    codes: tuple[str, ...]
    run: Callable[[Plan], Iterator[Problem]]
    holds: Holds = "proven"
    looks: Callable[[Plan], bool] = by_proof

    def held(self, plan: Plan) -> Holds:
        """Return how the check covers this plan."""
        return "streamed" if self.looks(plan) else self.holds
