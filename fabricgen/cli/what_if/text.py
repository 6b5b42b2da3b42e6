"""Text output of `fabricgen what-if`: a table per fabric, what to do, findings, and what is worse than before."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from fabricgen.base.text import listed
from fabricgen.cli.common.table import table, table_width
from fabricgen.failures.advice import INTENT, Finding
from fabricgen.failures.classes import NOTICED
from fabricgen.failures.comparison import SHARES, Comparison, Worse, Worst
from fabricgen.failures.measures import Outcome
from fabricgen.failures.report import FabricFailures, Row

MOST_ROWS = 30
"""Limit of printed classes per table; --json has all."""
MOST_ADVICE = 20
MOST_NAMED = 3
HEAD = (
    "failure", "count", "GPUs off", "rails off", "narrowed", "leaf to leaf", "unit", "fabric", "hottest",
    "no route", "VTEPs",
)  # fmt: skip
"""From `leaf to leaf` to `fabric`: the capacity that is left."""
LEGEND = (
    "narrowed: GPUs whose rail lost some of its ports, not all; no route: pairs of leaves; VTEPs: next hops lost",
    "hottest: load of the hottest link between switches, 1 is line rate",
)
"""What columns of HEAD count."""
NAMED = "named parts"
"""The kind of what --fail names."""


class WhatIfReport(NamedTuple):
    """The report of a site. comparison: None without --against; named: parts that --fail names."""

    site: str
    fabrics: tuple[FabricFailures, ...]
    floor: Fraction | None
    comparison: Comparison | None
    named: tuple[str, ...] = ()

    @property
    def below(self) -> int:
        """Number of failures that leave less than the floor."""
        return sum(row.size for fabric in self.fabrics for row in fabric.rows if self.is_below(row))

    def is_below(self, row: Row) -> bool:
        """Return whether a failure leaves less than the floor."""
        return self.floor is not None and row.outcome.least < self.floor


def _many(number: int, noun: str) -> str:
    """Return a number and its noun: 1 GPU, 1,024 GPUs."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def share_text(share: Fraction) -> str:
    """Return a share in percent, rounded down: less than 1 is never 100 %."""
    tenths = share.numerator * 1000 // share.denominator
    return "100 %" if share == 1 else f"{tenths // 10}.{tenths % 10} %"


def text(report: WhatIfReport, intent: str) -> Iterator[str]:
    """Return the lines of the report."""
    served = [fabric for fabric in report.fabrics if not _is_unserved(fabric)]
    for number, fabric in enumerate(served):
        if number:
            yield ""
        yield from _fabric(report, fabric, intent)
    if report.named and not served:
        is_one = len(report.named) == 1
        yield (
            f"{', '.join(report.named)}: nothing is installed and in service there, so {'its' if is_one else 'their'} "
            "failure costs nothing"
        )
    if report.floor is not None:
        yield ""
        yield f"Failures that leave less than {report.floor} of some capacity: {report.below:,}"
        for fabric in report.fabrics:
            if fabric.base.least < report.floor:
                yield f"Without a failure {fabric.fabric} has less than that already: {share_text(fabric.base.least)}"
    if report.comparison is not None:
        yield ""
        yield from _comparison(report.comparison, frozenset(fabric.fabric for fabric in report.fabrics))


def _is_unserved(fabric: FabricFailures) -> bool:
    """Whether none of the named parts is installed and in service in a fabric."""
    return [(row.kinds, row.example) for row in fabric.rows] == [((NAMED,), ())]


