"""What the Devices of the demo say, against arithmetic of its own: the intent's prefixes, the lock's ids, the RFCs."""

import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from ipaddress import ip_interface, ip_network

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import Binding, binding_of, place_of
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import devices, resolve
from tests.plan_inputs.sites import demo_plan

BACKEND_LEAF = "be-leaf-000"


@cache
def fleet(state: str = "") -> dict[str, Device]:
    """Every device of the demo by name; `state`: that of every switch."""
    plan = demo_plan()
    if state:
        names = [device.name for device in devices(plan)]
        plan = with_exceptions(plan, Exceptions(devices=dict.fromkeys(names, state)))
    return {device.name: device for device in devices(plan)}


def leaves(fabric: str) -> list[Device]:
    return [device for device in fleet().values() if (device.fabric, device.role) == (fabric, "leaf")]


def test_switches_that_are_known_stand_in_their_places_and_are_not_resolved_again() -> None:
    plan = demo_plan()
    every = list(devices(plan))
    known = [device._replace(site="known") for device in every[::3]]
    found = list(devices(plan, known))
    assert [device.name for device in found] == [device.name for device in every]
    assert [device for device in found if device.site == "known"] == known
    assert [device for at, device in enumerate(found) if at % 3] == [
        device for at, device in enumerate(every) if at % 3
    ]


@pytest.mark.parametrize("length", [31, 127])
def test_the_lower_end_of_a_link_is_even_and_the_upper_the_next(length: int) -> None:
    """RFC 3021 and RFC 6164: two addresses a link; the lower switch owns the block, so the even one is its own."""
    family = "ipv4" if length == 31 else "ipv6"
    rows = {(device.name, row.name): row for device in fleet().values() for row in device.interfaces.ethernet}
    uplinks = {key: row for key, row in rows.items() if row.profile.role == "uplink"}
    assert uplinks
    for (name, port), row in uplinks.items():
        far = rows[row.peer, row.peer_port]
        assert (far.peer, far.peer_port) == (name, port)
        own, other = ip_interface(getattr(row, family)), ip_interface(getattr(far, family))
        assert (own.network.prefixlen, other.network) == (length, own.network)
        assert (int(own.ip) % 2, int(other.ip)) == (0, int(own.ip) + 1)


def test_every_session_over_a_link_is_to_the_address_and_as_number_of_its_other_end() -> None:
    rows = {(device.name, row.name): row for device in fleet().values() for row in device.interfaces.ethernet}
    for device in fleet().values():
        for neighbor in device.routing.bgp.neighbors:
            name, _, port = neighbor.description.partition(" ")
            assert neighbor.remote_as == fleet()[name].routing.bgp.asn
            if port:
                ours = {str(ip_interface(text).ip) for text in rows[name, port][3:5] if text}
                assert neighbor.address in ours


def test_the_aggregate_of_a_leaf_is_the_smallest_prefix_over_its_host_links() -> None:
    for device in leaves("backend"):
        hosts = [ip_interface(row.ipv4).ip for row in device.interfaces.ethernet if row.profile.role == "host"]
        (discarded,) = (route for route in device.routing.static_routes if not route.next_hop)
        network = ip_network(discarded.prefix)
        first, last = int(min(hosts)), int(max(hosts)) + 1
        assert int(network.network_address) == first
        assert network.num_addresses == 1 << (last - first).bit_length()
        assert discarded.prefix in device.routing.bgp.networks_ipv4


def test_a_drained_switch_takes_every_route_last_and_marks_all_that_it_sends() -> None:
    """RFC 8326 sections 4.2 and 4.3: the community on what leaves, local preference 0 on what comes."""
    for name, device in fleet("drained").items():
        before, after = fleet()[name].routing, device.routing
        maps = {found.name: found.statements for found in after.policy.route_maps}
        for old, new in zip(before.bgp.neighbors, after.bgp.neighbors, strict=True):
            if new.group.endswith("-EVPN"):
                continue
            assert new._replace(route_map_in="", route_map_out="") == old
            assert {to.set_local_preference for to in maps[new.route_map_in] if to.permit} == {0}
            assert {to.set_graceful_shutdown for to in maps[new.route_map_out] if to.permit} == {True}


