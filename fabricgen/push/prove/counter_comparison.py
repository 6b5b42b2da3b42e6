"""Result of the counter comparison of a wave: what was compared, over how long, what rose, what was not compared."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.base.text import listed
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
"""Maximum number of ports that a sentence names; the rest is counted."""
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
        item = self.found
        before = str(item.before) if item.before is not None else "not known"
        limit = f"{item.limit:g} per second above twice that"
        return f"{self.device} port {item.port}: {WORDS[item.kind]} {item.after}, before {before}; the limit is {limit}"


class Gauged(NamedTuple):
    """Result for one wave.

    before, after  shortest and longest time over which a switch was sampled; None where none was
    compared       counter → number of ports
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
        """The result for the journal."""
        spans = {name: None if span is None else [round(value, 1) for value in span] for name, span in self._spans()}
        texts = {"broke": self.broke, "warned": self.warned, "exempt": self.exempt, "not_compared": self.not_compared}
        return {
            **spans,
            "compared": {count.value: ports for count, ports in self.compared.items()},
            **{name: list(rows) for name, rows in texts.items()},
        }

    def _spans(self) -> Iterator[tuple[str, tuple[float, float] | None]]:
        yield from (("before", self.before), ("after", self.after))


class WaveSamples(NamedTuple):
    """Samples by switch: at the start of the run, before the wave, before drained switches return, and now.

    settled  later still, of ports that came up and counted more than their training explains; else empty
    """

    start: Mapping[str, Sample]
    before: Mapping[str, Sample]
    returning: Mapping[str, Sample]
    now: Mapping[str, Sample]
    settled: Mapping[str, Sample] = {}


class SpecialPorts(NamedTuple):
    """Ports that are judged differently.

    away    drained by the wave
    free    exempt from comparison → why
    rising  down when the wave began, and may come up
    """

    away: frozenset[Port] = frozenset()
    free: Mapping[Port, str] = {}
    rising: frozenset[Port] = frozenset()


def gauged(samples: WaveSamples, ports: SpecialPorts, wave: frozenset[str], gates: Gates) -> Gauged:
    """Compare the counters of a wave. wave: its switches; on others, server ports only warn."""
    free = ports.free
    rows = [row for name in sorted(samples.now) for row in _rows(name, samples, ports.away, gates)]
    counted = [row for row in rows if (row.device, row.found.port) not in free and not _is_training(row, ports.rising)]
    over_training = training(samples, ports)
    counted += [
        CounterRow(name, item)
        for name in sorted(over_training)
        for item in _settled(name, samples, over_training[name], gates)
    ]
    broke = [row for row in counted if row.found.level is CounterLevel.BREAKS]
    on_servers = [row for row in broke if row.device not in wave and row.found.port in samples.now[row.device].servers]
    kinds = [row.found.kind for row in counted if row.found.level is not CounterLevel.UNKNOWN]
    return Gauged(
        before=_span(samples.start, samples.before, samples.now),
        after=_span(samples.before, samples.now, samples.now),
        compared={count: kinds.count(count) for count in PortCounter if count in kinds},
        broke=tuple(str(row) for row in broke if row not in on_servers),
        warned=(
            *(str(row) for row in (*(row for row in counted if row.found.level is CounterLevel.WARNS), *on_servers)),
            *_bounced(over_training),
        ),
        exempt=tuple(_exempt({**dict.fromkeys(ports.rising, DOWN), **free})),
        not_compared=(*_unread(samples), *_unknown(counted), *_unsettled(samples, over_training)),
    )


def training(samples: WaveSamples, ports: SpecialPorts) -> Mapping[str, Mapping[str, Mapping[PortCounter, int]]]:
    """Ports that came up and counted more than their training explains, by switch, with these counters."""
    noisy_ports: dict[str, Mapping[str, Mapping[PortCounter, int]]] = {}
    for name in sorted(samples.now.keys() & samples.before.keys()):
        ports_here = [port for device, port in sorted(ports.rising - ports.free.keys()) if device == name]
        if counts_by_port := noisy((samples.before[name], samples.now[name]), ports_here):
            noisy_ports[name] = counts_by_port
    return noisy_ports


