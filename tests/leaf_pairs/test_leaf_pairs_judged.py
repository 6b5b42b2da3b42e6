"""Routes to NICs behind two leaves, judged: what a lost link explains is no finding, and what hides a leaf is one."""

from dataclasses import replace

import pytest

from fabricgen.state.state import Hop, Route, State
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.routes import judge_routes
from tests.leaf_pairs import site

SPINE, LEAF = "be-spine-00", "be-leaf-000"
Ports = dict[str, tuple[str, ...]]
"""Address of a NIC → ports by which the switch sends packets to it."""
AT_SPINE: Ports = {"10.64.0.1/32": ("swp1s0", "swp1s1"), "10.64.0.3/32": ("swp1s0", "swp1s1")}
AT_LEAF: Ports = {"10.64.0.1/32": ("swp1s0",), "10.64.0.3/32": ("swp1s1",)}


def codes(switch: str, ports: Ports, idle: frozenset[str] = frozenset()) -> list[str]:
    """Findings about these NICs, where all other routes are not looked at."""
    (expected,) = expectations(list(site.fleet().values()), wanted=[switch])
    kept = {"10.64.0.1/32", "10.64.0.3/32"}
    rows = tuple(row for row in expected.routes if row.prefix in kept)
    ledger = Ledger(switch, {})
    routes = tuple(
        Route("", prefix, "bgp", tuple(Hop("169.254.0.1", name) for name in names)) for prefix, names in ports.items()
    )
    judge_routes(ledger, expected=replace(expected, routes=rows), state=State(routes=routes), idle=idle)
    return [finding.code for finding in ledger.verdict().findings]


@pytest.mark.parametrize(
    ("switch", "ports", "idle", "found"),
    [
        (SPINE, AT_SPINE, (), []),
        (SPINE, {**AT_SPINE, "10.64.0.1/32": ("swp1s1",)}, (), []),
        (SPINE, {"10.64.0.3/32": ("swp1s0", "swp1s1")}, (), []),
        (SPINE, {"10.64.0.3/32": ("swp1s1",)}, (), []),
        (SPINE, {"10.64.0.1/32": ("swp1s1",), "10.64.0.3/32": ("swp1s1",)}, (), ["route-width"]),
        (SPINE, {**AT_SPINE, "10.64.0.1/32": ("swp2s0",)}, (), ["route-next-hop"]),
        (LEAF, AT_LEAF, (), []),
        (LEAF, {**AT_LEAF, "10.64.0.1/32": ("swp64s0", "swp64s1")}, ("swp1s0",), []),
        (LEAF, {**AT_LEAF, "10.64.0.1/32": ("swp64s0", "swp64s1")}, (), ["route-width"]),
        (LEAF, {"10.64.0.3/32": ("swp1s1",)}, (), ["route-missing"]),
        (LEAF, {"10.64.0.3/32": ("swp1s1",)}, ("swp1s0",), []),
    ],
    ids=[
        "both leaves",
        "one link of one server is lost",
        "a server is off",
        "one server alone over one leaf",
        "no server over one of the leaves",
        "over a third leaf",
        "own ports",
        "own port down, so by the other leaf",
        "own port up, and not used",
        "own port up, and no route",
        "own port down, and the server off",
    ],
)
def test_routes_to_nics(switch: str, ports: Ports, idle: tuple[str, ...], found: list[str]) -> None:
    assert codes(switch, ports, frozenset(idle)) == found
