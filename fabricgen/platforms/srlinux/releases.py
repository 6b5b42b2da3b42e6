"""Releases of SR Linux that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

RELEASES = (Release("25.3", "github.com/nokia/srlinux-yang-models 97b373e (v25.3.1)", "Nokia's YANG of 25.3.1"),)
DIFFERENCES: tuple[Difference, ...] = ()
