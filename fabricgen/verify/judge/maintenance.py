"""A switch that someone took out of service by hand, though the plan has it in service."""

from collections.abc import Iterable

from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.ledger import Ledger, listed


def judge_maintenance(book: Ledger, units: Iterable[str], *, drained: bool) -> None:
    """`units` under maintenance, as the switch calls them. One that is drained by the plan may have some."""
    found = tuple(units)
    if not found:
        book.right("reachable")
    elif not drained:
        book.wrong(
            Finding(
                device=book.device,
                check="reachable",
                code="in-maintenance",
                subject="the switch",
                problem="is under maintenance, or enters it",
                expected="in service",
                actual=listed(found),
            )
        )
