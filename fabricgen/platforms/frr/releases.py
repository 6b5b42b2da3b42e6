"""Releases of FRR that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (Release("8.4", "FRR 8.4.4 of Debian 12", "FRR 8.4.4 itself"),)
DIFFERENCES: tuple[Difference, ...] = ()
