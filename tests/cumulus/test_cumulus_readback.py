"""Cumulus Linux is read back: what NVUE's file says is what the Device asks for, and a fault is seen at its line."""

import re

import pytest
import yaml

from fabricgen.platforms.cumulus.readback.readback import READBACK
from fabricgen.readback.fields import NotADocumentError, yaml_document
from fabricgen.readback.rows import A_VALUE, Key
from tests.cumulus import classic, fleet
from tests.readback.linux_faults import Fault, assert_seen, assert_total, found, garbage, pairs, read
from tests.readback.sites import Switch
from tests.readback.test_readback_sites import said
from tests.some import LONG, some

FILE = "startup.yaml"


def _switch(name: str) -> Switch:
    row = fleet.sample(name)
    return row.device, {FILE: row.text}


@pytest.mark.parametrize("name", fleet.NAMES)
def test_every_site_is_clean(name: str) -> None:
    """Management, accounts, tenants with imports, outside sessions, relays, segments, bare links, drained, lossless."""
    assert not said(_switch(name))


LEAF, TENANT, BORDER, SPINE = "site be-leaf-000", "site fe-leaf-002", "site fe-border-00", "unnumbered be-spine-00"
SHARED = "shared be-leaf-000"
FAULTS = {
    "AS": (LEAF, Fault(FILE, r"remote-as: \d+", "remote-as: 65009", "session", "remote-as")),
    "own AS": (LEAF, Fault(FILE, r"autonomous-system: \d+", "autonomous-system: 65009", "bgp", "asn")),
    "map": (LEAF, Fault(FILE, r"route-map: (RM-\S+)-IN", r"route-map: \1-OUT", "session", "policy-in.ipv4", gone=True)),
    "term": (TENANT, Fault(FILE, r"deny: \{\}", "permit: {}", "session", "policy-out.evpn")),
    "TTL": (TENANT, Fault(FILE, r"hops: 2", "hops: 9", "session", "ttl-hops")),
    "no check of the TTL": (TENANT, Fault(FILE, r"(ttl-security:\s+)enable: on", r"\1enable: off", "session",
        "ttl-hops", gone=True)),
    "limit": (LEAF, Fault(FILE, r"maximum: \d+", "maximum: 9", "session", "maximum-routes.ipv4")),
    "family": (LEAF, Fault(FILE, r"(ipv6-unicast:\s*enable: )on(\s*policy)", r"\1off\2", "session", "families")),
    "family of a group": (TENANT, Fault(FILE, r"(SPINES-EVPN:\n(?: +.*\n){4} +enable: )on", r"\1off", "session",
        "families")),
    "a target and a leak": (TENANT, Fault(FILE, r"(from-evpn: \{route-target: \{)('65000:10001': \{\}\})",
        r"\1'65000:10006': {}, \2", "vrf", "imports")),
    "members": (BORDER, Fault(FILE, r"'65000:2': \{\}", "'65000:9': {}", "session", "policy-in.ipv4")),
    "prefix": (LEAF, Fault(FILE, r"('10\.64\.0\.0/2\d'): \{\}\n( +)(?='|rule)", r"\1: {max-prefix-len: 32}\n\2",
        "session", "policy-out.ipv4")),
    "family of the VRF": (LEAF, Fault(FILE, r"(ipv6-unicast:\s*enable: )on(\s*multipaths)", r"\1off\2", "session",
                                      "families")),
    "network": (LEAF, Fault(FILE, r"(network:\s+)'\S+'", r"\1'10.9.9.9/32'", "network", "")),
    "paths": (LEAF, Fault(FILE, r"ebgp: \d+", "ebgp: 1", "bgp", "maximum-paths", gone=True)),
    "BFD": (LEAF, Fault(FILE, r"(bfd:\s+enable: )on", r"\1off", "session", "bfd")),
    "address": (LEAF, Fault(FILE, r"'10\.64\.0\.\d+/31'", "'10.99.0.0/31'", "port", "ipv4")),
    "a guard denies something else": (TENANT, Fault(FILE, r"icmpv6-type: router-advertisement",
        "icmpv6-type: router-solicitation", "lag", "ra-guard", gone=True)),
    "a bond without its guard": (TENANT, Fault(FILE, r"\n +acl: \{ ?RA-GUARD: \{inbound: \{\}\}\}", "", "lag",
        "ra-guard", gone=True)),
    "moves of a duplicate": ("single fe-leaf-002", Fault(FILE, r"mac-move-threshold: \d+", "mac-move-threshold: 9",
        "vtep", "duplicate-mac")),
    "no freeze": ("single fe-leaf-002", Fault(FILE, r"\n +duplicate-action:\n +freeze:\n +duration: \d+", "", "vtep",
        "duplicate-mac", gone=True)),
    "detection is off": ("single fe-leaf-002", Fault(FILE, r"(dad:\n +enable: )on", r"\1off", "line", "")),
    "MTU": (LEAF, Fault(FILE, r"mtu: \d+\n( +speed)", "mtu: 1500\n\\1", "port", "mtu")),
    "speed": (LEAF, Fault(FILE, r"speed: \d+G", "speed: 100G", "port", "speed")),
    "FEC": (LEAF, Fault(FILE, r"fec: rs", "fec: baser", "port", "fec")),
    "cage": ("halves be-leaf-000", Fault(FILE, r"lanes-per-port: '4'", "lanes-per-port: '2'", "port", "lanes")),
    "shut": (LEAF, Fault(FILE, r"speed: 400G\n", "speed: 400G\n          state: {down: {}}\n", "port", "enabled")),
    "DSCP": (LEAF, Fault(FILE, r"'26': \{switch-priority: 3 ?\}", "'26': {switch-priority: 0}", "port",
        "dscp-classes")),
    "PFC": (LEAF, Fault(FILE, r"(switch-priority:\s+)'3': \{\}", r"\1'4': {}", "port", "pfc")),
    "cable": (LEAF, Fault(FILE, r"cable-length: \d+", "cable-length: 900", "port", "cable")),
    "watchdog": (LEAF, Fault(FILE, r"robustness: \d+", "robustness: 9", "port", "watchdog")),
    "no watchdog": (LEAF, Fault(FILE, r"pfc-watchdog: \{state: enable\}", "pfc-watchdog: {state: disable}", "port",
                                "watchdog")),
    "weight": (LEAF, Fault(FILE, r"bw-percent: \d+", "bw-percent: 1", "port", "queues")),
    "cap": (LEAF, Fault(FILE, r"max-rate: \d+", "max-rate: 1", "port", "queues")),
    "ECN": (LEAF, Fault(FILE, r"min-threshold: \d+", "min-threshold: 9", "port", "ecn")),
    "alpha": (LEAF, Fault(FILE, r"shared-alpha: \S+", "shared-alpha: alpha_1_8", "switch", "alpha")),
    "seed": (LEAF, Fault(FILE, r"hash-seed: \d+", "hash-seed: 77", "switch", "hash-seed")),
    "role": (LEAF, Fault(FILE, r"role: system-admin", "role: nvue-monitor", "user", "role")),
    "time server": (LEAF, Fault(FILE, r"'10\.0\.0\.5':", "'10.0.0.55':", "management", "ntp")),
    "snippet": (LEAF, Fault(FILE, r"bgp session-dscp \d+", "bgp session-dscp 1", "line", "")),
    "VLAN": (TENANT, Fault(FILE, r"access: \d+", "access: 99", "lag", "access-vlan")),
    "VNI": (TENANT, Fault(FILE, r"(vlan:\s+'\d+':\s+vni:\s+)'\d+'", r"\1'77'", "vlan", "vni")),
    "target": (TENANT, Fault(FILE, r"(import:\s+)'65000:\d+'", r"\1'65000:1'", "vlan", "imports")),
    "segment": (TENANT, Fault(FILE, r"identifier: '00:00", "identifier: '00:99", "lag", "esi")),
    "MAC": (TENANT, Fault(FILE, r"(link:\s+mac-address: )'\S+'", r"\1'02:00:00:00:00:99'", "gateway", "mac")),
    "relay": (TENANT, Fault(FILE, r"'172\.17\.0\.10': \{\}", "'172.17.0.99': {}", "gateway", "relays")),
    "uplink": (TENANT, Fault(FILE, r"evpn: \{multihoming: \{uplink: on\}\}", "evpn: {multihoming: {uplink: off}}",
        "port",
                             "tracking")),
    "one leak": (BORDER, Fault(FILE,
        r"\n +route-import:\n +from-vrf:\n +enable: on\n +list:\n +\S+: \{\}\n +route-map: \S+",
                               "", "vrf", "imports", gone=True)),
    "RD": (BORDER, Fault(FILE, r"(path-selection: \{multi\S+ \{aspath-ignore: on\}\}\s+rd: )'\S+'",
        r"\1'10.9.9.9:1'", "vrf",
                         "rd")),
    "password": (BORDER, Fault(FILE, r"\n +password: \S+", "", "session", "password", gone=True)),
    "not unnumbered": (SPINE, Fault(FILE, r"type: unnumbered", "type: numbered", "port", "unnumbered", gone=True)),
    "adaptive": (SHARED, Fault(FILE, r"router: \{adaptive-routing: \{enable: on\}\}", "router: {}", "line", "",
        gone=True)),
    "public key": (BORDER, Fault(FILE, r"(key1:\n +key: )'\S+'", r"\1'AAAAB3'", "user", "ssh-keys", gone=True)),
    "firewall": (BORDER, Fault(FILE, r"\n +acl-default-whitelist:\n +inbound: \{\}", "", "line", "", gone=True)),
    "class": (BORDER, Fault(FILE, r"permission: ro", "permission: all", "line", "")),
    "marks": (SHARED, Fault(FILE, r"action: copy", "action: preserve", "line", "")),
}  # fmt: skip


