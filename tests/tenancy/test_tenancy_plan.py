"""Tenants of a shared backend: ids in the lock, who owns which NIC, what a leaf is told, and what a move touches."""

from typing import Any

import pytest
from pydantic import ValidationError

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.backend_rules import Claim, claims
from fabricgen.intent.fabric import Backend, Frontend, overlay_of
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Span
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Id, Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.policy.gap import inter_packet_gap
from fabricgen.resolve.device import devices
from fabricgen.steps.owners import handed_over
from tests.tenancy import site

CATALOG = load_catalog(None)
NONE = Exceptions()


def made(value: site.Json, recorded: Lock | None = None, exceptions: Exceptions = NONE) -> Plan:
    intent = Intent.model_validate(value)
    return make_plan(intent, CATALOG, make_shapes(intent, CATALOG), recorded or Lock(), exceptions)


def leaf(plan: Plan, name: str = "be-leaf-000") -> Device:
    return next(device for device in devices(plan) if device.name == name)


def ids(plan: Plan, fabric: str) -> list[tuple[str, str, int]]:
    return [(one.kind, one.name, one.id) for one in plan.lock.ids if one.fabric == fabric]


def hosts(device: Device) -> dict[str, tuple[str, str, bool]]:
    """Server and NIC → VRF, address and whether it is up."""
    rows = [row for row in device.interfaces.ethernet if row.profile.role == "host"]
    return {f"{row.peer} {row.peer_port}": (row.vrf, row.ipv4, row.enabled) for row in rows}


def test_nics_are_read_by_slot_and_rail() -> None:
    assert claims("train[8-9,12]/0-3,7") == (
        Claim("train", Span(8, 9), Span(0, 3)),
        Claim("train", Span(8, 9), Span(7, 7)),
        Claim("train", Span(12, 12), Span(0, 3)),
        Claim("train", Span(12, 12), Span(7, 7)),
    )


@pytest.mark.parametrize("text", ["train[8]", "train[8]/", "train/0", "train[8]/0000", "train[a]/0"])
def test_other_words_are_no_nics(text: str) -> None:
    value = site.backend_only()
    value["tenants"]["serving"]["nics"] = [text]
    with pytest.raises(ValidationError):
        Intent.model_validate(value)


def test_a_fabric_gives_ids_to_those_that_it_carries() -> None:
    """The backend to tenants with NICs there, without networks; the frontend as before."""
    plan = made(site.whole())
    assert ids(plan, "backend") == [("vrf", "research", 1), ("vrf", "serving", 2)]
    value = site.whole()
    del value["fabrics"]["backend"]["tenancy"]
    assert ids(plan, "frontend") == ids(made(value), "frontend")
    assert ids(made(value), "backend") == []


def test_a_tenant_that_comes_later_takes_the_next_number_and_none_is_given_again() -> None:
    before = made(site.whole())
    value = site.whole()
    value["tenants"]["alone"] = {"nics": ["train[7]/0"]}
    value["tenants"]["research"]["servers"] = []
    after = made(value, before.lock)
    assert ids(after, "backend") == [("vrf", "research", 1), ("vrf", "serving", 2), ("vrf", "alone", 3)]
    assert [tenant.name for tenant in after.tenants["backend"]] == ["alone", "serving"]
    assert ids(after, "frontend") == ids(before, "frontend")  # it has no network there


