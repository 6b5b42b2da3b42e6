"""Failures of a site, ranked: one row for all that are of the same kinds and cost the same."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from fabricgen.failures.advice import Finding, findings, remedy
from fabricgen.failures.classes import Classes, Failure
from fabricgen.failures.groups import Group
from fabricgen.failures.measures import Outcome
from fabricgen.failures.naming import names_of
from fabricgen.failures.network import Network, make_network
from fabricgen.failures.parts import Lost
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan


class Row(NamedTuple):
    """Failures of the same kinds that cost the same.

    kinds    of the parts that fail; size: how many such failures there are
    example  one of them, as `--fail` takes it
    do       what to do about it; empty where it costs nothing
    compounds  whether two parts cost more together than each by itself, added up
    """

    kinds: tuple[str, ...]
    size: int
    outcome: Outcome
    example: tuple[str, ...]
    do: str
    compounds: bool = False

    @property
    def rank(self) -> tuple[object, ...]:
        """The worst first: GPUs cut off, leaf pairs without a route, capacity left, the hottest link."""
        found = self.outcome
        return -found.gpus, -found.servers, -found.apart, found.least, -found.hottest, self.kinds


class FabricFailures(NamedTuple):
    """Failures of one fabric.

    gpus   of the servers that are there; parts: how many can fail, `failures` how many were looked at
    base   the fabric as it is; rows: the worst first
    """

    fabric: str
    gpus: int
    parts: int
    failures: int
    base: Outcome
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]


class Question(NamedTuple):
    """What is asked: all pairs of parts, too; or one failure of named parts; groups besides."""

    pairs: bool = False
    fail: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()


class FabricQuestion(NamedTuple):
    """A question, of one fabric. fail: what is lost there; None: every part by itself."""

    pairs: bool
    fail: Lost | None
    groups: tuple[Group, ...]


def failures_of(plan: Plan, fabric: FabricPlan, asked: FabricQuestion) -> FabricFailures:
    """Failures of a fabric."""
    network = make_network(plan, fabric)
    classes = Classes(network)
    found = list(_asked(classes, asked))
    parts = classes.parts()
    grouped = [
        (Failure((f"{group.kind} {group.name}",), 1, lost, classes.measures.of(lost)))
        for group in asked.groups
        if (lost := group.losses.get(fabric.name)) is not None
    ]
    rows = merged(network, classes, (*found, *grouped))
    return FabricFailures(
        fabric=fabric.name,
        gpus=_gpus(network),
        parts=sum(part.size for part in parts),
        failures=sum(row.size for row in rows),
        base=classes.measures.base(),
        rows=rows,
        findings=tuple(findings(network, classes.measures)) if asked.fail is None else (),
    )


def _asked(classes: Classes, asked: FabricQuestion) -> Iterator[Failure]:
    if asked.fail is not None:
        yield Failure(("named parts",), 1, asked.fail, classes.measures.of(asked.fail))
        return
    yield from classes.singles()
    if asked.pairs:
        yield from classes.pairs()


def _gpus(network: Network) -> int:
    rails = network.rails
    each = {group: found.gpus * len(found.ports) for group, found in rails.items()}
    return round(sum((len(slots) * each[unit.group] for unit, slots in network.slots.items()), Fraction(0)))


def merged(network: Network, classes: Classes, found: Iterable[Failure]) -> tuple[Row, ...]:
    """Rows of failures, the worst first."""
    counts: dict[tuple[tuple[str, ...], Outcome], int] = {}
    first: dict[tuple[tuple[str, ...], Outcome], Failure] = {}
    for failure in found:
        key = failure.kinds, failure.outcome
        counts[key] = counts.get(key, 0) + failure.size
        if key not in first or (failure.compounds and not first[key].compounds):
            first[key] = failure
    base = classes.measures.base()
    rows = [
        Row(
            kinds,
            counts[kinds, outcome],
            outcome,
            names_of(network.fabric, first[kinds, outcome].lost),
            remedy(network, classes.measures, first[kinds, outcome].lost, outcome, base),
            first[kinds, outcome].compounds,
        )
        for kinds, outcome in counts
    ]
    return tuple(sorted(rows, key=lambda row: row.rank))
