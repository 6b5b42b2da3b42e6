"""Plans of three tiers, planes and pairs of leaves from an intent: cables, cages, growth, and capacity that is missing.

Leaves, spines and superspines of 16 ports: 8 down, 8 up. A unit is 8 servers of 8 rails on 8 leaves, one a pod.
"""

from collections import Counter
from collections.abc import Mapping

import pytest

from fabricgen.checks.cabling.cabling import cable_ends, even_links, planes_disjoint, ports_once
from fabricgen.checks.cabling.rails import rails
from fabricgen.checks.capacity.capacity import missing_links, oversubscription
from fabricgen.checks.dimensions.spine_rows import superspine_rows
from fabricgen.plan.cable import Cable
from fabricgen.plan.cabling import cables
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import FabricPlan, name_of, places, port_text
from fabricgen.plan.growth import growth, moves_between
from fabricgen.plan.materials import materials
from fabricgen.plan.moved_values import moved
from fabricgen.plan.numbers import host_numbers, servers_on
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan, on_cores, on_spines
from fabricgen.plan.renamed import Former
from fabricgen.plan.wiring import downlinks, uplink, uplinks
from tests.topologies.sites import backend, plan_of
from tests.topologies.test_published_clusters import real_plan

RAILS = "design: rail-optimized"


def pods(slots: str = "0-31", cores: str = "{now: 2, planned: 4}", planned: int = 32) -> Plan:
    """Four pods of one unit of 8 servers, 8 spines each; 2 superspines in each of 8 core groups."""
    topology = f"{RAILS}, units_per_pod: 1, superspines: {cores}"
    return plan_of(backend(topology, slots, leaf="r16", spine="r16", core="r16", planned=str(planned)))


def fabric(plan: Plan) -> FabricPlan:
    return plan.fabrics["backend"]


def tiers(plan: Plan) -> dict[Tier, int]:
    return Counter(place.tier for place in places(fabric(plan)))


def test_a_pod_stands_with_all_its_spines_or_not_at_all() -> None:
    """Pods 0 and 2 have a server; all superspines stand for them."""
    plan = pods("'0-7,16'")
    assert tiers(plan) == {Tier.LEAF: 16, Tier.SPINE: 16, Tier.SUPERSPINE: 16}
    assert {place.pod for place in places(fabric(plan)) if place.tier is Tier.SPINE} == {0, 2}
    above = [link for place in places(fabric(plan)) for link in uplinks(fabric(plan), place)]
    assert len(above) == 2 * (8 * 8 + 8 * 8)
    assert not list(cable_ends(plan))
    core = Place("backend", Tier.SUPERSPINE, "", 0, 0, 3, 0, 1)
    assert [(link.lower.pod, link.lower.index) for link in downlinks(fabric(plan), core)] == [(0, 3), (2, 3)] * 4


def test_one_cable_is_the_same_as_in_the_list() -> None:
    plan = fabric(pods())
    for place in list(places(plan))[::7]:
        assert [uplink(plan, place, link.number) for link in uplinks(plan, place)] == list(uplinks(plan, place))
    with pytest.raises(LookupError):
        uplink(plan, Place("backend", Tier.SUPERSPINE, "", 0, 0, 0, 0, 0), 0)


def test_a_sound_plan_has_no_problem() -> None:
    for plan in (
        pods(),
        plan_of(backend(f"{RAILS}, planes: 4", "0-31", leaf="r64-800", spine="r64-800", model="gpu8-slices")),
        plan_of(backend(f"{RAILS}, leaves_per_rail: 2", "0-31", model="gpu8-slices")),
    ):
        for check in (even_links, planes_disjoint, cable_ends, ports_once, rails, oversubscription, superspine_rows):
            assert list(check(plan)) == []


def test_kinds_and_counts_of_cables() -> None:
    found = Counter(cable.kind for cable in cables(pods()))
    assert found == {"server-leaf": 256, "leaf-spine": 256, "spine-superspine": 256}


def servers_cables(plan: Plan, server: str) -> list[Cable]:
    return [cable for cable in cables(plan) if cable.near.device == server]


def test_slices_of_a_nic_share_its_cage() -> None:
    """800G in two planes: parts 1 and 2 of 2 in one cage, to the same rail of either plane, and to no other."""
    plan = plan_of(backend(f"{RAILS}, planes: 2", "0-15", model="gpu8-slices"))
    found = servers_cables(plan, "train-003")
    assert len(found) == 16
    assert Counter((cable.near.cage, cable.near.parts) for cable in found) == {(f"nic{at}", 2): 2 for at in range(8)}
    ends = {(cable.near.cage, cable.near.part): cable.far.device for cable in found}
    leaves = {name_of(fabric(plan), place): place for place in places(fabric(plan)) if place.tier is Tier.LEAF}
    for rail in range(8):
        for plane in range(2):
            place = leaves[ends[f"nic{rail}", plane]]
            assert (place.rail, place.plane) == (rail, plane)
    assert [cable.near.port for cable in found[:1]] == ["nic0/0"]
    assert sum(cable.near.first for cable in found) == 8, "one module a NIC"


