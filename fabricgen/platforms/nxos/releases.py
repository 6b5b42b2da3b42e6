"""Releases of NX-OS that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (Release("10.5", "Cisco Nexus 9000 NX-OS guides, Release 10.5(x)"),)
DIFFERENCES: tuple[Difference, ...] = ()
