"""What is declared dead may be up or down, and nothing else of a switch is let pass with it."""

from dataclasses import replace
from functools import cache

from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
from fabricgen.resolve.device import devices
from fabricgen.state.state import Adjacency, BfdSession, Route, State
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.device import judge
from tests.plan_inputs.sites import demo, planned
from tests.verify.seen import right_state

DEAD, SPINE = "be-leaf-003", "be-spine-02"


@cache
def expected(device: str = SPINE) -> Expected:
    """A switch whose neighbor is dead; all sessions of the fabric are watched by BFD."""
    made = planned(demo(overrides={DEAD: {"state": "dead"}, "backend": {"bgp": {"bfd": True}}}))
    plan = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    alive = [one for one in devices(plan) if one.state != "dead"]
    return next(one for one in expectations(alive) if one.device == device)


def dead_ports() -> set[str]:
    return {one.name for one in expected().interfaces if one.up is None}


def cold(state: State) -> State:
    """The same switch while the dead one is off: its ports are down, its sessions wait, nobody is heard."""
    ports, peers = dead_ports(), {one.peer for one in expected().sessions if one.dead}
    assert state.bgp is not None
    sessions = tuple(
        row._replace(state="Active", families=()) if row.peer in peers else row for row in state.bgp.sessions
    )
    return replace(
        state,
        interfaces=tuple(row._replace(oper_up=row.oper_up and row.name not in ports) for row in state.interfaces or ()),
        lldp=tuple(row for row in state.lldp or () if row.port not in ports),
        bgp=state.bgp._replace(sessions=sessions),
        bfd=(*(state.bfd or ()), *(BfdSession("", peer, False) for peer in sorted(peers))),
    )


def codes(state: State) -> list[str]:
    return [one.code for one in judge(expected(), state, lambda _, __: ()).findings]


def test_all_is_well_while_it_is_off_and_when_it_comes_back() -> None:
    assert dead_ports()
    back = right_state(expected())
    assert codes(back) == []
    assert codes(cold(back)) == []


def test_the_sessions_of_others_are_judged_as_ever() -> None:
    state = cold(right_state(expected()))
    assert state.bgp is not None
    alive = {one.peer for one in expected().sessions if not one.dead}
    peer = min(alive)
    down = tuple(row._replace(state="Active") if row.peer == peer else row for row in state.bgp.sessions)
    assert codes(replace(state, bgp=state.bgp._replace(sessions=down))) == ["session-down"]
    assert "bfd-down" in codes(
        replace(state, bfd=tuple(row._replace(up=row.up and row.peer != peer) for row in state.bfd or ()))
    )


def test_a_cable_to_somebody_else_is_found_at_a_dead_end_too() -> None:
    port = min(dead_ports())
    state = cold(right_state(expected()))
    wrong = (*(state.lldp or ()), Adjacency(port, "be-leaf-001", "Ethernet1/1"))
    assert codes(replace(state, lldp=wrong)) == ["lldp-wrong-peer"]


def test_a_dead_end_that_is_shut_is_found() -> None:
    """Its configuration stands: the replacement has to find the port on."""
    port = min(dead_ports())
    state = cold(right_state(expected()))
    shut = tuple(row._replace(admin_up=row.admin_up and row.name != port) for row in state.interfaces or ())
    assert codes(replace(state, interfaces=shut)) == ["interface-shut"]


def test_routes_over_a_live_end_are_still_asked_for() -> None:
    state = cold(right_state(expected()))
    assert state.routes
    assert codes(replace(state, routes=state.routes[:-1])) != []


def test_a_dead_end_that_works_may_bring_routes_and_no_other_may() -> None:
    """The replacement announces itself, and paths over it join those that are planned."""
    back, port = right_state(expected()), min(dead_ports())
    routes = back.routes or ()
    over = next(at for at, route in enumerate(routes) if route.hops and route.hops[0].interface)
    hop = routes[over].hops[0]

    def brought(interface: str) -> list[str]:
        own = Route("", "192.0.2.1/32", "bgp", (hop._replace(interface=interface),))
        wider = routes[over]._replace(hops=(*routes[over].hops, hop._replace(interface=interface)))
        return codes(replace(back, routes=(*routes[:over], wider, *routes[over + 1 :], own)))

    assert brought(port) == []
    alive = next(row.name for row in expected().interfaces if row.up and row.name != hop.interface)
    assert brought(alive) != []
    alone = routes[over]._replace(hops=(hop._replace(interface=port),))
    assert codes(replace(back, routes=(*routes[:over], alone, *routes[over + 1 :]))) == ["route-missing"]
