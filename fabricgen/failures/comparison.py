"""Comparison of two plans, before and after a change: the fabric as it is, and the worst failure of each kind."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import inf
from typing import NamedTuple

from fabricgen.failures.classes import NOTICED
from fabricgen.failures.measures import Outcome
from fabricgen.failures.report import FabricFailures

AS_IT_IS: tuple[str, ...] = ("no failure",)
"""Is among kinds of failures for the fabric without one: a change can cut servers off by itself."""


class Worst(NamedTuple):
    """The worst value of each figure over all failures of a kind."""

    gpus: int
    rails: int
    narrowed: int
    apart: int
    vteps: int
    leaf: Fraction
    unit: Fraction
    fabric: Fraction
    hottest: float


class Worse(NamedTuple):
    """A kind of failure that costs more than before. before: None where the kind is new."""

    fabric: str
    kinds: tuple[str, ...]
    before: Worst | None
    after: Worst


class Smaller(NamedTuple):
    """A fabric with fewer servers in service than before, each number as (before, after)."""

    fabric: str
    servers: tuple[int, int]
    gpus: tuple[int, int]


class Comparison(NamedTuple):
    """What a change does. new, gone: fabrics of one of the two plans only, which have nothing to be compared with."""

    worse: tuple[Worse, ...]
    smaller: tuple[Smaller, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]


def worst_by_kind(failures: FabricFailures) -> dict[tuple[str, ...], Worst]:
    """Return the worst figures of each kind of failure, and those of the fabric as it is."""
    worst_of: dict[tuple[str, ...], Worst] = {AS_IT_IS: _figures(failures.base)}
    for row in failures.rows:
        worst = _figures(row.outcome)
        worst_of[row.kinds] = _worst(worst_of[row.kinds], worst) if row.kinds in worst_of else worst
    return worst_of


SHARES = ("leaf", "unit", "fabric")
"""Figures of which less is worse."""


def _figures(outcome: Outcome) -> Worst:
    return Worst(*(getattr(outcome, name) for name in Worst._fields))


def _worst(first: Worst, second: Worst) -> Worst:
    return Worst(
        **{
            name: (min if name in SHARES else max)(getattr(first, name), getattr(second, name))
            for name in Worst._fields
        }
    )


def compared(before: Iterable[FabricFailures], after: Iterable[FabricFailures]) -> Comparison:
    """Compare the fabrics of two plans by name."""
    old, new = ({each.fabric: each for each in failures} for failures in (before, after))
    both = [(old[name], new[name]) for name in new if name in old]
    return Comparison(
        worse=tuple(_worse(old, new.values())),
        smaller=tuple(
            Smaller(two.fabric, (one.servers, two.servers), (one.gpus, two.gpus))
            for one, two in both
            if two.servers < one.servers
        ),
        new=tuple(sorted(new.keys() - old.keys())),
        gone=tuple(sorted(old.keys() - new.keys())),
    )


def _worse(before: Mapping[str, FabricFailures], after: Iterable[FabricFailures]) -> Iterator[Worse]:
    """Return the kinds of failures that cost more after a change, for fabrics that exist before and after it."""
    for new in after:
        old = before.get(new.fabric)
        if old is None:
            continue
        old_worst = worst_by_kind(old)
        # A new kind of failure is worse where it costs anything.
        no_cost = _figures(new.base)._replace(gpus=0, rails=0, narrowed=0, apart=0, vteps=0)
        no_cost = no_cost._replace(hottest=max(no_cost.hottest, 1.0))
        for kinds, worst in worst_by_kind(new).items():
            if _costs_more(old_worst.get(kinds, no_cost), worst):
                yield Worse(new.fabric, kinds, old_worst.get(kinds), worst)


def _costs_more(before: Worst, after: Worst) -> bool:
    counts = (name for name in Worst._fields if name not in (*SHARES, "hottest"))
    return (
        any(getattr(after, name) > getattr(before, name) for name in counts)
        or any(getattr(after, name) < getattr(before, name) for name in SHARES)
        or after.hottest > _tolerated(before, after) + NOTICED
    )


def _tolerated(before: Worst, after: Worst) -> float:
    """Return the load above which a link is worse than before.

    Where a leaf pair has more capacity than before, the lack of it was as bad as this load: a leaf without an uplink
    loads no link at all.
    """
    if after.leaf <= before.leaf:
        return before.hottest
    return max(before.hottest, float(1 / before.leaf)) if before.leaf else inf
