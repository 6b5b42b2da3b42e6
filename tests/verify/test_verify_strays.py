"""Addresses of interfaces that no plan has: each is a way into a VRF."""

from dataclasses import replace

import pytest

from fabricgen.state.state import ETHERNET, LOOPBACK, OTHER, SVI, Interface
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, RIGHT


def found(*more: Interface) -> tuple[Finding, ...]:
    return judge(LEAF, replace(RIGHT, interfaces=(*(RIGHT.interfaces or ()), *more)), lambda _, __: ()).findings


@pytest.mark.parametrize(
    ("name", "kind", "vrf", "vlan_id", "subject"),
    [
        ("stray", OTHER, "red", 0, "interface stray in red"),
        ("vlan99", SVI, "red", 99, "interface vlan99 in red"),
        ("vlan20", SVI, "", 20, "interface vlan20"),
        ("p99", ETHERNET, "", 0, "interface p99"),
    ],
)
def test_an_address_that_nobody_planned(name: str, kind: str, vrf: str, vlan_id: int, subject: str) -> None:
    one = Interface(name, kind, True, True, 1500, ("172.17.8.1/24", "fd99::1/64"), vrf, vlan_id)
    assert [(f.check, f.code, f.subject, f.actual) for f in found(one)] == [
        ("addresses", "address-unexpected", subject, "172.17.8.1/24, fd99::1/64")
    ]


@pytest.mark.parametrize(
    "one",
    [
        Interface("m0", ETHERNET, True, True, 1500, ("192.0.2.9/24",)),
        Interface("m0", ETHERNET, True, True, 1500, ("192.0.2.9/24",), "mgmt"),
        Interface("docker0", OTHER, True, True, 1500, ("192.0.2.9/24",), "mgmt"),
        Interface("stray", OTHER, True, True, 1500, (), "red"),
        Interface("red", OTHER, True, True, 1500, ("127.0.0.1/8", "::1/128", "172.30.0.1/32"), "red"),
    ],
    ids=["management", "management VRF", "beside management", "no address", "planned loopback address"],
)
def test_what_is_no_way_into_a_tenant(one: Interface) -> None:
    assert found(one) == ()


def test_a_loopback_in_a_vrf_that_has_none_planned() -> None:
    interfaces = tuple(one for one in LEAF.interfaces if not (one.kind == LOOPBACK and one.vrf == "red"))
    expected = replace(LEAF, interfaces=interfaces)
    told = judge(expected, RIGHT, lambda _, __: ()).findings
    assert [(f.code, f.actual) for f in told] == [("address-unexpected", "172.30.0.1/32")]
