"""SR Linux: texts are read back. What is wrong in one is found with its line; what a switch writes otherwise is not."""

import json
import random
import re
from typing import Any, NamedTuple

import pytest

from fabricgen.platforms.srlinux.readback.readback import READBACK
from fabricgen.readback.compare import Difference, differences
from fabricgen.readback.rows import A_VALUE, Reading
from tests.some import some
from tests.srlinux.sites import samples, text_of

FILE = "config.json"


def read(text: str) -> Reading:
    return READBACK.read({FILE: text})


def found(name: str, text: str) -> tuple[Difference, ...]:
    return differences(READBACK.expected(samples()[name]), read(text))


def said(name: str, text: str) -> list[str]:
    """What is found in a text of a switch: settings that differ, and lines that are not understood."""
    unread = [f"unread {line.text}" for line in read(text).unread]
    return [f"{row.kind} {row.thing} {row.name} {row.setting} {row.line}" for row in found(name, text)] + unread


@pytest.mark.parametrize("name", some(samples()))
def test_every_role_is_read_back(name: str) -> None:
    assert said(name, text_of(name)) == []


class Fault(NamedTuple):
    """A text of a switch with one thing changed, what must differ, and a word on the line that must be named."""

    switch: str
    old: str
    new: str
    differs: str
    line: str = ""