def _fabric(report: WhatIfReport, fabric: FabricFailures, intent: str) -> Iterator[str]:
    base = fabric.base
    yield from _base(fabric)
    singles = [row for row in fabric.rows if len(row.kinds) == 1]
    pairs = [row for row in fabric.rows if len(row.kinds) > 1]
    costly = [row for row in singles if report.is_below(row) or _costs(row, base)]
    yield ""
    if costly:
        yield from _table(report, costly)
    free = [row for row in singles if row not in costly]
    if free and free[0].kinds == (NAMED,):
        parts = ", ".join(free[0].example)
        yield f"This failure costs nothing: {parts}"
    elif free:
        counts = ", ".join(f"{count:,} x {kind}" for kind, count in _by_kind(free).items())
        yield f"These failures cost nothing: {counts}"
    compound = sorted((row for row in pairs if row.compounds or report.is_below(row)), key=_by_capacity)
    if pairs:
        yield ""
        yield (
            "Pairs that cost more than their two failures one by one (GPUs and routes: than the sum; capacity and the "
            f"hottest link: than the worse of the two): {len(compound):,} of {len(pairs):,} classes"
        )
        if compound:
            yield ""
            yield from _table(report, compound)
    yield from _advice((*costly[:MOST_ROWS], *compound[:MOST_ROWS]))
    for finding in fabric.findings:
        yield ""
        yield from _finding(finding, intent)


def _base(fabric: FabricFailures) -> Iterator[str]:
    """Return the lines about a fabric without a failure."""
    base = fabric.base
    yield (
        f"{fabric.fabric}: {_many(fabric.gpus, 'GPU')}, {_many(fabric.parts, 'part')} that can fail, "
        f"{_many(fabric.failures, 'failure')} computed"
    )
    yield (
        f"Without a failure: capacity {share_text(base.leaf)} from leaf to leaf, {share_text(base.unit)} of a unit, "
        f"{share_text(base.fabric)} of the fabric; hottest link {base.hottest:.3f}"
    )
    names = fabric.out._asdict()
    out = [f"{state} {listed(names[state])}" for state in ("drained", "dead", "absent") if names[state]]
    out += [f"links {listed(fabric.out.links)}"] if fabric.out.links else []
    if out:
        yield f"Out of service already: {'; '.join(out)}"
    if base.rails or base.narrowed:
        yield (
            f"Already cut off: {_many(base.gpus, 'GPU')}, {_many(base.rails, 'rail')}, "
            f"{_many(base.servers, 'server')}; narrowed: {_many(base.narrowed, 'GPU')}. The failures below come on top"
        )


def _costs(row: Row, base: Outcome) -> bool:
    """Return whether anything is lost, or a link is hotter than line rate and than without the failure."""
    outcome = row.outcome
    has_loss = outcome.servers or outcome.rails or outcome.narrowed or outcome.vteps or outcome.apart > base.apart
    return bool(has_loss) or outcome.least < base.least or outcome.hottest > max(base.hottest, 1.0) + NOTICED


def _by_kind(rows: Sequence[Row]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.kinds[0]] = counts.get(row.kinds[0], 0) + row.size
    return counts


def _by_capacity(row: Row) -> tuple[object, ...]:
    """Sort key of pairs: costs that the list of single failures does not show come first."""
    outcome = row.outcome
    return -outcome.apart, -round(outcome.hottest, 3), outcome.least, -outcome.gpus, row.kinds


def _table(report: WhatIfReport, rows: Sequence[Row]) -> Iterator[str]:
    times = Counter(row.kinds for row in rows)
    cells = [_cells(report, row, _member(row, times[row.kinds])) for row in rows[:MOST_ROWS]]
    yield from table(HEAD, cells, table_width())
    yield from LEGEND
    if len(rows) > MOST_ROWS:
        yield f"... and {len(rows) - MOST_ROWS:,} more classes (--json prints all)"


def _member(row: Row, times: int) -> str:
    """One part of a row where several rows have the same kind (`times` > 1); the first parts that --fail names."""
    if row.kinds == (NAMED,):
        rest = len(row.example) - MOST_NAMED
        return f" ({', '.join(row.example[:MOST_NAMED])}{f' and {rest:,} more' if rest > 0 else ''})"
    if times == 1:
        return ""
    more = f" and {row.size - 1:,} more" if row.size > 1 else ""
    return f" ({row.example[0]}{more})"


def _cells(report: WhatIfReport, row: Row, member: str) -> Sequence[str]:
    outcome: Outcome = row.outcome
    mark = " (below the floor)" if report.is_below(row) else ""
    return (
        f"{' + '.join(row.kinds)}{mark}{member}",
        f"{row.size:,}",
        f"{outcome.gpus:,}",
        f"{outcome.rails:,}",
        f"{outcome.narrowed:,}",
        *(share_text(share) for share in (outcome.leaf, outcome.unit, outcome.fabric)),
        f"{outcome.hottest:.3f}",
        f"{outcome.apart:,}",
        f"{outcome.vteps:,}",
    )


