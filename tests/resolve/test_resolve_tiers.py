"""Switches of three tiers and of several planes as they will be told, against the drawing in `tiers` and the RFCs."""

from dataclasses import replace
from functools import cache

import pytest

from fabricgen.checks.lossless.lossless_switches import boxes
from fabricgen.device.device import Device
from fabricgen.device.routing import Statement
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import place_of
from fabricgen.plan.plan import Plan
from fabricgen.render.reach import ExceptionReach
from fabricgen.resolve.device import devices
from fabricgen.resolve.needs import roles
from tests.resolve import tiers

ABOVE = "65000:1"
SPINES = {
    "be-spine-00": (["be-leaf-000", "be-leaf-001"], ["be-super-00", "be-super-01"]),
    "be-spine-01": (["be-leaf-000", "be-leaf-001"], ["be-super-02", "be-super-03"]),
    "be-spine-02": (["be-leaf-002", "be-leaf-003"], ["be-super-00", "be-super-01"]),
    "be-spine-03": (["be-leaf-002", "be-leaf-003"], ["be-super-02", "be-super-03"]),
}
"""Spine → leaves of its pod, and the superspines of its core group."""


def fleet(plan: Plan) -> dict[str, Device]:
    return {device.name: device for device in devices(plan)}


@cache
def backend() -> dict[str, Device]:
    return fleet(tiers.lossless())


@cache
def frontend() -> dict[str, Device]:
    return fleet(tiers.overlay())


def peers(device: Device, role: str) -> list[str]:
    return [row.peer for row in device.interfaces.ethernet if row.profile.role == role]


def statements(device: Device, name: str) -> tuple[Statement, ...]:
    return next(found.statements for found in device.routing.policy.route_maps if found.name == name)


@pytest.mark.parametrize("name", SPINES)
def test_a_spine_leads_down_to_its_pod_and_up_to_its_core_group(name: str) -> None:
    below, above = SPINES[name]
    device = backend()[name]
    assert peers(device, "downlink") == below
    assert peers(device, "uplink") == above * 2  # two links per pair, the pair's links a stride apart
    groups = {neighbor.description.split()[0]: neighbor.group for neighbor in device.routing.bgp.neighbors}
    assert {groups[leaf] for leaf in below} == {"LEAVES-IPV6"}
    assert {groups[core] for core in above} == {"SUPERSPINES-IPV6"}


def test_a_superspine_leads_to_the_same_spine_of_each_pod() -> None:
    for group in (0, 1):
        for index in (0, 1):
            device = backend()[f"be-super-{2 * group + index:02}"]
            assert set(peers(device, "downlink")) == {f"be-spine-{2 * pod + group:02}" for pod in (0, 1)}
            assert not peers(device, "uplink")
            assert {found.name for found in device.routing.bgp.groups} == {"SPINES-IPV4", "SPINES-IPV6"}


def test_the_lower_end_of_each_link_owns_it() -> None:
    rows = {(device.name, row.name): row for device in backend().values() for row in device.interfaces.ethernet}
    for row in rows.values():
        if row.profile.role == "uplink":
            far = rows[row.peer, row.peer_port]
            assert int(row.ipv4.split("/")[0].rpartition(".")[2]) % 2 == 0
            assert far.profile.role == "downlink"
            assert far.ipv4 != row.ipv4


def test_as_numbers_are_unique_of_leaves_one_a_pod_of_spines_and_one_of_superspines() -> None:
    """RFC 7938 section 5.2.1: no path hunting, and no route of a pod comes back to it."""
    numbers = {name: device.routing.bgp.asn for name, device in backend().items()}
    leaves = {number for name, number in numbers.items() if "leaf" in name}
    assert len(leaves) == 4
    assert numbers["be-spine-00"] == numbers["be-spine-01"] != numbers["be-spine-02"] == numbers["be-spine-03"]
    assert len({number for name, number in numbers.items() if "super" in name}) == 1
    assert len(set(numbers.values())) == 4 + 2 + 1


def test_what_goes_down_is_marked_and_what_is_marked_goes_nowhere_up() -> None:
    for name, device in (backend() | frontend()).items():
        for group in device.routing.bgp.groups:
            outward = statements(device, group.route_map_out)
            upward = group.name.startswith("SUPERSPINES") or "leaf" in name or "border" in name
            if upward:
                assert not outward[0].permit
                assert outward[0].match_community_list == "CL-FROM-ABOVE"
                assert {row.set_community for row in outward} == {""}
            else:
                assert {row.set_community for row in outward if row.permit} == {ABOVE}
        lists = {found.name: found.community for found in device.routing.policy.community_lists}
        assert ("CL-FROM-ABOVE" in lists) == (device.role != "superspine")
        assert lists.get("CL-FROM-ABOVE", ABOVE) == ABOVE


