"""Arista EOS for Batfish: the file as it is, below the header.

Source: github.com/batfish/batfish cba1873 (2026-08-21), grammar/VendorConfigurationFormatDetector.java, checkRancid.
"""

from fabricgen.platforms.base.batfish import (
    CONFIGS,
    EVERYWHERE,
    UNDERLAY,
    BatfishReading,
    SnapshotFormat,
    Unmodelled,
    sessions,
    with_header,
)

OVERLAY = Unmodelled(
    "EVPN sessions over unnumbered links",
    lambda device: any(row.interface for row in device.routing.bgp.neighbors) and any(sessions(device, "evpn")),
    "Batfish does not establish them on EOS, so tenants would have no routes",
)
"""Seen in the answers of Batfish cba1873 to a snapshot of such a fabric; on FRR it establishes them."""

EOS = BatfishReading(
    SnapshotFormat(
        name="ARISTA",
        paths=CONFIGS,
        texts=with_header("!RANCID-CONTENT-TYPE: arista", "startup-config"),
        barriers=(*UNDERLAY, OVERLAY),
        unmodelled=EVERYWHERE,
    )
)
