"""`fabricgen what-if --json`."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TypedDict

from fabricgen.base.schema_version import VERSIONED
from fabricgen.cli.contracts.common import Problems, Versioned
from fabricgen.failures.comparison import SHARES, Comparison, Smaller, Worse, Worst
from fabricgen.failures.measures import Outcome
from fabricgen.failures.report import FabricFailures


class OutcomeRow(TypedDict):
    """What a failure costs.

    gpus, servers, rails  cut off; narrowed: GPUs whose rail has lost some of its ports, not all
    leaf, unit, fabric    share of the capacity that is wanted: of the worst leaf pair and unit, and of all leaves
    hottest               load of the hottest link between switches, 1 is line rate
    apart                 leaf pairs without a route to each other; vteps: next hops of the overlay that vanish
    """

    gpus: int
    servers: int
    rails: int
    narrowed: int
    leaf: str
    unit: str
    fabric: str
    hottest: float
    apart: int
    vteps: int


class FailureClass(TypedDict):
    """Failures of the same kinds of parts that cost the same; example: one of them, as --fail takes it.

    compounds  whether two parts cost more together than each by itself, added up
    """

    parts: list[str]
    count: int
    outcome: OutcomeRow
    example: list[str]
    do: str
    compounds: bool


class FindingRow(TypedDict):
    """What is worse than it looks, and what to type."""

    name: str
    what: str
    why: str
    fix: str


class OutOfServiceRow(TypedDict):
    """Switches and servers out of service before a failure; links: without traffic, between parts in service."""

    drained: list[str]
    dead: list[str]
    absent: list[str]
    links: list[str]


class FabricRow(TypedDict):
    """One fabric: parts that can fail, failures that were looked at, the fabric as it is, classes the worst first.

    gpus, servers  in service
    """

    fabric: str
    gpus: int
    servers: int
    out_of_service: OutOfServiceRow
    parts: int
    failures: int
    base: OutcomeRow
    classes: list[FailureClass]
    findings: list[FindingRow]


class WorstRow(TypedDict):
    """The worst of all failures of a kind, each figure by itself: those of the outcome."""

    gpus: int
    rails: int
    narrowed: int
    apart: int
    vteps: int
    leaf: str
    unit: str
    fabric: str
    hottest: float


class WorseRow(TypedDict):
    """A kind of failure that costs more than before, or `no failure`: the fabric as it is. before: null if new."""

    fabric: str
    parts: list[str]
    before: WorstRow | None
    after: WorstRow


class SmallerRow(TypedDict):
    """A fabric with fewer servers in service than before."""

    fabric: str
    servers_before: int
    servers: int
    gpus_before: int
    gpus: int


class UncomparedRow(TypedDict):
    """Fabrics of one of the two plans only."""

    new: list[str]
    gone: list[str]


class WhatIf(Versioned):
    """What failures cost. below: how many leave less than the floor; null: --floor or --against was not asked."""

    site: str
    floor: str | None
    below: int
    fabrics: list[FabricRow]
    worse: list[WorseRow] | None
    smaller: list[SmallerRow] | None
    uncompared: UncomparedRow | None


DOCUMENTS = (WhatIf, Problems)


def plain(
    site: str,
    fabrics: Iterable[FabricFailures],
    floor: Fraction | None,
    below: int,
    comparison: Comparison | None,
) -> dict[str, object]:
    """The document."""
    return VERSIONED | {
        "site": site,
        "floor": str(floor) if floor is not None else None,
        "below": below,
        "fabrics": [_fabric(failures) for failures in fabrics],
        "worse": [_worse(change) for change in comparison.worse] if comparison is not None else None,
        "smaller": [_smaller(change) for change in comparison.smaller] if comparison is not None else None,
        "uncompared": _uncompared(comparison) if comparison is not None else None,
    }


def _smaller(change: Smaller) -> dict[str, object]:
    (servers_before, servers), (gpus_before, gpus) = change.servers, change.gpus
    return {
        "fabric": change.fabric,
        "servers_before": servers_before,
        "servers": servers,
        "gpus_before": gpus_before,
        "gpus": gpus,
    }


def _uncompared(comparison: Comparison) -> dict[str, object]:
    return {"new": list(comparison.new), "gone": list(comparison.gone)}


def _fabric(failures: FabricFailures) -> dict[str, object]:
    return {
        "fabric": failures.fabric,
        "gpus": failures.gpus,
        "servers": failures.servers,
        "out_of_service": {state: list(names) for state, names in failures.out._asdict().items()},
        "parts": failures.parts,
        "failures": failures.failures,
        "base": _figures(failures.base),
        "classes": [
            {
                "parts": list(row.kinds),
                "count": row.size,
                "outcome": _figures(row.outcome),
                "example": list(row.example),
                "do": row.do,
                "compounds": row.compounds,
            }
            for row in failures.rows
        ],
        "findings": [finding._asdict() for finding in failures.findings],
    }


def _figures(figures: Outcome | Worst) -> dict[str, object]:
    return figures._asdict() | {name: str(getattr(figures, name)) for name in SHARES}


def _worse(change: Worse) -> dict[str, object]:
    return {
        "fabric": change.fabric,
        "parts": list(change.kinds),
        "before": _figures(change.before) if change.before is not None else None,
        "after": _figures(change.after),
    }
