"""Junos: texts are read back. What is wrong in one is found with its line; what a switch writes otherwise is not."""

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from fabricgen.platforms.junos.readback.readback import READBACK
from fabricgen.platforms.junos.readback.text import text_of
from fabricgen.readback.compare import Difference, differences
from fabricgen.readback.rows import A_VALUE, Key, Reading
from tests.junos.sites import NAMES, sample

FILE = "juniper.conf"


def read(text: str) -> Reading:
    return READBACK.read({FILE: text})


def found(name: str, text: str) -> tuple[Difference, ...]:
    return differences(READBACK.expected(sample(name).device), read(text))


def said(name: str, text: str) -> list[str]:
    """What is found in a text of a switch: settings that differ, and lines that are not understood."""
    unread = [f"unread {line.text}" for line in read(text).unread]
    return [f"{row.kind} {row.thing} {row.name} {row.setting} {row.line}" for row in found(name, text)] + unread


@pytest.mark.parametrize("name", NAMES)
def test_every_role_is_read_back(name: str) -> None:
    assert said(name, sample(name).text) == []


class Fault(NamedTuple):
    """A text of a switch with one thing changed, what must differ, and a word on the line that must be named.

    times  occurrences that are changed: 0 is all of them
    """

    switch: str
    old: str
    new: str
    differs: str
    line: str
    times: int = 1


