"""What one switch lacks, others lack behind it: such findings follow from the first, and from nothing unrelated."""

from collections.abc import Iterable
from itertools import groupby

from fabricgen.verify.causes.causes import caused
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict

A, B, SPINE = "fe-leaf-000", "fe-leaf-001", "fe-spine-00"


def finding(device: str, check: str, code: str, subject: str, **values: object) -> Finding:
    return Finding(device, check, code, subject, "is wrong", "", "")._replace(**values)  # type: ignore[arg-type]


def roots(*found: Finding) -> list[tuple[str, str]]:
    verdicts = (
        SwitchVerdict(device=device, passed=(), findings=tuple(of), unchecked=())
        for device, of in groupby(sorted(found, key=lambda one: one.device), lambda one: one.device)
    )
    return _roots(caused(verdicts))


def _roots(verdicts: Iterable[SwitchVerdict]) -> list[tuple[str, str]]:
    return [(one.device, one.code) for found in verdicts for one in found.findings if one.cause is None]


DARK = finding(A, "interfaces", "interface-down", "port swp29", port="swp29", far=FindingEnd(SPINE, "swp3"))
LOST = finding(SPINE, "routes", "route-missing", "route 10.0.0.4/32", far=FindingEnd(A, ""), lines=("10.0.0.4/32",))
FEWER = finding(B, "routes", "route-width", "2 routes", about=(SPINE,), lines=("10.0.0.9/32", "10.0.0.4/32"))
EVPN = finding(B, "evpn", "evpn-missing", "EVPN routes of type 3", far=FindingEnd(A, ""), lines=("10.0.0.5",))
FLOOD = finding(B, "vnis", "vtep-missing", "VTEP 10.0.0.5", lines=("10.0.0.5",))
DEAF = finding(B, "sessions", "session-down", f"sessions with {A}", far=FindingEnd(A, ""))
PING = finding(
    "train-000", "pings", "ping-lost", f"ping 172.18.0.2 to 172.18.0.3 of train-001 (red between {A} and {B})"
)


def test_paths_that_a_spine_has_lost_are_lost_behind_it() -> None:
    explained = LOST._replace(explained="port swp29 is down")
    assert roots(LOST, FEWER) == [(SPINE, "route-missing")]
    assert roots(explained, FEWER._replace(about=("fe-spine-01",))) == [(B, "route-width"), (SPINE, "route-missing")]
    assert roots(LOST, FEWER._replace(lines=("10.0.0.9/32",))) == [(B, "route-width"), (SPINE, "route-missing")]


def test_a_session_is_down_by_a_neighbor_that_its_far_end_has_by_hand() -> None:
    """A leaf sends to another MAC address: its spine times out first."""
    hand = finding(A, "addresses", "neighbor-by-hand", "neighbor 10.1.0.1 of port swp29", port="swp29")
    down = finding(SPINE, "sessions", "session-down", "session 10.1.0.0", far=FindingEnd(A, "swp29"))
    assert roots(hand, down) == [(A, "neighbor-by-hand")]
    other = [(A, "neighbor-by-hand"), (SPINE, "session-down")]
    assert roots(hand._replace(port="swp30"), down) == other
    assert roots(hand._replace(port=""), down._replace(far=FindingEnd(A, ""))) == other


def test_evpn_routes_are_lost_with_the_session_that_brings_them() -> None:
    assert roots(DEAF, EVPN) == [(B, "session-down")]
    assert roots(DEAF._replace(far=FindingEnd("fe-leaf-009", "")), EVPN) == [(B, "session-down"), (B, "evpn-missing")]


def test_evpn_routes_are_lost_with_the_ports_of_their_leaf() -> None:
    assert roots(DARK, EVPN) == [(A, "interface-down")]


def test_evpn_routes_are_lost_with_the_address_that_tunnels_start_from() -> None:
    gone = finding(A, "addresses", "address-missing", "loopback 1", lines=("10.0.0.5/32",))
    assert roots(gone, EVPN) == [(A, "address-missing")]
    assert roots(gone._replace(device="fe-leaf-009"), EVPN) == [(B, "evpn-missing"), ("fe-leaf-009", "address-missing")]


def test_what_stands_on_evpn_routes_follows_from_them() -> None:
    tenant = finding(B, "routes", "route-width", "1 route in red", lines=("172.18.0.0/20",))
    prefixes = EVPN._replace(subject="EVPN routes of type 5", lines=("172.18.0.0/20",))
    assert roots(EVPN, FLOOD) == [(B, "evpn-missing")]
    assert roots(prefixes, tenant) == [(B, "evpn-missing")]
    assert roots(EVPN, FLOOD._replace(lines=("10.0.0.7",))) == [(B, "evpn-missing"), (B, "vtep-missing")]


def test_pings_follow_from_what_keeps_packets_off_between_their_leaves() -> None:
    assert roots(DARK, PING) == [(A, "interface-down")]
    assert roots(finding(A, "drift", "setting-wrong", "setting net.ipv4.ip_forward"), PING) == [(A, "setting-wrong")]
    renamed = finding(A, "lldp", "lldp-missing", "port swp29", port="swp29")
    stale = finding(A, "drift", "startup-differs", "startup configuration")
    assert roots(renamed, PING) == [(A, "lldp-missing"), ("train-000", "ping-lost")]
    assert roots(stale, PING) == [(A, "startup-differs"), ("train-000", "ping-lost")]


