"""A daemon that is dead is named, and so in all that follows; a rule beside the kernel's own is told."""

from dataclasses import replace

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.state.state import Daemon, PolicyRule, State
from fabricgen.verify.finding import Finding, Unchecked
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, RIGHT, bgp, both, session, without

ZEBRA = Daemon("zebra", True, ("routes", "vnis", "evpn"))
BGPD = Daemon("bgpd", True, ("sessions", "evpn"))
BFDD = Daemon("bfdd", True, ("bfd",))


def dead(name: str, state: State = RIGHT) -> State:
    """All three run but for one."""
    return replace(state, daemons=tuple(one._replace(running=one.name != name) for one in (ZEBRA, BGPD, BFDD)))


def told(state: State, *lines: Drift) -> list[tuple[str, str, str]]:
    found: tuple[Finding, ...] = judge(LEAF, state, lambda _, __: lines).findings
    return [(one.code, one.subject, one.explained) for one in found]


def test_daemons_that_run_are_no_finding() -> None:
    verdict = judge(LEAF, dead(""), lambda _, __: ())
    assert verdict.findings == ()
    assert dict(verdict.passed)["reachable"] == 4  # its name too


def test_zebra_is_the_cause_of_what_is_not_there_without_it() -> None:
    state = dead("zebra", both(without("vnis", 0, 1, 2), without("evpn", 0))(RIGHT))
    cause = "zebra does not run"
    assert told(state, Drift((), "vni 50001", False)) == [
        ("daemon-dead", "daemon zebra", ""),
        ("vni-missing", "VNI 10020", cause),
        ("vni-missing", "VNI 10021", cause),
        ("vni-missing", "VNI 50001", cause),
        ("evpn-missing", "EVPN routes of type 3 of leaf1", cause),
        ("drift-missing", "configuration", cause),
    ]


def test_a_daemon_that_hangs_is_not_said_to_be_dead() -> None:
    hung = replace(RIGHT, daemons=(ZEBRA, BGPD._replace(hangs=True), BFDD), vnis=RIGHT.vnis)
    found = judge(LEAF, hung, lambda _, __: (Drift((), "router bgp 65001", False),)).findings
    assert [(one.code, one.subject, one.problem, one.explained) for one in found] == [
        ("daemon-hangs", "daemon bgpd", "does not respond", ""),
        ("drift-missing", "configuration", "lacks 1 line in 1 section", "bgpd hangs"),
    ]


def test_the_speaker_s_daemon() -> None:
    state = dead("bgpd", bgp(asn=0, router_id="", sessions=())(RIGHT))
    assert told(state)[:2] == [("daemon-dead", "daemon bgpd", ""), ("bgp-not-running", "BGP", "bgpd does not run")]


def test_an_own_route_is_announced_without_any_session() -> None:
    state = both(without("evpn", 0), session(4, state="Idle", families=()))(RIGHT)
    assert ("evpn-missing", "EVPN routes of type 3 of leaf1", "") in told(state)


def test_the_daemon_of_bfd_where_bfd_is_planned_and_where_it_is_not() -> None:
    gone = dead("bfdd", replace(RIGHT, bfd=()))
    found = told(gone)
    assert found[0] == ("daemon-dead", "daemon bfdd", "")
    assert {(code, cause) for code, _, cause in found[1:]} == {("bfd-missing", "bfdd does not run")}
    assert judge(replace(LEAF, bfd=()), gone, lambda _, __: ()).findings == ()


