"""How much worse a port's counters may become by a wave: limits of a site, and those without one.

A limit is in events a second above twice the rate before: what a port did already is nobody's reason to go back, and
counts of some seconds scatter.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.state.counts import PortCounter

TIMES = 2
"""So many times the rate before is no rise."""
WINDOW = 10.0
"""Seconds between two samples, at least. Software fills counters of hardware in steps of 10 s at most where that is
documented: queues of SONiC (sonic-swss, orchagent: QUEUE_STAT_COUNTER each 10,000 ms), Cumulus' switchd."""
LINE_RATE_ERRORS = 0.1
"""Frames a second that a port may lose by its line. The objectives of IEEE 802.3bs want a bit error ratio of 1e-13 or
better at the MAC: at 400 Gbit/s one bit in 25 s, so 0.04. Some times as much is a bad line."""


class Gate(NamedTuple):
    """What a rise of one counter does. None: nothing."""

    warn: float | None = None
    revert: float | None = None


BY_COUNT: Mapping[PortCounter, Gate] = MappingProxyType(
    {
        PortCounter.DROPS: Gate(revert=0),
        PortCounter.WATCHDOG: Gate(revert=0),
        PortCounter.CRC: Gate(revert=LINE_RATE_ERRORS),
        PortCounter.FEC: Gate(revert=LINE_RATE_ERRORS),
        PortCounter.FLAPS: Gate(revert=0),
        PortCounter.PFC: Gate(warn=100),
        PortCounter.ECN: Gate(warn=1000),
    }
)
"""Without a word of the site. Pauses and marks are how a lossless fabric works, so that their limits are a choice."""


class Gates(NamedTuple):
    """Limits of a run. window: seconds between two samples, at least."""

    window: float = WINDOW
    by_count: Mapping[PortCounter, Gate] = BY_COUNT
