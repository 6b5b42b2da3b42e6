"""One typed line is one finding: what it does to a port, an address or a route of its switch follows from it."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.frr.live.drift import drift
from fabricgen.state.state import Pushed
from fabricgen.verify.causes.causes import caused
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import ExpectedSession
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict
from fabricgen.verify.judge.config import Speakers, judge_drift
from fabricgen.verify.judge.device import judge
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.report.text import text
from tests.verify.leaf import LEAF, RIGHT
from tests.verify.sites import healthy

SWITCH, SPINE, SERVER = "be-leaf-000", "be-spine-00", "train-000"
BGP = "router bgp 65001"
RENDERED = """\
hostname be-leaf-000
router bgp 65001
 neighbor SPINES-IPV4 peer-group
 neighbor 10.1.0.1 remote-as 65100
 neighbor 10.1.0.1 peer-group SPINES-IPV4
 address-family ipv4 unicast
  maximum-paths 16
  neighbor SPINES-IPV4 route-map RM-SPINES-IPV4-IN in
 exit-address-family
exit
ip route 10.64.0.0/27 blackhole
route-map RM-SPINES-IPV4-DRAINED-IN permit 10
exit
"""
FIRST = " address-family ipv4 unicast\n"
SESSIONS = (ExpectedSession("", "10.1.0.1", 65100, (), FindingEnd(SPINE, "swp1")),)
DRAINS = frozenset({"RM-SPINES-IPV4-DRAINED-IN", "RM-SPINES-IPV4-DRAINED-OUT"})
DRAINED_LINE = "  neighbor 10.1.0.1 route-map RM-SPINES-IPV4-DRAINED-IN in\n"


def finding(check: str, code: str, subject: str, device: str = SWITCH, **values: object) -> Finding:
    return Finding(device, check, code, subject, "is wrong", "", "")._replace(**values)  # type: ignore[arg-type]


def roots(running: str, *more: Finding, rendered: str = RENDERED, pushed: Pushed | None = None) -> list[str]:
    """Codes of the causes, where these findings stand beside those of a configuration."""
    return [one.code for one in told(running, *more, rendered=rendered, pushed=pushed) if one.cause is None]


def told(running: str, *more: Finding, rendered: str = RENDERED, pushed: Pushed | None = None) -> list[Finding]:
    book = Ledger(SWITCH, {})
    book.wrong(*(one for one in more if one.device == SWITCH))
    judge_drift(book, rendered, running, drift, pushed, Speakers(SESSIONS, DRAINS))
    other = [one for one in more if one.device != SWITCH]
    verdicts = [
        book.verdict(),
        *(SwitchVerdict(device=one.device, passed=(), findings=(one,), unchecked=()) for one in other),
    ]
    return [one for verdict in caused(verdicts) for one in verdict.findings]


SHUT = finding("interfaces", "interface-shut", "port swp1", port="swp1", far=FindingEnd(SERVER, "OSFP1"))


def typed(*lines: str) -> str:
    return RENDERED + "".join(f"{line}\n" for line in lines)


def test_a_typed_shutdown_is_one_finding() -> None:
    """FRR prints a section for it, and a server behind the port answers nobody."""
    ping = finding("pings", "ping-lost", "ping 10.64.0.1 to 10.64.0.3 of train-001 (rail of OSFP1)", device=SERVER)
    running = typed("interface swp1", " shutdown", "exit")
    (cause, *rest) = sorted(told(running, SHUT, ping), key=lambda one: one.cause is not None)
    assert (cause.code, cause.subject, cause.actual) == ("drift-extra", "interface swp1", "shutdown")
    assert {one.cause for one in rest} == {(SWITCH, "drift-extra", "interface swp1")}
    assert [one.code for one in rest] == ["interface-shut", "ping-lost"]


def test_a_port_is_not_shut_by_another_line_of_it_nor_by_one_of_another_port() -> None:
    both = ["interface-shut", "drift-extra"]
    assert roots(typed("interface swp1", " description shelf 3", "exit"), SHUT) == both
    assert roots(typed("interface swp1", " description shelf that is up", "exit"), SHUT) == both
    assert roots(typed("interface swp2", " shutdown", "exit"), SHUT) == both


def test_a_ping_follows_from_the_port_of_the_server_that_is_asked() -> None:
    asked = "ping 10.64.0.3 to 10.64.0.1 of train-000 (rail of OSFP1)"
    ping = finding("pings", "ping-lost", asked, device="train-001")
    assert roots(RENDERED, SHUT, ping) == ["interface-shut"]
    assert roots(RENDERED, SHUT._replace(far=FindingEnd("train-002", "OSFP1")), ping) == ["interface-shut", "ping-lost"]


def test_a_section_that_is_empty_is_told_itself() -> None:
    (only,) = told(typed("route-map RM-BY-HAND permit 10", "exit"))
    assert (only.subject, only.actual) == ("configuration", "route-map RM-BY-HAND permit 10")


def test_a_line_in_the_place_of_another_follows_from_that_one() -> None:
    running = RENDERED.replace("maximum-paths 16", "maximum-paths 1")
    found = {one.code: one for one in told(running)}
    assert (found["drift-missing"].expected, found["drift-missing"].actual) == ("maximum-paths 16", "maximum-paths 1")
    assert found["drift-extra"].cause == (SWITCH, "drift-missing", f"{BGP} / address-family ipv4 unicast")
    assert roots(running) == ["drift-missing"]


def test_a_line_beside_it_is_a_cause_of_its_own() -> None:
    running = RENDERED.replace("maximum-paths 16", "maximum-paths 1\n  network 192.0.2.0/24")
    assert sorted(roots(running)) == ["drift-extra", "drift-missing"]


def test_lines_that_stand_for_others_stay_causes_where_those_are_not_told_one_by_one() -> None:
    """Of a dead speaker all that is missing is one finding."""
    book = Ledger(SWITCH, {})
    book.blame("drift", "daemon bgpd does not run")
    judge_drift(book, RENDERED, RENDERED.replace("maximum-paths 16", "maximum-paths 1"), drift)
    (verdict,) = caused([book.verdict()])
    assert [(one.code, one.cause) for one in verdict.findings] == [("drift-missing", None), ("drift-extra", None)]


def test_what_somebody_typed_in_a_section_is_one_finding() -> None:
    running = RENDERED.replace("maximum-paths 16", "maximum-paths 1")
    (only,) = told(running, pushed=Pushed(7, "2026-11-23 12:00 UTC", RENDERED))
    assert (only.code, only.expected, only.actual) == ("line-by-hand", "maximum-paths 16", "maximum-paths 1")


@pytest.mark.parametrize(
    ("row", "line"),
    [
        (
            finding("routes", "route-unexpected", "route 10.9.0.0/24", lines=("10.9.0.0/24",)),
            "ip route 10.9.0.0/24 blackhole",
        ),
        (finding("routes", "route-unexpected", "route 10.9.0.0/24", lines=("10.9.0.0/24",)), " ip address 10.9.0.7/24"),
        (finding("addresses", "address-unexpected", "port swp1", actual="10.9.0.7/24"), " ip address 10.9.0.7/24"),
        (finding("mtu", "mtu-wrong", "port swp1", port="swp1"), " mtu 1500"),
    ],
)
def test_what_a_line_brings_follows_from_it(row: Finding, line: str) -> None:
    running = typed(*(["interface swp1", line, "exit"] if line.startswith(" ") else [line]))
    assert roots(running, row) == ["drift-extra"]
    unlike = row._replace(lines=("10.9.1.0/24",) if row.lines else (), actual="10.9.1.7/24", port="swp2")
    assert roots(running, unlike) == [row.code, "drift-extra"]


def test_a_route_follows_from_an_address_that_no_line_gave() -> None:
    more = finding("addresses", "address-unexpected", "port swp1", actual="10.64.0.68/31, 192.0.2.1/24")
    route = finding("routes", "route-unexpected", "route 192.0.2.0/24", lines=("192.0.2.0/24",))
    assert roots(RENDERED, more, route) == ["address-unexpected"]
    assert roots(RENDERED, more, route._replace(lines=("192.0.3.0/24",))) == ["address-unexpected", "route-unexpected"]
    two = route._replace(lines=("192.0.2.0/24", "192.0.3.0/24"))
    assert roots(RENDERED, more, two) == ["address-unexpected", "route-unexpected"]


def test_a_network_that_is_forwarded_follows_from_the_line_that_is_gone() -> None:
    gone = RENDERED.replace("ip route 10.64.0.0/27 blackhole\n", "")
    assert roots(gone, finding("routes", "route-not-discarded", "route 10.64.0.0/27", lines=("10.64.0.0/27",))) == [
        "drift-missing"
    ]


def test_leaves_go_another_way_where_a_spine_has_another_route() -> None:
    line = typed("ip route 10.64.0.64/27 blackhole")
    own = finding("routes", "route-next-hop", "route 10.64.0.64/27", lines=("10.64.0.64/27",))
    away = finding("routes", "route-width", "2 routes", device="be-leaf-001", about=(SWITCH,), lines=own.lines)
    assert roots(line, own, away) == ["drift-extra"]
    assert roots(line, own, away._replace(about=(SPINE,))) == ["drift-extra", "route-width"]


def test_a_drained_switch_is_one_finding() -> None:
    """In whatever family; the ports of servers that a leaf has shut follow."""
    running = RENDERED.replace(FIRST, f"{FIRST}{DRAINED_LINE}").replace(
        "exit\nip route",
        f" address-family l2vpn evpn\n{DRAINED_LINE.replace('-IN in', '-OUT out')} exit-address-family\nexit\nip route",
    )
    found = told(running, SHUT)
    assert [(one.code, one.subject) for one in found if one.cause is None] == [("runs-drained", "its sessions")]
    uplink = SHUT._replace(far=FindingEnd(SPINE, "swp1"))
    assert roots(running, uplink) == ["interface-shut", "runs-drained"]
    assert roots(RENDERED, rendered=running) == ["runs-undrained"]


def test_the_ports_that_a_drained_leaf_has_shut_in_a_file_follow() -> None:
    running = RENDERED.replace(FIRST, f"{FIRST}{DRAINED_LINE}")
    rows = ("iface swp1 / link-down yes", "iface swp2 / link-down yes")
    file = finding("drift", "file-differs", "file interfaces", lines=rows)
    assert roots(running, file) == ["runs-drained"]
    more = file._replace(lines=(*rows, "iface swp3 / mtu 1500"))
    assert sorted(roots(running, more)) == ["file-differs", "runs-drained"]
    assert sorted(roots(running, file._replace(lines=()))) == ["file-differs", "runs-drained"]
    assert roots(RENDERED, file) == ["file-differs"]


def test_a_drained_link_is_one_finding() -> None:
    """Both ends of it are drained."""
    running = RENDERED.replace(FIRST, f"{FIRST}{DRAINED_LINE}")
    far = finding("drift", "runs-drained", "its sessions", device=SPINE, about=(SWITCH,))
    assert roots(running, far) == ["runs-drained"]
    assert roots(running, far._replace(about=("be-leaf-001",))) == ["runs-drained", "runs-drained"]
    assert roots(running, far._replace(about=(SWITCH, "be-leaf-001"))) == ["runs-drained", "runs-drained"]


def test_routes_that_avoid_a_drained_leaf_follow_from_its_drain() -> None:
    """Of a tenant they lead to the address of its tunnels, which tells whose it is."""
    routes = RIGHT.routes or ()
    (wide,) = (row for row in routes if row.prefix == "172.16.1.0/24" and row.vrf == "red")
    fewer = tuple(row._replace(hops=row.hops[:1]) if row == wide else row for row in routes)
    (shifted,) = judge(LEAF, replace(RIGHT, routes=fewer), lambda _, __: ()).findings
    assert (shifted.code, shifted.about) == ("route-width", ("leaf3",))
    drained = finding("drift", "runs-drained", "its sessions", device="leaf3")
    assert roots(RENDERED, drained, shifted) == ["runs-drained"]
    assert roots(RENDERED, drained._replace(device="leaf2"), shifted) == ["runs-drained", "route-width"]


def test_a_map_of_a_drain_that_is_gone_is_no_drain() -> None:
    assert roots(RENDERED.replace("route-map RM-SPINES-IPV4-DRAINED-IN permit 10\nexit\n", "")) == ["drift-missing"]


def test_drained_sessions_are_known_by_the_maps_of_the_plan() -> None:
    for expected in expectations([device for device in healthy() if device.routing.bgp.groups]):
        assert "RM-SPINES-IPV4-DRAINED-IN" in expected.drains or "RM-LEAVES-IPV4-DRAINED-IN" in expected.drains
    drained = [Drift(("bgp", "neighbor 10.1.0.1"), "import [ RM-ANY-IN ];", present=True)]
    (only,) = judge(replace(LEAF, drains=frozenset({"RM-ANY-IN"})), RIGHT, lambda _, __: tuple(drained)).findings
    assert only.code == "runs-drained"


def test_a_commit_that_waits_is_not_saved_yet() -> None:
    armed = finding("reachable", "commit-armed", "the switch")
    startup = finding("drift", "startup-differs", "startup configuration")
    assert roots(RENDERED, armed, startup) == ["commit-armed"]
    assert roots(RENDERED, armed._replace(device=SPINE), startup) == ["startup-differs", "commit-armed"]


def reported(found: Iterable[Finding]) -> str:
    return "\n".join(
        text([SwitchVerdict(device=SWITCH, passed=(), findings=tuple(found), unchecked=())], verbose=False)
    )


def test_what_to_do_names_the_line() -> None:
    long = "x" * 200
    shown = reported(told(typed("interface swp1", " shutdown", "exit")))
    assert f"  1. {SWITCH}: interface swp1 has unexpected lines (shutdown). Manual changes" in shown
    gone = reported(told(RENDERED.replace("  maximum-paths 16\n", "")))
    assert "lacks rendered lines (without maximum-paths 16). They were removed manually" in gone
    assert f"({'x' * 79}…)" in reported(told(typed(long)))
