"""Queue drops and pause frames of NX-OS ports, from `show queuing interface`.

Tables: Cisco Nexus 9000 show commands reference 9.3(x), `show queuing`; names of types and units: nxapi-netbox and
public exporters, which query one port. A count of 0 marked packets does not show whether a queue marks.
"""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.live.values import NotUnderstoodError, count
from fabricgen.platforms.nxos.live.values import Row, long_name, rows, text, top
from fabricgen.state.counts import PortCounter, not_read, read_by
from fabricgen.state.state import Drops, PortCounters

NO_PUSH = "no push commits on NX-OS, and so far nothing else compares it"
COUNTS = {
    PortCounter.DROPS: read_by("`show queuing interface` (Cisco's show commands reference 9.3(x)), by QoS group"),
    PortCounter.WATCHDOG: not_read(NO_PUSH),
    PortCounter.CRC: not_read(NO_PUSH),
    PortCounter.FEC: not_read(NO_PUSH),
    PortCounter.FLAPS: not_read(NO_PUSH),
    PortCounter.PFC: read_by("`show queuing interface`, `pfc_stats`"),
    PortCounter.ECN: not_read("a count of 0 marked packets does not tell whether a queue marks at all"),
}

PORT = re.compile(r"Ethernet[\d/]+", re.ASCII)
GROUP = re.compile(r"[0-7]", re.ASCII)
"""A QoS group, which is one traffic class of the plan; others are for the control plane and for mirroring."""
DROPPED = ("Dropped", "Tail Drop", "WD & Tail Drop", "WRED/AFD & Tail Drop")
"""Types of counters of dropped packets in different releases."""
PACKETS = "Pkts"
VALUES = ("eq-uc-stat-value", "eq-oobfc-uc-stat-value", "eq-mc-stat-value")


def counters(shown: Row) -> tuple[PortCounters, ...]:
    """Return drops by traffic class and PFC frames of every port; both directions of a port in one row."""
    drops: dict[str, dict[int, int | None]] = {}
    pauses: dict[str, tuple[int, int]] = {}
    for module in top(shown, "module"):
        for row in rows(module, "queuing_interface"):
            port = long_name(text(row, "if_name_str"))
            if PORT.fullmatch(port):
                port_drops = drops.setdefault(port, {})
                for group, packets in _dropped(row):
                    port_drops[group] = _sum(port_drops.get(group, 0), packets)
                # PFC frames received and sent, added to those of earlier rows; -1 if none are printed.
                received, sent = pauses.get(port, (-1, -1))
                for entry in rows(row, "pfc_stats"):
                    received, sent = (
                        max(received, 0) + count(entry.get("rx-pause-count"), "rx-pause-count"),
                        max(sent, 0) + count(entry.get("tx-pause-count"), "tx-pause-count"),
                    )
                pauses[port] = received, sent
    if not drops:
        raise NotUnderstoodError("no port")
    return tuple(
        PortCounters(port, *pauses[port], (), tuple(_known_drops(group_drops)))
        for port, group_drops in sorted(drops.items())
    )


def _known_drops(group_drops: Mapping[int, int | None]) -> Iterator[Drops]:
    """Yield the groups whose counters are all known."""
    return (Drops((group,), packets) for group, packets in sorted(group_drops.items()) if packets is not None)


def _dropped(row: Row) -> Iterator[tuple[int, int | None]]:
    """Yield group and packets of each drop counter; None for one without a value, which occurs (nxapi-netbox)."""
    for stats in rows(row, "qosgrp_egress_stats"):
        group = text(stats, "eq-qosgrp")
        for entry in rows(stats, "qosgrp_egress_stats_entry"):
            is_drop = text(entry, "eq-stat-type") in DROPPED and text(entry, "eq-stat-units") == PACKETS
            if is_drop and GROUP.fullmatch(group):
                values = [count(entry.get(name), name) for name in VALUES if entry.get(name) is not None]
                yield int(group), sum(values) if values else None


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
