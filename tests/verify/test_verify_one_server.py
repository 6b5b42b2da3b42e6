"""Leaves of one server each: the aggregate of a leaf is the link to that server."""

from dataclasses import replace

import pytest

from fabricgen.resolve.device import devices
from fabricgen.state.state import Route
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.judge.device import judge
from tests.failures.sites import Site, backend, plan_of
from tests.verify.seen import right_state

TOPOLOGY = {"design": "rail-optimized", "servers_per_unit": 1, "spines": {"now": 1}}


@pytest.mark.parametrize("up", [True, False])
def test_the_link_is_connected_while_it_is_up_and_discarded_otherwise(up: bool) -> None:
    """A connected route is preferred to a static one, so a switch shows one of the two."""
    leaf = next(iter(expectations(list(devices(plan_of(Site("", backend("0-1", TOPOLOGY))))))))
    (link,) = (row for row in leaf.interfaces if row.server)
    prefix = next(row.prefix for row in leaf.routes if row.interfaces == (link.name,))
    assert [row.prefix for row in leaf.routes].count(prefix) == 1

    state = right_state(leaf)
    if not up:
        # The server is off.
        ports = tuple(row._replace(oper_up=up) if row.name == link.name else row for row in state.interfaces or ())
        routes = (row if row.prefix != prefix else Route("", prefix, "static", ()) for row in state.routes or ())
        state = replace(state, interfaces=ports, routes=tuple(routes))
    found = judge(leaf, state, lambda _, __: ()).findings
    assert [each for each in found if each.check == "routes"] == []
    # The link of a server that is on must not be discarded.
    lost = replace(state, routes=tuple(r._replace(hops=()) if r.prefix == prefix else r for r in state.routes or ()))
    codes = {each.code for each in judge(leaf, lost, lambda _, __: ()).findings if each.check == "routes"}
    assert codes == ({"route-width"} if up else set())
