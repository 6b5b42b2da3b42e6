"""Failures of a push, counted as verify does: one cause is one finding, with its consequences below."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricgen.diff.words import count
from fabricgen.push.journal.detail import mapping, text, texts

NAMED = 3
"""Maximum number of switches named with consequences; more are counted."""


class Cause(NamedTuple):
    """One cause.

    sentence      in a sentence
    is_elsewhere  neither end of it is a switch of the wave
    checks        checks and the number of findings of each that follow from it
    devices       switches that have those
    new           all of that for which the push is responsible, a sentence each
    """

    sentence: str
    is_elsewhere: bool
    checks: tuple[tuple[str, int], ...] = ()
    devices: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    @property
    def consequences(self) -> int:
        """Number of findings that follow from it."""
        return sum(number for _, number in self.checks)

    @property
    def words(self) -> str:
        """`be-leaf-001: port swp18 is down, with 5 consequences`."""
        return f"{self.sentence}, with {_consequences(self)}" if self.consequences else self.sentence

    def detail(self, maximum: int) -> dict[str, object]:
        """The cause for the journal. maximum: number of sentences."""
        itself = {"told": self.sentence, "elsewhere": self.is_elsewhere, "checks": dict(self.checks)}
        return {**itself, "devices": list(self.devices), "new": list(self.new[:maximum])}


def causes_of(detail: Mapping[str, object]) -> tuple[Cause, ...]:
    """Causes of a journal detail; of an earlier release only their sentences."""
    elsewhere, rows = texts(detail, "elsewhere"), detail.get("causes")
    return tuple(
        _cause(row) if isinstance(row, Mapping) else Cause(str(row), str(row) in elsewhere)
        for row in (rows if isinstance(rows, list | tuple) else ())
    )


def _cause(row: Mapping[str, object]) -> Cause:
    return Cause(
        sentence=text(row, "told"),
        is_elsewhere=row.get("elsewhere") is True,
        checks=tuple((str(check), count) for check, count in mapping(row, "checks").items() if isinstance(count, int)),
        devices=texts(row, "devices"),
        new=texts(row, "new"),
    )


def failure_count(causes: Sequence[Cause], more: int) -> str:
    """`2 new failures, with 7 consequences`. more: number of causes that are not kept."""
    consequences = sum(cause.consequences for cause in causes)
    with_ = f", with {count(consequences, 'consequence', 'consequences')}" if consequences else ""
    return f"{count(len(causes) + more, 'new failure', 'new failures')}{with_}"


def first_of(causes: Sequence[Cause], more: int = 0) -> str:
    """The first cause, its consequences, and the number of other causes."""
    others = len(causes) - 1 + more
    return f"{causes[0].words}{f', and {others:,} more' if others else ''}"


def rows_of(causes: Iterable[Cause], *, details: bool) -> Iterator[str]:
    """Each cause, with its consequences below; details: with every sentence for which the push is responsible."""
    for cause in causes:
        yield cause.sentence
        if cause.consequences:
            where = ", ".join(cause.devices) if len(cause.devices) <= NAMED else f"{len(cause.devices)} switches"
            kinds = ", ".join(f"{check} {number}" for check, number in cause.checks)
            yield f"  {_consequences(cause)}: {kinds} (on {where})"
        if details:
            yield from (f"    {sentence}" for sentence in cause.new if sentence != cause.sentence)


def _consequences(cause: Cause) -> str:
    return count(cause.consequences, "consequence", "consequences")
