"""The page of three tiers, of planes, and of an upper tier with a ratio of its own; every number worked out by hand."""

from typing import Any

import pytest

from fabricgen.plan.plan import Plan
from fabricgen.summary.page import FabricPage, Page
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text
from tests.plan_page.sites import BIG, backend, planned, train


def tiers(slots: str, **topology: object) -> Plan:
    """128 ports of 400G everywhere: 64 servers per unit of 8 leaves, 8 units a pod, 64 spines of 64 down and 64 up."""
    keys: dict[str, Any] = {"design": "rail-optimized", "units_per_pod": 8, **topology}
    fabrics = {"backend": backend(topology=keys, superspine=BIG, transport="best-effort")}
    return planned(servers=train(slots, 1024), fabrics=fabrics)


def page_of(plan: Plan) -> tuple[Page, FabricPage]:
    page = summarize(plan)
    return page, page.fabrics[0]


def lines(page: Page) -> dict[str, str]:
    """First line of each label."""
    found: dict[str, str] = {}
    for line in page_text(page):
        label = line[2:16].strip()
        if label:
            found.setdefault(label, line[16:])
    return found


def test_two_pods_one_to_one() -> None:
    page, found = page_of(tiers("0-127", units_per_pod=1))
    counts = found.counts
    # Two of 16 planned units, a pod each: 8 leaves and 8 spines; 16 pods x 64 / C links within 128 ports: C = 8.
    assert (counts.tiers, counts.pods, counts.pods_planned, counts.planes) == (3, 2, 16, 1)
    assert (sum(g.leaves for g in counts.groups), counts.spines, counts.superspines) == (16, 16, 64)
    assert (counts.spine_down, counts.spine_up, counts.spine_ratio) == ("64 x 400G", "64 x 400G", 1.0)
    assert (counts.end_to_end, counts.asked) == (1.0, "1:1 x 1:1")
    # Half of 1,024 NICs of 400G.
    assert counts.bisection_tbps == pytest.approx(1024 * 0.4 / 2)
    pieces = {item.role: item.pieces for item in page.materials.switches}
    assert pieces == {"leaf": 16, "spine": 16, "superspine": 64}
    assert {item.kind: item.links for item in page.materials.cables} == dict.fromkeys(
        ("server-leaf", "leaf-spine", "spine-superspine"), 1024
    )
    told = lines(page)
    assert told["pods"] == "2 of 16 planned pods, 8 spines each; 8 core groups of 8 superspines per plane"
    assert told["tiers"] == "leaf 1.00:1; spine 1.00:1 (downlinks 64 x 400G, uplinks 64 x 400G)"


def test_ratios_of_the_tiers_multiply() -> None:
    """2:1 at the leaf; 96 links of the pod's leaves at 7:1 ask for 14 ports up: 12 or so to one from end to end."""
    page, found = page_of(tiers("0-63", oversubscription="2:1", spine_oversubscription="7:1", units_per_pod=4))
    counts = found.counts
    (group,) = counts.groups
    assert group.ratio is not None
    # One of four units, in one pod: nothing passes the superspines yet.
    assert counts.spine_down == "24 x 400G"
    assert counts.spine_ratio == pytest.approx(24 / 14)
    assert counts.end_to_end == pytest.approx(group.ratio)
    assert counts.spine_ratio_full == pytest.approx(96 / 14)
    assert counts.end_to_end_full == pytest.approx(group.ratio * 96 / 14)
    assert group.ratio <= 2
    assert counts.asked == "2:1 x 7:1"
    told = " ".join(" ".join(page_text(page)).split())
    assert "end to end 2.00:1 now, 13.71:1 when all planned pods are full (target: 2:1 x 7:1)" in told
    assert "spine 1.71:1 (downlinks 24 x 400G, uplinks 14 x 400G), 6.86:1 in a full pod" in told


def test_a_full_pod_has_the_spines_that_its_leaves_need() -> None:
    """8 leaves with 8 links to each of 8 spines fill 64 ports; 16 leaves need the 16 planned spines, with 4 links."""
    page, found = page_of(tiers("0-63", units_per_pod=2, spines={"now": 8, "planned": 16}))
    counts = found.counts
    assert (counts.spine_down, counts.spine_up) == ("64 x 400G", "64 x 400G")
    # Today 8 x 8 links to 64 uplinks; full 16 x 4 links to 64 uplinks.
    assert (counts.spine_ratio, counts.spine_ratio_full) == (1.0, 1.0)
    assert (counts.end_to_end, counts.end_to_end_full) == (1.0, 1.0)
    assert (counts.spine_uplinks_least, counts.spine_uplinks_why) == (64, "")
    assert lines(page)["tiers"] == "leaf 1.00:1; spine 1.00:1 (downlinks 64 x 400G, uplinks 64 x 400G)"


def test_more_uplinks_than_servers_ports() -> None:
    """8:9 at the leaf under 1:1: the leaf's own ratio from end to end."""
    _, found = page_of(tiers("0-63", oversubscription="8:9", spine_oversubscription="1:1", units_per_pod=4))
    assert found.counts.end_to_end == pytest.approx(found.counts.groups[0].ratio)


