"""The lossless class as SR Linux configures it: octets as planned, and the reserve in percent of the buffer."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedHeadroom, RenderedLossless, RenderedWatchdog, ecn_rows
from fabricgen.platforms.srlinux.qos import BUFFER, PERCENT, reserved_percent, unreserved


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Return the numbers of one switch; each port has its own headroom. SR Linux sets the watchdog's polling time.

    There is no alpha: both limits are `maximum-burst-size`, of an egress queue and of a port's PFC queue.
    """
    buffer_octets, times = int(hardware.spellings.get(BUFFER, "0")), qos.watchdog
    unreserved_octets = unreserved(qos, buffer_octets)
    ports = sum(row.ports for row in qos.headroom)
    return RenderedLossless(
        ecn=ecn_rows(qos),
        headroom=tuple(RenderedHeadroom(row.speed_gbps, row.length_m, row.octets) for row in qos.headroom),
        watchdog=RenderedWatchdog(times.detect_ms, times.restore_ms, None, times.action),
        pool_octets=buffer_octets * reserved_percent(qos, buffer_octets) // PERCENT if buffer_octets else None,
        resume_octets=None,
        queue_limit_octets=unreserved_octets or None,
        pause_octets=unreserved_octets // ports if unreserved_octets and ports else None,
    )
