"""Numbers hang on places and on the lock, never on the order in which an intent is written."""

from fabricgen.plan.lock import Id
from fabricgen.plan.tenants import extend_ids
from tests.stability.sites import Site, first_site, plan_site, snapshot


def turned(site: Site) -> Site:
    """The same site with its names, and those of the connected groups, written the other way round."""
    found = {section: dict(reversed(list(names.items()))) for section, names in site.items()}
    for fabric in found["fabrics"].values():
        connects = fabric["connects"]
        assert isinstance(connects, dict)
        fabric["connects"] = dict(reversed(list(connects.items())))
    return found


def test_the_order_of_names_numbers_nothing() -> None:
    one, two = snapshot(plan_site(first_site())), snapshot(plan_site(turned(first_site())))
    assert one.lock == two.lock
    assert one.values == two.values


def test_the_number_of_a_tenant_that_is_gone_is_not_given_again() -> None:
    tenants = plan_site(first_site()).intent.tenants
    recorded = (Id("frontend", "vrf", "gone", 1), Id("frontend", "vrf", "research", 4), Id("other", "vrf", "far", 9))
    added = extend_ids(recorded, "frontend", tenants)[len(recorded) :]
    assert [found.id for found in added] == [5, 6, 7]