def test_draining_a_switch_leaves_its_groups_alone_and_marks_the_overlay_of_a_next_hop() -> None:
    """A leaf is a next hop of the overlay and marks what it originates; a spine passes routes on, as ever."""
    for name, device in fleet("drained").items():
        before, after = fleet()[name].routing, device.routing
        assert after.bgp.groups == before.bgp.groups
        drained = "" if device.role == "spine" else "RM-SPINES-EVPN-DRAINED-OUT"
        assert [n for n in after.bgp.neighbors if n.group.endswith("-EVPN")] == [
            n._replace(route_map_out=drained) for n in before.bgp.neighbors if n.group.endswith("-EVPN")
        ]
        external = {
            found for vrf in before.bgp.vrfs for row in vrf.neighbors for found in (row.route_map_in, row.route_map_out)
        }
        assert {
            old.name for old, new in zip(before.policy.route_maps, after.policy.route_maps, strict=True) if old != new
        } == external


def test_a_drained_border_leaf_marks_what_comes_from_outside() -> None:
    """It is the next hop of those routes, so they carry the community into the overlay: other borders' come first."""
    border = fleet("drained")["fe-border-00"].routing
    maps = {found.name: found.statements for found in border.policy.route_maps}
    inward = [maps[row.route_map_in] for vrf in border.bgp.vrfs for row in vrf.neighbors]
    rows = [row for statements in inward for row in statements if row.permit]
    assert {(row.set_graceful_shutdown, row.set_local_preference) for row in rows} == {(True, 0)}


@pytest.mark.parametrize(("lower", "port", "upper"), [
    ("be-leaf-000", "Ethernet33/1", "be-spine-00"), ("fe-leaf-000", "Ethernet29/1", "fe-spine-00"),
])  # fmt: skip
def test_a_drained_link_changes_the_maps_of_its_sessions_and_nothing_else(lower: str, port: str, upper: str) -> None:
    """RFC 8326: both ends say so and take it last. A session that changes its peer group would fall on FRR."""
    plan = with_exceptions(demo_plan(), Exceptions(ports={PortKey(lower, port): "drained"}))
    found = {device.name: device for device in devices(plan)}
    assert {name for name, device in found.items() if device != fleet()[name]} == {lower, upper}
    for name, far in ((lower, upper), (upper, lower)):
        before, after = fleet()[name].routing, found[name].routing
        maps = {row.name: row.statements for row in after.policy.route_maps}
        changed = [new for old, new in zip(before.bgp.neighbors, after.bgp.neighbors, strict=True) if old != new]
        assert {row.description.split()[0] for row in changed} == {far}
        assert len(changed) == 2  # IPv4 and IPv6 of the one link
        for row in changed:
            assert row._replace(route_map_in="", route_map_out="") in before.bgp.neighbors
            assert {to.set_local_preference for to in maps[row.route_map_in]} == {0}
            assert {to.set_graceful_shutdown for to in maps[row.route_map_out] if to.permit} == {True}
        assert after._replace(bgp=after.bgp._replace(neighbors=before.bgp.neighbors)) == before


@pytest.mark.parametrize("ports", [{}, {PortKey("fe-leaf-000", "Ethernet29/1"): "drained"}])
def test_every_route_map_of_a_session_is_there_and_only_those_of_drained_ones_rest(ports: dict[PortKey, str]) -> None:
    """A configuration is taken line by line, so a map has to stand before a session names it, and after."""
    for device in devices(with_exceptions(demo_plan(), Exceptions(ports=ports))):
        bgp = device.routing.bgp
        rows = [*bgp.groups, *bgp.neighbors, *(row for vrf in bgp.vrfs for row in vrf.neighbors)]
        used = {row.route_map_in for row in rows} | {row.route_map_out for row in rows}  # type: ignore[attr-defined]
        used |= {vrf.import_map for vrf in bgp.vrfs}
        there = {row.name for row in device.routing.policy.route_maps}
        ready = {
            f"RM-{group.name}-DRAINED-{way}"
            for group in bgp.groups
            if group.families != ("evpn",)
            for way in ("IN", "OUT")
        }
        ready |= {f"RM-{group.name}-DRAINED-OUT" for group in bgp.groups if group.name == "SPINES-EVPN"}
        assert ready <= there
        assert there - ready <= used - {""} <= there


def test_a_switch_that_is_not_drained_keeps_preferences() -> None:
    for device in fleet().values():
        bgp = device.routing.bgp
        assert not [row for row in bgp.neighbors if row.route_map_in or row.route_map_out]
        ready = {f"RM-{group.name}-DRAINED-{way}" for group in bgp.groups for way in ("IN", "OUT")}
        maps = [found for found in device.routing.policy.route_maps if found.name not in ready]
        marked = [row for found in maps for row in found.statements if row.permit]
        assert all((row.set_local_preference == 0) == bool(row.match_community_list) for row in marked)
        assert all(row.match_community_list for row in marked if row.set_graceful_shutdown)