FRONT, BACK, BORDER, BARE = "demo frontend leaf", "demo backend leaf", "demo frontend border-leaf", "bare frontend leaf"
FAULTS = {
    "host name": Fault(FRONT, r'"host-name": "[^"]*"', '"host-name": "other"', "switch  hostname", "host-name"),
    "seed": Fault(FRONT, r'"hash-seed": \d+', '"hash-seed": 77', "hash-seed", "hash-seed"),
    "LLDP": Fault(FRONT, r'(:lldp": \{\s*"admin-state": )"enable"', r'\1"disable"', "switch  lldp", "admin-state"),
    "own AS": Fault(FRONT, r'"autonomous-system": \d+', '"autonomous-system": 65535', "bgp  asn", "autonomous-system"),
    "peer AS": Fault(FRONT, r'"peer-as": \d+', '"peer-as": 65535', "remote-as", "65535"),
    "neighbor": Fault(FRONT, r'"peer-address": "[^"]*"', '"peer-address": "10.9.9.9"', "session 10.9.9.9 ", "peer-as"),
    "session is shut": Fault(
        FRONT, r'("peer-address": "[^"]*",)', r'\1 "admin-state": "disable",', "enabled", "admin-state"
    ),
    "hold time": Fault(FRONT, r'"hold-time": \d+', '"hold-time": 30', " hold", '"hold-time": 30'),
    "keepalive": Fault(FRONT, r'"keepalive-interval": \d+', '"keepalive-interval": 1', " keepalive", ": 1"),
    "retry": Fault(FRONT, r'"connect-retry": 10', '"connect-retry": 120', "bgp connect-retry 120", "120"),
    "family": Fault(
        FRONT, r'(ipv6-unicast",\s*"admin-state": )"enable"(,\s*"send-)', r'\1"disable"\2', "families", "admin-state"
    ),
    "hops": Fault(FRONT, r'"maximum-hops": 3', '"maximum-hops": 1', "multihop", "maximum-hops"),
    "source": Fault(FRONT, r'"local-address": "[^"]*"', '"local-address": "10.1.1.1"', "source", "10.1.1.1"),
    "next hop": Fault(FRONT, r'"inter-as-vpn": true', '"inter-as-vpn": false', "next-hop-unchanged", "inter-as-vpn"),
    "communities": Fault(FRONT, r',\s*"extended"', "", "extended-communities"),
    "route limit": Fault(FRONT, r'"max-received-routes": \d+', '"max-received-routes": 9', "maximum-routes", ": 9"),
    "a limit that closes": Fault(FRONT, r'"prevent-teardown": true', '"prevent-teardown": false', "restart"),
    "policy of a group": Fault(
        FRONT, r'"RM-SPINES-IPV4-IN"\s*\](?=,\s*"export)', '"RM-SPINES-IPV4-DRAINED-IN"]', "policy-in.ipv4", ""
    ),
    "a statement accepts": Fault(
        FRONT,
        r'("name": "RM-SPINES-EVPN-OUT",.{0,300}?"statement".{0,200}?"policy-result": )"reject"',
        r'\1"accept"',
        "policy-out.evpn",
        '"accept"',
    ),
    "default action": Fault(
        FRONT,
        r'(RM-SPINES-IPV4-OUT",\s*"default-action": \{\s*"policy-result": )"reject"',
        r'\1"accept"',
        "policy-out.ipv4",
        '"accept"',
    ),
    "local preference": Fault(FRONT, r'("local-preference": \{\s*"set": )0', r"\g<1>100", "policy-in", '"set": 100'),
    "prefix list": Fault(
        FRONT, r'"mask-length-range": "12\.\.32"', '"mask-length-range": "12..24"', "policy-in.ipv4", "prefix"
    ),
    "own prefix": Fault(
        FRONT, r'(PL-OWN-IPV4-ORIGINATED",\s*"prefix": \[\s*\{\s*"ip-prefix": )"[^"]*"', r'\1"10.9.9.9/32"', "network"
    ),
    "learned routes": Fault(
        "demo frontend spine",
        r'("name": "RM-LEAVES-IPV4-OUT",.{0,900}?"protocol": "srl_nokia-common:)bgp"',
        r'\1isis"',
        "policy-out.ipv4",
    ),
    "equal paths": Fault(FRONT, r'"maximum-paths": \d+', '"maximum-paths": 1', "maximum-paths", ": 1"),
    "paths over several AS": Fault(
        FRONT, r'"allow-multiple-as": true', '"allow-multiple-as": false', "maximum-paths", "false"
    ),
    "paths of EVPN": Fault(FRONT, r'"ecmp": 64', '"ecmp": 2', "overlay-paths", '"ecmp": 2'),
    "installed first": Fault(FRONT, r'"wait-for-fib-install": true', '"wait-for-fib-install": false', "wait-install"),
    "address": Fault(
        BACK, r'"ip-prefix": "(\d+\.\d+\.\d+\.\d+)/31"', '"ip-prefix": "10.9.9.8/31"', " ipv4", "10.9.9.8"
    ),
    "no IPv4": Fault(
        BACK,
        r'("ipv4": \{\s*"admin-state": )"enable"(?=,\s*"address": \[\s*\{\s*"ip-prefix": "[^"]*/31")',
        r'\1"disable"',
        " ipv4",
        "admin-state",
    ),
    "MTU of a port": Fault(BACK, r'"mtu": \d+', '"mtu": 1514', " mtu", '"mtu": 1514'),
    "MTU of packets": Fault(BACK, r'"ip-mtu": \d+', '"ip-mtu": 1500', " mtu", '"ip-mtu": 1500'),
    "management is shut": Fault(
        FRONT, r'("name": "mgmt0",.{0,60}"admin-state": )"enable"', r'\1"disable"', "management  address", "disable"
    ),
    "port is shut": Fault(BACK, r'("description": "train[^"]*",\s*"admin-state": )"enable"', r'\1"disable"', "enabled"),
    "description": Fault(BACK, r'"description": "train[^"]*"', '"description": "other"', "description", "other"),
    "speed": Fault(FRONT, r'"port-speed": "\d+G"', '"port-speed": "10G"', " speed", "10G"),
    "parts": Fault(BACK, r'"num-breakout-ports": "2"', '"num-breakout-ports": "4"', "is divided by", '"4"'),
    "in no instance": Fault(BACK, r'\{\s*"name": "ethernet-1/1/1\.0"\s*\},', "", "port ethernet-1/1/1 vrf", ""),
    "PFC": Fault(BACK, r'"pfc-pause-frame-priority": 3', '"pfc-pause-frame-priority": 4', " pfc", "priority"),
    "PFC of a port": Fault(BACK, r'"pfc-enable": true', '"pfc-enable": false', " pfc", "pfc-enable"),
    "watchdog": Fault(BACK, r'"detection-timer": \d+', '"detection-timer": 11', " watchdog", "detection-timer"),
    "headroom": Fault(
        BACK,
        r'"maximum-pfc-reserved-share-bytes": "?\d+"?',
        '"maximum-pfc-reserved-share-bytes": 9',
        "headroom",
        "share-bytes",
    ),
    "queue limit": Fault(BACK, r'"maximum-burst-size": "?\d+"?', '"maximum-burst-size": 9', "limit of", ": 9"),
    "pool": Fault(BACK, r'"pfc-buffer-reservation": \d+', '"pfc-buffer-reservation": 1', "headroom-pool", ": 1"),
    "ECN": Fault(BACK, r'"max-threshold": "\d+"', '"max-threshold": "9000001"', " ecn", "9000001"),
    "no ECN": Fault(BACK, r'"enable-ecn": true', '"enable-ecn": false', " ecn", "enable-ecn"),
    "DSCP": Fault(BACK, r'("value": 26,\s*"forwarding-class": )"fc\d"', r'\1"fc0"', "dscp-classes", "forwarding-class"),
    "queue of a class": Fault(
        BACK, r'"unicast-queue": "unicast-3"', '"unicast-queue": "unicast-2"', "class-queues", "unicast-2"
    ),
    "weight": Fault(BACK, r'"weight": \d+', '"weight": 1', " queues", '"weight": 1'),
    "cap": Fault(BACK, r'"peak-rate-percent": \d+', '"peak-rate-percent": 3', " queues", ": 3"),
    "VNI": Fault(FRONT, r'"vni": \d+', '"vni": 99', "vlan 20 vni", '"vni": 99'),
    "VLAN": Fault(FRONT, r'"evi": 20', '"evi": 21', "vlan 21 "),
    "EVPN is off": Fault(
        FRONT,
        r'(bgp-evpn:bgp-instance": \[\s*\{\s*"id": 1,\s*"admin-state": )"enable"',
        r'\1"disable"',
        " vni",
        "admin-state",
    ),
    "RD": Fault(FRONT, r'"rd": "[^"]*"', '"rd": "1.1.1.1:1"', " rd", "1.1.1.1:1"),
    "import": Fault(
        FRONT,
        r'"import-rt": "target:65000:\d+"(?=\s*\}\s*\}\s*\]\s*\}\s*\},\s*"bridge-table)',
        '"import-rt": "target:1:1"',
        "vlan 20 imports",
        "target:1:1",
    ),
    "export": Fault(FRONT, r'"export-rt": "target:65000:\d+"', '"export-rt": "target:1:1"', " exports", "target:1:1"),
    "tunnel source": Fault(
        FRONT, r'("name": "system0".*?"ip-prefix": )"[^"]*"', r'\1"10.9.9.9/32"', "vtep  address", "10.9.9.9"
    ),
    "gateway": Fault(FRONT, r'"anycast-gw": true', '"anycast-gw": false', "gateway 20 ipv"),
    "MAC": Fault(FRONT, r'"anycast-gw-mac": "[^"]*"', '"anycast-gw-mac": "02:00:00:00:00:09"', "gateway 20 mac", ":09"),
    "member": Fault(FRONT, r'"aggregate-id": "lag1"', '"aggregate-id": "lag2"', " lag", "lag2"),
    "segment": Fault(FRONT, r'"esi": "00:', '"esi": "01:', "lag 1 esi", '"01:'),
    "preference": Fault(FRONT, r'"preference-value": \d+', '"preference-value": 5', "lag 1 df-preference", ": 5"),
    "LACP": Fault(FRONT, r'"lacp-mode": "ACTIVE"', '"lacp-mode": "PASSIVE"', "lag1: lacp lacp-mode", "PASSIVE"),
    "system id": Fault(FRONT, r'"system-id-mac": "[^"]*"', '"system-id-mac": "02:00:00:00:00:09"', "system-id", ":09"),
    "fallback": Fault(FRONT, r'"lacp-fallback-mode": "static",', "", "lag 1 fallback"),
    "moves of a duplicate": Fault(FRONT, r'"num-moves": \d+', '"num-moves": 7', "duplicate-mac", '"num-moves": 7'),
    "detection is off": Fault(
        FRONT, r'("mac-duplication": \{\s+"admin-state": )"enable"', r'\1"disable"', "duplicate-mac", "disable"
    ),
    "unknown unicast": Fault(
        FRONT, r'"unknown-unicast-rate": \d+', '"unknown-unicast-rate": 9', "unknown-unicast-limit", ": 9"
    ),
    "storms": Fault(FRONT, r'"broadcast-rate": \d+', '"broadcast-rate": 99', "broadcast-limit", ": 99"),
    "MAC limit": Fault(
        FRONT,
        r'("l2-mtu": \d+,\s*"bridge-table": \{\s*"mac-limit": \{\s*"maximum-entries": )\d+',
        r"\g<1>3",
        "mac-limit",
        ": 3",
    ),
    "BFD of a subinterface": Fault(
        BARE, r'("id": "[^"]*",\s*"admin-state": )"enable"', r'\1"disable"', " bfd", "admin-state"
    ),
    "advertisements": Fault(
        BARE, r'("router-role": \{\s*"admin-state": )"enable"', r'\1"disable"', "unnumbered", "admin-state"
    ),
    "IPv6 next hops": Fault(
        BARE,
        r'"receive-ipv6-next-hops": true(?=\s*\}\s*\},\s*\{\s*"afi-safi-name": "srl_nokia-common:ipv6-unicast",\s*'
        r'"admin-state": "enable",\s*"send)',
        '"receive-ipv6-next-hops": false',
        "extended-next-hop",
    ),
    "AS of a link": Fault(BARE, r'("allowed-peer-as": \[\s*)"\d+"', r'\1"65535"', "remote-as", "65535"),
    "public key": Fault(FRONT, r'"ssh-ed25519 A[^"]*"', '"ssh-ed25519 AAAAB3 x"', "ssh-keys", "AAAAB3"),
    "outside password": Fault(
        BORDER, r'("authentication": \{\s*"password": )"[^"]*"', r'\1"${env:OTHER}"', "password", "OTHER"
    ),
    "outside tag": Fault(BORDER, r'"vlan-id": \d+', '"vlan-id": 77', " vlan", ": 77"),
    "restart": Fault(
        BORDER, r'"prefix-limit-restart-timer": \d+', '"prefix-limit-restart-timer": 60', "restart", ": 60"
    ),
    "routes become EVPN's": Fault(
        BORDER, r'("name": "outside",\s*"action": \{\s*"policy-result": )"accept"', r'\1"reject"', "routes of bgp"
    ),
    "import map": Fault(BORDER, r'("name": "RT-[A-Z]+-IMPORTS",[^]]*any[^]]*?):100\d\d', r"\1:19999", "imports"),
    "user": Fault(FRONT, r'("role": \[\s*)"network-admin"', r'\1"network-operator"', "user admin role"),
    "DNS": Fault(FRONT, r'("server-list": \[\s*)"[^"]*"', r'\1"10.9.9.9"', "management  dns", "10.9.9.9"),
    "DNS in another table": Fault(
        FRONT, r'(:dns": \{\s*"network-instance": )"mgmt"', r'\1"default"', "management  dns"
    ),
    "syslog": Fault(FRONT, r'"host": "[^"]*"', '"host": "10.9.9.9"', "management  syslog", "10.9.9.9"),
    "gNMI": Fault(FRONT, r'("port": )\d+', r"\g<1>1", "gnmi-port", ": 1"),
    "TACACS key": Fault(FRONT, r'"secret-key": "[^"]*"', '"secret-key": "${env:X}"', "tacacs-key", "${env:X}"),
    "key of traps": Fault(FRONT, r'("password": )"\$\{env:SNMP_AUTH\}"', r'\1"${env:X}"', "snmp-auth"),
    "no key of access": Fault(
        FRONT, r'("protocol": "cfb128-aes-128"),\s*"password": "[^"]*"', r"\1", "snmp access: no key of privacy"
    ),
    "import of every tenant": Fault(
        FRONT, r',\s*"bgp": \{\s*"community-set": "RT-[A-Z]+-IMPORTS"\s*\}', "", "import-policy"
    ),
    "source is gone": Fault(FRONT, r'"local-address": "[^"]*"', "", "source"),
    "no limit of queues": Fault(BACK, r'"buffer-allocation-profile": "ROCE"', '"remark": {}', "queues have limits"),
    "SNMP": Fault(
        FRONT, r'"security-level": "auth-priv"', '"security-level": "no-auth-no-priv"', "snmp access by", "no-auth"
    ),
    "another banner": Fault(BARE, r'"Authorised', '"Unauthorised', "management  login-banner"),
    "a longer time": Fault(BARE, r'"idle-timeout": 600', '"idle-timeout": 3600', "management  login-idle"),
    "passwords, too": Fault(BARE, r'\[\s*"publickey"', '["password", "publickey"', "management  login-keys"),
    "management gateway": Fault(
        FRONT, r'"ip-address": "10.0.0.1"', '"ip-address": "10.0.0.9"', "management  gateway", "10.0.0.9"
    ),
}


