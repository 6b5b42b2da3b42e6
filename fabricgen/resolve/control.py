"""Whether a switch's own packets leave by the queue of congestion notifications: by its system and the marking plan.

BGP and BFD are CS6 (48) where nothing else is said, which is the CNP of most marking plans as well. A system keeps the
two apart by a queue of its own, or by another mark that can be written into its configuration.
"""

from functools import lru_cache

from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Platform
from fabricgen.policy.marking import DEFAULT_CONTROL_DSCP, Marking, shares_control

APART, BGP, BFD = "control-apart", "control-queue", "control-queue-bfd"
"""Features of a platform: its own packets leave by a queue outside the plan; BGP, BFD leave by the plan's control."""
KEPT = 64


@lru_cache(KEPT)
def rides_with_cnp(system: str, marking: Marking, *, bfd: bool) -> bool:
    """Tell whether BGP, or BFD where it is on, leaves by the CNP's queue. `system`: with or without its release."""
    name = system.partition("-")[0]
    if can(name, APART):
        return False
    if shares_control(marking):
        return True
    if marking.cnp_dscp != DEFAULT_CONTROL_DSCP:
        return False
    return not can(name, BGP) or (bfd and not can(name, BFD))


def apart(marking: Marking) -> Marking:
    """The same plan with the CNP in a queue below control: what a system that can keep them apart would do."""
    below = marking.control_queue - 1
    return marking._replace(cnp_traffic_class=below, cnp_queue=below)


def can(system: str, feature: str) -> bool:
    """Tell whether a platform has a feature; an unknown one has all, and is refused elsewhere."""
    platform = PLATFORMS.get(system)
    if platform is None:
        return True
    row = platform.can(feature)
    return row is not None and not row.refusal


def own_packets(system: str, marking: Marking, *, bfd: bool) -> str:
    """In which queue the switch's own packets are sent, in words, with what the platform's table says of it."""
    name = system.partition("-")[0]
    platform = PLATFORMS.get(name)
    if platform is None:
        return ""
    rides = rides_with_cnp(name, marking, bfd=bfd)
    if not rides and can(name, APART):
        return f"in a queue outside the plan: {_said(platform, BGP)}"
    if not rides:
        return f"in queue {marking.control_queue}: {_said(platform, BGP)}"
    if shares_control(marking):
        why = f"the marking plan {marking.name} puts CNP there"
    else:
        why = _said(platform, BFD if can(name, BGP) else BGP)
    return f"in queue {marking.cnp_queue} together with CNP, with one cap for both: {why}"


def _said(platform: Platform, feature: str) -> str:
    row = platform.can(feature)
    return (row.refusal or row.limit) if row else ""
