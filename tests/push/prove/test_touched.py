"""What a change speaks of, in the words of several drivers, and which findings are about that."""

import pytest

from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.push.prove.change_scope import BROUGHT, brought, speaks_of
from fabricgen.verify.finding import Finding, FindingEnd

CODES = {entry.code for check in LIVE_CHECKS for entry in check.codes}

FRR = """\
+vrf tenant-b
+ vni 10050
+exit-vrf
 router bgp 65001
+ neighbor 10.64.0.1 remote-as 65100
- neighbor 10.64.0.3 route-map OLD out
+ neighbor 10.64.0.3 route-map NEW out
+ neighbor 10.64.0.5 description be-spine-01 swp9
+ip prefix-list PL-B seq 5 permit 10.5.0.0/24
+ ipv6 address fd00:5::1/64
"""
EOS = "--- system:/running-config\n+++ session:/x\n router bgp 65001\n+   neighbor 10.64.0.1 remote-as 65100"


def finding(code: str, subject: str, **more: object) -> Finding:
    """A finding of this code and about this."""
    made = Finding("leaf1", "routes", code, subject, "is missing", "there", "not there")
    return made._replace(**more)  # type: ignore[arg-type]


def says(code: str, subject: str, difference: str = FRR, **more: object) -> bool:
    """Whether a change speaks of it."""
    vrfs = {"tenant-b": "tenant-b", "tenant-c": "vrf_c"}
    systems = frozenset({"leaf1", "be-spine-01", "fe-leaf-000"})
    return speaks_of(brought(difference), finding(code, subject, **more), vrfs, systems)


@pytest.mark.parametrize(
    ("code", "subject"),
    [
        ("route-missing", "route 10.5.0.0/24 in tenant-b of fe-leaf-000"),
        ("route-missing", "route 10.9.0.0/24 in tenant-b of fe-leaf-000"),  # the VRF is new here
        ("route-missing", "3 routes (10.6.0.0/24, 10.5.0.0/24, 10.7.0.0/24)"),
        ("route-missing", "route fd00:5::/64 of fe-leaf-000"),  # by the address that is in it
        ("vni-missing", "VNI 10050"),
        ("session-missing", "session 10.64.0.1 (be-spine-00 swp1)"),
    ],
)
def test_what_is_added_is_meant(code: str, subject: str) -> None:
    assert says(code, subject)
    assert not says(code, subject, "")
    assert not says(code, subject, "\n".join(f"-{row[1:]}" for row in FRR.splitlines() if row[0] == "+"))


@pytest.mark.parametrize(
    ("code", "subject"),
    [
        ("session-down", "session 10.64.0.3 (be-spine-00 swp2)"),  # it was there before, with another map
        ("session-down", "session 10.64.0.5 (be-spine-01 swp9)"),  # a remark brings nothing about
        ("route-missing", "route 10.9.0.0/24 in tenant-a of be-spine-01"),  # nor is a name in one a thing
        ("route-missing", "route 10.9.0.0/24 of leaf1"),
        ("interface-down", "port swp9 (rail 5 plane 0)"),  # a cable
        ("lldp-silent", "port 10.64.0.1"),
        ("vni-missing", "VNI 10051"),
        ("mtu-wrong", "port swp1 (rail 5 plane 0)"),  # a number that stands for anything
    ],
)
def test_what_was_there_and_what_no_line_mends_is_not(code: str, subject: str) -> None:
    assert not says(code, subject)


def test_other_words_for_the_same() -> None:
    assert says("session-missing", "session 10.64.0.1 (be-spine-00 Ethernet1)", EOS)
    assert says("route-missing", "route 10.1.0.0/16 in tenant-c of fe-leaf-000", "+  vrf instance vrf_c")
    assert says("evpn-missing", "EVPN routes of type 5 of fe-leaf-000", lines=("[5]:[0]:[24]:[10.5.0.0]",))
    assert says(
        "session-down", "sessions with be-spine-00", actual="10.64.0.1, 10.64.0.9", far=FindingEnd("be-spine-00", "")
    )
    assert says("bgp-not-running", "BGP", "+router bgp 65001")
    assert says("interface-shut", "port Ethernet1", '+ "Ethernet1": {"admin_status": "up"}')


NVUE = """\
- unset:
    interface:
      swp9:
        ip:
          address:
            10.9.0.1/31: {}
- set:
    vrf:
      TENANT-B:
        evpn:
          vni:
            '10050': {}
    interface:
      lo:
        ip:
          address:
            10.77.0.1/32: {}"""


def test_a_difference_without_signs_is_given_them() -> None:
    told = COMMIT_PROFILES["cumulus"].signed(NVUE)
    assert says("vni-missing", "VNI 10050", told)
    assert says("route-missing", "route 10.77.0.1/32 of leaf1", told)
    assert not says("address-missing", "port swp9", told)
    assert not says("vni-missing", "VNI 10050", NVUE)
    assert COMMIT_PROFILES["frr"].signed(FRR) == FRR


def test_codes_are_codes_of_findings() -> None:
    assert BROUGHT <= CODES
