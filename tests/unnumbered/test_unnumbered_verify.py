"""What verify asks of switches with unnumbered links, and what it says of doubles that are right and that are not."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.push.prove.idle_ports import drained_sessions, peers_of
from fabricgen.state.state import Hop, State
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.device import judge
from tests.unnumbered.sites import SPINE, fleet
from tests.verify.seen import right_state

LEAF = "be-leaf-000"


@cache
def expected() -> dict[str, Expected]:
    return {one.device: one for one in expectations(tuple(fleet("frr").values()))}


def codes(state: State, name: str = LEAF) -> set[str]:
    return {found.code for found in judge(expected()[name], state, FRR.drift).findings}


def test_sessions_are_expected_by_port_and_overlay_ones_by_address() -> None:
    for name, one in expected().items():
        rows = {row.name: row for row in fleet("frr")[name].interfaces.ethernet}
        for session in one.sessions:
            if session.peer in rows:
                assert session.far == (rows[session.peer].peer, rows[session.peer].peer_port)
                assert session.families == ("ipv4", "ipv6")
            elif not session.vrf:
                assert session.families == ("evpn",)


def test_routes_leave_by_ports_to_link_local_next_hops() -> None:
    learned = [route for route in expected()[LEAF].routes if route.origin not in ("", LEAF)]
    assert learned
    for route in learned:
        assert route.width == len(route.interfaces) == len(route.addresses) > 0
        assert set(route.addresses) == {"fe80::"}
    assert {":" in route.prefix for route in learned} == {True, False}


@pytest.mark.parametrize("address", ["169.254.0.1", "fe80::1234"])
def test_a_switch_that_is_right_has_no_finding(address: str) -> None:
    """FRR has 169.254.0.1 for an IPv4 route (seen with 8.4.4)."""
    state = right_state(expected()[LEAF])
    routes = tuple(
        route._replace(
            hops=tuple(hop._replace(address=address) if hop.address == "fe80::" else hop for hop in route.hops)
        )
        for route in state.routes or ()
    )
    assert codes(_with(state, routes=routes)) == set()


def _with(state: State, **parts: object) -> State:
    return replace(state, **parts)  # type: ignore[arg-type]


def _sessions(state: State, change: Callable[[Any], Any]) -> State:
    assert state.bgp is not None
    first, *others = state.bgp.sessions
    changed = change(first)
    return _with(state, bgp=state.bgp._replace(sessions=(*((changed,) if changed else ()), *others)))


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("session-missing", lambda row: None),
        ("session-down", lambda row: row._replace(state="Active", families=())),
        ("session-wrong-as", lambda row: row._replace(remote_as=65009)),
        ("session-family-missing", lambda row: row._replace(families=row.families[:1])),
    ],
)
def test_a_session_that_is_wrong_is_found(code: str, change: Callable[[Any], Any]) -> None:
    assert code in codes(_sessions(right_state(expected()[LEAF]), change))


def test_a_session_that_is_not_shown_since_its_port_is_down_is_explained() -> None:
    """EOS may show such a session only once it has found the far end."""
    state = right_state(expected()[LEAF])
    peer = (state.bgp.sessions if state.bgp else ())[0].peer
    ports = tuple(row._replace(oper_up=False) if row.name == peer else row for row in state.interfaces or ())
    state = _with(_sessions(state, lambda row: None), interfaces=ports)
    found = {one.code: one for one in judge(expected()[LEAF], state, FRR.drift).findings}
    assert "is down" in found["session-missing"].explained
    assert peer in found["session-missing"].explained


@pytest.mark.parametrize("hop", [Hop("10.0.0.1", ""), Hop("", "")])
def test_a_next_hop_that_is_no_link_local_address_is_found(hop: Hop) -> None:
    state = right_state(expected()[LEAF])
    routes = list(state.routes or ())
    at = next(at for at, route in enumerate(routes) if route.hops and route.hops[0].address == "fe80::")
    first, *others = routes[at].hops
    routes[at] = routes[at]._replace(hops=(first._replace(address=hop.address), *others))
    assert codes(_with(state, routes=tuple(routes)))


def test_exchanged_cables_are_found_by_what_lldp_hears() -> None:
    """Both spines have one AS number, so that the sessions come up all the same."""
    state = right_state(expected()[LEAF])
    ups = [row for row in state.lldp or () if row.system.startswith("be-spine")]
    one, two = ups[0], next(row for row in ups if row.system != ups[0].system)
    heard = tuple(
        {one: one._replace(port=two.port), two: two._replace(port=one.port)}.get(row, row) for row in state.lldp or ()
    )
    assert codes(_with(state, lldp=heard))


def test_a_drain_is_heard_over_the_far_ports() -> None:
    device = fleet("frr", drained=True)[SPINE]
    found = {row.port: row for row in drained_sessions(device)}
    assert found.keys() == {row.interface for row in device.routing.bgp.neighbors}
    for port in device.interfaces.ethernet:
        if port.name in found:
            assert (found[port.name].own, found[port.name].far) == (port.peer_port, port.name)
            assert port.peer_port in peers_of(device)[port.peer]
    first = device.interfaces.ethernet[0].name
    assert peers_of(device, [first]).keys() == {device.interfaces.ethernet[0].peer}
