"""SR Linux's state of queues: counters of PFC, ECN marks and drops, and the settings of the chip.

Which leaves a chassis has is not published (features of the models are not listed by platform), so an absent leaf is
left out, and is never an error. A port is listed under an id of its own, next to its subinterfaces.
"""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.srlinux.live.values import field, flag, number, rows, table, word
from fabricgen.state.counts import PortCounter, read_by
from fabricgen.state.state import Drops, EcnState, LinkCounters, PortCounters, PortQos

_MODELS = "in Nokia's YANG of 25.3.1"
COUNTS = {
    PortCounter.DROPS: read_by(f"`/qos/interfaces`, `dropped-packets` of unicast queues, {_MODELS}"),
    PortCounter.WATCHDOG: read_by(f"`/qos/interfaces`, `deadlock-recovery-occurrences` of PFC priorities, {_MODELS}"),
    PortCounter.CRC: read_by(f"`/interface/statistics/in-fcs-error-packets`, {_MODELS}"),
    PortCounter.FEC: read_by(
        f"`frame-error-count` of the router's side of `ethernet/forward-error-correction/statistics`, {_MODELS}, of "
        "ports that have it"
    ),
    PortCounter.FLAPS: read_by(f"`/interface/statistics/carrier-transitions`, {_MODELS}: from down to up"),
    PortCounter.PFC: read_by(f"`/qos/interfaces`, pause frames of `pfc/statistics`, {_MODELS}"),
    PortCounter.ECN: read_by(f"`/qos/interfaces`, `ecn-marked-packets`, {_MODELS}"),
}
"""Source of each port counter; no output with them was recorded. What a chassis lacks is left out."""
_PORT = "ethernet-"
_QUEUE = re.compile(r"unicast-([0-7])", re.ASCII)
_CLASS = re.compile(r"fc([0-7])", re.ASCII)
PROFILES = ("in-plus-profile", "in-profile", "out-profile", "exceed-profile")
"""Where drops are counted per profile instead of together."""


def _ports(shown: object) -> Iterator[tuple[str, object]]:
    """Yield port and row of `/qos/interfaces`, without subinterfaces."""
    for row in rows(shown, "interface"):
        reference = table(row, "interface-ref")
        if field(reference, "subinterface") is None:
            yield word(reference, "interface", "") or word(row, "interface-id"), row


def _queues(row: object) -> Iterator[tuple[int, object]]:
    """Yield number and row of each unicast queue."""
    for queue in rows(table(row, "output", "queues"), "queue"):
        match = _QUEUE.fullmatch(word(queue, "queue-name"))
        if match:
            yield int(match[1]), queue


def counters(shown: object) -> tuple[PortCounters, ...]:
    """Return the counters of every port for which the switch lists queues."""
    return tuple(sorted(_counted(port, row) for port, row in _ports(shown)))


def _counted(port: str, row: object) -> PortCounters:
    frames = table(row, "pfc", "statistics")
    queues = tuple(_queues(row))
    return PortCounters(
        port=port,
        pfc_received=number(frames, "total-pfc-pause-frames-received", -1),
        pfc_sent=number(frames, "total-pfc-pause-frames-generated", -1),
        ecn_marked=tuple(sorted(_marks(queues))),
        dropped=tuple(sorted(_drops(queues))),
    )


def _marks(queues: tuple[tuple[int, object], ...]) -> Iterator[tuple[int, int | None]]:
    """Yield queues that count their marks; None for a queue that does not mark, if its drop settings are known."""
    for queue_number, queue in queues:
        statistics = table(queue, "queue-statistics", "aggregate-statistics")
        if field(statistics, "ecn-marked-packets") is not None:
            marks = number(statistics, "ecn-marked-packets")
            yield queue_number, marks if _slopes(queue) or not _is_managed(queue) else None


def _drops(queues: tuple[tuple[int, object], ...]) -> Iterator[Drops]:
    for queue_number, queue in queues:
        statistics = table(queue, "queue-statistics", "aggregate-statistics")
        containers = [statistics, *(table(statistics, profile) for profile in PROFILES)]
        counts = [
            number(container, "dropped-packets")
            for container in containers
            if field(container, "dropped-packets") is not None
        ]
        if counts:
            # Forwarding classes that the queue reports; without any, the one with the queue's number.
            matches = (_CLASS.fullmatch(text) for text in rows(queue, "forwarding-class") if isinstance(text, str))
            yield Drops(tuple(sorted({int(match[1]) for match in matches if match})) or (queue_number,), sum(counts))


def _is_managed(queue: object) -> bool:
    return bool(rows(table(queue, "active-queue-management"), "wred-slope"))


def _slopes(queue: object) -> tuple[object, ...]:
    """Return the slopes that mark."""
    slopes = rows(table(queue, "active-queue-management"), "wred-slope")
    return tuple(slope for slope in slopes if flag(slope, "enable-ecn", False))


def links(shown: object, queues: object) -> tuple[LinkCounters, ...]:
    """Return link counters of `/interface[name=*]`. queues: `/qos/interfaces`, empty if it was not read."""
    stuck = dict(_stuck(queues))
    ports = (row for row in rows(shown, "interface") if word(row, "name").startswith(_PORT))
    return tuple(sorted((_link(row, stuck) for row in ports), key=lambda counters: counters.port))


def _link(row: object, stuck: Mapping[str, int]) -> LinkCounters:
    statistics, name = table(row, "statistics"), word(row, "name")
    fec_statistics = table(row, "ethernet", "forward-error-correction", "statistics", "host-if-fec-router")
    return LinkCounters(
        port=name,
        flaps=_leaf(statistics, "carrier-transitions"),
        crc=_leaf(statistics, "in-fcs-error-packets"),
        fec=_leaf(fec_statistics, "frame-error-count"),
        watchdog=stuck.get(name),
    )


def _leaf(row: object, name: str) -> int | None:
    return number(row, name) if field(row, name) is not None else None


def _stuck(queues: object) -> Iterator[tuple[str, int]]:
    """Yield resolved deadlocks, for ports that count them."""
    for port, row in _ports(queues):
        priorities = rows(table(row, "pfc", "statistics"), "pfc-priority")
        counts = [_leaf(count, "deadlock-recovery-occurrences") for count in priorities]
        if any(count is not None for count in counts):
            yield port, sum(count or 0 for count in counts)


def qos(shown: object) -> tuple[PortQos, ...]:
    """Return settings of every port for which the switch lists queues. No state leaf has the PFC priorities."""
    return tuple(sorted((_settings(port, row) for port, row in _ports(shown)), key=lambda port_qos: port_qos.port))


def _settings(port: str, row: object) -> PortQos:
    pfc = table(row, "pfc")
    queues = tuple(_queues(row))
    has_slopes = any(_is_managed(queue) for _, queue in queues)
    marks = tuple(sorted({_mark(name, slope) for name, queue in queues for slope in _slopes(queue)}))
    return PortQos(
        port=port,
        pfc=flag(pfc, "pfc-enable", False) if pfc else None,
        pfc_priorities=None,
        watchdog=number(pfc, "deadlock-detection-timer") > 0 if "deadlock-detection-timer" in pfc else None,
        ecn=marks if has_slopes else None,
    )


def _mark(name: int, slope: object) -> EcnState:
    return EcnState(
        queue=name,
        minimum_octets=number(slope, "min-threshold-bytes"),
        maximum_octets=number(slope, "max-threshold-bytes"),
        probability_percent=number(slope, "max-probability"),
    )
