"""What a switch does not announce is told with the cause that lies at that switch, and nothing else is."""

import pytest

from fabricgen.verify.causes.miscabling import explain
from fabricgen.verify.finding import NOWHERE, Finding, FindingEnd, SwitchVerdict

PREFIX = "fd00:16::/64"
VTEP = "10.0.1.2"
ADDRESS = Finding(
    "b",
    "addresses",
    "address-missing",
    "vlan 20",
    "lacks an address",
    "fd00:16::1/64",
    "none",
    lines=("fd00:16::1/64",),
)
VNI = Finding("b", "vnis", "vni-down", "VNI 10020", "is down", "up", "down")
DRIFT = Finding(
    "b",
    "drift",
    "drift-missing",
    "router bgp 65002 vrf red / address-family l2vpn evpn",
    "lacks rendered lines",
    "advertise ipv6 unicast",
    "no such line",
    lines=("  advertise ipv6 unicast",),
)


def evpn(device: str, *keys: str, kind: int = 5, far: str = "b") -> Finding:
    words = (f"EVPN routes of type {kind} of {far}", "are missing: 1", keys[0], "no route")
    return Finding(device, "evpn", "evpn-missing", *words, far=FindingEnd(far, ""), lines=keys)


def route(device: str, code: str = "route-width", prefix: str = PREFIX) -> Finding:
    words = (f"route {prefix} in red of b, c", "not over 10.0.1.2", "2 next hops", "1 next hop")
    return Finding(device, "routes", code, *words)


def told(*findings: Finding, **others: Finding) -> dict[tuple[str, str], str]:
    """Explanations by switch and code."""
    by_device: dict[str, list[Finding]] = {}
    for one in (*findings, *others.values()):
        by_device.setdefault(one.device, []).append(one)
    verdicts = (
        SwitchVerdict(device=name, passed=(), findings=tuple(found), unchecked=()) for name, found in by_device.items()
    )
    return {(one.device, one.code): one.explained for verdict in explain(verdicts) for one in verdict.findings}


def test_an_address_that_is_gone_takes_the_route_of_its_subnet_along() -> None:
    cause = "b: vlan 20 lacks an address, fd00:16::1/64"
    found = told(ADDRESS, evpn("b", PREFIX), evpn("a", PREFIX), route("a"), route("c", "route-missing"))
    assert found == {
        ("b", "address-missing"): "",
        ("b", "evpn-missing"): cause,
        ("a", "evpn-missing"): cause,
        ("a", "route-width"): cause,
        ("c", "route-missing"): cause,
    }


def test_another_subnet_s_routes_have_another_cause() -> None:
    found = told(ADDRESS, evpn("a", "fd00:17::/64"), route("a", prefix="fd00:17::/64"))
    assert found == {("b", "address-missing"): "", ("a", "evpn-missing"): "", ("a", "route-width"): ""}
    assert told(ADDRESS, evpn("a", PREFIX, far="c"))["a", "evpn-missing"] == ""


def test_a_vni_that_is_down_is_neither_announced_nor_flooded_to() -> None:
    flood = Finding("a", "vnis", "vtep-missing", f"VTEP {VTEP}", "is not flooded to", "in VNI 10020", "not there")
    here = flood._replace(device="b", subject="VTEP 10.0.1.9")
    found = told(VNI, here, evpn("b", VTEP, kind=3), evpn("a", VTEP, kind=3), flood)
    assert found.pop(("b", "vni-down")) == ""
    assert set(found.values()) == {"b: VNI 10020 is down"}
    assert told(flood) == {("a", "vtep-missing"): ""}


def test_a_line_of_evpn_that_lacks() -> None:
    found = told(DRIFT, evpn("b", PREFIX), evpn("a", PREFIX), route("a"))
    assert found == {
        ("b", "drift-missing"): "",
        ("b", "evpn-missing"): "b lacks `advertise ipv6 unicast` in its configuration",
        ("a", "evpn-missing"): "b does not announce it",
        ("a", "route-width"): "b does not announce it",
    }
    other = DRIFT._replace(subject="line vty")
    assert told(other, evpn("b", PREFIX)) == {("b", "drift-missing"): "", ("b", "evpn-missing"): ""}


def test_a_route_that_is_lost_on_the_way_blames_nobody() -> None:
    assert told(evpn("a", PREFIX), route("a")) == {("a", "evpn-missing"): "", ("a", "route-width"): ""}


DOWN = Finding(
    "a", "sessions", "session-down", "session 10.1.0.1", "is not established", "up", "down", far=FindingEnd("b", "")
)
SILENCE = Finding(
    "a",
    "lldp",
    "lldp-missing",
    "port p1",
    "has no LLDP neighbor",
    "b s1",
    "nobody",
    port="p1",
    far=FindingEnd("b", "s1"),
)


def unread(part: str) -> Finding:
    return Finding("b", "reachable", "not-read", part, "could not be read", "an answer", "timeout")


@pytest.mark.parametrize("part", ["lldp", "evpn", "routes"])
def test_a_part_that_was_not_read_explains_no_session(part: str) -> None:
    found = told(unread(part), DOWN, evpn("a", PREFIX))
    assert (found["a", "session-down"], found["a", "evpn-missing"]) == ("", "")


def test_lldp_that_was_not_read_explains_that_nobody_is_heard() -> None:
    """Its daemon may be dead. No other part does."""
    assert told(unread("lldp"), SILENCE)["a", "lldp-missing"] == "b: its LLDP could not be read"
    assert told(unread("evpn"), SILENCE)["a", "lldp-missing"] == (
        "b s1 receives LLDP from this end: the link works in one direction only, and nothing from there arrives"
    )


def test_a_switch_that_does_not_answer_explains_all() -> None:
    gone = Finding("b", "reachable", "no-answer", "the switch", "answers no command", "an answer", "timeout")
    found = told(gone, DOWN, evpn("a", PREFIX), SILENCE)
    assert found.pop(("b", "no-answer")) == ""
    assert set(found.values()) == {"b: answers no command"}


def test_a_daemon_that_is_dead_explains_the_far_ends() -> None:
    dead = Finding("b", "reachable", "daemon-dead", "daemon bgpd", "does not run", "running", "it answers nothing")
    assert told(dead, DOWN)["a", "session-down"] == "b: daemon bgpd does not run"
    assert told(dead, SILENCE)["a", "lldp-missing"] != "b: daemon bgpd does not run"


def test_no_far_end_no_cause() -> None:
    lone = evpn("a", PREFIX)._replace(far=NOWHERE)
    assert told(ADDRESS, lone)["a", "evpn-missing"] == ""
