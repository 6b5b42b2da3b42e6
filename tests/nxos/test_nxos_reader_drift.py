"""Lines of NX-OS that differ, and those that do not though they look so."""

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.nxos.live.reader import NXOS
from fabricgen.verify.collect.redact_config import without_secrets
from tests.nxos.fleet import text_of

# What recorded switches show without having been told (9.2(3), 9.3(4), 10.3(9)), in that order.
UNTOLD = """\
!Command: show running-config
!Running configuration last done at: Thu Jun 18 17:40:44 2026
!Time: Thu Jun 18 17:43:19 2026

version 10.5(2) Bios:version
vdc leaf id 1
  limit-resource vlan minimum 16 maximum 4094
  limit-resource m6route-mem minimum 8 maximum 8
ssh key rsa 2048
username monitor passphrase  lifetime 99999 warntime 14 gracetime 3
ip domain-lookup
snmp-server user admin network-admin auth md5 33293AB6 priv aes-128 367A4DDA localizedV2key
rmon event 1 log trap public description FATAL(1) owner PMON@FATAL
rmon event 5 description INFORMATION(5) owner PMON@INFO
vlan 1,20
interface Vlan1

interface Ethernet1/64

interface mgmt0
icam monitor scale
line console
line vty
boot nxos bootflash:/nxos64-cs.10.5.2.bin sup-1
"""
TOLD = "username admin password 5 $5$AAAA role network-admin\nvlan 20\n  name data\ninterface mgmt0\n"


def as_shown(text: str) -> str:
    """A rendered text as a switch shows it: its own lines before, remarks gone, secrets as it keeps them."""
    words = {
        "${env:ADMIN_HASH}": "$5$BBBBBB$cccc ",
        "key 0 ${env:TACACS_KEY}": 'key 7 "fewhg"',
        "${env:SNMP_AUTH} priv aes-128 ${env:SNMP_PRIVACY}": "0xab12 priv aes-128 0xcd34 localizedkey",
        "interface Ethernet1/1\n  description store-000 port 0\n  switchport\n": (
            "interface Ethernet1/1\n  description store-000 port 0\n"
        ),
        "nxapi https port 443\nno nxapi http\n": "",
        "\nvlan 20\n": "\nvlan 1,20\nvlan 20\n",
        "fd5e:8c1f:2a00:1000::/52": "fd5e:8c1f:2a00:1000:0::/52",
    }
    for old, new in words.items():
        assert old in text, old
        text = text.replace(old, new)
    return UNTOLD + "".join(f"{line} \n" for line in text.splitlines())


@pytest.mark.parametrize("hidden", [False, True])
def test_a_rendered_switch_as_it_shows_itself_has_not_drifted(hidden: bool) -> None:
    wanted = text_of("demo frontend leaf")
    running = as_shown(wanted)
    if hidden:
        wanted, running = str(without_secrets(wanted)), str(without_secrets(running))
    assert NXOS.drift(wanted, running) == ()


def test_lines_that_are_missing_or_too_many_stand_under_their_sections() -> None:
    wanted = "router bgp 65001\n  neighbor 10.0.0.1\n    remote-as 65100\n    address-family ipv4 unicast\n"
    running = "router bgp 65001\n  neighbor 10.0.0.1\n    remote-as 65200\n    address-family ipv4 unicast\n"
    session = ("router bgp 65001", "neighbor 10.0.0.1")
    assert NXOS.drift(wanted, running) == (
        Drift(session, "remote-as 65100", False), Drift(session, "remote-as 65200", True),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "running", "lines"),
    [
        ("vlan 20\n  name data\n", "vlan 1,20-21\nvlan 20\n  name data\n", ["vlan 21"]),
        ("interface Ethernet1/1\n  mtu 1500\n", "interface Ethernet1/1\n", []),
        ("interface Ethernet1/1\n  mtu 9214\n", "interface Ethernet1/1\n", ["mtu 9214"]),
        ("interface Ethernet1/1\n", "interface Ethernet1/1\n  shutdown\n", ["shutdown"]),
        ("", "interface loopback7\n", ["interface loopback7"]),
        ("", "interface Ethernet1/9\n  ip address 10.0.0.1/31\n", ["ip address 10.0.0.1/31"]),
        ("", "interface Vlan1\n  no shutdown\n", ["no shutdown"]),
        ("", "feature telnet\n", ["feature telnet"]),
        (TOLD, f"{TOLD}username admin passphrase  lifetime 99999 warntime 14 gracetime 3\n", []),
        (TOLD, f"{TOLD}username admin passphrase  lifetime 90 warntime 14 gracetime 3\n",
         ["username admin passphrase lifetime 90 warntime 14 gracetime 3"]),
        ("", "vrf context management\n  ip route 0.0.0.0/0 10.0.0.1\n", ["ip route 0.0.0.0/0 10.0.0.1"]),
        ("", "no password strength-check\n", ["no password strength-check"]),
        ("no nxapi http\n", "nxapi http port 80\n", ["nxapi http port 80"]),
        ("ipv6 route ::/0 2001:db8::1\n", "ipv6 route 0::/0 2001:DB8::1\n", []),
        ("ipv6 address 2001:db8::1/64\n", "ipv6 address 2001:db8::1/65\n",
         ["ipv6 address 2001:db8::1/64", "ipv6 address 2001:db8::1/65"]),
        (TOLD, f"{TOLD}snmp-server user admin network-admin auth md5 0xab priv 0xab localizedkey\n", []),
        (TOLD, f"{TOLD}snmp-server user eve network-admin auth md5 0xab priv 0xab localizedkey\n",
         ["snmp-server user eve network-admin auth md5 * priv *"]),
        (TOLD, TOLD.replace("role network-admin", "role vdc-admin"),
         ["username admin password * role network-admin", "username admin password * role vdc-admin"]),
        (TOLD, TOLD.replace("$5$AAAA", "$5$other  "), []),
    ],
)  # fmt: skip
def test_what_differs(wanted: str, running: str, lines: list[str]) -> None:
    assert [one.line for one in NXOS.drift(wanted, running)] == lines


SECRETS = (
    "username admin password 5 {} role network-admin",
    "username admin password 5 {}  role network-admin",
    'tacacs-server host 10.0.0.7 key 7 "{}"',
    "tacacs-server host 10.0.0.7 key 0 {}",
    "snmp-server user monitor network-operator auth sha {} priv aes-128 {} localizedkey",
    "snmp-server user monitor network-operator auth sha {} priv {} localizedkey engineID 128:0:0:9:3",
    "snmp-server user admin network-admin auth md5 {} priv aes-128 {} localizedV2key",
    "router bgp 1\n  vrf red\n    neighbor 10.0.0.1\n      password 3 {}",
    "router bgp 1\n  vrf red\n    neighbor 10.0.0.1\n      password 7 {}",
)


@pytest.mark.parametrize("line", SECRETS)
def test_a_secret_is_in_no_difference_and_equals_any_other(line: str) -> None:
    old, new = line.replace("{}", "0xc4n4ry1"), line.replace("{}", "0xc4n4ry2")
    assert NXOS.drift(old, new) == ()
    assert "c4n4ry" not in str(NXOS.drift(old, "") + NXOS.drift("", new))
    assert NXOS.drift(old, "") != ()
