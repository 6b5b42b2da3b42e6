"""One cause is one finding: what follows from it is counted below it, whatever switch tells it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from fabricgen.state.state import Adjacency, BgpState, Daemon, State
from fabricgen.verify.causes.causes import caused
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict
from fabricgen.verify.judge.device import judge
from fabricgen.verify.report.text import changes, plain, summarize, text
from tests.verify.cables import expected, move, planned, states, swap

LEAF, SPINE = "fe-leaf-000", "fe-spine-00"
Edit = Callable[[State], State]
DOWN = {"state": "Active", "families": ()}


def judged(found: Mapping[str, State], *more: SwitchVerdict) -> tuple[SwitchVerdict, ...]:
    """All switches, each with its causes."""
    own = (judge(one, found[one.device], lambda _, __: ()) for one in expected() if one.device in found)
    return caused((*own, *more))


def changed(**edits: Edit) -> tuple[SwitchVerdict, ...]:
    there = states(planned())
    return judged(there | {name: edits[key](there[name]) for name in there if (key := name.replace("-", "_")) in edits})


def both(*edits: Edit) -> Edit:
    def edit(state: State) -> State:
        for one in edits:
            state = one(state)
        return state

    return edit


def port(name: str, **fields: object) -> Edit:
    return lambda state: replace(
        state,
        interfaces=tuple(row._replace(**fields) if row.name == name else row for row in state.interfaces or ()),  # type: ignore[arg-type]
    )


def deaf(name: str) -> Edit:
    return lambda state: replace(state, lldp=tuple(row for row in state.lldp or () if row.port != name))


def peers(*addresses: str) -> Edit:
    def edit(state: State) -> State:
        assert state.bgp is not None
        rows = (row._replace(**DOWN) if row.peer in addresses else row for row in state.bgp.sessions)  # type: ignore[arg-type]
        return replace(state, bgp=state.bgp._replace(sessions=tuple(rows)))

    return edit


def named(system: str, name: str) -> Mapping[str, State]:
    """All that hear a system hear it under another name."""
    there = states(planned())
    return {
        device: replace(
            state,
            lldp=tuple(row._replace(system=name) if row.system == system else row for row in state.lldp or ()),
        )
        for device, state in there.items()
    }


def causes(found: tuple[SwitchVerdict, ...]) -> list[tuple[str, str, str]]:
    return [(one.device, one.code, one.subject) for v in found for one in v.findings if one.cause is None]


def follows(found: tuple[SwitchVerdict, ...]) -> dict[tuple[str, str], tuple[str, str, str] | None]:
    return {(one.device, one.code): one.cause for v in found for one in v.findings if one.cause is not None}


CUT = {
    "fe_leaf_000": both(port("swp29", oper_up=False), deaf("swp29"), peers("10.128.0.17", "fd5e:8c1f:2a00:1000::11")),
    "fe_spine_00": both(port("swp3", oper_up=False), deaf("swp3"), peers("10.128.0.16", "fd5e:8c1f:2a00:1000::10")),
}


def test_a_cut_cable_is_one_finding() -> None:
    found = changed(**CUT)
    cause = (LEAF, "interface-down", "port swp29")
    assert causes(found) == [cause]
    assert set(follows(found)) == {
        (LEAF, "lldp-missing"),
        (LEAF, "session-down"),
        (SPINE, "interface-down"),
        (SPINE, "lldp-missing"),
        (SPINE, "session-down"),
    }
    assert set(follows(found).values()) == {cause}


def test_two_cut_cables_are_two_findings() -> None:
    two = both(CUT["fe_leaf_000"], port("swp30", oper_up=False), deaf("swp30"))
    assert causes(changed(**CUT | {"fe_leaf_000": two})) == [
        (LEAF, "interface-down", "port swp29"),
        (LEAF, "interface-down", "port swp30"),
    ]


def test_a_port_that_was_shut_is_the_cause_at_both_ends() -> None:
    shut = both(port("swp3", admin_up=False, oper_up=False), deaf("swp3"))
    found = changed(fe_leaf_000=CUT["fe_leaf_000"], fe_spine_00=shut)
    assert causes(found) == [(SPINE, "interface-shut", "port swp3")]


def test_a_fault_of_another_kind_on_the_same_switch_stays_one_of_its_own() -> None:
    found = changed(**CUT | {"fe_leaf_000": both(CUT["fe_leaf_000"], port("swp30", mtu=1500))})
    assert causes(found) == [(LEAF, "interface-down", "port swp29"), (LEAF, "mtu-wrong", "port swp30")]


def test_sessions_that_both_ends_call_down_are_one() -> None:
    """In both families: something between the two keeps BGP away."""
    found = changed(
        fe_leaf_000=peers("10.128.0.17", "fd5e:8c1f:2a00:1000::11"),
        fe_spine_00=peers("10.128.0.16", "fd5e:8c1f:2a00:1000::10"),
    )
    assert [(device, code) for device, code, _ in causes(found)] == [(LEAF, "session-down")]
    assert len(follows(found)) == 2


def test_a_daemon_is_the_cause_of_all_that_its_neighbors_tell() -> None:
    def dead(state: State) -> State:
        gone = Daemon("bgpd", False, ("sessions", "evpn"))
        return replace(state, bgp=BgpState(0, "", ()), daemons=(gone,))

    found = changed(fe_spine_00=dead, fe_leaf_000=peers("10.128.0.17", "10.128.192.12"))
    assert causes(found) == [(SPINE, "daemon-dead", "daemon bgpd")]
    assert follows(found)[LEAF, "session-down"] == (SPINE, "daemon-dead", "daemon bgpd")


def test_a_switch_that_does_not_answer_is_the_cause_of_what_is_missing_of_it() -> None:
    there = states(planned())
    del there[SPINE]
    there[LEAF] = both(port("swp29", oper_up=False), deaf("swp29"), peers("10.128.0.17"))(there[LEAF])
    words = ("the switch", "cannot be reached", "an answer", "timeout")
    silent = SwitchVerdict(
        device=SPINE, passed=(), findings=(Finding(SPINE, "reachable", "unreachable", *words),), unchecked=()
    )
    assert causes(judged(there, silent)) == [(SPINE, "unreachable", "the switch")]


def test_two_swapped_cables_are_one_finding() -> None:
    one, other = (FindingEnd(LEAF, "swp29"), FindingEnd("fe-leaf-001", "swp29"))
    found = judged(states(swap(planned(), one, other)))
    ((device, code, _),) = causes(found)
    assert (device, code) == (LEAF, "lldp-wrong-port")
    assert len([f for v in found for f in v.findings]) == 4


@pytest.mark.parametrize("name", ["core-1", "core-1.example.net"])
def test_a_switch_that_was_renamed_is_one_finding(name: str) -> None:
    found = judged(named(SPINE, name))
    assert causes(found) == [(SPINE, "lldp-renamed", f"the name of {SPINE}")]
    (one,) = [f for v in found for f in v.findings if f.cause is None]
    assert (one.expected, one.actual) == (SPINE, name)
    assert {code for _, code in follows(found)} == {"lldp-wrong-peer"}


def test_a_switch_whose_host_name_changed_too_is_told_by_that() -> None:
    there = dict(named(SPINE, "core-1"))
    facts = there[SPINE].facts
    assert facts is not None
    there[SPINE] = replace(there[SPINE], facts=facts._replace(hostname="core-1"))
    assert causes(judged(there)) == [(SPINE, "another-name", "the switch")]


def test_cables_to_a_switch_of_the_plan_are_cables_and_no_name() -> None:
    found = judged(named(SPINE, "fe-spine-01"))
    assert "lldp-renamed" not in {code for _, code, _ in causes(found)}


def test_two_names_and_other_ports_are_cables_and_no_name() -> None:
    there = dict(named(SPINE, "core-1"))
    rows = there[LEAF].lldp or ()
    moved = tuple(row._replace(system="core-2") if row.port == "swp29" else row for row in rows)
    assert "lldp-renamed" not in {
        code for _, code, _ in causes(judged(there | {LEAF: replace(there[LEAF], lldp=moved)}))
    }
    elsewhere = tuple(row._replace(port_id="swp31") if row.port == "swp29" else row for row in rows)
    there[LEAF] = replace(there[LEAF], lldp=elsewhere)
    assert "lldp-renamed" not in {code for _, code, _ in causes(judged(there))}


def test_one_cable_alone_is_a_name_only_where_the_far_end_hears_this_one() -> None:
    one = Adjacency("swp29", "core-1", "swp3")

    def renamed(state: State) -> State:
        return replace(state, lldp=tuple(one if row.port == "swp29" else row for row in state.lldp or ()))

    assert [code for _, code, _ in causes(changed(fe_leaf_000=renamed))] == ["lldp-renamed"]
    found = changed(fe_leaf_000=renamed, fe_spine_00=deaf("swp3"))
    assert "lldp-renamed" not in {code for _, code, _ in causes(found)}


def test_a_site_without_a_finding_has_no_cause() -> None:
    found = changed()
    assert (causes(found), summarize(found).findings, summarize(found).consequences) == ([], 0, 0)
    assert not next(iter(text(found, verbose=False))).startswith("to do")


def test_the_report_has_what_to_do_first_and_consequences_counted() -> None:
    found = changed(**CUT)
    lines = list(text(found, verbose=False))
    assert lines[0] == "fix:"
    assert lines[1].startswith("  1. fe-leaf-000: port swp29 is down. Possible causes: cable or transceiver, ")
    assert lines[3] == "fe-leaf-000  interfaces: port swp29 is down. Expected: up. Actual: enabled and down."
    assert lines[4] == ("             7 consequences: interfaces 1, lldp 2, sessions 4 (on fe-leaf-000, fe-spine-00)")
    assert lines[-1].partition(": ")[2].startswith("1 finding with 7 consequences on 2 devices, ")
    every = list(text(found, verbose=True))
    assert sum(" is not established. " in line for line in every) == 4
    assert sum(" is not established. " in line for line in lines) == 0


def test_json_keeps_every_consequence_and_marks_it() -> None:
    told = plain(changed(**CUT))
    rows = [row for switch in told["switches"] for row in switch["findings"]]  # type: ignore[attr-defined]
    assert len(rows) == 8
    assert told["summary"]["findings"] == 8  # type: ignore[index]
    assert told["summary"]["consequences"] == 7  # type: ignore[index]
    (cause,) = [row for row in rows if "cause" not in row]
    assert cause["consequences"] == 7
    assert {tuple(row["cause"].items()) for row in rows if "cause" in row} == {
        (("device", LEAF), ("code", "interface-down"), ("subject", "port swp29"))
    }


def test_a_finding_whose_cause_is_another_now_is_still_the_same() -> None:
    found = changed(**CUT)
    bare = tuple(replace(v, findings=tuple(f._replace(cause=None) for f in v.findings)) for v in found)
    assert changes(bare, found) == ((), ())


def test_a_cable_in_the_wrong_hole_leaves_the_right_one_dark() -> None:
    """Three ports tell of one cable: its own, the hole that it is in, and the one where it belongs."""
    there = states(move(planned(), FindingEnd(SPINE, "swp3"), FindingEnd(SPINE, "swp9")))
    there[SPINE] = port("swp3", oper_up=False)(there[SPINE])
    found = judged(there)
    ((device, code, subject),) = causes(found)
    assert (device, code, subject.partition(" (")[0]) == (LEAF, "lldp-wrong-port", "port swp29")
    assert {(SPINE, "interface-down"), (SPINE, "lldp-unexpected-peer")} <= set(follows(found))


def test_lldp_that_is_off_is_one_finding() -> None:
    def silent(state: State) -> State:
        return replace(state, lldp=())

    found = changed(fe_spine_00=silent, fe_leaf_000=deaf("swp29"), fe_leaf_001=deaf("swp29"))
    assert causes(found) == [(SPINE, "lldp-silent", "LLDP")]