@pytest.mark.parametrize("fault", some(FAULTS.values()), ids=FAULTS.keys())
def test_a_fault_is_found_on_its_line(fault: Fault) -> None:
    text, count = re.subn(fault.old, fault.new, text_of(fault.switch), count=1, flags=re.DOTALL)
    assert count
    text = json.dumps(json.loads(text), indent=2)
    rows = [row for row in found(fault.switch, text) if fault.differs in f"{row.thing} {row.name} {row.setting}"]
    assert rows, said(fault.switch, text)
    lines = ["", *text.split("\n")]
    assert any(fault.line in lines[row.line] for row in rows), [(row, lines[row.line]) for row in rows]


def _turned(value: Any) -> Any:  # noqa: ANN401 - JSON
    """The same in another order of keys; lists keep theirs."""
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", ["demo frontend leaf", "demo frontend border-leaf", "tiers backend spine"])
def test_another_form_says_the_same(name: str) -> None:
    whole = json.loads(text_of(name))
    assert said(name, json.dumps(whole)) == []
    assert said(name, json.dumps(_turned(whole), indent=4)) == []
    remarks = {"_preamble": {"header": {"release": "v25.3.1"}}, **whole}
    assert said(name, json.dumps(remarks, indent=2)) == []


def test_defaults_of_the_system_are_those_of_its_models() -> None:
    text = text_of("demo frontend leaf")
    bare = re.sub(r'("group-name": "SPINES-IPV4",)\s*"admin-state": "enable",', r"\1", text)
    bare = re.sub(r'"ebgp-default-policy": \{[^}]*\},\s*', "", bare)
    assert len(bare) < len(text)
    assert said("demo frontend leaf", bare) == []
    untold = re.sub(r'"hold-time": \d+,\s*', "", text)
    rows = [row for row in found("demo frontend leaf", untold) if row.setting == "hold"]
    assert {row.read for row in rows} == {90}


