"""Every way in which a switch can differ from what it must show: each is found, named, and told once."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.state.state import (
    ETHERNET,
    EVPN,
    IPV4,
    IPV6,
    L2,
    L3,
    Adjacency,
    EvpnRoute,
    Facts,
    Hop,
    Interface,
    PortQos,
    Route,
    Session,
    State,
)
from fabricgen.verify.finding import BEYOND, CHECKS, NOWHERE, Finding, FindingEnd, Unchecked
from fabricgen.verify.judge import ledger as judge_words
from fabricgen.verify.judge.device import judge
from tests.test_finding_codes import codes_in
from tests.verify.judge_cases_ports import PORTS
from tests.verify.judge_cases_routes import ROUTES
from tests.verify.leaf import (
    LAG5,
    LEAF,
    LO0,
    LO1,
    NEXT_HOP,
    P8,
    P9,
    P10,
    RIGHT,
    Edit,
    Told,
    added,
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


def test_a_right_switch_has_no_finding() -> None:
    verdict = judge(LEAF, RIGHT, none)
    assert verdict.findings == ()
    assert verdict.unchecked == ()
    assert dict(verdict.passed) == {
        "reachable": 1,
        "interfaces": 10,  # all but loopbacks, which are told by their addresses; members and VLANs of an aggregate
        "mtu": 7,  # p10 is shut
        "addresses": 12,  # the MAC of the gateway too
        "lldp": 3,
        "sessions": 8,  # six, the AS number and the router id
        "bfd": 2,
        "routes": 8,
        "isolation": 4,
        "vnis": 6,  # three, and three VTEPs
        "evpn": 7,
        "qos": 6,  # PFC, watchdog and ECN of two ports
        "drift": 1,
    }
    assert [check for check, _ in verdict.passed] == [check for check in CHECKS if check not in BEYOND]


CASES = PORTS | ROUTES


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_found_and_nothing_else(name: str) -> None:
    edit, wanted = CASES[name]
    told = [
        Told(f.code, f"{f.subject} | {f.problem}", " | ".join(filter(None, (f.expected, f.actual, f.explained))))
        for f in found(edit)
    ]
    assert tuple(told) == wanted
    assert all(f.device == "leaf1" for f in found(edit))


def values(name: str) -> list[tuple[object, ...]]:
    """What is not in words of the findings of a case."""
    return [(f.port, f.far, f.heard, f.family, f.prefix, f.lines) for f in found(CASES[name][0])]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("another port", ("p1", FindingEnd("spine1", "s1"), FindingEnd("spine1", "s2"), 0, "", ())),
        (
            "another rail of the same server",
            ("p8", FindingEnd("gpu-000", "nic 0"), FindingEnd("gpu-000", "nic 1"), 0, "", ()),
        ),
        ("a switch without a name", ("p1", FindingEnd("spine1", "s1"), FindingEnd("", "s1"), 0, "", ())),
        ("a cable that nobody planned", ("p10", NOWHERE, FindingEnd("laptop", "eth0"), 0, "", ())),
        ("neighbor AS typed by hand", ("p1", FindingEnd("spine1", "s1"), NOWHERE, 4, "", ())),
        ("session down", ("p2.900", FindingEnd("fw1", ""), NOWHERE, 4, "", ())),
        ("family missing", ("", FindingEnd("spine1", ""), NOWHERE, 4, "", ())),
        ("missing interface", ("p2.900", NOWHERE, NOWHERE, 0, "", ())),
        ("gateway down", ("", NOWHERE, NOWHERE, 0, "", ())),
        ("MTU too small", ("p1", FindingEnd("spine1", "s1"), NOWHERE, 0, "", ())),
        ("another address", ("p8", FindingEnd("gpu-000", "nic 0"), NOWHERE, 0, "", ("10.2.0.0/31",))),
        ("another priority", ("p1", FindingEnd("spine1", "s1"), NOWHERE, 0, "", ())),
        ("PFC off on all ports", ("", NOWHERE, NOWHERE, 0, "", ())),
    ],
)
def test_what_is_in_words_is_there_as_values(name: str, wanted: tuple[object, ...]) -> None:
    assert values(name) == [wanted]


def test_sessions_routes_and_lines_as_values() -> None:
    v6 = found(session(2, state="Idle", families=()))
    assert [(f.port, f.far, f.family) for f in v6] == [("p1", FindingEnd("spine1", "s1"), 6)]
    both_of_a_link = found(both(*(session(at, state="Idle", families=()) for at in (1, 3))))
    assert [(f.subject, f.port, f.far, f.family) for f in both_of_a_link] == [
        ("sessions with spine2", "p2", FindingEnd("spine2", "s1"), 0)
    ]
    assert [(f.prefix, f.far) for f in found(without("routes", 2))] == [("10.0.0.101/32", FindingEnd("spine1", ""))]
    assert [(f.prefix, f.far) for f in found(without("routes", 6))] == [("172.16.1.0/24", NOWHERE)]  # of two leaves
    assert [f.far for f in found(without("evpn", 1))] == [FindingEnd("leaf2", "")]
    drift = [Drift(("router bgp 1",), f"network 10.2.{at}.0/24", False) for at in range(4)]
    assert [f.lines for f in found(lambda state: state, drift)] == [tuple(one.line for one in drift[:3])]


def test_nothing_of_another_switch_is_right_or_wrong() -> None:
    other = both(bgp(router_id="10.0.0.7"), lambda state: replace(state, facts=Facts("leaf7", "", "", "")))(RIGHT)
    verdict = judge(LEAF, other, none)
    assert (verdict.passed, [one.code for one in verdict.findings]) == ((), ["another-switch"])
    assert verdict.unchecked == tuple(
        Unchecked("leaf1", check, "another switch answers at its address")
        for check in CHECKS
        if check not in ("reachable", *BEYOND)
    )


COUNTED = {"qos-ecn-off", "qos-lossless-drops", "in-maintenance"}
"""Codes whose cases are in test_verify_counters.py."""
BRIDGED = {"interface-fault", "lag-member-missing", "port-wrong-vlan"}
"""Codes whose cases are in test_verify_server_ports.py and test_verify_vlans.py."""
SYSTEM = {"daemon-dead", "daemon-hangs", "release-other", "rule-unexpected"}  # test_verify_judge_system.py
FILES = {"startup-differs", "file-differs", "setting-wrong", "qos-shaped", "gateway-mac-wrong"}
"""Codes whose cases are in test_verify_files.py."""
TABLES = {"neighbor-by-hand", "mac-by-hand"}  # test_verify_tables.py
ARMED = {"commit-armed"}  # test_verify_armed.py
BY_HAND = {"line-by-hand"}  # tests/push/prove/test_push_by_hand.py
DRAINED = {"runs-drained", "runs-undrained"}  # test_verify_lines.py
BETWEEN = {"session-reset", "port-flapped"}  # test_verify_between.py
ELSEWHERE = {
    *ARMED,
    *BETWEEN,
    *BY_HAND,
    *DRAINED,
    "session-missing",
    "drift-missing",
    "drift-extra",
    *COUNTED,
    *BRIDGED,
    *SYSTEM,
    *FILES,
    *TABLES,
    "address-duplicate",
}
"""Codes whose cases are in test_verify_judge_causes.py and test_verify_duplicates.py; and those."""


ROUNDS = ("rounds.py", "since_collection.py")
"""Modules beside the judges that call them, round by round."""


def test_every_code_of_the_judges_has_a_case() -> None:
    folder = Path(judge_words.__file__).parent
    judges = [path for path in folder.glob("*.py") if path.name not in ROUNDS]
    codes = {code for path in judges for code in codes_in(path.read_text())}
    assert {told.code for one in CASES.values() for told in one.told} == codes - ELSEWHERE


HARMLESS: dict[str, Edit] = {
    "a server is off": both(changed("interfaces", P8, oper_up=False), without("lldp", 2), without("routes", 4)),
    "an aggregate is down, and its segment with it": both(
        changed("interfaces", LAG5, oper_up=False), without("evpn", 4, 5)
    ),
    "the reserved port is not there": without("interfaces", P10),
    "a bridged port takes larger frames": changed("interfaces", P9, mtu=9600),
    "names with a domain": both(
        changed("lldp", 0, system="spine1.example.net"),
        lambda state: replace(state, facts=Facts("LEAF1.example.net", "", "", "")),
    ),
    "the platform does not name the box": lambda state: replace(state, facts=Facts("", "1", "", "")),
    "a server that calls its ports otherwise": changed("lldp", 2, port_id="ens3f0np0"),
    "a server that gives no name": changed("lldp", 2, system="", port_id="02:00:00:00:00:01"),
    "the management port has a neighbor": added("lldp", Adjacency("m0", "oob-switch", "7")),
    "a port hears a second system": added("lldp", Adjacency("p1", "probe", "eth0")),
    "the platform names neither VLAN nor VRF of a VNI": changed("vnis", 0, vlan_id=0, vrf=""),
    "a discard route to nowhere": added("routes", Route("", "0.0.0.0/0", "kernel", ())),
    "a connected route that no plan lists": added("routes", Route("", "10.1.0.0/31", "connected", (Hop("", "p1"),))),
    "a host route of its own tenant": added("routes", Route("red", "172.16.1.7/32", "bgp", (Hop("10.0.1.2", "br"),))),
    "a host next to another tenant's": added("routes", Route("red", "172.21.5.5/32", "bgp", NEXT_HOP)),
    "VTEPs of a routed VNI are told": changed("vnis", 2, vteps=("10.0.1.2",)),
    "the same prefix in a third VRF": added("routes", Route("blue", "172.20.5.5/32", "bgp", NEXT_HOP)),
    "type 2 routes": added("evpn", EvpnRoute(2, "10.0.0.2:20", "02:00:00:00:00:01", "10.0.1.2")),
    "a far VNI is announced": added("evpn", EvpnRoute(3, "10.0.0.2:30", "10.0.1.2", "10.0.1.2")),
    "segments in ten octets": changed("evpn", 4, key="00:00:00:00:00:00:00:01:00:05"),
    "a port has the number of an aggregate": added("interfaces", Interface("p5", ETHERNET, True, True, 1500, ())),
    "a port that is on nobody's list": added("interfaces", Interface("p40", ETHERNET, False, False, 1500, ())),
    "a lossy port is told": added("qos", PortQos("p9", False, (), False, ())),
    "all addresses on one loopback": both(
        changed("interfaces", LO0, addresses=("10.0.0.1/32", "10.0.1.1/32", "127.0.0.1/8", "::1/128", "fd00::1:1/128")),
        without("interfaces", LO1),
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_no_fault_is_none(name: str) -> None:
    assert found(HARMLESS[name]) == ()


# --- what could not be judged --------------------------------------------------------------------

PARTS = {
    "interfaces": ("interfaces", "mtu", "addresses"),
    "lldp": ("lldp",),
    "bgp": ("sessions",),
    "bfd": ("bfd",),
    "routes": ("routes", "isolation"),
    "vnis": ("vnis",),
    "evpn": ("evpn",),
    "qos": ("qos",),
    "running": ("drift",),
}


@pytest.mark.parametrize("part", PARTS)
def test_an_unread_part_is_told_and_passes_nothing(part: str) -> None:
    state = replace(RIGHT, **{part: None}, unread={part: "the command failed"})
    verdict = judge(LEAF, state, none)
    assert verdict.unchecked == tuple(Unchecked("leaf1", check, "the command failed") for check in PARTS[part])
    assert not {check for check, _ in verdict.passed} & set(PARTS[part])
    evpn = [f for f in verdict.findings if f.check != "evpn"]
    assert evpn == []  # of EVPN: without interfaces no aggregate is known to be up


def test_nothing_at_all_was_read() -> None:
    verdict = judge(LEAF, State(), none)
    assert verdict.findings == ()
    assert verdict.passed == ()
    assert [one.check for one in verdict.unchecked] == [c for c in CHECKS if c not in BEYOND]


def test_what_is_not_expected_is_not_listed_as_unread() -> None:
    bare = replace(
        LEAF, interfaces=(), adjacencies=(), sessions=(), bfd=(), routes=(), forbidden=(), vnis=(), evpn=(), qos=()
    )
    verdict = judge(replace(bare, configuration=None), State(), none)
    assert verdict.unchecked == (
        Unchecked("leaf1", "reachable", "it was not read"),
        Unchecked("leaf1", "drift", "no file is rendered for it"),
    )
    kept = judge(replace(bare, forbidden=LEAF.forbidden), State(), none)
    assert [one.check for one in kept.unchecked] == ["reachable", "isolation", "drift"]


def test_the_plan_says_what_it_can_not_know() -> None:
    verdict = judge(replace(LEAF, unchecked={"routes": "fw1 announces what it likes"}), RIGHT, none)
    assert verdict.unchecked == (Unchecked("leaf1", "routes", "fw1 announces what it likes"),)
    assert dict(verdict.passed)["routes"] == 8


def test_lldp_that_is_off_by_intent_is_not_judged() -> None:
    off = replace(LEAF, adjacencies=(), unchecked={"lldp": "the intent turns LLDP off"})
    verdict = judge(off, RIGHT, none)
    assert verdict.findings == ()
    assert [one.check for one in verdict.unchecked] == ["lldp"]


def test_settings_that_a_platform_does_not_say_are_listed() -> None:
    silent = both(changed("qos", 0, ecn=None), changed("qos", 1, ecn=None, watchdog=None))
    verdict = judge(LEAF, silent(RIGHT), none)
    assert verdict.findings == ()
    assert dict(verdict.passed)["qos"] == 3
    assert [one.reason for one in verdict.unchecked] == [
        "the platform does not show ECN of 2 ports: p1, p2",
        "the platform does not show the watchdog of 1 port: p2",
    ]


def test_a_port_without_qos_is_not_said() -> None:
    verdict = judge(LEAF, without("qos", 1)(RIGHT), none)
    assert next(one.reason for one in verdict.unchecked) == "the platform does not show PFC of 1 port: p2"


def test_a_speaker_that_does_not_name_itself_passes_for_its_sessions_alone() -> None:
    verdict = judge(LEAF, bgp(asn=0, router_id="")(RIGHT), none)
    assert verdict.findings == ()
    assert dict(verdict.passed)["sessions"] == 6


def test_a_session_more_in_the_default_vrf() -> None:
    assert RIGHT.bgp is not None
    (told,) = found(bgp(sessions=(*RIGHT.bgp.sessions, Session("", "192.0.2.1", 1, "Idle", ()))))
    assert (told.code, told.subject) == ("session-unexpected", "session 192.0.2.1")


def test_an_mtu_that_is_not_said_is_listed() -> None:
    verdict = judge(LEAF, changed("interfaces", P9, mtu=0)(RIGHT), none)
    assert [one.reason for one in verdict.unchecked] == ["the platform does not show the MTU of 1 interface: p9"]
    assert verdict.findings == ()


def test_families_by_name() -> None:
    """The leaf uses every family there is, so that no case above passes for lack of it."""
    assert {family for one in LEAF.sessions for family in one.families} == {IPV4, IPV6, EVPN}
    assert {one.kind for one in LEAF.vnis} == {L2, L3}