def test_slices_of_a_nic_in_planes_of_its_rail_share_its_cage() -> None:
    """16 planes, of each NIC two: the port and the part are those of its own slices, as without planes of rails."""
    plan = plan_of(backend(f"{RAILS}, planes: 2, rails_per_plane: 1", "0-15", model="gpu8-slices"))
    leaves = {name_of(fabric(plan), place): place for place in places(fabric(plan)) if place.tier is Tier.LEAF}
    for cable in servers_cables(plan, "train-003"):
        rail, part = int(cable.near.cage.removeprefix("nic")), cable.near.part
        assert (cable.near.port, cable.near.parts) == (f"nic{rail}/{part}", 2)
        assert leaves[cable.far.device].plane == 2 * rail + part
    assert sum(cable.near.first for cable in servers_cables(plan, "train-003")) == 8, "one module a NIC"


def host_addresses(plan: Plan) -> dict[tuple[int, int, int], str]:
    """Address of each server's NIC: by slot, NIC and number of the slice."""
    (group,) = fabric(plan).shape.groups
    return {
        (owner.slot, owner.nic, owner.plane - group.columns[owner.nic].plane): (
            host_numbers(fabric(plan), place, host)["far ipv4"]
        )
        for place in places(fabric(plan))
        if place.tier is Tier.LEAF
        for owner, host in servers_on(fabric(plan), place)
    }


@pytest.mark.parametrize(("before", "after"), [("", ", rails_per_plane: 1"), (", rails_per_plane: 2", "")])
def test_other_planes_of_rails_move_the_addresses_of_nics(before: str, after: str) -> None:
    """A NIC is the same one in whichever plane its rail is."""
    old, new = (
        plan_of(backend(f"{RAILS}, planes: 2, uplink_gbps: 400{more}", "0-40", model="gpu8-slices"))
        for more in (before, after)
    )
    left, right = host_addresses(old), host_addresses(new)
    assert left.keys() == right.keys()
    found = [
        move for move in moved(old, new, Former({}, {}, {}, {})) if move.what == "far ipv4" and "nic" in move.owner
    ]
    assert sorted((move.before, move.after) for move in found) == sorted(
        (left[key], right[key]) for key in left if left[key] != right[key]
    )
    assert len(found) > 100


def test_halves_of_a_nic_share_its_cage() -> None:
    plan = plan_of(backend(f"{RAILS}, leaves_per_rail: 2", "0-15", model="gpu8-slices"))
    found = servers_cables(plan, "train-003")
    assert {(cable.near.cage, cable.near.part, cable.near.parts) for cable in found} == {
        (f"nic{rail}", half, 2) for rail in range(8) for half in range(2)
    }
    assert all(cable.speed_gbps == 400 for cable in found)


