"""SR Linux's state of queues: counters of PFC, marks and drops, and the settings that the chip was given.

Which leaves a chassis has is published nowhere (features of the models are not listed by platform), so one that is
absent is not said, and never a fault. A port is in the list under a name of its own, and its subinterfaces beside it.
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
"""Where each counter of ports is from; no answer with them was recorded. What a chassis lacks is not said."""
_PORT = "ethernet-"
_QUEUE = re.compile(r"unicast-([0-7])", re.ASCII)
_CLASS = re.compile(r"fc([0-7])", re.ASCII)
PROFILES = ("in-plus-profile", "in-profile", "out-profile", "exceed-profile")
"""Where drops are counted by profile instead of together."""


def _ports(shown: object) -> Iterator[tuple[str, object]]:
    """Port and row, of `/qos/interfaces`; not those of subinterfaces."""
    for row in rows(shown, "interface"):
        about = table(row, "interface-ref")
        if field(about, "subinterface") is None:
            yield word(about, "interface", "") or word(row, "interface-id"), row


def _queues(row: object) -> Iterator[tuple[int, object]]:
    """Number and row of each unicast queue."""
    for queue in rows(table(row, "output", "queues"), "queue"):
        found = _QUEUE.fullmatch(word(queue, "queue-name"))
        if found:
            yield int(found[1]), queue


def counters(shown: object) -> tuple[PortCounters, ...]:
    """Counters of every port that the switch has queues of."""
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
    """Queues that count their marks; None of one that does not mark, as far as the switch says how queues drop."""
    for name, queue in queues:
        said = table(queue, "queue-statistics", "aggregate-statistics")
        if field(said, "ecn-marked-packets") is not None:
            marks = number(said, "ecn-marked-packets")
            yield name, marks if _slopes(queue) or not _is_managed(queue) else None


def _drops(queues: tuple[tuple[int, object], ...]) -> Iterator[Drops]:
    for name, queue in queues:
        said = table(queue, "queue-statistics", "aggregate-statistics")
        places = [said, *(table(said, profile) for profile in PROFILES)]
        counted = [number(place, "dropped-packets") for place in places if field(place, "dropped-packets") is not None]
        if counted:
            # Forwarding classes that the queue says it serves; without a word, the one of its number.
            found = (_CLASS.fullmatch(text) for text in rows(queue, "forwarding-class") if isinstance(text, str))
            yield Drops(tuple(sorted({int(one[1]) for one in found if one})) or (name,), sum(counted))


def _is_managed(queue: object) -> bool:
    return bool(rows(table(queue, "active-queue-management"), "wred-slope"))


def _slopes(queue: object) -> tuple[object, ...]:
    """Slopes that mark."""
    listed = rows(table(queue, "active-queue-management"), "wred-slope")
    return tuple(one for one in listed if flag(one, "enable-ecn", False))


def links(shown: object, queues: object) -> tuple[LinkCounters, ...]:
    """Counters of links from `/interface[name=*]`. queues: `/qos/interfaces`, empty where it is not read."""
    stuck = dict(_stuck(queues))
    ports = (row for row in rows(shown, "interface") if word(row, "name").startswith(_PORT))
    return tuple(sorted((_link(row, stuck) for row in ports), key=lambda one: one.port))


def _link(row: object, stuck: Mapping[str, int]) -> LinkCounters:
    counted, name = table(row, "statistics"), word(row, "name")
    mended = table(row, "ethernet", "forward-error-correction", "statistics", "host-if-fec-router")
    return LinkCounters(
        port=name,
        flaps=_leaf(counted, "carrier-transitions"),
        crc=_leaf(counted, "in-fcs-error-packets"),
        fec=_leaf(mended, "frame-error-count"),
        watchdog=stuck.get(name),
    )


def _leaf(row: object, name: str) -> int | None:
    return number(row, name) if field(row, name) is not None else None


def _stuck(queues: object) -> Iterator[tuple[str, int]]:
    """Deadlocks that were ended, of ports that count them."""
    for port, row in _ports(queues):
        priorities = rows(table(row, "pfc", "statistics"), "pfc-priority")
        counted = [_leaf(one, "deadlock-recovery-occurrences") for one in priorities]
        if any(one is not None for one in counted):
            yield port, sum(one or 0 for one in counted)


def qos(shown: object) -> tuple[PortQos, ...]:
    """Settings of every port that the switch has queues of. Which priorities pause is not said in a leaf of state."""
    return tuple(sorted((_settings(port, row) for port, row in _ports(shown)), key=lambda one: one.port))


def _settings(port: str, row: object) -> PortQos:
    pfc = table(row, "pfc")
    queues = tuple(_queues(row))
    is_said = any(_is_managed(queue) for _, queue in queues)
    marks = tuple(sorted({_mark(name, slope) for name, queue in queues for slope in _slopes(queue)}))
    return PortQos(
        port=port,
        pfc=flag(pfc, "pfc-enable", False) if pfc else None,
        pfc_priorities=None,
        watchdog=number(pfc, "deadlock-detection-timer") > 0 if "deadlock-detection-timer" in pfc else None,
        ecn=marks if is_said else None,
    )


def _mark(name: int, slope: object) -> EcnState:
    return EcnState(
        queue=name,
        minimum_octets=number(slope, "min-threshold-bytes"),
        maximum_octets=number(slope, "max-threshold-bytes"),
        probability_percent=number(slope, "max-probability"),
    )