FAULTS = {
    "host name": Fault("front leaf", r"host-name \S+;", "host-name other;", "switch  hostname", "host-name"),
    "own AS": Fault(
        "front leaf", r"autonomous-system \d+;", "autonomous-system 65535;", "bgp  asn", "autonomous-system"
    ),
    "peer AS": Fault("front leaf", r"peer-as \d+;", "peer-as 65535;", "remote-as", "peer-as 65535"),
    "neighbor": Fault("front leaf", r"neighbor 10\.128\.0\.9 ", "neighbor 10.9.9.9 ", "session 10.128.0.9 ", ""),
    "session is gone": Fault("front leaf", r"neighbor 10\.128\.0\.9 \{[^}]*\}", "", "session 10.128.0.9 ", ""),
    "hold time": Fault("front leaf", r"hold-time \d+;", "hold-time 30;", " hold", "hold-time 30"),
    "family": Fault("front leaf", r"family inet6 (\{\s*unicast)", r"family inet \1", "families", "family inet"),
    "hops": Fault("front leaf", r"(multihop \{\s+)ttl 255;", r"\1ttl 3;", "multihop", "ttl 3"),
    "TTL": Fault("front leaf", r"ttl 255;", "ttl 1;", "multihop", ""),
    "password": Fault("front leaf", r'\n +authentication-key "[^"]*BGP[^"]*";', "", "password", ""),
    "source": Fault("front leaf", r"local-address \S+;", "local-address 10.1.1.1;", "source", "local-address"),
    "moves of a duplicate": Fault(
        "front leaf", r"detection-threshold 4;", "detection-threshold 9;", "duplicate-mac", "detection-threshold 9"
    ),
    "one instance without detection": Fault(
        "front leaf", r"duplicate-mac-detection \{[^}]*\}", "", "duplicate-mac", "MAC-VRF"
    ),
    "next hop": Fault("front leaf", r"\s*no-nexthop-change;", "", "next-hop-unchanged", "ttl 255"),
    "prefix limit": Fault("front leaf", r"maximum 64;", "maximum 33;", "maximum-routes", "maximum 33"),
    "import is gone": Fault("front leaf", r"import RM-SPINES-IPV4-IN;", "", "policy-in.ipv4", "neighbor"),
    "order of terms": Fault(
        "front leaf",
        r"(RM-SPINES-IPV4-IN \{\n)(        term 10 \{.*?\n        \}\n)(        term 20 \{.*?\n        \}\n)",
        r"\1\3\2",
        "policy-in.ipv4",
        "term 20",
    ),
    "a term accepts": Fault(
        "front leaf", r"(RM-SPINES-EVPN-OUT \{.*?)reject", r"\1accept", "policy-out.evpn", "accept;"
    ),
    "no last term": Fault(
        "front leaf", r"(RM-SPINES-IPV4-OUT \{.*?\n)        then reject;\n", r"\1", "policy-out.ipv4", ""
    ),
    "a prefix list": Fault(
        "front leaf",
        r"(PL-FABRIC-IPV4 \{\n\s+)\S+ upto",
        r"\g<1>10.1.0.0/16 upto",
        "policy-in.ipv4",
        "10.1.0.0/16 upto",
    ),
    "originated prefix": Fault("front leaf", r"(route-filter-list NETWORKS-IPV4 \{\n)[^;]*;\n", r"\1", "network", ""),
    "community": Fault("front leaf", r"members 65535:0;", "members 65535:1;", "policy-in.evpn", "members 65535:1"),
    "drained policy": Fault(
        "front leaf",
        r"(RM-SPINES-EVPN-DRAINED-OUT \{.*?)community add CL-GRACEFUL-SHUTDOWN;",
        r"\1",
        "policy RM-SPINES-EVPN-DRAINED-OUT terms",
        "term 20",
    ),
    "equal paths": Fault("front leaf", r"maximum-ecmp \d+;", "maximum-ecmp 16;", "maximum-paths", "maximum-ecmp"),
    "multipath of a group": Fault(
        "front leaf", r"multipath \{\s*multiple-as;\s*\}\n(?=.*neighbor)", "", "maximum-paths", "group SPINES-IPV4"
    ),
    "balancing": Fault("lossless leaf", r"        export ECMP;\n", "", "switch  load-balancing", "forwarding-table"),
    "global balancing": Fault(
        "global leaf", r"global-load-balancing \{\s*\S+;\s*\}", "", "switch  load-balancing", "flowlet {"
    ),
    "part in global balancing": Fault(
        "global spine", "helper-only;", "load-balancer-only;", "line bgp global-load-balancing", "load-balancer-only;"
    ),
    "both parts of global balancing": Fault(
        "global spine", r"helper-only;", "", "line bgp global-load-balancing helper-only", ""
    ),
    "address of a port": Fault(
        "lossless leaf", r"address (\d+\.\d+\.\d+\.\d+)/31;", "address 10.9.9.8/31;", " ipv4", "10.9.9.8/31"
    ),
    "MTU": Fault("lossless leaf", r"mtu 9216;", "mtu 9000;", " mtu", "mtu 9000"),
    "MTU of a family": Fault("lossless leaf", r"(inet \{\n\s+)mtu 9202;", r"\1mtu 1500;", " mtu", "mtu 1500"),
    "port is shut": Fault("lossless leaf", r"(et-0/0/1 \{\n)", r"\1disable;", "port et-0/0/1 enabled", "disable"),
    "description": Fault("lossless leaf", r'description "train', 'description "other', "description", "other"),
    "speed": Fault("lossless leaf", r"speed 400g;", "speed 100g;", " speed", "speed 100g"),
    "PFC": Fault("lossless leaf", r"pfc-priority 3;", "pfc-priority 4;", " pfc", "pfc-priority 4"),
    "a code point pauses no more": Fault(
        "lossless leaf", r"code-point 011010 \{.*?\n                    \}\n", "", " pfc", ""
    ),
    "which queue stands still": Fault(
        "lossless leaf", "flow-control-queue 3;", "flow-control-queue 4;", " pfc", "flow-control-queue 4"
    ),
    "watchdog": Fault("lossless leaf", r"recovery \d+;", "recovery 999;", " watchdog", "recovery 999"),
    "cable": Fault("lossless leaf", r"cable-length \d+;", "cable-length 300;", " cable", "cable-length 300"),
    "largest frame": Fault("lossless leaf", r"pfc mru \d+;", "pfc mru 1500;", " headroom", "mru"),
    "ECN": Fault("lossless leaf", r"fill-level \[ (\d+) \d+ \]", r"fill-level [ \1 99 ]", " ecn", "fill-level"),
    "DSCP": Fault("lossless leaf", r"(code-points \[ 011000 011001) 011010", r"\1", " dscp-classes", ""),
    "queue": Fault(
        "lossless leaf", r"transmit-rate percent \d+;", "transmit-rate percent 7;", " queues", "transmit-rate percent 7"
    ),
    "cap": Fault(
        "lossless leaf", r"shaping-rate percent \d+;", "shaping-rate percent 7;", " queues", "shaping-rate percent 7"
    ),
    "scheduler map": Fault(
        "lossless leaf", r"(et-0/0/0 \{[^}]*)scheduler-map \S+;", r"\1", "et-0/0/0 queues", "et-0/0/0 {"
    ),
    "headroom pool": Fault(
        "lossless leaf", r"(headroom \{\n\s+)percent \d+", r"\1percent 1", "headroom-pool", "percent 1"
    ),
    "own packets": Fault("lossless leaf", r"dscp-code-point \d+;", "dscp-code-point 000000;", "own packets", ""),
    "VNI": Fault("front leaf", r"vni 10007;", "vni 10099;", "vlan 20 vni", "vni 10099"),
    "tunnels of one VNI": Fault("front leaf", "extended-vni-list all;", "extended-vni-list 77;", "vlan 20 vni", ""),
    "route target": Fault(
        "front leaf", "vrf-target target:65000:10007;", "vrf-target target:65000:1;", "vlan 20 imports", "65000:1;"
    ),
    "RD": Fault("front leaf", r"route-distinguisher \S+:7;", "route-distinguisher 1.1.1.1:7;", "vlan 20 rd", "1.1.1.1"),
    "VNI of a VRF": Fault("front leaf", "vni 10001;", "vni 10098;", "vrf research vni", "vni 10098"),
    "VRF of a gateway": Fault("front leaf", r"\n +interface irb\.20;", "", "gateway 20 vrf", ""),
    "gateway of a VLAN": Fault("front leaf", r"\n +l3-interface irb\.20;", "", "gateway 20 ", ""),
    "MAC of a gateway": Fault("front leaf", r"mac 02:\S+;", "mac 02:00:00:00:00:99;", " mac", "mac 02:00:00:00:00:99"),
    "tunnel source": Fault("front leaf", r"/32 \{\s*primary;\s*\}", "/32;", "vtep  address", "/32"),
    "untagged VLAN": Fault("front last leaf", r"members \S+;", "members none;", "access-vlan", "members none"),
    "member": Fault("front leaf", r"802\.3ad ae1;", "802.3ad ae2;", "port et-0/0/0 lag", "802.3ad ae2"),
    "segment": Fault("front leaf", r"00:00:00:00:00:00:01", "00:00:00:00:00:00:09", "lag 1 esi", ":09:"),
    "all active": Fault("front leaf", r"\n +all-active;", "", "line ae1: all-active", ""),
    "aggregates": Fault("front leaf", "device-count 5;", "device-count 1;", "lag 1 enabled", "device-count 1"),
    "MAC limit": Fault("front leaf", r"interface-mac-limit \{\s*64;", "interface-mac-limit { 65;", "mac-limit", "65"),
    "BPDU guard": Fault("front leaf", r"interface ae1 \{\s*edge;\s*\}", "", "lag 1 bpdu-guard", ""),
    "tracking": Fault("front leaf", r"(ae1 \{.*?)network-isolation-profile UPLINKS;", r"\1", "lag 1 tracking", ""),
    "outside password": Fault(
        "front border-leaf", r'authentication-key "\S+"', 'authentication-key "${env:X}"', "password", "${env:X}"
    ),
    "outside VLAN": Fault("front border-leaf", r"vlan-id (\d+);", "vlan-id 99;", " vlan", "vlan-id 99"),
    "restart": Fault("front border-leaf", "idle-timeout 5;", "idle-timeout 6;", "restart", "idle-timeout 6"),
    "unnumbered link": Fault("unnumbered leaf", r"extended-nexthop;", "", "extended-next-hop", ""),
    "advertisements": Fault(
        "unnumbered leaf", r"interface et-\S+\.0 \{\s*max-adv[^}]*\}", "", "unnumbered", "router-advertisement"
    ),
    "user": Fault("front leaf", "class super-user;", "class operator;", "user admin role", "class operator"),
    "public key": Fault(
        "front leaf", r'ssh-ed25519 "ssh-ed25519 \S+', 'ssh-ed25519 "ssh-ed25519 AAAAB3', "ssh-keys", "AAAAB3"
    ),
    "root": Fault("front leaf", 'encrypted-password "[*]"', 'encrypted-password "$6$a$b"', "root has", ""),
    "syslog in another table": Fault(
        "lossless leaf", r"(host 10\.0\.0\.8 \{[^}]*)routing-instance mgmt_junos;", r"\1", "syslog", "host"
    ),
    "trap": Fault("lossless leaf", r"tag-list TRAPS;", "tag-list NONE;", "snmp-traps", ""),
    "view": Fault("lossless leaf", r"read-view ALL;", "", "read-view", ""),
    "sample": Fault("lossless leaf", r"ingress 65536;", "ingress 10;", "sflow-sample", "ingress 10"),
    "gateway of the management port": Fault(
        "front leaf", "next-hop 10.0.0.1;", "next-hop 10.0.0.9;", "management  gateway", "10.0.0.9"
    ),
    "all own routes": Fault(
        "front leaf",
        r"(policy-statement ORIGINATED \{.*?\n        \}\n)        then reject;\n",
        r"\1",
        "all own routes",
        "",
    ),
    "learned routes of any protocol": Fault(
        "front leaf", r"from \{\s*protocol \[ bgp \];\s*\}", "", "all own routes are announced", ""
    ),
    "import of every tenant": Fault(
        "front leaf", r"from \{\s*community \[ EC-\S+ EC-[^]]*\];", "from {", "import-policy", ""
    ),
    "policy of prefix routes": Fault("front leaf", r"export PREFIX-ROUTES-STORAGE;", "", "chooses prefix routes", ""),
    "source is gone": Fault("front leaf", r"local-address \S+;", "", "source", ""),
    "BFD times": Fault("unnumbered leaf", r"minimum-interval 1000;", "minimum-interval 50;", "bfd 50 ms", "50;"),
    "largest frame of one code point": Fault("lossless leaf", r"pfc mru \d+;", "pfc;", " headroom", ""),
    "neither strict nor a rate": Fault("lossless leaf", r"priority strict-high;", "", " queues", ""),
    "no MAC address": Fault("front leaf", r"mac 02:", "mac x2:", " mac", "x2:"),
    "inactive": Fault(
        "front leaf", r"neighbor 10\.128\.0\.9 ", "inactive: neighbor 10.128.0.9 ", "session 10.128.0.9 ", ""
    ),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_found_on_its_line(fault: Fault) -> None:
    text, count = re.subn(fault.old, fault.new, sample(fault.switch).text, count=fault.times, flags=re.DOTALL)
    assert count
    rows = [row for row in found(fault.switch, text) if fault.differs in f"{row.thing} {row.name} {row.setting}"]
    assert rows, said(fault.switch, text)
    lines = ["", *text.split("\n")]
    assert any(fault.line in lines[row.line] for row in rows), [(row, lines[row.line]) for row in rows]


def _commands(text: str) -> Iterator[str]:
    """The same as `set` commands."""
    above: list[str] = []
    for line in text.split("\n"):
        words = line.strip()
        if words.endswith("{"):
            above.append(words[:-1].strip())
        elif words == "}":
            if above[-1]:
                yield " ".join(["set", *above])
            above.pop()
        elif words.endswith(";"):
            yield " ".join(["set", *above, words[:-1]])


@pytest.mark.parametrize("name", NAMES)
def test_set_commands_say_the_same(name: str) -> None:
    text = "\n".join(_commands(sample(name).text))
    assert said(name, text) == []


@pytest.mark.parametrize("name", ["lossless leaf", "front last leaf", "front border-leaf"])
def test_depth_and_order_of_lines_have_no_meaning(name: str) -> None:
    text = sample(name).text
    parts = re.findall(r"^[a-z-]+ \{\n.*?\n\}\n", text, flags=re.MULTILINE | re.DOTALL)
    turned = "\n".join(re.sub(r"^ +", "\t", part, flags=re.MULTILINE) for part in reversed(parts))
    assert said(name, turned) == []
    assert said(name, re.sub(r"\s+", " ", re.sub(r"##[^\n]*", "", text))) == []


RUNNING = {
    "version and last change": (r"\A", "## Last commit: 2026-01-01 by admin\nversion 24.4R1.9-EVO;\n"),
    "secrets": (r'(encrypted-password "\$[^;]*;)', r"\1 ## SECRET-DATA"),
    "a remark": (r"(protocols \{\n)", r"\1    /* the\n fabric */\n"),
    "a list of one": (r"import (RM-SPINES-IPV4-IN);", r"import [ \1 ];"),
    "routes by length": (r"10\.128\.0\.0/16 upto /32;", "10.128.0.0/16 prefix-length-range /16-/32;"),
    "or longer": (r"10\.128\.0\.0/16 upto /32;", "10.128.0.0/16 orlonger;"),
    "short then": (r"then \{\s*accept;\s*\}", "then accept;"),
    "a target each way": (r"vrf-target (target:65000:10007);", r"vrf-target { import \1; export \1; }"),
    "one class in a block": (r"class (\S+) queue-num (\d);", r"class \1 { queue-num \2; }"),
    "twice": (r"(autonomous-system \d+;)", r"autonomous-system 65000; \1"),
    "uid": (r"class super-user;", "uid 2000; class super-user;"),
}


@pytest.mark.parametrize("form", RUNNING.values(), ids=RUNNING.keys())
def test_what_a_switch_writes_otherwise_is_the_same(form: tuple[str, str]) -> None:
    for name in ("front leaf", "lossless leaf"):
        assert said(name, re.sub(form[0], form[1], sample(name).text)) == []


GROUPS = """
groups {
    TIMES { protocols { bgp { group <SPINES*> { hold-time 9; } } } }
    PORTS { interfaces { <et-*> { mtu 9216; } } }
    NOBODY { system { host-name other; } }
}
apply-groups [ TIMES PORTS ];
"""


def test_what_a_group_gives_is_read_where_it_is_inherited() -> None:
    text = sample("lossless leaf").text
    bare = re.sub(r"\n +(hold-time 9|mtu 9216);", "", text)
    assert bare.count("hold-time") < text.count("hold-time")
    whole = bare + GROUPS
    assert said("lossless leaf", whole) == []
    line = next(at for at, line in enumerate(whole.split("\n"), 1) if "TIMES {" in line)
    rows = [row for key, row in read(whole).rows.items() if key.thing == "session" and key.setting == "hold"]
    assert {row.line for row in rows} == {line}
    own = whole.replace("type external;", "type external; hold-time 30;")
    assert {row.value for key, row in read(own).rows.items() if key.setting == "hold"} == {30}
    assert "session" in " ".join(said("lossless leaf", bare + GROUPS.replace("9;", "12;")))


def test_parts_of_a_cage_have_its_speed() -> None:
    cage = "et-0/0/0 { number-of-sub-ports 2; speed 400g; } et-0/0/0:0 { unit 0 { family inet; } }"
    rows = read(f"interfaces {{ {cage} }}").rows
    assert rows[Key("port", "et-0/0/0:0", "speed")].value == 400
    assert Key("line", "et-0/0/0 is divided by 2", "present") in rows
    assert {key.name for key in rows if key.thing == "port"} == {"et-0/0/0:0"}


def test_a_range_of_ports_is_each_of_them() -> None:
    ports = "interface-range SPARE { member et-0/0/7; member-range et-0/0/0 to et-0/0/2; mtu 9014; disable; }"
    rows = read(
        f"interfaces {{ {ports} et-0/0/1 {{ mtu 1514; unit 0 {{ family inet {{ address 10.0.0.1/31; }} }} }} }}"
    ).rows
    assert [key.name for key in rows if key.setting == "enabled"] == ["et-0/0/1", "et-0/0/7", "et-0/0/0", "et-0/0/2"]
    assert rows[Key("port", "et-0/0/1", "mtu")].value == 1500
    assert rows[Key("port", "et-0/0/1", "enabled")].value is False


def test_a_neighbor_overrides_its_group() -> None:
    text = sample("front leaf").text.replace(
        "neighbor 10.128.0.9 {", "neighbor 10.128.0.9 { hold-time 60; import RM-SPINES-IPV4-DRAINED-IN;"
    )
    rows = [row for row in found("front leaf", text) if row.thing == "session"]
    assert {row.name for row in rows} == {"10.128.0.9"}
    assert {row.setting for row in rows} == {"hold", "keepalive", "policy-in.ipv4"}


def test_values_of_secrets_are_kept_nowhere() -> None:
    text = sample("front border-leaf").text
    value = "$9$abcdefgh"
    reading = read(re.sub(r'"\$\{[^"]*"', f'"{value}"', text))
    assert A_VALUE in {row.value for row in reading.rows.values()}
    assert value not in repr(reading)


def test_what_is_not_understood_is_said_with_its_line() -> None:
    text = sample("front leaf").text.replace("    rstp {", "    ospf {\n        area 0;\n    }\n    rstp {")
    lines = [(line.line, line.text) for line in read(text).unread]
    first = next(at for at, line in enumerate(text.split("\n"), 1) if "ospf" in line)
    assert lines == [(first, "ospf {"), (first + 1, "area 0;")]
    partly = sample("front leaf").text.replace("ttl 255;\n                no-", "ttl 255; odd 4;\n                no-")
    assert [line.text for line in read(partly).unread] == ["ttl 255; odd 4;"]


@pytest.mark.parametrize(
    ("text", "tree", "faults"),
    [
        ('a "b; c";\na "d";\n', {"a": {"b; c": 1, "d": 2}}, []),
        ('a "b" "c";\n', {"a": {"b": {"c": 1}}}, []),
        ('a "b\\" c";\n', {"a": {'b\\" c': 1}}, []),
        ('"a";\n# "b";\n', {"a": 1}, []),
        ('a /* "b";\nc "d"; */ "e";\n', {"a": {"e": 1}}, []),
        ('a [ b\n"c";\n', {}, [2]),
        ('[\na "b";\n', {}, [2]),
        ("a b;\n[\n", {"a": {"b": 1}}, [2]),
    ],
    ids=range(8),
)
def test_quotes_remarks_and_lists_go_over_words_and_lines(text: str, tree: object, faults: list[int]) -> None:
    found_text = text_of(text)
    assert (found_text.tree, found_text.faults) == (tree, faults)


HOSTILE = (
    "",
    "\n",
    "{" * 5000,
    "}" * 5000,
    "a {\n" * 5000,
    "a " * 5000 + ";",
    "[ [ ] ];",
    "set\nset a",
    '"',
    "/* ",
    "a [ b",
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_configuration_is_unread(text: str) -> None:
    assert bool(read(text).unread) == bool(text.strip()) or text == "/* "


def test_broken_texts_are_read_as_far_as_they_go() -> None:
    chance = random.Random(7)  # noqa: S311 - no secret
    for name in ("front last leaf", "front border-leaf", "tiers spine"):
        lines = sample(name).text.split("\n")
        for cut in range(0, len(lines), 23):
            _sound(lines[:cut])
        for _ in range(60):
            broken = [*lines]
            for _ in range(4):
                _break(chance, broken)
            _sound(broken)


def _break(chance: random.Random, lines: list[str]) -> None:
    at = chance.randrange(len(lines))
    words = lines[at].split()
    chance.shuffle(words)
    other = chance.choice([chance.choice(lines), "9" * 5000, "{", "}", ";", '"', "]", "é\0"])
    lines[at] = chance.choice([other, f"{lines[at]} {other}", " ".join(words), " ".join(words[1:])])


def _sound(lines: list[str]) -> None:
    text = "\n".join(lines)
    reading = read(text)
    lines = text.split("\n")
    assert all(lines[line.line - 1].strip() == line.text for line in reading.unread)
    assert all(0 <= row.line <= len(lines) for row in reading.rows.values())
