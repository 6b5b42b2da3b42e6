"""Numbers by their owner: the same as the switches are told, and what moves is what differs."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import name_of
from fabricgen.plan.growth import counts_now
from fabricgen.plan.lock import write_lock
from fabricgen.plan.moved_values import Moved, Recabled, moved, recabled
from fabricgen.plan.numbers import HostLink, Owner, TenantInstance, UplinkRef, Values, numbers
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.plan.renamed import Former, former_names
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.checks.intents import plan as demo_plan
from tests.plan.recabling import recabling
from tests.stability.sites import Site, first_site, plan_site

INVENTORIES = Path(__file__).parents[2] / "inventories"

SAME = Former(fabrics={}, groups={}, tenants={}, networks={})


def owned(plan: Plan) -> dict[Owner, Values]:
    found = list(numbers(plan))
    assert len({owner for owner, _ in found}) == len(found)
    return dict(found)


SITES: dict[str, Callable[[], Plan]] = {
    "demo": lambda: open_workspace(INVENTORIES / "demo" / "intent.yaml").plan,
    "frr": lambda: open_workspace(INVENTORIES / "frr" / "intent.yaml").plan,
    # Blocks of both families, as hosts have IPv4, and cables of one.
    "links of IPv6": lambda: demo_plan({"fabrics.backend.addressing.links": ["ipv6"]}),
}


@pytest.mark.parametrize("site", SITES)
def test_numbers_are_what_the_switches_are_told(site: str) -> None:
    """Each address of a port, each loopback, AS number, VNI and segment of every Device, and no other."""
    plan = SITES[site]()
    found, names = owned(plan), {}
    for fabric in plan.fabrics.values():
        names.update({place: name_of(fabric, place) for place in found_places(found) if place.fabric == fabric.name})
    told = list(devices(plan))
    by_name = {names[owner]: values for owner, values in found.items() if owner in names}

    for device in told:
        values, loopbacks = by_name[device.name], {row.number: row for row in device.interfaces.loopbacks}
        assert values["asn"] == str(device.routing.bgp.asn)
        assert values["loopback"] == device.routing.bgp.router_id == loopbacks[0].ipv4.partition("/")[0]
        assert values["loopback6"] == loopbacks[0].ipv6.partition("/")[0]
        assert values["oob"] == device.management.address.partition("/")[0]
        assert values.get("vtep", "") == (device.evpn.vtep if device.evpn else "")

    cables = {values[what] for owner, values in found.items() if isinstance(owner, UplinkRef) for what in values}
    hosts = {values[what] for owner, values in found.items() if isinstance(owner, HostLink) for what in values}
    ports = [port for device in told for port in device.interfaces.ethernet]
    between = {a for p in ports if p.profile.role in ("uplink", "downlink") for a in (p.ipv4, p.ipv6) if a}
    towards = {a for p in ports if p.profile.role == "host" and p.enabled for a in (p.ipv4, p.ipv6) if a}
    assert between == cables
    assert towards <= hosts
    assert {lag.esi.replace(":", "")[2:14] for d in told for lag in d.interfaces.lags} <= hosts


def test_both_ports_of_a_server_are_one_segment_and_two_servers_are_two() -> None:
    segments: dict[tuple[str, int], set[str]] = {}
    for owner, values in owned(SITES["demo"]()).items():
        if isinstance(owner, HostLink) and owner.fabric == "frontend":
            segments.setdefault((owner.group, owner.slot), set()).add(values["segment"])

    assert {len(found) for found in segments.values()} == {1}
    assert len(set().union(*segments.values())) == len(segments) > 1


def found_places(found: dict[Owner, Values]) -> list[Place]:
    return [owner for owner in found if isinstance(owner, Place)]


def test_tenants_numbers_are_those_of_the_vteps() -> None:
    plan = open_workspace(INVENTORIES / "demo" / "intent.yaml").plan
    ours = {owner.name: values for owner, values in owned(plan).items() if isinstance(owner, TenantInstance)}
    checked = set()
    for device in devices(plan):
        for vrf in device.evpn.vrfs if device.evpn else ():
            assert ours[vrf.name]["vni"] == str(vrf.vni)
            assert ours[vrf.name]["id"] == str(vrf.id)
        for speaker in device.routing.bgp.vrfs:
            assert ours[speaker.name]["route-target"] == speaker.export_target
            assert speaker.rd.endswith(f":{ours[speaker.name]['id']}")
        for vlan in device.evpn.vlans if device.evpn else ():
            name = vlan.name.replace(f"{vlan.vrf}-", f"{vlan.vrf}/", 1)
            assert ours[name] == {
                "id": vlan.rd.rpartition(":")[2],
                "vni": str(vlan.vni),
                "route-target": vlan.route_target,
            }
            checked.add(name)
        relays = {row.vrf: row.number for row in device.interfaces.loopbacks if row.vrf}
        for tenant, number in relays.items():
            assert ours[tenant]["relay loopback"] == str(number)
    assert checked


# What moves, held against the difference of all numbers.


def renamed(site: Site, section: str, old: str, new: str) -> Site:
    after = deepcopy(site)
    body: dict[str, Any] = dict(after[section].pop(old))
    after[section][new] = body | {"was": old}
    for fabric in after["fabrics"].values():
        connects: Any = fabric["connects"]
        if section == "servers" and old in connects:
            connects[new] = connects.pop(old)
    return after


def renamed_network(site: Site, tenant: str, old: str, new: str) -> Site:
    after = deepcopy(site)
    networks: Any = after["tenants"][tenant]["networks"]
    networks[new] = networks.pop(old) | {"was": old}
    return after


def edited(section: str, name: str, base: Site | None = None, **changes: object) -> Site:
    site = deepcopy(base) if base else first_site()
    body: Any = site[section][name]
    for key, value in changes.items():
        inside = body
        *ahead, last = key.split("__")
        for step in ahead:
            inside = inside[step]
        inside[last] = value
    return site


EDITS: dict[str, Site] = {
    "nothing": first_site(),
    "a unit more": edited("servers", "train", slots=list(range(16))),
    "past the plan": edited("servers", "train", planned=24),
    "other spines": edited("fabrics", "backend", topology__spines={"now": 8, "planned": 8}),
    "another IPv4 pool": edited("fabrics", "backend", addressing={"ipv4": "10.80.0.0/12", "links": ["ipv4"]}),
    "links without IPv4": edited("fabrics", "frontend", addressing__links=["ipv6"]),
    "another admin": edited("fabrics", "frontend", evpn={"admin": 65099}),
    "another VNI base": edited("fabrics", "frontend", evpn={"vni_base": 50000}),
    "two rails a leaf become one": edited("fabrics", "backend", topology__rails_per_leaf=1),
    "renamed fabric": renamed(first_site(), "fabrics", "backend", "training"),
    "renamed group": renamed(first_site(), "servers", "store", "disks"),
    "renamed tenant": renamed(first_site(), "tenants", "research", "zoo"),
    "renamed network": renamed_network(first_site(), "research", "hosts", "servers"),
    "renamed tenant and network": renamed(
        renamed_network(first_site(), "research", "hosts", "servers"), "tenants", "research", "zoo"
    ),
    "another pool and a server more": edited(
        "fabrics",
        "backend",
        base=edited("servers", "train", slots=list(range(12))),
        addressing={"ipv4": "10.80.0.0/12"},
    ),
}
"""Renames are such that ids given again come in another order."""

FIRST = plan_site(first_site())


@pytest.mark.parametrize("is_on_the_lock", [False, True])
@pytest.mark.parametrize("edit", EDITS)
def test_what_moves_is_the_difference_of_all_numbers(edit: str, *, is_on_the_lock: bool) -> None:
    """Over owners that stand on both sides, under the names before; on the same lock, and on one made again."""
    after = plan_site(EDITS[edit], write_lock(FIRST.lock) if is_on_the_lock else "")
    former = former_names(FIRST.intent, after.intent)
    left, right = owned(FIRST), {back(owner, former): values for owner, values in owned(after).items()}
    differing = sorted(
        (what, left[owner].get(what, ""), right[owner].get(what, ""))
        for owner in left.keys() & right.keys()
        for what in left[owner].keys() | right[owner].keys()
        if left[owner].get(what, "") != right[owner].get(what, "")
    )

    assert sorted(move[1:] for move in moved(FIRST, after, former)) == differing


def back(owner: Owner, former: Former) -> Owner:
    """The owner as it was called before."""
    match owner:
        case Place():
            return former.place(owner)
        case UplinkRef(lower, uplink):
            return UplinkRef(former.place(lower), uplink)
        case HostLink():
            return owner._replace(fabric=former.fabric(owner.fabric), group=former.group(owner.group))
        case TenantInstance(fabric, name):
            return TenantInstance(former.fabric(fabric), former.network(name) if "/" in name else former.tenant(name))


def test_a_leaf_with_another_name_moves_the_segments_of_its_servers() -> None:
    """Its blocks are the same: only the number in its name is in a segment's."""
    lock = FIRST.lock._replace(
        segments=tuple(
            segment._replace(first=segment.first + 100) if segment.group == "store" else segment
            for segment in FIRST.lock.segments
        ),
    )
    found = list(moved(FIRST, plan_site(first_site(), write_lock(lock)), SAME))

    assert {move.what for move in found} == {"name", "segment"}
    assert Moved("store-000 nic0", "segment", "000000000001", "000000640001") in found