def test_a_neighbor_overrides_its_group() -> None:
    text = text_of("demo frontend leaf")
    own = re.sub(r'("peer-address": "[^"]*",)', r'\1 "timers": {"hold-time": 60},', text, count=1)
    rows = found("demo frontend leaf", own)
    assert [(row.setting, row.read) for row in rows] == [("hold", 60)]


def test_values_of_secrets_are_kept_nowhere() -> None:
    value = "$aes1$abcdefgh"
    reading = read(re.sub(r'"\$\{[^"]*"', f'"{value}"', text_of("demo frontend border-leaf")))
    assert A_VALUE in {row.value for row in reading.rows.values()}
    assert value not in repr(reading)


def test_what_is_not_understood_is_said_with_its_line() -> None:
    text = text_of("demo frontend leaf").replace('"maximum-hops": 3', '"maximum-hops": 3,\n"odd": {\n"more": 1\n}')
    first = next(at for at, line in enumerate(text.split("\n"), 1) if '"odd"' in line)
    lines = [(line.line, line.text) for line in read(text).unread]
    assert lines == [(first, '"odd": {'), (first + 1, '"more": 1')]


HOSTILE = ("", "{", "{}", "[]", "[" * 5000, '{"a":' * 3000, "{]", '{"a": NaN}', "\x00", '"x"', "1", '{"interface": 3}')


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_configuration_is_unread(text: str) -> None:
    assert bool(read(text).unread) == (text not in ("", "{}"))


