"""PFC, ECN and drop counters of EOS ports. Chips count them; vEOS and cEOS have none (ANTA skips them there).

ANTA calls a queue whose counter is `-` not configured. That is of ECN or of its counter: `random-detect ecn count`
under the queue and, on some chips, `hardware counter feature ecn out` have marks counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import starmap
from typing import TypeVar

from fabricgen.platforms.base.live.values import NotUnderstoodError, number, table, whole
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
"""Where each counter of ports is from. vEOS and cEOS have none of queues."""

_PORT = re.compile(r"Ethernet[\d/]+", re.ASCII)
_CLASS = re.compile(r"TC([0-7])(?:-([0-7]))?", re.ASCII)
_NOT_CONFIGURED = "-"
_SILENT = (-1, -1)

PerQueue = Mapping[str, tuple[tuple[int, int | None], ...]]
"""Port → (queue, packets marked; None: it does not mark)."""
PerClass = Mapping[str, tuple[Drops, ...]]
"""Port → drops by class."""


def counters(frames: Mapping[str, tuple[int, int]], marks: PerQueue, drops: PerClass) -> tuple[PortCounters, ...]:
    """Counters of every port that one of the three names."""
    return tuple(
        PortCounters(port, *frames.get(port, _SILENT), marks.get(port, ()), drops.get(port, ()))
        for port in sorted({*frames, *marks, *drops})
    )


def frames(shown: object) -> Mapping[str, tuple[int, int]]:
    """PFC frames received and sent from `show priority-flow-control counters`; EOS does not split them by priority."""
    return {
        port: (number(row, "rxFrames", -1), number(row, "txFrames", -1))
        for port, row in table(shown, "interfaceCounters").items()
    }


def marks(shown: object) -> PerQueue:
    """Marked packets by queue from `show qos interfaces ecn counters queue`; `-` is one not configured."""
    return {port: tuple(sorted(dict(_marks(row)).items())) for port, row in table(shown, "intfQueueCounters").items()}


def _marks(row: object) -> Iterator[tuple[int, int | None]]:
    for queue, packets in table(row, "queueCounters").items():
        yield whole(queue, "queue"), None if packets == _NOT_CONFIGURED else _count(packets, "queueCounters")


def _count(value: object, name: str) -> int:
    """How many packets; less than none is no counter."""
    packets = whole(value, name)
    if packets < 0:
        raise NotUnderstoodError(f"no count {name!r}")
    return packets


def links(shown: object, stuck: Mapping[str, int] | None) -> tuple[LinkCounters, ...]:
    """Counters of links from `show interfaces`. stuck: of the watchdog; None where it is not read."""
    return tuple(
        _link(name, table(row, "interfaceCounters", optional=True), stuck)
        for name, row in sorted(table(shown, "interfaces").items())
        if _PORT.fullmatch(name)
    )


def _link(port: str, counted: object, stuck: Mapping[str, int] | None) -> LinkCounters:
    errors = table(counted, "inputErrorsDetail", optional=True)
    flaps, crc = number(counted, "linkStatusChanges", -1), number(errors, "fcsErrors", -1)
    return LinkCounters(
        port=port,
        flaps=flaps if flaps >= 0 else None,
        crc=crc if crc >= 0 else None,
        watchdog=None if stuck is None else stuck.get(port, 0),
    )


def stuck(shown: object) -> Mapping[str, int]:
    """Queues that were found stuck, by port, from `show priority-flow-control counters watchdog`.

    A port, or a queue, that had no such event is not in the answer (DNE-TaaC).
    """
    return {
        port: sum(_count(number(queue, "stuckCount", 0), "stuckCount") for queue in _watched(row))
        for port, row in table(shown, "interfaces").items()
    }


def _watched(row: object) -> Iterable[object]:
    return table(row, "txQueues", optional=True).values()


def fixed_drops(shown: object) -> PerClass:
    """Drops by class from `show interfaces counters queue detail` (fixed switches), every kind of queue together."""
    ports = table(table(shown, "egressQueueCounters"), "interfaces")
    return {
        port: _summed((*_dropped(row, "ucastQueues"), *_dropped(row, "mcastQueues"))) for port, row in ports.items()
    }


def _dropped(row: object, queues: str) -> Iterator[Drops]:
    for name, entry in table(table(row, queues, optional=True), "trafficClasses", optional=True).items():
        for drops in table(entry, "dropPrecedences").values():
            yield Drops(_classes(name), _count(number(drops, "droppedPackets"), "droppedPackets"))


def virtual_drops(shown: object) -> PerClass:
    """Drops by class from `show interfaces counters queue drops` (virtual output queues), both ends together."""
    return {port: _summed(_both(row)) for port, row in table(shown, "interfaces").items()}


def _both(row: object) -> Iterator[Drops]:
    for name, entry in table(row, "trafficClasses").items():
        for side in ("ingressVoqCounters", "egressQueueCounters"):
            packets = number(table(table(entry, side), "countersSum"), "droppedPackets")
            yield Drops(_classes(name), _count(packets, "droppedPackets"))


def _summed(counts: Iterable[Drops]) -> tuple[Drops, ...]:
    found: Counter[tuple[int, ...]] = Counter()
    for row in counts:
        found[row.classes] += row.packets
    return tuple(starmap(Drops, sorted(found.items())))


def worst(found: Iterable[PerClass]) -> PerClass:
    """Drops by port of both kinds of chip; where a switch shows a port as both, the larger count of each class."""
    ports: dict[str, dict[tuple[int, ...], int]] = {}
    for shown in found:
        for port, rows in shown.items():
            known = ports.setdefault(port, {})
            known |= {row.classes: max(row.packets, known.get(row.classes, 0)) for row in rows}
    return {port: tuple(starmap(Drops, sorted(known.items()))) for port, known in ports.items()}


def joined(found: Iterable[Mapping[str, T]]) -> Mapping[str, T]:
    """All ports of several commands."""
    return {port: row for shown in found for port, row in shown.items()}


def _classes(name: str) -> tuple[int, ...]:
    """Classes of `TC3`, or of `TC0-2`, which is one counter of three."""
    match = _CLASS.fullmatch(name)
    if match is None:
        raise NotUnderstoodError("a traffic class that is none")
    first = int(match[1])
    found = tuple(range(first, int(match[2] or first) + 1))
    if not found:
        raise NotUnderstoodError("a traffic class that is none")
    return found
