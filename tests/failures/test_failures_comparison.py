"""A change is worse where any figure is, not only the least share of capacity."""

from fractions import Fraction

from fabricgen.failures.comparison import compared
from fabricgen.failures.report import FabricFailures, FabricQuestion, failures_of
from fabricgen.plan.exceptions import Exceptions
from tests.failures.sites import TWO_TIERS, Site, backend, broken, plan_of


def failures(*ends: tuple[str, str], **devices: str) -> FabricFailures:
    """Failures of four leaves and two spines, two links to each, without some links and switches."""
    exceptions = Exceptions(
        broken=broken(*ends), devices={name.replace("_", "-"): state for name, state in devices.items()}
    )
    plan = plan_of(Site("", backend("0-3", TWO_TIERS), exceptions=exceptions))
    return failures_of(plan, plan.fabrics["backend"], FabricQuestion(pairs=False, fail=None, groups=()))


def test_a_second_leaf_that_misses_a_link_is_worse_for_the_fabric() -> None:
    """15 and 14 of 16 links are left; the worst leaf keeps three of four before and after."""
    first = (("be-leaf-000", "Ethernet63/1"), ("be-spine-00", "Ethernet1/1"))
    second = (("be-leaf-001", "Ethernet63/1"), ("be-spine-00", "Ethernet1/5"))
    before, after = failures(*first), failures(*first, *second)
    (row,) = (row for row in compared([before], [after]).worse if row.kinds == ("no failure",))
    assert row.before is not None
    assert (row.before.leaf, row.before.fabric) == (Fraction(3, 4), Fraction(15, 16))
    assert (row.after.leaf, row.after.fabric) == (Fraction(3, 4), Fraction(14, 16))


def test_a_spine_that_returns_is_no_loss() -> None:
    """The last spine lost leaves no traffic to load a link; one of two lost doubles the load of the other."""
    one, two = failures(be_spine_01="dead"), failures()
    (spine,) = (row for row in two.rows if row.kinds == ("spine",))
    assert spine.outcome.hottest == 2.0
    assert compared([one], [two]).worse == ()
    assert {row.kinds for row in compared([two], [one]).worse} >= {("no failure",), ("spine",)}
