"""How drivers commit, and what a push does with each, by NAPALM's name of the driver, which is the platform's own."""

from collections.abc import Mapping

from fabricgen.base.lazy import OnDemand
from fabricgen.errors import FabricError
from fabricgen.platforms import makers
from fabricgen.platforms.base.live.commit_operations import CommitOperations
from fabricgen.platforms.base.live.commit_profile import CommitProfile

COMMIT_PROFILES: Mapping[str, CommitProfile] = OnDemand(makers("live.commit_profile"))
COMMIT_OPERATIONS: Mapping[str, CommitOperations] = OnDemand(makers("live.commit", "OPERATIONS"))


def commit_profile_of(driver: str) -> CommitProfile:
    """Return how a driver commits. Raises FabricError where nothing is known of it."""
    if driver not in COMMIT_PROFILES:
        raise FabricError.of(
            code="no-commit-profile",
            what=f"push does not support the driver {driver}",
            why=f"supported drivers: {', '.join(sorted(COMMIT_PROFILES))}",
            fix=f"select other switches with --devices, or add support for {driver} (docs/adding.md)",
        )
    return COMMIT_PROFILES[driver]
