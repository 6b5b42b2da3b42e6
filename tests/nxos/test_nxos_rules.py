"""No rule is broken and no name hangs; every rule and every kind of name is fed a text that breaks it."""

import re

import pytest

from tests.nxos.fleet import NAMES, made, render, text_of
from tests.nxos.references import KINDS, Kind, loose
from tests.nxos.rules import RULES, broken
from tests.some import some

LEAF, FRONT, BORDER = "demo backend leaf", "wide frontend leaf", "demo frontend border-leaf"
SPINE, CORE = "demo frontend spine", "pods frontend superspine"


@pytest.mark.parametrize("name", some(NAMES, of=4))
def test_no_rule_is_broken_and_no_name_hangs(name: str) -> None:
    assert broken(text_of(name)) == []
    assert loose(text_of(name)) == []


@pytest.mark.parametrize("kind", ["fec", "idle", "divided", "static"])
def test_rare_ports_break_none(kind: str) -> None:
    assert broken(render(made(kind))) == []


EDITS = (
    ("feature_missing", LEAF, "feature bgp\n", ""),
    ("feature_missing", FRONT, "feature dhcp\n", ""),
    ("feature_missing", SPINE, "nv overlay evpn\n", ""),
    ("feature_missing", LEAF, r"feature sflow\n([\s\S]*)", r"\1\nfeature sflow\n"),
    ("feature_idle", LEAF, "feature bgp\n", "feature bgp\nfeature bfd\n"),
    ("feature_idle", LEAF, "feature bgp\n", "feature bgp\nfeature interface-vlan\n"),
    ("address_too_early", BORDER, r"(  vrf member research\n)(.*\n  ip address .*\n)", r"\2\1"),
    ("address_too_early", LEAF, r"  no switchport\n", ""),
    ("paused_not_marked", LEAF, "set qos-group 3", "set qos-group 4"),
    ("paused_not_marked", LEAF, "pause pfc-cos 3", "pause pfc-cos 4"),
    ("paused_not_queued", LEAF, " weight 0 ecn", " weight 0"),
    ("paused_not_queued", LEAF, "c-out-8q-q3", "c-out-8q-q4"),
    ("pause_half_told", LEAF, "  priority-flow-control watch-dog-interval on\n", ""),
    ("pause_half_told", LEAF, r"\npriority-flow-control watch-dog-interval on\n", "\n"),
    ("pause_half_told", LEAF, "  service-policy type network-qos NETWORK\n", ""),
    ("pause_half_told", LEAF, "  service-policy type qos input MARKS\n", ""),
    ("shares", LEAF, "percent 95", "percent 94"),
    ("shares", LEAF, "priority level 2", "priority level 1"),
    ("thresholds", LEAF, "maximum-threshold 3000", "maximum-threshold 950"),
    ("next_hop_changed", SPINE, "  set ip next-hop unchanged\n", ""),
    ("next_hop_changed", CORE, "  set ip next-hop unchanged\n", ""),
    ("next_hop_changed", SPINE, "    retain route-target all\n", ""),
    ("communities_lost", SPINE, "      send-community extended\n", ""),
    ("communities_lost", LEAF, "      send-community\n", ""),
    ("tunnel_end_hidden", FRONT, "source-interface loopback1", "source-interface loopback2"),
    ("tunnel_end_hidden", FRONT, r"    network 10\.140\.0\.\d*[13579]/32\n", ""),
    ("balanced_not_routed", LEAF, "dlb-interface ", "dlb-interface Eth1/65,"),
)


@pytest.mark.parametrize(("rule", "name", "old", "new"), some(EDITS, of=2))
def test_a_broken_text_is_seen(rule: str, name: str, old: str, new: str) -> None:
    changed = re.sub(old, new, text_of(name))
    assert changed != text_of(name)
    assert rule in broken(changed)


def test_every_rule_is_broken_once() -> None:
    assert {rule for rule, *_ in EDITS} == set(RULES)


@pytest.mark.parametrize("kind", KINDS, ids=lambda row: row.name)
def test_a_hanging_name_is_seen(kind: Kind) -> None:
    """A name is defined under another one: what used it hangs."""
    for name in NAMES:
        text = text_of(name)
        for pattern in kind.defined:
            last = pattern.split(" > ")[-1]
            for match in re.finditer(rf"^ *{last}$", text, re.MULTILINE):
                at = slice(*match.span("name"))
                lost = text[: at.start] + "4000" + text[at.stop :]
                if any(row.fault == "undefined" and row.kind == kind.name for row in loose(lost)):
                    return
    pytest.fail(f"no {kind.name} is missed")
