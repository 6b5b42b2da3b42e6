"""PFC, ECN and drop counters of EOS ports. Chips count them; vEOS and cEOS have none (ANTA skips them there).

ANTA calls a queue whose counter is `-` not configured: either ECN or its counter is off. `random-detect ecn count`
under the queue and, on some chips, `hardware counter feature ecn out` enable the counter.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import starmap
from typing import TypeVar

from fabricgen.platforms.base.live.values import NotUnderstoodError, count, number, table, whole
from fabricgen.state.counts import PortCounter, not_read, read_by
from fabricgen.state.state import Drops, LinkCounters, PortCounters

T = TypeVar("T")

VIRTUAL = ("cEOSLab", "vEOS-lab", "cEOSCloudLab", "vEOS")
"""Models without queues to count (ANTA, skip_on_platforms of its PFC and ECN tests)."""

COUNTS = {
    PortCounter.DROPS: read_by(
        "`show interfaces counters queue detail` and `… queue drops` (ANTA, revision 1), by class"
    ),
    PortCounter.WATCHDOG: read_by(
        "`show priority-flow-control counters watchdog`, `stuckCount` (facebook/DNE-TaaC, its PFC watchdog check); "
        "unsure: no recorded answer"
    ),
    PortCounter.CRC: read_by(
        "`show interfaces`, `inputErrorsDetail.fcsErrors` (ANTA's tests of VerifyInterfaceErrors)"
    ),
    PortCounter.FEC: not_read(
        "`show interfaces phy detail` has it; on a watched switch most of these did not move for months (notes "
        "of an exporter, arista_phy_fec_uncorrected_codewords)"
    ),
    PortCounter.FLAPS: read_by("`show interfaces`, `linkStatusChanges` (ANTA's tests); both ways are counted"),
    PortCounter.PFC: read_by("`show priority-flow-control counters` (ANTA VerifyInterfacesPFCCounters)"),
    PortCounter.ECN: read_by("`show qos interfaces ecn counters queue` (ANTA VerifyInterfacesECNCounters)"),
}
"""Source of each port counter. vEOS and cEOS have no queue counters."""

_PORT = re.compile(r"Ethernet[\d/]+", re.ASCII)
_CLASS = re.compile(r"TC([0-7])(?:-([0-7]))?", re.ASCII)
_NOT_CONFIGURED = "-"
# Frames of a port without PFC counters.
_SILENT = (-1, -1)

PerQueue = Mapping[str, tuple[tuple[int, int | None], ...]]
"""Port → (queue, packets marked; None: it does not mark)."""
PerClass = Mapping[str, tuple[Drops, ...]]
"""Port → drops by class."""


def counters(frames: Mapping[str, tuple[int, int]], marks: PerQueue, drops: PerClass) -> tuple[PortCounters, ...]:
    """Counters of every port that is in any of the three tables."""
    return tuple(
        PortCounters(port, *frames.get(port, _SILENT), marks.get(port, ()), drops.get(port, ()))
        for port in sorted({*frames, *marks, *drops})
    )


def frames(output: object) -> Mapping[str, tuple[int, int]]:
    """PFC frames received and sent from `show priority-flow-control counters`; EOS does not split them by priority."""
    return {
        port: (number(row, "rxFrames", -1), number(row, "txFrames", -1))
        for port, row in table(output, "interfaceCounters").items()
    }


def marks(output: object) -> PerQueue:
    """Marked packets by queue from `show qos interfaces ecn counters queue`; `-` is a queue without a counter."""
    return {port: tuple(sorted(dict(_marks(row)).items())) for port, row in table(output, "intfQueueCounters").items()}


def _marks(row: object) -> Iterator[tuple[int, int | None]]:
    for queue, packets in table(row, "queueCounters").items():
        yield whole(queue, "queue"), None if packets == _NOT_CONFIGURED else count(packets, "queueCounters")


def links(output: object, stuck: Mapping[str, int] | None) -> tuple[LinkCounters, ...]:
    """Counters of links from `show interfaces`. stuck: counts of the watchdog; None if they were not read."""
    return tuple(
        _link(name, table(row, "interfaceCounters", optional=True), stuck)
        for name, row in sorted(table(output, "interfaces").items())
        if _PORT.fullmatch(name)
    )


def _link(port: str, link_counters: object, stuck: Mapping[str, int] | None) -> LinkCounters:
    errors = table(link_counters, "inputErrorsDetail", optional=True)
    flaps, crc = number(link_counters, "linkStatusChanges", -1), number(errors, "fcsErrors", -1)
    return LinkCounters(
        port=port,
        flaps=flaps if flaps >= 0 else None,
        crc=crc if crc >= 0 else None,
        watchdog=None if stuck is None else stuck.get(port, 0),
    )


def stuck(output: object) -> Mapping[str, int]:
    """Queues that were found stuck, by port, from `show priority-flow-control counters watchdog`.

    The answer leaves out ports and queues without such an event (DNE-TaaC).
    """
    return {
        port: sum(count(number(queue, "stuckCount", 0), "stuckCount") for queue in _watched(row))
        for port, row in table(output, "interfaces").items()
    }


def _watched(row: object) -> Iterable[object]:
    return table(row, "txQueues", optional=True).values()


def fixed_drops(output: object) -> PerClass:
    """Drops by class from `show interfaces counters queue detail` (fixed switches), summed over all kinds of queue."""
    ports = table(table(output, "egressQueueCounters"), "interfaces")
    return {
        port: _summed((*_dropped(row, "ucastQueues"), *_dropped(row, "mcastQueues"))) for port, row in ports.items()
    }


def _dropped(row: object, queues: str) -> Iterator[Drops]:
    for name, entry in table(table(row, queues, optional=True), "trafficClasses", optional=True).items():
        for drops in table(entry, "dropPrecedences").values():
            yield Drops(_classes(name), count(number(drops, "droppedPackets"), "droppedPackets"))


def virtual_drops(output: object) -> PerClass:
    """Drops by class from `show interfaces counters queue drops` (virtual output queues), both stages together."""
    return {port: _summed(_both(row)) for port, row in table(output, "interfaces").items()}


def _both(row: object) -> Iterator[Drops]:
    for name, entry in table(row, "trafficClasses").items():
        for stage in ("ingressVoqCounters", "egressQueueCounters"):
            packets = number(table(table(entry, stage), "countersSum"), "droppedPackets")
            yield Drops(_classes(name), count(packets, "droppedPackets"))


def _summed(counts: Iterable[Drops]) -> tuple[Drops, ...]:
    packets: Counter[tuple[int, ...]] = Counter()
    for row in counts:
        packets[row.classes] += row.packets
    return tuple(starmap(Drops, sorted(packets.items())))


def worst(tables: Iterable[PerClass]) -> PerClass:
    """Drops by port of both kinds of chip; if a switch shows a port in both, the larger count of each class."""
    ports: dict[str, dict[tuple[int, ...], int]] = {}
    for drops_by_port in tables:
        for port, rows in drops_by_port.items():
            largest = ports.setdefault(port, {})
            largest |= {row.classes: max(row.packets, largest.get(row.classes, 0)) for row in rows}
    return {port: tuple(starmap(Drops, sorted(largest.items()))) for port, largest in ports.items()}


def joined(tables: Iterable[Mapping[str, T]]) -> Mapping[str, T]:
    """All ports of several commands."""
    return {port: row for rows in tables for port, row in rows.items()}


def _classes(name: str) -> tuple[int, ...]:
    """Classes of `TC3`, or of `TC0-2`, which is one counter of three classes."""
    match = _CLASS.fullmatch(name)
    if match is None:
        raise NotUnderstoodError("a traffic class that is none")
    first = int(match[1])
    classes = tuple(range(first, int(match[2] or first) + 1))
    if not classes:
        raise NotUnderstoodError("a traffic class that is none")
    return classes
