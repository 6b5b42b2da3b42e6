"""Designs of makers of switches and GPUs and of large sites, with the numbers printed of them; the plan alone.

Each names its source. Second hand: read where somebody else cites it. Where a printed number differs from ours, both
stand in the test with the reason.
"""

import pytest

from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import load_catalog
from fabricgen.plan.plan import make_shapes
from fabricgen.topologies.shape import Shape
from tests.topologies.sites import backend, problem_of, rail, shape_of, site
from tests.topologies.test_published_clusters import Count, count, real


def made_of(switch: str, system: str, server: str, slots: str, topology: str, upper: str = "") -> Shape:
    """Shape of one backend on a switch and a server of the library."""
    model = f"{{model: {switch}, os: {system}}}"
    intent = site(
        f"{{backend: {{kind: backend, connects: {{train: compute}}, leaf: {model}, spine: {model}, {upper}"
        f"topology: {{{topology}}}, addressing: {{ipv4: 10.0.0.0/8}}, asns: 4200000000-4200999999}}}}",
        f"{{train: {{model: {server}, slots: {slots}}}}}",
        oob="172.16.0.0/14",
    )
    return make_shapes(intent, load_catalog(None))["backend"]


@pytest.mark.parametrize(
    ("leaf", "servers", "gpus"),
    [("juniper-qfx5130-32cd", 16, 128), ("juniper-qfx5230-64cd", 32, 256), ("juniper-qfx5240-64od", 64, 512)],
)
def test_juniper_stripes(leaf: str, servers: int, gpus: int) -> None:
    """Juniper/jvd at 005ab34, data_center/aidc/aiml_multitenancy_backend, table 5 of the design guide, 2026-11-30.

    Servers and GPUs a stripe at 1:1, one leaf a rail. Its first row is of the QFX5220-32CD; the QFX5130-32CD has as
    many ports.
    """
    made = made_of(leaf, "junos-24.4", "dgx-h100", f"0-{servers - 1}", "design: rail-optimized")
    (group,) = made.groups
    assert (group.slots_a_unit, group.slots_a_unit * 8, group.rails) == (servers, gpus, 8)


@pytest.mark.parametrize(
    ("speed", "servers", "ratio"),
    [(200, 4, "1:1"), (200, 8, "2:1"), (400, 4, "1:2"), (400, 8, "1:1"), (800, 8, "1:2")],
)
def test_juniper_two_stripes_under_four_spines(speed: int, servers: int, ratio: str) -> None:
    """juniper.net, jvd-ai-dc-qpp-bgp-dpf, IP fabric GPU backend fabric architecture, table 1, 2026-11-30.

    16 leaves, four spines, one link a pair: 4 x 200G, 400G or 800G up a leaf; the ratio is of 4 and of 8 servers in
    both stripes together. Its last row, 800G and four servers at 1:4, is the next test.
    """
    topology = (
        f"design: rail-optimized, servers_per_unit: {servers // 2}, uplink_gbps: {speed}, "
        f'oversubscription: "{ratio}", spines: {{now: 4}}'
    )
    made = made_of("juniper-qfx5240-64od", "junos-24.4", "dgx-h100", f"0-{servers - 1}", topology)
    found = count(made)
    assert (found.leaves, found.spines, made.links) == (16, 4, 1)
    (group,) = made.groups
    down, up = (sum(port.speed_gbps for port in ports) for ports in (group.leaf.down, group.leaf.up))
    assert up == 4 * speed
    assert 16 * up == {200: 12_800, 400: 25_600, 800: 51_200}[speed]
    assert 16 * down == {4: 12_800, 8: 25_600}[servers]


def test_four_times_the_capacity_above_is_taken_for_a_slip() -> None:
    """Juniper calls its row of 1:4 heavily overprovisioned; the intent ends at 1:2."""
    with pytest.raises(FabricError) as raised:
        shape_of(backend('design: rail-optimized, oversubscription: "1:4"', "0-3"))
    (problem,) = raised.value.problems
    assert "the smallest ratio that is accepted is 1:2" in problem.why


def test_cisco_512_h200() -> None:
    """Cisco, Nexus 9000 for AI clusters, white paper of 2025-06-04, second hand (research notes of 2026-09-22).

    24 Nexus 9364D-GX2A for 512 H200, non-blocking; leaves and spines are not told apart there.
    """
    made = made_of("cisco-n9364d-gx2a", "nxos-10.6", "hgx-h200", "0-63", "design: rail-optimized")
    found = count(made)
    assert found.leaves + found.spines == 24
    assert found == Count(16, 8, 0, 512, 512, 0)


