"""Port counters in two samples, compared with two earlier ones: which rose, and which cannot be compared. Pure.

A counter that decreased was cleared, has wrapped, or its daemon or the switch restarted: it has no rate then.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.push.plan.gates import TIMES, Gates
from fabricgen.push.prove.idle_ports import drained_ports
from fabricgen.state.counts import CounterSource, PortCounter
from fabricgen.state.state import LINKS, MARKS, QUEUE_DROPS, PortCounters, State
from fabricgen.verify.expect.ports import SERVERS
from fabricgen.verify.expect.qos import queues

Port = tuple[str, str]
"""Switch and port."""
OF_LINKS: Mapping[PortCounter, str] = {
    PortCounter.FLAPS: "flaps",
    PortCounter.CRC: "crc",
    PortCounter.FEC: "fec",
    PortCounter.WATCHDOG: "watchdog",
}
"""Counter → field of LinkCounters."""
HALVES = {PortCounter.DROPS: QUEUE_DROPS, PortCounter.ECN: MARKS}
TRAINED = {PortCounter.FLAPS: 1, PortCounter.CRC: 0, PortCounter.FEC: 0}
"""Default maximum for a port that comes up.

Errors during link training are no fault of it: "During the link training sequence, assorted errors may be observed", a
normal part of it, also where cables were moved (Intel Omni-Path Fabric Suite FM GUI 10.5, help on integrity counters;
no vendor was found to say either of Ethernet). So a port with more than that is judged by its counters from then on.
"""
NO_PORT = "none of its ports shows such a counter"
NOT_LOSSLESS = "the plan has no lossless class on it"
NOT_SAID = "it was not read"
NO_TIME = "the time of the sample is unknown"
WENT_BACK = "the counter decreased: it was cleared, has wrapped, or its daemon or the switch was restarted"


class Sample(NamedTuple):
    """Counters of the ports of one switch that the plan uses.

    at       seconds of the run's clock, which nobody sets; None where unknown
    counts   counter → port → number
    unread   counter → why it has none
    servers  ports whose far end is a server
    drained  ports that the intent drains
    cables   port → switch and port at its far end
    down     ports that are down
    """

    at: float | None
    counts: Mapping[PortCounter, Mapping[str, int]]
    unread: Mapping[PortCounter, str]
    servers: frozenset[str] = frozenset()
    drained: frozenset[str] = frozenset()
    cables: Mapping[str, Port] = {}
    down: frozenset[str] = frozenset()


def sample(device: Device, state: State, at: float | None, sources: Mapping[PortCounter, CounterSource]) -> Sample:
    """Port counters of a switch. sources: Reader.counts."""
    rows = [row for row in device.interfaces.ethernet if row.enabled and not row.dead]
    used, queues_of = {row.name for row in rows}, {row.port: row for row in queues(device) if row.port}
    links = {entry.port: entry for entry in state.links or () if entry.port in used}
    ports = {entry.port: entry for entry in state.counters or () if entry.port in used & queues_of.keys()}
    counts: dict[PortCounter, Mapping[str, int]] = {}
    unread: dict[PortCounter, str] = {}
    for count in PortCounter:
        if count in OF_LINKS:
            values = {port: getattr(entry, OF_LINKS[count]) for port, entry in links.items()}
        elif count is PortCounter.DROPS:
            values = {port: _dropped(entry, queues_of[port].lossless) for port, entry in ports.items()}
        elif count is PortCounter.PFC:
            values = {port: _frames(entry) for port, entry in ports.items()}
        else:
            values = {port: _marked(entry) for port, entry in ports.items()}
        numbers = {port: number for port, number in values.items() if number is not None}
        if numbers:
            counts[count] = numbers
        else:
            unread[count] = _why(count, state, sources, is_lossless=bool(queues_of))
    return Sample(
        at=at,
        counts=counts,
        unread=unread,
        servers=frozenset(row.name for row in rows if row.profile.role in SERVERS),
        drained=frozenset(used if device.state != "active" else drained_ports(device)),
        cables={row.name: (row.peer, row.peer_port) for row in rows if row.peer},
        down=frozenset(entry.name for entry in state.interfaces or () if entry.name in used and not entry.oper_up),
    )


def _dropped(counters: PortCounters, lossless: tuple[int, ...]) -> int | None:
    packets = [row.packets for row in counters.dropped if row.classes and set(row.classes) <= set(lossless)]
    return sum(packets) if packets else None


def _frames(counters: PortCounters) -> int | None:
    frames = [number for number in (counters.pfc_received, counters.pfc_sent) if number >= 0]
    return sum(frames) if frames else None


def _marked(counters: PortCounters) -> int | None:
    marks = [packets for _, packets in counters.ecn_marked if packets is not None]
    return sum(marks) if marks else None


def _why(count: PortCounter, state: State, sources: Mapping[PortCounter, CounterSource], *, is_lossless: bool) -> str:
    """Why a switch has no such counter."""
    source = sources.get(count)
    if source is None or not source.is_read:
        return source.words if source is not None else NOT_SAID
    if count in OF_LINKS:
        part = LINKS[OF_LINKS[count]]
        return state.unread.get("links" if state.links is None else part, NO_PORT)
    if not is_lossless:
        return NOT_LOSSLESS
    return state.unread.get("counters" if state.counters is None else HALVES.get(count, ""), NO_PORT)


class Rate(NamedTuple):
    """A number of events in a number of seconds."""

    events: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Events per second."""
        return self.events / self.seconds

    def __str__(self) -> str:
        return f"{self.per_second:.3g} per second ({self.events:,} in {self.seconds:.0f} s)"


