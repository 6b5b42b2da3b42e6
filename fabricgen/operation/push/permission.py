"""Whether a push may begin, and whether it may resume a run that was killed."""

from fabricgen.base.text import listed
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.site import PushSite
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.readers import reader_of
from fabricgen.push.model import PlannedSwitch, RunRecord


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


def refuse_other_approval(push_site: PushSite, record: RunRecord) -> None:
    """Raise FabricError if a killed run does not have the given approval."""
    if push_site.options.approval is not None and not record.head.approval.startswith(push_site.options.approval):
        problem = Problem(
            code="push-unfinished",
            what=f"run {record.number} was interrupted, and --approval names another approval",
            why=f"it was begun with {record.head.approval}, and must be resumed first",
            fix="use that approval, or none; or add --abandon: unconfirmed commits revert by themselves",
        )
        raise FabricError([problem])


def refuse_other_intent(push_site: PushSite, record: RunRecord) -> None:
    """Raise FabricError if a killed run had other target configurations than the intent now gives."""
    missing = [planned.device for planned in record.planned if planned.device not in push_site.targets]
    if missing:
        problem = Problem(
            code="push-unfinished",
            what=f"run {record.number} was interrupted, and {missing[0]} is not among the selected switches",
            why="it is resumed with all its switches",
            fix="use the same --devices as then, or add --abandon: unconfirmed commits revert by themselves",
        )
        raise FabricError([problem])
    changed = [planned.device for planned in record.planned if _digest(push_site, planned) != planned.artifact]
    if changed:
        problem = Problem(
            code="push-unfinished",
            what=f"run {record.number} was interrupted, and the intent has changed since",
            why=f"{listed(changed, most=1)} would get other lines now",
            fix="resume it with the same intent, or add --abandon: unconfirmed commits revert by themselves",
        )
        raise FabricError([problem])


def is_same(push_site: PushSite, planned: PlannedSwitch) -> bool:
    """Whether a switch would now get the configuration that a killed run had for it."""
    return planned.device in push_site.targets and _digest(push_site, planned) == planned.artifact


def _digest(push_site: PushSite, planned: PlannedSwitch) -> str:
    device = push_site.devices.get(planned.device)
    return push_site.goal(device).digest if device is not None else ""