def test_servers_ports_that_change_places_change_addresses() -> None:
    """Two NIC ports of a server on one leaf, each in the other's row: the leaf keeps its block."""
    fabric = FIRST.fabrics["backend"]
    group = fabric.shape.groups[0]
    one, other = group.columns[:2]
    assert one[:2] == other[:2]
    columns = (one._replace(row=other.row), other._replace(row=one.row), *group.columns[2:])
    shape = fabric.shape._replace(groups=(group._replace(columns=columns), *fabric.shape.groups[1:]))
    after = FIRST._replace(fabrics={**FIRST.fabrics, "backend": replace(fabric, shape=shape)})
    found = list(moved(FIRST, after, SAME))

    assert {move.what for move in found} == {"ipv4", "far ipv4"}
    assert len(found) == 2 * 2 * len(
        [0 for owner in owned(FIRST) if isinstance(owner, HostLink) and owner[1:4:2] == (group.name, 0)]
    )


@pytest.mark.parametrize(
    ("edit", "name", "was"),
    [
        ("renamed tenant", "zoo/hosts", "research/hosts"),
        ("renamed network", "research/servers", "research/hosts"),
        ("renamed tenant and network", "zoo/servers", "research/hosts"),
        ("renamed tenant and network", "storage/data", "storage/data"),
    ],
)
def test_networks_are_followed_through_both_renames(edit: str, name: str, was: str) -> None:
    after = plan_site(EDITS[edit])
    former = former_names(FIRST.intent, after.intent)
    left, right = (
        {owner.name: values for owner, values in owned(plan).items() if isinstance(owner, TenantInstance)}
        for plan in (FIRST, after)
    )

    assert former.network(name) == was
    assert {move[1:] for move in moved(FIRST, after, former) if move.owner == f"{name} of frontend"} == {
        (what, left[was][what], right[name][what]) for what in left[was] if left[was][what] != right[name][what]
    }


