"""Releases of Junos that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (Release("24.4", "github.com/Juniper/yang 2a696d6, 24.4R1", "Juniper's YANG of 24.4R1"),)
DIFFERENCES: tuple[Difference, ...] = ()
