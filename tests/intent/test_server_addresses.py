"""Addresses that no server can have, or no switch can reach, are refused wherever a server is named; others are not."""

from ipaddress import ip_address

import pytest

from fabricgen.intent.rules import rules
from tests.intent.test_intent_rules import HOSTS, edited

WRONG = [
    ("224.0.1.1", "a multicast group"),
    ("239.255.255.250", "a multicast group"),
    ("ff02::101", "a multicast group"),
    ("0.0.0.0", "not a host address"),  # noqa: S104 - nothing is bound
    ("0.1.2.3", "not a host address"),
    ("::", "not a host address"),
    ("127.0.0.53", "the switch itself"),
    ("::1", "the switch itself"),
    ("255.255.255.255", "reserved or broadcast"),
    ("240.0.0.1", "reserved or broadcast"),
    ("10.0.0.0", "the network address of 10.0.0.0/20"),
    ("10.0.15.255", "the broadcast address of 10.0.0.0/20"),
]
RIGHT = ["10.0.0.2", "10.0.16.0", "192.0.2.255", "8.8.8.8", "169.254.169.123"]
FAR = ["fd00::", "fe80::1", "2001:db8::53", "::ffff:10.0.0.2"]
"""Of the family that a management port has no address of: `management.oob` is a prefix of IPv4."""
PLACES: list[tuple[tuple[str, ...], object]] = [
    (("management", "dns"), None),
    (("management", "ntp"), None),
    (("management", "syslog"), None),
    (("management", "aaa", "tacacs"), None),
    (("management", "snmp", "traps"), None),
    (("management", "sflow", "collectors"), None),
    (("overrides", "be-leaf-001", "management", "ntp"), {"be-leaf-001": {"management": {"ntp": []}}}),
    (("overrides", "frontend", "management", "snmp", "traps"), {"frontend": {"management": {"snmp": {"traps": []}}}}),
    (("overrides", "be-spine-*", "management", "aaa", "tacacs"),
     {"be-spine-*": {"management": {"aaa": {"tacacs": ["10.0.0.7"], "key": "${env:K}"}}}}),
    (("overrides", "backend/leaf", "management", "sflow", "collectors"),
     {"backend/leaf": {"management": {"sflow": {"collectors": ["10.0.0.9"]}}}}),
]  # fmt: skip


def told(where: tuple[str, ...], overrides: object, address: str) -> list[tuple[str, tuple[object, ...], str]]:
    first = [] if overrides is None else [(("overrides",), overrides)]
    intent = edited(*first, (where, [address]))
    return [(one.code, one.where, one.what) for one in rules(intent)]


@pytest.mark.parametrize(("where", "overrides"), PLACES)
@pytest.mark.parametrize(("address", "kind"), WRONG)
def test_what_no_server_has(where: tuple[str, ...], overrides: object, address: str, kind: str) -> None:
    ((code, place, what),) = told(where, overrides, address)
    assert (code, place) == ("server-address", (*where, 0))
    assert what.endswith(f"{address} is {kind}")


@pytest.mark.parametrize(("where", "overrides"), PLACES)
@pytest.mark.parametrize("address", RIGHT)
def test_what_can_be_right(where: tuple[str, ...], overrides: object, address: str) -> None:
    assert told(where, overrides, address) == []


@pytest.mark.parametrize(("where", "overrides"), PLACES)
@pytest.mark.parametrize("address", FAR)
def test_a_server_is_asked_from_an_address_of_its_family(
    where: tuple[str, ...], overrides: object, address: str
) -> None:
    ((code, place, what),) = told(where, overrides, address)
    assert (code, place) == ("server-family", (*where, 0))
    assert what.startswith("no switch has an IPv6 address to reach the ")
    assert what.endswith(f" {ip_address(address)} from")


def test_what_to_type_for_a_server_of_the_other_family() -> None:
    (problem,) = rules(edited((("management", "ntp"), ["10.0.0.5", "2001:db8::5"])))
    assert problem.where == ("management", "ntp", 1)
    assert problem.what == "no switch has an IPv6 address to reach the NTP server 2001:db8::5 from"
    assert problem.fix == "write an IPv4 address of this server, or remove it"
    assert str(edited().management.oob) in problem.why


@pytest.mark.parametrize(("where", "overrides"), PLACES)
def test_a_server_has_no_address_of_a_backend(where: tuple[str, ...], overrides: object) -> None:
    backend = edited().fabrics["backend"].addressing.ipv4
    assert backend is not None
    ((code, place, what),) = told(where, overrides, str(backend.network_address + 5))
    assert (code, place) == ("server-address", (*where, 0))
    assert f"in {backend}, the prefix of backend" in what
    assert told(where, overrides, str(backend.broadcast_address + 5)) == []


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("172.18.0.0", "the network address of 172.18.0.0/20"),
        ("172.18.15.255", "the broadcast address of 172.18.0.0/20"),
        ("172.18.0.1", "the anycast gateway of 172.18.0.0/20"),
        ("172.17.15.255", "the broadcast address of 172.17.0.0/20"),  # of storage, which research imports
        ("172.17.0.1", "the anycast gateway of 172.17.0.0/20"),
        ("172.19.0.1", ""),  # of serving, which research does not reach: no switch of its VRF has it
        ("224.0.0.1", "a multicast group"),
        ("127.0.0.1", "the switch itself"),
        ("172.18.0.2", ""),
        ("10.0.0.0", ""),
    ],
)
def test_a_relay_has_a_server_to_reach(address: str, kind: str) -> None:
    found = [(one.code, one.what) for one in rules(edited(((*HOSTS, "dhcp_relay"), [address])))]
    assert found == ([("server-address", f"the DHCP server {address} is {kind}")] if kind else [])
