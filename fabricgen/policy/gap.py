"""Gap between packets of a NIC, so that the headers that the leaf adds do not overload a link at line rate."""

from typing import NamedTuple

WITHOUT_OVERLAY = 25
WITH_OVERLAY = 33
SOURCE = (
    "Mellanox/nic-configuration-operator at 03881da6, bindata/spectrum-x/RA2.1.yaml (interPacketGap: pureL3 25, l3EVPN "
    "33); read 2026-11-21"
)


class InterPacketGap(NamedTuple):
    """Octets between two packets of a NIC, and the source of the number."""

    octets: int
    source: str


def inter_packet_gap(*, overlay: bool) -> InterPacketGap:
    """Return the gap for a NIC: larger where the leaf encapsulates its packets in VXLAN."""
    return InterPacketGap(WITH_OVERLAY if overlay else WITHOUT_OVERLAY, SOURCE)
