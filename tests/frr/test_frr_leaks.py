"""What one tenant's VRF takes from another in running daemons: the subnets it may reach, never a way out."""

import json
from collections.abc import Iterator

import pytest

from tests.frr.site import site
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Loaded

pytestmark = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")

NAME = "fe-leaf-000"
RESEARCH = ("172.18.0.0/20", "172.18.0.9/32", "192.0.2.0/24", "0.0.0.0/0", "fd5e:8c1f:2a00:2110::/64", "::/0")
"""What the VRF of one tenant is given: its subnet and a host in it, a foreign prefix, and ways out."""


@pytest.fixture(scope="module")
def leaf() -> Iterator[Loaded]:
    """A leaf with the VRFs of all tenants, in one of which there are the routes above."""
    device = site()[NAME].device
    assert device.evpn is not None
    with frr.load(site()[NAME].files["frr.conf"], tuple(vrf.name for vrf in device.evpn.vrfs)) as loaded:
        assert loaded.complaints == ()
        lines = ["configure terminal", "vrf research"]
        lines += [f"{'ipv6' if ':' in prefix else 'ip'} route {prefix} blackhole" for prefix in RESEARCH]
        lines += ["exit-vrf", f"router bgp {device.routing.bgp.asn} vrf research"]
        for family in ("ipv4", "ipv6"):
            lines += [f"address-family {family} unicast", "redistribute static", "exit-address-family"]
        assert loaded.configure(lines) == ""
        yield loaded


def _known(leaf: Loaded, vrf: str) -> set[str]:
    """Prefixes with a valid path in BGP of a VRF."""
    found: set[str] = set()
    for family in ("ipv4", "ipv6"):
        routes = json.loads(leaf.show(f"show bgp vrf {vrf} {family} unicast json")).get("routes", {})
        found |= {prefix for prefix, paths in routes.items() if any(path.get("valid") for path in paths)}
    return found


def test_a_reached_tenant_takes_the_subnets_and_no_way_out(leaf: Loaded) -> None:
    becomes(set(RESEARCH), _known, leaf, "research")
    becomes({"172.18.0.0/20", "172.18.0.9/32", "fd5e:8c1f:2a00:2110::/64"}, _known, leaf, "storage")


def test_a_tenant_takes_nothing_of_one_it_does_not_import(leaf: Loaded) -> None:
    """Both import the storage's VRF, which holds the other's subnets: nothing is passed on."""
    becomes({"172.18.0.0/20", "172.18.0.9/32", "fd5e:8c1f:2a00:2110::/64"}, _known, leaf, "storage")
    assert _known(leaf, "serving") == set()
