"""What the counters of a wave came to: what was compared, over how long, what rose, and what could not be compared."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.diff.words import named
from fabricgen.push.gates import Gates
from fabricgen.push.rates import Compared, Level, Port, Sample, compared, seconds_between
from fabricgen.state.counts import Count

NAMED = 20
"""Ports that a sentence names before it counts the rest."""
WORDS: Mapping[Count, str] = {
    Count.DROPS: "drops of the lossless class",
    Count.WATCHDOG: "hits of the PFC watchdog",
    Count.CRC: "frames with a wrong check sequence",
    Count.FEC: "code words that FEC could not mend",
    Count.FLAPS: "changes of the link",
    Count.PFC: "pause frames",
    Count.ECN: "marked packets",
}
NOT_BEFORE = "it was not asked before the wave"


class Row(NamedTuple):
    """One counter of one port of one switch."""

    device: str
    found: Compared

    def __str__(self) -> str:
        one = self.found
        before = str(one.before) if one.before is not None else "not known"
        limit = f"{one.limit:g} a second above twice that"
        return f"{self.device} port {one.port}: {WORDS[one.kind]} {one.after}, before {before}; the limit is {limit}"


class Gauged(NamedTuple):
    """Of one wave.

    before, after  shortest and longest time over which a switch was watched; None where none was
    compared       counter → ports
    broke, warned, exempt, not_compared  a sentence each
    """

    before: tuple[float, float] | None
    after: tuple[float, float] | None
    compared: Mapping[Count, int]
    broke: tuple[str, ...]
    warned: tuple[str, ...]
    exempt: tuple[str, ...]
    not_compared: tuple[str, ...]

    def detail(self) -> Mapping[str, object]:
        """As the journal keeps it."""
        spans = {name: None if span is None else [round(one, 1) for one in span] for name, span in self._spans()}
        told = {"broke": self.broke, "warned": self.warned, "exempt": self.exempt, "not_compared": self.not_compared}
        return {
            **spans,
            "compared": {count.value: ports for count, ports in self.compared.items()},
            **{name: list(rows) for name, rows in told.items()},
        }

    def _spans(self) -> Iterator[tuple[str, tuple[float, float] | None]]:
        yield from (("before", self.before), ("after", self.after))


class Looks(NamedTuple):
    """Samples by switch: as the run began, before the wave, before the return of what it drained, and now."""

    start: Mapping[str, Sample]
    before: Mapping[str, Sample]
    returning: Mapping[str, Sample]
    now: Mapping[str, Sample]


def gauged(looks: Looks, away: frozenset[Port], free: Mapping[Port, str], own: frozenset[str], gates: Gates) -> Gauged:
    """Compare the counters of a wave.

    away  ports that the wave drained
    free  ports that are not held against it → why
    own   switches of the wave: of others a port to a server may do what it likes, and is only told
    """
    rows = [row for name in sorted(looks.now) for row in _rows(name, looks, away, gates)]
    held = [row for row in rows if (row.device, row.found.port) not in free]
    broke = [row for row in held if row.found.level is Level.BREAKS]
    beside = [row for row in broke if row.device not in own and row.found.port in looks.now[row.device].servers]
    counted = [row.found.kind for row in held if row.found.level is not Level.UNKNOWN]
    return Gauged(
        before=_span(looks.start, looks.before, looks.now),
        after=_span(looks.before, looks.now, looks.now),
        compared={count: counted.count(count) for count in Count if count in counted},
        broke=tuple(str(row) for row in broke if row not in beside),
        warned=tuple(str(row) for row in (*(row for row in held if row.found.level is Level.WARNS), *beside)),
        exempt=tuple(_exempt(free)),
        not_compared=(*_unread(looks), *_unknown(held)),
    )


def _rows(name: str, looks: Looks, away: frozenset[Port], gates: Gates) -> Iterator[Row]:
    now, before, start = looks.now[name], looks.before.get(name), looks.start.get(name)
    if before is None:
        return
    early = (start, before) if start is not None else None
    yield from (Row(name, one) for one in compared(early, (before, now), gates) if (name, one.port) not in away)
    returning = looks.returning.get(name)
    if returning is not None:
        late = compared(early, (returning, now), gates)
        yield from (Row(name, one) for one in late if (name, one.port) in away)


def _span(first: Mapping[str, Sample], second: Mapping[str, Sample], over: Iterable[str]) -> tuple[float, float] | None:
    both = [seconds_between(first[name], second[name]) for name in over if name in first and name in second]
    known = [seconds for seconds in both if seconds is not None]
    return (min(known), max(known)) if known else None


def _exempt(free: Mapping[Port, str]) -> Iterator[str]:
    ports: dict[str, list[str]] = {}
    for (device, port), why in sorted(free.items()):
        ports.setdefault(why, []).append(f"{device} {port}")
    for why, names in ports.items():
        yield f"{_listed(names)}: {why}"


def _unread(looks: Looks) -> Iterator[str]:
    """Counters that switches do not have, and switches that were not asked in time."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, one in sorted(looks.now.items()):
        if name not in looks.before:
            found.setdefault(("every counter", NOT_BEFORE), []).append(name)
            continue
        for count, why in one.unread.items():
            found.setdefault((WORDS[count], why), []).append(name)
    for (what, why), names in found.items():
        yield f"not compared: {what} of {named(names)}: {why}"


def _unknown(rows: Iterable[Row]) -> Iterator[str]:
    found: dict[tuple[Count, str], list[str]] = {}
    for row in rows:
        if row.found.level is Level.UNKNOWN:
            found.setdefault((row.found.kind, row.found.why), []).append(f"{row.device} {row.found.port}")
    for (count, why), names in found.items():
        yield f"not compared: {WORDS[count]} of {_listed(names)}: {why}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
