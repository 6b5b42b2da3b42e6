"""A switch that was taken out of service by hand, although the plan has it in service."""

from collections.abc import Iterable

from fabricgen.base.text import listed
from fabricgen.verify.judge.ledger import Ledger


def judge_maintenance(ledger: Ledger, units: Iterable[str], *, drained: bool) -> None:
    """Judge the `units` under maintenance, in the switch's own terms. A switch drained by the plan may have some."""
    in_maintenance = tuple(units)
    if not in_maintenance:
        ledger.right("reachable")
    elif not drained:
        ledger.add(
            code="in-maintenance",
            subject="the switch",
            problem="is in maintenance mode, or entering it",
            expected="in service",
            actual=listed(in_maintenance),
        )
