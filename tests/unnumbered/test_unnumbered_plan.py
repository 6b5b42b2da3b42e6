"""What a fabric of unnumbered links has, and what it has not: against RFC 7404, RFC 8950 and the numbered fabric."""

from ipaddress import ip_interface, ip_network

import pytest

from fabricgen.checks.catalogue import run_checks
from fabricgen.device.device import Device
from fabricgen.plan.lock import Lock
from fabricgen.plan.numbers import UplinkRef, numbers
from fabricgen.plan.place import Tier
from fabricgen.resolve.device import devices
from tests.unnumbered.sites import LINK, SPINE, fleet, intent, planned, tower

SYSTEMS = ("eos", "frr")


def links(device: Device) -> list[str]:
    return [row.name for row in device.interfaces.ethernet if row.profile.role in ("uplink", "downlink")]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_link_has_no_address_and_one_session_for_both_families(system: str) -> None:
    for device in fleet(system).values():
        rows = {row.name: row for row in device.interfaces.ethernet}
        found = {row.interface: row for row in device.routing.bgp.neighbors if row.interface}
        assert list(found) == links(device)
        groups = {group.name: group for group in device.routing.bgp.groups}
        for port, neighbor in found.items():
            row, group = rows[port], groups[neighbor.group]
            assert (row.ipv4, row.ipv6, row.profile.unnumbered) == ("", "", True)
            assert (neighbor.address, neighbor.peer) == ("", port)
            assert (group.families, group.extended_next_hop) == (("ipv4", "ipv6"), True)
            assert neighbor.description == f"{row.peer} {row.peer_port}"
            assert neighbor.remote_as == fleet(system)[row.peer].routing.bgp.asn


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_no_link_stays_as_it_is_in_a_numbered_fabric(system: str) -> None:
    """Sessions between loopbacks, and ports to servers and to the outside."""
    numbered = fleet(system, ("ipv4", "ipv6"))
    for name, device in fleet(system).items():
        bare, full = device.routing.bgp, numbered[name].routing.bgp
        overlay = [row for row in full.neighbors if row.group.endswith("EVPN")]
        assert [row for row in bare.neighbors if not row.interface] == overlay or not overlay
        assert not any(row.profile.unnumbered for row in device.interfaces.ethernet if row.name not in links(device))
        assert not any(group.extended_next_hop for group in bare.groups if group.name.endswith("EVPN"))
        assert [row.vlan_id for row in device.interfaces.subinterfaces] == [
            row.vlan_id for row in numbered[name].interfaces.subinterfaces
        ]


def test_a_fabric_without_ipv6_carries_ipv4_alone_over_ipv6_next_hops() -> None:
    plan = planned(intent("eos", ipv6=None))
    device = next(iter(devices(plan)))
    (group,) = (group for group in device.routing.bgp.groups if group.extended_next_hop)
    assert (group.families, device.routing.bgp.families) == (("ipv4",), ("ipv4",))
    (inbound,) = (found for found in device.routing.policy.route_maps if found.name == group.route_map_in)
    assert not any(row.match_prefix_list_ipv6 for row in inbound.statements)


def test_each_family_has_statements_of_its_own_in_the_maps() -> None:
    """A statement that matched lists of both families would match no route (RFC 4760: a route is of one)."""
    for device in fleet("eos", drained=True).values():
        for found in device.routing.policy.route_maps:
            if "UNNUMBERED" not in found.name:
                continue
            assert [row.sequence for row in found.statements] == [10 * at for at in range(1, len(found.statements) + 1)]
            assert not any(row.match_prefix_list_ipv4 and row.match_prefix_list_ipv6 for row in found.statements)
            permits = [row for row in found.statements if row.permit]
            assert {bool(row.match_prefix_list_ipv4) for row in permits} == {True, False}
            assert all(row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6 for row in permits)


