"""How the rules covered a plan: proven on its formulas, or tested on every switch."""

from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.checks.engine.check import Check
from fabricgen.plan.plan import Plan


class Coverage(NamedTuple):
    """Codes of the rules, in the order of the checks, and how many switches were tested.

    cables  whether every cable was tested, too
    """

    proven: tuple[str, ...] = ()
    streamed: tuple[str, ...] = ()
    switches: int = 0
    cables: bool = False


NO_COVERAGE = Coverage()


def coverage_of(plan: Plan, checks: Iterable[Check], switches: int) -> Coverage:
    """Return how these checks cover a plan. switches: number of tested switches."""
    pairs = [(check, check.coverage(plan)) for check in checks]
    codes = {
        kind: tuple(code for check, holds_as in pairs for code in check.codes if holds_as == kind) for _, kind in pairs
    }
    cables = any(check.usual_coverage != holds_as for check, holds_as in pairs)
    return Coverage(codes.get("proven", ()), codes.get("streamed", ()), switches, cables)


def together(first: Coverage, second: Coverage) -> Coverage:
    """Return the sum of both: a code that was streamed for one plan is not proven for all."""
    streamed = tuple(dict.fromkeys((*first.streamed, *second.streamed)))
    proven = tuple(code for code in dict.fromkeys((*first.proven, *second.proven)) if code not in streamed)
    return Coverage(proven, streamed, first.switches + second.switches, first.cables or second.cables)


def coverage_text(coverage: Coverage) -> str:
    """Return one short line, e.g. "121 checks passed: 104 on the plan, and 17 that run on each of 4,224 switches"."""
    scope = f"{coverage.switches:,} switch{'es' * (coverage.switches != 1)}{' and their cables' * coverage.cables}"
    return (
        f"{len(coverage.proven) + len(coverage.streamed)} checks passed: {len(coverage.proven)} on the plan, and "
        f"{len(coverage.streamed)} that run on each of {scope}"
    )
