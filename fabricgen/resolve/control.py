"""Whether a switch sends its own packets through the CNP queue: depends on its system and the marking plan.

BGP and BFD are CS6 (48) by default, which most marking plans use for CNP, too. A system keeps the two apart by a queue
of its own, or by another mark that its configuration can set.
"""

from functools import lru_cache

from fabricgen.platforms import PLATFORMS, supports
from fabricgen.platforms.base.platform import Platform
from fabricgen.policy.marking import DEFAULT_CONTROL_DSCP, Marking, shares_control

APART, BGP, BFD = "control-apart", "control-queue", "control-queue-bfd"
"""Features of a platform: own packets use a queue outside the plan; BGP, BFD use the plan's control queue."""
KEPT = 64


@lru_cache(KEPT)
def rides_with_cnp(system: str, marking: Marking, *, bfd: bool) -> bool:
    """Return whether BGP, or BFD where it is on, uses the CNP queue. `system`: with or without its release."""
    name = system.partition("-")[0]
    if can(name, APART):
        return False
    if shares_control(marking):
        return True
    if marking.cnp_dscp != DEFAULT_CONTROL_DSCP:
        return False
    return not can(name, BGP) or (bfd and not can(name, BFD))


def apart(marking: Marking) -> Marking:
    """Return the same plan with the CNP queue below control, for systems that can keep them apart."""
    below = marking.control_queue - 1
    return marking._replace(cnp_traffic_class=below, cnp_queue=below)


def can(system: str, feature: str) -> bool:
    """Return whether a platform has a feature. An unknown platform has all; other checks refuse it."""
    return system not in PLATFORMS or supports(system, feature)


def own_packets(system: str, marking: Marking, *, bfd: bool) -> str:
    """Return the queue of the switch's own packets as text, with the reason from the platform's table."""
    name = system.partition("-")[0]
    platform = PLATFORMS.get(name)
    if platform is None:
        return ""
    rides = rides_with_cnp(name, marking, bfd=bfd)
    if not rides and can(name, APART):
        return f"in a queue outside the plan: {_refusal_or_limit(platform, BGP)}"
    if not rides:
        return f"in queue {marking.control_queue}: {_refusal_or_limit(platform, BGP)}"
    if shares_control(marking):
        reason = f"the marking plan {marking.name} uses this queue for CNP"
    else:
        reason = _refusal_or_limit(platform, BFD if can(name, BGP) else BGP)
    return f"in queue {marking.cnp_queue} together with CNP, under one rate cap: {reason}"


def _refusal_or_limit(platform: Platform, feature: str) -> str:
    row = platform.can(feature)
    return (row.refusal or row.limit) if row else ""
