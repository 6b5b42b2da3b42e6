"""Published clusters of three tiers, several planes, pairs of leaves and mixed speeds, and the numbers printed of them.

Each row names its source. Where a printed number differs from ours, both stand in the test with the reason. Second
hand: read in notes of others on the paper, as its text was not at hand.
"""

from typing import NamedTuple

import pytest

from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan, places
from fabricgen.plan.lock import Lock
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.plan.wiring import downlinks, uplinks
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from fabricgen.summary.counts import counts
from fabricgen.topologies.shape import Shape
from tests.topologies.sites import backend, catalog, pairs, plan_of, problem_of, rail, shape_of


class Count(NamedTuple):
    """Switches of all planes and pods, and links of each tier."""

    leaves: int
    spines: int
    cores: int
    host_links: int
    leaf_links: int
    spine_links: int


def count(made: Shape) -> Count:
    """Multiply the dimensions out, with every planned unit built and full."""
    copies = made.planes * made.pods
    leaves = copies * sum(group.units_a_pod * group.rails * group.indexes for group in made.groups)
    spines = copies * made.spines
    servers = sum(group.planned * group.slots_a_unit * len(group.columns) for group in made.groups)
    return Count(
        leaves=leaves,
        spines=spines,
        cores=made.planes * made.spines * made.cores,
        host_links=servers * made.groups[0].nics.planes,
        leaf_links=leaves * made.spines * made.links,
        spine_links=spines * made.cores * made.core_links,
    )


@pytest.mark.parametrize(
    ("units", "leaves", "spines", "cores", "cables"),
    [(16, 128, 128, 64, 4096), (32, 256, 256, 128, 8192), (64, 512, 512, 256, 16384)],
)
def test_dgx_b200_superpod_with_a_core_tier(units: int, leaves: int, spines: int, cores: int, cables: int) -> None:
    """docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-b200, architecture, 2026-11-21.

    64-port switches; a pod of four units fills them.
    """
    made = shape_of(backend("design: rail-optimized, units_per_pod: 4", f"0-{32 * units - 1}", core="r64"))
    assert count(made) == Count(leaves, spines, cores, cables, cables, cables)
    assert made.tiers == 3


