"""Who can still configure a switch once its whole configuration was loaded: told before anything is rendered."""

from copy import deepcopy
from typing import Any

import pytest

from fabricgen.checks.catalogue import examine_plan
from fabricgen.checks.settings.access import factory_passwords, lost_accounts
from fabricgen.errors import Problem
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes, with_exceptions
from fabricgen.platforms import PLATFORMS
from tests.checks.intents import plan
from tests.pairs import sites
from tests.typing_remedies import typed

Edits = dict[str, Any]
CUMULUS = {"model": "nvidia-sn5600", "os": "cumulus-5.11"}
SONIC = {"model": "nvidia-sn5600", "os": "sonic-202505"}
NO_USERS: Edits = {"management.users": {}}
OPERATOR = {"watch": {"role": "network-operator", "password": "${env:WATCH_HASH}"}}
ADMIN = {"admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"}}
OWN: Edits = {"management": {"users": ADMIN}}


def of_backend(leaf: Edits, spine: Edits, **more: Any) -> Edits:  # noqa: ANN401 - values of an intent
    """A backend of these switches; the frontend has systems of the demo."""
    own = {"leaf": leaf, "spine": spine, "topology.spines": {"now": 2, "planned": 32}, "transport": "best-effort"}
    return {**{f"fabrics.backend.{part}": value for part, value in own.items()}, **more}


def told(edits: Edits, overrides: Edits | None = None) -> list[Problem]:
    """What is said of accounts: that there is none, or that a system takes none."""
    made = plan({**edits, "overrides": overrides or {}})
    made = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    return [one for one in examine_plan(made).problems if one.code == "no-account" or "do users" in one.what]


def codes(edits: Edits, overrides: Edits | None = None) -> list[str]:
    return [one.code for one in told(edits, overrides)]


def test_a_site_with_an_admin_is_sound() -> None:
    assert told(of_backend(CUMULUS, CUMULUS)) == []


def test_without_users_it_is_refused_and_the_line_that_is_printed_helps() -> None:
    found = told(of_backend(CUMULUS, CUMULUS, **NO_USERS))
    (problem,) = [one for one in found if "Cumulus" in one.why]
    assert problem.what == "nobody can log in to backend leaf, backend spine with this configuration"
    assert problem.where == ("management",)
    remedy = typed(problem.fix)
    assert remedy is not None
    assert (remedy.key, remedy.value) == (("users",), ADMIN)
    assert told(of_backend(CUMULUS, CUMULUS, **{"management.users": remedy.value})) == []


def test_an_account_that_cannot_configure_is_none() -> None:
    (problem, *_) = told(of_backend(CUMULUS, CUMULUS, **{"management.users": OPERATOR}))
    assert problem.where == ("management", "users")
    assert problem.why.startswith("no user has the role network-admin (users: watch)")
    remedy = typed(problem.fix)
    assert remedy is not None
    users = {**OPERATOR, remedy.key[0]: remedy.value}
    assert told(of_backend(CUMULUS, CUMULUS, **{"management.users": users})) == []


def test_an_override_that_takes_the_users_away_is_refused_where_it_stands() -> None:
    found = told(of_backend(CUMULUS, CUMULUS), {"be-leaf-001": {"management": {"users": OPERATOR}}})
    (problem,) = found
    assert problem.where == ("overrides", "be-leaf-001", "management", "users")
    assert problem.what.startswith("nobody can configure backend leaf")
    remedy = typed(problem.fix)
    assert remedy is not None
    users = {**OPERATOR, remedy.key[0]: remedy.value}
    assert told(of_backend(CUMULUS, CUMULUS), {"be-leaf-001": {"management": {"users": users}}}) == []


def test_other_overrides_say_nothing_twice() -> None:
    bare = of_backend(CUMULUS, CUMULUS, **NO_USERS)
    assert codes(bare, {"be-leaf-001": {"bgp": {"keepalive_seconds": 9}}}) == codes(bare)


def test_a_switch_that_runs_another_system_is_asked() -> None:
    edits = of_backend(SONIC, SONIC, **NO_USERS)
    before = [one for one in told(edits) if "Cumulus" in one.why]
    (problem,) = [one for one in told(edits, {"be-leaf-001": {"os": "cumulus-5.11"}}) if "Cumulus" in one.why]
    assert before == []
    assert "backend leaf" in problem.what
    remedy = typed(problem.fix)
    assert remedy is not None
    assert remedy.value == {"be-leaf-001": OWN}
    assert [one for one in told(edits, {"be-leaf-001": {"os": "cumulus-5.11", **OWN}}) if "Cumulus" in one.why] == []


def test_a_site_whose_other_system_refuses_users_writes_them_where_they_are_needed() -> None:
    """SONiC refuses the key: the line goes to the switches that need it, and helps as it is printed."""
    edits = of_backend(CUMULUS, SONIC, **NO_USERS)
    (problem,) = [one for one in told(edits) if "Cumulus" in one.why]
    remedy = typed(problem.fix)
    assert remedy is not None
    assert remedy.key == ("overrides",)
    overrides = deepcopy(remedy.value)
    assert overrides == {"backend/leaf": OWN}
    assert isinstance(overrides, dict)
    assert [one for one in told(edits, overrides) if "Cumulus" in one.why or one.code == "platform-cannot"] == []


