"""Packet memory, headroom and alpha → shared buffer, limit of one queue, and the threshold at which a pause ends.

Alpha is always an exact fraction and always rendered: a switch model once shipped 1/64 where 1/16 was meant,
and paused a whole site (sources.ALPHA_PAPER).
"""

from fractions import Fraction
from typing import NamedTuple

SMALLEST_LOSSLESS_ALPHA = Fraction(1, 16)  # sources.ALPHA_PAPER
XON_CELLS = 14  # 3,556 octets of 254, sources.Z9864F_BUFFERS; other chips publish other values


class PoolBudget(NamedTuple):
    """Packet memory in octets: `shared_octets` is what remains for queues after headroom and reserves."""

    total_octets: int
    headroom_octets: int
    reserved_octets: int

    @property
    def shared_octets(self) -> int:
        """Octets that all queues share; negative when more is reserved than the chip has."""
        return self.total_octets - self.headroom_octets - self.reserved_octets


def queue_limit_octets(shared_octets: int, alpha: Fraction, queues: int) -> int:
    """Return the depth that each of `queues` equally congested queues may reach: alpha·B / (1 + n·alpha).

    The steady state of the dynamic threshold of Choudhury and Hahne (1998); `queues` counts from 1.
    """
    return int(alpha * shared_octets / (1 + queues * alpha))


def xon_offset_octets(cell_octets: int) -> int:
    """Return how far below the pause threshold traffic resumes, in octets; sourced for cells of 254 octets only."""
    return XON_CELLS * cell_octets


def buffer_faults(budget: PoolBudget, alpha: Fraction) -> tuple[str, ...]:
    """Return why a lossless pool cannot work, with the numbers compared; empty when it can."""
    rules = (
        (
            budget.shared_octets > 0,
            f"headroom {budget.headroom_octets} and reserves {budget.reserved_octets} leave nothing of the "
            f"{budget.total_octets} octets to share",
        ),
        (
            alpha >= SMALLEST_LOSSLESS_ALPHA,
            f"alpha {alpha} of a lossless class is below {SMALLEST_LOSSLESS_ALPHA}: it pauses at small bursts",
        ),
    )
    return tuple(reason for holds, reason in rules if not holds)
