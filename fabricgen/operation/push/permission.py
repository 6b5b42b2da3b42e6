"""Whether a push may commit on the platforms of its switches."""

from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.site import PushSite
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.readers import reader_of


def refuse_unproven(push_site: PushSite) -> None:
    """Raise FabricError for platforms whose commits do not revert, and for unproven ones that nobody tested."""
    if not push_site.options.commit:
        return
    systems = sorted({target.system for target in push_site.targets.values()})
    profiles = {PLATFORMS[system].title: commit_profile_of(reader_of(system).driver) for system in systems}
    problems = [_untimed(title) for title, profile in profiles.items() if not profile.timed]
    if not push_site.options.tested:
        problems += [_unproven(title) for title, profile in profiles.items() if not profile.proven]
    if problems:
        raise FabricError(problems)


def _untimed(title: str) -> Problem:
    return Problem(
        code="push-untimed",
        what=f"{title} has no commit that reverts unless it is confirmed",
        why="a change that cuts off the switch would stay, and no substitute has been tested",
        fix="exclude these switches (--devices), and change them manually with console access",
    )


def _unproven(title: str) -> Problem:
    return Problem(
        code="push-unproven",
        what=f"push to {title} was tested on simulated switches only",
        why="no real switch of that platform was available for tests",
        fix="test it on a spare switch (prove-platform, or push --devices NAME), then add --i-have-tested-this",
    )