def test_cisco_ai_pod() -> None:
    """Cisco AI POD for training, design guide of January 2026, second hand (the same notes): NVIDIA's 2-8-9-400.

    Six N9364E-SG2 in the backend. NVIDIA's unit of it is 32 servers, two rails a leaf: four leaves and two spines.
    """
    topology = "design: rail-optimized, rails_per_leaf: 2"
    made = made_of("cisco-n9364e-sg2-o", "nxos-10.6", "hgx-h200", "0-31", topology)
    found = count(made)
    assert (found.leaves + found.spines, found.leaves, found.host_links) == (6, 4, 256)


def test_dell_1024() -> None:
    """Dell's Fabric Design Center, second hand (tests of a planner that reproduce its output), 2026-11-30.

    128 servers of eight GPUs: 16 leaves Z9864F-ON for 1,024 ports of 400G. Dell's output has two spines, which hold
    256 of 1,024 uplinks, a ratio of 4:1; the planner has eight.
    """
    made = made_of("dell-z9864f-on", "sonic-202605", "mi300x-thor2", "0-127", "design: rail-optimized")
    assert count(made) == Count(16, 8, 0, 1024, 1024, 0)
    few = 'design: rail-optimized, oversubscription: "4:1", servers_per_unit: 64, spines: {now: 2}'
    assert count(made_of("dell-z9864f-on", "sonic-202605", "mi300x-thor2", "0-127", few)) == Count(
        16, 2, 0, 1024, 256, 0
    )


def test_asterfusion_256() -> None:
    """cloudswit.ch, middle-to-large scale AI compute backend fabric configuration guide, 2026-11-30.

    64 nodes of four GPUs, a NIC each, on boxes of 64 x 800G with SONiC: four leaves, two spines.
    """
    assert count(shape_of(rail("r128", "r128", "0-63", model="gpu4"))) == Count(4, 2, 0, 256, 256, 0)


def test_ip_infusion_rail_only() -> None:
    """ipinfusion.com/ai-fabric-topologies, 2026-11-30: 256 GPUs, eight leaves of 32 GPUs, no spine."""
    made = shape_of(backend("design: rail-only, servers_per_unit: 32", "0-31", leaf="r64", spine=""))
    assert count(made) == Count(8, 0, 0, 256, 0, 0)
    assert made.groups[0].slots_a_unit >= 32


def test_ip_infusion_1024() -> None:
    """The same page: 1,024 GPUs, 32 leaves and eight spines, Tomahawk 4 and 5."""
    assert count(shape_of(rail("r64", "r128", "0-127"))) == Count(32, 8, 0, 1024, 1024, 0)


@pytest.mark.parametrize(
    ("gpus", "leaves", "spines", "printed", "ours"), [(4096, 128, 64, 16, 32), (16_384, 512, 256, 64, 128)]
)
def test_ip_infusion_three_tiers(gpus: int, leaves: int, spines: int, printed: int, ours: int) -> None:
    """The same page, non-blocking to the end, as it says.

    Leaves and spines are as printed, with pods of four units. Its superspines hold half of the spines' uplinks: 16
    boxes of 128 ports are 2,048 ports for 4,096 links.
    """
    found = count(
        shape_of(
            backend(
                "design: rail-optimized, units_per_pod: 4", f"0-{gpus // 8 - 1}", leaf="r64", spine="r128", core="r128"
            )
        )
    )
    assert found == Count(leaves, spines, ours, gpus, gpus, gpus)
    assert printed * 128 == gpus // 2


def test_amd_mi3xx_reference_ends_where_two_tiers_do() -> None:
    """AMD, MI3XX reference design, MI300X to MI355X (instinct.docs.amd.com, overview, 2026-11-30): up to 8,192 GPUs.

    That is R**2 / 2 of 128 ports of 400G, one NIC of 400G a GPU: Pollara 400, Thor 2 or ConnectX-7.
    """
    made = shape_of(rail("r128", "r128", "0-1023"))
    assert count(made) == Count(128, 64, 0, 8192, 8192, 0)
    assert problem_of(rail("r128", "r128", "0-1087")).code == "too-many-leaves"


def test_mi355x_with_pollara_at_crusoe() -> None:
    """mlcommons/inference_results_v6.1, closed/Crusoe, 512xMI355X, 2026-11-30: 64 nodes, 8 x Pollara of 400G each.

    Its switches are not named. On 128 ports of 400G that is one unit, whose rails end on a leaf each.
    """
    found = count(shape_of(rail("r128", "r128", "0-63")))
    assert (found.leaves, found.spines, found.host_links) == (8, 4, 64 * 8)


