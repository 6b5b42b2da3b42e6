"""Whether a user can still log in to a switch and configure it after its whole configuration was loaded."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.site import Management
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import FactoryAccount, Platform
from fabricgen.resolve.needs import Party, parties, set_apart
from fabricgen.resolve.variants import Variant

ADMIN = 'admin: {role: network-admin, password: "${env:ADMIN_HASH}"}'
USERS = f"users: {{{ADMIN}}}"
"""Example to write: a secret is a reference, which `push` and `render --with-secrets` fill in."""
FEATURE = "users"


class _Lost(NamedTuple):
    """Switches of one system without a user that can configure them.

    variant    the settings whose override sets their users; None for the site's users
    who        "fabric role" of each
    selectors  names for an override of these switches
    """

    platform: Platform
    management: Management
    variant: Variant | None
    who: tuple[str, ...]
    selectors: tuple[str, ...] = ()


def lost_accounts(plan: Plan) -> Iterator[Problem]:
    """If the rendered file replaces all users of a switch, one of them must be allowed to configure it.

    Otherwise nobody could change the switch after the file is loaded. Write such a user under management.users, or
    waive the code if another system creates the users. On systems with a built-in administrator it is an error only if
    the intent lists that user without the role network-admin. On systems whose users are not in the file, the users of
    the switch stay, and there is no error.
    Source: `accounts` and `own_admin` of each platform, with the vendor's page.
    """
    for lost in (*_of_site(plan), *_of_overrides(plan)):
        operators = ", ".join(sorted(lost.management.users))
        what = "nobody can configure" if operators else "nobody can log in to"
        users = f"no user has the role network-admin (users: {operators})" if operators else "the intent has no users"
        where: IntentPath = ("management", "users") if operators else ("management",)
        yield Problem(
            code="no-account",
            what=f"{what} {', '.join(lost.who)} with this configuration",
            where=where if lost.variant is None else lost.variant.placed(("management", "users")),
            why=f"{users}, and on {lost.platform.title} {_loss(lost.platform, lost.management)}",
            fix=_fix(plan, lost),
        )


def keyless_logins(plan: Plan) -> Iterator[Problem]:
    """Where SSH takes keys alone, an account that may configure the switch has a key.

    Otherwise the file would lock everybody out of SSH. Which account a push uses is in the inventory: the push itself
    refuses one without a key. Source: `management.login.password_login` and `management.users` of the intent.
    """
    site = plan.intent.management
    if _is_keyless(site):
        yield _keyless(site, ("management", "login", "password_login"))
        return
    variants = {
        id(party.variant): party.variant
        for name in plan.fabrics
        for party in parties(plan, name)
        if party.variant is not None and _is_keyless(party.variant.settings.management)
    }
    for variant in variants.values():
        of_users = ("management", "users")
        path: IntentPath = of_users if variant.changes(of_users) else ("management", "login")
        yield _keyless(variant.settings.management, variant.placed(path))


def _is_keyless(management: Management) -> bool:
    login = management.login
    if login is None or login.password_login:
        return False
    return not any(user.role == "network-admin" and user.ssh_keys for user in management.users.values())


def _keyless(management: Management, where: IntentPath) -> Problem:
    admins = sorted(name for name, user in management.users.items() if user.role == "network-admin")
    return Problem(
        code="no-key-account",
        what="nobody who may configure a switch could log in to it by SSH",
        where=where,
        why="password_login is false, and no user with the role network-admin has a key",
        fix=f"add the line of its .pub file to management.users.{admins[0] if admins else 'NAME'}.ssh_keys, or remove "
        "password_login",
    )


def factory_passwords(plan: Plan) -> Iterator[Problem]:
    """The users of the intent include each account with a published password that would stay on a switch.

    A warning: the password may be changed on the switch. Source: `factory` of each platform, with the vendor's page.
    """
    roles_by_account: dict[tuple[str, FactoryAccount], list[str]] = {}
    for name, fabric in plan.fabrics.items():
        for party in parties(plan, name):
            for account in _factory_accounts(plan, fabric, party):
                roles_by_account.setdefault((party.system, account), []).append(f"{name} {party.role}")
    for (system, account), who in roles_by_account.items():
        yield _factory(PLATFORMS[system], account, dict.fromkeys(who))


def _factory_accounts(plan: Plan, fabric: FabricPlan, party: Party) -> Iterator[FactoryAccount]:
    """Yield the accounts of a party's system that its users do not list."""
    variant = party.variant if party.variant is not None and _sets_users(party.variant) else None
    if party.system in PLATFORMS and (variant is not None or not _all_apart(fabric, party)):
        users = (variant.settings.management if variant is not None else plan.intent.management).users
        accounts = PLATFORMS[party.system].factory
        yield from (account for account in accounts if not (account.is_configurable and account.name in users))


