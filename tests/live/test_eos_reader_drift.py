"""Comparing configurations of EOS: what is told, and what says the same in other words."""

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.eos.live.reader import EOS
from tests.live.recorded import FABRIC, PAIR, UNNUMBERED, recordings, sanitized


def management(address: str) -> tuple[Drift, ...]:
    """What containerlab typed into the management port of a recorded cEOS."""
    section = ("interface Management0",)
    return tuple(
        Drift(section, f"{family} address {text}", present=True)
        for family, text in (
            ("ip", f"172.20.20.{address}/24"),
            ("ipv6", f"3fff:172:20:20::{address}/64"),
        )
    )


def role(*, present: bool) -> Drift:
    """The recorded user was given no role; EOS shows its own, network-admin."""
    words = "privilege 15 role network-admin" if present else "privilege 15"
    return Drift((), f"username admin {words} secret *", present=present)


@pytest.mark.parametrize(("name", "address"), [("r1", "3"), ("r2", "2")])
def test_a_switch_shows_what_it_was_given(name: str, address: str) -> None:
    """A recorded cEOS 4.36: the file it was started with against its running-config.

    What is left are the lines that somebody else typed and a role that was not named: nothing that EOS adds by itself.
    """
    one = recordings(PAIR)[name]
    assert EOS.drift(one.given, one.running) == (role(present=False), role(present=True), *management(address))


def test_what_eos_writes_in_other_words_is_drift() -> None:
    """Where an artifact is not written as EOS shows it, it never comes to rest; ours are checked against PyAVD."""
    one = recordings(UNNUMBERED)["leaf"]
    bgp = ("router bgp 65001",)
    assert EOS.drift(one.given, one.running) == (
        role(present=False),
        Drift((), "ip routing", present=False),
        Drift(bgp, "neighbor interface Et1-2 peer-group SPINES", present=False),
        Drift(bgp, "network 10.0.0.2/32", present=False),
        role(present=True),
        *management("3"),
        Drift(bgp, "neighbor interface Ethernet1 peer-group SPINES", present=True),
        Drift(bgp, "neighbor interface Ethernet2 peer-group SPINES", present=True),
        Drift((*bgp, "address-family ipv4"), "network 10.0.0.2/32", present=True),
    )


def test_a_recorded_configuration_equals_itself_without_its_secrets() -> None:
    for one in recordings(FABRIC).values():
        assert sanitized(one.running) != one.running
        assert EOS.drift(one.running, sanitized(one.running)) == ()


SECTION = "interface Ethernet1/1"


@pytest.mark.parametrize(
    ("wanted", "running"),
    [
        ("! remark\nhostname a\n", "! Command: show running-config\n!\nhostname a\n!\nend"),
        ("hostname a\nip routing\n", "ip routing\nhostname a\n"),
        (
            f"{SECTION}\n   switchport trunk allowed vlan 20,21\n",
            f"{SECTION}\n   switchport trunk allowed vlan 20-21\n",
        ),
        (f"{SECTION}\n   mtu 9214\n   !\n   !! remark\n", f"{SECTION}\n   mtu 9214\n"),
        ("ip routing ipv6 interfaces", "ip routing ipv6 interfaces \n"),  # recorded: 4.36 ends the line in a blank
        ("", "interface Ethernet9\n!\ninterface Management1\n"),
        ("interface Loopback0\n   no shutdown\n", "interface Loopback0\n"),
        (f"{SECTION}\n   switchport mode access\n   switchport\n", f"{SECTION}\n"),
        (
            "username admin privilege 15 role network-admin secret sha512 ${env:ADMIN}",
            "username admin privilege 15 role network-admin secret sha512 <removed>",
        ),
        (
            "tacacs-server host 10.0.0.7 vrf MGMT key 0 ${env:KEY}",
            "tacacs-server host 10.0.0.7 vrf MGMT key 7 <removed>",
        ),
        ("router bgp 1\n   neighbor 10.0.0.1 password 0 ${x}", "router bgp 1\n   neighbor 10.0.0.1 password 7 08AF"),
        (
            "snmp-server user u MONITORING v3 auth sha ${a} priv aes ${b}",
            "snmp-server user u MONITORING v3 localized f5717f auth sha 12ab priv aes 34cd",
        ),
        ("banner login\n  hello\nEOF\nhostname a", "hostname a\nbanner login\n  hello\nEOF\n"),
    ],
)
def test_equal(wanted: str, running: str) -> None:
    assert EOS.drift(wanted, running) == ()


@pytest.mark.parametrize(
    ("wanted", "running", "found"),
    [
        (
            f"{SECTION}\n   mtu 9214\n",
            f"{SECTION}\n   mtu 1500\n",
            [(SECTION, "mtu 9214", False), (SECTION, "mtu 1500", True)],
        ),
        (f"{SECTION}\n   no shutdown\n", f"{SECTION}\n", [(SECTION, "no shutdown", False)]),
        (f"{SECTION}\n", "", [("", SECTION, False)]),
        ("", "interface Loopback7\n", [("", "interface Loopback7", True)]),
        ("", "interface Ethernet9\n   shutdown\n", [("interface Ethernet9", "shutdown", True)]),
        (
            "spanning-tree mode mstp",
            "spanning-tree mode none",
            [("", "spanning-tree mode mstp", False), ("", "spanning-tree mode none", True)],
        ),
        (
            "tacacs-server host 10.0.0.7 key 0 a",
            "tacacs-server host 10.0.0.8 key 7 a",
            [("", "tacacs-server host 10.0.0.7 key *", False), ("", "tacacs-server host 10.0.0.8 key *", True)],
        ),
        (
            "snmp-server user u G v3 auth sha a priv aes b",
            "snmp-server user u G v3 auth sha a priv des b",
            [
                ("", "snmp-server user u G v3 auth sha * priv aes *", False),
                ("", "snmp-server user u G v3 auth sha * priv des *", True),
            ],
        ),
        (
            f"{SECTION}\n   switchport trunk allowed vlan 20-22\n",
            f"{SECTION}\n   switchport trunk allowed vlan 20,22\n",
            [
                (SECTION, "switchport trunk allowed vlan 20,21,22", False),
                (SECTION, "switchport trunk allowed vlan 20,22", True),
            ],
        ),
        (
            "banner login\nhello\nEOF",
            "banner login\nhallo\nEOF",
            [("banner login", "hello", False), ("banner login", "hallo", True)],
        ),
        (
            "router bgp 1\n   vrf a\n      rd 1:1",
            "router bgp 1\n   vrf b\n      rd 1:1",
            [
                ("router bgp 1", "vrf a", False),
                ("router bgp 1/vrf a", "rd 1:1", False),
                ("router bgp 1", "vrf b", True),
                ("router bgp 1/vrf b", "rd 1:1", True),
            ],
        ),
    ],
)
def test_different(wanted: str, running: str, found: list[tuple[str, str, bool]]) -> None:
    told = EOS.drift(wanted, running)
    assert [("/".join(one.section), one.line, one.present) for one in told] == found


def test_no_secret_is_told() -> None:
    """A line whose other words differ is told without its secret."""
    told = EOS.drift("username a secret sha512 hidden1", "username b secret sha512 hidden2")
    assert "hidden" not in str(told)
    assert len(told) == 2
