"""Marking plan and NIC vendor → settings of the NIC: priority of each code point, octets, indexes, counts.

They come from the same `Marking` as the leaf's, so that what a NIC sets and what its leaf expects cannot differ.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.policy import sources
from fabricgen.policy.marking import BEST_EFFORT_CLASS, CODE_POINTS, ECT0, Marking

BITS_BELOW_PRIORITY = 3
"""Without a map of its own, a NIC that trusts DSCP uses its upper three bits (sources.MLNX_QOS prints such a map)."""


class RateControl(NamedTuple):
    """One parameter of a NIC's congestion control, as an option of the vendor's tool."""

    option: str
    value: int


AMD_RATE_CONTROL = (
    RateControl("--token-bucket-size", 800_000),
    RateControl("--ai-rate", 160),
    RateControl("--alpha-update-interval", 1),
    RateControl("--alpha-update-g", 512),
    RateControl("--initial-alpha-value", 64),
    RateControl("--rate-increase-byte-count", 431_068),
    RateControl("--hai-rate", 300),
    RateControl("--rate-reduce-monitor-period", 1),
    RateControl("--rate-increase-threshold", 1),
    RateControl("--rate-increase-interval", 1),
)
"""sources.AMD_SCRIPTS, which cite UG1813; three public files have the same ten values."""


class RegisterField(NamedTuple):
    """One field of a NIC's register, and its value."""

    name: str
    value: int


REORDERING = (
    RegisterField("roce_adp_retrans_en", 1),
    RegisterField("roce_tx_window_en", 1),
    RegisterField("roce_slow_restart_en", 0),
    RegisterField("roce_slow_restart_idle_en", 0),
    RegisterField("adaptive_routing_forced_en", 1),
)
"""Register ROCE_ACCL of a NIC whose packets take several paths at once.

Values: sources.SPECTRUM_X, runtimeConfig.adaptiveRouting; names of the fields: sources.MLX_REGISTER. A NIC forgets them
when it restarts.
"""


class NicVendor(NamedTuple):
    """What differs by the vendor of a NIC.

    ecn_bits     lower two bits of the octet that software gives a queue pair
    gid_index    of the RoCEv2 entry of the NIC's one routed address, in its GID table
    packet_gap   whether a source documents how to set the gap between packets
    control      the collective library sends control messages in a class of their own
    operator     the vendor's Kubernetes operator takes a list of rails; planes: its NICs can be split as SPLITS says
    rate_control parameters of its congestion control, as options of the vendor's tool
    longest_cable_m  longest cable in metres that its PFC buffers can be set for; 0: no source documents the setting
    reordering   register fields to set where packets are sprayed; empty: no source documents any
    adaptive     the collective library has a setting for adaptive routing
    switches     vendor of the switches with which it is known to accept packets in any order; empty: any
    """

    name: str
    title: str
    ecn_bits: int
    gid_index: int
    source: str
    packet_gap: bool = False
    control: bool = False
    operator: bool = False
    planes: bool = False
    rate_control: tuple[RateControl, ...] = ()
    longest_cable_m: int = 0
    reordering: tuple[RegisterField, ...] = ()
    adaptive: bool = False
    switches: str = ""
    unsure: str = ""


NIC_VENDORS = (
    NicVendor(
        name="nvidia",
        title="NVIDIA ConnectX and BlueField",
        ecn_bits=ECT0,
        gid_index=3,
        packet_gap=True,
        operator=True,
        planes=True,
        longest_cable_m=999,  # sources.MLNX_CABLE
        reordering=REORDERING,
        adaptive=True,  # sources.NCCL_GUIDE: off by default on RoCE
        switches="NVIDIA",  # sources.ADAPTIVE_NICS
        source=f"{sources.DOROCE}: TOS 106 and GID index 3 as its defaults; the table's order: NVIDIA/nccl issue 426; "
        f"{sources.MLNX_CABLE}",
    ),
    NicVendor(
        name="broadcom",
        title="Broadcom NetXtreme-E (Thor2)",
        ecn_bits=0,
        gid_index=3,
        source=f"{sources.BNXT_SETUPCC}: the octet is the DSCP shifted by two, the NIC itself marks what can carry ECN",
        unsure="that the GID index is 3 is read in no document of the maker's",
    ),
    NicVendor(
        name="amd",
        title="AMD Pensando Pollara",
        ecn_bits=0,
        gid_index=1,
        control=True,
        rate_control=AMD_RATE_CONTROL,
        source=f"{sources.AMD_SCRIPTS}: NCCL_IB_TC=104 for DSCP 26, FIFO 192, GID index 1",
    ),
)
NIC_VENDOR_BY_NAME = {vendor.name: vendor for vendor in NIC_VENDORS}

