"""Whether somebody can still log in to a switch, and configure it, after its whole configuration was loaded."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.site import Management
from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import FactoryAccount, Platform
from fabricgen.resolve.needs import Party, parties
from fabricgen.resolve.variants import Variant, variants

ADMIN = 'admin: {role: network-admin, password: "${env:ADMIN_HASH}"}'
USERS = f"users: {{{ADMIN}}}"
"""What to write: a secret is a reference, which `push` and `render --with-secrets` fill in."""
FEATURE = "users"


class _Lost(NamedTuple):
    """Switches of one system that nobody can configure.

    variant    the settings whose override says their users; None where the site's hold
    who        "fabric role" of each
    selectors  what an override names them by
    """

    platform: Platform
    management: Management
    variant: Variant | None
    who: tuple[str, ...]
    selectors: tuple[str, ...] = ()


def lost_accounts(plan: Plan) -> Iterator[Problem]:
    """A switch whose full user list is in the rendered file has a user that may configure it: else nobody can.

    The same holds where a system keeps its built-in administrator, and the intent names that user without such rights.
    On other systems the users on the switch stay. A waiver is for a site that creates its users in another way.
    Source: `accounts` and `own_admin` of each platform, with the maker's page.
    """
    for lost in (*_of_site(plan), *_of_overrides(plan)):
        operators = ", ".join(sorted(lost.management.users))
        what = "nobody can configure" if operators else "nobody can log in to"
        had = f"{operators}: none is a network-admin" if operators else "the intent has no users"
        where: IntentPath = ("management", "users") if operators else ("management",)
        yield Problem(
            code="no-account",
            what=f"{what} {', '.join(lost.who)} with this configuration",
            where=where if lost.variant is None else lost.variant.placed(("management", "users")),
            why=f"{had}, and on {lost.platform.title} {_loss(lost.platform, lost.management)}",
            fix=_fix(plan, lost),
        )


def factory_passwords(plan: Plan) -> Iterator[Problem]:
    """An account with a published password that stays on a switch is named by the users of the intent.

    A warning: it may be changed on the switch. Source: `factory` of each platform, with the maker's page.
    """
    found: dict[tuple[str, FactoryAccount], list[str]] = {}
    for name, fabric in plan.fabrics.items():
        for party in parties(plan, name):
            for account in _kept(plan, fabric, party):
                found.setdefault((party.system, account), []).append(f"{name} {party.role}")
    for (system, account), who in found.items():
        yield _factory(PLATFORMS[system], account, dict.fromkeys(who))


def _kept(plan: Plan, fabric: FabricPlan, party: Party) -> Iterator[FactoryAccount]:
    """Accounts of a party's system that its users do not name."""
    own = party.variant if party.variant is not None and _says(party.variant) else None
    if party.system in PLATFORMS and (own is not None or not _all_apart(fabric, party)):
        users = (own.settings.management if own is not None else plan.intent.management).users
        accounts = PLATFORMS[party.system].factory
        yield from (account for account in accounts if not (account.is_told and account.name in users))


def _factory(platform: Platform, account: FactoryAccount, who: Iterable[str]) -> Problem:
    line = f'management.users.{account.name}: {{role: network-admin, password: "${{env:{account.name.upper()}_HASH}}"}}'
    by_hand = f"set another on each switch (`passwd {account.name}`), and waive it with who has done so"
    return Problem(
        code="factory-password",
        what=f"{account.name} of {platform.title} keeps the factory's password on {', '.join(who)}",
        where=("management", "users") if account.is_told else ("management",),
        why=account.why,
        fix=f"write {line}" if account.is_told else by_hand,
    )


def _fix(plan: Plan, lost: _Lost) -> str:
    """The line to write, where no switch is given it that refuses it."""
    if lost.variant is not None:
        return f"write {ADMIN} in these users, or remove what the override says of users"
    systems = {party.system for name in plan.fabrics for party in parties(plan, name)}
    rows = (PLATFORMS[system].can(FEATURE) for system in systems if system in PLATFORMS)
    if any(row is not None and row.refusal for row in rows):
        given = ", ".join(f"{one}: {{management: {{{USERS}}}}}" for one in lost.selectors)
        return f"write overrides: {{{given}}}"
    if "admin" in lost.management.users:
        return "write management.users.admin.role: network-admin"
    if lost.management.users:
        return f"write management.users.{ADMIN}"
    return f"write {USERS} in management"


def _of_site(plan: Plan) -> Iterator[_Lost]:
    """Roles that have the site's users, system by system."""
    management = plan.intent.management
    found: dict[str, list[Party]] = {}
    for name, fabric in plan.fabrics.items():
        for party in parties(plan, name):
            if _loses(party, management) and not _all_apart(fabric, party):
                found.setdefault(party.system, []).append(party)
    for system, them in found.items():
        who = dict.fromkeys(f"{party.fabric} {party.role}" for party in them)
        selectors = dict.fromkeys(selector for party in them for selector in _selectors(party))
        yield _Lost(PLATFORMS[system], management, None, tuple(who), tuple(selectors))


def _selectors(party: Party) -> tuple[str, ...]:
    """The role, or each switch that runs another system than its role."""
    own = party.variant
    return own.devices if own is not None and own.settings.system else (f"{party.fabric}/{party.role}",)


def _of_overrides(plan: Plan) -> Iterator[_Lost]:
    """Switches whose users an override says."""
    for name in plan.fabrics:
        for party in parties(plan, name):
            own = party.variant
            if own is not None and _says(own) and _loses(party, own.settings.management):
                yield _Lost(PLATFORMS[party.system], own.settings.management, own, (f"{name} {party.role}",))


def _loses(party: Party, management: Management) -> bool:
    platform = PLATFORMS.get(party.system)
    return platform is not None and bool(_loss(platform, management))


def _loss(platform: Platform, management: Management) -> str:
    """What a file with these users does to who may configure a system; empty where somebody still may."""
    own = platform.own_admin
    if any(user.role == "network-admin" for user in management.users.values()):
        return ""
    if own is not None and own.name in management.users:
        return own.why
    return platform.accounts


def _says(variant: Variant) -> bool:
    return variant.changes(("management", "users"))


def _all_apart(fabric: FabricPlan, party: Party) -> bool:
    """Whether no switch of a party has the site's users: overrides say those of each."""
    if party.variant is not None:
        return _says(party.variant)
    own = {name for variant in variants(fabric) if _says(variant) for name in variant.devices}
    if not own:
        return False
    return all(name_of(fabric, place) in own for place in places(fabric) if place.tier.value == party.role)