@pytest.mark.long
def test_sites_beside_other_platforms_are_clean() -> None:
    problems = [line for switch in pairs("cumulus") for line in said(switch)]
    assert not problems, "\n".join(problems[:40])


@pytest.mark.parametrize("name", some(FAULTS, of=6))
def test_a_fault_is_seen_at_its_line(name: str) -> None:
    switch, fault = FAULTS[name]
    assert_seen(_switch(switch), fault)


@pytest.mark.parametrize("name", some([LEAF, TENANT, BORDER]))
def test_the_layout_and_the_order_of_keys_mean_nothing(name: str) -> None:
    """`nv config show` writes its own layout, and a header in front."""
    device, files = _switch(name)
    items = yaml.load(files[FILE], Loader=yaml.BaseLoader)  # noqa: S506 - scalars as they are written
    for style in (None, False):
        text = yaml.dump([{"header": {"model": "vx"}}, *items], sort_keys=True, default_flow_style=style)
        if "snippet" not in text:
            assert not found(device, {FILE: text})


def test_interfaces_may_share_a_key_and_items_add_up() -> None:
    text = """\
- set:
    interface:
      swp1-2,swp5:
        type: swp
        link:
          mtu: 9000
      swp2:
        link:
          mtu: 1500
- set:
    interface:
      swp5:
        description: far end
"""
    rows = read("cumulus", {FILE: text}).rows
    assert [rows[Key("port", f"swp{port}", "mtu")].value for port in (1, 2, 5)] == [9000, 1500, 9000]
    assert (rows[Key("port", "swp5", "description")].value, rows[Key("port", "swp2", "mtu")].line) == ("far end", 9)