def test_oci_mi355x_131072() -> None:
    """Oracle, MI355X on OCI (blogs.oracle.com, second hand, 2026-11-30): 131,072 GPUs at most, 64 GPUs a rack.

    A non-blocking Clos of three tiers; its switches are not named. Here of 128 ports of 400G: eight racks a unit, pods
    of eight units, as many as a spine holds leaves.
    """
    made = shape_of(
        backend("design: rail-optimized, units_per_pod: 8", "0-16383", leaf="r128", spine="r128", core="r128")
    )
    (group,) = made.groups
    assert (group.slots_a_unit * 8, made.tiers, made.pods) == (8 * 64, 3, 32)
    assert count(made) == Count(2048, 2048, 1024, 131_072, 131_072, 131_072)


def test_colossus() -> None:
    """Colossus of xAI: NVIDIA's announcement of 2024-10-28 and ServeTheHome's visit (both second hand), 2026-11-30.

    100,000 Hopper GPUs, SN5600, a NIC of 400G a GPU, three tiers; racks of eight servers, arrays of eight racks and 512
    GPUs, about 200 of them. An array is a unit of this switch at 1:1; the number of switches is not printed. Pods of
    eight arrays and the same counts above and below are ours.
    """
    switch = "{model: nvidia-sn5600, os: cumulus-5.16}"
    made = made_of(
        "nvidia-sn5600",
        "cumulus-5.16",
        "hgx-h200",
        "0-12799",
        "design: rail-optimized, units_per_pod: 8",
        f"superspine: {switch}, ",
    )
    (group,) = made.groups
    assert (group.slots_a_unit, group.slots_a_unit * 8, group.planned) == (8 * 8, 512, 200)
    assert (made.tiers, made.pods) == (3, 25)
    found = count(made)
    assert found.host_links == found.leaf_links == found.spine_links == 102_400
    assert (found.leaves, found.spines) == (1600, 1600)
    # 16 superspines to each of 64 groups, four links a spine: 100 of their 128 ports. 800 full ones could not be even.
    assert (found.cores, made.core_links) == (1024, 4)


def test_colossus_needs_its_third_tier() -> None:
    with pytest.raises(FabricError) as raised:
        real("hgx-h200", "0-12799", "design: rail-optimized")
    assert {problem.code for problem in raised.value.problems} == {"too-many-leaves"}


def test_azure_gb300() -> None:
    """azure.microsoft.com, first large-scale cluster with GB300 NVL72, 2025-10-09 (second hand), 2026-11-30.

    64 racks of 72 GPUs, 4,608 in all, 800G a GPU, a non-blocking fat tree. InfiniBand there; NVIDIA's table of boxes of
    144 x 800G prints 64 leaves and 36 spines for as many GPUs (B300 XDR, eight units).
    """
    made = shape_of(
        backend("design: rail-optimized, planes: 1", "0-1151", leaf="r144", spine="r144", model="gpu4-slices")
    )
    (group,) = made.groups
    assert (1152, group.slots_a_unit) == (64 * 18, 72)
    assert count(made) == Count(64, 36, 0, 4608, 4608, 0)


def test_gb300_nvl72_in_two_planes() -> None:
    """docs.nvidia.com, enterprise reference architecture NVL72, networking physical topologies, 2026-11-21.

    18 trays of four GPUs a rack, a ConnectX-8 of 800G a GPU, rail-optimized and multi-plane: two of 400G here. Eight
    racks, with a leaf a rail in each: half of all ports is in either plane, and nothing joins the two.
    """
    made = real("gb300-nvl72", "0-143", "design: rail-optimized, servers_per_unit: 18")
    (group,) = made.groups
    assert (made.planes, group.rails, group.slots_a_unit * 4, group.planned * 72) == (2, 4, 72, 576)
    assert {port.speed_gbps for port in (*group.leaf.down, *group.leaf.up)} == {400}
    assert count(made)[:5] == (64, 2 * made.spines, 0, 2 * 576, 2 * 576)


def test_losslessnetwork_pods() -> None:
    """losslessnetwork.com, sizing and bill of materials, 2026-11-30.

    256 GPUs: 8 leaves and 4 spines, here on boxes of 64 ports of 400G; 1,024 GPUs: 16 and 8, here of 128.
    """
    assert count(shape_of(rail("r64", "r64", "0-31")))[:2] == (8, 4)
    assert count(shape_of(rail("r128", "r128", "0-127")))[:2] == (16, 8)