def test_512_h100_in_four_pods() -> None:
    """apetops-us.com, explanation of the 512 H100 clustering solution, 2026-11-21: 32 + 32 + 16 = 80 a pod, 320 in all.

    Theirs joins a leaf to the four spines of its rail only, with eight links each; ours to all 32 with one. Counts of
    switches and cables are the same.
    """
    made = shape_of(backend("design: rail-optimized, units_per_pod: 4", "0-511", core="r64"))
    found = count(made)
    assert (found.leaves // 4, found.spines // 4, found.cores // 4) == (32, 32, 16)
    assert found.leaves + found.spines + found.cores == 320
    assert (made.spines, made.links) == (32, 1)


def real_intent(model: str, slots: str, topology: str) -> Intent:
    """Intent of one backend of SN5600 switches."""
    switch = "{model: nvidia-sn5600, os: frr-8.4}"
    text = (
        "fabricgen: 1\nsite: dc1\nmanagement: {oob: 172.16.0.0/14, gateway: 172.16.0.1}\n"
        f"servers: {{train: {{model: {model}, slots: {slots}}}}}\nfabrics: {{backend: {{kind: backend, "
        f"connects: {{train: compute}}, leaf: {switch}, spine: {switch}, "
        f"topology: {{{topology}}}, addressing: {{ipv4: 10.0.0.0/8}}, asns: 4200000000-4200099999}}}}\n"
    )
    return validate(Intent, load_document(text, "intent.yaml"))


def real_plan(model: str, slots: str, topology: str) -> Plan:
    """Plan of such a shape."""
    intent = real_intent(model, slots, topology)
    return make_plan(intent, load_catalog(None), make_shapes(intent, load_catalog(None)), Lock(), Exceptions())


def real(model: str, slots: str, topology: str) -> Shape:
    """Shape on switches and servers of the library."""
    return make_shapes(real_intent(model, slots, topology), load_catalog(None))["backend"]


@pytest.mark.parametrize(
    ("units", "leaves", "spines", "cables"),
    [(1, 16, 8, 512), (2, 32, 16, 1024), (4, 64, 32, 2048), (8, 128, 64, 4096), (16, 256, 128, 8192)],
)
def test_dgx_b300_superpod_twin_plane(units: int, leaves: int, spines: int, cables: int) -> None:
    """docs.nvidia.com/dgx-superpod/reference-architecture/scalable-infrastructure-b300, table 3, 2026-11-21.

    On the SN5600 and DGX B300 of the library. Printed cables have two ports of 400G each, one a plane: links are twice
    as many.
    """
    made = real("dgx-b300", f"0-{64 * units - 1}", "design: rail-optimized")
    found = count(made)
    assert (made.planes, made.groups[0].slots_a_unit) == (2, 64)
    assert (found.leaves, found.spines) == (leaves, spines)
    assert (found.host_links, found.leaf_links) == (2 * cables, 2 * cables)


def test_sixteen_units_of_b300_end_two_tiers() -> None:
    """R = 128 at 400G: 8,192 endpoints a plane; one unit more asks for a third tier."""
    with pytest.raises(FabricError) as raised:
        real("dgx-b300", "0-1087", "design: rail-optimized")
    (problem,) = raised.value.problems
    assert problem.code == "too-many-leaves"
    assert "or a third tier: superspine" in problem.fix


def test_meta_roce_24k() -> None:
    """Meta, SIGCOMM 2024, second hand: besthub.dev and engineering.fb.com on the paper, 2026-11-21.

    Rack: 2 servers, 16 GPUs, one RTSW with 12.5 % more uplinks than servers' ports (1:1.125) against two lost spines;
    pod: 192 racks, 3,072 GPUs; 8 pods, 24,576 GPUs; 7:1 above the pod. 18 CTSW follow: 16 and two. How many ports of a
    CTSW look up is not printed: 192 at 7:1 ask for 28, and the panel has just these.
    """
    topology = (
        'design: tor, servers_per_unit: 2, oversubscription: "8:9", units_per_pod: 192, '
        'spines: {now: 18}, spine_oversubscription: "7:1"'
    )
    made = shape_of(backend(topology, "0-3071", leaf="r64", spine="r220", core="r128"))
    (group,) = made.groups
    assert (len(group.leaf.down), len(group.leaf.up), made.spines) == (16, 18, 16 + 2)
    assert (group.units_a_pod * group.slots_a_unit * 8, made.pods) == (3072, 8)
    assert count(made).host_links == 24_576
    assert made.spine is not None
    assert (len(made.spine.down), len(made.spine.up)) == (192, 28)
    assert len(made.spine.down) <= 7 * len(made.spine.up)


def test_a_spine_has_no_more_uplinks_than_its_leaves_ask() -> None:
    """The same on a modular box of 288 ports, which 7:1 splits 252:36: 192 links still ask for 28."""
    topology = (
        'design: tor, servers_per_unit: 2, oversubscription: "8:9", units_per_pod: 192, '
        'spines: {now: 18}, spine_oversubscription: "7:1"'
    )
    intent = backend(topology, "0-3071", leaf="r64", spine="r288", core="r128")
    plan = plan_of(intent)
    spine = plan.fabrics["backend"].shape.spine
    assert spine is not None
    assert (len(spine.down), len(spine.up)) == (196, 28)
    found = counts(plan, plan.fabrics["backend"])
    # 16 ports of servers to 18 uplinks of a leaf, 192 links to 28 of a spine: 6.095 to one.
    assert (found.spine_down, found.spine_up) == ("192 x 400G", "28 x 400G")
    assert found.end_to_end == pytest.approx(16 / 18 * 192 / 28)
    assert found.end_to_end is not None
    # 24,576 NICs of 400G; half of them send 4,915.2 Tb/s, and 1/6.095 of that gets through.
    assert found.bisection_tbps == pytest.approx(24_576 * 0.4 / 2 / found.end_to_end)


@pytest.mark.parametrize(
    ("keys", "up", "why"),
    [
        # 28 for one superspine in each of 18 groups, or for 2 or 7; 30 for 3 and for 5; 32 for 8.
        ("superspines: {now: 14}", 28, ""),
        ("superspines: {now: 15}", 30, "shared"),
        ("superspines: {now: 8, planned: 16}", 32, "shared"),
        ("spine_uplinks: 36", 36, "spine_uplinks"),
        ("spine_uplinks: 36, superspines: {now: 18}", 36, "spine_uplinks"),
        ("spine_uplinks: 28", 28, ""),
    ],
)
def test_a_spine_has_the_fewest_uplinks_that_its_superspines_share(keys: str, up: int, why: str) -> None:
    """The same with superspines in the intent: no more than they share equally, unless more are asked for."""
    topology = (
        'design: tor, servers_per_unit: 2, oversubscription: "8:9", units_per_pod: 192, '
        f'spines: {{now: 18}}, spine_oversubscription: "7:1", {keys}'
    )
    plan = plan_of(backend(topology, "0-3071", leaf="r64", spine="r288", core="r128"))
    found = counts(plan, plan.fabrics["backend"])
    assert found.spine_up == f"{up} x 400G"
    assert (found.spine_uplinks_least, found.spine_uplinks_why) == (28, why)
    assert found.end_to_end == pytest.approx(16 / 18 * 192 / up)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (27, "192 links to its leaves need at least 28 at 7:1"),
        (97, "192 of its ports are for leaves: there is room for 96"),
    ],
)
def test_uplinks_that_a_spine_cannot_have(asked: int, told: str) -> None:
    topology = (
        'design: tor, servers_per_unit: 2, oversubscription: "8:9", units_per_pod: 192, '
        f'spines: {{now: 18}}, spine_oversubscription: "7:1", spine_uplinks: {asked}'
    )
    problem = problem_of(backend(topology, "0-3071", leaf="r64", spine="r288", core="r128"))
    assert (problem.code, problem.where[-1], problem.why) == ("uplinks-impossible", "spine_uplinks", told)
    assert problem.fix == "write spine_uplinks: 28 to 96, or remove spine_uplinks"


