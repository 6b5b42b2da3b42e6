"""Gap between packets of a NIC, so that the headers that the leaf adds do not overload a link at line rate.

Mellanox/nic-configuration-operator at 03881da6, bindata/spectrum-x/RA2.1.yaml (interPacketGap: pureL3 25, l3EVPN 33);
read 2026-11-21.
"""

WITHOUT_OVERLAY = 25
WITH_OVERLAY = 33


def inter_packet_gap(*, overlay: bool) -> int:
    """Return the octets between two packets of a NIC: more where the leaf encapsulates its packets in VXLAN."""
    return WITH_OVERLAY if overlay else WITHOUT_OVERLAY
