"""The driver's own difference of two texts, and its reading of vtysh's complaints. No daemon."""

import re

import pytest

from napalm_frr.difference import Candidate, completed, difference, first_difference
from napalm_frr.lifecycle import remainder
from napalm_frr.paths import masked, profile_of
from napalm_frr.syntax import complaints, failures
from napalm_frr.transport import Result

RUNNING = """Building configuration...

Current configuration:
!
frr version 8.4.4
frr defaults datacenter
hostname leaf1
hostname machine
service integrated-vtysh-config
!
vrf tenant1
 vni 50001
 netns /run/netns/tenant1
exit-vrf
!
vrf tenant2
 netns /run/netns/tenant2
exit-vrf
!
interface swp1
 description one
exit
!
router bgp 65000
 bgp router-id 10.0.0.1
 neighbor 10.1.0.1 remote-as 65001
 !
 address-family ipv4 unicast
  network 10.0.0.1/32
  network 10.0.0.2/32
 exit-address-family
exit
!
end
"""
SAME = """hostname leaf1
vrf tenant1
 vni 50001
interface swp1
 description one
 no shutdown
interface swp2
router bgp 65000
 no bgp ebgp-requires-policy
 bgp router-id 10.0.0.1
 timers bgp 3 9
 neighbor 10.1.0.1  remote-as 65001
 address-family ipv4 unicast
  neighbor 10.1.0.1 activate
  network 10.0.0.2/32
  network 10.0.0.1/32
 address-family ipv6 unicast
"""


def replace(text: str, running: str = RUNNING) -> list[str]:
    return difference(running, Candidate(text, merge=False)).splitlines()


def merge(text: str) -> list[str]:
    return difference(RUNNING, Candidate(text, merge=True)).splitlines()


@pytest.mark.parametrize("text", [RUNNING, SAME, SAME.replace("hostname leaf1\n", ""), SAME.replace("\n", "\r\n")])
def test_what_frr_adds_or_leaves_out_is_no_difference(text: str) -> None:
    assert replace(text) == []


CHANGES: tuple[tuple[str, str, list[str]], ...] = (
    ("hostname leaf1", "hostname leaf2", []),
    ("hostname leaf1", "frr defaults traditional", ["-frr defaults datacenter", "+frr defaults traditional"]),
    ("description one", "description two", [" interface swp1", "- description one", "+ description two"]),
    (" vni 50001", " vni 50002", [" vrf tenant1", "- vni 50001", "+ vni 50002"]),
    (
        "timers bgp 3 9",
        "timers bgp 3 10",
        [" router bgp 65000", "+ timers bgp 3 10"],
    ),
    (
        "network 10.0.0.2/32",
        "network 10.0.0.3/32",
        [
            " router bgp 65000",
            "  address-family ipv4 unicast",
            "-  network 10.0.0.2/32",
            "+  network 10.0.0.3/32",
        ],
    ),
    (
        "router bgp 65000",
        "ip route 10.9.0.0/24 blackhole vrf tenant1\nrouter bgp 65000",
        [" vrf tenant1", "+ ip route 10.9.0.0/24 blackhole"],
    ),
)


@pytest.mark.parametrize(("old", "new", "told"), CHANGES)
def test_a_change_is_told_in_its_section(old: str, new: str, told: list[str]) -> None:
    assert old in SAME
    assert replace(SAME.replace(old, new)) == told


def test_a_block_that_goes_or_comes_is_told_whole() -> None:
    without = SAME[: SAME.index("router bgp")]
    gone = replace(without)
    assert gone[0] == "-router bgp 65000"
    assert all(line.startswith("-") for line in gone)
    assert replace(RUNNING, without + "frr defaults datacenter\n") == [line.replace("-", "+", 1) for line in gone]


def test_a_default_of_one_profile_is_none_of_another() -> None:
    traditional = RUNNING.replace("datacenter", "traditional")
    assert profile_of(traditional) == "traditional"
    assert replace(SAME, traditional) == [
        " router bgp 65000",
        "+ no bgp ebgp-requires-policy",
        "+ timers bgp 3 9",
    ]


def test_activate_is_said_where_it_is_no_default() -> None:
    bare = "router bgp 1\n no bgp default ipv4-unicast\n address-family ipv4 unicast\n  network 10.0.0.0/8\n"
    with_it = bare.replace("  network", "  neighbor 10.1.0.1 activate\n  network")
    assert replace(with_it, bare) == [
        " router bgp 1",
        "  address-family ipv4 unicast",
        "+  neighbor 10.1.0.1 activate",
    ]


MERGES: tuple[tuple[str, list[str] | None], ...] = (
    (SAME, []),
    ("router bgp 65000\n neighbor 10.2.0.1 remote-as 5\n", [" router bgp 65000", "+ neighbor 10.2.0.1 remote-as 5"]),
    ("interface swp1\n no description\n", ["-interface swp1", "- description one"]),
    ("interface swp2\n no description\n", []),
    ("no router bgp 65000\n", None),
    ("no ip route 10.0.0.0/8 blackhole\n", []),
    ("no zebra nexthop kernel enable\n", ["+no zebra nexthop kernel enable"]),
)


