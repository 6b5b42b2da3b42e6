"""Mismatches seeded into recorded outputs: each is found, named and blamed on nothing else."""

import copy
from functools import cache

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.eos.live.reader import EOS, RUNNING
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.device import judge
from tests.live.mismatches import CASES, LEAF, SPINE, Case
from tests.live.recorded import FABRIC, collected, recordings
from tests.live.recorded_expected import expected
from tests.some import some


@cache
def plan() -> dict[str, Expected]:
    """What the configurations say."""
    return expected({name: one.running for name, one in recordings(FABRIC).items()})


def findings(switch: str, changed: dict[str, object]) -> tuple[Finding, ...]:
    """Judge one switch with these outputs in place of the recorded ones."""
    outputs = collected(recordings(FABRIC)[switch], EOS.reads(()), changed)
    return judge(plan()[switch], EOS.state(outputs, {}), EOS.drift).findings


def same(one: Finding, wanted: tuple[str, str, str, str, str]) -> bool:
    """Whether a finding says it; its words around the facts are the judge's own matter."""
    check, code, *facts = wanted
    said = zip(facts, (one.subject, one.expected, one.actual), strict=True)
    return (one.check, one.code) == (check, code) and all(fact in text for fact, text in said)


@pytest.mark.parametrize("switch", [LEAF, SPINE])
def test_nothing_is_found_unless_it_is_seeded(switch: str) -> None:
    assert not findings(switch, {})


@pytest.mark.parametrize("case", some(CASES), ids=[case.name for case in CASES])
def test_each_is_found_and_nothing_else(case: Case) -> None:
    shown = copy.deepcopy(recordings(FABRIC)[case.switch].objects[case.command])
    case.change(shown)
    found = findings(case.switch, {case.command: shown})
    assert len(found) == len(case.found), found
    assert all(same(one, wanted) for one, wanted in zip(found, case.found, strict=True)), found


@pytest.mark.parametrize(
    ("before", "after", "code", "subject", "line"),
    [
        ("   maximum-paths 2 ecmp 2\n", "", "drift-missing", "router bgp 65101", "maximum-paths 2 ecmp 2"),
        (
            "   vxlan udp-port 4789\n",
            "   vxlan udp-port 4789\n   vxlan flood vtep 192.0.2.1\n",
            "drift-extra",
            "interface Vxlan1",
            "vxlan flood vtep 192.0.2.1",
        ),
        (
            "   rd 192.168.255.3:25020\n      route-target import",
            "   rd 192.168.255.3:25020\n      !!by hand\n      route-target import evpn 1:1\n      route-target import",
            "drift-extra",
            "router bgp 65101 / vrf Tenant_B_OP_Zone",
            "route-target import evpn 1:1",
        ),
    ],
)
def test_a_line_changed_by_hand_is_drift(before: str, after: str, code: str, subject: str, line: str) -> None:
    leaf = recordings(FABRIC)[LEAF]
    outputs = dict(collected(leaf, EOS.reads(())))
    assert leaf.running.count(before) == 1
    outputs[RUNNING] = Output(leaf.running.replace(before, after))
    found = judge(plan()[LEAF], EOS.state(outputs, {}), EOS.drift).findings
    assert [(one.code, one.subject) for one in found] == [(code, subject)]
    assert line in found[0].expected + found[0].actual


def test_another_switch_behind_the_address_is_told() -> None:
    state = EOS.state(collected(recordings(FABRIC)[SPINE], EOS.reads(())), {})
    verdict = judge(plan()["DC1-SPINE2"], state, EOS.drift)
    assert [(one.check, one.code, one.actual) for one in verdict.findings] == [("reachable", "another-switch", SPINE)]
    assert not verdict.passed
