"""What a check is: a code, and a function from the plan to the problems that break its rule."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan

Holds = Literal["proven", "streamed"]
"""How a check holds for a fabric of any size.

proven    from dimensions, lines of the lock, settings and exceptions: it takes no longer for more switches, and the
          docstring says why that is enough
streamed  every switch or every cable is looked at, one at a time, and what is kept does not grow with them
"""


def by_proof(_plan: Plan) -> bool:
    """Of a check whose proof holds for every plan."""
    return False


class Check(NamedTuple):
    """One rule. The function's docstring says the rule and its source; docs/checks.md is generated from it.

    codes  every code its problems carry
    looks  whether a check that is proven has to look at every cable of this plan after all
    """

    name: str
    codes: tuple[str, ...]
    run: Callable[[Plan], Iterator[Problem]]
    holds: Holds = "proven"
    looks: Callable[[Plan], bool] = by_proof

    def held(self, plan: Plan) -> Holds:
        """How it holds for this plan."""
        return "streamed" if self.looks(plan) else self.holds