@pytest.mark.parametrize(("text", "told"), MERGES)
def test_a_merge_tells_what_it_adds_and_takes(text: str, told: list[str] | None) -> None:
    found = merge(text)
    assert found == told if told is not None else found[0] == "-router bgp 65000"


def test_what_a_merge_did_not_reach() -> None:
    negative = Candidate("router bgp 65000\n no bgp bestpath as-path multipath-relax\n", merge=True)
    assert difference(RUNNING, negative) != ""
    assert remainder(RUNNING, negative) == ""
    missing = Candidate("router bgp 65000\n no bgp foo\n neighbor 10.2.0.1 remote-as 5\n", merge=True)
    assert "neighbor 10.2.0.1 remote-as 5" in remainder(RUNNING, missing)
    whole = SAME.replace(" timers bgp 3 9", " no bgp bestpath as-path multipath-relax")
    assert "no bgp bestpath" in remainder(RUNNING, Candidate(whole, merge=False))


def test_the_namespace_of_a_vrf_and_the_names_stay() -> None:
    text = completed(RUNNING, Candidate("router bgp 1\n", merge=False)).splitlines()
    assert text[:2] == ["router bgp 1", "frr defaults datacenter"]
    assert text[2:4] == ["hostname leaf1", "hostname machine"]
    assert text[4:] == [
        "vrf tenant1",
        " netns /run/netns/tenant1",
        "exit-vrf",
        "vrf tenant2",
        " netns /run/netns/tenant2",
        "exit-vrf",
    ]
    renamed = completed(RUNNING, Candidate("hostname other\n", merge=False))
    assert "leaf1" not in renamed


def test_the_first_changed_line_is_named_with_its_blocks() -> None:
    told = difference(RUNNING, Candidate(SAME.replace("network 10.0.0.2", "network 10.0.0.4"), merge=False))
    assert first_difference(told) == "router bgp 65000 / address-family ipv4 unicast / - network 10.0.0.2/32"
    assert first_difference("") == ""


@pytest.mark.parametrize(
    "line",
    [
        " neighbor 10.0.0.1 password Tr0ub4dor",
        "password 8 Tr0ub4dor",
        "enable password Tr0ub4dor",
        " ip ospf message-digest-key 1 md5 Tr0ub4dor",
        "  key-string Tr0ub4dor",
        " key 7 Tr0ub4dor",
        "tacacs-server host 10.0.0.7 key Tr0ub4dor",
        " ip nhrp authentication Tr0ub4dor",
        " ip rip authentication string Tr0ub4dor",
        " ipv6 ospf6 authentication key-id 1 hash-algo hmac-sha-256 key Tr0ub4dor",
        "snmp-server user m G v3 auth sha Tr0ub4dor",
        "snmp-server user m G v3 priv aes Tr0ub4dor",
        "snmp-server community Tr0ub4dor",
        "snmp-server host 10.0.0.9 version 2c Tr0ub4dor",
    ],
)
def test_secrets_are_masked(line: str) -> None:
    assert "Tr0ub4dor" not in masked(f"a\n{line}\nb")
    told = re.sub(r"( \d| version 2c)? Tr0ub4dor$", "", line)
    assert masked(f"a\n{line}\nb").startswith(f"a\n{told}")


@pytest.mark.parametrize("line", ["key chain K", " key 1", "ip ospf authentication key-chain K", "service password"])
def test_what_is_no_secret_is_told(line: str) -> None:
    assert masked(line) == line


def test_complaints_name_line_text_and_reason() -> None:
    text = "router bgp 1\n nonsense\n"
    found = Result(2, "line 2: % Unknown command[25]:  nonsense\n\n", "")
    assert complaints(found, text) == ("line 2: 'nonsense': % Unknown command[25]",)
    assert complaints(found._replace(status=0), text) == ("line 2: 'nonsense': % Unknown command[25]",)
    assert complaints(Result(0, "The route-map 'A' does not exist.\nWaiting for children to finish\n", ""), text) == ()
    assert complaints(Result(9, "", ""), text) == ("vtysh -C exited with status 9",)
    assert complaints(Result(0, "", "% Can't open configuration file x"), text) == (
        "% Can't open configuration file x",
    )


def test_a_refused_line_is_found_in_the_candidate() -> None:
    text = "router bgp 1\n neighbor 10.0.0.1 peer-group NO\n"
    line = " neighbor 10.0.0.1 peer-group NO"
    said = f"% Configure the peer-group first\nline 7: Failure to communicate[13] to bgpd, line: {line}\n\n"
    assert failures(said + said, text) == ("line 2: 'neighbor 10.0.0.1 peer-group NO': Configure the peer-group first",)
    assert failures(said, "") == ("'neighbor 10.0.0.1 peer-group NO': Configure the peer-group first",)
    assert failures("", text) == ()
