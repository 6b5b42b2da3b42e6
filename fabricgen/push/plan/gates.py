"""How much worse a port's counters may become through a wave: limits of a site, and the defaults.

A limit is in events per second above twice the rate before: what a port did already is no reason to roll back, and
counts over some seconds scatter.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.state.counts import PortCounter

TIMES = 2
"""Up to this multiple of the rate before is no rise."""
WINDOW = 10.0
"""Minimum seconds between two samples.

Software updates hardware counters in steps of at most 10 s where documented: queues of SONiC (sonic-swss, orchagent:
QUEUE_STAT_COUNTER each 10,000 ms), Cumulus' switchd.
"""
LINE_RATE_ERRORS = 0.1
"""Frames per second that a port may lose through line errors.

The objectives of IEEE 802.3bs want a bit error ratio of 1e-13 or better at the MAC: at 400 Gbit/s one bit in 25 s, so
0.04 per second. A small multiple of that is a bad line.
"""


class Gate(NamedTuple):
    """Rates above which a rise of one counter warns or reverts. None: never."""

    warn: float | None = None
    revert: float | None = None


BY_COUNT: Mapping[PortCounter, Gate] = {
    PortCounter.DROPS: Gate(revert=0),
    PortCounter.WATCHDOG: Gate(revert=0),
    PortCounter.CRC: Gate(revert=LINE_RATE_ERRORS),
    PortCounter.FEC: Gate(revert=LINE_RATE_ERRORS),
    PortCounter.FLAPS: Gate(revert=0),
    PortCounter.PFC: Gate(warn=100),
    PortCounter.ECN: Gate(warn=1000),
}
"""Defaults. Pauses and marks are normal in a lossless fabric, so their limits are a choice."""


class Gates(NamedTuple):
    """Limits of a run. window: minimum seconds between two samples."""

    window: float = WINDOW
    by_count: Mapping[PortCounter, Gate] = BY_COUNT