def test_a_block_has_the_hosts_alone() -> None:
    """64 NICs a leaf of the demo take a /25 of themselves; the numbered fabric's block holds 64 links more."""
    bare, full = (planned(intent("eos", found)) for found in (("unnumbered",), ("ipv4", "ipv6")))
    lengths = {}
    for name, plan in (("bare", bare), ("full", full)):
        (segment,) = (s for s in plan.lock.segments if (s.fabric, s.tier) == ("backend", Tier.LEAF) and s.first == 0)
        assert segment.ipv4 is not None
        lengths[name] = segment.ipv4.length
        assert 2 * segment.hosts <= 1 << (32 - segment.ipv4.length)
        assert (segment.ipv6 is None) == (name == "bare")
    assert lengths["bare"] > lengths["full"]
    for fabric in bare.lock.segments:
        if fabric.fabric == "frontend":
            assert (fabric.ipv4, fabric.ipv6) == (None, None)
    assert all(not values for owner, values in numbers(bare) if isinstance(owner, UplinkRef))


def test_aggregates_hold_every_host_and_nothing_overlaps() -> None:
    blocks = []
    for device in fleet("eos").values():
        hosts = [ip_interface(row.ipv4) for row in device.interfaces.ethernet if row.profile.role == "host"]
        if hosts:
            (anchor,) = (ip_network(row.prefix) for row in device.routing.static_routes if not row.vrf)
            assert all(host.ip in anchor for host in hosts)
            blocks.append(anchor)
    assert len(blocks) > 1
    assert not any(one.overlaps(two) for at, one in enumerate(blocks) for two in blocks[:at])


def test_links_that_lose_their_addresses_move_none_that_stays() -> None:
    """A lock of the numbered fabric holds: hosts, loopbacks and AS numbers are where they were."""
    full = planned(intent("eos", ("ipv4", "ipv6")))
    bare = planned(intent("eos"), full.lock)
    assert bare.lock == full.lock
    kept = {owner: values for owner, values in numbers(full) if not isinstance(owner, UplinkRef)}
    assert {owner: values for owner, values in numbers(bare) if not isinstance(owner, UplinkRef)} == kept
    assert run_checks(bare) == ()


def test_links_can_not_be_numbered_where_the_lock_has_no_room_for_them() -> None:
    bare = planned(intent("eos"))
    again = planned(intent("eos", ("ipv4", "ipv6")), bare.lock)
    assert {problem.code for problem in run_checks(again)} >= {"lock-misfit"}


def test_a_drained_link_has_its_own_maps_and_the_spine_all_of_them() -> None:
    device = fleet("eos", drained=True)[SPINE]
    assert all("DRAINED" in row.route_map_in and "DRAINED" in row.route_map_out for row in device.routing.bgp.neighbors)
    spine = fleet("eos", drained=True)[LINK["eos"].device]
    own = [row.interface for row in spine.routing.bgp.neighbors if row.route_map_in]
    assert own == [LINK["eos"].port]


@pytest.mark.parametrize("system", SYSTEMS)
def test_planned_sites_are_right(system: str) -> None:
    assert run_checks(planned(intent(system))) == ()


def test_a_spine_below_superspines_has_a_group_each_way() -> None:
    spine = next(device for device in tower().values() if device.role == "spine")
    bgp, maps = spine.routing.bgp, {found.name: found.statements for found in spine.routing.policy.route_maps}
    assert [group.name for group in bgp.groups] == ["LEAVES-UNNUMBERED", "SUPERSPINES-UNNUMBERED"]
    rows = {row.name: row.profile.role for row in spine.interfaces.ethernet}
    roles = {row.group: rows[row.interface] for row in bgp.neighbors}
    assert roles == {"LEAVES-UNNUMBERED": "downlink", "SUPERSPINES-UNNUMBERED": "uplink"}
    down, up = (maps[group.route_map_out] for group in bgp.groups)
    assert all(row.permit and row.set_community == "65000:1" for row in down)
    assert [row.permit for row in up] == [False, True, True]
    assert up[0].match_community_list == "CL-FROM-ABOVE"


def test_an_empty_lock_is_extended_once() -> None:
    first = planned(intent("frr"))
    assert planned(intent("frr"), Lock(segments=first.lock.segments, ids=first.lock.ids)).lock == first.lock
