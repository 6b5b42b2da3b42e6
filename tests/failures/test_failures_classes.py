"""Sizes of classes, and loads of links by the formulas of equal-cost sharing."""

from fractions import Fraction
from pathlib import Path

import pytest

from fabricgen.failures.classes import Classes
from fabricgen.failures.measures import Measures
from fabricgen.failures.network import make_network
from fabricgen.failures.parts import Lost, Wire
from fabricgen.intent.model import Intent
from fabricgen.plan.place import Place, Tier
from fabricgen.site.workspace import open_workspace
from tests.checks.intents import edited
from tests.checks.intents import plan as demo_plan
from tests.failures.sites import RAILS, TWO_TIERS, Site, backend, plan_of

LARGEST = Path(__file__).parents[2] / "inventories/three-tier-16k/intent.yaml"


def measured(site: Site) -> Measures:
    plan = plan_of(site)
    return Measures(make_network(plan, plan.fabrics[site.fabric]))


FIRST_LEAF = Place("backend", Tier.LEAF, "train", 0, 0, 0, 0, 0)
FIRST_SPINE = Place("backend", Tier.SPINE, "", 0, 0, 0, 0, 0)
ONE_LINK = Lost(wires=frozenset({Wire(FIRST_LEAF, 0)}))


@pytest.mark.parametrize("spines", [2, 4])
@pytest.mark.parametrize("policy", ["keep", "weighted", "withdraw"])
def test_one_of_parallel_links_loads_the_others_by_the_policy(policy: str, spines: int) -> None:
    """S spines, m links of a pair: keep m/(m-1), weighted S m/(S m - 1), withdraw S/(S-1)."""
    topology = {**RAILS, "servers_per_unit": 4, "spines": {"now": spines}}
    links = 8 // spines
    found = measured(Site("", backend("0-15", topology, link_loss=policy))).of(ONE_LINK)
    wanted = {
        "keep": Fraction(links, links - 1),
        "weighted": Fraction(spines * links, spines * links - 1),
        "withdraw": Fraction(spines, spines - 1),
    }
    assert found.hottest == pytest.approx(float(wanted[policy]), abs=1e-6)
    assert found.leaf == Fraction(spines * links - 1, spines * links)


def test_a_spine_takes_its_share_of_capacity() -> None:
    found = measured(Site("", backend("0-3", TWO_TIERS))).of(Lost(switches=frozenset({FIRST_SPINE})))
    assert (found.leaf, found.unit, found.fabric, found.hottest, found.gpus) == (
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(1, 2),
        2.0,
        0,
    )


def largest() -> Classes:
    plan = open_workspace(LARGEST).plan
    return Classes(make_network(plan, plan.fabrics["backend"]))


def test_sizes_of_classes_are_the_numbers_of_parts() -> None:
    """Counts of the site's README: 2,048 servers of 8 NICs, 256 leaves and spines, 128 superspines, 64 links each."""
    sizes: dict[str, int] = {}
    for failure in largest().singles():
        sizes[failure.kinds[0]] = sizes.get(failure.kinds[0], 0) + failure.size
    links = 2048 * 8
    assert sizes == {
        "server-leaf link": links,
        "leaf-spine link": links,
        "spine-superspine link": links,
        "server cage": links,
        "NIC": links,
        "leaf cage to servers": links // 2,
        "leaf cage to spines": links // 2,
        "spine cage to leaves": links // 2,
        "spine cage to superspines": links // 2,
        "superspine cage to spines": links // 2,
        "server": 2048,
        "leaf": 256,
        "spine": 256,
        "superspine": 128,
        "unit": 64,
        "pod": 4,
    }


def test_sizes_of_pairs_sum_to_all_pairs() -> None:
    classes = largest()
    parts = sum(part.size for part in classes.parts())
    assert sum(failure.size for failure in classes.pairs()) == parts * (parts - 1) // 2


@pytest.mark.parametrize("fabric", ["backend", "frontend"])
def test_sizes_of_pairs_of_the_demo(fabric: str) -> None:
    plan = demo_plan()
    classes = Classes(make_network(plan, plan.fabrics[fabric]))
    parts = sum(part.size for part in classes.parts())
    assert sum(failure.size for failure in classes.pairs()) == parts * (parts - 1) // 2


def test_a_leaf_of_a_frontend_cuts_no_server_off() -> None:
    """Servers have a port at both leaves of a pair; what vanishes is a next hop of the overlay."""
    plan = demo_plan()
    leaf = Place("frontend", Tier.LEAF, "train", 0, 0, 0, 0, 0)
    found = Measures(make_network(plan, plan.fabrics["frontend"])).of(Lost(switches=frozenset({leaf})))
    assert (found.gpus, found.servers, found.vteps, found.unit) == (0, 0, 1, Fraction(1, 2))
    assert found.narrowed == 8 * 24


def test_an_exception_splits_classes_and_keeps_their_sum() -> None:
    dead = {"overrides": {"be-leaf-001": {"state": "dead"}}}
    assert isinstance(edited(dead), Intent)
    whole, one_less = demo_plan(), plan_of(Site("", backend("0-3", RAILS)))
    assert len(Classes(make_network(whole, whole.fabrics["backend"])).parts()) == 14
    assert sum(part.size for part in Classes(make_network(one_less, one_less.fabrics["backend"])).parts()) == 100