def _factory(platform: Platform, account: FactoryAccount, who: Iterable[str]) -> Problem:
    line = f'management.users.{account.name}: {{role: network-admin, password: "${{env:{account.name.upper()}_HASH}}"}}'
    by_hand = (
        f"set another one on each switch (`passwd {account.name}`), and waive factory-password with who has done so"
    )
    return Problem(
        code="factory-password",
        what=f"{account.name} of {platform.title} keeps the factory's password on {', '.join(who)}",
        where=("management", "users") if account.is_configurable else ("management",),
        why=account.why,
        fix=f"write {line}" if account.is_configurable else by_hand,
    )


def _fix(plan: Plan, lost: _Lost) -> str:
    """Return the lines to write, such that no switch gets a line that its system refuses."""
    if lost.variant is not None:
        return f"write {ADMIN} in these users, or remove `users` from the override"
    systems = {party.system for name in plan.fabrics for party in parties(plan, name)}
    rows = (PLATFORMS[system].can(FEATURE) for system in systems if system in PLATFORMS)
    if any(row is not None and row.refusal for row in rows):
        given = ", ".join(f"{selector}: {{management: {{{USERS}}}}}" for selector in lost.selectors)
        return f"write overrides: {{{given}}}"
    if "admin" in lost.management.users:
        return "write management.users.admin.role: network-admin"
    if lost.management.users:
        return f"write management.users.{ADMIN}"
    return f"write {USERS} in management"


def _of_site(plan: Plan) -> Iterator[_Lost]:
    """Yield roles with the site's users, by system."""
    management = plan.intent.management
    parties_by_system: dict[str, list[Party]] = {}
    for name, fabric in plan.fabrics.items():
        for party in parties(plan, name):
            if _loses(party, management) and not _all_apart(fabric, party):
                parties_by_system.setdefault(party.system, []).append(party)
    for system, members in parties_by_system.items():
        who = dict.fromkeys(f"{party.fabric} {party.role}" for party in members)
        selectors = dict.fromkeys(selector for party in members for selector in _selectors(party))
        yield _Lost(PLATFORMS[system], management, None, tuple(who), tuple(selectors))


def _selectors(party: Party) -> tuple[str, ...]:
    """Return the selector of the role, or each switch that runs another system than its role."""
    variant = party.variant
    return variant.devices if variant is not None and variant.settings.system else (f"{party.fabric}/{party.role}",)


def _of_overrides(plan: Plan) -> Iterator[_Lost]:
    """Yield switches whose users an override sets."""
    for name in plan.fabrics:
        for party in parties(plan, name):
            variant = party.variant
            if variant is not None and _sets_users(variant) and _loses(party, variant.settings.management):
                yield _Lost(PLATFORMS[party.system], variant.settings.management, variant, (f"{name} {party.role}",))


def _loses(party: Party, management: Management) -> bool:
    platform = PLATFORMS.get(party.system)
    return platform is not None and bool(_loss(platform, management))


def _loss(platform: Platform, management: Management) -> str:
    """Return the effect of a file with these users on who may configure a system; empty where a user still may."""
    admin = platform.own_admin
    if any(user.role == "network-admin" for user in management.users.values()):
        return ""
    if admin is not None and admin.name in management.users:
        return admin.why
    return platform.accounts


def _sets_users(variant: Variant) -> bool:
    return variant.changes(("management", "users"))


def _all_apart(fabric: FabricPlan, party: Party) -> bool:
    """Return whether no switch of a party has the site's users, because overrides set those of each."""
    if party.variant is not None:
        return _sets_users(party.variant)
    return set_apart(fabric, party.role, ("management", "users"))
