"""What a check is: a code, and a function from the plan to the problems that break its rule."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan


class Check(NamedTuple):
    """One rule. The function's docstring says the rule and its source; docs/checks.md is generated from it.

    codes  every code its problems carry
    """

    name: str
    codes: tuple[str, ...]
    run: Callable[[Plan], Iterator[Problem]]
