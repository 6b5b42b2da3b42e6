"""What the counters of a wave came to: what was compared, over how long, what rose, and what could not be compared."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.diff.words import named
from fabricgen.push.plan.gates import Gates
from fabricgen.push.prove.counter_rates import (
    TRAINED,
    Compared,
    CounterLevel,
    Port,
    Sample,
    compared,
    noisy,
    seconds_between,
    settled,
)
from fabricgen.push.prove.exempt import DOWN
from fabricgen.state.counts import PortCounter

NAMED = 20
"""Ports that a sentence names before it counts the rest."""
WORDS: Mapping[PortCounter, str] = {
    PortCounter.DROPS: "drops of the lossless class",
    PortCounter.WATCHDOG: "hits of the PFC watchdog",
    PortCounter.CRC: "FCS errors",
    PortCounter.FEC: "FEC uncorrectable codewords",
    PortCounter.FLAPS: "link flaps",
    PortCounter.PFC: "pause frames",
    PortCounter.ECN: "marked packets",
}
NOT_BEFORE = "it was not read before the wave"
NOT_AGAIN = "it was not read again"


class CounterRow(NamedTuple):
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
    compared: Mapping[PortCounter, int]
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
    """Samples by switch: as the run began, before the wave, before the return of what it drained, and now.

    settled  later still, of ports that have come up and counted more than that takes; else empty
    """

    start: Mapping[str, Sample]
    before: Mapping[str, Sample]
    returning: Mapping[str, Sample]
    now: Mapping[str, Sample]
    settled: Mapping[str, Sample] = {}


class SpecialPorts(NamedTuple):
    """Ports that are another matter than the rest.

    away    the wave drained them
    free    they are not held against it → why
    rising  they were down when it began, and may come up
    """

    away: frozenset[Port] = frozenset()
    free: Mapping[Port, str] = {}
    rising: frozenset[Port] = frozenset()


def gauged(looks: Looks, ports: SpecialPorts, own: frozenset[str], gates: Gates) -> Gauged:
    """Compare the counters of a wave. own: its switches; of others a port to a server is only told of."""
    free = ports.free
    rows = [row for name in sorted(looks.now) for row in _rows(name, looks, ports.away, gates)]
    held = [row for row in rows if (row.device, row.found.port) not in free and not _is_training(row, ports.rising)]
    loud = training(looks, ports)
    held += [CounterRow(name, one) for name in sorted(loud) for one in _settled(name, looks, loud[name], gates)]
    broke = [row for row in held if row.found.level is CounterLevel.BREAKS]
    beside = [row for row in broke if row.device not in own and row.found.port in looks.now[row.device].servers]
    counted = [row.found.kind for row in held if row.found.level is not CounterLevel.UNKNOWN]
    return Gauged(
        before=_span(looks.start, looks.before, looks.now),
        after=_span(looks.before, looks.now, looks.now),
        compared={count: counted.count(count) for count in PortCounter if count in counted},
        broke=tuple(str(row) for row in broke if row not in beside),
        warned=(
            *(str(row) for row in (*(row for row in held if row.found.level is CounterLevel.WARNS), *beside)),
            *_bounced(loud),
        ),
        exempt=tuple(_exempt({**dict.fromkeys(ports.rising, DOWN), **free})),
        not_compared=(*_unread(looks), *_unknown(held), *_unsettled(looks, loud)),
    )


def training(looks: Looks, ports: SpecialPorts) -> Mapping[str, Mapping[str, Mapping[PortCounter, int]]]:
    """Ports that came up and counted more than that takes, by switch, and what."""
    found: dict[str, Mapping[str, Mapping[PortCounter, int]]] = {}
    for name in sorted(looks.now.keys() & looks.before.keys()):
        own = [port for device, port in sorted(ports.rising - ports.free.keys()) if device == name]
        if loud := noisy((looks.before[name], looks.now[name]), own):
            found[name] = loud
    return found


def _is_training(row: CounterRow, rising: frozenset[Port]) -> bool:
    """Whether it is a rise that a port's coming up makes, or may."""
    rose = row.found.level in (CounterLevel.WARNS, CounterLevel.BREAKS)
    return rose and row.found.kind in TRAINED and (row.device, row.found.port) in rising


def _settled(
    name: str, looks: Looks, ports: Mapping[str, Mapping[PortCounter, int]], gates: Gates
) -> Iterator[Compared]:
    """What ports count that have come up, from then on."""
    if name in looks.settled:
        yield from settled((looks.now[name], looks.settled[name]), ports, gates)


def _rows(name: str, looks: Looks, away: frozenset[Port], gates: Gates) -> Iterator[CounterRow]:
    now, before, start = looks.now[name], looks.before.get(name), looks.start.get(name)
    if before is None:
        return
    early = (start, before) if start is not None else None
    yield from (CounterRow(name, one) for one in compared(early, (before, now), gates) if (name, one.port) not in away)
    returning = looks.returning.get(name)
    if returning is not None:
        late = compared(early, (returning, now), gates)
        yield from (CounterRow(name, one) for one in late if (name, one.port) in away)


def _span(first: Mapping[str, Sample], second: Mapping[str, Sample], over: Iterable[str]) -> tuple[float, float] | None:
    both = [seconds_between(first[name], second[name]) for name in over if name in first and name in second]
    known = [seconds for seconds in both if seconds is not None]
    return (min(known), max(known)) if known else None


def _bounced(loud: Mapping[str, Mapping[str, Mapping[PortCounter, int]]]) -> Iterator[str]:
    for name, ports in loud.items():
        for port, counts in ports.items():
            what = ", ".join(f"{WORDS[count]} {number:,}" for count, number in counts.items())
            yield f"{name} port {port}: {what} as it came up; what it counts from then on is held against the wave"


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
    if gone := sorted(looks.before.keys() - looks.now.keys()):
        found["every counter", NOT_AGAIN] = gone
    for (what, why), names in found.items():
        yield f"not compared: {what} of {named(names)}: {why}"


def _unsettled(looks: Looks, loud: Iterable[str]) -> Iterator[str]:
    """Switches with ports that came up, which did not say whether these count on."""
    if names := [name for name in loud if name not in looks.settled]:
        yield f"not compared: ports that came up of {named(names)}: {NOT_AGAIN}"


def _unknown(rows: Iterable[CounterRow]) -> Iterator[str]:
    found: dict[tuple[PortCounter, str], list[str]] = {}
    for row in rows:
        if row.found.level is CounterLevel.UNKNOWN:
            found.setdefault((row.found.kind, row.found.why), []).append(f"{row.device} {row.found.port}")
    for (count, why), names in found.items():
        yield f"not compared: {WORDS[count]} of {_listed(names)}: {why}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
