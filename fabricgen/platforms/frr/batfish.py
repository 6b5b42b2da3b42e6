"""FRR on Linux for Batfish: hostname, interfaces and frr.conf in one file, as Batfish reads Cumulus Linux before NVUE.

Sources: github.com/batfish/pybatfish 9ecc844 (2026-07-20), docs/source/formats.md, Cumulus configuration files: the
order of the parts and the line that each begins with. github.com/batfish/batfish cba1873 (2026-08-21), below
projects/batfish/src/main: java/org/batfish/grammar/VendorConfigurationFormatDetector.java, checkRancid: FRR by itself
has a header and no reader; antlr4/org/batfish/grammar/frr/Frr_bgp.g4, the address family l2vpn evpn.
"""

from fabricgen.platforms.base.batfish import (
    CONFIGS,
    EVERYWHERE,
    RENDERED,
    UNDERLAY,
    BatfishReading,
    SnapshotFormat,
    Unmodelled,
    has_tenants,
)
from fabricgen.platforms.linux.batfish import known_interfaces, numbered_communities


def _texts(name: str, files: RENDERED) -> tuple[str, ...]:
    parts = (
        name,
        "# This file describes the network interfaces",
        known_interfaces(files["interfaces"]),
        "# ports.conf --",
        "",
        "frr version",
        numbered_communities(files["frr.conf"]),
    )
    return ("\n".join(parts),)


TENANTS = Unmodelled(
    "an overlay for tenants",
    has_tenants,
    "Batfish reads neither the route targets of a VNI nor `import vrf` (grammar/frr/Frr_bgp.g4): tenants would have "
    "other routes",
)

FRR = BatfishReading(
    SnapshotFormat(
        name="CUMULUS_CONCATENATED",
        paths=CONFIGS,
        texts=_texts,
        barriers=(TENANTS, *UNDERLAY),
        unmodelled=EVERYWHERE,
    )
)
