"""The lossless class as SONiC configures it: octets as planned, or as an NVIDIA switch computes them.

The vendor's formula is `cfgmgr/buffer_headroom_mellanox.lua` of sonic-net/sonic-swss at 18913fa; its constants are
those of `platform/mellanox/asic_table.j2`. Its inputs are what the templates render: the share of small packets, the
largest lossless packet, the MTU of the port, the length of the cable, and no shared headroom pool.
"""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from fabricgen.device.device import Hardware
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.lossless import RenderedHeadroom, RenderedLossless, RenderedWatchdog, ecn_rows
from fabricgen.platforms.sonic.qos import DYNAMIC, SMALL_PACKET_PERCENT, metres, watchdog_words

FORMULA = "computed by the switch: sonic-net/sonic-swss 18913fa, cfgmgr/buffer_headroom_mellanox.lua"
METRES_PER_SECOND = 198_000_000
KIB = 1024
SMALLEST = 64
QUANTUM = 64
"""Octets of a pause quantum, 512 bit times."""
PAUSE_QUANTA = {10: 67, 25: 80, 40: 118, 50: 147, 100: 394, 200: 453, 400: 905, 800: 905}
CONSTANTS = {"cell_octets", "eight_lanes_gbps", "pipeline_octets"}
"""Constants of the chip that the formula needs."""
COMPENSATION = 2 * KIB
"""Octets added to a headroom for fewer small packets if there is no shared headroom pool."""


def rendered(hardware: Hardware, qos: Qos, mtu: int) -> RenderedLossless:
    """Return the numbers of one switch; by the vendor's formula for dynamic buffers. mtu: of its lossless ports."""
    is_dynamic = hardware.spellings.get("buffers") == DYNAMIC
    times = watchdog_words(qos.watchdog)
    return RenderedLossless(
        ecn=ecn_rows(qos),
        headroom=tuple(
            _computed(hardware, row.speed_gbps, row.length_m, mtu)
            if is_dynamic
            else RenderedHeadroom(row.speed_gbps, row.length_m, row.octets)
            for row in qos.headroom
        ),
        watchdog=RenderedWatchdog(times.detect, times.restore, times.polling, qos.watchdog.action),
        pool_octets=None if is_dynamic else qos.headroom_pool_octets,
        resume_octets=None if is_dynamic else qos.resume_octets,
    )


def _computed(hardware: Hardware, speed_gbps: int, length_m: int, mtu: int) -> RenderedHeadroom:
    """Return headroom as the switch computes it; None octets if the chip's constants are unknown."""
    spellings = hardware.spellings
    if not spellings.keys() >= CONSTANTS or speed_gbps not in PAUSE_QUANTA:
        return RenderedHeadroom(speed_gbps, length_m, None, by_switch=True)
    xoff = xoff_octets(spellings, speed_gbps, metres(length_m), Packets(mtu, mtu, SMALL_PACKET_PERCENT))
    is_wide = speed_gbps >= int(spellings["eight_lanes_gbps"])
    xon = int(spellings["pipeline_octets"]) * (2 if is_wide else 1)
    private = _whole(xoff + xon + (mtu if is_wide else 0))
    return RenderedHeadroom(speed_gbps, length_m, xoff, by_switch=True, source=FORMULA, private=private)


class Packets(NamedTuple):
    """Largest packet of the port and of the lossless class in octets; percentage of packets of the smallest size."""

    port_mtu: int
    lossless_mtu: int
    small_percent: int


def xoff_octets(constants: Mapping[str, str], speed_gbps: int, length_m: int, packets: Packets) -> int:
    """Return the headroom that the switch computes, rounded up to whole kibioctets.

    constants  of the chip: cell_octets; on_tile_octets_per_gbps, what its first stage holds for each Gb/s
    """
    small_percent, mtu = packets.small_percent, packets.lossless_mtu
    cell = int(constants["cell_octets"])
    worst_occupancy = ceil(cell / SMALLEST if cell > 2 * SMALLEST else 2 * cell / (1 + cell))
    by_octets = 100 * SMALLEST / ((small_percent * SMALLEST + (100 - small_percent) * mtu) / 100)
    occupancy = (100 - by_octets + by_octets * worst_occupancy) / 100
    cable = 2 * length_m * speed_gbps * 1000 * 1_000_000_000 / METRES_PER_SECOND / 8000
    phy = 0.8 * KIB
    on_tile = speed_gbps * int(constants.get("on_tile_octets_per_gbps", "0"))
    delay = packets.port_mtu + cable + phy + PAUSE_QUANTA[speed_gbps] * QUANTUM + on_tile
    xoff = _whole(mtu + delay * occupancy)
    worst_xoff = _whole(mtu + delay * worst_occupancy)
    if small_percent != 100 and xoff + COMPENSATION < worst_xoff:
        return xoff + COMPENSATION
    return xoff


def _whole(octets: float) -> int:
    return ceil(octets / KIB) * KIB
