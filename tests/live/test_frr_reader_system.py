"""Daemons that run and do not, rules beside the kernel's own, VXLAN devices off their bridge: from recorded words."""

from typing import Any

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.state.state import PolicyRule, State
from tests.live.frr_said import NAMES, NO_NAMESPACE, RULES, outputs

RULE = "ip -j rule show"


def changed(command: str, value: object, error: str = "") -> State:
    """State where one command gave something else."""
    return FRR.state(outputs() | {command: Output(value, error)}, NAMES)


def running(state: State) -> dict[str, bool]:
    return {one.name: one.running for one in state.daemons or ()}


def test_all_daemons_run() -> None:
    assert running(FRR.state(outputs(), NAMES)) == {"zebra": True, "bgpd": True, "staticd": True, "bfdd": True}


@pytest.mark.parametrize("dead", ["zebra", "bgpd", "staticd", "bfdd"])
def test_a_daemon_that_vtysh_does_not_reach_does_not_run(dead: str) -> None:
    said = " ".join(name for name in ("zebra", "bgpd", "staticd", "bfdd") if name != dead)
    assert [name for name, runs in running(changed("show daemons", f" {said}\n")).items() if not runs] == [dead]


HUNG = "sw1: show daemons: zebra hangs, staticd hangs: no answer within 2 s; alive: bgpd"


def test_a_daemon_that_hangs_runs_and_one_that_is_dead_does_not() -> None:
    """Words of napalm_frr, as its own test has them."""
    found = {one.name: (one.running, one.hangs) for one in changed("show daemons", None, HUNG).daemons or ()}
    assert found == {"zebra": (True, True), "bgpd": (True, False), "staticd": (True, True), "bfdd": (False, False)}
    alone = changed("show daemons", None, "sw1: show daemons: bgpd hangs: no answer within 2 s; alive: none")
    assert [one.name for one in alone.daemons or () if one.hangs] == ["bgpd"]


def test_daemons_that_are_not_told_are_unread() -> None:
    assert changed("show daemons", None, "vtysh: timeout").unread["daemons"] == "`show daemons`: vtysh: timeout"
    assert changed("show daemons", "\n").unread["daemons"] == "`show daemons` names none"


def test_the_kernel_s_own_rules_are_none_of_ours() -> None:
    assert FRR.state(outputs(), NAMES).rules == ()
    moved = [{"priority": 32765, "src": "all", "table": "local"}, *RULES[1:]]
    assert changed(RULE, moved).rules == ()


STRANGE: tuple[tuple[dict[str, Any], str], ...] = (
    (
        {"priority": 77, "src": "10.9.0.0", "srclen": 16, "action": "blackhole"},
        "src 10.9.0.0 srclen 16 action blackhole",
    ),
    ({"priority": 78, "src": "all", "fwmark": "0x7", "table": "99"}, "src all fwmark 0x7 table 99"),
    ({"priority": 5, "src": "all", "table": "main"}, "src all table main"),  # before the VRFs' own
    ({"priority": 32766, "src": "10.0.0.0", "srclen": 8, "table": "main"}, "src 10.0.0.0 srclen 8 table main"),
    ({"priority": 32766, "src": "all", "iif": "swp1", "table": "main"}, "src all iif swp1 table main"),
    ({"priority": 32766, "src": "10.9.0.1", "table": "main"}, "src 10.9.0.1 table main"),  # of one host
    ({"priority": 900, "src": "all", "l3mdev": None}, "src all l3mdev"),
)


@pytest.mark.parametrize(("row", "text"), STRANGE)
def test_any_other_rule_is_told(row: dict[str, Any], text: str) -> None:
    """Words of iproute2 6.1.0 on Linux 6.18, where each was added by hand."""
    assert changed(RULE, [*RULES, row]).rules == (PolicyRule("", row["priority"], f"IPv4 {text}"),)


def test_rules_of_ipv6_and_of_a_namespace_that_stands_for_a_vrf() -> None:
    row = {"priority": 9, "src": "all", "action": "blackhole"}
    assert changed("ip -j -6 rule show", [*RULES, row]).rules == (PolicyRule("", 9, "IPv6 src all action blackhole"),)
    there = changed("ip -n storage -j rule show", [*RULES, row])
    assert there.rules == (PolicyRule("storage", 9, "IPv4 src all action blackhole"),)
    assert changed("ip -n storage -j rule show", None, NO_NAMESPACE).rules == ()


@pytest.mark.parametrize("value", [None, "no", [7], [{"priority": "x", "src": "all"}]])
def test_rules_that_are_not_understood_are_unread(value: object) -> None:
    state = changed(RULE, value, "refused")
    assert state.rules is None
    assert state.unread["rules"]


def test_it_says_which_files_it_does_not_compare() -> None:
    for name in ("daemons", "lldpd.conf"):
        assert name in FRR.unseen["beside"]


@pytest.mark.parametrize(("master", "up"), [("bridge", True), ("", False), ("research", False)])
def test_a_vxlan_device_off_its_bridge_is_down(master: str, up: bool) -> None:
    found = outputs()
    links = found["ip -j -d addr show"].value
    assert isinstance(links, list)
    (device,) = [link for link in links if link.get("ifname") == "vni10001"]
    device["master"] = master
    if not master:
        del device["master"]
    state = FRR.state(found, NAMES)
    assert {vni.vni: vni.up for vni in state.vnis or ()}[10001] is up