def test_users_of_every_switch_by_overrides_are_enough() -> None:
    bare = of_backend(CUMULUS, CUMULUS, **NO_USERS)
    assert [one for one in told(bare, {"backend": OWN}) if "Cumulus" in one.why] == []
    left = [one for one in told(bare, {"be-leaf-001": OWN}) if "Cumulus" in one.why]
    assert ["backend leaf, backend spine" in one.what for one in left] == [True]


def test_it_can_be_waived_with_a_reason() -> None:
    waiver = [{"code": "no-account", "reason": "accounts come with the script of the first start"}]
    assert told(of_backend(CUMULUS, CUMULUS, waivers=waiver, **NO_USERS)) == []


@pytest.mark.parametrize(
    ("name", "lost"),
    [("cumulus", 1), ("junos", 1), ("nxos", 1), ("eos", 1), ("sonic", 0), ("frr", 0), ("srlinux", 0)],
)
def test_systems_that_lose_their_accounts_with_the_file_are_asked(name: str, lost: int) -> None:
    """Sources beside `accounts`; SONiC and FRR keep them in Linux, SR Linux keeps its `admin`."""
    intent = sites.intent(name, name, "backend").model_copy(update={"waivers": ()})
    made = make_plan(intent, sites.catalog(), make_shapes(intent, sites.catalog()), Lock(), Exceptions())
    assert [one.code for one in lost_accounts(made)] == ["no-account"] * lost


NOKIA = {"model": "nokia-7220-ixr-h5-64d", "os": "srlinux-25.3"}
DEMOTED = {"admin": {"role": "network-operator", "password": "${env:A}"}}
"""SR Linux has `admin` by itself, a superuser: `role` and `superuser` of it are what the file says (srl_nokia-aaa)."""


def of_srlinux(users: Edits, overrides: Edits | None = None) -> list[Problem]:
    found = told(of_backend(NOKIA, NOKIA, **{"management.users": users}), overrides)
    return [one for one in found if "SR Linux" in one.why]


def test_an_intent_that_demotes_the_administrator_that_stays_is_refused_and_its_remedy_helps() -> None:
    (problem,) = of_srlinux(DEMOTED)
    assert (problem.code, problem.where) == ("no-account", ("management", "users"))
    assert problem.what == "nobody can configure backend leaf, backend spine with this configuration"
    remedy = typed(problem.fix)
    assert remedy is not None
    assert (remedy.key, remedy.value) == (("management", "users", "admin", "role"), "network-admin")
    assert of_srlinux({"admin": {**DEMOTED["admin"], "role": remedy.value}}) == []


@pytest.mark.parametrize("users", [{}, OPERATOR, {**DEMOTED, "ann": ADMIN["admin"]}])
def test_it_stays_where_no_file_names_it_and_may_be_demoted_beside_another(users: Edits) -> None:
    assert of_srlinux(users) == []


def test_an_override_that_demotes_it_is_refused_where_it_stands() -> None:
    (problem,) = of_srlinux(ADMIN, {"be-leaf-001": {"management": {"users": DEMOTED}}})
    assert problem.where == ("overrides", "be-leaf-001", "management", "users")


@pytest.mark.parametrize("name", PLATFORMS)
def test_only_a_system_that_takes_users_is_asked_for_one(name: str) -> None:
    """What is asked can be written: no system that refuses `users` loses its accounts with the file."""
    platform = PLATFORMS[name]
    row = platform.can("users")
    assert row is not None
    assert not (platform.accounts and row.refusal)


def factory(name: str, users: dict[str, Any], overrides: Edits | None = None) -> list[Problem]:
    """What is said of factory passwords on a backend of one system."""
    value = sites.intent(name, name, "backend", transport="best-effort").model_dump(mode="json", exclude_unset=True)
    value["management"]["users"] = users
    made = Intent.model_validate({**value, "overrides": overrides or {}})
    planned = make_plan(made, sites.catalog(), make_shapes(made, sites.catalog()), Lock(), Exceptions())
    return list(factory_passwords(with_exceptions(planned, resolve_inputs(made, planned.fabrics))))


LINUX = {"linuxadmin": {"role": "network-admin", "password": "${env:LINUXADMIN_HASH}"}}


@pytest.mark.parametrize(
    ("name", "users", "kept"),
    [
        ("srlinux", {}, ["admin", "linuxadmin"]),
        ("srlinux", OPERATOR, ["admin", "linuxadmin"]),
        ("srlinux", ADMIN, ["linuxadmin"]),
        ("srlinux", {**ADMIN, **LINUX}, []),
        ("sonic", {}, ["admin"]),
        ("sonic", ADMIN, ["admin"]),
        *((name, ADMIN, []) for name in ("eos", "cumulus", "junos", "nxos", "frr")),
    ],
)
def test_a_factory_password_that_stays_is_named(name: str, users: dict[str, Any], kept: list[str]) -> None:
    """Nokia, Securing access; sonic-buildimage, rules/config: DEFAULT_PASSWORD."""
    found = factory(name, users)
    assert [note.what.partition(" of ")[0] for note in found] == kept
    assert all("backend leaf, backend spine" in note.what for note in found)
    for note in found if name == "srlinux" else ():
        remedy = typed(note.fix)
        assert remedy is not None
        assert remedy.key[:2] == ("management", "users")
        left = factory(name, {**users, remedy.key[2]: remedy.value})
        assert [one.what for one in left] == [one.what for one in found if one != note]


def test_users_of_an_override_count_for_its_switches() -> None:
    (note,) = factory("srlinux", {**ADMIN, **LINUX}, {"be-spine-00": {"management": {"users": ADMIN}}})
    assert note.what.endswith("on backend spine")
