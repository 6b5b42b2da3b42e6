"""Whether somebody can still log in to a switch after its whole configuration was loaded."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.needs import roles

USERS = 'users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}'


def lost_accounts(plan: Plan) -> Iterator[Problem]:
    """A system whose accounts are all in the file that is loaded is given one.

    Source: `accounts` of each platform, with the maker's page.
    """
    if plan.intent.management.users:
        return
    found: dict[str, list[str]] = {}
    for name, fabric in plan.fabrics.items():
        for role in roles(fabric):
            found.setdefault(role.system.partition("-")[0], []).append(f"{name} {role.name}")
    for system, who in found.items():
        platform = PLATFORMS.get(system)
        if platform is not None and platform.accounts:
            yield Problem(
                code="no-account",
                what=f"nobody can log in to {', '.join(dict.fromkeys(who))} once the file is loaded",
                where=("management",),
                why=f"the intent has no users, and on {platform.title} {platform.accounts}",
                fix=f"write {USERS} under management",
            )
