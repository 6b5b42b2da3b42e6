"""Counters of ports in two samples, and before that in two others: which rose, and what cannot be compared. Pure.

A counter that falls was cleared, has wrapped, or its daemon or the switch started again: it says nothing of its time.
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
"""What a port may count that comes up, without a word. Errors beside a link's training are no fault of it: "During the
link training sequence, assorted errors may be observed", a normal part of it, also where cables were moved (Intel
Omni-Path Fabric Suite FM GUI 10.5, help on integrity counters; of Ethernet no maker was found to say either). So a port
with more than that is held against what it counts from then on."""
NO_PORT = "no port of it shows such a counter"
NOT_LOSSLESS = "the plan has no lossless class there"
NOT_SAID = "it was not read"
NO_TIME = "when it was asked is not known"
WENT_BACK = "the counter went back: it was cleared, has wrapped, or began again with its daemon or the switch"


class Sample(NamedTuple):
    """Counters of the ports of one switch that the plan has in use.

    at       seconds of the run's clock, which nobody sets; None where nobody knows
    counts   counter → port → how many
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
    """What a switch has counted. sources: Reader.counts."""
    rows = [row for row in device.interfaces.ethernet if row.enabled and not row.dead]
    used, wanted = {row.name for row in rows}, {row.port: row for row in queues(device) if row.port}
    links = {one.port: one for one in state.links or () if one.port in used}
    ports = {one.port: one for one in state.counters or () if one.port in used & wanted.keys()}
    counts: dict[PortCounter, Mapping[str, int]] = {}
    unread: dict[PortCounter, str] = {}
    for count in PortCounter:
        if count in OF_LINKS:
            said = {port: getattr(one, OF_LINKS[count]) for port, one in links.items()}
        elif count is PortCounter.DROPS:
            said = {port: _dropped(one, wanted[port].lossless) for port, one in ports.items()}
        elif count is PortCounter.PFC:
            said = {port: _frames(one) for port, one in ports.items()}
        else:
            said = {port: _marked(one) for port, one in ports.items()}
        found = {port: number for port, number in said.items() if number is not None}
        if found:
            counts[count] = found
        else:
            unread[count] = _why(count, state, sources, is_lossless=bool(wanted))
    return Sample(
        at=at,
        counts=counts,
        unread=unread,
        servers=frozenset(row.name for row in rows if row.profile.role in SERVERS),
        drained=frozenset(used if device.state != "active" else drained_ports(device)),
        cables={row.name: (row.peer, row.peer_port) for row in rows if row.peer},
        down=frozenset(one.name for one in state.interfaces or () if one.name in used and not one.oper_up),
    )


def _dropped(one: PortCounters, lossless: tuple[int, ...]) -> int | None:
    own = [row.packets for row in one.dropped if row.classes and set(row.classes) <= set(lossless)]
    return sum(own) if own else None


def _frames(one: PortCounters) -> int | None:
    said = [number for number in (one.pfc_received, one.pfc_sent) if number >= 0]
    return sum(said) if said else None


def _marked(one: PortCounters) -> int | None:
    said = [packets for _, packets in one.ecn_marked if packets is not None]
    return sum(said) if said else None


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
    """So many events in so many seconds."""

    events: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Events a second."""
        return self.events / self.seconds

    def __str__(self) -> str:
        return f"{self.per_second:.3g} a second ({self.events:,} in {self.seconds:.0f} s)"


class CounterLevel(StrEnum):
    """What becomes of a counter of a port."""

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
    """Seconds from one sample to the next; None where that is not known."""
    return None if first.at is None or second.at is None else second.at - first.at


Span = tuple[Sample, Sample]
"""Two samples of one switch, in their order."""


def compared(early: Span | None, late: Span, gates: Gates) -> Iterator[Compared]:
    """Each counter of each port of one switch in the time of a wave, against its rate before.

    early  None where the switch was not read twice before the wave
    """
    seconds = seconds_between(*late)
    for count, now in late[1].counts.items():
        was = late[0].counts.get(count, {})
        for port in sorted(was.keys() | now.keys()):
            first, last = was.get(port), now.get(port)
            rates = _before(early, count, port), _rate(first, last, seconds)
            yield _judged(port, count, rates, gates, _reason(first, last, seconds, gates.window))


def noisy(late: Span, ports: Iterable[str]) -> Mapping[str, Mapping[PortCounter, int]]:
    """Of ports that came up in the time of a wave those that counted more than that takes, and what."""
    found: dict[str, dict[PortCounter, int]] = {}
    for count, allowed in TRAINED.items():
        first, last = (one.counts.get(count, {}) for one in late)
        for port in ports:
            more = last.get(port, 0) - first.get(port, 0)
            if more > allowed:
                found.setdefault(port, {})[count] = more
    return found


def settled(late: Span, ports: Mapping[str, Iterable[PortCounter]], gates: Gates) -> Iterator[Compared]:
    """These counters of ports that have come up, between two samples since: what was down counted nothing before."""
    seconds, nothing = seconds_between(*late), Rate(0, gates.window)
    for port, counts in sorted(ports.items()):
        for count in counts:
            first, last = (one.counts.get(count, {}).get(port) for one in late)
            rates = nothing, _rate(first, last, seconds)
            yield _judged(port, count, rates, gates, _reason(first, last, seconds, gates.window))


def _before(early: Span | None, count: PortCounter, port: str) -> Rate | None:
    if early is None:
        return None
    first, second = (one.counts.get(count, {}).get(port) for one in early)
    return _rate(first, second, seconds_between(*early))


def _rate(first: int | None, second: int | None, seconds: float | None) -> Rate | None:
    if first is None or second is None or seconds is None or seconds <= 0 or second < first:
        return None
    return Rate(second - first, seconds)


def _reason(first: int | None, second: int | None, seconds: float | None, window: float) -> str:
    """Why the time of a wave tells nothing of a counter; empty where it does."""
    if second is None:
        return "it is not shown any more"
    if first is None:
        return "it was not shown before the wave"
    if seconds is None:
        return NO_TIME
    if second < first:
        return WENT_BACK
    return "" if seconds >= window else f"{seconds:.0f} s are between the samples, fewer than {window:g}"


def _judged(
    port: str, count: PortCounter, rates: tuple[Rate | None, Rate | None], gates: Gates, reason: str
) -> Compared:
    before, after = rates
    if reason or after is None:
        return Compared(port, count, CounterLevel.UNKNOWN, before, after, why=reason or NO_TIME)
    if not after.events:
        return Compared(port, count, CounterLevel.QUIET, before, after)
    if before is None or before.seconds < gates.window:
        why = f"{after.events:,} in {after.seconds:.0f} s, and its rate before the wave is not known"
        return Compared(port, count, CounterLevel.UNKNOWN, before, after, why=why)
    gate, more = gates.by_count[count], after.per_second - TIMES * before.per_second
    if gate.revert is not None and more > gate.revert:
        return Compared(port, count, CounterLevel.BREAKS, before, after, gate.revert)
    if gate.warn is not None and more > gate.warn:
        return Compared(port, count, CounterLevel.WARNS, before, after, gate.warn)
    return Compared(port, count, CounterLevel.QUIET, before, after)
