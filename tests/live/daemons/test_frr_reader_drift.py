"""Drift: nothing between a rendered file and what daemons make of it; every change, and no secret."""

from collections.abc import Iterator

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.frr.live.reader import FRR
from tests.frr.site import ROLES, Rendered, site
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.marks import all_marked

SECRET = "hunter2-of-the-firewall"  # noqa: S105
BORDER = "fe-border-00"
LIVE = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")


@pytest.fixture(scope="module", params=ROLES)
def switch(request: pytest.FixtureRequest) -> Iterator[tuple[Rendered, Loaded]]:
    """A switch of each role with its VRFs, in daemons."""
    rendered = site()[request.param]
    evpn = rendered.device.evpn
    vrfs = tuple(vrf.name for vrf in evpn.vrfs) if evpn else ()
    with frr.load(rendered.files["frr.conf"], vrfs) as loaded:
        yield rendered, loaded


@LIVE
def test_what_was_loaded_does_not_drift(switch: tuple[Rendered, Loaded]) -> None:
    rendered, loaded = switch
    assert "router bgp" in loaded.running
    assert FRR.drift(rendered.files["frr.conf"], loaded.show("show running-config no-header")) == ()
    assert FRR.drift(rendered.files["frr.conf"], loaded.running) == ()


@LIVE
def test_a_line_typed_by_hand_is_drift(switch: tuple[Rendered, Loaded]) -> None:
    rendered, loaded = switch
    bgp = rendered.device.routing.bgp
    neighbor = bgp.neighbors[0]
    section = f"router bgp {bgp.asn}"
    typed = ["configure terminal", section, f"neighbor {neighbor.address} description by hand"]
    assert loaded.configure([*typed, "exit", "ip prefix-list MINE seq 5 permit 192.0.2.0/24"]) == ""
    found = FRR.drift(rendered.files["frr.conf"], loaded.show("show running-config no-header"))
    assert set(found) == {
        Drift((), "ip prefix-list MINE seq 5 permit 192.0.2.0/24", present=True),
        Drift((section,), f"neighbor {neighbor.address} description {neighbor.description}", present=False),
        Drift((section,), f"neighbor {neighbor.address} description by hand", present=True),
    }
    assert len(found) == 3


WANTED = """hostname sw1
ip router-id 10.0.0.4
!
vrf red
 vni 50001
exit-vrf
!
router bgp 65001
 bgp router-id 10.0.0.4
 !
 address-family l2vpn evpn
  vni 10007
   rd 10.0.0.4:7
  exit-vni
 exit-address-family
exit
!
router bgp 65001 vrf red
 bgp router-id 10.0.0.4
 neighbor 10.9.0.1 remote-as 64600
 neighbor 10.9.0.1 password ${env:KEY}
 !
 address-family ipv4 unicast
  neighbor 10.9.0.1 activate
 exit-address-family
 !
 address-family l2vpn evpn
  rd 10.0.0.4:2
 exit-address-family
exit
!
route-map RM permit 10
 match ip address prefix-list PL
exit
!
route-map RM permit 20
exit
!
end
"""


def changed(old: str, new: str) -> tuple[Drift, ...]:
    """Drift after one change to what was wanted."""
    assert WANTED.count(old) == 1
    return FRR.drift(WANTED, WANTED.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hostname sw1\n", "frr version 8.4.4\nfrr defaults datacenter\nhostname sw1\nhostname jump\n"),
        ("hostname sw1\n", "Building configuration...\n\nCurrent configuration:\n!\nhostname sw1\n"),
        (" vni 50001\n", " vni 50001\n netns /run/netns/red\n"),
        ("password ${env:KEY}", f"password {SECRET}"),
        ("  rd 10.0.0.4:2\n", ""),
        ("   rd 10.0.0.4:7\n", ""),
        (" remote-as 64600", "  remote-as 64600 "),
        ("exit\n!\nend\n", "exit\n!\n!\nend\n"),
    ],
)
def test_passed_over(old: str, new: str) -> None:
    wanted = "frr defaults datacenter\n" + WANTED if "defaults" in new else WANTED
    assert FRR.drift(wanted, WANTED.replace(old, new)) == ()


