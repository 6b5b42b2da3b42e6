"""Releases of Cumulus Linux that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (Release("5.11", "github.com/CumulusNetworks/docs, cumulus-linux-511", "FRR 8.4.4, for its routing"),)
DIFFERENCES: tuple[Difference, ...] = ()
