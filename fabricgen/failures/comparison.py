"""What a change makes worse: the worst failure of each kind, before and after."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from fabricgen.failures.classes import NOTICED
from fabricgen.failures.report import FabricFailures


class Worst(NamedTuple):
    """The worst of all failures of a kind, each figure by itself."""

    gpus: int
    apart: int
    vteps: int
    least: Fraction
    hottest: float


class Worse(NamedTuple):
    """A kind of failure that costs more than before; before: None where the kind is new."""

    fabric: str
    kinds: tuple[str, ...]
    before: Worst | None
    after: Worst


def worst_by_kind(failures: FabricFailures) -> dict[tuple[str, ...], Worst]:
    """The worst of each kind."""
    found: dict[tuple[str, ...], Worst] = {}
    for row in failures.rows:
        seen = row.outcome
        one = Worst(seen.gpus, seen.apart, seen.vteps, seen.least, seen.hottest)
        found[row.kinds] = _worst(found[row.kinds], one) if row.kinds in found else one
    return found


def _worst(one: Worst, other: Worst) -> Worst:
    return Worst(
        max(one.gpus, other.gpus),
        max(one.apart, other.apart),
        max(one.vteps, other.vteps),
        min(one.least, other.least),
        max(one.hottest, other.hottest),
    )


def worse(before: Mapping[str, FabricFailures], after: Iterable[FabricFailures]) -> Iterator[Worse]:
    """Kinds of failures that cost more after a change, of fabrics that were there before."""
    for now in after:
        old = before.get(now.fabric)
        if old is None:
            continue
        known = worst_by_kind(old)
        # What could not fail before is worse where it costs anything.
        nothing = Worst(0, 0, 0, now.base.least, max(now.base.hottest, 1.0))
        for kinds, found in worst_by_kind(now).items():
            if _costs_more(known.get(kinds, nothing), found):
                yield Worse(now.fabric, kinds, known.get(kinds), found)


def _costs_more(before: Worst, after: Worst) -> bool:
    return (
        after.gpus > before.gpus
        or after.apart > before.apart
        or after.vteps > before.vteps
        or after.least < before.least
        or after.hottest > before.hottest + NOTICED
    )
