"""Three tiers and several planes by arithmetic alone: published sizes, both ends of sampled cables, no number twice.

128-port switches, 64 hosts and 64 uplinks a leaf, 64 leaves and 64 spines a pod, core group k joins spine k of every
pod. The counts are those of a non-blocking folded Clos: see `arithmetic`.
"""

import random
import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import pytest

from fabricgen.intent.scalars import Span
from fabricgen.plan.fabric import (
    FabricPlan,
    asn_of,
    group_of,
    name_of,
    oob,
    own_blocks,
    place_of,
    places,
    port_text,
    router_id,
    segment_of,
)
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import downlinks, host_ports, leaf_of, uplinks
from fabricgen.topologies.shape import Shape
from tests.plan.shapes import chassis, fabric_of, group, planned, rails, shape

LEAF = SPINE = chassis(128, 64, 64)
CORE = chassis(128, 128, 0)


class Size(NamedTuple):
    """One row of the table. `prefix` is the smallest that holds its addresses."""

    gpus: int
    planes: int
    pods: int
    cores_a_group: int
    leaves: int
    spines: int
    cores: int
    fabric_links: int
    prefix: str


SIZES = (
    Size(16_384, 1, 4, 2, 256, 256, 128, 32_768, "10.0.0.0/15"),
    Size(102_400, 1, 25, 16, 1_600, 1_600, 1_024, 204_800, "10.0.0.0/12"),
    Size(524_288, 1, 128, 64, 8_192, 8_192, 4_096, 1_048_576, "10.0.0.0/10"),
    Size(1_048_576, 8, 32, 16, 16_384, 16_384, 8_192, 2_097_152, "10.0.0.0/9"),
)


