"""What changes cost on FRR: every kind has its row, every row its source, and what is called silent writes no line."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from fabricgen.changes.kinds.catalogue import KINDS
from fabricgen.device.device import Device
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.platforms.frr.capabilities import CAPABILITIES
from fabricgen.platforms.frr.costs import COSTS, REFUSED, SILENT
from fabricgen.resolve.device import devices
from tests.frr.site import plan_of, render, single_homed, site

COST = {cost.kind: cost for cost in COSTS}
FEATURES = {found.feature: found for found in CAPABILITIES}
LEAF, SPINE = "fe-leaf-000", "fe-spine-00"


def _risks(cost: Cost) -> tuple[Risk | None, ...]:
    return (cost.added, cost.changed, cost.removed)


def test_every_kind_has_one_row_in_the_order_of_kinds() -> None:
    assert [cost.kind for cost in COSTS] == [kind.name for kind in KINDS]


def test_what_is_called_harmless_has_a_source() -> None:
    for cost in COSTS:
        if {Risk.NONE, Risk.HITLESS} & set(_risks(cost)):
            assert len(cost.source) > 10, cost
            assert not cost.unsure, cost


def test_every_row_says_why() -> None:
    for cost in COSTS:
        assert bool(cost.source) != bool(cost.unsure), cost


def test_nothing_is_unknown_that_a_source_could_tell() -> None:
    unknown = [cost.kind for cost in COSTS if Risk.UNKNOWN in _risks(cost)]
    assert unknown == ["raw"]


def test_what_can_not_be_is_what_a_capability_refuses() -> None:
    for cost in COSTS:
        refused = cost.source.startswith(REFUSED)
        assert (_risks(cost) == (None, None, None)) == refused, cost
        if refused:
            named = cost.source.removeprefix(REFUSED).replace(" and ", " ").split()
            assert named, cost
            assert all(FEATURES[feature].refusal for feature in named), cost


EVENTS = {"route-map.first-use"}
"""Nothing that stands: it only happens."""


def test_what_comes_or_goes_costs_something_where_the_kind_can_be() -> None:
    for cost in COSTS:
        if not cost.source.startswith(REFUSED) and cost.kind not in EVENTS:
            assert cost.added is not None, cost
            assert cost.removed is not None, cost


def test_only_a_thing_or_a_switch_turned_on_has_no_third_state() -> None:
    parts = {cost.kind.rpartition(".")[0] for cost in COSTS}
    flags = {
        "interface.enabled",
        "bgp.wait-install",
        "bgp.group.bfd",
        "bgp.group.extended-communities",
        "bgp.group.next-hop-unchanged",
        "bgp.group.extended-next-hop",
        "interface.unnumbered",
        "evpn.marks",
        "interface.ra-guard",
    }
    things = {cost.kind for cost in COSTS if cost.changed is None and not cost.source.startswith(REFUSED)}
    assert things - flags - EVENTS <= parts
    assert flags <= things


ABOVE = Risk.SESSION_RESET
DISRUPTIVE = (
    # RFC 4271 section 4.2, RFC 2918, RFC 5492: agreed in OPEN, or bound to the connection
    ("bgp.group.family", "added", ABOVE),
    ("bgp.group.family", "removed", ABOVE),
    ("bgp.router-id", "changed", ABOVE),
    ("bgp.neighbor", "removed", ABOVE),
    ("bgp.neighbor.remote-as", "changed", ABOVE),
    ("bgp.vrf.neighbor", "removed", ABOVE),
    ("bgp.vrf.neighbor.remote-as", "changed", ABOVE),
    ("bgp.vrf.neighbor.password", "added", ABOVE),
    ("bgp.vrf.neighbor.password", "changed", ABOVE),
    ("bgp.group.update-source", "changed", ABOVE),
    ("bgp.group.multihop", "changed", ABOVE),
    # FRR 8.4.4 bgpd.c, peer_group_bind: a member cannot change its group (BGP_ERR_PEER_GROUP_CANT_CHANGE)
    ("bgp.neighbor.group", "changed", ABOVE),
    # FRR 8.4.4 bgp_route.c, bgp_maximum_prefix_overflow: at once, for what is there already
    ("bgp.group.maximum-routes", "changed", ABOVE),
    # bgp_vty.c, no_router_bgp; and the services of a box: a restart of FRR
    ("bgp.asn", "changed", Risk.TRAFFIC_LOSS),
    ("bgp.group.bfd", "added", Risk.RELOAD),
    ("device.version", "changed", Risk.RELOAD),
    # a link, an address, a VLAN, a VNI, a prefix goes or is built again
    ("interface", "removed", Risk.TRAFFIC_LOSS),
    ("interface.enabled", "removed", Risk.TRAFFIC_LOSS),
    ("interface.speed", "changed", Risk.TRAFFIC_LOSS),
    ("interface.fec", "changed", Risk.TRAFFIC_LOSS),
    ("interface.ipv4", "changed", Risk.TRAFFIC_LOSS),
    ("interface.access-vlan", "changed", Risk.TRAFFIC_LOSS),
    ("interface.trunk-vlan", "removed", Risk.TRAFFIC_LOSS),
    ("loopback.ipv4", "changed", Risk.TRAFFIC_LOSS),
    ("subinterface.vrf", "changed", Risk.TRAFFIC_LOSS),
    ("static-route", "removed", Risk.TRAFFIC_LOSS),
    ("prefix-list.entry", "removed", Risk.TRAFFIC_LOSS),
    ("route-map.statement", "changed", Risk.TRAFFIC_LOSS),
    ("bgp.network", "removed", Risk.TRAFFIC_LOSS),
    ("bgp.vrf", "removed", Risk.TRAFFIC_LOSS),
    ("bgp.vrf.rd", "changed", Risk.TRAFFIC_LOSS),
    ("bgp.vrf.import", "removed", Risk.TRAFFIC_LOSS),
    # bgp_routemap.c, route_match_ecommunity, route_match_community: no match without the list
    ("route-target-list", "removed", Risk.TRAFFIC_LOSS),
    ("community-list", "removed", Risk.TRAFFIC_LOSS),
    # the VLAN of an L3 VNI, the device of a VRF: taken down under one name, made under another
    ("device.derived", "changed", Risk.TRAFFIC_LOSS),
    ("device.derived", "removed", Risk.TRAFFIC_LOSS),
    ("evpn.vtep", "changed", Risk.TRAFFIC_LOSS),
    ("evpn.vlan", "removed", Risk.TRAFFIC_LOSS),
    ("evpn.vlan.vni", "changed", Risk.TRAFFIC_LOSS),
    ("evpn.vlan.route-target", "changed", Risk.TRAFFIC_LOSS),
    ("evpn.gateway.ipv4", "removed", Risk.TRAFFIC_LOSS),
    ("evpn.vrf.vni", "changed", Risk.TRAFFIC_LOSS),
    # frr-reload.py adds lines of sections that stand before new sections: a new map is named before it is there
    ("route-map.first-use", "added", Risk.TRAFFIC_LOSS),
    # measured: a map that is named and not there, a way that changes, routes that come back to a switch
    ("route-map", "removed", Risk.TRAFFIC_LOSS),
    ("static-route.next-hop", "changed", Risk.TRAFFIC_LOSS),
    ("route-map.preference", "removed", Risk.TRAFFIC_LOSS),
    # bgp_route.h, bgp_check_withdrawal: what was installed before it was turned on never counts as installed
    ("bgp.wait-install", "added", Risk.TRAFFIC_LOSS),
)
HARMLESS = (
    # RFC 4271 section 4.2: the hold time is agreed in OPEN, so a session that stands keeps its own
    ("bgp.timers", "changed", Risk.HITLESS),
    # RFC 2918: policy is refreshed inside the session
    ("route-map.preference", "changed", Risk.HITLESS),
    ("bgp.neighbor.route-map-in", "added", Risk.HITLESS),
    ("bgp.neighbor.route-map-out", "removed", Risk.HITLESS),
    ("bgp.maximum-paths", "changed", Risk.HITLESS),
    # RFC 8326: that is what it is for
    ("device.state", "changed", Risk.HITLESS),
    ("bgp.neighbor", "added", Risk.HITLESS),
    ("bgp.network", "added", Risk.HITLESS),
    ("bgp.vrf.neighbor", "added", Risk.HITLESS),
    ("evpn.vlan", "added", Risk.HITLESS),
    ("evpn.vrf", "added", Risk.HITLESS),
    # a new VRF's own numbers come with it
    ("device.derived", "added", Risk.HITLESS),
    ("interface.enabled", "added", Risk.HITLESS),
    ("interface.description", "changed", Risk.NONE),
    ("bgp.neighbor.description", "changed", Risk.NONE),
    ("management.ntp", "added", Risk.NONE),
    ("management.syslog", "removed", Risk.NONE),
    ("device.name", "changed", Risk.NONE),
)


@pytest.mark.parametrize(("kind", "change", "least"), DISRUPTIVE)
def test_what_disrupts_is_never_called_less(kind: str, change: str, least: Risk) -> None:
    found = getattr(COST[kind], change)
    assert found >= least
    assert found.is_disruptive


@pytest.mark.parametrize(("kind", "change", "risk"), HARMLESS)
def test_what_sources_call_harmless_is(kind: str, change: str, risk: Risk) -> None:
    assert getattr(COST[kind], change) is risk


def test_a_list_that_goes_costs_no_less_than_its_members() -> None:
    for kind in ("prefix-list", "community-list", "route-target-list"):
        part = "entry" if kind == "prefix-list" else "member"
        whole, last = COST[kind].removed, COST[f"{kind}.{part}"].removed
        assert whole is not None
        assert last is not None
        assert whole >= last


class Edit(NamedTuple):
    """A switch, and what is done to it."""

    switch: str
    done: Callable[[Device], Device]


def _bgp(device: Device, **fields: object) -> Device:
    bgp = device.routing.bgp._replace(**fields)  # type: ignore[arg-type]
    return device._replace(routing=device.routing._replace(bgp=bgp))


def _group(device: Device, **fields: object) -> Device:
    found = tuple(group._replace(**fields) for group in device.routing.bgp.groups)  # type: ignore[arg-type]
    return _bgp(device, groups=found)


def _vrfs(device: Device, **fields: object) -> Device:
    return _bgp(device, vrfs=tuple(vrf._replace(**fields) for vrf in device.routing.bgp.vrfs))  # type: ignore[arg-type]


def _evpn(device: Device, **fields: object) -> Device:
    assert device.evpn is not None
    return device._replace(evpn=device.evpn._replace(**fields))  # type: ignore[arg-type]


def _vlans(device: Device, **fields: object) -> Device:
    assert device.evpn is not None
    vlans = tuple(vlan._replace(**fields) for vlan in device.evpn.vlans)  # type: ignore[arg-type]
    return _evpn(device, vlans=vlans)


def _gateways(device: Device, **fields: object) -> Device:
    assert device.evpn is not None
    rows = tuple(row._replace(**fields) for row in device.evpn.gateways)  # type: ignore[arg-type]
    return _evpn(device, gateways=rows)


def _ports(device: Device, **fields: object) -> Device:
    ports = tuple(port._replace(**fields) for port in device.interfaces.ethernet)  # type: ignore[arg-type]
    return device._replace(interfaces=device.interfaces._replace(ethernet=ports))


def _profiles(device: Device, **fields: object) -> Device:
    ports = tuple(
        port._replace(profile=port.profile._replace(**fields))  # type: ignore[arg-type]
        for port in device.interfaces.ethernet
    )
    return device._replace(interfaces=device.interfaces._replace(ethernet=ports))


def _loopbacks(device: Device, **fields: object) -> Device:
    found = tuple(row._replace(**fields) for row in device.interfaces.loopbacks)  # type: ignore[arg-type]
    return device._replace(interfaces=device.interfaces._replace(loopbacks=found))


UNWRITTEN = {
    "device.spelling": Edit(LEAF, lambda d: d._replace(hardware=d.hardware._replace(spellings={"port": "x"}))),
    "management.eapi": Edit(LEAF, lambda d: d._replace(management=d.management._replace(eapi_certificate="x"))),
    "interface.role": Edit(SPINE, lambda d: _profiles(d, role="uplink")),
    "interface.length": Edit(LEAF, lambda d: _ports(d, length_m=99.0)),
    "interface.unnumbered": Edit(LEAF, lambda d: _profiles(d, unnumbered=True)),
    "interface.dead": Edit(LEAF, lambda d: _ports(d, dead=True)),
    "loopback.description": Edit(LEAF, lambda d: _loopbacks(d, description="another")),
    "bgp.group.extended-communities": Edit(LEAF, lambda d: _group(d, extended_communities=True)),
    "bgp.group.next-hop-unchanged": Edit(SPINE, lambda d: _group(d, next_hop_unchanged=False)),
    "bgp.vrf.import-target": Edit(LEAF, lambda d: _vrfs(d, import_targets=("65000:9",))),
    "evpn.multihomed": Edit(LEAF, lambda d: _evpn(d, multihomed=not d.evpn or not d.evpn.multihomed)),
    "evpn.vlan.name": Edit(LEAF, lambda d: _vlans(d, name="another")),
    "evpn.vlan.macs": Edit(LEAF, lambda d: _vlans(d, macs=9)),
    "evpn.gateway.relay-source": Edit(LEAF, lambda d: _gateways(d, relay_source=12)),
    "load-balancing.seed": Edit(
        SPINE, lambda d: d._replace(load_balancing=d.load_balancing._replace(seed=d.load_balancing.seed + 1))
    ),
}
"""Kinds that no file holds, each with a change of one."""
WRITTEN = {
    "bgp.vrf.export-target": Edit(LEAF, lambda d: _vrfs(d, export_target="65000:9")),
    "evpn.vlan.rd": Edit(LEAF, lambda d: _vlans(d, rd="10.0.0.1:9")),
    "interface.description": Edit(LEAF, lambda d: _ports(d, description="another")),
    "interface.mtu": Edit(SPINE, lambda d: _profiles(d, mtu=2000)),
    "bgp.group.bfd": Edit(SPINE, lambda d: _group(d, bfd=not d.routing.bgp.groups[0].bfd)),
    "bgp.timers": Edit(SPINE, lambda d: _bgp(d, hold_seconds=99)),
    "evpn.gateway-mac": Edit(LEAF, lambda d: _evpn(d, gateway_mac="00:00:5e:00:01:99")),
}
"""The same for kinds that one holds: else the test below could not fail."""


def _files(edit: Edit) -> tuple[dict[str, str], dict[str, str]]:
    before = site()[edit.switch].device
    after = edit.done(before)
    assert after != before
    return dict(render(before).files), dict(render(after).files)


@pytest.mark.parametrize("kind", UNWRITTEN)
def test_what_is_silent_writes_no_line(kind: str) -> None:
    before, after = _files(UNWRITTEN[kind])
    assert before == after
    cost = COST[kind]
    assert {risk for risk in _risks(cost) if risk is not None} == {Risk.NONE}


@pytest.mark.parametrize("kind", WRITTEN)
def test_what_costs_writes_a_line(kind: str) -> None:
    before, after = _files(WRITTEN[kind])
    assert before != after


def test_every_silent_kind_was_tried() -> None:
    silent = {cost.kind for cost in COSTS if cost.source.startswith(SILENT)}
    assert silent == set(UNWRITTEN) - {"bgp.vrf.import-target"}


def test_bfd_changes_what_only_a_restart_reads() -> None:
    before, after = _files(WRITTEN["bgp.group.bfd"])
    assert before["daemons"] != after["daemons"]


def test_a_drained_session_names_maps_that_stood_before() -> None:
    """Why its maps cost nothing: FRR denies everything under a map that it does not have yet."""
    for device in devices(plan_of(single_homed())):
        maps = {found.name for found in device.routing.policy.route_maps}
        text = render(device).files["frr.conf"]
        underlay = [group for group in device.routing.bgp.groups if "evpn" not in group.families]
        assert underlay
        for group in underlay:
            for way in ("IN", "OUT"):
                assert f"RM-{group.name}-DRAINED-{way}" in maps
                assert f"route-map RM-{group.name}-DRAINED-{way} " in text


def test_sources_say_a_release_and_a_place() -> None:
    for cost in COSTS:
        for said in re.findall(r"(FRR|ifupdown2) (\S+) ", cost.source):
            assert said in {("FRR", "8.4.4"), ("ifupdown2", "3.0.0")}, cost