VRF, OVERLAY = "router bgp 65001 vrf red", "address-family l2vpn evpn"


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("hostname sw1", "hostname sw2", [("-", (), "hostname sw1"), ("+", (), "hostname sw2")]),
        (" neighbor 10.9.0.1 remote-as 64600\n", "", [("-", (VRF,), "neighbor 10.9.0.1 remote-as 64600")]),
        (" vni 50001\n", " vni 50002\n", [("-", ("vrf red",), "vni 50001"), ("+", ("vrf red",), "vni 50002")]),
        (
            "  neighbor 10.9.0.1 activate\n",
            "",
            [("-", (VRF, "address-family ipv4 unicast"), "neighbor 10.9.0.1 activate")],
        ),
        (
            "  rd 10.0.0.4:2\n",
            "  rd 10.0.0.4:9\n",
            [("-", (VRF, OVERLAY), "rd 10.0.0.4:2"), ("+", (VRF, OVERLAY), "rd 10.0.0.4:9")],
        ),
        (" neighbor 10.9.0.1 password ${env:KEY}\n", "", [("-", (VRF,), "neighbor 10.9.0.1 password <secret>")]),
        ("route-map RM permit 20\nexit\n", "", [("-", (), "route-map RM permit 20")]),
        ("RM permit 20", "RM deny 20", [("+", (), "route-map RM deny 20"), ("-", (), "route-map RM permit 20")]),
    ],
)
def test_seen(old: str, new: str, wanted: list[tuple[str, tuple[str, ...], str]]) -> None:
    found = changed(old, new)
    shown = [("+" if row.present else "-", row.section, row.line) for row in found]
    assert shown == sorted(wanted, key=lambda row: (row[1], row[2]))


def test_an_rd_of_another_router_is_missed() -> None:
    wanted = WANTED.replace("  rd 10.0.0.4:2\n", "  rd 65000:2\n")
    assert [row.line for row in FRR.drift(wanted, wanted.replace("  rd 65000:2\n", ""))] == ["rd 65000:2"]
    wanted = WANTED.replace("  rd 10.0.0.4:2\n", "  rd 10.0.0.5:2\n")
    assert [row.line for row in FRR.drift(wanted, wanted.replace("  rd 10.0.0.5:2\n", ""))] == ["rd 10.0.0.5:2"]


def test_the_same_line_in_another_section_is_drift() -> None:
    moved = WANTED.replace("  neighbor 10.9.0.1 activate\n", "").replace(
        "  rd 10.0.0.4:2\n", "  rd 10.0.0.4:2\n  neighbor 10.9.0.1 activate\n"
    )
    assert [row.section[-1] for row in FRR.drift(WANTED, moved)] == [
        "address-family ipv4 unicast",
        "address-family l2vpn evpn",
    ]


@pytest.mark.parametrize(
    "line",
    [
        f"password {SECRET}",
        f"enable password 8 {SECRET}",
        f"line vty\n password 8 {SECRET}",
        f"key-string {SECRET}",
        f"interface gre1\n ip nhrp authentication {SECRET}",
        f"interface gre1\n ipv6 nhrp authentication {SECRET}",
        f"segment-routing\n traffic-eng\n  pcep\n   pce-config A\n    tcp-md5-auth {SECRET}",
    ],
)
def test_no_secret_is_shown(line: str) -> None:
    found = FRR.drift(WANTED, f"{line}\n{WANTED}")
    assert found
    assert SECRET not in repr(found)


@pytest.mark.parametrize("line", ["ip nhrp network-id 7", "ip nhrp holdtime 600", "ip rip authentication mode md5"])
def test_what_stands_beside_a_secret_is_shown_whole(line: str) -> None:
    found = FRR.drift(WANTED, f"interface gre1\n {line}\n{WANTED}")
    assert line in {row.line for row in found}


def test_a_password_with_blanks_is_hidden_whole() -> None:
    found = FRR.drift("", f"router bgp 1\n neighbor 10.0.0.1 password {SECRET} and {SECRET}\n")
    assert [row.line for row in found] == ["router bgp 1", "neighbor 10.0.0.1 password <secret>"]


def test_text_that_only_looks_like_a_reference_equals_itself_alone() -> None:
    """A mark tells a secret; a remark of a person does not hide that another line runs."""
    line = "router bgp 1\n neighbor 10.0.0.1 description see ${env:TOKEN}\n"
    assert FRR.drift(WANTED + line, WANTED + line) == ()
    found = FRR.drift(WANTED + line, WANTED + line.replace("${env:TOKEN}", "t0ken"))
    assert sorted(one.present for one in found) == [False, True]
    assert "${env:TOKEN}" in found[0].line + found[1].line


def test_a_reference_in_a_line_of_the_users_own_equals_any_value() -> None:
    wanted = WANTED + all_marked("rpki server ${env:RPKI} preference 1\n")
    assert FRR.drift(wanted, WANTED + "rpki server 192.0.2.7 preference 1\n") == ()
    assert len(FRR.drift(wanted, WANTED + "line vty\n rpki server 192.0.2.7 preference 1\n")) == 3
    found = FRR.drift(wanted, WANTED + "rpki server 192.0.2.7 preference 2\n")
    assert [(row.present, row.line[-1]) for row in found] == [(False, "1"), (True, "2")]
