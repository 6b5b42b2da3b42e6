"""The uplinks that move where another number of spines stands."""

from collections.abc import Iterator

from fabricgen.plan.growth import Recabling, moves_between
from fabricgen.plan.plan import Plan, on_spines


def recabling(plan: Plan, name: str, spines: int) -> Iterator[Recabling]:
    """Of one fabric, leaf by leaf."""
    return moves_between(plan.fabrics[name], on_spines(plan, name, spines))
