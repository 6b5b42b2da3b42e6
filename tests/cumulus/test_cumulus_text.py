"""What our checkers find in the switches' files, nothing, and in broken ones: each fault by its name."""

import re
from collections.abc import Callable

import pytest

from tests.cumulus import commands, reading, references, roce, told
from tests.cumulus.fleet import NAMES, sample

LEAF = "site fe-leaf-002"
RAILS = "tower be-leaf-000"
DEFAULT = ("vrf", "default", "router", "bgp")
POLICY = ("router", "policy")
GROUP = (*DEFAULT, "peer-group", "SPINES-IPV4")
TENANT = ("vrf", "research", "router", "bgp")
SEGMENT = ("interface", "bond1", "evpn", "multihoming", "segment")
DOMAIN = ("bridge", "domain", "br_default", "vlan")
PROFILE = "ROCE-400G"
CABLE = "ROCE-400G-5m"
QUEUES = ("qos", "egress-queue-mapping", "default-global", "switch-priority")
NIC = "swp1s0"
STATE = ("interface", "swp25", "link", "state")


BACKEND = [name for name in NAMES if " be-" in name]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_in_the_documents(name: str) -> None:
    assert commands.faults(sample(name).text) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_name_leads_somewhere(name: str) -> None:
    assert references.dangling(sample(name).text) == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_is_what_the_switch_is_to_do(name: str) -> None:
    device, text = sample(name)
    assert told.differences(text, device) == []


@pytest.mark.parametrize("name", BACKEND)
def test_lossless_classes_keep_their_rules(name: str) -> None:
    device, text = sample(name)
    assert roce.broken(text) == []
    if device.qos is None:
        assert "qos" not in reading.tree(text)
    else:
        assert roce.compare(text, device) == []


UNKNOWN = [
    (("interface", "swp25", "link", "mtuu"), "9216"),
    (("interface", "swp25", "link", "mtu"), "99999"),
    (("interface", "swp25", "link", "fec"), "fast"),
    (("interface", "swp25", "ipv4"), {"address": {"10.0.0.1/31": {}}}),
    (("interface", "ethernet25", "type"), "swp"),
    ((*SEGMENT, "enable"), "yes"),
    ((*SEGMENT, "state"), "enabled"),
    ((*SEGMENT, "identifier"), "03:44:38:39:be:ef:aa:00:00:01"),
    ((*DEFAULT, "autonomous-system"), "4294967296"),
    ((*DEFAULT, "peer-group", "SPINES-IPV4", "multihop-ttl"), "256"),
    ((*TENANT, "rd"), "65000:1"),
    ((*POLICY, "route-map", "RM-X", "rule", "0", "action", "permit"), {}),
    ((*POLICY, "route-map", "RM-X", "rule", "1", "set", "community-additive"), "65000:1"),
    (("nve", "vxlan", "mac-learning"), "false"),
    (("system", "ntp", "server", "10.0.0.5"), {}),
    (("system", "aaa", "tacacs", "server", "1", "secret"), "open"),
    (("qos", "roce", "mode"), "lossless2"),
]


@pytest.mark.parametrize(("path", "value"), UNKNOWN)
def test_unknown_commands_are_found(path: tuple[str, ...], value: object) -> None:
    words = " ".join(path)
    assert [fault for fault in commands.faults(reading.with_path(sample(LEAF).text, path, value)) if words in fault]


def test_every_command_of_the_table_has_a_page() -> None:
    assert all(command.source for command in commands.COMMANDS)
    spelled = [(command.path, command.value) for command in commands.COMMANDS]
    assert len(set(spelled)) == len(spelled)


IDLE = (
    (r"vrf {vrf} router bgp (neighbor|peer-group) .*", "forms that a session or its group may have, as the plan likes"),
    (r"system sflow sampling-rate .*", "a speed each"),
    (r"system aaa tacacs server {priority} prefer-ip-version", "test_cumulus_words.py"),
    (r"interface {cage} link breakout disabled", "cages in eight parts: test_cumulus_words.py"),
    (r"vrf {vrf} router static {prefix} via {address} type", "no plan has such a route outside of management"),
)