def test_only_a_leaf_sends_just_its_own_and_nothing_is_aggregated_above() -> None:
    """RFC 7938 section 8.2: an aggregate above the leaf and one lost link are a black hole."""
    for device in backend().values():
        lists = {found.name for found in device.routing.policy.prefix_lists}
        assert ("PL-OWN-IPV4" in lists) == (device.role == "leaf")
        discarded = [route for route in device.routing.static_routes if not route.next_hop]
        assert bool(discarded) == (device.role == "leaf")


@pytest.mark.parametrize("name", ["be-spine-00", "be-super-00"])
def test_a_drained_switch_says_so_both_ways(name: str) -> None:
    """RFC 8326 sections 4.2 and 4.3."""
    device = fleet(tiers.lossless(Exceptions(devices={name: "drained"})))[name]
    for neighbor in device.routing.bgp.neighbors:
        assert {row.set_local_preference for row in statements(device, neighbor.route_map_in)} == {0}
        sent = [row for row in statements(device, neighbor.route_map_out) if row.permit]
        assert {row.set_graceful_shutdown for row in sent} == {True}


def test_a_drained_link_to_a_superspine_changes_one_session_a_family_at_both_ends() -> None:
    plan = tiers.lossless(Exceptions(ports={PortKey("be-spine-00", "Ethernet3/1"): "drained"}))
    changed = {name: device for name, device in fleet(plan).items() if device != backend()[name]}
    assert set(changed) == {"be-spine-00", "be-super-00"}
    for name, device in changed.items():
        pairs = zip(backend()[name].routing.bgp.neighbors, device.routing.bgp.neighbors, strict=True)
        assert len([new for old, new in pairs if old != new]) == 2


def test_exceptions_of_either_neighbor_are_in_the_input_key_of_a_spine() -> None:
    fabric = tiers.lossless(Exceptions(devices={"be-leaf-000": "dead", "be-super-00": "dead"})).fabrics["backend"]
    place = place_of(fabric, "be-spine-00")
    assert place is not None
    assert set(ExceptionReach(fabric).files(place)) == {"be-leaf-000=dead", "be-super-00=dead"}
    assert set(ExceptionReach(fabric).lines(place)) == {"be-leaf-000=dead", "be-super-00=dead"}


def test_that_a_neighbor_is_drained_is_only_in_the_key_of_cables_below_it() -> None:
    fabric = tiers.lossless(Exceptions(devices={"be-leaf-000": "drained", "be-super-00": "drained"})).fabrics["backend"]
    place = place_of(fabric, "be-spine-00")
    assert place is not None
    assert set(ExceptionReach(fabric).files(place)) == set()
    assert set(ExceptionReach(fabric).lines(place)) == {"be-super-00=drained"}


def test_widths_are_the_uplinks_or_those_of_a_switch_below() -> None:
    """Leaf: two uplinks. Spine: four, and no more links than a leaf has uplinks. Superspine: a spine's four at most."""
    widths = {device.role: device.routing.bgp.maximum_paths for device in backend().values()}
    assert widths == {"leaf": 2, "spine": 4, "superspine": 4}


def test_each_tier_hashes_with_a_seed_of_its_own() -> None:
    assert {d.role: d.load_balancing.seed for d in backend().values()} == {"leaf": 0, "spine": 1, "superspine": 2}


def test_a_superspine_has_the_lossless_plan_and_its_own_row_of_the_profile() -> None:
    """The guide names leaves and spines; a superspine takes the spine's row (policy.ecn)."""
    found = fleet(tiers.lossless())
    qos = found["be-super-00"].qos
    assert qos is not None
    assert qos.headroom
    assert all(row.headroom_octets for row in found["be-super-00"].interfaces.ethernet)
    assert {row.dscp_classes for d in found.values() if (row := d.qos)} == {qos.dscp_classes}