QUEUE_PAIRS: Mapping[str, int] = {
    "ecmp": 4,
    "ecmp-queue-pair": 4,
    "dlb-flowlet": 2,
    "dlb-global": 2,
    "cluster": 1,
    "dlb-per-packet": 4,
}
"""Load balancing of the fabric → queue pairs of a connection. A hash sees one flow per pair; few may share a link.

By ports a hash tells pairs apart only if the NIC gives each another source port; by the queue pair in any case.

sources.NCCL_GUIDE recommends several on RoCE for any balancing. Spectrum-X sites use four with adaptive routing
(sources.SPECTRUM_X_LAUNCH): packets that the switch cannot spray are hashed. Two for flowlets and one where a leaf
places each flow are expert knowledge.
"""
QUEUE_PAIRS_SOURCE = (
    f"{sources.NCCL_GUIDE}: several queue pairs per connection help on RoCE; their number is expert knowledge: 4 with "
    "a hash or with spraying, 2 with flowlets, 1 where a leaf places each flow"
)


class NicSplit(NamedTuple):
    """How a NIC is split into planes: PCI device id, planes, and the plane of each lane of its module."""

    device: str
    planes: int
    lanes: tuple[int, ...]


UNUSED_LANE = 0xFF
LANES_SET = 16
SPLITS = (
    NicSplit("0x1023", 2, (1, 1, 1, 1, 2, 2, 2, 2)),  # ConnectX-8
    NicSplit("0x1023", 4, (1, 1, 2, 2, 3, 3, 4, 4)),
    NicSplit("0xa2dc", 2, (1, 1, 2, 2)),  # BlueField-3 SuperNIC
    NicSplit("0xa2dc", 4, (1, 2, 3, 4)),
)
"""sources.SPECTRUM_X, mlxConfig.swplb: each plane is a PCI function with its own address."""


def split_settings(split: NicSplit) -> tuple[str, ...]:
    """Return the firmware settings of a split as arguments of `mlxconfig set`."""
    lanes = (*split.lanes, *[UNUSED_LANE] * (LANES_SET - len(split.lanes)))
    lane_settings = (f"MODULE_SPLIT_M0[{lane}]={plane:#x}" for lane, plane in enumerate(lanes))
    return (f"NUM_OF_PF={split.planes}", "NUM_OF_PLANES_P1=0", "LAG_RESOURCE_ALLOCATION=0", *lane_settings)


def priority_map(marking: Marking) -> tuple[int, ...]:
    """Return the priority of each of the 64 code points on a NIC, position = DSCP.

    RoCE data and CNP have the plan's priority, everything else best effort: nothing else may use the lossless priority.
    """
    priorities = [BEST_EFFORT_CLASS] * CODE_POINTS
    priorities[marking.cnp_dscp] = marking.cnp_priority
    for dscp in marking.roce_dscps:
        priorities[dscp] = marking.priority
    return tuple(priorities)


def remapped_priorities(marking: Marking) -> tuple[tuple[int, int], ...]:
    """Return (DSCP, priority) of the code points whose priority a NIC with a default map must have configured.

    Lossy code points that keep another lossy priority by default are left alone.
    """
    settings = []
    for dscp, planned in enumerate(priority_map(marking)):
        default = dscp >> BITS_BELOW_PRIORITY
        is_special = dscp == marking.cnp_dscp or marking.priority in (planned, default)
        if planned != default and is_special:
            settings.append((dscp, planned))
    return tuple(settings)


def octet(marking: Marking, vendor: NicVendor) -> int:
    """Return the traffic class octet of RoCE data as software gives it to a NIC, e.g. 106 or 104 for DSCP 26."""
    return marking.data_dscp << 2 | vendor.ecn_bits


def cnp_octet(marking: Marking) -> int:
    """Return the traffic class octet of congestion notifications, e.g. 192 for DSCP 48."""
    return marking.cnp_dscp << 2


def splits_of(vendor: str, planes: int) -> tuple[NicSplit, ...]:
    """Return the ways to split NICs of a vendor into so many planes, one per device; empty where no source has one."""
    nic_vendor = NIC_VENDOR_BY_NAME.get(vendor)
    return (
        tuple(split for split in SPLITS if split.planes == planes)
        if nic_vendor is not None and nic_vendor.planes
        else ()
    )


def has_operator(vendor: str) -> bool:
    """Return whether a vendor's operator takes a list of rails."""
    nic_vendor = NIC_VENDOR_BY_NAME.get(vendor)
    return nic_vendor is not None and nic_vendor.operator