@pytest.mark.parametrize(
    ("aaa", "said"),
    [
        ("class: {extra: {action: allow}}", "class extra: allow no path"),
        ("class: {extra: {action: deny, command-path: {}}}", "class extra: deny no path"),
        ("role: {extra: {}}", "role extra: no class"),
        ("role: {extra: {class: {}}}", "role extra: no class"),
    ],
)
def test_a_role_or_class_without_content_is_seen(aaa: str, said: str) -> None:
    rows = read("cumulus", {FILE: f"- set:\n    system:\n      aaa:\n        {aaa}\n"}).rows
    assert [key.name for key in rows if "extra" in key.name] == [said]


def test_a_firewall_without_a_direction_is_seen() -> None:
    rows = read("cumulus", {FILE: "- set:\n    system:\n      control-plane: {acl: {extra: {}}}\n"}).rows
    assert [key.name for key in rows if "extra" in key.name] == ["control-plane acl extra: no direction"]


def test_values_that_the_system_has_by_itself() -> None:
    text = """\
- set:
    vrf:
      default:
        router:
          bgp:
            enable: on
            neighbor: {swp1: {type: unnumbered}}
            address-family: {ipv4-unicast: {enable: on}}
"""
    rows = read("cumulus", {FILE: text}).rows
    wanted = {"keepalive": 3, "hold": 9, "families": frozenset({"ipv4"}), "extended-next-hop": True}
    assert {setting: rows[Key("session", "swp1", setting)].value for setting in wanted} == wanted
    assert rows[Key("port", "swp1", "unnumbered")].value is True