def test_a_networks_frontends_are_kept_to() -> None:
    """An id a frontend that carries it; what a lock has recorded stays."""
    value = site.whole()
    value["fabrics"]["stores"] = value["fabrics"]["frontend"] | {
        "prefix": "st",
        "asns": "4203000000-4203999999",
        "connects": {"store": "data"},
        "addressing": {"ipv4": "10.144.0.0/16", "links": ["ipv4"]},
        "topology": {"design": "leaf-spine", "oversubscription": "3:1"},
    }
    for tenant, name in (("research", "hosts"), ("serving", "hosts"), ("serving", "public")):
        value["tenants"][tenant]["networks"][name]["fabrics"] = ["frontend"]
    value["tenants"]["storage"]["networks"]["data"]["fabrics"] = ["stores"]
    plan = made(value)
    assert ids(plan, "stores") == [("vrf", "storage", 1), ("network", "storage/data", 2)]
    assert {name for _, name, _ in ids(plan, "frontend")} == {
        "research", "research/hosts", "serving", "serving/hosts", "serving/public",
    }  # fmt: skip
    assert all(not tenant.reaches for tenant in plan.tenants["frontend"])
    kept = made(value, Lock(ids=(Id("frontend", "vrf", "storage", 9),)))
    assert ("vrf", "storage", 9) in ids(kept, "frontend")


def test_every_port_is_in_the_vrf_of_its_nic_and_those_of_nobody_are_shut() -> None:
    """The first leaf has rails 0-3, the second 4-7: train[1] is research's on the one, serving's on the other."""
    plan = made(site.backend_only())
    for name, second, block in (("be-leaf-000", "research", 0), ("be-leaf-001", "serving", 1)):
        found = hosts(leaf(plan, name))
        owner = {0: "research", 1: second, 2: "serving", 3: "serving"}
        for text, row in found.items():
            slot = int(text.split()[0].removeprefix("train-"))
            assert row[0] == owner.get(slot, ""), text
            assert row[2] == (slot in owner), text
            assert bool(row[1]) == (slot in owner), text
        firsts = sorted(row[1] for row in found.values() if row[1])
        assert f"10.64.{block}.0/31" in firsts
        assert len(firsts) == 4 * 4


def test_a_leaf_announces_single_links_and_no_aggregate() -> None:
    device = leaf(made(site.backend_only()))
    bgp = device.routing.bgp
    vrfs = {vrf.name: vrf for vrf in bgp.vrfs}
    assert set(vrfs) == {"research", "serving"}
    rails = range(4)  # 64 ports towards servers, so 16 slots each
    assert set(vrfs["research"].networks_ipv4) == {
        f"10.64.0.{32 * rail + 2 * slot}/31" for rail in rails for slot in (0, 1)
    }
    assert vrfs["research"].import_targets == (vrfs["research"].export_target,) == ("65000:10001",)
    assert device.evpn is not None
    assert vrfs["serving"].rd == f"{device.evpn.vtep}:2"
    assert not any(vrf.imports or vrf.neighbors for vrf in bgp.vrfs)
    assert set(bgp.networks_ipv4) == {f"{bgp.router_id}/32", f"{device.evpn.vtep if device.evpn else ''}/32"}
    assert [route.prefix for route in device.routing.static_routes] == ["0.0.0.0/0"]  # of the management VRF


def test_a_leaf_is_a_vtep_without_bridging_and_a_spine_passes_routes_on() -> None:
    plan = made(site.backend_only())
    evpn = leaf(plan).evpn
    assert evpn is not None
    assert (evpn.vlans, evpn.gateways, evpn.marks, evpn.mtu) == ((), (), True, 9164)
    assert [(vrf.name, vrf.vni) for vrf in evpn.vrfs] == [("research", 10001), ("serving", 10002)]
    spine = leaf(plan, "be-spine-00")
    group = next(group for group in spine.routing.bgp.groups if group.families == ("evpn",))
    assert group.next_hop_unchanged
    assert group.update_source == 0
    assert spine.evpn is None
    assert not spine.routing.bgp.vrfs


def test_a_port_leaves_room_for_the_tunnel() -> None:
    rows = leaf(made(site.backend_only())).interfaces.ethernet
    assert {(row.profile.role, row.profile.mtu) for row in rows} == {("host", 9214 - 50), ("uplink", 9214)}


def test_a_port_that_is_absent_is_not_announced() -> None:
    plan = made(site.backend_only())
    port = next(row.name for row in leaf(plan).interfaces.ethernet if row.ipv4 == "10.64.0.0/31")
    device = leaf(made(site.backend_only(), exceptions=Exceptions(ports={PortKey("be-leaf-000", port): "absent"})))
    networks = {net for vrf in device.routing.bgp.vrfs for net in vrf.networks_ipv4}
    assert "10.64.0.0/31" not in networks
    assert len(networks) == 15