@pytest.mark.parametrize(("role", "minimum"), [("leaf", 256_000), ("spine", 512_000), ("superspine", 512_000)])
def test_ecn_by_tier(role: str, minimum: int) -> None:
    plan = tiers.lossless()
    fabric = plan.intent.fabrics["backend"]
    roce = fabric.roce.model_copy(update={"ecn": "arista-guide"})
    guided = fabric.model_copy(update={"roce": roce})
    plan = plan._replace(fabrics={"backend": replace(plan.fabrics["backend"], fabric=guided)})
    device = next(device for device in devices(plan) if device.role == role)
    assert device.qos is not None
    found = {queue.ecn.minimum_octets for row in device.qos.profiles for queue in row.queues if queue.ecn}
    assert found == {minimum}


def test_flows_are_sampled_where_they_enter_only() -> None:
    plan = tiers.lossless(sflow="{collectors: [10.0.0.9], sample: 16384}")
    told = {device.role: device.management.sflow is not None for device in devices(plan)}
    assert told == {"leaf": True, "spine": False, "superspine": False}


def test_the_overlay_goes_hop_by_hop_between_neighboring_tiers() -> None:
    """Next hops stay those of the leaves on the way (RFC 8365 section 6 leaves it to the operator; RFC 4271 5.1.3)."""
    spine, core = frontend()["fe-spine-02"], frontend()["fe-super-01"]
    loopbacks = {row.ipv4.split("/")[0]: d.name for d in frontend().values() for row in d.interfaces.loopbacks[:1]}
    for device, told in (
        (spine, {"LEAVES-EVPN": {"fe-leaf-002", "fe-leaf-003"}, "SUPERSPINES-EVPN": {"fe-super-00", "fe-super-01"}}),
        (core, {"SPINES-EVPN": {"fe-spine-00", "fe-spine-02"}}),
    ):
        assert device.evpn is None
        assert [row.number for row in device.interfaces.loopbacks] == [0]
        rows = [row for row in device.routing.bgp.neighbors if row.group.endswith("-EVPN")]
        assert {name: {loopbacks[row.address] for row in rows if row.group == name} for name in told} == told
        for group in device.routing.bgp.groups:
            if group.families == ("evpn",):
                assert (group.next_hop_unchanged, group.update_source, group.multihop) == (True, 0, 3)
                assert group.extended_communities


def test_every_role_of_the_fabric_asks_its_operating_system() -> None:
    plan = tiers.three_tiers()
    assert [role.name for role in roles(plan.fabrics["backend"])] == ["leaf", "spine", "superspine"]
    assert roles(plan.fabrics["backend"])[-1].where == ("fabrics", "backend", "superspine", "os")


@pytest.mark.parametrize("count", [2, 4])
def test_a_leaf_of_a_plane_has_the_slices_of_its_plane(count: int) -> None:
    found = fleet(tiers.planes(count=count))
    for plane in range(count):
        for rail in (0, 1):
            rows = found[f"be-leaf-{2 * plane + rail:03}"].interfaces.ethernet
            hosts = [row for row in rows if row.profile.role == "host"]
            assert [row.peer_port for row in hosts] == [f"nic{rail}/{plane}"] * 2
            assert [row.description for row in hosts] == [
                f"train-{slot:03} nic{rail}/{plane} rail {rail} plane {plane}" for slot in (0, 1)
            ]
            spines = {f"be-spine-{2 * plane + index:02}" for index in (0, 1)}
            assert {row.peer for row in rows if row.profile.role == "uplink"} == spines
    addresses = [row.ipv4 for device in found.values() for row in device.interfaces.ethernet if row.ipv4]
    assert len(set(addresses)) == len(addresses)


def test_cables_between_the_upper_tiers_have_a_length_of_their_own() -> None:
    plan = tiers.lossless()
    fabric = plan.fabrics["backend"]
    lengths = fabric.lengths.model_copy(update={"server_leaf": 3, "leaf_spine": 20, "spine_superspine": 90})
    made = plan._replace(fabrics={"backend": replace(fabric, lengths=lengths)})
    found = {(d.role, row.profile.role, row.length_m) for d in devices(made) for row in d.interfaces.ethernet}
    assert found == {
        ("leaf", "host", 3),
        ("leaf", "uplink", 20),
        ("spine", "downlink", 20),
        ("spine", "uplink", 90),
        ("superspine", "downlink", 90),
    }
    assert {box.role: set(length for _, length in box.links) for box in boxes(made)} == {
        "leaf": {3, 20},
        "spine": {20, 90},
        "superspine": {90},
    }
    assert {box.role: box.fan_out for box in boxes(made)} == {"leaf": 3, "spine": 7, "superspine": 6}
