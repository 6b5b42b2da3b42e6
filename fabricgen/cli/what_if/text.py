"""What `fabricgen what-if` prints: a table per fabric, what to do, findings, and what is worse than before."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from fabricgen.cli.common.table import table, table_width
from fabricgen.failures.advice import INTENT, Finding
from fabricgen.failures.classes import NOTICED
from fabricgen.failures.comparison import Worse, Worst
from fabricgen.failures.measures import Outcome
from fabricgen.failures.report import FabricFailures, Row

MOST_ROWS = 30
"""Classes of a fabric that are printed; --json has all."""
MOST_ADVICE = 20
HEAD = ("failure", "count", "GPUs off", "rails", "narrowed", "leaf", "unit", "fabric", "hottest", "no route", "VTEPs")


class Told(NamedTuple):
    """What is printed. worse: None without --against."""

    site: str
    fabrics: tuple[FabricFailures, ...]
    floor: Fraction | None
    worse: tuple[Worse, ...] | None

    @property
    def below(self) -> int:
        """Failures that leave less than the floor."""
        return sum(row.size for each in self.fabrics for row in each.rows if self.is_below(row))

    def is_below(self, row: Row) -> bool:
        """Whether a failure leaves less than the floor."""
        return self.floor is not None and row.outcome.least < self.floor


def share_text(share: Fraction) -> str:
    """A share in percent, never rounded up to the whole."""
    tenths = share.numerator * 1000 // share.denominator
    return "100 %" if share == 1 else f"{tenths // 10}.{tenths % 10} %"


def text(told: Told, intent: str) -> Iterator[str]:
    """Lines of the report."""
    for at, each in enumerate(told.fabrics):
        if at:
            yield ""
        yield from _fabric(told, each, intent)
    if told.floor is not None:
        yield ""
        yield f"Failures that leave less than {told.floor} of some capacity: {told.below:,}"
    if told.worse is not None:
        yield ""
        yield from _worse(told.worse)


def _fabric(told: Told, found: FabricFailures, intent: str) -> Iterator[str]:
    base = found.base
    yield f"{found.fabric}: {found.gpus:,} GPUs, {found.parts:,} parts that can fail, {found.failures:,} failures"
    yield (
        f"As it is: capacity {share_text(base.leaf)} of a leaf pair, {share_text(base.unit)} of a unit, "
        f"{share_text(base.fabric)} of the fabric; hottest link {base.hottest:.3f}"
    )
    singles = [row for row in found.rows if len(row.kinds) == 1]
    pairs = [row for row in found.rows if len(row.kinds) > 1]
    costly = [row for row in singles if told.is_below(row) or _costs(row, base)]
    yield ""
    yield from _table(told, costly)
    free = [row for row in singles if row not in costly]
    if free:
        yield f"Nothing is lost by: {', '.join(f'{count:,} x {kind}' for kind, count in _by_kind(free).items())}"
    compound = sorted((row for row in pairs if row.compounds or told.is_below(row)), key=_by_capacity)
    if pairs:
        yield ""
        yield f"Pairs that cost more than the two by themselves: {len(compound):,} of {len(pairs):,} classes"
        yield ""
        yield from _table(told, compound)
    yield from _advice((*costly[:MOST_ROWS], *compound[:MOST_ROWS]))
    for finding in found.findings:
        yield ""
        yield from _finding(finding, intent)


def _costs(row: Row, base: Outcome) -> bool:
    """Whether anything is lost, or a link hotter than it may be."""
    seen = row.outcome
    lost = seen.servers or seen.rails or seen.narrowed or seen.vteps or seen.apart > base.apart
    return bool(lost) or seen.least < base.least or seen.hottest > max(base.hottest, 1.0) + NOTICED


def _by_kind(rows: Sequence[Row]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.kinds[0]] = counts.get(row.kinds[0], 0) + row.size
    return counts


def _by_capacity(row: Row) -> tuple[object, ...]:
    """Pairs: what nobody sees in the list of single failures comes first."""
    seen = row.outcome
    return -seen.apart, -round(seen.hottest, 3), seen.least, -seen.gpus, row.kinds


def _table(told: Told, rows: Sequence[Row]) -> Iterator[str]:
    yield from table(HEAD, [_cells(told, row) for row in rows[:MOST_ROWS]], table_width())
    if len(rows) > MOST_ROWS:
        yield f"... and {len(rows) - MOST_ROWS:,} more classes (--json prints all)"


def _cells(told: Told, row: Row) -> Sequence[str]:
    seen: Outcome = row.outcome
    mark = " (below the floor)" if told.is_below(row) else ""
    return (
        f"{' + '.join(row.kinds)}{mark}",
        f"{row.size:,}",
        f"{seen.gpus:,}",
        f"{seen.rails:,}",
        f"{seen.narrowed:,}",
        *(share_text(share) for share in (seen.leaf, seen.unit, seen.fabric)),
        f"{seen.hottest:.3f}",
        f"{seen.apart:,}",
        f"{seen.vteps:,}",
    )


def _advice(rows: Sequence[Row]) -> Iterator[str]:
    """What to do, once for each kind of failure, with an example."""
    told: dict[tuple[str, ...], Row] = {}
    for row in rows:
        if row.do:
            told.setdefault(row.kinds, row)
    if told:
        yield ""
        yield "What to do:"
    for kinds, row in [*told.items()][:MOST_ADVICE]:
        yield f"  {' + '.join(kinds)} (e.g. {', '.join(row.example)}): {row.do}"


def _finding(finding: Finding, intent: str) -> Iterator[str]:
    yield f"note[{finding.name}]: {finding.what}"
    yield f"  why: {finding.why}"
    yield f"  fix: {finding.fix.replace(INTENT, intent)}"


def _worse(found: tuple[Worse, ...]) -> Iterator[str]:
    yield "Worse than before:" if found else "No kind of failure costs more than before."
    for each in found:
        before = f"{_worst(each.before)} before" if each.before is not None else "no such failure before"
        yield f"  {each.fabric}: {' + '.join(each.kinds)}: {_worst(each.after)}; {before}"


def _worst(worst: Worst) -> str:
    words = [f"{worst.gpus:,} GPUs off", f"{share_text(worst.least)} left", f"hottest link {worst.hottest:.3f}"]
    if worst.apart:
        words.append(f"{worst.apart:,} leaf pairs without a route")
    if worst.vteps:
        words.append(f"{worst.vteps:,} VTEPs")
    return ", ".join(words)
