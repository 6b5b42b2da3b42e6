"""Routes to single NICs where they reach two leaves: counted by hand, and compared with what a chip is said to hold."""

import pytest

from fabricgen.checks.capacity.host_routes import host_routes, planned_nics
from fabricgen.plan.plan import Plan
from tests.checks.intents import plan, with_asic, with_group

NICS = 192 * 8
"""The demo plans 192 servers of eight NICs."""
LOOPBACKS = 24 + 16
"""Of the leaves and spines of its backend as planned."""


def paired(**asic: object) -> Plan:
    return with_group(plan(hardware=with_asic(**asic)), indexes=2)


def test_every_planned_nic_has_a_route() -> None:
    assert planned_nics(plan().fabrics["backend"]) == NICS


@pytest.mark.parametrize(("limit", "count"), [(NICS + LOOPBACKS - 1, 1), (NICS + LOOPBACKS, 0), (None, 0)])
def test_a_chip_that_is_too_small_is_told_of_and_an_unknown_one_is_not(limit: int | None, count: int) -> None:
    found = list(host_routes(paired(routes_ipv4=limit)))
    assert [problem.code for problem in found] == ["host-routes"] * count
    for problem in found:
        assert f"{NICS + LOOPBACKS} ipv4 routes" in problem.what
        assert f"holds {limit}" in problem.why


def test_nics_with_one_leaf_need_none() -> None:
    assert list(host_routes(plan(hardware=with_asic(routes_ipv4=1)))) == []