def test_route_targets_are_the_sites_and_distinguishers_the_switchs() -> None:
    """The intent's `admin` and the VNI; the VTEP and the number in the lock (RFC 4364 section 4.2, type 1)."""
    ids = {(found.kind, found.name): found.id for found in demo_plan().lock.ids if found.fabric == "frontend"}
    for device in fleet().values():
        if device.evpn is None:
            continue
        vtep = device.evpn.vtep
        vnis = {vrf.name: vrf.vni for vrf in device.evpn.vrfs}
        for vlan in device.evpn.vlans:
            assert vlan.route_target == f"65000:{vlan.vni}"
            assert vlan.rd == f"{vtep}:{ids['network', vlan.name.replace('-', '/')]}"
        for vrf in device.routing.bgp.vrfs:
            assert vrf.export_target == f"65000:{vnis[vrf.name]}"
            assert vrf.rd == f"{vtep}:{ids['vrf', vrf.name]}"


def test_vnis_are_the_base_and_the_number_in_the_lock() -> None:
    ids = {(found.kind, found.name): found.id for found in demo_plan().lock.ids if found.fabric == "frontend"}
    for tenant in demo_plan().tenants["frontend"]:
        assert tenant.vni == 10000 + ids["vrf", tenant.name]
        assert [network.vni for network in tenant.networks] == [
            10000 + ids["network", f"{tenant.name}/{network.name}"] for network in tenant.networks
        ]


def test_a_gateway_is_the_first_address_of_each_subnet_on_every_leaf() -> None:
    seen: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for device in leaves("frontend"):
        assert device.evpn is not None
        for gateway in device.evpn.gateways:
            seen[gateway.vlan_id].add((gateway.ipv4, gateway.ipv6))
    assert seen == {
        20: {("172.17.0.1/20", "fd5e:8c1f:2a00:2000::1/64")},
        110: {("172.18.0.1/20", "fd5e:8c1f:2a00:2110::1/64")},
        120: {("172.19.0.1/20", "fd5e:8c1f:2a00:2120::1/64")},
    }


def test_both_leaves_of_a_server_present_one_segment_and_no_other_server_has_it() -> None:
    """RFC 7432 section 5: one identifier an Ethernet segment, and each segment its own.

    Section 7.6: who makes the ES-Import target by itself takes the six octets behind the first; they are not all 0.
    """
    segments: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    counts: dict[str, int] = defaultdict(int)
    for device in leaves("frontend"):
        for lag in device.interfaces.lags:
            segments[lag.description].add((lag.esi, lag.es_import, lag.system_id))
            counts[lag.description] += 1
            octets = re.findall("..", lag.esi.replace(":", ""))
            assert len(octets) == 10
            assert (octets[0], ":".join(octets[1:7])) == ("00", lag.es_import)
            assert lag.es_import != "00:00:00:00:00:00"
    assert set(counts.values()) == {2}
    assert {len(found) for found in segments.values()} == {1}
    assert len({esi for found in segments.values() for esi, _, _ in found}) == len(segments)


def swapped(plan: Plan, one: int, other: int) -> Device:
    """The first leaf of the backend with two host cables on each other's port."""
    fabric = plan.fabrics["backend"]
    place = place_of(fabric, BACKEND_LEAF)
    assert place is not None
    bound = binding_of(fabric, place)
    ports = list(bound.down)
    ports[one], ports[other] = ports[other], ports[one]
    moved = replace(fabric, bindings={BACKEND_LEAF: Binding(tuple(ports), bound.up)})
    return resolve(make_site(plan._replace(fabrics={**plan.fabrics, "backend": moved}), "backend"), place)


def test_a_cable_on_another_port_keeps_its_addresses() -> None:
    before, after = fleet()[BACKEND_LEAF], swapped(demo_plan(), 0, 9)
    ports = [{(row.peer, row.peer_port): row.name for row in each.interfaces.ethernet} for each in (before, after)]
    addresses = [{(row.peer, row.peer_port): row[3:5] for row in each.interfaces.ethernet} for each in (before, after)]
    assert sum(ports[0][key] != ports[1][key] for key in ports[0]) == 2
    assert addresses[0] == addresses[1]