def test_two_planes() -> None:
    """64 servers of DGX B300: 8 leaves and as many spines as are legal in each of two planes."""
    fabrics = {
        "backend": backend(topology={"design": "rail-optimized"}, transport="best-effort"),
    }
    page, found = page_of(planned(servers=train("0-63", 64, "dgx-b300"), fabrics=fabrics))
    counts = found.counts
    assert (counts.planes, counts.groups[0].leaves, counts.spines_a_pod, counts.spines) == (2, 16, 4, 8)
    assert counts.groups[0].nics == "8 x 2x400G"
    assert counts.bisection_tbps == pytest.approx(512 * 0.8 / 2)
    assert lines(page)["planes"] == "2 planes, not connected to each other"
    # A module of two links in each NIC; every second link opens a cage of the switches.
    pieces = {(item.at, item.pieces) for item in page.materials.parts}
    assert ("server", 512) in pieces
    assert sum(count for at, count in pieces if at == "switch") == (1024 + 2 * 1024) // 2


def planes_of_rails(model: str, **keys: object) -> tuple[Page, FabricPage]:
    """256 servers of eight rails: in each plane of whole 400G NICs four leaves of 64 servers, under two spines."""
    topology = {"design": "rail-optimized", "spines": {"now": 2, "planned": 2}, **keys}
    fabrics = {"backend": backend(topology=topology, transport="best-effort")}
    return page_of(planned(servers=train("0-255", 256, model), fabrics=fabrics))


def test_planes_of_rails() -> None:
    page, found = planes_of_rails("dgx-h100", rails_per_plane=1)
    counts = found.counts
    assert (counts.planes, counts.rails_per_plane, counts.planes_per_nic) == (8, 1, 1)
    assert (counts.groups[0].leaves, counts.spines_a_pod, counts.spines) == (32, 2, 16)
    assert lines(page)["planes"] == "8 planes, not connected to each other; 1 rail per plane"
    # A switch has the routes of its plane: four leaves and two spines, with an aggregate per leaf.
    (ipv4, *_) = found.routes
    assert (ipv4.aggregates, ipv4.loopbacks, ipv4.planned) == (4, 6, 10)
    assert counts.bisection_tbps == pytest.approx(2048 * 0.4 / 2)
    assert found.growth.moved == 0


def test_planes_of_rails_and_of_slices() -> None:
    """Each NIC optic has two connectors, one for each of its slices, whatever the number of planes."""
    page, found = planes_of_rails("dgx-b300", rails_per_plane=2, spines={"now": 4})
    counts = found.counts
    assert (counts.planes, counts.rails_per_plane, counts.planes_per_nic) == (8, 2, 2)
    assert lines(page)["planes"] == "8 planes, not connected to each other; 2 rails per plane, 2 planes per NIC"
    assert "shuffle box" not in " ".join(page_text(page))


def test_four_planes_and_one_optic_a_nic() -> None:
    """One cage of a NIC has parts for four switches, and a twin-port optic two connectors: told as unsure."""
    topology = {"design": "rail-optimized", "planes": 4}
    fabrics = {"backend": backend(topology=topology, transport="best-effort")}
    page, _ = page_of(planned(servers=train("0-15", 16, "dgx-b300"), fabrics=fabrics))
    text = " ".join(" ".join(page_text(page)).split())
    assert "4 planes, not connected to each other; each NIC optic connects to 4 switches, by half-MPO cables" in text
    assert "or a shuffle box (unsure)" in text


def test_growth_of_pods_is_told() -> None:
    page, found = page_of(tiers("0-511", superspines={"now": 1, "planned": 2}))
    core = found.growth.core
    assert core is not None
    # 64 links of the one pod on one superspine of 128 ports: two pods, then half of the links move.
    assert (core.pods, core.recable_pods, core.next_cores, core.moved, core.kept) == (1, 2, 2, 2048, 2048)
    text = " ".join(" ".join(page_text(page)).split())
    assert "no recabling up to 2 pods at 64 links per spine-superspine pair; 1 now, 2 planned" in text
    assert "1 -> 2 superspines per core group: recable the superspine end of 2,048 spine uplinks, 2,048 stay" in text
    assert any("pods at 64 links per spine-superspine pair" in bind.what for bind in page.binds)
    assert all(len(line) <= 100 for line in page_text(page))


def test_a_leaf_without_spines_has_its_own_routes_alone() -> None:
    """Each leaf of a rail-only fabric without spines is a fabric of its own: its aggregate and its loopback."""
    fabrics = {
        "backend": backend(topology={"design": "rail-only"}, spine=None, superspine=None, transport="best-effort")
    }
    _, found = page_of(planned(servers=train("0-63", 64), fabrics=fabrics))
    assert sum(group.leaves for group in found.counts.groups) == 8
    (scale, *_) = found.routes
    assert (scale.aggregates, scale.loopbacks, scale.planned) == (1, 1, 2)


def test_a_plane_has_the_rails_of_the_group_with_most() -> None:
    """Without planes per rail all rails share the planes: two of one group, eight of the other."""
    servers = {"few": {"model": "pcie-2-4-3-200", "slots": "0-3", "planned": 4}, **train("0-3", 4)}
    fabric = backend(
        connects={"few": "compute", "train": "compute"},
        topology={"design": "tor", "spines": {"now": 4, "planned": 4}},
        transport="best-effort",
    )
    _, found = page_of(planned(servers=servers, fabrics={"backend": fabric}))
    assert (found.counts.planes, found.counts.rails_per_plane) == (1, 8)
