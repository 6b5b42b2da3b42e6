"""Gap between packets that a NIC leaves for what the leaf puts around them: else a full link in overfills one out."""

from typing import NamedTuple

WITHOUT_OVERLAY = 25
WITH_OVERLAY = 33
SOURCE = (
    "Mellanox/nic-configuration-operator at 03881da6, bindata/spectrum-x/RA2.1.yaml (interPacketGap: pureL3 25, l3EVPN "
    "33); read 2026-11-21"
)


class InterPacketGap(NamedTuple):
    """Octets between two packets of a NIC, and who says so."""

    octets: int
    source: str


def inter_packet_gap(*, overlay: bool) -> InterPacketGap:
    """Gap that a NIC is set to: larger where the leaf puts its packets into VXLAN."""
    return InterPacketGap(WITH_OVERLAY if overlay else WITHOUT_OVERLAY, SOURCE)
