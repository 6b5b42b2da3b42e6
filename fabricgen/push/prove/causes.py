"""What a push has to answer for, as verify counts it: one cause is one finding, with what follows from it below."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricgen.diff.words import count

NAMED = 3
"""Switches that are named beside consequences; of more it is told how many."""


class Cause(NamedTuple):
    """One cause.

    told          in a sentence
    is_elsewhere  neither end of it is a switch of the wave
    checks        checks and how many findings of each follow from it
    devices       switches on which those are
    new           what the push has to answer for of all that, a sentence each
    """

    told: str
    is_elsewhere: bool
    checks: tuple[tuple[str, int], ...] = ()
    devices: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    @property
    def consequences(self) -> int:
        """How many findings follow from it."""
        return sum(number for _, number in self.checks)

    @property
    def words(self) -> str:
        """`be-leaf-001: port swp18 is down, with 5 consequences`."""
        return f"{self.told}, with {_consequences(self)}" if self.consequences else self.told

    def detail(self, most: int) -> dict[str, object]:
        """As the journal keeps it. most: sentences."""
        own = {"told": self.told, "elsewhere": self.is_elsewhere, "checks": dict(self.checks)}
        return {**own, "devices": list(self.devices), "new": list(self.new[:most])}


def causes_of(detail: Mapping[str, object]) -> tuple[Cause, ...]:
    """Causes of a detail of the journal; of an earlier release no more than their sentences."""
    elsewhere = _texts(detail.get("elsewhere"))
    rows = detail.get("causes")
    found = rows if isinstance(rows, list | tuple) else ()
    return tuple(_cause(row) if isinstance(row, Mapping) else Cause(str(row), str(row) in elsewhere) for row in found)


def _cause(row: Mapping[str, object]) -> Cause:
    checks = row.get("checks")
    numbers = checks.items() if isinstance(checks, Mapping) else ()
    return Cause(
        told=str(row.get("told", "")),
        is_elsewhere=row.get("elsewhere") is True,
        checks=tuple((str(check), number) for check, number in numbers if isinstance(number, int)),
        devices=_texts(row.get("devices")),
        new=_texts(row.get("new")),
    )


def _texts(found: object) -> tuple[str, ...]:
    return tuple(map(str, found)) if isinstance(found, list | tuple) else ()


def counted(causes: Sequence[Cause], more: int) -> str:
    """`2 new failures, with 7 consequences`. more: causes that are not kept."""
    follow = sum(one.consequences for one in causes)
    with_ = f", with {count(follow, 'consequence', 'consequences')}" if follow else ""
    return f"{count(len(causes) + more, 'new failure', 'new failures')}{with_}"


def first_of(causes: Sequence[Cause], more: int = 0) -> str:
    """The first one, what follows from it, and how many more there are."""
    left = len(causes) - 1 + more
    return f"{causes[0].words}{f', and {left:,} more' if left else ''}"


def rows_of(causes: Iterable[Cause], *, details: bool) -> Iterator[str]:
    """Each cause, and below it what follows from it; details: with every sentence that the push answers for."""
    for one in causes:
        yield one.told
        if one.consequences:
            where = ", ".join(one.devices) if len(one.devices) <= NAMED else f"{len(one.devices)} switches"
            kinds = ", ".join(f"{check} {number}" for check, number in one.checks)
            yield f"  {_consequences(one)}: {kinds} (on {where})"
        if details:
            yield from (f"    {sentence}" for sentence in one.new if sentence != one.told)


def _consequences(one: Cause) -> str:
    return count(one.consequences, "consequence", "consequences")
