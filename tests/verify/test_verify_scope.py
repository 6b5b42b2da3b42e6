"""A line of a configuration that differs is the cause of the sessions that it decides over, and of no others."""

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.frr.live.drift import drift
from fabricgen.verify.causes.causes import caused
from fabricgen.verify.expect.model import ExpectedSession
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict
from fabricgen.verify.judge.config import Speakers, judge_drift
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.scope import ConfigScope

RENDERED = """\
hostname fe-leaf-000
router bgp 65001
 bgp router-id 10.0.0.4
 neighbor SPINES peer-group
 neighbor SPINES-IPV4 peer-group
 neighbor 10.1.0.1 remote-as 65100
 neighbor 10.1.0.1 peer-group SPINES-IPV4
 neighbor 10.1.0.1 description fe-spine-00 swp3
 neighbor 10.1.0.3 remote-as 65100
 neighbor 10.1.0.3 peer-group SPINES-IPV4
 neighbor 10.2.0.1 remote-as 64601
 neighbor 10.2.0.1 peer-group OUTSIDE-FW1
 !
 address-family ipv4 unicast
  neighbor SPINES-IPV4 route-map RM-SPINES-OUT out
  neighbor OUTSIDE-FW1 route-map RM-FW1-OUT out
 exit-address-family
exit
!
router bgp 65001 vrf red
 address-family ipv4 unicast
  redistribute connected
 exit-address-family
exit
!
ip prefix-list PL-OWN seq 10 permit 10.0.0.4/32
ip prefix-list PL-FW1 seq 10 permit 10.9.0.0/16
ip prefix-list PL-NOBODY seq 10 permit 10.8.0.0/16
!
route-map RM-SPINES-OUT permit 10
 match ip address prefix-list PL-OWN
exit
!
route-map RM-FW1-OUT permit 10
 match ip address prefix-list PL-FW1
exit
"""
SESSIONS = (
    ExpectedSession("", "10.1.0.1", 65100, (), FindingEnd("fe-spine-00", "swp3")),
    ExpectedSession("", "10.1.0.3", 65100, (), FindingEnd("fe-spine-01", "swp3")),
    ExpectedSession("", "10.2.0.1", 64601, (), FindingEnd("fw1", "")),
)
SPINES = ("fe-spine-00", "fe-spine-01")
BGP = "router bgp 65001"


def about(*section: str, line: str) -> tuple[str, ...]:
    return ConfigScope((RENDERED,), SESSIONS).about([Drift(section, line, present=True)])


def test_a_line_of_a_neighbor_is_about_that_neighbor() -> None:
    assert about(BGP, line="neighbor 10.1.0.1 shutdown") == ("fe-spine-00",)


def test_a_line_of_a_group_a_map_or_a_list_is_about_all_that_use_it() -> None:
    assert about(BGP, line="neighbor SPINES-IPV4 local-as 64999") == SPINES
    assert about("route-map RM-SPINES-OUT deny 5", line="match community GONE") == SPINES
    assert about(line="route-map RM-SPINES-OUT deny 5") == SPINES
    assert about(line="ip prefix-list PL-OWN seq 20 permit 10.0.0.5/32") == SPINES
    assert about(line="ip prefix-list PL-FW1 seq 20 deny any") == ("fw1",)


def test_a_line_of_the_speaker_is_about_all() -> None:
    assert about(BGP, line="bgp graceful-shutdown") == (*SPINES, "fw1")


def test_other_lines_are_about_nobody() -> None:
    assert about(BGP, line="neighbor 10.1.0.1 description see ticket 10.1.0.1") == ()
    assert about(line="ip prefix-list PL-NOBODY seq 20 deny any") == ()
    assert about(line="ip prefix-list BY-HAND seq 5 permit 192.0.2.0/24") == ()
    assert about(line="ntp server 10.0.0.5") == ()
    assert about("router bgp 65001 vrf red", line="maximum-paths 2") == ()


def verdict(device: str, running: str, *more: Finding) -> SwitchVerdict:
    book = Ledger(device, {})
    judge_drift(book, RENDERED, running, drift, speakers=Speakers(SESSIONS))
    book.wrong(*more)
    return book.verdict()


def down(device: str, far: str) -> Finding:
    words = ("session 10.1.0.1", "is not established", "Established", "Active")
    return Finding(device, "sessions", "session-down", *words, port="swp29", far=FindingEnd(far, "swp3"), family=4)


def roots(*verdicts: SwitchVerdict) -> list[tuple[str, str]]:
    return [(one.device, one.code) for found in caused(verdicts) for one in found.findings if one.cause is None]


def test_a_session_follows_from_the_line_that_takes_it_down() -> None:
    shut = RENDERED.replace(" bgp router-id", " neighbor 10.1.0.1 shutdown\n bgp router-id")
    own = verdict("fe-leaf-000", shut, down("fe-leaf-000", "fe-spine-00"))
    assert roots(own) == [("fe-leaf-000", "drift-extra")]
    other = verdict("fe-leaf-000", shut, down("fe-leaf-000", "fe-spine-01"))
    assert roots(other) == [("fe-leaf-000", "session-down"), ("fe-leaf-000", "drift-extra")]


def test_so_it_does_at_the_far_end() -> None:
    shut = RENDERED.replace(" bgp router-id", " neighbor 10.1.0.1 shutdown\n bgp router-id")
    far, other = Ledger("fe-spine-00", {}), Ledger("fe-spine-01", {})
    far.wrong(down("fe-spine-00", "fe-leaf-000"))
    other.wrong(down("fe-spine-01", "fe-leaf-000"))
    found = roots(verdict("fe-leaf-000", shut), far.verdict(), other.verdict())
    assert found == [("fe-leaf-000", "drift-extra"), ("fe-spine-01", "session-down")]


def test_a_lower_cause_comes_before_a_line() -> None:
    shut = RENDERED.replace(" bgp router-id", " neighbor 10.1.0.1 shutdown\n bgp router-id")
    session = down("fe-leaf-000", "fe-spine-00")._replace(explained="port swp29 is down")
    dark = Finding("fe-leaf-000", "interfaces", "interface-down", "port swp29", "is down", "up", "down", port="swp29")
    assert roots(verdict("fe-leaf-000", shut, dark, session)) == [
        ("fe-leaf-000", "interface-down"),
        ("fe-leaf-000", "drift-extra"),
    ]
