"""Releases of Arista EOS that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (Release("4.34", "PyAVD 6.4.0 on PyPI, eos_cli_config_gen"),)
DIFFERENCES: tuple[Difference, ...] = ()
