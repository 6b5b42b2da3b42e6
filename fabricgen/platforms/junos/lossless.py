"""The lossless class as Junos configures it: percentages of a queue's limit and of the buffer, and watchdog periods."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedEcn, RenderedLossless, RenderedWatchdog, by_switch, marked
from fabricgen.platforms.junos.qos import (
    drop_profiles,
    partitions,
    queue_limit,
    resume_cells,
    shared_octets,
    watchdog_words,
)


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Return the numbers of one switch after Junos' rounding.

    It computes headroom itself, from `cable-length` and `mru`.
    """
    limit = queue_limit(qos, hardware.spellings)
    speeds = [profile.speed_gbps for profile, _ in marked(qos)]
    pool_partitions = partitions(qos, hardware.spellings)
    times = watchdog_words(qos.watchdog)
    cells = resume_cells(qos, hardware.spellings)
    return RenderedLossless(
        ecn=tuple(
            RenderedEcn(speed, row.low * limit // 100, row.high * limit // 100, row.probability)
            for speed, row in zip(speeds, drop_profiles(qos, limit), strict=limit > 0)
        ),
        headroom=by_switch(qos),
        watchdog=RenderedWatchdog(times.poll * times.periods, times.recovery, times.poll, qos.watchdog.action),
        pool_octets=shared_octets(hardware.spellings) * pool_partitions.headroom // 100
        if pool_partitions is not None
        else None,
        resume_octets=cells * int(hardware.spellings["cell_octets"]) if cells else None,
    )
