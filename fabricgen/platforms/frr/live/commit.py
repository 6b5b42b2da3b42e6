"""Commits by `napalm_frr`: the operations that all Linux systems share."""

from fabricgen.platforms.linux.live.commit import OPERATIONS

__all__ = ["OPERATIONS"]
