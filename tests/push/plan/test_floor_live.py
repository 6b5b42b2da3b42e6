"""What is left of uplinks by what verify's own judges find, and that a wave does not go below the floor."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.plan import with_exceptions
from fabricgen.push.plan.capacity_floor import BROKEN, MUTE, OUT, below, faults_of, live_shares
from fabricgen.push.plan.redundancy import without_mates
from fabricgen.resolve.device import devices
from fabricgen.state.state import EVPN, IPV6, Interface, State
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding, FindingEnd
from fabricgen.verify.judge.device import judge
from tests.checks.intents import plan as demo_plan
from tests.push.push_plans import Cable, cables, clos, default_floor, hit, kept
from tests.verify.seen import right_state

DEMO = demo_plan()
EXPECTED = {one.device: one for one in expectations(tuple(devices(DEMO)))}
CABLES = cables(DEMO)
LEAVES = [name for name in CABLES if name.startswith("be-leaf")]
Change = Callable[[Expected, State], State]


def found(changes: Mapping[str, Change]) -> list[Finding]:
    """What verify says of switches that show what is planned, but for these changes."""
    return [
        finding
        for name, change in changes.items()
        for finding in judge(EXPECTED[name], change(EXPECTED[name], right_state(EXPECTED[name])), no_drift).findings
    ]


def no_drift(artifact: str, running: str) -> tuple[()]:
    del artifact, running
    return ()


def port(name: str, **fields: object) -> Change:
    """One port differs."""

    def change(expected: Expected, state: State) -> State:
        del expected
        assert state.interfaces is not None
        rows = tuple(replace_row(row, fields) if row.name == name else row for row in state.interfaces)
        return replace(state, interfaces=rows)

    return change


def replace_row(row: Interface, fields: Mapping[str, object]) -> Interface:
    return row._replace(**fields)  # type: ignore[arg-type]


def sessions(chosen: Callable[[str, str, tuple[str, ...]], bool]) -> Change:
    """Sessions with some far systems, ports, and of some families are not established."""

    def change(expected: Expected, state: State) -> State:
        assert state.bgp is not None
        far = {(one.vrf, one.peer): one for one in expected.sessions}
        rows = tuple(
            row._replace(state="Active")
            if chosen(
                far[row.vrf, row.peer].far.system, far[row.vrf, row.peer].far.port, far[row.vrf, row.peer].families
            )
            else row
            for row in state.bgp.sessions
        )
        return replace(state, bgp=state.bgp._replace(sessions=rows))

    return change


def silent(name: str, code: str = "unreachable") -> Finding:
    return Finding(name, "reachable", code, "the switch", "cannot be reached", "an answer", "no route")


def share(findings: Iterable[Finding], name: str, *gone: str) -> Fraction:
    return live_shares(DEMO, gone, findings)[name]


def cable(leaf: str, spine: str) -> Cable:
    return next(one for one in CABLES[leaf] if one.upper == spine)


def test_all_is_well() -> None:
    every = live_shares(DEMO, (), [])
    assert every == dict.fromkeys(CABLES, 1)
    assert list(every)[:2] == ["be-leaf-000", "be-leaf-001"]
    assert live_shares(DEMO, ("be-spine-00",), []) == dict.fromkeys(LEAVES, Fraction(3, 4))
    assert live_shares(DEMO, ("be-leaf-000", "fe-leaf-002", "no-such"), []) == {}
    assert below(DEMO, every, Fraction(1)) == ()


def test_a_port_that_is_down_at_either_end() -> None:
    """64 uplinks of a leaf, 16 to each spine."""
    one = cable("be-leaf-001", "be-spine-02")
    for at, name in (one.neighbors, one.far):
        seen = found({at: port(name, oper_up=False)})
        assert "interface-down" in {finding.code for finding in seen}
        assert share(seen, "be-leaf-001") == Fraction(63, 64)
        assert share(seen, "be-leaf-000") == 1
        assert share(seen, "be-leaf-001", "be-spine-00") == Fraction(47, 64)
        assert live_shares(DEMO, ("be-spine-02",), seen)["be-leaf-001"] == Fraction(48, 64)


@pytest.mark.parametrize(
    "fields", [{"admin_up": False, "oper_up": False}, {"fault": "errdisabled", "oper_up": False}, {"vrf": "other"}]
)
def test_ports_that_carry_nothing(fields: dict[str, object]) -> None:
    one = cable("be-leaf-001", "be-spine-02")
    assert share(found({"be-leaf-001": port(one.neighbors.port, **fields)}), "be-leaf-001") == Fraction(63, 64)


def test_what_is_no_uplink_takes_nothing() -> None:
    """A port towards a server, and the overlay's sessions between loopbacks."""
    seen = found({"be-leaf-000": port("Ethernet1/1", admin_up=False, oper_up=False)})
    assert seen
    assert live_shares(DEMO, (), seen) == dict.fromkeys(CABLES, 1)
    overlay = found({"fe-leaf-002": sessions(lambda _, __, families: EVPN in families)})
    assert {finding.code for finding in overlay} >= {"session-down"}
    assert live_shares(DEMO, (), overlay) == dict.fromkeys(CABLES, 1)


