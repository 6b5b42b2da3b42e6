"""What follows from one cause says so: a fault is told once, and what comes of it is told with it."""

from collections.abc import Iterable
from dataclasses import replace

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.state.state import (
    Hop,
)
from fabricgen.verify.causes.miscabling import explain
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import (
    LEAF,
    NEXT_HOP,
    P1,
    P2,
    RIGHT,
    Edit,
    bgp,
    both,
    changed,
    session,
    without,
)


def none(_: str, __: str) -> tuple[Drift, ...]:
    return ()


def found(edit: Edit, drift: Iterable[Drift] = ()) -> tuple[Finding, ...]:
    return judge(LEAF, edit(RIGHT), lambda _, __: tuple(drift)).findings


def dead(port: int) -> Edit:
    """A link down, with all that comes of it."""
    one_way = (Hop("10.1.0.1", "p1"),) if port == P2 else (Hop("10.1.0.3", "p2"),)
    v4, v6, bfd = (0, 2, 0) if port == P1 else (1, 3, 1)
    return both(
        changed("interfaces", port, oper_up=False),
        without("lldp", port),
        session(v4, state="Idle", families=()),
        session(v6, state="Idle", families=()),
        changed("bfd", bfd, up=False),
        changed("routes", 0, hops=one_way),
        changed("routes", 1, hops=one_way),
    )


def test_what_follows_from_a_link_down_says_so() -> None:
    told = found(dead(P2))
    assert [(f.code, f.explained) for f in told] == [
        ("interface-down", ""),
        ("lldp-missing", "port p2 is down"),
        ("session-down", "port p2 is down"),
        ("bfd-down", "port p2 is down"),
        ("route-width", "port p2 is down"),
    ]
    (sessions,) = (f for f in told if f.code == "session-down")
    assert (sessions.subject, sessions.problem) == ("sessions with spine2", "are all down")
    assert (sessions.expected, sessions.actual) == ("2 Established with AS 65100", "10.1.0.3, fd00::3")


def test_a_dead_spine_takes_the_overlay_with_it() -> None:
    told = found(both(dead(P1), session(4, state="Idle", families=()), without("routes", 2), without("evpn", 1)))
    by_code = {(f.code, f.subject): f.explained for f in told}
    assert by_code["session-down", "sessions with spine1"] == "port p1 is down"
    assert by_code["route-missing", "route 10.0.0.101/32 of spine1"] == "port p1 is down"
    assert by_code["evpn-missing", "EVPN routes of type 3 of leaf2"] == "no EVPN session is established"


def test_an_overlay_session_without_an_underlay() -> None:
    """One link's IPv4 session is set to another AS, so that not all of the spine's are merely down."""
    wrong = session(0, remote_as=1, state="Active", families=())
    down = both(session(2, state="Idle", families=()), session(4, state="Idle", families=()))
    explained = {f.subject: f.explained for f in found(both(wrong, down)) if f.code == "session-down"}
    assert explained["session 10.0.0.101 (spine1)"] == "no session over a link to spine1 is established"


def test_a_speaker_that_is_dead_is_told_once_a_part() -> None:
    gone = both(
        bgp(asn=0, router_id="", sessions=()),
        lambda state: replace(state, routes=state.routes[3:] if state.routes else ()),
        without("evpn", 1, 2, 3),
    )
    drift = [Drift((f"route-map {at}",), line, False) for at in range(3) for line in ("match", "set")]
    told = [(f.code, f.subject, f.explained) for f in found(gone, drift)]
    assert told == [
        ("bgp-not-running", "BGP", ""),
        ("route-missing", "3 routes (10.0.0.2/32, 10.0.1.2/32, 10.0.0.101/32)", "BGP has no session"),
        ("evpn-missing", "EVPN routes of type 3 of leaf2", "BGP has no session"),
        ("evpn-missing", "EVPN routes of type 5 of 2 switches", "BGP has no session"),
        ("drift-missing", "configuration", "BGP has no session"),
    ]


def test_a_wrong_cable_explains_the_session() -> None:
    told = found(both(changed("lldp", 0, system="spine9"), session(0, state="Active", families=())))
    assert [(f.code, f.explained) for f in told] == [
        ("lldp-wrong-peer", ""),
        ("session-down", "port p1 is cabled to spine9 s1"),
    ]


def test_bfd_explains_a_session_that_the_port_does_not() -> None:
    dead_to_bfd = both(changed("bfd", 0, up=False), session(0, state="Idle", families=()))
    (verdict,) = explain([judge(LEAF, dead_to_bfd(RIGHT), none)])
    assert [(f.code, f.explained) for f in verdict.findings] == [("session-down", "BFD is down"), ("bfd-down", "")]


