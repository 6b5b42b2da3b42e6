"""The lossless class as NX-OS configures it: marking depths in kbytes; headroom and times are its own."""

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedLossless, RenderedWatchdog, by_switch, ecn_rows
from fabricgen.platforms.nxos.qos import KILO, kbytes


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Return the numbers of one switch after NX-OS's rounding. It reserves headroom itself, up to 100 m (limits.py)."""
    return RenderedLossless(
        ecn=ecn_rows(qos, lambda octets: kbytes(octets) * KILO),
        headroom=by_switch(qos),
        watchdog=RenderedWatchdog(None, None, None, qos.watchdog.action),
        pool_octets=None,
        resume_octets=None,
    )