def clos(size: Size) -> Shape:
    """Rails share the spines of one plane, or each rail is a plane of its own."""
    columns = rails(8) if size.planes == 1 else rails(1)
    return shape(
        (group("train", LEAF, columns, 64 // len(columns), pods=size.pods, planes=size.planes),),
        spine=SPINE,
        spines=64,
        links=1,
        planes=size.planes,
        pods=size.pods,
        core=CORE,
        cores=size.cores_a_group,
        core_links=64 // size.cores_a_group,
    )


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size.gpus}")
def built(request: pytest.FixtureRequest) -> tuple[Size, FabricPlan]:
    size: Size = request.param
    return size, fabric_of(clos(size), ipv4=size.prefix)


def tier_counts(plan: FabricPlan) -> dict[Tier, int]:
    """Switches a tier, from the boxes of the lock."""
    counts = dict.fromkeys(Tier, 0)
    for (tier, _), segments in plan.segments.items():
        counts[tier] += sum(segment.box.size() for segment in segments)
    return counts


def sample(plan: FabricPlan, tier: Tier, count: int) -> list[Place]:
    """First, last and seeded random places of a tier."""
    (segment,) = next(found for (at, _), found in plan.segments.items() if at is tier)
    last = segment.box.size() - 1
    numbers = {0, last, *random.Random(1).choices(range(last + 1), k=count)}  # noqa: S311 - a sample, no secret
    group_name = "train" if tier is Tier.LEAF else ""
    return [Place(plan.name, tier, group_name, *segment.box.point(number)) for number in sorted(numbers)]


def test_switches_and_links_are_those_of_the_table(built: tuple[Size, FabricPlan]) -> None:
    size, plan = built
    counts = tier_counts(plan)
    assert (counts[Tier.LEAF], counts[Tier.SPINE], counts[Tier.SUPERSPINE]) == (size.leaves, size.spines, size.cores)
    each = group_of(plan, "train")
    assert size.gpus == counts[Tier.LEAF] * len(LEAF.down)
    assert size.gpus == each.planned * each.slots_a_unit * len(each.columns) * size.planes
    assert size.fabric_links == (counts[Tier.LEAF] + counts[Tier.SPINE]) * 64
    assert plan.shape.tiers == 3
    # The fewest for 1:1 are (2t - 1) E / R; 25 pods need superspines for 32, as links divide by powers of two only.
    assert sum(counts.values()) - (2 * 3 - 1) * size.gpus // 128 == (224 if size.pods == 25 else 0)


def test_addresses_fit_their_prefix_and_meet_nowhere(built: tuple[Size, FabricPlan]) -> None:
    """Blocks in the lower three quarters, loopbacks in the last: the sizes come out without one address to spare."""
    size, plan = built
    pool = plan.fabric.addressing.ipv4
    assert pool is not None
    start, boundary = int(pool.network_address), int(pool.network_address) + pool.num_addresses // 4 * 3
    runs = []
    for segments in plan.segments.values():
        for segment in segments:
            runs.append((segment.identifiers.start, segment.identifiers.block(segment.box.size())))
            assert runs[-1][0] >= boundary
            if segment.ipv4 is not None:
                runs.append((segment.ipv4.start, segment.ipv4.block(segment.box.size())))
                assert runs[-1][1] <= boundary
    runs.sort()
    assert runs[0][0] == start
    assert all(one[1] <= two[0] for one, two in pairwise(runs))
    assert runs[-1][1] <= start + pool.num_addresses
    if size.gpus in (524_288, 1_048_576):
        assert max(end for _, end in runs if end <= boundary) == boundary


def test_sampled_cables_agree_at_both_ends(built: tuple[Size, FabricPlan]) -> None:
    size, plan = built
    for tier in (Tier.LEAF, Tier.SPINE):
        for lower in sample(plan, tier, 20):
            links = list(uplinks(plan, lower))
            assert len(links) == 64
            assert len({link.upper_port.number for link in links if link.upper == links[0].upper}) == 64 // len(
                {link.upper for link in links}
            )
            for link in links[:: 64 // 8]:
                assert link.upper.plane == lower.plane, "planes are never cross-cabled"
                assert link in set(downlinks(plan, link.upper))
                if tier is Tier.SPINE:
                    expected = (link.number // size.cores_a_group) * (128 * size.cores_a_group // 64) + lower.pod
                    assert link.upper_port.number == expected
                    assert (link.upper.su, link.upper.index) == (lower.index, link.number % size.cores_a_group)
    for upper in sample(plan, Tier.SUPERSPINE, 5):
        links = list(downlinks(plan, upper))
        assert len(links) == size.pods * (64 // size.cores_a_group)
        assert len({link.upper_port for link in links}) == len(links)
        assert {link.lower.index for link in links} == {upper.su}


def test_sampled_servers_land_where_the_leaf_says(built: tuple[Size, FabricPlan]) -> None:
    size, plan = built
    each = group_of(plan, "train")
    last = each.slots[-1].last
    for slot in (0, 1, 63, 64, last // 2, last):
        for nic in range(len(each.columns)):
            for plane in range(size.planes):
                leaf, number = leaf_of(plan, each, slot, nic, plane)
                host = list(host_ports(plan, leaf))[number]
                assert (host.slot, host.nic, leaf.plane) == (slot, nic, plane)


VALUES: tuple[tuple[str, Callable[[FabricPlan, Place], object]], ...] = (
    ("name", name_of),
    ("router id", router_id),
    ("management", oob),
)


def test_numbers_are_given_once(built: tuple[Size, FabricPlan]) -> None:
    """All of the two smaller sizes by brute force, places of every tier of the larger ones by sample."""
    size, plan = built
    chosen = (
        list(places(plan))
        if size.gpus <= 102_400
        else [place for tier in (Tier.LEAF, Tier.SPINE, Tier.SUPERSPINE) for place in sample(plan, tier, 700)]
    )
    for _, value in VALUES:
        assert len({value(plan, place) for place in chosen}) == len(chosen)
    owners: dict[int, object] = {}
    for place in chosen:
        owner = {
            Tier.LEAF: place,
            Tier.SPINE: (Tier.SPINE, place.plane, place.pod),
            Tier.SUPERSPINE: (Tier.SUPERSPINE, place.plane),
        }[place.tier]
        assert owners.setdefault(asn_of(plan, place), owner) == owner
    for place in chosen[:: len(chosen) // 200]:
        assert place_of(plan, name_of(plan, place)) == place
        four, six = own_blocks(plan, place)
        assert (four is None) == (six is None) == (place.tier is Tier.SUPERSPINE)


def test_one_switch_does_not_cost_more_in_a_larger_fabric() -> None:
    """All values and cables of one leaf and one spine: within a few milliseconds at a million GPUs."""
    costs = []
    for size in (SIZES[0], SIZES[-1]):
        plan = fabric_of(clos(size), ipv4=size.prefix)
        start = time.process_time()
        for place in (*sample(plan, Tier.LEAF, 3), *sample(plan, Tier.SPINE, 3)):
            for link in (*uplinks(plan, place), *(downlinks(plan, place) if place.tier is Tier.SPINE else ())):
                assert port_text(plan, link.upper, link.upper_port)
            assert name_of(plan, place)
            assert asn_of(plan, place)
        costs.append(time.process_time() - start)
    assert costs[1] < 5 * costs[0] + 0.05


def test_a_pod_more_changes_only_what_it_brings() -> None:
    """25 pods planned, 24 stand: the 25th adds to the superspines and to nothing else."""
    full = clos(SIZES[1])
    before = planned(full)
    fewer = full.groups[0]
    stands_24 = shape(
        (group("train", LEAF, rails(8), 8, pods=25, slots=24 * 512),),
        spine=SPINE, spines=64, links=1, pods=25, core=CORE, cores=16, core_links=4,
    )  # fmt: skip
    after = planned(stands_24)
    assert fewer.planned == stands_24.groups[0].planned
    assert before.lock == after.lock
    one, two = before.fabrics["backend"], after.fabrics["backend"]
    lost = set(places(one)) - set(places(two))
    assert {place.pod for place in lost} == {24}
    assert len(lost) == 128
    spine = Place("backend", Tier.SPINE, "", 0, 3, 0, 0, 7)
    assert list(uplinks(one, spine)) == list(uplinks(two, spine))
    core = Place("backend", Tier.SUPERSPINE, "", 0, 0, 7, 0, 3)
    assert set(downlinks(one, core)) - set(downlinks(two, core)) == {
        link for link in downlinks(one, core) if link.lower.pod == 24
    }


def test_the_largest_three_tiers_of_one_radix() -> None:
    plan = fabric_of(clos(SIZES[2]), ipv4=SIZES[2].prefix)
    assert segment_of(plan, next(places(plan))).box.pod == Span(0, 127)
    core = Place("backend", Tier.SUPERSPINE, "", 0, 0, 63, 0, 63)
    assert [link.upper_port.number for link in downlinks(plan, core)] == list(range(128)), "every core port is used"
