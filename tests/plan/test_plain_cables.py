"""Cables found by position against cables found by asking each link for what shares its cages, one by one."""

from pathlib import Path

import pytest

from fabricgen.plan.cabling import cables_by_cage
from fabricgen.plan.fabric import FabricPlan, places
from fabricgen.plan.links import external_links
from fabricgen.plan.plain_cables import PlainCables, is_plain
from fabricgen.plan.plan import Plan
from fabricgen.site.workspace import open_workspace
from tests.topologies.test_published_clusters import real_plan

SITES = Path(__file__).parents[2] / "inventories"
SMALL = ("demo", "frr", "inference-only", "lab", "shared-backend-512", "superpod-b300", "time-sliced")
MOST = 40
"""Switches of each tier that are compared: cages of neighbors in the list share ports above."""


def _both(plan: Plan, fabric: FabricPlan) -> int:
    """Compare the cables of a fabric's first and last switches; how many there were."""
    plain, asked = PlainCables(fabric, plan.catalog.media), cables_by_cage(plan, fabric)
    every = list(places(fabric))
    count = 0
    for place in every if len(every) <= 2 * MOST else (*every[:MOST], *every[-MOST:]):
        found = list(plain.of(place, external_links(plan, fabric, place)))
        assert found == list(asked(place)), place
        count += len(found)
    return count


@pytest.mark.parametrize("site", SMALL)
def test_as_each_link_says_itself(site: str) -> None:
    plan = open_workspace(SITES / site / "intent.yaml").plan
    found = [_both(plan, fabric) for fabric in plan.fabrics.values() if is_plain(fabric)]
    assert sum(found) > 0


@pytest.mark.parametrize("keys", ["rails_per_plane: 1", "rails_per_plane: 2, rails_per_leaf: 2", "rails_per_plane: 4"])
@pytest.mark.parametrize("model", ["dgx-h200", "dgx-b300"])
def test_cages_of_nics_in_planes_of_rails(model: str, keys: str) -> None:
    """Two NICs of a server share a cage, or two slices of one; their leaves are in planes of their own."""
    plan = real_plan(model, "0-9", f"design: rail-optimized, servers_per_unit: 4, {keys}")
    assert _both(plan, plan.fabrics["backend"]) > 0


SHAPES = {
    "several links per pair": ("spines: {now: 8, planned: 8}", ""),
    "one link a pair": ("spines: {now: 64, planned: 64}", "0-79"),
    "half of the units": ("spines: {now: 8, planned: 8}", "0-47"),
    "a gap of units": ("spines: {now: 8, planned: 8}", "0-31,64-95"),
}


@pytest.mark.parametrize(("spines", "slots"), SHAPES.values(), ids=SHAPES)
def test_where_cages_are_half_full(spines: str, slots: str, tmp_path: Path) -> None:
    """Cages of two ports each: one of them may have a leaf and the other none. Copper depends on what shares them."""
    intent = tmp_path / "intent.yaml"
    slots = f'"{slots}"' if slots else "0-127"
    intent.write_text(
        f"""fabricgen: 1
site: cages
cables: {{default: {{server_leaf: 2, leaf_spine: 2}}}}
management: {{vrf: MGMT, oob: 10.0.0.0/20, gateway: 10.0.0.1}}
servers: {{train: {{model: dgx-h100, slots: {slots}, planned: 128}}}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {{train: compute}}
    topology: {{design: rail-optimized, rails_per_leaf: 1, {spines}}}
    leaf: {{model: arista-7060x6-64pe, os: eos-4.34}}
    spine: {{model: arista-7060x6-64pe, os: eos-4.34}}
    addressing: {{links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/14}}
    asns: 4201000000-4201999999
    roce: {{marking: nvidia, ecn: formula}}
    load_balancing: dlb-flowlet
"""
    )
    plan = open_workspace(intent).plan
    assert _both(plan, plan.fabrics["backend"]) > 0


def test_pods_of_three_tiers() -> None:
    plan = open_workspace(SITES / "three-tier-16k/intent.yaml").plan
    assert _both(plan, plan.fabrics["backend"]) > 0


ABSENT = """
overrides:
  be-leaf-000: {state: absent}
"""


@pytest.mark.parametrize(("words", "plain"), [(ABSENT, False), (ABSENT.replace("absent", "drained"), True)])
def test_what_is_absent_is_in_no_cage(words: str, plain: bool, tmp_path: Path) -> None:
    text = (SITES / "shared-backend-512/intent.yaml").read_text()
    path = tmp_path / "intent.yaml"
    path.write_text(text + words)
    plan = open_workspace(path).plan
    fabric = plan.fabrics["backend"]
    assert is_plain(fabric) is plain
    if plain:
        assert _both(plan, fabric) > 0
