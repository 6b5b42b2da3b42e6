"""Server ports of drained leaves, ports and cables: one is shut only while another serves its server."""

from typing import Any

import pytest

from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
from fabricgen.resolve.device import devices
from tests.plan_inputs.sites import demo, planned

ONE, TWO = "fe-leaf-000", "fe-leaf-001"
PORT = "Ethernet1/1"
HERE, THERE = f"{ONE}/{PORT}", f"{TWO}/{PORT}"
DRAINED: dict[str, Any] = {"state": "drained"}


def enabled(overrides: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the first server's port is up at either leaf."""
    made = planned(demo(overrides=overrides))
    plan = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    rows = {one.name: one.interfaces.ethernet for one in devices(plan) if one.name in (ONE, TWO)}
    up = {name: row.enabled for name, found in rows.items() for row in found if row.name == PORT}
    return up.get(ONE, False), up.get(TWO, False)


@pytest.mark.parametrize("lost", [
    {THERE: {"state": "absent"}}, {f"link:{THERE}": {"state": "absent"}}, {TWO: {"state": "absent"}},
])  # fmt: skip
@pytest.mark.parametrize("drained", [ONE, HERE, f"link:{HERE}"])
def test_the_last_port_of_a_server_stays_up(drained: str, lost: dict[str, Any]) -> None:
    assert enabled({drained: DRAINED} | lost) == (True, False)


@pytest.mark.parametrize("lost", [{f"link:{THERE}": {"state": "dead"}}, {TWO: {"state": "dead"}}, {TWO: DRAINED},
                                  {THERE: DRAINED}])  # fmt: skip
@pytest.mark.parametrize("drained", [ONE, HERE])
def test_a_port_that_is_configured_and_carries_nothing_takes_over_nothing(drained: str, lost: dict[str, Any]) -> None:
    assert enabled({drained: DRAINED} | lost) == (True, True)


@pytest.mark.parametrize("drained", [ONE, HERE, f"link:{HERE}"])
def test_a_drained_port_is_shut_while_another_serves(drained: str) -> None:
    assert enabled({drained: DRAINED}) == (False, True)


def test_what_is_lost_elsewhere_changes_nothing_here() -> None:
    assert enabled({ONE: DRAINED, f"{TWO}/Ethernet2/1": {"state": "absent"}}) == (False, True)
