"""Advice to drain: given where it leaves more, silent where it leaves less."""

from collections.abc import Mapping

import pytest

from fabricgen.failures.advice import findings
from fabricgen.failures.measures import Measures
from fabricgen.failures.network import make_network
from fabricgen.plan.exceptions import Exceptions, PortKey
from tests.failures.sites import NO_EXCEPTIONS, RAILS, Site, backend, plan_of

THREE_SPINES = {**RAILS, "servers_per_unit": 3, "spines": {"now": 3}}


def noted(topology: Mapping[str, object], exceptions: Exceptions = NO_EXCEPTIONS) -> list[str]:
    plan = plan_of(Site("", backend("0-2", topology), exceptions=exceptions))
    network = make_network(plan, plan.fabrics["backend"])
    return [each.fix for each in findings(network, Measures(network)) if each.name == "one-link-worse"]


def test_a_pair_is_to_be_drained_where_the_other_spines_carry_more() -> None:
    """Three spines, two links to each: one link lost loads the other to 2, a spine lost the rest to 3/2."""
    (fix,) = noted(THREE_SPINES)
    assert fix.endswith('write overrides: {"be-leaf-000/Ethernet63/5": {state: drained}}')


@pytest.mark.parametrize("spines", [1, 2])
def test_no_pair_is_to_be_drained_where_that_leaves_less(spines: int) -> None:
    """One spine, four links: without one 3/4 are left, without the spine nothing. Two, of two: 1/2 both ways."""
    assert noted({**RAILS, "spines": {"now": spines}}) == []


def test_no_pair_is_to_be_drained_to_a_spine_that_cannot_be_missed() -> None:
    """Of three spines only one is left."""
    assert noted(THREE_SPINES, Exceptions(devices={"be-spine-01": "dead", "be-spine-02": "drained"})) == []


def test_what_is_out_of_service_is_not_to_be_drained() -> None:
    """Four spines, two links to each: the first pair is drained already, so the second is the example."""
    drained = {PortKey("be-leaf-000", port): "drained" for port in ("Ethernet61/1", "Ethernet63/1")}
    (fix,) = noted({**RAILS, "servers_per_unit": 4, "spines": {"now": 4}}, Exceptions(ports=drained))
    assert fix.endswith('write overrides: {"be-leaf-000/Ethernet63/5": {state: drained}}')
