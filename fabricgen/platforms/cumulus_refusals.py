"""What a Device can hold and NVUE has no words for: refused when the switch is rendered, never left out."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import Qos
from fabricgen.errors import FabricError, Problem

BY_HAND = "override"
"""Basis of a headroom that follows from no table: one that is given, or of a port's own MTU."""


def refuse(device: Device) -> None:
    """Raises FabricError for what can not be told."""
    problems = [*_watchdog(device), *_monitor(device), *_headroom(device)]
    if problems:
        raise FabricError(problems)


def _watchdog(device: Device) -> Iterator[Problem]:
    if device.qos is not None and device.qos.watchdog.action != "drop":
        yield Problem(
            code="platform-cannot",
            what=f"the PFC watchdog of {device.name} can not only notify",
            where=("fabrics", device.fabric, "roce", "watchdog", "action"),
            why="Cumulus Linux mitigates a storm by discarding packets to the stuck queue (Quality of Service)",
            fix="write action: drop",
        )


def _monitor(device: Device) -> Iterator[Problem]:
    monitor = device.telemetry.queue_monitor
    if monitor is not None and monitor.low:
        yield Problem(
            code="platform-cannot",
            what=f"the queue monitor of {device.name} has no lower threshold",
            where=("fabrics", device.fabric, "telemetry", "queue_monitor", "low"),
            why="a histogram of Cumulus Linux has one threshold, above which a depth is logged (ASIC Monitoring)",
            fix="leave low out",
        )


def _headroom(device: Device) -> Iterator[Problem]:
    qos = device.qos
    if qos is None:
        return
    common = {row.profile.mtu for row in device.interfaces.ethernet if row.headroom_octets and not _by_hand(qos, row)}
    for row in device.interfaces.ethernet:
        if row.headroom_octets and _by_hand(qos, row) and row.profile.mtu in common:
            yield Problem(
                code="platform-cannot",
                what=f"the PFC headroom of {device.name} {row.name} can not be given in octets",
                where=("overrides",),
                why="Cumulus Linux computes it from the length of the cable (Quality of Service)",
                fix="take headroom_octets away, and write the cable's length",
            )


def _by_hand(qos: Qos, row: Ethernet) -> bool:
    """Whether no table gives a port its headroom."""
    own = (row.profile.speed_gbps, row.headroom_octets)
    return all(found.basis == BY_HAND for found in qos.headroom if (found.speed_gbps, found.octets) == own)