def _advice(rows: Sequence[Row]) -> Iterator[str]:
    """Return what to do, once per kind of failure, with an example."""
    row_by_kinds: dict[tuple[str, ...], Row] = {}
    for row in rows:
        if row.do:
            row_by_kinds.setdefault(row.kinds, row)
    if row_by_kinds:
        yield ""
        yield "What to do (a link, cage or NIC is named by its ports on a switch):"
    for kinds, row in [*row_by_kinds.items()][:MOST_ADVICE]:
        is_named = kinds == (NAMED,)
        yield f"  {' + '.join(kinds)} ({'' if is_named else 'e.g. '}{', '.join(row.example)}): {row.do}"


def _finding(finding: Finding, intent: str) -> Iterator[str]:
    yield f"note[{finding.name}]: {finding.what}"
    yield f"  why: {finding.why}"
    yield f"  fix: {finding.fix.replace(INTENT, intent)}"


def _comparison(comparison: Comparison, fabrics: frozenset[str]) -> Iterator[str]:
    if comparison.worse:
        yield "Worse than before:"
    elif fabrics.difference(comparison.new):
        yield "No kind of failure is worse than before."
    yield from (f"  {worse_text(change)}" for change in comparison.worse)
    yield from smaller_texts(comparison)
    yield from uncompared_texts(comparison)


def smaller_texts(comparison: Comparison) -> Iterator[str]:
    """Sentences about fabrics with fewer servers in service than before: a server that is gone fails no more."""
    for name, servers, gpus in comparison.smaller:
        yield (
            f"fewer servers in service: {name} has {_many(servers[1], 'server')} with {_many(gpus[1], 'GPU')}; "
            f"{servers[0]:,} with {_many(gpus[0], 'GPU')} before"
        )


def uncompared_texts(comparison: Comparison) -> Iterator[str]:
    """Sentences about fabrics of one of the two plans."""
    yield from (f"not compared: {name} is new" for name in comparison.new)
    yield from (f"not compared: {name} is gone" for name in comparison.gone)


def worse_text(change: Worse) -> str:
    """A kind of failure that costs more than before, in a line: each figure that differs, with its value before."""
    after, before = change.after, change.before
    if before is None:
        figures = [text for text, _ in _figures(after) if not text.startswith("0 ") or text.startswith("0 GPUs off")]
        return f"{change.fabric}: {' + '.join(change.kinds)}: {', '.join(figures)}; no such failure before"
    figures = [
        f"{text} ({value_before} before)"
        for (text, value), (_, value_before) in zip(_figures(after, before), _figures(before, after), strict=True)
        if value != value_before
    ]
    return f"{change.fabric}: {' + '.join(change.kinds)}: {', '.join(figures) or 'by less than 0.1 %'}"


def _figures(worst: Worst, other: Worst | None = None) -> Iterator[tuple[str, str]]:
    """Return the figures, each as a text and as its value alone. other: whose figures stand beside these."""
    yield f"{_many(worst.gpus, 'GPU')} off", f"{worst.gpus:,}"
    if all(each.leaf == each.unit == each.fabric for each in (worst, other or worst)):
        yield f"{share_text(worst.leaf)} left", share_text(worst.leaf)
    else:
        for name in SHARES:
            value = share_text(getattr(worst, name))
            yield f"{name} {value} left", value
    yield f"hottest link {worst.hottest:.3f}", f"{worst.hottest:.3f}"
    # GPUs off imply lost rails; a server without GPUs shows by its rails alone.
    if not worst.gpus and not (other is not None and other.gpus):
        yield f"{_many(worst.rails, 'rail')} lost", f"{worst.rails:,}"
    yield f"{_many(worst.narrowed, 'GPU')} narrowed", f"{worst.narrowed:,}"
    yield f"{_many(worst.apart, 'leaf pair')} without a route", f"{worst.apart:,}"
    yield _many(worst.vteps, "VTEP"), f"{worst.vteps:,}"
