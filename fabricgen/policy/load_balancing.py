"""Mode, chip and paths → hash seed and flowlet gap, and why a combination cannot work."""

from collections.abc import Collection, Mapping
from typing import Literal

Mode = Literal["ecmp", "ecmp-queue-pair", "dlb-flowlet", "dlb-global", "dlb-per-packet", "cluster"]
PER_PACKET: Mode = "dlb-per-packet"
"""Each packet may take another path, so that a NIC receives them in any order."""
FLOWLETS: tuple[Mode, ...] = ("dlb-flowlet", "dlb-global")
"""Modes that may move a flow after a gap."""
CHIP_MODES: Mapping[str, Mode] = {"ecmp-queue-pair": "ecmp", "dlb-global": "dlb-flowlet"}
"""Mode that adds something to another one → the one that a chip is asked for; the rest is the system's to support."""
GLOBAL_LEAVES = 64  # sources.GLOBAL: path quality profiles of the chip

FLOWLET_GAP_US = 128  # published: 16 (aggressive), 128, 256; expert choice between them
FIBRE_METRES_PER_US = 198  # sources.DYNAMIC_HEADROOM

CLUSTER_AGING_SECONDS = 300  # expert choice; sources.CLUSTER has a minimum of 30 and no advice
WEIGHTED_PATHS = 50  # weights are hundredths: with more paths, one link less rounds to the same weight as all links


DLB_GROUPS = 128  # sources.FLOW_SETS; that every Tomahawk since the third has as many is expert knowledge


def path_skew_us(*, shortest_m: float, longest_m: float, hops: int, kmax_octets: int, speed_gbps: int) -> float:
    """Return how much later one path can deliver than another, in microseconds.

    The difference of cable lengths, plus a queue at Kmax on each of `hops` egress ports of the slower path and none on
    the faster. An estimate: a queue that PFC pauses can be longer than Kmax.
    """
    return (longest_m - shortest_m) / FIBRE_METRES_PER_US + hops * kmax_octets / (speed_gbps * 125)


def flowlet_faults(gap_us: int, skew_us: float) -> tuple[str, ...]:
    """Return why a flowlet gap reorders packets; empty when it is longer than the skew of the paths."""
    if gap_us > skew_us:
        return ()
    return (f"flowlet gap {gap_us} us is not above the path skew of {skew_us:.0f} us: packets arrive out of order",)


def mode_faults(mode: str, *, supported: Collection[str], nic_reorder: bool) -> tuple[str, ...]:
    """Return why a mode cannot be used with a chip (`Asic.load_balancing`) and the NICs; empty when it can."""
    offered = ", ".join(sorted(supported)) or "none"
    rules = (
        (
            {mode, CHIP_MODES.get(mode, mode)} & {*supported} != set(),
            f"the chip does not support {mode}; it supports {offered}",
        ),
        (mode != "dlb-per-packet" or nic_reorder, "dlb-per-packet needs NICs that accept packets out of order"),
    )
    return tuple(reason for holds, reason in rules if not holds)


def ecmp_faults(paths: int, ecmp_width: int | None) -> tuple[str, ...]:
    """Return why equal-cost paths do not fit the chip's group width; empty when they do or the width is unknown."""
    if ecmp_width is None or paths <= ecmp_width:
        return ()
    return (f"{paths} equal-cost paths, but a group of the chip holds {ecmp_width}",)


def group_faults(groups: int, dlb_groups: int) -> tuple[str, ...]:
    """Return why the ECMP groups in use do not fit the chip's dynamic groups; empty when they do."""
    if groups <= dlb_groups:
        return ()
    return (f"{groups} ECMP groups, but the chip balances {dlb_groups} dynamically: the rest fall back to the hash",)


def seed_faults(seeds: tuple[int, ...]) -> tuple[str, ...]:
    """Return why seeds polarise traffic; empty when each tier (position) has its own."""
    if len(set(seeds)) == len(seeds):
        return ()
    return (f"two tiers share a hash seed ({', '.join(map(str, seeds))}): the second repeats the first one's choice",)


def link_short(links: int, switches: int, below: str, above: str, *, lossless: bool) -> str:
    """Return the effect of losing one of the `links` of a pair, where a switch has `switches` above it at full load.

    below, above  roles of the two switches of the pair
    lossless      whether traffic of a lossless class goes over them, which PFC pauses
    """
    return (
        f"the {above} still receives 1/{switches} of the traffic for the {below}, and has only {links - 1} of {links} "
        f"links to it: up to 1/{links * switches} of the traffic for the {below} does not fit, and is "
        + ("paused by PFC or dropped" if lossless else "dropped")
    )
