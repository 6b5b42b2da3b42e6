"""How the rules were held to a plan: proven on its formulas, or by a look at every switch."""

from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.checks.engine.check import Check
from fabricgen.plan.plan import Plan


class Coverage(NamedTuple):
    """Codes of the rules, each in the order of the checks, and how many switches were looked at.

    cables  whether every cable was looked at, too
    """

    proven: tuple[str, ...] = ()
    streamed: tuple[str, ...] = ()
    switches: int = 0
    cables: bool = False


NOTHING_HELD = Coverage()


def held(plan: Plan, checks: Iterable[Check], switches: int) -> Coverage:
    """How these checks hold for a plan. switches: how many were looked at."""
    every = [(check, check.held(plan)) for check in checks]
    codes = {how: tuple(code for check, found in every for code in check.codes if found == how) for _, how in every}
    cables = any(check.holds != found for check, found in every)
    return Coverage(codes.get("proven", ()), codes.get("streamed", ()), switches, cables)


def together(one: Coverage, two: Coverage) -> Coverage:
    """Both: what was streamed for one of them was not proven for all."""
    streamed = tuple(dict.fromkeys((*one.streamed, *two.streamed)))
    proven = tuple(code for code in dict.fromkeys((*one.proven, *two.proven)) if code not in streamed)
    return Coverage(proven, streamed, one.switches + two.switches, one.cables or two.cables)


def held_text(found: Coverage) -> str:
    """One short line, e.g. "121 checks passed, 17 of them on each of 4,224 switches"."""
    what = f"{found.switches:,} switch{'es' * (found.switches != 1)}{' and their cables' * found.cables}"
    return f"{len(found.proven) + len(found.streamed)} checks passed, {len(found.streamed)} of them on each of {what}"


def held_values(found: Coverage) -> dict[str, object]:
    """The same for --json."""
    return found._asdict()
