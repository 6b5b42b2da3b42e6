"""What switches of a shared backend must show: a route a NIC in its tenant's VRF, over tunnels, and nothing else."""

from functools import cache

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.resolve.device import devices
from fabricgen.state.state import L3
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected, ExpectedVni
from fabricgen.verify.probe.pings import ServerInterface, pings
from tests.tenancy import site

RAILS = 4  # of a leaf; each has 16 slots
VTEPS = {"be-leaf-000": "10.64.192.1", "be-leaf-001": "10.64.192.3"}


@cache
def switches() -> tuple[Device, ...]:
    intent, catalog = Intent.model_validate(site.backend_only()), load_catalog(None)
    return tuple(devices(make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), Exceptions())))


@cache
def expected() -> dict[str, Expected]:
    return {one.device: one for one in expectations(switches())}


def links(block: int, *slots: int) -> set[str]:
    return {f"10.64.{block}.{32 * rail + 2 * slot}/31" for rail in range(RAILS) for slot in slots}


def test_a_leaf_has_its_own_links_by_port_and_others_through_the_tunnel() -> None:
    """Of research: both servers on the first leaf, the first alone on the second."""
    routes = [one for one in expected()["be-leaf-000"].routes if one.vrf == "research"]
    own = {one.prefix for one in routes if one.interfaces}
    away = {one.prefix for one in routes if one.addresses == (VTEPS["be-leaf-001"],)}
    assert own == links(0, 0, 1)
    assert away == links(1, 0)
    assert len(routes) == len(own) + len(away)
    assert not any(one.vrf == "" and one.prefix.endswith("/31") for one in expected()["be-leaf-000"].routes)


def test_vnis_are_of_vrfs_and_every_route_is_a_prefix() -> None:
    leaf, spine = expected()["be-leaf-000"], expected()["be-spine-00"]
    assert leaf.vnis == (ExpectedVni(10001, L3, 0, "research", ()), ExpectedVni(10002, L3, 0, "serving", ()))
    assert {route.route_type for route in (*leaf.evpn, *spine.evpn)} == {5}
    # 4 servers with 8 NICs each; a leaf with both tenants uses all of them.
    assert len(spine.evpn) == len(leaf.evpn) == 4 * 8


def test_a_vrf_must_not_have_the_links_of_another_nor_a_way_out() -> None:
    """Runs of links are one row each: slots 2 and 3 of a rail are neighbors, a /30."""
    rows = [(one.prefix, one.about) for one in expected()["be-leaf-000"].forbidden if one.vrf == "research"]
    assert ("0.0.0.0/0", "there is no route out of tenant research here") in rows
    serving = {prefix for prefix, about in rows if about == "of tenant serving"}
    assert serving == {f"10.64.0.{32 * rail + 4}/30" for rail in range(RAILS)} | {
        net for rail in range(RAILS) for net in (f"10.64.1.{32 * rail + 2}/31", f"10.64.1.{32 * rail + 4}/30")
    }
    assert not [prefix for prefix, about in rows if about == "of fabric backend"]
    default = {one.prefix for one in expected()["be-leaf-000"].forbidden if not one.vrf}
    assert {"10.64.0.0/30", "10.64.0.4/30"} <= default  # of both tenants: the underlay has none of them


def test_servers_ping_within_their_tenant_and_must_not_reach_others() -> None:
    nic = ServerInterface(server="", fabric="be", leaf="l0", label="0", addresses=(), tenant="", is_shared=True)
    there = (
        nic._replace(server="a", tenant="red", addresses=("10.64.0.1/31",)),
        nic._replace(server="b", tenant="red", leaf="l1", addresses=("10.64.1.1/31",)),
        nic._replace(server="c", tenant="blue", addresses=("10.64.0.3/31",)),
        nic._replace(server="d", tenant="red", fabric="fe", addresses=("172.16.0.2/24",), is_shared=False),
    )
    found = {(one.source, one.address): one.must_pass for one in pings(there)}
    assert found["10.64.0.1", "10.64.1.1"]
    assert not found["10.64.0.1", "10.64.0.3"]
    assert not found["10.64.0.3", "10.64.0.1"]
    assert not found["172.16.0.2", "10.64.0.1"]  # the same tenant, another fabric
    assert ("10.64.0.1", "172.16.0.2") not in found