@pytest.mark.parametrize(
    ("wanted", "version", "is_right"),
    [
        ("4.34", "4.34.1F", True),
        ("4.34", "4.33.2F", False),
        ("4.3", "4.34.1F", False),
        ("8.4", "8.4.4", True),
        ("8.4", "18.4.4", False),
        ("10.5", "10.5(2)", True),
        ("10.4.3", "10.4(3)", True),
        ("10.4.3F", "10.4(3) [Feature Release]", True),
        ("10.4.3.F", "10.4(3)", True),
        ("10.4.3", "10.4(4)", False),
        ("10.4.3", "10.4(3a)", True),
        ("10.4.3F", "10.4(3a)", False),
        ("4.34.2F", "4.34.2F-35513.4342F", True),
        ("4.34.2F", "4.34.2.1F", False),
        ("24.4R1", "24.4R1.9", True),
        ("24.4R1-EVO", "24.4R1.9-EVO", True),
        ("23.4R2-EVO", "23.4R2-S3.9-EVO", True),
        ("24.4R1-EVO", "24.4R1.9", False),
        ("24.4R1-EVO", "24.4R10.9-EVO", False),
        ("202505", "SONiC.202505.1-4d2f", True),
        ("202505", "SONiC.202411.3-77aa", False),
        ("5.11", "5.11.0", True),
        ("5.11", "4.5.11", False),
    ],
)
def test_the_release_that_runs(wanted: str, version: str, *, is_right: bool) -> None:
    """Forms as systems say them: EOS, FRR, NX-OS, Junos, SONiC, Cumulus."""
    assert RIGHT.facts is not None
    state = replace(RIGHT, facts=RIGHT.facts._replace(version=version))
    found = judge(replace(LEAF, version=wanted), state, lambda _, __: ()).findings
    assert [(one.code, one.expected, one.actual) for one in found] == (
        [] if is_right else [("release-other", wanted, version)]
    )


def test_a_release_that_is_not_known_is_not_compared() -> None:
    assert RIGHT.facts is not None
    unsaid = replace(RIGHT, facts=RIGHT.facts._replace(version=""))
    silent = judge(replace(LEAF, version="4.34"), unsaid, lambda _, __: ())
    assert silent.findings == ()
    reason = "it reports no release; the intent has 4.34"
    assert silent.unchecked == (Unchecked("leaf1", "reachable", reason),)
    # A lab runs what its host has.
    assert judge(replace(LEAF, version=""), unsaid, lambda _, __: ()).unchecked == ()
    sonic = replace(LEAF, system="sonic", version="master")
    verdict = judge(sonic, replace(RIGHT, facts=RIGHT.facts._replace(version="SONiC.HEAD.1-ab")), lambda _, __: ())
    assert verdict.findings == ()
    assert [one.reason for one in verdict.unchecked if one.check == "reachable"] == [
        "SONiC.HEAD.1-ab does not say whether it is master"
    ]


@pytest.mark.parametrize(("version", "codes"), [("SONiC.master.1-ab", []), ("SONiC.202505.1-4d", ["release-other"])])
def test_a_branch_without_a_number_is_no_numbered_release(version: str, codes: list[str]) -> None:
    assert RIGHT.facts is not None
    state = replace(RIGHT, facts=RIGHT.facts._replace(version=version))
    sonic = replace(LEAF, system="sonic", version="master")
    assert [one.code for one in judge(sonic, state, lambda _, __: ()).findings] == codes


def test_daemons_and_rules_that_were_not_read_are_told() -> None:
    state = replace(RIGHT, unread={"daemons": "timeout", "rules": "refused"})
    assert judge(LEAF, state, lambda _, __: ()).unchecked == (
        Unchecked("leaf1", "reachable", "timeout"),
        Unchecked("leaf1", "routes", "refused"),
    )


def test_a_rule_goes_past_the_routing_tables() -> None:
    rules = (PolicyRule("", 77, "IPv4 src all action blackhole"), PolicyRule("red", 9, "IPv6 src all table 99"))
    found = judge(LEAF, replace(RIGHT, rules=rules), lambda _, __: ()).findings
    assert [(one.check, one.code, one.subject, one.actual) for one in found] == [
        ("routes", "rule-unexpected", "rule 77", "IPv4 src all action blackhole"),
        ("routes", "rule-unexpected", "rule 9 in red", "IPv6 src all table 99"),
    ]
    assert judge(LEAF, replace(RIGHT, rules=()), lambda _, __: ()).findings == ()


def test_files_that_drift_does_not_compare_are_said_where_it_is_judged() -> None:
    reason = "the file of settings is not read back"
    state = replace(RIGHT, unread={"beside": reason})
    assert judge(LEAF, state, lambda _, __: ()).unchecked == (Unchecked("leaf1", "drift", reason),)
    unjudged = judge(replace(LEAF, configuration=None), state, lambda _, __: ()).unchecked
    assert [one.reason for one in unjudged] == ["no file is rendered for it"]
