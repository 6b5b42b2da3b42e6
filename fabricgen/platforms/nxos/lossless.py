"""The lossless class as NX-OS configures it: marking depths in kbytes; headroom and times are its own."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedEcn, RenderedLossless, RenderedWatchdog, by_switch, marked
from fabricgen.platforms.nxos.qos import KILO, kbytes


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Return the numbers of one switch after NX-OS's rounding. It reserves headroom itself, up to 100 m (limits.py)."""
    return RenderedLossless(
        ecn=tuple(
            RenderedEcn(
                profile.speed_gbps,
                kbytes(ecn.minimum_octets) * KILO,
                kbytes(ecn.maximum_octets) * KILO,
                ecn.probability_percent,
            )
            for profile, ecn in marked(qos)
        ),
        headroom=by_switch(qos),
        watchdog=RenderedWatchdog(None, None, None, qos.watchdog.action),
        pool_octets=None,
        resume_octets=None,
    )
