"""NICs behind two leaves: sessions, addresses and policies of the switches, and what is refused."""

import pytest

from fabricgen.checks.routing.leaf_pairs import equal_rails, host_asn, lossless_pairs
from fabricgen.device.device import Device
from fabricgen.hosts.build import make_hosts
from fabricgen.hosts.routing import host_routing
from fabricgen.hosts.selection import selected
from fabricgen.plan.leaf_pairs import LAST_ASN, SLOTS, server_asn
from fabricgen.plan.numbers import HostLink, numbers
from fabricgen.resolve.device import devices
from fabricgen.verify.expect.derive import expectations
from tests.leaf_pairs import site

NICS = {
    "be-leaf-000": ("10.64.0.1/32", "10.64.0.3/32"),
    "be-leaf-001": ("10.64.0.1/32", "10.64.0.3/32"),
    "be-leaf-002": ("10.64.0.9/32", "10.64.0.11/32"),
    "be-leaf-007": ("10.64.0.25/32", "10.64.0.27/32"),
}
"""The server's ends of the first leaf's links: a leaf has four addresses, and every second leaf is a first one."""


def taken(device: Device) -> tuple[str, ...]:
    """What a leaf takes from servers, by port."""
    policy = device.routing.policy
    maps = {row.name: row.statements for row in policy.route_maps}
    lists = {row.name: row.entries for row in policy.prefix_lists}
    found = []
    for neighbor in device.routing.bgp.neighbors:
        for statement in maps[neighbor.route_map_in][-1:] if neighbor.group.startswith("HOSTS") else ():
            found += [str(entry.prefix) for entry in lists[statement.match_prefix_list_ipv4]]
    return tuple(found)


@pytest.mark.parametrize(("leaf", "nics"), NICS.items())
def test_a_leaf_takes_the_address_of_each_nic_over_its_port_alone(leaf: str, nics: tuple[str, ...]) -> None:
    device = site.fleet()[leaf]
    assert taken(device) == nics
    groups = {group.name: group for group in device.routing.bgp.groups if group.name.startswith("HOSTS")}
    maps = {row.name: row.statements for row in device.routing.policy.route_maps}
    for group in groups.values():
        # A session without a map of its own takes nothing; two routes close it.
        assert [statement.permit for statement in maps[group.route_map_in]] == [False]
        assert (group.maximum_routes, group.restart_minutes) == (2, 5)
    assert not device.routing.bgp.networks_ipv4[1:], "no aggregate, which a leaf could not keep"
    assert not any(route.next_hop == "" for route in device.routing.static_routes)
    for row in device.interfaces.ethernet:
        assert (row.ipv4, row.ipv6) == ("", "")
        assert row.profile.unnumbered


def test_the_two_leaves_of_a_pair_differ_in_nothing_towards_servers_but_the_port_of_the_nic() -> None:
    one, other = (site.fleet()[name].routing.bgp for name in ("be-leaf-000", "be-leaf-001"))
    first, second = ([row for row in bgp.neighbors if row.group.startswith("HOSTS")] for bgp in (one, other))
    assert [row.description for row in first] == ["train-000 nic0/p0", "train-001 nic0/p0"]
    assert [row.description for row in second] == ["train-000 nic0/p1", "train-001 nic0/p1"]
    assert [row._replace(description="") for row in first] == [row._replace(description="") for row in second]


def test_each_server_has_a_number_of_its_own_that_growth_does_not_move() -> None:
    plan, larger = site.planned(), site.edited(lambda found: found["servers"]["train"].update(slots="0-7"))
    found = []
    for made in (plan, larger):
        fabric = made.fabrics["backend"]
        (group,) = fabric.shape.groups
        found.append([server_asn(fabric, group, slot) for slot in range(4)])
    assert found[0] == found[1] == [LAST_ASN, LAST_ASN - 1, LAST_ASN - 4 * SLOTS, LAST_ASN - 4 * SLOTS - 1]


@pytest.mark.parametrize("hosts", ["ipv4", "ipv6"])
def test_each_server_has_a_router_id_of_its_own_that_growth_does_not_move(hosts: str) -> None:
    """Without IPv4 it is counted as the AS number is; with IPv4 it is the first NIC's address."""

    def ids(slots: str) -> dict[str, str]:
        def edit(found: site.Document) -> None:
            found["servers"]["train"].update(slots=slots)
            found["fabrics"]["backend"]["addressing"]["hosts"] = hosts

        plan = site.edited(edit)
        routings = (host_routing(host.name, host.site, host.pairs) for host in make_hosts(plan, selected(plan, [])))
        return {routing.name: routing.router_id for routing in routings if routing is not None}

    few, more = ids("0-3"), ids("0-7")
    assert len(set(more.values())) == len(more) == 8
    assert few.items() <= more.items()
    if hosts == "ipv6":
        assert (more["train-000"], more["train-001"]) == ("0.0.0.1", "0.0.0.2")


