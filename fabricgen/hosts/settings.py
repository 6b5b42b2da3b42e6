"""NIC settings of one fabric, from the marking object of its leaves: switch and NIC share it."""

from fabricgen.errors import FabricError, Problem
from fabricgen.hosts.model import NicSettings
from fabricgen.intent.fabric import Fabric, overlay_of
from fabricgen.policy.gap import inter_packet_gap
from fabricgen.policy.marking import Marking, pfc_bitmap
from fabricgen.policy.nics import NIC_VENDOR_BY_NAME, cnp_octet, octet, priority_map, remapped_priorities


def nic_settings(name: str, fabric: Fabric, marking: Marking, vendor: str, *, sprayed: bool) -> NicSettings:
    """Settings of one vendor's NICs on a fabric; `sprayed`: some switch of it sprays packets.

    Raises FabricError for a vendor whose commands no source documents.
    """
    nic_vendor = NIC_VENDOR_BY_NAME.get(vendor)
    if nic_vendor is None:
        raise FabricError([_unknown(name, vendor)])
    return NicSettings(
        fabric=name,
        vendor=vendor,
        marking=marking.name,
        data_dscp=marking.data_dscp,
        priority=marking.priority,
        pfc=pfc_bitmap(marking),
        priorities=priority_map(marking),
        remapped_priorities=remapped_priorities(marking),
        cnp_dscp=marking.cnp_dscp,
        cnp_priority=marking.cnp_priority,
        traffic_class=octet(marking, nic_vendor),
        cnp_octet=cnp_octet(marking),
        gid_index=nic_vendor.gid_index,
        packet_gap=inter_packet_gap(overlay=overlay_of(fabric) is not None) if nic_vendor.packet_gap else 0,
        takes_cable=nic_vendor.longest_cable_m > 0,
        reordering=nic_vendor.reordering if sprayed else (),
    )


def _unknown(fabric: str, vendor: str) -> Problem:
    return Problem(
        code="nic-vendor",
        what=f"{fabric} is lossless, and the NIC settings of {vendor} for it are undocumented",
        why=f"the vendors with documented settings are {', '.join(sorted(NIC_VENDOR_BY_NAME))}",
        fix="select other servers with --servers, or correct `vendor` in the hardware file",
        where=("fabrics", fabric, "connects"),
    )
