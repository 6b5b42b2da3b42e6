"""Subnets of tenants are apart from the links of their VRF."""

import pytest

from fabricgen.checks.prefixes import prefixes_disjoint
from fabricgen.checks.tenants import subnets_apart
from fabricgen.intent.waivers import can_be_waived
from tests.checks.intents import plan

RESEARCH = "tenants.research"
FW1 = f"{RESEARCH}.external.0"
LINK = "172.31.0.0/31"
IPV6 = "fd5e:8c1f:2a00:2f00::/127"


@pytest.mark.parametrize(
    ("addresses", "at", "around"),
    [
        (["172.18.0.0/31", IPV6], 0, "172.18.0.0/20 of research"),
        (["172.18.15.254/31", IPV6], 0, "172.18.0.0/20 of research"),
        ([LINK, "fd5e:8c1f:2a00:2110::/127"], 1, "fd5e:8c1f:2a00:2110::/64 of research"),
        (["172.30.0.8/31", IPV6], 0, "172.30.0.0/24 of research"),
        (["172.17.3.1/31", IPV6], 0, "172.17.0.0/20 of storage"),
    ],
)
def test_a_link_to_a_peer_lies_in_no_subnet_of_its_vrf(addresses: list[str], at: int, around: str) -> None:
    """Its own subnets, its relays, and the subnets of a tenant that it imports."""
    (problem,) = subnets_apart(plan({f"{FW1}.addresses": addresses}))
    assert (problem.code, problem.where) == ("tenant-overlap", ("tenants", "research", "external", 0, "addresses", at))
    assert ", the link to fw1, overlaps " in problem.what
    assert problem.what.endswith(around)
    assert problem.fix.startswith("write another prefix for the link to fw1 of research")
    assert not can_be_waived(problem.code)


@pytest.mark.parametrize("address", ["172.18.16.0/31", "172.17.255.254/31", "172.19.0.0/31"])
def test_a_link_may_lie_beside_and_in_a_vrf_that_never_has_it(address: str) -> None:
    """172.19.0.0/20 is of serving: storage reaches it and research, and learns subnets alone of both."""
    edits = {f"{FW1}.addresses": [address, IPV6]}
    assert list(subnets_apart(plan(edits))) == list(prefixes_disjoint(plan(edits))) == []
