"""What a tenant's VRF announces in running daemons of what is connected there: what is planned, and nothing else."""

import json
from collections.abc import Iterator
from ipaddress import ip_interface

import pytest

from tests.frr.site import site
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Loaded

pytestmark = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")

NAME = "fe-leaf-000"
GATEWAYS = ("172.17.0.1/20", "fd5e:8c1f:2a00:2000::1/64")
"""Of the tenant's network, as its VLAN has them."""
PLANNED = {"172.17.0.0/20", "fd5e:8c1f:2a00:2000::/64"}
STRAY = ("192.0.2.1/24", "172.17.7.1/24", "172.16.0.1/12", "2001:db8::1/64", "fd5e:8c1f:2a00:2000::2/72")
"""Addresses that no plan has: of other networks, and with longer and shorter prefixes of the tenant's own."""

LIST = "ip prefix-list PL-STORAGE-ORIGINATED-IPV4"


@pytest.fixture(scope="module")
def leaf() -> Iterator[Loaded]:
    """A leaf with the VRFs of all tenants; in one of them the planned addresses and others are connected."""
    device = site()[NAME].device
    assert device.evpn is not None
    with frr.load(site()[NAME].files["frr.conf"], tuple(vrf.name for vrf in device.evpn.vrfs)) as loaded:
        assert loaded.complaints == ()
        lines = ["configure terminal", "interface lo vrf storage", "no shutdown"]
        lines += [f"{'ipv6' if ':' in found else 'ip'} address {found}" for found in (*STRAY, *GATEWAYS)]
        assert loaded.configure(lines) == ""
        yield loaded


def _known(leaf: Loaded, vrf: str) -> set[str]:
    """Prefixes with a valid path in BGP of a VRF."""
    found: set[str] = set()
    for family in ("ipv4", "ipv6"):
        routes = json.loads(leaf.show(f"show bgp vrf {vrf} {family} unicast json")).get("routes", {})
        found |= {prefix for prefix, paths in routes.items() if any(path.get("valid") for path in paths)}
    return found


def _connected(leaf: Loaded) -> set[str]:
    found: set[str] = set()
    for word in ("ip", "ipv6"):
        found |= set(json.loads(leaf.show(f"show {word} route vrf storage connected json")))
    return found


def test_an_address_that_no_plan_has_is_connected_and_not_announced(leaf: Loaded) -> None:
    becomes({str(ip_interface(found).network) for found in (*STRAY, *GATEWAYS)}, _connected, leaf)
    becomes(PLANNED, _known, leaf, "storage")


def test_another_tenant_takes_the_planned_ones_only(leaf: Loaded) -> None:
    becomes(PLANNED, _known, leaf, "research")


def test_a_network_that_joins_the_list_is_announced_and_no_other_one_moves(leaf: Loaded) -> None:
    """The list grows where the redistribution stands: bgpd looks again by itself, without taking back the others."""
    becomes(PLANNED, _known, leaf, "storage")
    before = _versions(leaf)
    assert leaf.configure(["configure terminal", f"{LIST} seq 90 permit 192.0.2.0/24"]) == ""
    becomes(PLANNED | {"192.0.2.0/24"}, _known, leaf, "storage")
    assert {prefix: _versions(leaf)[prefix] for prefix in before} == before
    assert leaf.configure(["configure terminal", f"no {LIST} seq 90 permit 192.0.2.0/24"]) == ""
    becomes(PLANNED, _known, leaf, "storage")


def _versions(leaf: Loaded) -> dict[str, int]:
    """Prefix → version of its entry, which grows with each change of its best path."""
    routes = json.loads(leaf.show("show bgp vrf storage ipv4 unicast json"))["routes"]
    return {prefix: paths[0]["version"] for prefix, paths in routes.items()}