def test_a_drained_leaf_asks_servers_and_spines_to_use_the_other_one() -> None:
    drained = next(devices(site.planned({"be-leaf-000": {"state": "drained"}})))
    assert drained.state == "drained"
    maps = {row.name: row.statements for row in drained.routing.policy.route_maps}
    for neighbor in drained.routing.bgp.neighbors:
        permits = [row for row in maps[neighbor.route_map_out] if row.permit]
        assert permits
        assert all(row.set_graceful_shutdown for row in permits)
    assert all(row.enabled for row in drained.interfaces.ethernet), "servers keep their port"
    assert taken(drained) == NICS["be-leaf-000"]


def test_a_nic_has_one_address_in_the_plan() -> None:
    seen: dict[tuple[int, int], set[str]] = {}
    plan = site.planned()
    (group,) = plan.fabrics["backend"].shape.groups
    for owner, values in numbers(plan):
        if isinstance(owner, HostLink):
            assert set(values) == {"far ipv4"}
            seen.setdefault((owner.slot, group.nics.ports[owner.nic].rail), set()).add(values["far ipv4"])
    assert all(len(addresses) == 1 for addresses in seen.values())
    assert len({next(iter(addresses)) for addresses in seen.values()}) == 8


@pytest.mark.parametrize("hosts", ["ipv4", "ipv6"])
def test_both_families_of_hosts(hosts: str) -> None:
    plan = site.planned(addressing={"hosts": hosts, "links": ["ipv4", "ipv6"]})
    leaf = next(iter(devices(plan)))
    (group,) = (row for row in leaf.routing.bgp.groups if row.name.startswith("HOSTS"))
    assert group.families == (hosts,)
    expected = {row.device: row for row in expectations(list(devices(plan)))}
    nics = [row.prefix for row in expected["be-spine-00"].routes if row.server]
    assert len(nics) == 8
    assert all(prefix.endswith("/128" if hosts == "ipv6" else "/32") for prefix in nics)


def test_verify_wants_nics_over_both_leaves_and_over_the_own_port() -> None:
    expected = {row.device: row for row in expectations(list(site.fleet().values()))}
    at_spine = {row.prefix: row for row in expected["be-spine-00"].routes if row.server}
    assert at_spine["10.64.0.1/32"].interfaces == ("swp1s0", "swp1s1")
    assert at_spine["10.64.0.1/32"].width == 0
    at_leaf = {row.prefix: row for row in expected["be-leaf-001"].routes if row.server}
    assert (at_leaf["10.64.0.3/32"].interfaces, at_leaf["10.64.0.3/32"].width) == (("swp1s1",), 1)
    assert at_leaf["10.64.0.17/32"].interfaces == ("swp64s0", "swp64s1")
    assert len(at_leaf) == 8


def test_a_lossless_pair_is_refused_with_the_turn_and_what_to_type() -> None:
    (problem,) = lossless_pairs(site.planned(system=site.EOS, transport="roce-lossless"))
    assert problem.where == ("fabrics", "backend", "topology", "leaves_per_rail")
    assert "came down to this leaf go up again" in problem.why
    assert problem.fix.startswith("write leaves_per_rail: 1")
    assert list(lossless_pairs(site.planned())) == []


def test_unequal_rails_and_numbers_of_servers_are_refused() -> None:
    assert [row.code for row in equal_rails(site.with_unequal_rails())] == ["leaf-pairs-rails"]
    assert [row.code for row in host_asn(site.on_two_fabrics())] == ["leaf-pairs-twice"]
    (problem,) = host_asn(site.planned(asns="4294900000-4294967294"))
    # Eight leaves of 512 numbers each, from the last private one down.
    first = 4294967294 - 8 * 512
    assert problem.fix == f"write asns: 4294895903-{first - 1}"
    assert list(host_asn(site.planned(asns=f"4294900000-{first - 1}"))) == []
    assert [row.code for row in host_asn(site.planned(asns=f"4294900000-{first}"))] == ["host-asn"]