def test_a_comma_at_an_end_is_no_json() -> None:
    text = text_of("demo frontend leaf").replace('"export-reject-all": true', "")
    assert len(read(text).unread) == sum(map(bool, map(str.strip, text.split("\n"))))


def test_a_port_whose_subinterface_is_shut_is_shut() -> None:
    pattern = r'("description": "be-spine-00[^"]*",\s*"admin-state": )"enable"(,\s*"ip-mtu)'
    text, count = re.subn(pattern, r'\1"disable"\2', text_of(BACK))
    before, after = (
        [row.value for key, row in read(one).rows.items() if (key.thing, key.setting) == ("port", "enabled")]
        for one in (text_of(BACK), text)
    )
    assert count
    assert after.count(False) == before.count(False) + count


@pytest.mark.parametrize(
    ("switch", "key"),
    [
        (BACK, r'("interface-id": )"ethernet-1/1/2"()'),
        (FRONT, r'("name": )"20"(,\s*"action": \{\s*"policy-result": "accept"\s*\},\s*"match")'),
    ],
)
def test_an_entry_with_the_key_of_another_is_not_understood(switch: str, key: str) -> None:
    other = {BACK: '"ethernet-1/1/1"', FRONT: '"10"'}[switch]
    text, count = re.subn(key, rf"\1{other}\2", text_of(switch), count=1)
    assert count
    assert other in read(text).unread[0].text


