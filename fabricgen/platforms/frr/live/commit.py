"""A push and `napalm_frr`: all that it does is what the Linux systems share."""

from fabricgen.platforms.linux.live.commit import OPERATIONS

__all__ = ["OPERATIONS"]