def test_uplinks_of_a_spine_below_pods_that_need_more_spines() -> None:
    """8 leaves of 64 uplinks with 8 links to each of 8 spines; 16 leaves have 4 to each of 16: 64 links, 64 uplinks."""
    topology = (
        "design: rail-optimized, servers_per_unit: 64, units_per_pod: 2, spines: {now: 8, planned: 16}, "
        "spine_uplinks: 64"
    )
    plan = plan_of(backend(topology, "0-63", leaf="r128", spine="r128", core="r128", planned="256"))
    found = counts(plan, plan.fabrics["backend"])
    assert (found.spine_down, found.spine_up, found.end_to_end_full) == ("64 x 400G", "64 x 400G", 1.0)


def test_recorded_uplinks_of_a_spine_stay() -> None:
    """A fabric that was rendered with all 36 keeps them, and the page says what they give: 4.74 to one."""
    topology = (
        'design: tor, servers_per_unit: 2, oversubscription: "8:9", units_per_pod: 192, '
        'spines: {now: 18}, spine_oversubscription: "7:1"'
    )
    intent = backend(topology, "0-3071", leaf="r64", spine="r288", core="r220")
    lock = plan_of(intent).lock
    wide = [s._replace(up=s.up._replace(count=36)) if s.tier is Tier.SPINE and s.up else s for s in lock.segments]
    recorded = lock._replace(segments=tuple(wide))
    shapes = make_shapes(intent, catalog(), recorded)
    spine = shapes["backend"].spine
    assert spine is not None
    assert (len(spine.down), len(spine.up)) == (252, 36)
    plan = make_plan(intent, catalog(), shapes, recorded, Exceptions())
    found = counts(plan, plan.fabrics["backend"])
    assert found.end_to_end == pytest.approx(16 / 18 * 192 / 36)
    assert found.end_to_end is not None
    assert found.bisection_tbps == pytest.approx(24_576 * 0.4 / 2 / found.end_to_end)


def test_meta_under_subscribed_twice() -> None:
    """The first state of the same source: uplinks for twice the servers' ports."""
    made = shape_of(
        backend('design: tor, servers_per_unit: 2, oversubscription: "1:2"', "0-255", leaf="r64", spine="r128")
    )
    assert (len(made.groups[0].leaf.down), len(made.groups[0].leaf.up)) == (16, 32)