def test_every_command_of_the_table_is_used() -> None:
    """A table that grows beyond what is rendered hides faults."""
    used = set()
    for name in NAMES:
        used |= {commands.command_of(*leaf) for leaf in reading.leaves(reading.tree(sample(name).text))}
    idle = [command.path for command in commands.COMMANDS if command not in used]
    assert [path for path in idle if not any(re.fullmatch(pattern, path) for pattern, _ in IDLE)] == []


def test_a_key_that_stands_twice_is_found() -> None:
    with pytest.raises(ValueError, match="'mtu' stands twice at line 3"):
        reading.document("- set:\n    mtu: 1\n    mtu: 2\n")
    with pytest.raises(ValueError, match="no list"):
        reading.document("set:\n    mtu: 1\n")


Broken = tuple[tuple[str, ...], object, str]

DANGLING: list[Broken] = [
    ((*DEFAULT, "peer-group", "SPINES-IPV4"), None, "no peer group SPINES-IPV4"),
    ((*POLICY, "route-map", "RM-RESEARCH-IMPORT"), None, "RM-RESEARCH-IMPORT is not there"),
    ((*POLICY, "route-map", "RM-SERVING-ORIGINATED"), None, "RM-SERVING-ORIGINATED is not there"),
    (("vrf", "storage"), None, "VRF storage, which is not there"),
    ((*DOMAIN, "110"), None, "VLAN 110, which the bridge has not"),
    ((*DOMAIN, "110", "vni"), {"10001": {}}, "VNI 10001 is there twice"),
    ((*DOMAIN, "3900"), {"vni": {"77": {}}}, "VLAN 3900 is taken"),
    (("vrf", "research", "evpn", "vlan"), "110", "VLAN 110 is taken"),
    (("vrf", "research", "evpn", "vlan"), "3999", "VLAN 3999 is taken"),
    (("nve", "vxlan", "source"), None, "VNIs, and no tunnel"),
    ((*TENANT, "rd"), None, "an L3 VNI and no RD"),
    ((*TENANT, "route-export", "to-evpn", "route-target"), {"65000:10006": {}}, "exported by two VRFs"),
    (("system", "config", "snippet", "frr.conf"), "route-map A permit 1\n set metric 1\n", "a rule that does not end"),
    (("interface", "bond2", "bond", "member"), {"swp25": {}}, "in a bond and something else"),
    (("interface", "bond2", "bond", "member"), {"swp99": {}}, "in a bond and is no interface"),
    (("interface", "swp26", "ip", "address"), {"10.128.192.8/32": {}}, "is on two interfaces"),
    (("system", "config", "snippet", "frr.conf"), "route-map RM-X permit 10\n", "no rule RM-X permit 10"),
    (("service", "dhcp-relay", "research", "interface"), {"vlan121": {}}, "is none of its VLANs"),
    (("service", "dhcp-relay6"), {"research": {"interface": {"upstream": {"vlan3724_l3": {}}}}}, "not behind the VRF"),
    (("system", "aaa", "authentication-order", "3"), "tacacs", "logins ask tacacs twice"),
    ((*GROUP, "address-family", "ipv4-unicast", "policy", "inbound"), None, "not both policies"),
    (("interface", "swp25", "qos"), {"pfc": {"profile": "ROCE"}}, "no pfc profile ROCE"),
    (("interface", "swp1", "link", "breakout"), {"1x": {}}, "is no part of swp1"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "fault"), DANGLING)
def test_names_that_lead_nowhere_are_found(path: tuple[str, ...], value: object, fault: str) -> None:
    found = references.dangling(reading.with_path(sample(LEAF).text, path, value))
    assert [line for line in found if fault in line], found