def test_growth_on_the_lock_moves_nothing() -> None:
    for edit in ("a unit more", "past the plan", "other spines", "renamed group", "renamed tenant"):
        after = plan_site(EDITS[edit], write_lock(FIRST.lock))
        assert list(moved(FIRST, after, former_names(FIRST.intent, after.intent))) == []


def test_a_moved_number_says_whose_it_is() -> None:
    after = plan_site(EDITS["another VNI base"], write_lock(FIRST.lock))
    found = list(moved(FIRST, after, SAME))
    research = FIRST.tenants["frontend"][0]

    assert found[0] == Moved("research of frontend", "vni", str(research.vni), str(50000 + research.id))
    assert {move.owner for move in found} == {
        "research of frontend",
        "research/hosts of frontend",
        "storage of frontend",
        "storage/data of frontend",
    }


def test_a_renamed_fabric_moves_its_names_alone() -> None:
    site = renamed(first_site(), "fabrics", "backend", "training")
    site["fabrics"]["training"]["prefix"] = "tr"
    after = plan_site(site, write_lock(FIRST.lock))
    found = list(moved(FIRST, after, former_names(FIRST.intent, after.intent)))

    assert {move.what for move in found} == {"name"}
    assert Moved("tr-spine-03", "name", "be-spine-03", "tr-spine-03") in found


# Cables.


def test_recabled_is_what_capacity_says_of_more_spines() -> None:
    """inventories/demo with its backend's 4 spines and with 8, against `recabling` of the plan before."""
    before = open_workspace(INVENTORIES / "demo" / "intent.yaml").plan
    assert before.fabrics["backend"].shape.spines == 4
    assert 8 in counts_now(before.fabrics["backend"])
    after = on_spines(before, "backend", 8)
    expected = [
        Recabled(move.leaf, move.leaf_port, f"{move.from_spine} {move.from_port}", f"{move.to_spine} {move.to_port}")
        for move in recabling(before, "backend", 8)
    ]

    assert expected
    assert list(recabled(before, after, SAME)) == expected
    assert list(recabled(after, before, SAME)) == [row._replace(before=row.after, after=row.before) for row in expected]


def on_spines(plan: Plan, name: str, spines: int) -> Plan:
    fabric = plan.intent.fabrics[name]
    assert fabric.topology.spines is not None
    topology = fabric.topology.model_copy(update={"spines": fabric.topology.spines.model_copy(update={"now": spines})})
    fabrics = {**plan.intent.fabrics, name: fabric.model_copy(update={"topology": topology})}
    intent = plan.intent.model_copy(update={"fabrics": fabrics})
    shapes = make_shapes(intent, plan.catalog)
    return make_plan(intent, plan.catalog, shapes, plan.lock, plan.fabrics[name].exceptions)


def test_a_renamed_fabric_is_not_recabled() -> None:
    after = plan_site(EDITS["renamed fabric"], write_lock(FIRST.lock))

    assert list(recabled(FIRST, after, former_names(FIRST.intent, after.intent))) == []


@pytest.mark.parametrize(("device", "port"), [("fe-spine-00", "Ethernet3/1"), ("fe-leaf-000", "Ethernet32/1")])
def test_a_dead_port_moves_its_end_of_the_cable_and_the_other_stays(device: str, port: str) -> None:
    before = demo_plan()
    after = demo_plan(exceptions=Exceptions(ports={PortKey(device, port): "dead"}), recorded=before.lock)
    rows = list(recabled(before, after, SAME))

    assert rows
    for row in rows:
        assert row.device != device
        assert row.before == f"{device} {port}"
        assert row.after.partition(" ")[0] == device
        assert row.after != row.before
    assert list(moved(before, after, SAME)) == []
