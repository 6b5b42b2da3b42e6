"""Every question about a switch, a cable or an address, over random small shapes, by brute force."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import (
    FabricPlan,
    asn_of,
    binding_of,
    chassis_of,
    device_name,
    group_of,
    host_space,
    loopback6,
    name_of,
    oob,
    own_blocks,
    place_exists,
    place_of,
    places,
    port_text,
    router_id,
    row_of,
    segment_of,
    vtep,
)
from fabricgen.plan.lock import Lock
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Uplink, downlinks, host_ports, leaf_of, uplinks
from fabricgen.topologies.arithmetic import divisors, legal_spines
from fabricgen.topologies.shape import Column, Shape
from tests.plan.shapes import chassis, fabric_of, group, planned, rails, shape


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Two or three tiers, planes of slices and of rails, pods, one or two groups, border leaves, rails on one leaf."""
    half = draw(st.sampled_from([2, 4, 6, 8]))
    leaf = chassis(2 * half + 1, half, half)
    slices, pods = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rail_planes = draw(st.integers(1, 2))
    planes = slices * rail_planes
    groups = []
    for name in draw(st.sampled_from([("train",), ("serve", "train")])):
        per_leaf = draw(st.sampled_from([1, 2]))
        plane_columns = draw(st.sampled_from([rails(2 * per_leaf, per_leaf), pair(per_leaf)]))
        columns = tuple(
            column._replace(plane=slices * plane) for plane in range(rail_planes) for column in plane_columns
        )
        slots = draw(st.integers(1, 3 * pods)) * (half // per_leaf)
        groups.append(group(name, leaf, columns, 3, pods=pods, slots=slots, planes=slices))
    borders = draw(st.integers(0, 2)) if pods == planes == 1 else 0
    leaves = sum(g.units_a_pod * g.rails * g.indexes for g in groups) + borders
    core_links = draw(st.sampled_from([0, 1, 2])) if pods > 1 else 0
    radix = draw(st.sampled_from([leaves * half, leaves * half // 2 + 1, leaves]))
    spines = draw(st.sampled_from(legal_spines(leaves, half, radix)))
    cores = draw(st.sampled_from([1, 3])) if core_links else 0
    return shape(
        tuple(groups),
        spine=chassis(radix + core_links * cores, radix, core_links * cores),
        spines=spines,
        links=half // spines,
        planes=planes,
        rail_planes=rail_planes,
        pods=pods,
        core=chassis(pods * core_links + 1, pods * core_links + 1, 0) if cores else None,
        cores=cores,
        core_links=core_links,
        border=leaf if borders else None,
        borders=borders,
    )


def pair(rows: int) -> tuple[Column, ...]:
    """Two leaves a unit, every server with `rows` ports to each."""
    return tuple(Column(0, port % 2, port // 2) for port in range(2 * rows))


def ends(plan: FabricPlan, link: Uplink) -> tuple[tuple[Place, str], tuple[Place, str]]:
    return (
        (link.lower, port_text(plan, link.lower, link.lower_port)),
        (link.upper, port_text(plan, link.upper, link.upper_port)),
    )


@settings(max_examples=60, deadline=None)
@given(shapes())
def test_both_ends_of_every_cable_agree_and_every_port_is_used_once(made: Shape) -> None:
    plan = fabric_of(made)
    standing = list(places(plan))
    from_below = [link for place in standing for link in uplinks(plan, place)]
    from_above = [
        link for place in standing if place.tier in (Tier.SPINE, Tier.SUPERSPINE) for link in downlinks(plan, place)
    ]
    below, above = {ends(plan, link) for link in from_below}, {ends(plan, link) for link in from_above}
    assert {(link.lower, link.number): ends(plan, link) for link in from_below} == {
        (link.lower, link.number): ends(plan, link) for link in from_above
    }
    assert len(from_below) == len(below) == len(from_above) == len(above)
    used = Counter(end for link in from_below for end in ends(plan, link))
    for place in standing:
        if place.tier is Tier.LEAF:
            used.update((place, port_text(plan, place, host.port)) for host in host_ports(plan, place))
    assert set(used.values()) == {1}
    assert all(link.lower.plane == link.upper.plane for link in from_below), "no cable leaves its plane"
    assert {place for place, _ in used} <= set(standing), "no cable ends on a switch that is not there"


@settings(max_examples=40, deadline=None)
@given(shapes())
def test_every_pair_has_the_same_links(made: Shape) -> None:
    """Each leaf reaches each spine of its pod by m links, each spine each superspine of its group by m2."""
    plan = fabric_of(made)
    for place in places(plan):
        pairs = Counter(link.upper for link in uplinks(plan, place))
        if place.tier in (Tier.LEAF, Tier.BORDER):
            assert set(pairs.values()) == {made.links}
            assert {(p.tier, p.plane, p.pod, p.index) for p in pairs} == {
                (Tier.SPINE, place.plane, place.pod, index) for index in range(made.spines)
            }
        elif place.tier is Tier.SPINE and made.cores:
            assert set(pairs.values()) == {made.core_links}
            assert {(p.tier, p.plane, p.su, p.index) for p in pairs} == {
                (Tier.SUPERSPINE, place.plane, place.index, index) for index in range(made.cores)
            }
        else:
            assert not pairs


@settings(max_examples=40, deadline=None)
@given(shapes())
def test_names_and_numbers_are_each_given_once(made: Shape) -> None:
    plan = fabric_of(made)
    standing = list(places(plan))
    assert len(set(standing)) == len(standing)
    names = {name_of(plan, place): place for place in standing}
    assert len(names) == len(standing)
    assert all(place_of(plan, name) == place for name, place in names.items())
    loopbacks = [address for place in standing for address in (router_id(plan, place), vtep(plan, place))]
    assert len(set(loopbacks)) == len(loopbacks)
    assert len({oob(plan, place) for place in standing}) == len(standing)
    assert len({loopback6(plan, place) for place in standing}) == len(standing)
    assert all(segment_of(plan, place).box.holds(place.point) for place in standing)


@settings(max_examples=40, deadline=None)
@given(shapes())
def test_as_numbers_by_tier(made: Shape) -> None:
    """Unique leaves, one number for the spines of a pod, one for the superspines of a plane."""
    plan = fabric_of(made)
    owners: dict[int, tuple[object, ...]] = {}
    numbers: dict[tuple[object, ...], int] = {}
    for place in places(plan):
        owner: tuple[object, ...] = (place.tier, place)
        if place.tier is Tier.SPINE:
            owner = (place.tier, place.plane, place.pod)
        if place.tier is Tier.SUPERSPINE:
            owner = (place.tier, place.plane)
        number = asn_of(plan, place)
        assert owners.setdefault(number, owner) == owner
        assert numbers.setdefault(owner, number) == number


@settings(max_examples=40, deadline=None)
@given(shapes())
def test_link_addresses_are_disjoint_and_one_aggregate_covers_exactly_the_host_links(made: Shape) -> None:
    plan = fabric_of(made)
    for family in (0, 1):
        taken: Counter[int] = Counter()
        for place in places(plan):
            block = own_blocks(plan, place)[family]
            if block is None:
                assert place.tier is Tier.SUPERSPINE or (place.tier is Tier.SPINE and not made.cores)
                continue
            hosts = [block.host(n) for n in range(len(chassis_of(plan, place).down))] if place.tier is Tier.LEAF else []
            own = [block.uplink(n) for n in range(len(binding_of(plan, place).up))]
            assert all(address % 2 == 0 for address in (*hosts, *own)), "our end is even"
            taken.update(end for address in (*hosts, *own) for end in (address, address + 1))
            space = host_space(segment_of(plan, place).hosts)
            if hosts:
                assert block.start % space == 0
                assert space & (space - 1) == 0
                assert all(block.start <= address < block.start + space for address in hosts)
                assert space < 2 * (2 * len(hosts)), "no wider than the next power of two"
            assert all(address >= block.start + space for address in own), "no uplink inside the aggregate"
        assert set(taken.values()) <= {1}


@settings(max_examples=40, deadline=None)
@given(shapes())
def test_host_ports_and_leaf_of_are_inverse(made: Shape) -> None:
    plan = fabric_of(made)
    seen = set()
    for place in places(plan):
        if place.tier is not Tier.LEAF:
            continue
        for host in host_ports(plan, place):
            found, number = leaf_of(plan, group_of(plan, host.group), host.slot, host.nic, place.plane)
            assert (found, number) == (place, host.number)
            seen.add((place.plane, host.group, host.slot, host.nic))
            assert binding_of(plan, place).down[host.number] == host.port
    for each in made.groups:
        wanted = {
            (first + number, each.name, slot, nic)
            for slot in range(each.slots[0].last + 1)
            for nic, (_, _, _, first) in enumerate(each.columns)
            for number in range(each.nics.planes)
        }
        assert wanted <= seen, "every NIC port of every server has a host port in each of its planes"
        assert {plane for plane, group, *_ in seen if group == each.name} == set(range(made.planes))


def test_a_host_port_without_a_server_is_reserved() -> None:
    leaf = chassis(8, 4, 4)
    made = shape((group("train", leaf, rails(2), 2, slots=3),), spine=chassis(8, 8, 0), spines=4, links=1)
    plan = fabric_of(made)
    flags = [(host.slot, host.present) for host in host_ports(plan, next(places(plan)))]
    assert flags == [(0, True), (1, True), (2, True), (3, False)]


def test_names_of_others_are_not_ours() -> None:
    leaf = chassis(8, 4, 4)
    made = shape((group("train", leaf, rails(2), 3, slots=4),), spine=chassis(8, 8, 0), spines=4, links=1)
    plan = fabric_of(made)
    assert place_of(plan, "be-leaf-001") is not None
    others = ["be-leaf-1", "be-leaf-0001", "be-leaf-002", "be-leaf-", "be-leaf-٠٠١", "fe-leaf-001", "be-spine-04", "x"]
    for name in (*others, "be-leaf-" + "9" * 5000):
        assert place_of(plan, name) is None
    assert device_name("be", Tier.LEAF, 12345) == "be-leaf-12345", "a wider number widens the name"


def test_places_of_former_dimensions_do_not_stand() -> None:
    """Eight rails were recorded, a server has four now: the other leaves keep their numbers and are not there."""
    leaf, spine = chassis(8, 4, 4), chassis(32, 32, 0)
    eight = shape((group("train", leaf, rails(8), 1),), spine=spine, spines=4, links=1)
    four = shape((group("train", leaf, rails(4), 1),), spine=spine, spines=4, links=1)
    recorded = planned(eight).lock
    plan = fabric_of(four, recorded)
    assert [place.rail for place in places(plan) if place.tier is Tier.LEAF] == [0, 1, 2, 3]
    spine_place = next(place for place in places(plan) if place.tier is Tier.SPINE)
    assert len(list(downlinks(plan, spine_place))) == 4
    assert place_of(plan, "be-leaf-004") is None


def test_units_of_pods_that_came_later_keep_both_ends() -> None:
    """Units grow past the plan, then pods do: the new pod's leaves take the rows of the old pod's."""
    leaf, spine = chassis(8, 4, 4), chassis(64, 64, 0)

    def made(units: int, pods: int) -> Shape:
        return shape((group("train", leaf, rails(2), units, pods=pods),), spine=spine, spines=2, links=2, pods=pods)

    lock = Lock()
    for units, pods in ((2, 1), (5, 1), (5, 3)):
        plan = planned(made(units, pods), lock)
        lock = plan.lock
    fabric = plan.fabrics["backend"]
    links = [link for place in places(fabric) for link in uplinks(fabric, place)]
    back = [link for place in places(fabric) if place.tier is Tier.SPINE for link in downlinks(fabric, place)]
    assert sorted(links) == sorted(back)
    assert {row_of(fabric, link.lower) for link in links} == set(range(10))


def test_a_dead_port_moves_its_cable_at_both_ends_and_no_address() -> None:
    leaf = chassis(10, 4, 4)
    made = shape((group("train", leaf, rails(2), 2),), spine=chassis(16, 12, 0), spines=2, links=2)
    before = fabric_of(made)
    dead = Exceptions(
        ports={PortKey("be-leaf-001", "Ethernet6/1"): "dead", PortKey("be-leaf-001", "Ethernet2/1"): "dead"}
    )
    after = fabric_of(made, None, dead)
    place = place_of(after, "be-leaf-001")
    assert place is not None
    names = [port_text(after, place, link.lower_port) for link in uplinks(after, place)]
    assert names == ["Ethernet5/1", "Ethernet10/1", "Ethernet7/1", "Ethernet8/1"]
    assert [port_text(after, place, host.port) for host in host_ports(after, place)][1] == "Ethernet9/1"
    assert own_blocks(after, place) == own_blocks(before, place)
    from_above = {
        (link.lower, link.number): port_text(after, link.lower, link.lower_port)
        for spine in places(after)
        if spine.tier is Tier.SPINE
        for link in downlinks(after, spine)
    }
    assert [from_above[place, number] for number in range(4)] == names


def test_doubling_the_spines_leaves_half_the_cables_in_place() -> None:
    """Uplink u of leaf r on spine u mod S, port (u div S)(R/m) + r: half the cables keep both ends."""
    leaf, spine = chassis(64, 32, 32), chassis(64, 64, 0)
    for spines in divisors(32)[:-1]:
        kept = total = 0
        at = [
            {
                (link.lower, link.number): (link.upper, link.upper_port)
                for place in places(plan)
                for link in uplinks(plan, place)
            }
            for plan in (
                fabric_of(
                    shape((group("train", leaf, rails(1), 2),), spine=spine, spines=s, links=32 // s, spines_planned=32)
                )
                for s in (spines, 2 * spines)
            )
        ]
        for key, end in at[0].items():
            total += 1
            kept += end == at[1][key]
        assert 2 * kept == total


def test_stands_holds_nothing_outside_the_planes_and_pods() -> None:
    leaf = chassis(8, 4, 4)
    plan = fabric_of(shape((group("train", leaf, rails(2), 2),), spine=chassis(16, 16, 0), spines=4, links=1))
    for tier, name in ((Tier.LEAF, "train"), (Tier.SPINE, ""), (Tier.SUPERSPINE, ""), (Tier.BORDER, "")):
        assert not place_exists(plan, Place("backend", tier, name, 1, 0, 0, 0, 0))
        assert not place_exists(plan, Place("backend", tier, name, 0, 1, 0, 0, 0))