def test_one_family_of_one_link() -> None:
    one = cable("be-leaf-001", "be-spine-02")
    seen = found({"be-spine-02": sessions(lambda _, far, families: far == one.neighbors.port and IPV6 in families)})
    both = found({"be-spine-02": sessions(lambda _, far, __: far == one.neighbors.port)})
    for findings in (seen, both):
        hurt = {name: value for name, value in live_shares(DEMO, (), findings).items() if value < 1}
        # Leaves name their ports alike: that port of each is the far end of one session.
        assert hurt == dict.fromkeys(LEAVES, Fraction(63, 64))


def test_all_sessions_with_a_spine() -> None:
    seen = found({"be-leaf-003": sessions(lambda system, _, __: system == "be-spine-01")})
    assert [(one.code, one.port, one.far) for one in seen if one.check == "sessions"] == [
        ("session-down", "", FindingEnd("be-spine-01", ""))
    ]
    assert share(seen, "be-leaf-003") == Fraction(3, 4)
    assert share(seen, "be-leaf-002") == 1
    assert share(seen, "be-leaf-003", "be-spine-00") == Fraction(1, 2)
    assert "be-leaf-003" not in live_shares(DEMO, ("be-spine-01",), seen)  # it loses nothing more
    turned = found({"be-spine-01": sessions(lambda system, _, __: system == "be-leaf-003")})
    assert live_shares(DEMO, (), turned) == live_shares(DEMO, (), seen)


def test_a_spine_that_nobody_reaches_counts_as_away_and_a_leaf_does_not() -> None:
    seen = [silent("be-spine-01"), silent("be-leaf-000")]
    assert live_shares(DEMO, ("be-spine-02",), seen) == dict.fromkeys(LEAVES, Fraction(1, 2))
    assert live_shares(DEMO, ("be-spine-01",), seen) == {}


def test_bgp_does_not_run_on_a_leaf() -> None:
    seen = found({"be-leaf-000": lambda _, state: replace(state, bgp=state.bgp and state.bgp._replace(sessions=()))})
    assert "bgp-not-running" in {one.code for one in seen}
    assert share(seen, "be-leaf-000") == 0
    assert share(seen, "be-leaf-001") == 1
    assert "be-leaf-000" not in live_shares(DEMO, ("be-spine-01",), seen)


def test_below_the_floor() -> None:
    one = cable("be-leaf-001", "be-spine-02")
    seen = found({"be-leaf-001": port(one.neighbors.port, oper_up=False)})
    shares = live_shares(DEMO, ("be-spine-00",), seen)
    (problem,) = below(DEMO, shares, None)
    assert problem.code == "push-floor-live"
    assert problem.what == "be-leaf-001 would keep 47/64 of its uplinks"
    assert problem.why.startswith("the floor is 3/4 of their bandwidth")
    assert problem.fix.endswith("or write --floor 47/64")
    assert below(DEMO, shares, Fraction(47, 64)) == ()
    (problem,) = below(DEMO, shares, Fraction(7, 8))
    assert problem.what == "be-leaf-001 would keep 47/64 of its uplinks, and 3 more less than their floor"
    assert below(DEMO, live_shares(DEMO, ("be-spine-02",), seen), None) == ()


def test_what_is_broken_at_the_worst_switch_is_named() -> None:
    one, other = cable("be-leaf-001", "be-spine-02"), cable("be-leaf-002", "be-spine-02")
    seen = found({"be-leaf-001": port(one.neighbors.port, oper_up=False)})
    shares = live_shares(DEMO, ("be-spine-00",), seen)
    (problem,) = below(DEMO, shares, None, seen)
    down = f"be-leaf-001: port {one.neighbors.port} is down"
    assert problem.what == f"be-leaf-001 would keep 47/64 of its uplinks: {down}"
    session = Finding("be-leaf-001", "sessions", "session-down", "session", "is down", "", "", port=one.neighbors.port)
    (problem,) = below(DEMO, shares, None, [session, *seen])
    assert problem.what.endswith(down)
    (problem,) = below(DEMO, shares, None, [session._replace(port="swp99"), *seen])
    assert problem.what.endswith(f"{down}, and 1 more")
    elsewhere = found({"be-leaf-002": port(other.neighbors.port, oper_up=False)})
    (problem,) = below(DEMO, shares, None, elsewhere)
    assert problem.what == "be-leaf-001 would keep 47/64 of its uplinks"
    far = found({"be-spine-02": port(one.far.port, oper_up=False)})
    (problem,) = below(DEMO, shares, None, far)
    assert f": be-spine-02: port {one.far.port} is down" in problem.what


def test_a_spine_that_runs_drained_takes_nothing_and_is_missing_for_the_others() -> None:
    """A link to another spine is broken: to bring the drained one back takes nobody's uplinks, and helps."""
    one = cable("be-leaf-001", "be-spine-02")
    seen = found({"be-leaf-001": port(one.neighbors.port, oper_up=False)})
    idle = frozenset({"be-spine-00"})
    assert live_shares(DEMO, ("be-spine-00",), seen, idle) == {}
    both = live_shares(DEMO, ("be-spine-00", "be-spine-01"), seen, idle)
    assert both == live_shares(DEMO, ("be-spine-00", "be-spine-01"), seen)
    assert both["be-leaf-001"] == Fraction(31, 64)  # 64 uplinks, 16 to each spine