def test_a_nic_on_both_leaves_of_a_pair_has_one_address() -> None:
    plan = plan_of(backend(f"{RAILS}, leaves_per_rail: 2", "0-15", model="gpu8-slices"))
    found: dict[tuple[int, int], set[str]] = {}
    for place in places(fabric(plan)):
        for owner, host in servers_on(fabric(plan), place) if place.tier is Tier.LEAF else ():
            values = host_numbers(fabric(plan), place, host)
            found.setdefault((owner.slot, owner.nic // 2), set()).add(values["far ipv4"])
    assert len(found) == 16 * 8
    assert all(len(addresses) == 1 for addresses in found.values())
    assert len({address for addresses in found.values() for address in addresses}) == 16 * 8


def test_four_planes_and_split_leaf_cages() -> None:
    """200G a plane: four parts of the NIC's cage, and four servers in each cage of a leaf."""
    topology = f"{RAILS}, planes: 4"
    plan = plan_of(backend(topology, "0-31", leaf="r64-800", spine="r64-800", model="gpu8-slices"))
    found = servers_cables(plan, "train-005")
    assert {(cable.near.parts, cable.far.parts) for cable in found} == {(4, 4)}
    assert {cable.near.part for cable in found} == set(range(4))
    assert {(cable.far.cage, cable.far.part) for cable in found} == {("2", 1)}, "server 5: second part of cage 2"


def test_pieces_to_buy_of_a_twin_plane() -> None:
    """One module of two links a NIC, and one for two ports of a leaf's split cage."""
    bill = materials(real_plan("dgx-b300", "0-63", f"{RAILS}"))
    pieces = {(item.part, item.at): item.pieces for item in bill.parts}
    assert sum(count for (_, at), count in pieces.items() if at == "server") == 512
    assert {item.kind: item.links for item in bill.cables} == {"server-leaf": 1024, "leaf-spine": 1024}


def test_room_under_the_superspines() -> None:
    """8 uplinks of a spine on 2 superspines: 4 links a pair, so 16 / 4 = 4 pods, and one more moves cables."""
    found = growth(pods("0-15"), "backend")
    core = found.core
    assert core is not None
    assert (core.pods, core.pods_planned, core.links, core.recable_pods) == (2, 4, 4, 4)
    assert (core.legal, core.legal_now) == ((2, 4, 8), (1, 2, 4))
    # From 2 to 4 half of the 8 uplinks of 16 spines stay: u mod 2 = u mod 4 and the port is the same.
    assert (core.next_cores, core.moved, core.kept) == (4, 64, 64)
    assert (core.largest_pods, core.largest_nics) == (16, (("train", 16 * 8 * 8),))
    assert (found.leaves, found.leaves_planned, found.recable_leaves) == (8, 8, 8)


def test_moves_to_more_superspines_are_listed() -> None:
    plan = pods("0-15")
    moves = list(moves_between(fabric(plan), on_cores(plan, "backend", 4)))
    core = growth(plan, "backend").core
    assert core is not None
    assert len(moves) == core.moved
    assert {move.leaf.split("-")[1] for move in moves} == {"spine"}
    assert {move.to_spine.split("-")[1] for move in moves} == {"super"}


def test_counted_moves_are_those_of_the_list() -> None:
    """Spines of every pod and plane: the count is a product, the list is not."""
    topology = f"{RAILS}, planes: 2, units_per_pod: 1, spines: {{now: 4, planned: 8}}"
    plan = plan_of(backend(topology, "0-23", leaf="r16", spine="r32", core="r32", model="gpu8-slices"))
    told = growth(plan, "backend")
    assert told.next_spines == 8
    listed = list(moves_between(fabric(plan), on_spines(plan, "backend", told.next_spines)))
    assert len(listed) == told.moved == 2 * 3 * 8 * 4
    assert told.kept == 2 * 3 * 8 * 8 - told.moved


def absent(plan: Plan, links: Mapping[Place, range]) -> Plan:
    """The same plan without these uplinks."""
    ports = {
        PortKey(
            name_of(fabric(plan), place), port_text(fabric(plan), place, uplink(fabric(plan), place, at).lower_port)
        ): ("absent")
        for place, numbers in links.items()
        for at in numbers
    }
    return plan_of(plan.intent, exceptions=Exceptions(ports=ports))


def test_a_missing_link_of_a_full_spine_is_told() -> None:
    plan = pods()
    spine = Place("backend", Tier.SPINE, "", 0, 1, 0, 0, 2)
    (problem,) = missing_links(absent(plan, {spine: range(1)}))
    assert problem.code == "links-missing"
    # 8 leaves of 8 servers each send an eighth over each of 8 spines: 8 x 400 = 3,200; seven links are left.
    assert "keeps 2800 Gb/s to its superspines" in problem.what
    assert "send 3200 Gb/s through it" in problem.why


def test_a_missing_link_of_a_spine_with_few_servers_is_not() -> None:
    """One server of 8 NICs in the pod: 8 leaves send 50 Gb/s each over a spine, and one link of 400G is enough."""
    plan = pods("'0-7,8'")
    spine = Place("backend", Tier.SPINE, "", 0, 1, 0, 0, 2)
    assert not list(missing_links(absent(plan, {spine: range(7)})))
    (problem,) = missing_links(absent(plan, {spine: range(8)}))
    assert "needs 400 Gb/s" in problem.what


def test_an_oversubscribed_spine_is_judged_by_its_own_ratio() -> None:
    plan = plan_of(
        backend(
            f'{RAILS}, units_per_pod: 1, spine_oversubscription: "3:1"', "0-31", leaf="r16", spine="r16", core="r16"
        )
    )
    shape = fabric(plan).shape
    assert shape.spine is not None
    # 8 leaves with one link each ask for 3, and two superspines can share 4.
    assert (len(shape.spine.down), len(shape.spine.up)) == (12, 4)
    assert not list(oversubscription(plan))
    spine = Place("backend", Tier.SPINE, "", 0, 1, 0, 0, 2)
    # 3,200 Gb/s at 3:1 ask for 1,067 of 1,600: one link of four may be missing, two not.
    assert not list(missing_links(absent(plan, {spine: range(1)})))
    assert list(missing_links(absent(plan, {spine: range(2)})))
