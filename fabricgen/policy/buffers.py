"""Packet memory, headroom and alpha → what is left to share, the limit of one queue, and when a pause ends.

Alpha is always an exact fraction and always rendered: a switch model once shipped 1/64 where 1/16 was meant,
and paused a whole site (sources.ALPHA_PAPER).
"""

from fractions import Fraction
from typing import NamedTuple

SMALLEST_LOSSLESS_ALPHA = Fraction(1, 16)  # sources.ALPHA_PAPER
XON_CELLS = 14  # 3,556 octets of 254, sources.Z9864F_BUFFERS; other chips publish other values


class PoolBudget(NamedTuple):
    """Packet memory in octets, cut up: `shared` is what remains for queues once headroom and reserves are off."""

    total_octets: int
    headroom_octets: int
    reserved_octets: int

    @property
    def shared_octets(self) -> int:
        """Octets that all queues share; negative when more is promised than the chip has."""
        return self.total_octets - self.headroom_octets - self.reserved_octets


def queue_limit_octets(shared_octets: int, alpha: Fraction, queues: int) -> int:
    """Return what each of `queues` equally congested queues may grow to: alpha·B / (1 + n·alpha).

    The dynamic threshold of Choudhury and Hahne (1998) in balance; `queues` counts from 1.
    """
    return int(alpha * shared_octets / (1 + queues * alpha))


def xon_offset_octets(cell_octets: int) -> int:
    """Return how far below the pause threshold a queue falls before traffic resumes; sourced for cells of 254 only."""
    return XON_CELLS * cell_octets


def buffer_faults(budget: PoolBudget, alpha: Fraction) -> tuple[str, ...]:
    """Return why a lossless pool cannot work, in words with the numbers compared; empty when it can."""
    rules = (
        (
            budget.shared_octets > 0,
            f"headroom {budget.headroom_octets} and reserves {budget.reserved_octets} leave nothing of "
            f"{budget.total_octets} octets to share",
        ),
        (
            alpha >= SMALLEST_LOSSLESS_ALPHA,
            f"alpha {alpha} of a lossless class is below {SMALLEST_LOSSLESS_ALPHA}: it pauses at small bursts",
        ),
    )
    return tuple(why for holds, why in rules if not holds)
