"""Cases at the edges of single rules that the main tables do not reach."""

import pytest

from fabricgen.checks.cabling.rails import rails
from fabricgen.checks.capacity.balancing import dynamic_groups
from fabricgen.checks.numbers.pools import addresses_unique
from fabricgen.checks.numbers.tenants import subnets_apart
from fabricgen.plan.place import Tier
from fabricgen.topologies.shape import Column
from tests.checks.intents import plan, with_group


@pytest.mark.parametrize("wrong", [Column(4, 0, 0), Column(0, 1, 0), Column(0, 0, 2)])
def test_a_landing_that_is_not_there(wrong: Column) -> None:
    """One column past the rails, the leaves of a rail, or the rows of a leaf."""
    columns = plan().fabrics["backend"].shape.groups[0].columns
    found = [problem.code for problem in rails(with_group(plan(), columns=(wrong, *columns[1:])))]
    assert found[0] == "rail-columns"


def test_a_nic_in_the_plane_of_another_rail() -> None:
    """Each rail has its own plane; rails 0 and 1 are exchanged."""
    made = plan({"fabrics.backend.topology.rails_per_leaf": 1, "fabrics.backend.topology.rails_per_plane": 1})
    first, second, *others = made.fabrics["backend"].shape.groups[0].columns
    assert list(rails(made)) == []
    (problem,) = rails(with_group(made, columns=(second, first, *others)))
    assert problem.code == "rail-leaf"
    assert problem.why == (
        "OSFP4P2 is on rail 0, which is leaf 0 of its unit of plane 0, and connects to leaf 0 of plane 1"
    )


def test_a_wide_subnet_covers_more_than_its_neighbor() -> None:
    """172.16.0.0/14 holds a small subnet and, past it, another: both overlap the wide one."""
    made = plan(
        {
            "tenants.storage.networks.data.subnets": ["172.16.0.0/14"],
            "tenants.research.networks.hosts.subnets": ["172.17.1.0/24"],
            "tenants.research.networks.hosts.dhcp_relay": [],
            "tenants.serving.networks.hosts.subnets": ["172.18.0.0/20"],
        }
    )
    found = [problem.what.partition(" overlaps ")[0] for problem in subnets_apart(made)]
    assert sorted(found) == ["172.17.1.0/24 (network research/hosts)", "172.18.0.0/20 (network serving/hosts)"]


def test_ipv6_runs_clash_too() -> None:
    made = plan()
    start = next(s.loopback6 for s in made.lock.segments if s.tier is Tier.LEAF and s.fabric == "backend")
    segments = tuple(
        s._replace(loopback6=start) if s.fabric == "backend" and s.tier is Tier.SPINE else s for s in made.lock.segments
    )
    found = list(addresses_unique(made._replace(lock=made.lock._replace(segments=segments))))
    assert [problem.where[-1] for problem in found] == ["ipv6"]


@pytest.mark.parametrize(
    ("mode", "planned", "expected"), [("dlb-flowlet", 33, 1), ("dlb-flowlet", 32, 0), ("ecmp", 33, 0)]
)
def test_dynamic_groups_at_the_limit(mode: str, planned: int, expected: int) -> None:
    """Four leaves a unit: 32 units are the 128 groups of a chip."""
    made = with_group(plan({"fabrics.backend.load_balancing": mode}), planned=planned)
    assert len(list(dynamic_groups(made))) == expected
