"""A configuration that would not let the push in again is refused before anything is sent."""

from typing import Any

import pytest

from fabricgen.base.addresses import Prefix
from fabricgen.base.secret import secret
from fabricgen.base.ssh_key import SshKey
from fabricgen.device.device import Device, RawLines
from fabricgen.device.management import Login, ServiceAccess, Tacacs, User
from fabricgen.errors import Problem
from fabricgen.platforms.base.live.entry import Entry
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.push.plan.lockout import Arrival, lockouts
from tests.eos.fleet import samples

HASH = secret("${env:PUSH_HASH}")
HERE = Entry("api", "push", "10.9.9.9")
API = "management api http-commands\n   no shutdown\n"


def device(system: str = "eos", **more: Any) -> Device:  # noqa: ANN401
    """A leaf with the account push; more: of its management."""
    leaf = next(one for name, one in samples().items() if name.startswith("demo backend") and one.role == "leaf")
    users = (User("admin", "network-admin", HASH), User("push", "network-admin", HASH))
    management = leaf.management._replace(**{"users": users, "tacacs": None, "access": (), **more})
    return leaf._replace(name="leaf", system=system, management=management, raw=())


def found(one: Device, entry: Entry = HERE, text: str = API) -> list[Problem]:
    return list(lockouts([Arrival(one, COMMIT_PROFILES[one.system], entry, text)]))


def access(*prefixes: str, service: str = "api") -> tuple[ServiceAccess, ...]:
    others = [ServiceAccess(name, (Prefix("192.0.2.0/24"),)) for name in ("snmp", "gnmi")]
    return (ServiceAccess(service, tuple(map(Prefix, prefixes))), *others)


def test_a_configuration_that_lets_the_push_in_is_no_problem() -> None:
    assert found(device()) == []
    assert found(device(access=access("10.0.0.0/28", "10.9.0.0/16"))) == []


def test_a_source_that_is_not_listed_is_refused_with_what_to_type() -> None:
    (problem,) = found(device(access=access("10.0.0.0/28", "10.1.0.0/16")))
    assert (problem.code, problem.what) == (
        "push-source",
        "the new configuration of leaf refuses the HTTP API from 10.9.9.9, from where this push comes",
    )
    assert problem.why == "management.access lets in 10.0.0.0/28, 10.1.0.0/16"
    assert problem.fix.startswith("add 10.9.9.9/32 to management.access.api, or to management.access.sources if")


@pytest.mark.parametrize(
    ("entry", "service"),
    [
        (Entry("ssh", "push", "10.9.9.9"), "api"),  # another service than the one by which it comes
        (Entry("api", "push", ""), "api"),  # behind a jump host: the new login finds out
    ],
)
def test_what_is_not_about_this_way_or_not_known_is_no_problem(entry: Entry, service: str) -> None:
    assert found(device(access=access("10.0.0.0/28", service=service)), entry) == []


def test_an_ipv6_source_is_refused_whatever_the_list() -> None:
    (problem,) = found(device(access=access("0.0.0.0/0")), Entry("api", "push", "2001:db8::7"))
    assert (problem.code, problem.fix[:35]) == ("push-source", "use IPv4 addresses in the inventory")


@pytest.mark.parametrize("system", ["eos", "junos", "srlinux", "cumulus"])
def test_an_account_that_is_not_among_the_users_would_be_gone(system: str) -> None:
    one = device(system, users=(User("admin", "network-admin", HASH),))
    (problem,) = found(one, HERE)
    assert problem.what == "the new configuration of leaf removes the account push, by which this push logs in"
    assert problem.fix == (
        'write management.users.push: {role: network-admin, password: "${env:PUSH_HASH}"}, or log in as admin '
        "(username in the inventory)"
    )


def test_an_account_that_may_only_read_is_refused() -> None:
    (problem,) = found(device(users=(User("push", "network-operator", HASH),)))
    assert (problem.code, problem.fix) == (
        "push-account",
        "write management.users.push.role: network-admin, or use another account in the inventory",
    )


@pytest.mark.parametrize(
    ("one", "entry"),
    [
        (device("frr", users=()), HERE),  # its accounts are the host's
        (device("sonic", users=()), HERE),  # no table of accounts
        (device("nxos", users=()), HERE),  # lines are merged: nothing goes
        (device("srlinux", users=()), HERE._replace(user="admin")),  # the system's own
        (device("srlinux", users=()), HERE._replace(user="linuxadmin")),
        (device(users=(), tacacs=Tacacs((), HASH)), HERE),  # a server may know it
        (device(users=())._replace(raw=(RawLines("", ("username push role network-admin nopassword",), ""),)), HERE),
        (device(users=()), HERE._replace(user="")),  # no account is needed
    ],
)
def test_an_account_that_stays_or_may_stay_is_no_problem(one: Device, entry: Entry) -> None:
    assert found(one, entry) == []


KEYS = Login("", 0, only_keys=True, strong=False)


@pytest.mark.parametrize("service", ["ssh", "netconf"])
def test_an_account_without_a_key_is_refused_where_ssh_takes_keys_alone(service: str) -> None:
    entry = Entry(service, "push", "")
    (problem,) = found(device("junos", login=KEYS), entry)
    assert (problem.code, problem.fix.partition(",")[0]) == (
        "push-key",
        "add the line of its .pub file to management.users.push.ssh_keys",
    )
    users = (User("push", "network-admin", HASH, (SshKey("ssh-ed25519", "AAAA", "ops"),)),)
    assert found(device("junos", login=KEYS, users=users), entry) == []
    assert found(device("junos", login=KEYS._replace(only_keys=False)), entry) == []
    assert found(device(login=KEYS)) == []  # eAPI takes passwords


def test_an_api_that_the_configuration_turns_off_is_refused() -> None:
    (problem,) = found(device(), text="hostname leaf\n")
    assert (problem.code, problem.fix) == ("push-service", "write management.eapi: {certificate: NAME}")
    assert found(device(), Entry("ssh", "push", ""), "hostname leaf\n") == []
    assert found(device("srlinux"), text="{}") == []  # a push keeps its JSON-RPC server


def test_alike_problems_of_many_switches_are_one() -> None:
    one = device(access=access("10.0.0.0/28"))
    arrivals = [Arrival(one._replace(name=f"leaf-{number}"), COMMIT_PROFILES["eos"], HERE, API) for number in range(3)]
    (problem,) = lockouts(arrivals)
    assert problem.what.startswith("the new configuration of leaf-0…2 refuses the HTTP API from 10.9.9.9")
