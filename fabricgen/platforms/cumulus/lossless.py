"""The lossless class as NVUE is configured: octets for marking, metres for headroom, polls of the watchdog."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedHeadroom, RenderedLossless, RenderedWatchdog, ecn_rows
from fabricgen.platforms.cumulus.qos import watchdog_words


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Numbers of one switch. It computes headroom itself, from the cable's length and the speed (`cable-length`).

    Ports share no headroom pool in these releases (`headroom-pool` in capabilities.py), so each takes its own headroom
    off the buffer: the plan's estimate, which is the least that the checks may count with.
    """
    times = watchdog_words(qos.watchdog)
    return RenderedLossless(
        ecn=ecn_rows(qos),
        headroom=tuple(
            RenderedHeadroom(row.speed_gbps, row.length_m, None, by_switch=True, private=row.octets)
            for row in qos.headroom
        ),
        watchdog=RenderedWatchdog(times.polling * times.robustness, None, times.polling, qos.watchdog.action),
        pool_octets=None,
        resume_octets=None,
    )
