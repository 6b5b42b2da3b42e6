"""Tenants of a shared backend whose rails have planes of their own: each plane has their VRFs, and its NICs alone."""

import pytest

from fabricgen.checks.catalogue import run_checks
from fabricgen.plan.fabric import places
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenant_routes import nic_routes
from fabricgen.resolve import routing
from fabricgen.resolve.context import make_context, make_site
from tests.audit.test_audit_pairs import judge
from tests.tenancy import site
from tests.tenancy.test_tenancy_plan import made


def planes(rails: int) -> Plan:
    """Research has train[0-1] without four NICs, serving train[2-3] and these four, on rails 4-7."""
    value = site.backend_only()
    value["fabrics"]["backend"]["topology"] |= {"rails_per_plane": rails, "rails_per_leaf": rails}
    return made(value)


def routes(plan: Plan) -> dict[str, int]:
    fabric = plan.fabrics["backend"]
    return {tenant.name: nic_routes(fabric, tenant) for tenant in plan.tenants["backend"]}


def test_a_vrf_has_the_routes_of_its_plane() -> None:
    """Two servers of eight rails are 16 NICs in one plane, and 8 in each of two; serving has four more in one."""
    assert routes(planes(8)) == {"research": 16, "serving": 20}
    assert routes(planes(4)) == {"research": 8, "serving": 12}


def test_a_leaf_has_the_nics_of_its_plane_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leaf has the NICs of four rails, in each of two planes: the limit is twice their routes, a power of two."""
    monkeypatch.setattr(routing, "OVERLAY_ROUTES", 1)
    plan = planes(4)
    context = make_context(make_site(plan, "backend"), next(places(plan.fabrics["backend"])))
    (group,) = plan.fabrics["backend"].shape.groups
    assert routing.maximum_leaf_routes(context) == 2 * 4 * group.slots_a_unit


def test_what_is_rendered_keeps_planes_and_tenants_apart() -> None:
    plan = planes(4)
    assert plan.fabrics["backend"].shape.planes == 2
    assert list(run_checks(plan)) == []
    judge(plan)
