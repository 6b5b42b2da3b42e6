"""The arithmetic of folded Clos fabrics: leaf split, legal spine counts, what growth costs.

    leaf split            D down ports, U = ceil(D / o) up ports, D + U <= R of the leaf
    uplinks on S spines   U rounded up to a multiple of S, where the leaf has ports for it beside its D
    spines of a plane     S divides the uplinks, and L leaves x (U / S) links fit the spine's R ports
    links a pair          m = U / S, the same for every leaf-spine pair
    next recable point    R / m leaves: past it m must fall and uplinks move
    next tier point       R * R_spine / 2 endpoints a plane for 1:1

NVIDIA's DGX B300 XDR table (leaf 72 up, spine 144 ports: 4, 8, 18, 36, 72 spines for 8, 16, 32, 64, 144 leaves)
comes out exactly, because 18 and 36 are forced by `U mod S == 0`.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple


class LeafSplit(NamedTuple):
    """Ports of one leaf, or of one spine under superspines."""

    down: int
    up: int


def uplinks_for(down: int, down_gbps: int, up_gbps: int, down_weight: int, up_weight: int) -> int:
    """Fewest uplinks that keep a leaf within its ratio: ceil(D * q_down / (o * q_up))."""
    return -(-down * down_gbps * up_weight // (up_gbps * down_weight))


def most_down(ups: int, free: Callable[[int], int], within: Callable[[int], int]) -> int:
    """Most ports down that one of 1 to `ups` uplinks lets a leaf have; 0 where it has no port for an uplink.

    free    ports down that the panel has beside so many uplinks: never more with one more
    within  ports down that the ratio lets in over so many: never fewer with one more

    The most are where the two meet.
    """
    counts = range(1, ups + 1)
    met = bisect_left(counts, 0, key=lambda count: within(count) - free(count))
    return max((min(within(count), free(count)) for count in counts[max(0, met - 1) : met + 1]), default=0)


def divisors(number: int) -> tuple[int, ...]:
    """All divisors, ascending."""
    return tuple(d for d in range(1, number + 1) if number % d == 0)


def uplinks_on(spines: int, least: int) -> int:
    """Uplinks of a leaf on so many spines: the smallest multiple that is no fewer than its ratio asks."""
    return -(-least // spines) * spines


def legal_spines(leaves: int, least: int, spine_ports: int, most: int = 0) -> tuple[int, ...]:
    """Spine counts of one plane and pod that give every leaf-spine pair the same whole number of links.

    least  uplinks that the leaf's ratio asks
    most   uplinks that a leaf has ports for; as many as `least` where it is left out: then the divisors of these
    """
    most = max(least, most)
    counts = ((s, up) for s in range(1, most + 1) if (up := uplinks_on(s, least)) <= most)
    return tuple(s for s, up in counts if leaves * (up // s) <= spine_ports)


def leaf_capacity(spines: int, up: int, spine_ports: int) -> int:
    """Leaves that fit before links must move: floor(R / m)."""
    return spine_ports * spines // up