def _is_training(row: CounterRow, rising: frozenset[Port]) -> bool:
    """Whether it is a rise that a port's link training may explain."""
    rose = row.found.level in (CounterLevel.WARNS, CounterLevel.BREAKS)
    return rose and row.found.kind in TRAINED and (row.device, row.found.port) in rising


def _settled(
    name: str, samples: WaveSamples, ports: Mapping[str, Mapping[PortCounter, int]], gates: Gates
) -> Iterator[Compared]:
    """Counters of ports that came up, from then on."""
    if name in samples.settled:
        yield from settled((samples.now[name], samples.settled[name]), ports, gates)


def _rows(name: str, samples: WaveSamples, away: frozenset[Port], gates: Gates) -> Iterator[CounterRow]:
    now, before, start = samples.now[name], samples.before.get(name), samples.start.get(name)
    if before is None:
        return
    early = (start, before) if start is not None else None
    yield from (
        CounterRow(name, item) for item in compared(early, (before, now), gates) if (name, item.port) not in away
    )
    returning = samples.returning.get(name)
    if returning is not None:
        late = compared(early, (returning, now), gates)
        yield from (CounterRow(name, item) for item in late if (name, item.port) in away)


def _span(first: Mapping[str, Sample], second: Mapping[str, Sample], over: Iterable[str]) -> tuple[float, float] | None:
    durations = [seconds_between(first[name], second[name]) for name in over if name in first and name in second]
    known_durations = [seconds for seconds in durations if seconds is not None]
    return (min(known_durations), max(known_durations)) if known_durations else None


def _bounced(noisy_ports: Mapping[str, Mapping[str, Mapping[PortCounter, int]]]) -> Iterator[str]:
    for name, ports in noisy_ports.items():
        for port, counts in ports.items():
            text = ", ".join(f"{WORDS[count]} {number:,}" for count, number in counts.items())
            yield f"{name} port {port}: {text} as it came up; increases from then on count against the wave"


def _exempt(free: Mapping[Port, str]) -> Iterator[str]:
    ports = grouped((reason, f"{device} {port}") for (device, port), reason in sorted(free.items()))
    for reason, names in ports.items():
        yield f"{listed(names, most=NAMED)}: {reason}"


def _unread(samples: WaveSamples) -> Iterator[str]:
    """Counters that switches do not have, and switches that were not read in time."""
    switches: dict[tuple[str, str], list[str]] = {}
    for name, sample in sorted(samples.now.items()):
        if name not in samples.before:
            switches.setdefault(("every counter", NOT_BEFORE), []).append(name)
            continue
        for count, reason in sample.unread.items():
            switches.setdefault((WORDS[count], reason), []).append(name)
    if not_again := sorted(samples.before.keys() - samples.now.keys()):
        switches["every counter", NOT_AGAIN] = not_again
    for (counter, reason), names in switches.items():
        yield f"not compared: {counter} of {named(names)}: {reason}"


def _unsettled(samples: WaveSamples, noisy_ports: Iterable[str]) -> Iterator[str]:
    """Switches with ports that came up and that have no later sample."""
    if names := [name for name in noisy_ports if name not in samples.settled]:
        yield f"not compared: ports that came up of {named(names)}: {NOT_AGAIN}"


def _unknown(rows: Iterable[CounterRow]) -> Iterator[str]:
    ports_by_reason: dict[tuple[PortCounter, str], list[str]] = {}
    for row in rows:
        if row.found.level is CounterLevel.UNKNOWN:
            ports_by_reason.setdefault((row.found.kind, row.found.why), []).append(f"{row.device} {row.found.port}")
    for (count, reason), names in ports_by_reason.items():
        yield f"not compared: {WORDS[count]} of {listed(names, most=NAMED)}: {reason}"
