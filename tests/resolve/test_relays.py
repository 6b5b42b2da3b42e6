"""What leaves relay DHCP from: an address a leaf by its number, announced and let in wherever the server may be."""

import pytest

from fabricgen.checks.numbers.prefixes import prefixes_disjoint
from fabricgen.checks.numbers.tenants import relay_pools, subnets_apart
from fabricgen.device.device import Device
from fabricgen.device.routing import PrefixEntry
from fabricgen.resolve.device import devices
from tests.checks.intents import plan

SOURCES = "tenants.research.relay_sources"
BOTH = ["172.30.0.0/24", "fd5e:8c1f:2a00:2f80::/64"]


def frontend(edits: dict[str, object]) -> dict[str, Device]:
    return {device.name: device for device in devices(plan(edits)) if device.fabric == "frontend"}


def sources(found: dict[str, Device]) -> dict[str, tuple[int, str, str, str]]:
    """Relays' loopbacks by switch: number, both addresses, VRF."""
    return {
        name: (row.number, row.ipv4, row.ipv6, row.vrf)
        for name, device in found.items()
        for row in device.interfaces.loopbacks
        if row.number > 1
    }


def test_a_leaf_relays_from_the_address_of_its_number() -> None:
    """Research stands on the leaves 2 and 3; the first address is of leaf 0; its id in the lock is 1."""
    assert sources(frontend({SOURCES: BOTH})) == {
        "fe-leaf-002": (11, "172.30.0.3/32", "fd5e:8c1f:2a00:2f80::3/128", "research"),
        "fe-leaf-003": (11, "172.30.0.4/32", "fd5e:8c1f:2a00:2f80::4/128", "research"),
    }


def test_what_relays_nothing_has_no_address() -> None:
    found = frontend({"tenants.research.networks.hosts.dhcp_relay": []})
    assert sources(found) == {}
    assert not [entry for device in found.values() for entry in entries(device, "172.30.0.0/24")]


def test_gateways_name_their_loopback_where_they_relay() -> None:
    evpn = frontend({})["fe-leaf-002"].evpn
    assert evpn is not None
    assert {row.vrf: row.relay_source for row in evpn.gateways} == {"research": 11, "serving": -1}


def test_only_the_leaf_itself_announces_its_address() -> None:
    found = frontend({SOURCES: BOTH})
    announced = {
        name: [prefix for prefix in (*vrf.networks_ipv4, *vrf.networks_ipv6) if "172.30." in prefix or "2f80" in prefix]
        for name, device in found.items()
        for vrf in device.routing.bgp.vrfs
        if vrf.name == "research"
    }
    assert {name: prefixes for name, prefixes in announced.items() if prefixes} == {
        "fe-leaf-002": ["172.30.0.3/32", "fd5e:8c1f:2a00:2f80::3/128"],
        "fe-leaf-003": ["172.30.0.4/32", "fd5e:8c1f:2a00:2f80::4/128"],
    }


def entries(device: Device, prefix: str) -> dict[str, PrefixEntry]:
    """Entries for a prefix, by list."""
    lists = device.routing.policy.prefix_lists
    return {found.name: entry for found in lists for entry in found.entries if entry.prefix == prefix}


def test_the_answer_finds_its_way_from_an_importing_tenant_and_from_outside() -> None:
    found = frontend({})
    assert entries(found["fe-leaf-000"], "172.30.0.0/24")["PL-STORAGE-REACHED-IPV4"].longest == 32
    offered = entries(found["fe-border-00"], "172.30.0.0/24")
    assert set(offered) == {"PL-STORAGE-REACHED-IPV4", "PL-RESEARCH-FW1-0-900-IPV4-OUT"}
    assert offered["PL-RESEARCH-FW1-0-900-IPV4-OUT"].longest == 32
    assert entries(found["fe-border-00"], "172.18.0.0/20")["PL-RESEARCH-FW1-0-900-IPV4-OUT"].longest == 0


def test_a_pool_is_large_enough_for_planned_leaves() -> None:
    """Eighteen leaves are planned, numbered without a gap: a /27 has addresses for 30, a /28 for 14."""
    planned = sum(
        segment.box.size()
        for (tier, _), row in plan().fabrics["frontend"].segments.items()
        for segment in row
        if tier.value == "leaf"
    )
    assert planned == 18
    assert list(relay_pools(plan({SOURCES: ["172.30.0.0/27"]}))) == []
    (problem,) = relay_pools(plan({SOURCES: ["172.30.0.0/28"]}))
    assert problem.why == "18 planned leaves need one address each, and it has 14"
    assert problem.fix == "write 172.30.0.0/27 or another prefix of /27 or larger"


@pytest.mark.parametrize(
    ("prefix", "told"), [("10.128.4.0/24", "frontend"), ("10.0.1.0/24", "out-of-band"), ("172.30.0.0/24", "")]
)
def test_relays_stay_out_of_the_fabrics_prefixes(prefix: str, told: str) -> None:
    problems = list(prefixes_disjoint(plan({SOURCES: [prefix]})))
    assert bool(problems) == bool(told)
    assert all(
        told in problem.what and problem.where[:3] == ("tenants", "research", "relay_sources") for problem in problems
    )


@pytest.mark.parametrize("prefix", ["172.18.1.0/24", "172.17.1.0/24"])
def test_relays_stay_out_of_subnets_that_the_vrf_learns(prefix: str) -> None:
    """Its own, and storage's, which it imports."""
    (problem,) = subnets_apart(plan({SOURCES: [prefix]}))
    assert problem.where == ("tenants", "research", "relay_sources")
    assert problem.fix.startswith("write another prefix for the relays of research")