def test_ipv6_hosts_are_announced_too() -> None:
    value = site.backend_only()
    value["fabrics"]["backend"]["addressing"] |= {"hosts": "ipv6", "links": ["ipv4"]}
    device = leaf(made(value))
    research = next(vrf for vrf in device.routing.bgp.vrfs if vrf.name == "research")
    assert not research.networks_ipv4
    assert "fd5e:8c1f:2a00::/127" in research.networks_ipv6


def test_moving_a_server_touches_the_vrf_of_its_ports_alone() -> None:
    """No address, number or name moves, and no port of another server."""
    before = made(site.backend_only())
    value = site.backend_only()
    value["tenants"]["research"]["servers"] = ["train[0-2]"]
    value["tenants"]["serving"]["servers"] = ["train[3]"]
    after = made(value, before.lock)
    assert after.lock == before.lock
    for name in ("be-leaf-000", "be-leaf-001"):
        old, new = hosts(leaf(before, name)), hosts(leaf(after, name))
        assert {text: row[1:] for text, row in old.items()} == {text: row[1:] for text, row in new.items()}
        moved = {text.split()[0] for text in old if old[text][0] != new[text][0]}
        assert moved == {"train-002"}
    for spine in ("be-spine-00", "be-spine-01"):
        assert leaf(before, spine) == leaf(after, spine)


def test_a_tenants_own_vni_is_its() -> None:
    value = site.backend_only()
    value["tenants"]["serving"]["vni"] = 70000
    device = leaf(made(value))
    assert {vrf.name: vrf.export_target for vrf in device.routing.bgp.vrfs}["serving"] == "65000:70000"


def test_planes_have_the_same_tenants() -> None:
    """Every plane has every VRF, and a NIC's rail decides in each."""
    value: Any = site.backend_only()
    value["servers"]["train"]["model"] = "dgx-b300"
    value["fabrics"]["backend"]["topology"] = {"design": "rail-optimized", "rails_per_leaf": 4, "planes": 2}
    plan = made(value)
    leaves = [device for device in devices(plan) if device.role == "leaf"]
    assert len(leaves) == 4
    found = {device.name: {vrf.name: len(vrf.networks_ipv4) for vrf in device.routing.bgp.vrfs} for device in leaves}
    assert sorted(map(sorted, (row.items() for row in found.values()))) == sorted(
        map(sorted, ([("research", 8), ("serving", 8)], [("research", 4), ("serving", 12)]) * 2)
    )


def test_the_gap_between_packets_follows_the_overlay() -> None:
    """33 octets where the leaf adds VXLAN, 25 where it does not (the operator's Spectrum-X profiles)."""
    intent = Intent.model_validate(site.whole())
    shared, front = intent.fabrics["backend"], intent.fabrics["frontend"]
    assert isinstance(shared, Backend)
    assert isinstance(front, Frontend)
    plain = shared.model_copy(update={"tenancy": None})
    overlaid = [overlay_of(fabric) is not None for fabric in (shared, front, plain)]
    assert [inter_packet_gap(overlay=one) for one in overlaid] == [33, 33, 25]


def test_servers_that_change_hands_are_those_with_a_nic_that_does() -> None:
    """Whole ones, and one whose single NICs go to another tenant; a NIC that is named twice over is none."""
    before = Intent.model_validate(site.backend_only())
    value = site.backend_only()
    value["tenants"]["serving"]["nics"] = ["train[1]/4-6"]
    value["tenants"]["research"] = {"servers": ["train[0-2]"], "nics": []}
    value["tenants"]["serving"]["servers"] = ["train[3]"]
    found = handed_over(before, Intent.model_validate(value))
    assert [str(key.slot) for key in found] == ["1", "2"]
    assert handed_over(before, before) == ()
