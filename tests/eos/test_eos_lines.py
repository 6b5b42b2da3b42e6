"""Lines that must never be printed, names that must not hang, and a text that survives the loss of its indentation."""

import re

import pytest

from tests.eos.fleet import NAMES, text_of
from tests.eos.modes import entered, stripped
from tests.eos.oracle import paths
from tests.eos.references import KINDS, Loose, loose
from tests.eos.rules import RULES, broken


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_is_broken(name: str) -> None:
    assert broken(text_of(name)) == []


WRONG_LINES = {
    "pfc-enable": "priority-flow-control priority 3 enable",
    "pfc-watchdog": "priority-flow-control watchdog",
    "pfc-mode": "priority-flow-control mode on",
    "watchdog-default-action": "priority-flow-control pause watchdog default action drop",
    "watchdog-units": "priority-flow-control pause watchdog default timeout 200 milliseconds",
    "watchdog-no-drop": "priority-flow-control pause watchdog port action no-drop",
    "tx-queue-policy-map": "service-policy type tx-queue output X",
    "flowcontrol-both": "no flowcontrol receive/send",
    "ecn-units": "random-detect ecn minimum-threshold 150 maximum-threshold 600 max-mark-probability 20",
    "ecn-bare": "random-detect ecn",
    "l2vpn-evpn": "address-family l2vpn evpn",
    "peer-group-hyphen": "neighbor 10.0.0.1 peer-group SPINES",
    "bgp-graceful-shutdown": "neighbor 10.0.0.1 graceful-shutdown",
    "map-class-7": "qos map traffic-class 7 to tx-queue 6",
    "map-to-uc": "qos map traffic-class 3 to uc-tx-queue 3",
    "map-to-dscp": "qos map traffic-class 3 to dscp 26",
    "old-speed": "speed forced 400gfull",
    "logging-source": "logging vrf MGMT source-interface Management1",
    "ecn-counter": "hardware counter feature ecn out",
    "guaranteed": "bandwidth guaranteed percent 5",
    "hash-seed": "ip load-sharing trident 6",
    "community-secret": "snmp-server community public ro",
    "template-left": "ip address None",
    "empty-word": "neighbor  activate",
}


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_each_rule_finds_its_line(rule: str) -> None:
    text = text_of("demo backend leaf").replace("!\nend", f"!\n{WRONG_LINES[rule]}\nend")
    assert {found.rule for found in broken(text)} == {rule}


def test_blanks_in_free_text_are_no_fault() -> None:
    assert broken("interface Ethernet1/1\n   description a  b\n") == []


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_defined_and_used(name: str) -> None:
    assert loose(text_of(name)) == []


HANGING = (
    ("demo backend leaf", "route-map RM-SPINES-IPV4-IN", "route-map RM-SPINE-IPV4-IN", "route-map"),
    ("demo backend leaf", "ip prefix-list PL-OWN-IPV4", "ip prefix-list PL-OWN", "ip prefix-list"),
    ("demo backend leaf", "ipv6 prefix-list PL-OWN-IPV6", "ipv6 prefix-list PL-OWN", "ipv6 prefix-list"),
    ("demo backend leaf", "match community CL-FROM-ABOVE", "match community CL-ABOVE", "community-list"),
    ("demo frontend leaf", "match extcommunity EC-RESEARCH", "match extcommunity EC-SERVING", "extcommunity-list"),
    ("demo backend leaf", "neighbor SPINES-IPV4 peer group\n", "neighbor SPINE peer group\n", "peer group"),
    ("demo backend leaf", "      neighbor SPINES-IPV6 activate\n", "", "activation"),
    ("demo backend leaf", "   neighbor SPINES-IPV6 peer group\n", "", "activated"),
    ("demo backend leaf", "qos profile ROCE-400G\n", "qos profile ROCE-800G\n", "qos profile"),
    ("demo backend leaf", "queue profile LOSSLESS apply", "queue profile LOSSY apply", "mmu profile"),
    ("demo frontend leaf", "vrf instance research", "vrf instance Research", "vrf"),
    ("demo frontend leaf", "\nvlan 20\n", "\nvlan 21\n", "vlan"),
    (
        "demo backend leaf",
        "   ssl profile fabric\n      certificate",
        "   ssl profile tls\n      certificate",
        "ssl profile",
    ),
    ("demo backend leaf", "aaa group server tacacs+ TACACS", "aaa group server tacacs+ OTHERS", "tacacs group"),
    ("demo backend leaf", "   server 10.0.0.7 ", "   server 10.0.0.8 ", "tacacs server"),
    ("demo frontend leaf", "\nlink tracking group UPLINKS\n", "\nlink tracking group UPLINK\n", "link tracking"),
    ("demo frontend leaf", "interface Port-Channel1\n", "interface Port-Channel101\n", "port-channel"),
    ("demo frontend leaf", "interface Loopback1\n", "interface Loopback2\n", "loopback"),
    ("demo frontend border-leaf", "interface Ethernet1/1\n", "interface Ethernet2/1\n", "parent port"),
    ("demo backend leaf", "snmp-server view ALL", "snmp-server view SOME", "snmp view"),
    ("demo backend leaf", "snmp-server group MONITORING", "snmp-server group WATCHING", "snmp group"),
    ("demo backend leaf", "snmp-server user monitor", "snmp-server user watcher", "snmp user"),
)


@pytest.mark.parametrize(("name", "right", "wrong", "kind"), HANGING)
def test_a_hanging_name_is_seen(name: str, right: str, wrong: str, kind: str) -> None:
    text = text_of(name)
    assert right in text
    assert kind in {found.kind for found in loose(text.replace(right, wrong, 1))}


def test_each_kind_has_a_hanging_case() -> None:
    assert {kind for *_, kind in HANGING} == {kind.name for kind in KINDS}


def test_both_directions_are_told_apart() -> None:
    assert loose("vlan 20\n") == [Loose("unused", "vlan", "20")]
    assert loose("interface Vlan20\n") == [Loose("undefined", "vlan", "20")]


@pytest.mark.parametrize("name", NAMES)
def test_the_text_means_the_same_without_indentation(name: str) -> None:
    assert entered(stripped(text_of(name))) == paths(text_of(name))


MISPLACED = (
    # The global watchdog right after a port: the port would take it.
    ("interface Ethernet1/1\n   no shutdown\npriority-flow-control pause watchdog action drop\n", True),
    # A network of the default VRF after the VRFs: the last VRF's family would take it.
    (
        "router bgp 1\n   vrf a\n      address-family ipv4\n         network 10.0.0.0/8\n   network 10.1.0.0/16\n",
        True,
    ),
    ("interface Ethernet1/1\n   no shutdown\nip routing\npriority-flow-control pause watchdog action drop\n", False),
)


@pytest.mark.parametrize(("text", "differs"), MISPLACED)
def test_a_swallowed_line_is_seen(text: str, differs: bool) -> None:
    assert (entered(stripped(text)) != paths(text)) is differs


@pytest.mark.parametrize("line", ["mtu 9214", "neighbor 10.0.0.1 activate", "ip route 10.0.0.0/8", "speed 400"])
def test_a_line_that_no_mode_knows_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)):
        entered(["hostname x", line])
