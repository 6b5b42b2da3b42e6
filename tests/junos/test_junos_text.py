"""The text of each switch: what it says, that nothing in it hangs, and that values are in their ranges."""

import pytest

from tests.junos import references, rules
from tests.junos.expected import statements
from tests.junos.reading import UnreadableError, matches, paths, rows, values
from tests.junos.sites import NAMES, found, render, sample
from tests.some import some

RAW = ("system", "commit", "synchronize")
"""A raw line of the plain site's spines."""


@pytest.mark.parametrize("name", NAMES)
def test_a_file_says_what_the_device_is_and_nothing_else(name: str) -> None:
    device, text = sample(name)
    told = paths(text)
    assert len(set(told)) == len(told)
    said = {row for row in told if row[0] != "class-of-service"}
    assert said - statements(device) == ({RAW} if name == "plain spine" else set())
    assert statements(device) - said == set()


@pytest.mark.parametrize("name", some(NAMES))
def test_no_name_hangs_and_no_value_is_out_of_range(name: str) -> None:
    told = paths(sample(name).text)
    assert references.loose(told) == []
    assert rules.faults(told) == []


HANGING = {
    "policy": ("front leaf", "import RM-SPINES-IPV4-IN;", "import RM-SPINES-IPV4-INN;"),
    "route filter list": ("front leaf", "route-filter-list PL-OWN-IPV4;", "route-filter-list PL-OWN;"),
    "community": ("front leaf", "community [ CL-FROM-ABOVE ];", "community [ CL-ABOVE ];"),
    "classifier": ("tiers leaf", "dscp FABRIC;", "dscp FABRICS;"),
    "notification profile": ("tiers leaf", "profile PFC-40M-9216;", "profile PFC-41M-9216;"),
    "scheduler map": ("tiers leaf", "scheduler-map ROCE-400G;", "scheduler-map ROCE-401G;"),
    "scheduler": ("tiers leaf", "scheduler ROCE-400G-CNP;", "scheduler ROCE-CNP;"),
    "forwarding class": ("tiers leaf", "class CNP queue-num", "class CNPS queue-num"),
    "drop profile": ("tiers leaf", "drop-profile ROCE-400G;", "drop-profile ROCE;"),
    "table of management": ("front leaf", "10.0.0.5 routing-instance mgmt_junos", "10.0.0.5 routing-instance MGMT"),
    "isolation group": ("front leaf", "network-isolation-profile UPLINKS", "network-isolation-profile UP"),
    "server group": ("front last leaf", "active-server-group VLAN-110", "active-server-group VLAN-111"),
    "aggregate": ("front leaf", "802.3ad ae1;", "802.3ad ae99;"),
    "VLAN of an access port": ("front leaf", "members storage-data;", "members storage;"),
    "SNMP view": ("front leaf", "view ALL {", "view SOME {"),
    "SNMP target": ("front leaf", "target-parameters TRAPS;", "target-parameters TRAP;"),
    "SNMP tag": ("front leaf", "tag TRAPS;", "tag TRAP;"),
    "SNMP user": ("front leaf", "user monitor {", "user watch {"),
    "SNMP group": ("front leaf", "group MONITORING;", "group MONITOR;"),
    "unit": ("front leaf", "interface ae1.0;", "interface ae1.1;"),
    "port": ("front leaf", "interface ae1 {\n            edge", "interface ae99 {\n            edge"),
    "sampled": ("front leaf", "interfaces et-0/0/0.0;", "interfaces et-0/0/99.0;"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HANGING)
def test_a_name_that_hangs_is_seen(kind: str) -> None:
    name, old, new = HANGING[kind]
    text = sample(name).text
    assert old in text
    assert kind in {loose.kind for loose in references.loose(paths(text.replace(old, new, 1)))}


def test_a_unit_in_two_instances_is_seen() -> None:
    text = sample("front last leaf").text
    twice = references.loose(
        paths(text.replace("interface irb.120;", "interface irb.120;\n        interface irb.110;"))
    )
    assert references.Loose("twice", "unit", "irb.110") in twice


WRONG = {
    "interface address": ("front leaf", "address 10.128.0.", "address 10.128.256."),
    "prefix": ("front leaf", "10.128.0.0/12 upto", "10.128.0.1/12 upto"),
    "AS": ("front leaf", "peer-as 42", "peer-as 4200000000042"),
    "VLAN": ("front leaf", "vlan-id 20;", "vlan-id 4095;"),
    "queue": ("tiers leaf", "flow-control-queue 3", "flow-control-queue 9"),
    "code point": ("tiers leaf", "code-point 011010 {", "code-point 11010 {"),
    "priority": ("tiers leaf", "code-point 011 {", "code-point 11 {"),
    "route target": ("front leaf", "vrf-target target:65000:", "vrf-target target:4200000000:"),
    "community": ("front leaf", "members 65535:0", "members 65536:0"),
    "route distinguisher": ("front leaf", "route-distinguisher 10.", "route-distinguisher 65000:10."),
    "MTU 9202": ("front leaf", "        mtu 9216;", "        mtu 9200;"),
    "MTU 9217": ("front leaf", "        mtu 9216;", "        mtu 9217;"),
    "ESI": ("front leaf", "            00:00:00:00:", "            01:00:00:00:"),
    "address": ("front leaf", "server 10.0.0.5 routing", "server 10.0.0.256 routing"),
    "172.17.0.1/20 in family inet6": ("front leaf", "address fd5e:8c1f:2a00:2000::1/64", "address 172.17.0.1/20"),
    "10.128.0.0/12 upto /12": ("front leaf", "10.128.0.0/12 upto /32", "10.128.0.0/12 upto /12"),
    "0 primary addresses": ("front leaf", " {\n                    primary;\n                }", ";"),
    "instance research has lo0.0": ("front leaf", "        interface lo0.1", "        interface lo0.0; #"),
    "no export policy of the forwarding table": ("front leaf", "        export ECMP;", "        export EC;"),
    "the export policy of the forwarding table": ("front leaf", "load-balance per-packet", "load-balance none"),
    "group SPINES-IPV4 has no import": ("front leaf", "import RM-SPINES-IPV4-IN;", ""),
    "group SPINES-IPV4 has no hold-time": ("front leaf", "hold-time 9;", ""),
    "group SPINES-IPV4 has no limit in inet": ("front leaf", "maximum 64;", ""),
    "policy ORIGINATED ends without a reject": ("front leaf", "        then reject;\n", ""),
    "protocols bgp logs no session": ("front leaf", "        log-updown;\n    }\n", "    }\n"),
    "routing-instances research protocols bgp logs": ("front border-leaf", "                log-updown;\n", ""),
    "irb.110 relays and floods": ("front last leaf", "            no-dhcp-flood;\n", ""),
    "irb.120 floods no DHCP": ("front last leaf", "00:01;\n        }", "00:01;\n            no-dhcp-flood;\n        }"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_value_is_seen(fault: str) -> None:
    name, old, new = WRONG[fault]
    text = sample(name).text
    assert old in text
    told = rules.faults(paths(text.replace(old, new, 1).replace("#", "##")))
    assert [row for row in told if row.startswith(fault)], told


def test_two_of_one_number_are_seen() -> None:
    text = sample("front last leaf").text
    told = paths(text)
    (first, second, *_) = values(told, "routing-instances * route-distinguisher ?")
    assert f"route distinguisher {first} of 2 instances" in rules.faults(
        paths(text.replace(f" {second};", f" {first};"))
    )
    esis = [value for value in values(told, "interfaces * esi ?") if value != "all-active"]
    assert f"ESI {esis[0]} of 2 aggregates" in rules.faults(paths(text.replace(esis[1], esis[0])))


@pytest.mark.parametrize(
    "text", ["a { b; ", "a; }", "a b", "{ ; }", 'a "b', "a { b c } d;"], ids=lambda text: text.replace(" ", "_")
)
def test_the_reader_rejects_what_is_no_configuration(text: str) -> None:
    with pytest.raises(UnreadableError):
        paths(text)


def test_the_reader_reads_the_forms_that_a_manual_shows() -> None:
    told = paths('## remark\na { b c; "d e" { f [ g h ]; } i { } }\na j;')
    assert told == [("a", "b", "c"), ("a", "d e", "f", "g h"), ("a", "i"), ("a", "j")]
    assert matches(("a", "b", "c"), "a ? c") == ("b",)
    assert matches(("a", "b", "c"), "a ?") is None
    assert rows(told, "a ? f ?") == [("d e", "g h")]


def test_secrets_are_references_in_one_word() -> None:
    for name in ("front leaf", "front border-leaf"):
        told = [word for row in paths(sample(name).text) for word in row if "${" in word]
        assert told
        assert all(word.startswith("${") and word.endswith("}") for word in told)


def test_drained_sessions_take_the_maps_of_a_drain() -> None:
    told = paths(sample("drained leaf").text)
    drained = rows(told, "protocols bgp group ? neighbor ? export ?")
    assert {policies.split()[1] for _, _, policies in drained} == {
        "RM-SPINES-IPV4-DRAINED-OUT",
        "RM-SPINES-IPV6-DRAINED-OUT",
    }
    of_spine = found("drained")["be-spine-00"]
    added = rows(paths(render(of_spine)), "policy-options policy-statement ? term * then community add ?")
    shut = {name for name, community in added if community == "CL-GRACEFUL-SHUTDOWN"}
    assert shut == {"RM-LEAVES-IPV4-DRAINED-OUT", "RM-LEAVES-IPV6-DRAINED-OUT"}


def test_a_border_leaf_lets_nothing_of_a_stranger_in_or_out() -> None:
    told = paths(sample("front border-leaf").text)
    assert rows(told, "policy-options policy-statement RM-RESEARCH-FW1-0-900-IPV4-IN term ? then community set ?")
    exports = values(told, "routing-instances research protocols bgp group EXTERNAL neighbor * export ?")
    assert all(value.startswith("ORIGINATED-RESEARCH RM-RESEARCH-FW1-0-900-IPV") for value in exports)
