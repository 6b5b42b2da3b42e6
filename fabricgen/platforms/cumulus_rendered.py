"""The lossless class as NVUE is told of it: octets for marking, metres for headroom, looks of the watchdog."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.cumulus_qos import watchdog_words
from fabricgen.platforms.rendered import Rendered, RenderedEcn, RenderedWatchdog, by_switch, marked


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> Rendered:
    """Numbers of one switch. It computes headroom itself, of the cable's length and the speed (`cable-length`)."""
    times = watchdog_words(qos.watchdog)
    return Rendered(
        ecn=tuple(RenderedEcn(profile.speed_gbps, *ecn) for profile, ecn in marked(qos)),
        headroom=by_switch(qos),
        watchdog=RenderedWatchdog(times.polling * times.robustness, None, times.polling, qos.watchdog.action),
        pool_octets=None,
        resume_octets=None,
    )
