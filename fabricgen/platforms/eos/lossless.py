"""The lossless class as EOS is configured: kbytes, hundredths of seconds, one headroom for the whole switch."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedHeadroom, RenderedLossless, RenderedWatchdog, ecn_rows
from fabricgen.platforms.eos.qos import KBYTE, kbytes, ten_milliseconds


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Numbers of one switch after EOS's rounding; the resume point of a peer is EOS's default."""
    times = qos.watchdog
    return RenderedLossless(
        ecn=ecn_rows(qos, lambda octets: kbytes(octets) * KBYTE),
        headroom=tuple(RenderedHeadroom(row.speed_gbps, row.length_m, qos.headroom_octets) for row in qos.headroom),
        watchdog=RenderedWatchdog(
            ten_milliseconds(times.detect_ms), ten_milliseconds(times.restore_ms), times.polling_ms, times.action
        ),
        pool_octets=qos.headroom_pool_octets or None,
        resume_octets=None,
    )
