"""Ranked failures of a fabric: one row for all failures of the same kinds with the same outcome."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from fabricgen.failures.advice import Finding, findings, remedy
from fabricgen.failures.classes import KINDS, Classes, Failure
from fabricgen.failures.groups import Group
from fabricgen.failures.measures import Measures, Outcome
from fabricgen.failures.naming import names_of, out_of_service
from fabricgen.failures.network import Network, OutOfService, make_network
from fabricgen.failures.parts import Lost
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan


class Row(NamedTuple):
    """Failures of the same kinds with the same outcome.

    kinds      kinds of the parts that fail; size: the number of such failures
    example    names of the parts of one of them, as `--fail` takes them
    do         what to do about it; empty where the failure costs nothing
    compounds  whether the failure of two parts costs more than both single failures added up
    """

    kinds: tuple[str, ...]
    size: int
    outcome: Outcome
    example: tuple[str, ...]
    do: str
    compounds: bool = False

    @property
    def rank(self) -> tuple[object, ...]:
        """Sort key, worst first: GPUs, servers cut off, leaf pairs without a route, capacity left, hottest link."""
        outcome = self.outcome
        return -outcome.gpus, -outcome.servers, -outcome.apart, outcome.least, -outcome.hottest, self.kinds


class FabricFailures(NamedTuple):
    """Failures of one fabric.

    gpus      GPUs of the servers in service; servers: their number
    out       what is out of service before a failure
    parts     number of parts that can fail; failures: number of failures that were measured
    base      the fabric without a failure, with what is cut off already; rows: worst first, in addition to it
    """

    fabric: str
    gpus: int
    servers: int
    out: OutOfService
    parts: int
    failures: int
    base: Outcome
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]


class FabricQuestion(NamedTuple):
    """What to measure of one fabric.

    pairs   also all pairs of parts
    fail    the parts that it loses; None: every part by itself
    groups  in addition
    """

    pairs: bool
    fail: Lost | None
    groups: tuple[Group, ...]


def failures_of(plan: Plan, fabric: FabricPlan, question: FabricQuestion) -> FabricFailures:
    """Return the failures of a fabric."""
    network = make_network(plan, fabric)
    classes = Classes(network)
    failures = list(_measured(classes, question))
    parts = classes.parts()
    group_failures = [
        (Failure((f"{group.kind} {group.name}",), 1, lost, classes.measures.of(lost)))
        for group in question.groups
        if (lost := group.losses.get(fabric.name)) is not None
    ]
    rows = merged(network, classes, (*failures, *group_failures))
    return FabricFailures(
        fabric=fabric.name,
        gpus=_gpus(network),
        servers=sum(map(len, network.slots.values())),
        out=out_of_service(network),
        parts=sum(part.size for part in parts),
        failures=sum(row.size for row in rows),
        base=classes.measures.as_it_is(),
        rows=rows,
        findings=tuple(findings(network, classes.measures)) if question.fail is None else (),
    )


def _measured(classes: Classes, question: FabricQuestion) -> Iterator[Failure]:
    if question.fail is not None:
        yield Failure(("named parts",), 1, question.fail, classes.measures.of(question.fail))
        return
    yield from classes.singles()
    if question.pairs:
        yield from classes.pairs()


def _gpus(network: Network) -> int:
    rails = network.rails
    gpus_per_server = {group: group_rails.gpus * len(group_rails.ports) for group, group_rails in rails.items()}
    return round(sum((len(slots) * gpus_per_server[unit.group] for unit, slots in network.slots.items()), Fraction(0)))


def merged(network: Network, classes: Classes, failures: Iterable[Failure]) -> tuple[Row, ...]:
    """Return the rows of some failures, worst first."""
    counts: dict[tuple[tuple[str, ...], Outcome], int] = {}
    first: dict[tuple[tuple[str, ...], Outcome], Failure] = {}
    for failure in failures:
        key = failure.kinds, failure.outcome
        counts[key] = counts.get(key, 0) + failure.size
        if key not in first or (failure.compounds and not first[key].compounds):
            first[key] = failure
    rows = [_row(network, classes.measures, first[key], counts[key]) for key in counts]
    return tuple(sorted(rows, key=lambda row: row.rank))


def _row(network: Network, measures: Measures, failure: Failure, size: int) -> Row:
    example = names_of(network.fabric, failure.lost)
    # A cage is one part with several links, and a rack or a group several parts.
    is_joint = len(failure.kinds) > 1 or (failure.kinds[0] not in KINDS and len(example) > 1)
    do = remedy(network, measures, failure.lost, failure.outcome, measures.base(), joint=is_joint)
    return Row(failure.kinds, size, failure.outcome, example, do, failure.compounds)
