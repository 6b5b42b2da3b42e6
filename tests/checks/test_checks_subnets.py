"""Subnets of tenants: apart from the links of their VRF, with an address a server, and never accepted from outside."""

import pytest

from fabricgen.checks.numbers.prefixes import prefixes_disjoint
from fabricgen.checks.numbers.subnets import accepted_outside, servers_fit
from fabricgen.checks.numbers.tenants import subnets_apart
from fabricgen.errors import Problem
from fabricgen.intent.waivers import can_be_waived
from tests.checks.intents import codes, plan

RESEARCH = "tenants.research"
FW1 = f"{RESEARCH}.external.0"
SUBNETS = f"{RESEARCH}.networks.hosts.subnets"
LINK = "172.31.0.0/31"
IPV6 = "fd5e:8c1f:2a00:2f00::/127"


@pytest.mark.parametrize(
    ("addresses", "at", "around"),
    [
        (["172.18.0.0/31", IPV6], 0, "172.18.0.0/20 (network research/hosts)"),
        (["172.18.15.254/31", IPV6], 0, "172.18.0.0/20 (network research/hosts)"),
        ([LINK, "fd5e:8c1f:2a00:2110::/127"], 1, "fd5e:8c1f:2a00:2110::/64 (network research/hosts)"),
        (["172.30.0.8/31", IPV6], 0, "172.30.0.0/24 (the relays of research)"),
        (["172.17.3.1/31", IPV6], 0, "172.17.0.0/20 (network storage/data)"),
    ],
)
def test_a_link_to_a_peer_lies_in_no_subnet_of_its_vrf(addresses: list[str], at: int, around: str) -> None:
    """Its own subnets, its relays, and the subnets of a tenant that it imports."""
    (problem,) = subnets_apart(plan({f"{FW1}.addresses": addresses}))
    assert (problem.code, problem.where) == ("tenant-overlap", ("tenants", "research", "external", 0, "addresses", at))
    assert " (the link of research to fw1) overlaps " in problem.what
    assert problem.what.endswith(around)
    assert problem.fix.startswith("write another prefix for the link of research to fw1")
    assert not can_be_waived(problem.code)


@pytest.mark.parametrize("address", ["172.18.16.0/31", "172.17.255.254/31", "172.19.0.0/31"])
def test_a_link_may_lie_beside_and_in_a_vrf_that_never_has_it(address: str) -> None:
    """172.19.0.0/20 is of serving: storage reaches it and research, and learns subnets alone of both."""
    edits = {f"{FW1}.addresses": [address, IPV6]}
    assert list(subnets_apart(plan(edits))) == list(prefixes_disjoint(plan(edits))) == []


def accepted(*prefixes: str, at: int = 0) -> list[Problem]:
    return list(accepted_outside(plan({f"{RESEARCH}.external.{at}.accept": list(prefixes)})))


@pytest.mark.parametrize(
    ("prefix", "lies"),
    [
        ("172.18.0.0/20", "is network research/hosts"),
        ("172.18.4.0/24", "lies in 172.18.0.0/20, network research/hosts"),
        ("172.18.0.9/32", "lies in 172.18.0.0/20, network research/hosts"),
        ("fd5e:8c1f:2a00:2110::/64", "is network research/hosts"),
        ("172.30.0.0/25", "lies in 172.30.0.0/24, the relays of research"),
        ("172.17.0.0/20", "is network storage/data"),
        ("fd5e:8c1f:2a00:2000:1::/80", "lies in fd5e:8c1f:2a00:2000::/64, network storage/data"),
    ],
)
def test_no_peer_announces_what_is_inside(prefix: str, lies: str) -> None:
    (problem,) = accepted("0.0.0.0/0", prefix, at=1)
    assert (problem.code, problem.where) == ("accept-own", ("tenants", "research", "external", 1, "accept", 1))
    assert problem.what == f"research accepts {prefix} from fw2, which {lies}"
    assert problem.fix == f"remove {prefix} from `accept`, or write another prefix"
    assert not can_be_waived(problem.code)


@pytest.mark.parametrize(
    "prefix", ["0.0.0.0/0", "::/0", "172.16.0.0/12", "172.18.0.0/19", "172.18.16.0/20", "172.19.0.0/20", "::ac12:0/116"]
)
def test_wider_prefixes_and_those_of_others_are_accepted(prefix: str) -> None:
    assert accepted(prefix) == []


@pytest.mark.parametrize(
    ("prefix", "default"), [("172.18.0.0/20", "0.0.0.0/0"), ("fd5e:8c1f:2a00:2110::/64", '"::/0"')]
)
def test_the_only_prefix_that_is_accepted_is_not_removed(prefix: str, default: str) -> None:
    """A session accepts something."""
    (problem,) = accepted(prefix)
    assert problem.fix == f"write another prefix, e.g. {default}"


@pytest.mark.parametrize(
    ("servers", "subnet", "has", "longest"),
    [
        (["train[0-12]"], "172.18.0.0/28", 13, 0),
        (["train[0-13]"], "172.18.0.0/28", 13, 27),
        (["train[0-7]"], "172.18.0.0/29", 5, 28),
        (["train[0-12]"], "172.18.0.0/29", 5, 28),
        (["train[0-5]", "store[8]"], "172.18.0.0/29", 5, 28),
        (["train[0]"], "172.18.0.0/30", 1, 0),
        (["train[0-13]"], "fd5e:8c1f:2a00:2110::/124", 14, 0),
        (["train[0-14]"], "fd5e:8c1f:2a00:2110::/124", 14, 123),
    ],
)
def test_a_subnet_has_an_address_for_every_server(servers: list[str], subnet: str, has: int, longest: int) -> None:
    """Of 16 addresses IPv4 takes three for the network, the gateway and broadcasts, IPv6 two: it has no broadcast."""
    found = list(servers_fit(plan({f"{RESEARCH}.servers": servers, SUBNETS: [subnet]})))
    assert [problem.fix.partition(",")[0] for problem in found] == (
        [f"write a prefix of /{longest} (a shorter prefix is a larger subnet)"] * bool(longest)
    )
    for problem in found:
        count = sum(int(b or a) - int(a) + 1 for a, _, b in (s[6:-1].partition("-") for s in servers))
        assert problem.why == f"{count} servers need one address each besides the gateway, and it has {has}"
        assert problem.where == ("tenants", "research", "networks", "hosts", "subnets", 0)


def test_where_not_every_server_uses_a_network_a_waiver_says_so() -> None:
    few = {f"{RESEARCH}.networks.public": {"vlan": 111, "subnets": ["172.20.0.0/28"]}}
    assert codes(plan(few)) == ["subnet-short"]
    assert can_be_waived("subnet-short")
    place = "tenants.research.networks.public"
    waived = {"waivers": [{"code": "subnet-short", "where": place, "reason": "four of them serve the public"}]}
    assert codes(plan({**few, **waived})) == []
