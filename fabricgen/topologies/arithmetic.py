"""The arithmetic of folded Clos fabrics: leaf split, legal spine counts, growth.

    leaf split            D down ports, U = ceil(D / o) up ports, D + U <= R of the leaf
    uplinks on S spines   U rounded up to a multiple of S, where the leaf has ports for it in addition to its D
    spines of a plane     S divides the uplinks, and L leaves x (U / S) links fit the spine's R ports
    links per pair        m = U / S, the same for every leaf-spine pair
    next recable point    R / m leaves: beyond it m must fall and uplinks move
    next tier point       R * R_spine / 2 endpoints per plane for 1:1

NVIDIA's DGX B300 XDR table (leaf 72 up, spine 144 ports: 4, 8, 18, 36, 72 spines for 8, 16, 32, 64, 144 leaves)
is reproduced exactly, because 18 and 36 are forced by `U mod S == 0`.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from fabricgen.intent.scalars import Ratio


class LeafSplit(NamedTuple):
    """Ports of one leaf, or of one spine under superspines."""

    down: int
    up: int


def uplinks_for(down: int, ratio: Ratio, below_gbps: int = 1, above_gbps: int = 1) -> int:
    """Return the fewest uplinks that keep a switch within its ratio: ceil(D * q_down / (o * q_up))."""
    return -(-down * below_gbps * ratio.up // (above_gbps * ratio.down))


def largest_split(
    ups: int, free: Callable[[int], int], ratio: Ratio, below_gbps: int = 1, above_gbps: int = 1
) -> LeafSplit:
    """Return the most down ports that the ratio allows with 1 to `ups` uplinks, with the fewest uplinks for them.

    free    down ports that the panel has left with so many uplinks: does not grow with the number

    No down ports where there is no port for an uplink. The maximum is where the two curves cross.
    """

    def within(count: int) -> int:
        return ratio.down * count * above_gbps // (ratio.up * below_gbps)

    counts = range(1, ups + 1)
    # `within` never falls and `free` never grows, so their difference is sorted.
    crossing = bisect_left(counts, 0, key=lambda count: within(count) - free(count))
    most = max((min(within(count), free(count)) for count in counts[max(0, crossing - 1) : crossing + 1]), default=0)
    return LeafSplit(most, uplinks_for(most, ratio, below_gbps, above_gbps))


def divisors(number: int) -> tuple[int, ...]:
    """Return all divisors, ascending."""
    return tuple(d for d in range(1, number + 1) if number % d == 0)


def uplinks_on(spines: int, least: int) -> int:
    """Return the uplinks of a leaf on so many spines: the smallest multiple that is at least what its ratio needs."""
    return -(-least // spines) * spines


def legal_spines(leaves: int, least: int, spine_ports: int, most: int = 0) -> tuple[int, ...]:
    """Return the spine counts of one plane and pod that give every leaf-spine pair the same whole number of links.

    least  uplinks that the leaf's ratio needs
    most   uplinks that a leaf has ports for; by default `least`, which leaves the divisors of `least`
    """
    most = max(least, most)
    counts = ((spines, up) for spines in range(1, most + 1) if (up := uplinks_on(spines, least)) <= most)
    return tuple(spines for spines, up in counts if leaves * (up // spines) <= spine_ports)


def leaf_capacity(spines: int, up: int, spine_ports: int) -> int:
    """Return the number of leaves that fit before links must move: floor(R / m)."""
    return spine_ports * spines // up
