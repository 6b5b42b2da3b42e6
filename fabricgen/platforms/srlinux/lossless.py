"""The lossless class as SR Linux is told of it: octets as planned, the reserve in percent of the buffer."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedEcn, RenderedHeadroom, RenderedLossless, RenderedWatchdog, marked
from fabricgen.platforms.srlinux.qos import BUFFER, PERCENT, reserved_percent, unreserved


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Numbers of one switch; each port has its own headroom. Looks of the watchdog are SR Linux's own.

    There is no alpha: both limits are `maximum-burst-size`, of a queue on its way out and of a PFC queue of a port.
    """
    total, times = int(hardware.spellings.get(BUFFER, "0")), qos.watchdog
    left = unreserved(qos, total)
    ports = sum(row.ports for row in qos.headroom)
    return RenderedLossless(
        ecn=tuple(RenderedEcn(profile.speed_gbps, *ecn) for profile, ecn in marked(qos)),
        headroom=tuple(RenderedHeadroom(row.speed_gbps, row.length_m, row.octets) for row in qos.headroom),
        watchdog=RenderedWatchdog(times.detect_ms, times.restore_ms, None, times.action),
        pool_octets=total * reserved_percent(qos, total) // PERCENT if total else None,
        resume_octets=None,
        queue_limit_octets=left or None,
        pause_octets=left // ports if left and ports else None,
    )