def test_pings_of_one_fabric_do_not_follow_from_another() -> None:
    backend = DARK._replace(device="be-leaf-000")
    assert roots(backend, PING) == [("be-leaf-000", "interface-down"), ("train-000", "ping-lost")]


def test_an_explanation_of_its_own_stays() -> None:
    assert roots(DEAF, EVPN._replace(explained="fe-leaf-000 lacks `vni 10004` in its configuration")) == [
        (B, "session-down"),
        (B, "evpn-missing"),
    ]


def line(device: str, section: str, text: str, code: str = "drift-extra") -> Finding:
    return finding(device, "drift", code, section)._replace(actual=text)


OVERLAY = line(A, "router bgp 65001 / address-family l2vpn evpn", "rd 10.0.0.7:1")
TENANT = line(A, "router bgp 65001 vrf red / address-family ipv4 unicast", "import vrf blue")
OWN = EVPN._replace(device=A, subject="EVPN routes of type 5", lines=("172.18.0.0/20",))


def test_routes_of_its_own_that_a_switch_lacks_follow_from_its_configuration() -> None:
    assert roots(OWN, TENANT) == [(A, "drift-extra")]
    assert roots(OWN, line(A, "configuration", "ntp server 10.0.0.5")) == [(A, "evpn-missing"), (A, "drift-extra")]


def test_what_a_switch_lacks_of_its_own_others_lack_of_it() -> None:
    """Also where it was said before that it does not announce them."""
    told = OWN._replace(device=B, explained=f"{A} does not announce it")
    assert roots(OWN, TENANT, told) == [(A, "drift-extra")]


def test_routes_of_its_own_follow_from_the_gateway_that_is_down() -> None:
    shut = finding(A, "interfaces", "interface-shut", "vlan 110")
    shifted = finding(
        A, "routes", "route-next-hop", "2 routes in red", lines=OWN.lines, explained="vlan 110 is shut down"
    )
    told = OWN._replace(device=SPINE, explained=f"{A} does not announce it")
    assert roots(shut, shifted, OWN, told) == [(A, "interface-shut")]


def test_a_vtep_that_nobody_planned_follows_from_who_announces_it() -> None:
    flooded = finding(B, "vnis", "vtep-unexpected", "VTEP 10.0.0.4", lines=("10.0.0.4",))
    announced = finding(A, "evpn", "evpn-unexpected", "EVPN route type 3", lines=("10.0.0.4",))
    assert roots(flooded, announced) == [(A, "evpn-unexpected")]
    assert roots(flooded._replace(lines=("10.0.0.9",)), announced) == [(A, "evpn-unexpected"), (B, "vtep-unexpected")]


def test_vnis_follow_from_lines_of_the_overlay_alone() -> None:
    gone = finding(A, "vnis", "vni-missing", "VNI 10004")
    assert roots(gone, OVERLAY) == [(A, "drift-extra")]
    assert roots(gone, line(A, "vrf red", "vni 10003", "drift-missing")) == [(A, "drift-missing")]
    assert roots(gone, TENANT) == [(A, "vni-missing"), (A, "drift-extra")]


def test_vnis_go_with_the_speaker_that_asks_for_them() -> None:
    """`advertise-all-vni` is bgpd's: zebra of FRR 8.4.4 shows no VNI once it is gone."""
    gone = finding(A, "vnis", "vni-missing", "VNI 10004")
    stopped = finding(A, "sessions", "bgp-not-running", "BGP")
    assert roots(gone, stopped) == [(A, "bgp-not-running")]
    assert roots(gone, stopped._replace(device=B)) == [(A, "vni-missing"), (B, "bgp-not-running")]


def test_a_leak_follows_from_lines_of_the_vrf_wherever_they_are() -> None:
    leak = finding(B, "isolation", "isolation-route", "VRF red")
    own = leak._replace(device=A)
    assert roots(own, TENANT, leak) == [(A, "drift-extra")]
    assert roots(TENANT, leak) == [(A, "drift-extra")]
    assert roots(own._replace(subject="VRF green"), TENANT) == [(A, "isolation-route"), (A, "drift-extra")]


def test_pings_between_tenants_name_no_leaf() -> None:
    reaches = PING._replace(subject="ping 172.18.0.2 to 172.19.0.2 of train-002 (tenant red reaches blue)")
    assert roots(DARK, reaches) == [(A, "interface-down")]


def test_a_route_that_goes_otherwise_follows_from_the_line_that_names_it() -> None:
    static = line(B, "configuration", "ip route 10.0.0.4/32 blackhole")
    assert roots(FEWER, static) == [(B, "drift-extra")]
    assert roots(FEWER, static._replace(actual="ip route 10.0.0.7/32 blackhole")) == [
        (B, "route-width"),
        (B, "drift-extra"),
    ]