def test_broken_texts_are_read_as_far_as_they_go() -> None:
    chance = random.Random(7)  # noqa: S311 - no secret
    for name in ("demo frontend leaf", "demo frontend border-leaf", "tiers backend leaf"):
        text = text_of(name)
        lines = text.split("\n")
        for cut in range(0, len(lines), 97):
            _sound("\n".join(lines[:cut]))
        values = re.findall(r'"[^"]*"|\d+|true|false|\{\}|\[\]', text)
        for _ in range(60):
            broken = text
            for _ in range(4):
                old, new = chance.choice(values), chance.choice([*values[:200], "null", "-1", "[1]", '{"a": 1}'])
                at = broken.find(old, chance.randrange(len(broken)))
                broken = broken if at < 0 else broken[:at] + new + broken[at + len(old) :]
            _sound(broken)


def _sound(text: str) -> None:
    reading = read(text)
    lines = text.split("\n")
    assert all(lines[line.line - 1].strip() == line.text for line in reading.unread)
    assert all(0 <= row.line <= len(lines) for row in reading.rows.values())


def test_a_list_on_one_line_is_read_as_a_list() -> None:
    spread = text_of(FRONT)
    text, count = re.subn(r'"server-list": \[\s*("[^"]*")\s*\]', r'"server-list": [\1]', spread, count=1)
    assert count
    found, wanted = (read(one) for one in (text, spread))
    assert not found.unread
    assert {key: row.value for key, row in found.rows.items()} == {key: row.value for key, row in wanted.rows.items()}


def _imports(text: str) -> list[str]:
    """What sessions of IPv4 import, as words, where it is not what is planned."""
    return [str(row.read) for row in found(FRONT, text) if row.setting == "policy-in.ipv4"]


DEFAULT = r'("name": "RM-SPINES-IPV4-IN",)\s*"default-action": \{[^}]*\},'


def test_a_policy_without_a_default_action_lets_every_route_pass() -> None:
    said = {*_imports(re.sub(DEFAULT, r"\1", text_of(FRONT)))}
    assert {words.rpartition("; ")[2] for words in said} == {"permit"}


def test_a_default_action_ends_a_chain_of_policies() -> None:
    one = r'"RM-SPINES-IPV4-IN"(?=\s*\],\s*"export)'
    chain, count = re.subn(one, '"RM-SPINES-IPV4-IN", "RM-SPINES-IPV4-DRAINED-IN"', text_of(FRONT), count=1)
    assert count
    assert _imports(chain) == []
    said = {*_imports(re.sub(DEFAULT, r"\1", chain))}
    assert said
    assert "permit" not in {words.rpartition("; ")[2] for words in said}