HPN = 'design: rail-optimized, servers_per_unit: 128, oversubscription: "16:15", uplink_gbps: 400, units_per_pod: 15, '


def test_alibaba_hpn_as_two_planes() -> None:
    """Alibaba HPN, SIGCOMM 2024, second hand (wuql20.bearblog.dev; counts of ports expert knowledge), 2026-11-21.

    Segment: 128 servers, 1,024 GPUs, 16 ToR of 51.2T with 128 ports of 200G and 60 of 400G (1.067:1); pod: 15 segments,
    15,360 GPUs, 60 aggregation switches a plane with 120 ports down and 8 up (15:1). The port of a NIC to either ToR
    is a plane of its own there, so planes: 2 gives its counts. Theirs is one bonded address over both planes; ours an
    address a plane. Its 8 spare servers a segment are left out.
    """
    topology = HPN + 'planes: 2, spine_oversubscription: "15:1"'
    made = shape_of(backend(topology, "0-1919", leaf="r128", spine="r128", core="r128", model="gpu8-halves"))
    (group,) = made.groups
    assert (len(group.leaf.down), group.leaf.down[0].speed_gbps, len(group.leaf.up)) == (128, 200, 60)
    assert (group.rails * made.planes, group.slots_a_unit * 8) == (16, 1024)
    assert (made.spines, count(made).leaves, count(made).spines) == (60, 240, 120)
    assert made.spine is not None
    assert (len(made.spine.down), len(made.spine.up)) == (120, 8)
    assert group.planned * group.slots_a_unit * 8 == 15_360


def test_alibaba_hpn_with_its_backup_servers() -> None:
    """The same source and besthub.dev (9f6a72ddbc43, read 2026-11-30): 128 ports of 200G and 8 spare ones a ToR.

    So 136 servers a segment, 1,024 GPUs in use and 64 in reserve, and a ToR of 51.2T is full: 136 x 200G and 60 x 400G.
    """
    topology = (
        'design: rail-optimized, servers_per_unit: 136, oversubscription: "17:15", uplink_gbps: 400, planes: 2, '
        'units_per_pod: 15, spine_oversubscription: "15:1"'
    )
    made = shape_of(backend(topology, "0-127", leaf="r128", spine="r128", core="r128", model="gpu8-halves"))
    (group,) = made.groups
    assert (len(group.leaf.down), group.leaf.down[0].speed_gbps, len(group.leaf.up)) == (136, 200, 60)
    assert (group.slots_a_unit * 8, 128 * 8, group.slots_a_unit * 8 - 1024) == (1088, 1024, 64)
    assert (group.rails * made.planes, made.spines) == (16, 60)


def test_alibaba_hpn_needs_its_planes() -> None:
    """With both ToRs of a pair under the same spines, 240 leaves would stand in a pod: no spine has such room.

    So HPN is dual-ToR over two planes: one address that both planes announce. With `planes: 2` ours has an address in
    each, and with `leaves_per_rail: 2` both leaves are in one plane; no words of the intent say the two at once.
    """
    topology = HPN + 'leaves_per_rail: 2, spine_oversubscription: "15:1"'
    problem = problem_of(backend(topology, "0-1919", leaf="r128", spine="r128", core="r128", model="gpu8-halves"))
    assert problem.code == "too-many-leaves"
    assert "has 120 ports to leaves: 120 leaves at most" in problem.why


@pytest.mark.parametrize("model", ["gpu8-halves", "gpu8-pairs"])
def test_alibaba_hpn_one_to_one_with_pairs_of_leaves(model: str) -> None:
    """article.woter.ai on HPN 7.0, 2026-11-21.

    1:1, 128 ports of 200G down and 64 of 400G up a leaf, 16 leaves and 128 servers a segment (2,048 ports of 200G), 8
    segments a pod: 1,024 servers, 8,192 GPUs.
    """
    topology = "design: rail-optimized, leaves_per_rail: 2, uplink_gbps: 400"
    made = shape_of(backend(topology, "0-1023", leaf="r128", spine="r128", model=model))
    (group,) = made.groups
    assert (len(group.leaf.down), len(group.leaf.up), group.slots_a_unit) == (128, 64, 128)
    assert (group.rails * group.indexes, group.planned, count(made).leaves) == (16, 8, 128)
    assert count(made).host_links == 8 * 2048
    assert (made.spines, made.links) == (64, 1)
    landed = {(port.rail, column.index) for port, column in zip(group.nics.ports, group.columns, strict=True)}
    assert landed == {(at, index) for at in range(8) for index in range(2)}, "each rail on both leaves of its pair"