LOSSY: list[Broken] = [
    (("qos", "roce"), {"enable": "on", "mode": "lossy"}, "RoCE is not lossless"),
    (("qos", "pfc", CABLE, "cable-length"), None, "PFC without headroom"),
    (("qos", "pfc", CABLE, "tx"), "disable", "PFC one way"),
    (("qos", "pfc", CABLE, "switch-priority"), {"6": {}}, "is strict"),
    (("interface", NIC, "qos", "pfc-watchdog"), None, "PFC and watchdog differ"),
    (("interface", NIC, "qos", "congestion-control"), None, "PFC without ECN"),
    (("interface", NIC, "qos", "pfc"), None, "ports of 400G differ"),
    (("qos", "pfc-watchdog", "robustness"), None, "the watchdog has no times"),
    (("qos", "traffic-pool", "roce-lossless", "memory-percent"), "60", "a pool is missing"),
    (("qos", "mapping", "default-global", "trust"), "l2", "DSCP is not trusted"),
    (("qos", "mapping", "default-global", "dscp", "63"), None, "DSCP 63 is left to the default"),
    ((*QUEUES, "7"), None, "a priority has no queue"),
    ((*QUEUES, "0"), {"traffic-class": "3"}, "has lossy traffic"),
    (("qos", "congestion-control", PROFILE, "traffic-class", "3", "min-threshold"), "9999999", "ECN thresholds"),
    (("qos", "congestion-control", PROFILE, "traffic-class", "3", "red"), "enable", "drops instead of marks"),
    (("qos", "congestion-control", PROFILE, "traffic-class"), {}, "a lossless queue is not marked"),
    (("qos", "egress-shaper", PROFILE, "traffic-class", "6"), None, "CNP is not strict and capped"),
    (("qos", "egress-scheduler", PROFILE, "traffic-class", "0", "bw-percent"), "90", "more than the whole"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "fault"), LOSSY)
def test_broken_lossless_classes_are_found(path: tuple[str, ...], value: object, fault: str) -> None:
    found = roce.broken(reading.with_path(sample(RAILS).text, path, value))
    assert [line for line in found if fault in line], found


PLANNED: list[Broken] = [
    (("qos", "mapping", "default-global", "dscp", "26", "switch-priority"), "0", "DSCP map"),
    (("qos", "pfc-watchdog", "polling-interval"), "5000", "watchdog"),
    (("qos", "pfc", CABLE, "cable-length"), "1", "1 m for 5 m"),
    (("qos", "congestion-control", PROFILE, "traffic-class", "3", "probability"), "1", "3: ECN"),
    (("qos", "egress-shaper", PROFILE, "traffic-class", "6", "max-rate"), "1", "6: cap"),
    (("qos", "egress-scheduler", PROFILE, "traffic-class", "0", "bw-percent"), "10", "0: share"),
    (("qos", "pfc", CABLE, "switch-priority"), {"3": {}, "4": {}}, f"{CABLE}: priorities"),
    (("interface", NIC, "qos", "egress-shaper"), None, f"{NIC}: profiles"),
    (("qos", "advance-buffer-config", "default-global", "ingress-lossless-buffer", "shared-alpha"), "alpha_2", "alpha"),
]


@pytest.mark.parametrize(("path", "value", "fault"), PLANNED)
def test_classes_of_another_plan_are_found(path: tuple[str, ...], value: object, fault: str) -> None:
    device, text = sample(RAILS)
    found = roce.compare(reading.with_path(text, path, value), device)
    assert [line for line in found if fault in line], found


OTHER: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text.replace("mtu: 9214", "mtu: 9000"), "- interface swp25 link mtu 9214"),
    (lambda text: text.replace("hostname: fe-leaf-002", "hostname: fe-leaf-003"), "- system hostname fe-leaf-002"),
    (lambda text: reading.with_path(text, STATE, {"down": {}}), "+ interface swp25 link state down"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "fault"), OTHER)
def test_other_commands_are_found(edit: Callable[[str], str], fault: str) -> None:
    device, text = sample(LEAF)
    assert fault in told.differences(edit(text), device)
