"""Two samples of one switch that both show it right: what fell between them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from fabricgen.platforms.base.live.reader import Reader
from fabricgen.state.state import (
    ETHERNET,
    Adjacency,
    BgpState,
    Interface,
    LinkCounters,
    Session,
    State,
)
from fabricgen.verify.causes.causes import caused
from fabricgen.verify.collect.store import Collected, Failure, Target
from fabricgen.verify.finding import Finding, SwitchVerdict
from fabricgen.verify.judge.between_samples import between, is_reset
from fabricgen.verify.judge.since_collection import since

UP = Session("", "10.0.0.1", 65001, "Established", (), up_seconds=100, ends=2)


@pytest.mark.parametrize(
    ("was", "now", "seconds", "expected"),
    [
        (UP, UP._replace(up_seconds=160), 60.0, False),
        (UP, UP._replace(up_seconds=30, ends=3), 60.0, True),
        (UP, UP._replace(up_seconds=300, ends=3), None, True),  # long ago, and it is counted
        (UP, UP._replace(up_seconds=300, ends=0), 400.0, True),  # the daemon began again, and counts from nought
        (UP._replace(ends=-1), UP._replace(up_seconds=30, ends=-1), None, True),
        (UP._replace(ends=-1), UP._replace(up_seconds=150, ends=-1), 400.0, True),  # younger than the earlier sample
        (UP._replace(ends=-1), UP._replace(up_seconds=500, ends=-1), 400.0, False),
        (UP._replace(up_seconds=-1, ends=-1), UP._replace(up_seconds=-1, ends=-1), 60.0, False),
        (UP._replace(up_seconds=-1, since=1e9), UP._replace(up_seconds=-1, since=1e9 + 0.4), 60.0, False),
        (UP._replace(up_seconds=-1, since=1e9), UP._replace(up_seconds=-1, since=1e9 + 40), 60.0, True),
    ],
)
def test_whether_a_session_was_reset(was: Session, now: Session, seconds: float | None, expected: bool) -> None:
    assert is_reset(was, now, seconds) is expected


def state(flaps: int | None, session: Session = UP, *, is_up: bool = True) -> State:
    port = Interface("swp1", ETHERNET, admin_up=True, oper_up=is_up, mtu=9000, addresses=())
    return State(
        interfaces=(port,),
        lldp=(Adjacency("swp1", "spine", "swp9"),),
        bgp=BgpState(65000, "10.0.0.9", (session,)),
        links=(LinkCounters("swp1", flaps=flaps),),
    )


LATER = UP._replace(up_seconds=160)


def test_what_stands_and_did_not_fall_is_no_finding() -> None:
    assert between("leaf", state(4), state(4, LATER), 60) == ((), ())


def test_a_port_and_a_session_that_fell_are_named() -> None:
    found, unsaid = between("leaf", state(4), state(6, UP._replace(up_seconds=20, ends=3)), 60)
    assert [(one.code, one.subject, one.expected, one.actual) for one in found] == [
        ("session-reset", "session 10.0.0.1", "no reset in 60 s", "it fell, established again for 20 s"),
        ("port-flapped", "port swp1", "no change of its link in 60 s", "2 changes"),
    ]
    assert (found[1].heard, unsaid) == (("spine", "swp9"), ())


def test_what_is_down_is_anothers_finding() -> None:
    down = LATER._replace(state="Active")
    assert between("leaf", state(4), state(5, down, is_up=False), 60)[0] == ()


def test_what_can_not_be_told_is_said() -> None:
    silent = UP._replace(up_seconds=-1, ends=-1)
    found, unsaid = between("leaf", state(None, silent), replace(state(None, silent), unread={"links": "why"}), 60)
    assert (found, [one.check for one in unsaid]) == ((), ["sessions", "interfaces"])
    assert "not counted here" in unsaid[1].reason
    _, again = between("leaf", state(9), state(2, LATER), 60)
    assert [one.reason for one in again] == [
        "since the earlier sample: the link change counter of 1 link was reset: swp1"
    ]


def test_of_two_collections_those_are_compared_that_answered_both_times() -> None:
    states = {"early": state(4), "late": state(5, LATER)}
    target = Target("leaf", "double", "double", {}, ())
    reader = Reader(
        system="double", driver="double", vrf_names=lambda device: {}, reads=lambda vrfs: (), lines=(), unseen={},
        state=lambda outputs, vrfs: states[next(iter(outputs))], drift=lambda wanted, running: (),
    )  # fmt: skip
    at = datetime(2026, 11, 23, 12, tzinfo=UTC)

    def kept(name: str, seconds: float) -> Collected:
        moment = at + timedelta(seconds=seconds)
        return Collected(device="leaf", system="double", vrfs={}, outputs={name: None}, at=moment)  # type: ignore[dict-item]

    verdict = SwitchVerdict(device="leaf", passed=(), findings=(), unchecked=())
    late = kept("late", 60)

    def told(earlier: Collected | None) -> SwitchVerdict:
        (one,) = since({"leaf": target}, {"double": reader}, lambda name: earlier, lambda name: late)([verdict])
        return one

    (flap,) = told(kept("early", 0)).findings
    assert (flap.code, flap.expected) == ("port-flapped", "no change of its link in 60 s")
    silent = Collected(device="leaf", system="double", vrfs={}, failure=Failure("unreachable", "timed out"))
    for missing in (None, silent):
        assert {one.reason for one in told(missing).unchecked} == {"the earlier collection does not have it"}


def site(flaps: int, ends: int) -> list[SwitchVerdict]:
    """Both ends of a link whose session fell, and whose port may have; and routes that are not back yet."""
    found = []
    for device, far, own, peer in (
        ("leaf", "spine", "10.0.0.0/31", "10.0.0.1"),
        ("spine", "leaf", "10.0.0.1/31", "10.0.0.0"),
    ):
        port = Interface("swp1", ETHERNET, admin_up=True, oper_up=True, mtu=9000, addresses=(own,))
        was = State(
            interfaces=(port,),
            lldp=(Adjacency("swp1", far, "swp1"),),
            bgp=BgpState(65000, "10.0.0.9", (UP._replace(peer=peer),)),
            links=(LinkCounters("swp1", flaps=4),),
        )
        now = replace(
            was,
            bgp=BgpState(65000, "10.0.0.9", (UP._replace(peer=peer, up_seconds=9, ends=ends),)),
            links=(LinkCounters("swp1", flaps=flaps),),
        )
        findings, _ = between(device, was, now, 60)
        found.append(SwitchVerdict(device=device, passed=(), findings=findings, unchecked=()))
    words = ("leaf", "routes", "route-width", "2 routes", "not over swp1", "2 next hops", "1 next hop")
    routes = Finding(*words, about=("spine",), lines=("10.9.0.0/24",))
    found[0] = replace(found[0], findings=(*found[0].findings, routes))
    return found


def causes(verdicts: list[SwitchVerdict]) -> list[tuple[str, str]]:
    return [(one.device, one.code) for verdict in caused(verdicts) for one in verdict.findings if one.cause is None]


def test_a_reset_is_one_finding_of_both_ends_and_of_the_routes_that_it_took() -> None:
    assert causes(site(4, 3)) == [("leaf", "session-reset")]


def test_a_flap_is_one_finding_with_the_sessions_over_the_port() -> None:
    assert causes(site(6, 3)) == [("leaf", "port-flapped")]


def test_a_reset_between_loopbacks_is_over_no_port() -> None:
    findings, _ = between("leaf", state(4), state(4, UP._replace(up_seconds=30, ends=3)), 60)
    assert [(one.code, one.port, one.far.system) for one in findings] == [("session-reset", "", "")]
