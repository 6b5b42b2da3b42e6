"""Releases of NX-OS that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (
    Release(
        "10.4",
        "Cisco Nexus 9000 NX-OS guides, Release 10.4(x) (security, programmability); running configurations of 10.3(9) "
        "and 10.4(3)",
    ),
    Release("10.5", "Cisco Nexus 9000 NX-OS guides, Release 10.5(x); a running configuration of 10.5(2)"),
    Release("10.6", "Cisco Nexus 9000 NX-OS guides, Release 10.6(x) (interfaces, quality of service, VXLAN)"),
)
DIFFERENCES: tuple[Difference, ...] = ()