def test_the_classic_files_say_the_same_of_routing() -> None:
    """Without NVUE: the files that it would write, by NVIDIA's documents."""
    device, files = _switch(LEAF)
    text = files[FILE]
    both = {"interfaces": classic.interfaces(text), "frr.conf": classic.frr_conf(text)}
    own, other = read("cumulus", files).rows, read("cumulus", both).rows
    sessions = [key for key in own if key.thing == "session" and key.setting not in ("restart",)]
    assert device.system == "cumulus"
    assert sessions
    assert {key: own[key].value for key in sessions} == {key: other[key].value for key in sessions}
    ports = [key for key in own if key.thing == "port" and key.setting in ("ipv4", "ipv6", "mtu", "enabled")]
    assert {key: own[key].value for key in ports} == {key: other[key].value for key in ports}


def test_a_secret_is_kept_nowhere() -> None:
    device, files = _switch(LEAF)
    filled = re.sub(r"\$\{env:\w+\}", "s3cret", files[FILE])
    reading = read("cumulus", {FILE: filled})
    assert reading.rows[Key("user", device.management.users[0].name, "password")].value == A_VALUE
    assert "s3cret" not in str(reading)


def test_what_is_not_known_is_said_with_its_path() -> None:
    text = "- set:\n    interface:\n      swp1:\n        type: swp\n        foo: {bar: 1}\n- unset: {qos: {}}\n"
    found_lines = [(line.line, line.text) for line in read("cumulus", {FILE: text}).unread]
    assert found_lines == [(5, "interface swp1 foo"), (6, "unset")]


def test_two_vrfs_share_no_vlan() -> None:
    tenant = "      {}:\n        evpn: {{enable: on, vlan: 4000, vni: {{'{}': {{}}}}}}\n"
    text = "- set:\n    vrf:\n" + tenant.format("red", 10001) + tenant.format("blue", 10002)
    assert [(line.line, line.text) for line in read("cumulus", {FILE: text}).unread] == [(6, "vrf blue evpn vlan")]


def test_a_document_of_yaml_is_text_with_lines() -> None:
    root = yaml_document("a: on\nb:\n- x\n- {c: ''}\nd:\n")
    assert [(field.key, field.number, field.value) for field in root.below] == [
        ("a", 1, "on"),
        ("b", 2, None),
        ("d", 5, None),
    ]
    assert [field.number for field in root.below[1].below] == [3, 4]
    for text in ("a: &x 1\nb: *x\n", "a: [\n", "\t", "[" * 1000, "a\n---\nb\n", "? [a]\n: b\n", "- " * 200):
        with pytest.raises(NotADocumentError, match=r"line \d+"):
            yaml_document(text)


@pytest.mark.parametrize("rounds", [30, pytest.param(100, marks=LONG)])
def test_no_text_is_an_exception(rounds: int) -> None:
    assert_total([_switch(LEAF), _switch(TENANT), _switch(BORDER)], rounds)
    more = ("- set: 1\n- set: [a]\n- 3", "set: x", "- set:\n    interface: 3\n    vrf: {default: 3}\n    qos: 1\n")
    for text in (*garbage(), *more):
        for name in (FILE, "interfaces", "frr.conf"):
            READBACK.read({name: text})