def test_a_session_that_is_gone_is_missing_and_so_is_its_bfd() -> None:
    told = found(
        both(without("bfd", 0), lambda state: bgp(sessions=state.bgp.sessions[1:] if state.bgp else ())(state))
    )
    assert [(f.code, f.subject, f.explained) for f in told] == [
        ("session-missing", "session 10.1.0.1 on p1 (spine1 s1)", ""),
        ("bfd-missing", "session 10.1.0.1 on p1 (spine1 s1)", "its BGP session is not configured"),
    ]


def test_an_own_as_of_another_explains_all_sessions() -> None:
    told = found(both(bgp(asn=65999), session(0, state="Active", families=()), session(4, state="Active", families=())))
    assert [f.explained for f in told] == ["", "BGP here is AS 65999", "BGP here is AS 65999"]


def test_routes_without_a_session_say_so() -> None:
    told = found(both(session(1, state="Active", families=()), changed("routes", 0, hops=NEXT_HOP)))
    assert told[-1].code == "route-width"
    assert told[-1].explained == "the session with spine2 s1 is not established"


def many(count: int) -> Expected:
    """The leaf with routes of so many switches more, which it does not have."""
    names = {f"10.0.7.{at}/32": f"leaf{at}" for at in range(10, 10 + count)}
    more = tuple(LEAF.routes[0]._replace(prefix=p, about=name, origin=name) for p, name in names.items())
    return replace(LEAF, routes=(*LEAF.routes, *more))


def test_routes_without_any_session_with_a_switch_say_so() -> None:
    down = both(session(1, state="Idle", families=()), session(3, state="Idle", families=()))
    told = found(both(down, changed("routes", 0, hops=NEXT_HOP)))
    assert [(f.code, f.explained) for f in told] == [
        ("session-down", ""),
        ("route-width", "no session with spine2 is established"),
    ]


def test_of_many_switches_missing_one_finding_is_left() -> None:
    assert len(judge(many(8), RIGHT, none).findings) == 8
    (told,) = judge(many(9), RIGHT, none).findings
    assert told.subject == "9 routes (10.0.7.10/32, 10.0.7.11/32, 10.0.7.12/32 and 6 more)"
    assert told.expected == "from 9 switches, leaf10, leaf11, leaf12 and 6 more"
    assert told.code == "route-missing"


def test_what_has_a_cause_is_told_beside_the_many_that_have_none() -> None:
    state = both(dead(P1), without("routes", 2))(RIGHT)
    told = [(f.subject, f.explained) for f in judge(many(9), state, none).findings if f.code == "route-missing"]
    assert told == [
        ("9 routes (10.0.7.10/32, 10.0.7.11/32, 10.0.7.12/32 and 6 more)", ""),
        ("route 10.0.0.101/32 of spine1", "port p1 is down"),
    ]


def test_a_tenant_s_route_is_missing_for_want_of_the_overlay() -> None:
    told = found(both(session(4, state="Idle", families=()), without("routes", 6)))
    assert [(f.code, f.explained) for f in told] == [
        ("session-down", ""),
        ("route-missing", "no EVPN session is established"),
    ]


def test_own_evpn_routes_do_not_need_a_session() -> None:
    told = found(both(session(4, state="Idle", families=()), without("evpn", 0)))
    assert [(f.code, f.explained) for f in told] == [("session-down", ""), ("evpn-missing", "")]


def test_drift_is_told_by_section() -> None:
    drift = (
        Drift(("router bgp 65001",), "network 10.2.0.0/25", False),
        Drift(("router bgp 65001",), "neighbor 192.0.2.1 remote-as 1", True),
        *(Drift((), f"line {at}", True) for at in range(5)),
    )
    told = [(f.code, f.subject, f.problem, f.expected, f.actual) for f in found(lambda state: state, drift)]
    assert told == [
        ("drift-missing", "router bgp 65001", "lacks rendered lines", "network 10.2.0.0/25", "no such line"),
        (
            "drift-extra",
            "router bgp 65001",
            "has unexpected lines",
            "no such line",
            "neighbor 192.0.2.1 remote-as 1",
        ),
        (
            "drift-extra",
            "configuration",
            "has unexpected lines",
            "no such line",
            "line 0; line 1; line 2 and 2 more",
        ),
    ]


def test_drift_of_a_box_without_its_configuration_is_one_finding() -> None:
    lacking = [Drift((f"interface {at}",), "mtu 9214", False) for at in range(12)]
    (told,) = found(lambda state: state, [*lacking, Drift((), "hostname x", False)])
    assert (told.code, told.problem) == ("drift-missing", "lacks 13 lines in 13 sections")
    assert told.expected == "interface 0, interface 1, interface 2 and 10 more"
    assert len(found(lambda state: state, lacking)) == 12
    more = [drift._replace(present=True, section=(f"vlan {at}",)) for at, drift in enumerate(lacking + lacking)]
    assert [f.code for f in found(lambda state: state, more)] == ["drift-extra"] * 24
    assert "drift" not in dict(judge(LEAF, RIGHT, lambda _, __: tuple(more)).passed)