class CounterLevel(StrEnum):
    """How a counter of a port counts."""

    QUIET = "quiet"
    WARNS = "warns"
    BREAKS = "breaks"
    UNKNOWN = "unknown"


class Compared(NamedTuple):
    """One counter of one port. why: of UNKNOWN; else empty. limit: of WARNS and BREAKS."""

    port: str
    kind: PortCounter
    level: CounterLevel
    before: Rate | None = None
    after: Rate | None = None
    limit: float = 0
    why: str = ""


def seconds_between(first: Sample, second: Sample) -> float | None:
    """Seconds from one sample to the next; None where unknown."""
    return None if first.at is None or second.at is None else second.at - first.at


Span = tuple[Sample, Sample]
"""Two samples of one switch, in their order."""


def compared(early: Span | None, late: Span, gates: Gates) -> Iterator[Compared]:
    """Each counter of each port of one switch during a wave, compared with its rate before.

    early  None where the switch was not read twice before the wave
    """
    seconds = seconds_between(*late)
    for count, at_last in late[1].counts.items():
        at_first = late[0].counts.get(count, {})
        for port in sorted(at_first.keys() | at_last.keys()):
            first, last = at_first.get(port), at_last.get(port)
            rates = _before(early, count, port), _rate(first, last, seconds)
            yield _judged(port, count, rates, gates, _reason(first, last, seconds, gates.window))


def noisy(late: Span, ports: Iterable[str]) -> Mapping[str, Mapping[PortCounter, int]]:
    """Ports that came up during a wave and counted more than their training explains, with these counters."""
    excess: dict[str, dict[PortCounter, int]] = {}
    for count, allowed in TRAINED.items():
        first, last = (reading.counts.get(count, {}) for reading in late)
        for port in ports:
            increase = last.get(port, 0) - first.get(port, 0)
            if increase > allowed:
                excess.setdefault(port, {})[count] = increase
    return excess


def settled(late: Span, ports: Mapping[str, Iterable[PortCounter]], gates: Gates) -> Iterator[Compared]:
    """Counters of ports that came up, between two later samples: while down, they had counted nothing."""
    seconds, nothing = seconds_between(*late), Rate(0, gates.window)
    for port, counts in sorted(ports.items()):
        for count in counts:
            first, last = (reading.counts.get(count, {}).get(port) for reading in late)
            rates = nothing, _rate(first, last, seconds)
            yield _judged(port, count, rates, gates, _reason(first, last, seconds, gates.window))


def _before(early: Span | None, count: PortCounter, port: str) -> Rate | None:
    if early is None:
        return None
    first, second = (reading.counts.get(count, {}).get(port) for reading in early)
    return _rate(first, second, seconds_between(*early))


def _rate(first: int | None, second: int | None, seconds: float | None) -> Rate | None:
    if first is None or second is None or seconds is None or seconds <= 0 or second < first:
        return None
    return Rate(second - first, seconds)


def _reason(first: int | None, second: int | None, seconds: float | None, window: float) -> str:
    """Why a counter has no rate for the wave; empty where it has."""
    if second is None:
        return "it is no longer shown"
    if first is None:
        return "it was not shown before the wave"
    if seconds is None:
        return NO_TIME
    if second < first:
        return WENT_BACK
    return "" if seconds >= window else f"{seconds:.0f} s between the samples, less than {window:g}"


def _judged(
    port: str, count: PortCounter, rates: tuple[Rate | None, Rate | None], gates: Gates, reason: str
) -> Compared:
    before, after = rates
    if reason or after is None:
        return Compared(port, count, CounterLevel.UNKNOWN, before, after, why=reason or NO_TIME)
    # No events in the wave: fine, even if the rate before is unknown.
    if not after.events:
        return Compared(port, count, CounterLevel.QUIET, before, after)
    if before is None or before.seconds < gates.window:
        reason_text = f"{after.events:,} in {after.seconds:.0f} s, and its rate before the wave is unknown"
        return Compared(port, count, CounterLevel.UNKNOWN, before, after, why=reason_text)
    gate, excess = gates.by_count[count], after.per_second - TIMES * before.per_second
    if gate.revert is not None and excess > gate.revert:
        return Compared(port, count, CounterLevel.BREAKS, before, after, gate.revert)
    if gate.warn is not None and excess > gate.warn:
        return Compared(port, count, CounterLevel.WARNS, before, after, gate.warn)
    return Compared(port, count, CounterLevel.QUIET, before, after)
