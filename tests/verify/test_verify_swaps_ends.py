"""Two ends of a link tell one story: what is wrong at one explains what is seen at the other."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fabricgen.state.state import SVI, BgpState, State
from fabricgen.verify.causes.miscabling import explain
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict, Unchecked
from tests.verify.cables import findings, planned, states, verdicts

Edit = Callable[[State], State]


def judged(**edits: Edit) -> dict[tuple[str, str], Finding]:
    """Findings of the site with edits of some switches, named with _ for -."""
    found = states(planned())
    for name, edit in edits.items():
        found[name.replace("_", "-")] = edit(found[name.replace("_", "-")])
    return findings(verdicts(found))


def deaf(*ports: str) -> Edit:
    return lambda state: replace(state, lldp=tuple(row for row in state.lldp or () if row.port not in ports))


def port(name: str, **fields: object) -> Edit:
    return lambda state: replace(
        state,
        interfaces=tuple(
            row._replace(**fields) if row.name == name else row  # type: ignore[arg-type]
            for row in state.interfaces or ()
        ),
    )


def peer(address: str, **fields: object) -> Edit:
    def edit(state: State) -> State:
        assert state.bgp is not None
        rows = (s._replace(**fields) if s.peer == address else s for s in state.bgp.sessions)  # type: ignore[arg-type]
        return replace(state, bgp=state.bgp._replace(sessions=tuple(rows)))

    return edit


def both(*edits: Edit) -> Edit:
    def edit(state: State) -> State:
        for one in edits:
            state = one(state)
        return state

    return edit


DOWN = {"state": "Active", "families": ()}


def test_a_link_that_carries_one_way() -> None:
    found = judged(fe_leaf_000=deaf("swp29"))
    assert {key: finding.explained for key, finding in found.items()} == {
        ("fe-leaf-000", "port swp29"): (
            "fe-spine-00 swp3 receives LLDP from this end: the link works in one "
            "direction only, and nothing from there arrives"
        )
    }


ONE_WAY = "fe-leaf-000 swp29 receives no LLDP over this link: it works in one direction only"
SPINE_S = ("fe-spine-00", "session 10.128.0.16 on swp3")


def test_sessions_over_a_link_that_carries_one_way() -> None:
    """What the end that is heard says of them."""
    silent, gone = both(deaf("swp29"), peer("10.128.0.17", **DOWN)), peer("10.128.0.16", **DOWN)
    found = judged(fe_leaf_000=silent, fe_spine_00=gone)
    assert found["fe-leaf-000", "session 10.128.0.17 on swp29"].explained == "port swp29 has no LLDP neighbor"
    assert (found[SPINE_S].code, found[SPINE_S].explained) == ("session-down", ONE_WAY)
    assert judged(fe_leaf_000=deaf("swp31"), fe_spine_00=gone)[SPINE_S].explained == ""  # the link beside it
    found = judged(fe_leaf_000=silent, fe_spine_00=both(gone, lambda state: replace(state, lldp=None)))
    assert found[SPINE_S].explained == "fe-leaf-000 swp29 receives no LLDP over this link"


def test_all_sessions_over_the_only_link_that_carries_one_way() -> None:
    words = ("sessions with b", "are all down", "2 Established", "none")
    down = Finding("a", "sessions", "session-down", *words, port="p1", far=FindingEnd("b", "s1"))
    words = ("port s1", "has no LLDP neighbor", "a p1", "no neighbor")
    silent = Finding("b", "lldp", "lldp-missing", *words, port="s1", far=FindingEnd("a", "p1"))
    for finding in (down, lost("a")):  # or BFD
        told = alone(finding, silent)[0].findings[0].explained
        assert told == "b s1 receives no LLDP over this link: it works in one direction only"


def test_a_gateway_that_is_down_explains_no_session() -> None:
    """It is no port that a session runs over; those between loopbacks have none."""

    def down(state: State) -> State:
        rows = (row._replace(oper_up=False) if row.kind == SVI else row for row in state.interfaces or ())
        return replace(state, interfaces=tuple(rows))

    found = judged(fe_leaf_000=down, fe_spine_00=peer("10.128.192.4", **DOWN))
    assert {one.code for one in found.values()} == {"interface-down", "session-down"}
    assert found["fe-spine-00", "session 10.128.192.4"].explained == ""


def test_another_switch_is_a_cause_and_another_name_is_none() -> None:
    named = Finding("b", "reachable", "another-name", "the switch", "has another hostname", "b", "x")
    assert alone(named, lost("a"))[1].findings[0].explained == ""
    other = named._replace(code="another-switch", problem="belongs to another switch")
    assert alone(other, lost("a"))[1].findings[0].explained == "b: belongs to another switch"


def test_a_link_on_which_neither_hears() -> None:
    found = judged(fe_leaf_000=deaf("swp29"), fe_spine_00=deaf("swp3"))
    assert {finding.explained for finding in found.values()} == {"neither end receives LLDP from the other"}
    assert len(found) == 2


def test_nothing_is_said_of_a_far_end_whose_lldp_was_not_read() -> None:
    found = judged(fe_leaf_000=deaf("swp29"), fe_spine_00=lambda state: replace(state, lldp=None))
    assert {finding.explained for finding in found.values()} == {""}


def test_a_port_that_was_shut_explains_the_other_end() -> None:
    there = states(planned())
    dark = both(port("swp29", oper_up=False), deaf("swp29"), peer("10.128.0.17", **DOWN))
    there["fe-leaf-000"] = dark(there["fe-leaf-000"])
    there["fe-spine-00"] = both(port("swp3", admin_up=False, oper_up=False), deaf("swp3"))(there["fe-spine-00"])
    found = [(f.device, f.code, f.explained) for verdict in verdicts(there) for f in verdict.findings]
    assert found == [
        ("fe-leaf-000", "interface-down", "fe-spine-00 swp3 is shut down"),
        ("fe-leaf-000", "lldp-missing", "port swp29 is down"),
        ("fe-leaf-000", "session-down", "port swp29 is down"),
        ("fe-spine-00", "interface-shut", ""),
        ("fe-spine-00", "lldp-missing", "port swp3 is shut down"),
    ]


def test_a_far_port_that_was_shut_explains_silence() -> None:
    """Some transceivers keep the light on: this end stays up."""
    found = judged(fe_leaf_000=deaf("swp29"), fe_spine_00=port("swp3", admin_up=False, oper_up=False))
    assert found["fe-leaf-000", "port swp29"].explained == "fe-spine-00 swp3 is shut down"


def test_nothing_is_said_of_a_far_end_that_was_not_judged() -> None:
    there = states(planned())
    del there["fe-spine-00"]
    there["fe-leaf-000"] = both(deaf("swp29"), peer("10.128.0.17", **DOWN))(there["fe-leaf-000"])
    found = findings(verdicts(there))
    assert {finding.code: finding.explained for finding in found.values()} == {
        "lldp-missing": "",
        "session-down": "port swp29 has no LLDP neighbor",
    }


def test_a_leaf_that_does_not_answer_explains_its_evpn_routes() -> None:
    there = states(planned())
    name = "fe-leaf-001"
    far = "10.128.192.7"
    leaf = there["fe-leaf-000"]
    there["fe-leaf-000"] = replace(leaf, evpn=tuple(row for row in leaf.evpn or () if row.next_hop != far))
    silent = Finding(name, "reachable", "no-answer", "the switch", "does not answer", "an answer", "timeout")
    others = [verdict for verdict in verdicts(there) if verdict.device != name]
    found = explain((*others, SwitchVerdict(device=name, passed=(), findings=(silent,), unchecked=())))
    told = [f for verdict in found for f in verdict.findings if f.code == "evpn-missing"]
    assert [(f.subject, f.explained) for f in told] == [
        ("EVPN routes of type 3 of fe-leaf-001", "fe-leaf-001: does not answer"),
        ("EVPN routes of type 5 of fe-leaf-001", "fe-leaf-001: does not answer"),
    ]


def test_an_as_number_typed_wrongly_at_the_other_end() -> None:
    found = judged(fe_leaf_000=peer("10.128.0.17", **DOWN), fe_spine_00=peer("10.128.0.16", remote_as=64999, **DOWN))
    assert found["fe-spine-00", "session 10.128.0.16 on swp3"].code == "session-wrong-as"
    assert found["fe-leaf-000", "session 10.128.0.17 on swp29"].explained == "fe-spine-00 is set to another AS"


def test_a_speaker_that_is_gone_explains_its_neighbors() -> None:
    found = judged(
        fe_leaf_000=both(peer("10.128.0.17", **DOWN), peer("10.128.192.12", **DOWN)),
        fe_spine_00=lambda state: replace(state, bgp=BgpState(0, "", ())),
    )
    assert found["fe-spine-00", "BGP"].code == "bgp-not-running"
    assert found["fe-leaf-000", "session 10.128.0.17 on swp29"].explained == "fe-spine-00 has no BGP session at all"
    assert found["fe-leaf-000", "session 10.128.192.12"].explained == "fe-spine-00 has no BGP session at all"


def test_all_sessions_with_a_speaker_that_is_gone_are_one_finding() -> None:
    spine = ("10.128.0.17", "10.128.0.21", "fd5e:8c1f:2a00:1000::11", "fd5e:8c1f:2a00:1000::15", "10.128.192.12")
    found = judged(
        fe_leaf_000=both(*(peer(address, **DOWN) for address in spine)),
        fe_spine_00=lambda state: replace(state, bgp=BgpState(0, "", ())),
    )
    assert found["fe-leaf-000", "sessions with fe-spine-00"].explained == "fe-spine-00 has no BGP session at all"
    assert [key for key in found if key[0] == "fe-leaf-000"] == [("fe-leaf-000", "sessions with fe-spine-00")]


def test_a_port_that_is_down_does_not_explain_the_sessions_over_another() -> None:
    spine = ("10.128.0.17", "10.128.0.21", "fd5e:8c1f:2a00:1000::11", "fd5e:8c1f:2a00:1000::15", "10.128.192.12")
    one = port("swp29", oper_up=False)
    found = judged(
        fe_leaf_000=both(one, *(peer(address, **DOWN) for address in spine)),
        fe_spine_00=lambda state: replace(state, bgp=BgpState(0, "", ())),
    )
    assert found["fe-leaf-000", "sessions with fe-spine-00"].explained == "fe-spine-00 has no BGP session at all"


def test_all_sessions_with_a_system_that_has_one_of_them_wrong() -> None:
    """Only links are left of the pair, and the far end is set to another AS on both."""
    spine = ("10.128.0.17", "10.128.0.21", "fd5e:8c1f:2a00:1000::11", "fd5e:8c1f:2a00:1000::15", "10.128.192.12")
    found = judged(
        fe_leaf_000=both(*(peer(address, **DOWN) for address in spine)),
        fe_spine_00=both(*(peer(address, remote_as=1, **DOWN) for address in ("10.128.0.16", "10.128.192.4"))),
    )
    assert found["fe-leaf-000", "sessions with fe-spine-00"].explained == "fe-spine-00 is set to another AS"
    found = judged(
        fe_leaf_000=both(*(peer(address, **DOWN) for address in spine)),
        fe_spine_00=peer("10.128.0.24", remote_as=1, **DOWN),  # that is the session with another leaf
    )
    assert found["fe-spine-00", "session 10.128.0.24 on swp4"].code == "session-wrong-as"
    assert found["fe-leaf-000", "sessions with fe-spine-00"].explained == ""


def test_a_ping_that_does_not_pass_for_want_of_a_route() -> None:
    there = states(planned())
    gone = "10.64.1.0/25"
    there["be-leaf-000"] = replace(
        there["be-leaf-000"], routes=tuple(r for r in there["be-leaf-000"].routes or () if r.prefix != gone)
    )
    pings = {
        ("10.64.0.1", "10.64.1.9"): "be-leaf-000 has no route 10.64.1.0/25",
        ("10.64.1.9", "10.64.0.1"): "be-leaf-000 has no route 10.64.1.0/25",
        ("10.64.2.9", "10.64.0.1"): "",
    }
    words = ("a ping", "does not pass", "2 answers", "0 of 2 answers")
    lost = tuple(Finding("train-000", "pings", "ping-lost", *words, between=ping) for ping in pings)
    server = SwitchVerdict(device="train-000", passed=(), findings=lost, unchecked=())
    found = explain((*verdicts(there), server))
    assert {f.between: f.explained for f in found[-1].findings} == pings


def test_a_switch_that_does_not_answer_explains_what_is_missing_of_it() -> None:
    there = states(planned())
    there["fe-leaf-000"] = peer("10.128.0.17", **DOWN)(there["fe-leaf-000"])
    gone = "10.128.192.12/32"
    there["fe-leaf-001"] = replace(
        there["fe-leaf-001"], routes=tuple(r for r in there["fe-leaf-001"].routes or () if r.prefix != gone)
    )
    silent = Finding("fe-spine-00", "reachable", "unreachable", "the switch", "does not answer", "an answer", "timeout")
    spine = SwitchVerdict(device="fe-spine-00", passed=(), findings=(silent,), unchecked=())
    others = [v for v in verdicts(there) if v.device != "fe-spine-00"]
    found = findings(explain((*others, spine)))
    assert found["fe-leaf-000", "session 10.128.0.17 on swp29"].explained == "fe-spine-00: does not answer"
    assert found["fe-leaf-001", f"route {gone} of fe-spine-00"].explained == "fe-spine-00: does not answer"


def test_a_network_that_its_switch_does_not_announce() -> None:
    there = states(planned())
    gone = "10.128.192.5/32"
    for name in ("fe-leaf-001", "fe-leaf-002"):
        there[name] = replace(there[name], routes=tuple(r for r in there[name].routes or () if r.prefix != gone))
    drift = Finding(
        "fe-leaf-000", "drift", "drift-missing", "router bgp 1", "lacks", "words", "none", lines=(f"network {gone}",)
    )
    found = findings(
        explain(
            replace(verdict, findings=(drift,)) if verdict.device == "fe-leaf-000" else verdict
            for verdict in verdicts(there)
        )
    )
    assert found["fe-leaf-001", f"route {gone} of fe-leaf-000"].explained == (
        "fe-leaf-000 lacks it in its configuration"
    )


def lost(name: str) -> Finding:
    far = {"a": FindingEnd("b", "s1"), "b": FindingEnd("a", "p1")}[name]
    own = {"a": "p1", "b": "s1"}[name]
    words = ("session", "is down in BFD", "BFD up", "BFD down")
    return Finding(name, "bfd", "bfd-down", *words, port=own, far=far, family=4)


def alone(*found: Finding) -> tuple[SwitchVerdict, ...]:
    """Explained together, each the only finding of its switch."""
    return explain(SwitchVerdict(device=one.device, passed=(), findings=(one,), unchecked=()) for one in found)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("a", "b"), "both ports are up, but packets are lost between them in at least one direction"),
        (("a",), ""),
    ],
)
def test_bfd_that_is_down_over_links_that_are_up(names: tuple[str, ...], text: str) -> None:
    found = explain(
        SwitchVerdict(device=name, passed=(), findings=(lost(name),) if name in names else (), unchecked=())
        for name in ("a", "b")
    )
    assert {finding.explained for verdict in found for finding in verdict.findings} == {text}


def test_what_is_explained_already_stays_and_verdicts_keep_their_rest() -> None:
    finding = lost("a")._replace(explained="port p1 is down")
    verdict = SwitchVerdict(
        device="a", passed=(("bfd", 3),), findings=(finding,), unchecked=(Unchecked("a", "qos", "not said"),)
    )
    assert explain([verdict]) == (verdict,)


def test_a_shut_far_port_is_named_while_lldp_still_remembers_it() -> None:
    """What LLDP has heard lives on for its time: both ports are still told their neighbor."""
    found = judged(fe_leaf_000=port("swp29", oper_up=False), fe_spine_00=port("swp3", admin_up=False, oper_up=False))
    assert {finding.code for finding in found.values()} == {"interface-down", "interface-shut"}
    assert found["fe-leaf-000", "port swp29"].explained == "fe-spine-00 swp3 is shut down"