def test_nothing_left_offers_no_floor() -> None:
    seen = [silent(f"be-spine-0{at}") for at in range(3)]
    (problem,) = below(DEMO, live_shares(DEMO, ("be-spine-03",), seen), None)
    assert problem.what.startswith("be-leaf-000 would keep 0 of its uplinks")
    assert "--floor" not in problem.fix


def test_of_a_switch_that_is_away_itself_nothing_is_said() -> None:
    """Two superspines a group and two spines a pod: the spine loses one of two uplinks, and is away itself."""
    plan = clos(spines=2, links=1, planes=1, pods=2, cores=2, borders=0, exceptions=Exceptions())
    assert set(live_shares(plan, ("be-super-00",), [])) == {"be-spine-00", "be-spine-02"}
    assert set(live_shares(plan, ("be-super-00", "be-spine-00"), [])) == {"be-spine-02", *list(cables(plan))[:4]}


def test_what_the_plan_has_drained_counts_as_lost() -> None:
    plan = with_exceptions(DEMO, Exceptions(devices={"be-spine-00": "drained", "be-leaf-003": "drained"}))
    assert live_shares(plan, ("be-spine-01",), []) == dict.fromkeys(LEAVES[:3], Fraction(1, 2))
    (problem,) = below(plan, live_shares(plan, ("be-spine-01",), []), None)
    assert "1/2 of its uplinks" in problem.what


def test_every_code_is_one_that_verify_has() -> None:
    known = {code.code for check in LIVE_CHECKS for code in check.codes}
    assert known >= MUTE | OUT | BROKEN


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([(one, end) for name in LEAVES for one in CABLES[name] for end in (one.neighbors, one.far)])
    ),
    st.sets(st.sampled_from([f"be-spine-0{at}" for at in range(4)])),
    st.sets(st.sampled_from([f"be-spine-0{at}" for at in range(4)]), max_size=1),
)
def test_shares_by_hand(broken: list[tuple[Cable, PortKey]], gone: set[str], mute: set[str]) -> None:
    ports = [end for _, end in broken]
    down = [Finding(*end[:1], "interfaces", "interface-down", "", "", "", "", port=end.port) for end in ports]
    findings = [*down, *map(silent, sorted(mute))]
    wanted = {name: kept(CABLES[name], gone | mute, ports) for name in LEAVES}
    if gone:
        lose = {
            name
            for name, own in hit(CABLES, gone - mute)
            if any(one.upper in gone - mute and not {one.neighbors, one.far} & set(ports) for one in own)
        }
        wanted = {name: value for name, value in wanted.items() if name in lose}
    seen = {name: value for name, value in live_shares(DEMO, gone, findings).items() if name.startswith("be-")}
    assert seen == wanted
    short = [name for name, value in wanted.items() if value < default_floor(CABLES[name])]
    assert [one.code for one in below(DEMO, seen, None)] == ["push-floor-live"] * bool(short)


def test_the_other_leaf_of_a_pair_must_be_able_to_carry_on() -> None:
    assert without_mates(DEMO, ("fe-leaf-002", "fe-border-00", "be-leaf-000", "be-spine-00"), []) == ()
    (problem,) = without_mates(DEMO, ("fe-leaf-002",), [silent("fe-leaf-003")])
    assert problem.code == "push-mate-live"
    assert problem.what == "fe-leaf-002 cannot be taken out of service now: fe-leaf-003 cannot take over its traffic"
    assert without_mates(DEMO, ("fe-leaf-003",), [silent("fe-leaf-003")]) == ()
    assert len(without_mates(DEMO, ("fe-leaf-002", "fe-leaf-003"), [])) == 2  # no wave has both
    no_uplinks = found({"fe-border-01": sessions(lambda system, _, __: system.startswith("fe-spine"))})
    assert [one.what for one in without_mates(DEMO, ("fe-border-00", "fe-leaf-000"), no_uplinks)] == [
        "fe-border-00 cannot be taken out of service now: fe-border-01 cannot take over its traffic"
    ]


def test_a_mate_that_the_plan_has_drained_was_decided_of_before() -> None:
    plan = with_exceptions(DEMO, Exceptions(devices={"fe-leaf-003": "drained"}))
    assert without_mates(plan, ("fe-leaf-002",), [silent("fe-leaf-003")]) == ()
    shut = with_exceptions(
        DEMO, Exceptions(ports=dict.fromkeys((one.neighbors for one in CABLES["fe-leaf-003"]), "absent"))
    )
    assert without_mates(shut, ("fe-leaf-002",), [silent("fe-leaf-003")]) == ()


def test_no_findings_no_faults() -> None:
    faults = faults_of([silent("be-leaf-000", "session-unexpected"), silent("be-leaf-000", "lldp-missing")])
    assert (faults.silent, faults.out, faults.ports, faults.pairs) == (frozenset(),) * 4