def test_megascale() -> None:
    """ByteDance MegaScale, NSDI 2024 (text repeated at the7.net/news/show-370272.html, 2026-11-21).

    Tomahawk 4, 64 x 400G: 32 ports down, each split into two of 200G, 32 up; eight 200G NICs on eight switches, 64
    servers on the same ToRs; 1:1 in all three tiers.
    """
    topology = "design: rail-optimized, uplink_gbps: 400, units_per_pod: 4"
    made = shape_of(backend(topology, "0-1279", core="r64", model="gpu8-200"))
    (group,) = made.groups
    assert (group.slots_a_unit, group.rails) == (64, 8)
    assert (len(group.leaf.down), len({port.cage for port in group.leaf.down}), len(group.leaf.up)) == (64, 32, 32)
    assert {(port.speed_gbps, port.parts) for port in group.leaf.down} == {(200, 2)}
    assert made.spine is not None
    assert (len(made.spine.down), len(made.spine.up), made.pods) == (32, 32, 5)
    assert group.planned * group.slots_a_unit * 8 > 10_000


def test_oracle_multiplanar() -> None:
    """blogs.oracle.com/cloud-infrastructure on Acceleron, 2026-11-21.

    A NIC of 800G over independent two-tier planes, here 8 of 100G on switches of 64 x 800G; 131,072 GPUs is what is
    announced (dev.to/firstpasslab, 2026-11-21), and R**2 / 2 of 512 ports. How many planes theirs has is not printed.
    """
    made = shape_of(
        backend("design: rail-optimized, planes: 8", "0-16383", leaf="r64-800", spine="r64-800", model="gpu8-slices")
    )
    (group,) = made.groups
    assert (made.planes, len(group.leaf.down), len(group.leaf.up), group.leaf.down[0].speed_gbps) == (8, 256, 256, 100)
    found = count(made)
    assert (found.leaves // 8, found.spines // 8, made.tiers) == (512, 256, 2)
    assert group.planned * group.slots_a_unit * 8 == 131_072


@pytest.mark.parametrize(("planes", "each"), [(1, 64), (2, 128), (4, 256)])
def test_more_planes_are_larger_units(planes: int, each: int) -> None:
    """A quarter of the speed is four times the ports, and a quarter of the leaves a plane."""
    made = shape_of(
        backend(
            f"design: rail-optimized, planes: {planes}",
            "0-255",
            leaf="r64-800",
            spine="r64-800",
            model="gpu8-slices",
        )
    )
    assert made.groups[0].slots_a_unit == each // 2
    assert made.planes == planes
    assert count(made).leaves == planes * 8 * (256 // (each // 2))


def test_gb200_nvl72_trays() -> None:
    """docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-gb200, network fabrics, 2026-11-21.

    18 compute trays and 72 GPUs a rack, 8 racks and 576 GPUs a unit. Here each rack has its leaf a rail.
    """
    made = real("gb200-nvl72", "0-143", "design: rail-optimized, servers_per_unit: 18")
    (group,) = made.groups
    assert (group.slots_a_unit * 4, group.planned, group.planned * 18 * 4) == (72, 8, 576)
    assert (group.rails, count(made).leaves, count(made).leaf_links) == (4, 32, 576)


def test_rail_only() -> None:
    """Rail-only, MIT and Meta 2023, expert knowledge: leaves alone, one a rail; no cable joins two of them."""
    plan = plan_of(backend("design: rail-only", "0-63", spine="")).fabrics["backend"]
    standing = list(places(plan))
    assert [place.tier for place in standing] == [Tier.LEAF] * 8
    assert [place.rail for place in standing] == list(range(8))
    assert not any(True for place in standing for _ in uplinks(plan, place))


DEEPSEEK = ("design: rail-optimized, rails_per_plane: 1", "design: rail-only")


@pytest.mark.parametrize("design", DEEPSEEK)
def test_deepseek_multi_plane_fat_tree(design: str) -> None:
    """arxiv.org/abs/2505.09343 (Insights into DeepSeek-V3), section 5 and table of topologies, 64-port 400G switches.

    A two-tier fat tree: 2,048 endpoints, 96 switches, 2,048 links between them. Eight planes, one for each GPU and NIC
    of a server: 16,384, 768 and 16,384.
    """
    made = shape_of(backend(design, "0-2047"))
    found = count(made)
    assert (made.planes, made.rail_planes, made.tiers) == (8, 8, 2)
    assert (found.host_links, found.leaves + found.spines, found.leaf_links) == (16384, 768, 16384)
    assert (found.leaves, found.spines) == (512, 256)
    a_plane = (found.host_links // 8, (found.leaves + found.spines) // 8, found.leaf_links // 8)
    assert a_plane == (2048, 96, 2048)
    assert problem_of(backend(design, "0-2048")).code == "too-many-leaves", "64-port switches take no more in two tiers"


def test_a_rail_only_network_of_any_size() -> None:
    """arxiv.org/abs/2307.12169v5: each rail has a Clos network of its own. R = 16 in three tiers: R**3 / 4 per rail."""
    made = backend("design: rail-only, units_per_pod: 8", "0-1023", leaf="r16", spine="r16", core="r16", model="gpu4")
    plan = plan_of(made).fabrics["backend"]
    assert (plan.shape.planes, plan.shape.tiers, plan.shape.pods) == (4, 3, 16)
    assert count(plan.shape) == Count(4 * 128, 4 * 128, 4 * 64, 4 * 1024, 4 * 1024, 4 * 1024)
    crossing = [link for place in places(plan) for link in uplinks(plan, place) if link.upper.plane != place.plane]
    assert crossing == []


@pytest.mark.parametrize("ratio", ["4:1", "6:1", "8:1", "10:1"])
def test_an_inference_only_site(ratio: str) -> None:
    """Frontends of 2:1 to 10:1: the reference's range for inference."""
    over = int(ratio.partition(":")[0])
    leaf = shape_of(pairs("mixed", "r32", ratio, "0-47", borders=2)).groups[0].leaf
    down, up = (sum(port.speed_gbps for port in ports) for ports in (leaf.down, leaf.up))
    assert down <= over * up
    assert down > over * (up - 400), "no uplink more than the ratio asks"


def test_the_largest_three_tiers_use_every_port() -> None:
    """R = 16: R**3 / 4 = 1,024 endpoints, R/2 leaves and spines a pod, R pods, E / R superspines; all cables agree."""
    made = backend("design: rail-optimized, units_per_pod: 1", "0-127", leaf="r16", spine="r16", core="r16")
    plan = plan_of(made).fabrics["backend"]
    assert count(plan.shape) == Count(128, 128, 64, 1024, 1024, 1024)
    standing = list(places(plan))
    above = [link for place in standing for link in uplinks(plan, place)]
    below = [
        link for place in standing if place.tier in (Tier.SPINE, Tier.SUPERSPINE) for link in downlinks(plan, place)
    ]
    assert sorted(above) == sorted(below)
    assert len(above) == 2048
    assert all(ports_used(plan, place) == 16 for place in standing)


def ports_used(plan: FabricPlan, place: Place) -> int:
    """Ports of a switch with a cable, when every server stands."""
    below = 8 if place.tier is Tier.LEAF else sum(1 for _ in downlinks(plan, place))
    return below + sum(1 for _ in uplinks(plan, place))


def test_two_tiers_keep_their_printed_rows_on_a_real_switch() -> None:
    """Spectrum-X HGX on the SN5600: 32 servers, two rails a leaf, 64 down and 64 up of 400G, 4 leaves and 2 spines."""
    made = real("dgx-h200", "0-31", "design: rail-optimized, rails_per_leaf: 2")
    assert (made.groups[0].slots_a_unit, count(made).leaves, made.spines) == (32, 4, 2)
    assert shape_of(rail("r128", "r128", "0-31", per_leaf=2)).links == made.links
