"""What raw lines of the intent add to a document is expected, though merged there; what differs from it is not."""

import json
from functools import cache

import pytest

from fabricgen.audit.switch import SwitchAudit, audited
from fabricgen.device.device import Device, RawLines
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.added import added_lines
from fabricgen.readback.fields import document
from fabricgen.render.render import Renderer
from tests.audit.detected import site
from tests.readback.sites import Switch, files_of

LEAF = "be-leaf-000"
NTP = '{"srl_nokia-system:system": {"srl_nokia-ntp:ntp": {"server": [{"address": "10.0.0.77"}]}}}'
TAGGED = '{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "transceiver": {"x": 1}}]}'
BLOCK = ("- set:", "    service:", "      ntp:", "        mgmt:", "          server:", "            10.0.0.77: {}")
RAW = {
    "a row": ("sonic", ('{"SYSLOG_SERVER": {"10.0.0.77": {}}}',)),
    "over several lines": ("sonic", ("{", '"SYSLOG_SERVER":', '{"10.0.0.77": {}}', "}")),
    "a table": ("sonic", ('{"VLAN": {"Vlan100": {"vlanid": "100"}}}',)),
    "fields that are not understood": ("sonic", ('{"PORT": {"Ethernet0,Ethernet8": {"foo": "1"}}}',)),
    "an entry of a list": ("srlinux", (NTP,)),
    "a leaf of an entry that is planned": ("srlinux", (TAGGED,)),
    "a block": ("cumulus", BLOCK),
    "an address in place of the planned one": ("eos", ("interface Ethernet1/1", "   ip address 10.9.9.8/31")),
    "BGP a second time": ("frr", ("router bgp 4201000000", " neighbor SPINES-IPV4 shutdown")),
    "a server": ("junos", ("system { ntp { server 10.0.0.77 routing-instance mgmt_junos; } }",)),
    "a line that is not understood": ("cumulus", ("- set: {system: {ntp: {server: {10.0.0.77: {}}}}}",)),
    "two items": ("cumulus", ("- set: {system: {ntp: {x: 1}}}", "- set: {system: {ntp: {y: {}}}}")),
}


@cache
def switch(name: str) -> Switch:
    """A leaf whose intent adds lines."""
    system, lines = RAW[name]
    device: Device = site(system, "").devices[LEAF]._replace(raw=(RawLines("", lines, "raw[0]"),))
    return device, files_of(Renderer(), device)


def audit(name: str, before: str = "", after: str = "") -> SwitchAudit:
    """The audit of it, with all of one text in its files replaced by another."""
    device, files = switch(name)
    edited = {file: text.replace(before, after) if before else text for file, text in files.items()}
    assert not before or edited != files
    return audited(device, edited, filled=False)


@pytest.mark.parametrize("name", RAW)
def test_what_the_intent_adds_is_expected(name: str) -> None:
    found = audit(name)
    assert found.is_clean, (found.findings, found.unread)
    assert not found.is_exact


@pytest.mark.parametrize("indent", [None, 1])
def test_the_layout_of_a_document_means_nothing_unless_a_line_has_more(indent: int | None) -> None:
    device, files = switch("a row")
    text = json.dumps(json.loads(files["config_db.json"]), indent=indent)
    assert audited(device, {**files, "config_db.json": text}, filled=False).is_clean is (indent is not None)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a row", '"10.0.0.77"', '"10.0.0.78"'),
        ("fields that are not understood", '"foo": "1"', '"foo": "2"'),
        ("an entry of a list", '"10.0.0.77"', '"10.0.0.78"'),
        ("a leaf of an entry that is planned", '"name": "ethernet-1/1",', '"name": "ethernet-1/1", "mtu": 1500,'),
        ("a leaf of an entry that is planned", '"name": "ethernet-1/1",', '"name": "ethernet-1/9",'),
        ("a block", "10.0.0.77", "10.0.0.78"),
        ("a block", "hostname: be-leaf-000", "hostname: x"),
        ("a block", "mgmt:", "other:"),
        ("a block", "'10.0.0.3':", "'10.0.0.9':"),
        ("an entry of a list", '"10.0.0.3"', '"10.0.0.9"'),
        ("a server", "server 10.0.0.3 routing-instance mgmt_junos;", ""),
        (
            "a server",
            "server 10.0.0.3 routing",
            "server 10.0.0.9 routing-instance mgmt_junos;\nserver 10.0.0.3 routing",
        ),
    ],
)
def test_what_differs_from_it_is_reported(name: str, before: str, after: str) -> None:
    assert not audit(name, before, after).is_clean


DESCRIBED = '{"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "description": "train-000 OSFP4P2 rail 0"}]}'
BGP = ("router bgp 4201000000", "   bgp log-neighbor-changes")


@pytest.mark.parametrize(
    ("system", "raw", "before", "after"),
    [
        ("eos", BGP, "   router-id 10.64.192.0\n", ""),
        ("frr", BGP, " bgp bestpath as-path multipath-relax\n", ""),
        ("nxos", ("interface Ethernet1/1/1", "  no cdp enable"), "  no shutdown\n", ""),
        ("eos", ("interface Ethernet32/5", "   shutdown"), "   no shutdown\n", "   shutdown\n"),
        (
            "eos",
            ("interface Ethernet1/5", "   foo bar"),
            "router bgp 4201000000\n",
            "router bgp 4201000000\n   foo bar\n",
        ),
        (
            "eos",
            ("qos profile ROCE-400G", "   uc-tx-queue 0", "      bandwidth percent 4"),
            "bandwidth percent 95",
            "bandwidth percent 5",
        ),
        (
            "eos",
            ("route-map RM-SPINES-IPV4-IN permit 10", "   set local-preference 10"),
            "route-map RM-SPINES-IPV4-IN permit 20\n   match ip address prefix-list PL-FABRIC-IPV4\n",
            "route-map RM-SPINES-IPV4-IN permit 20\n",
        ),
        ("eos", ("ip name-server vrf mgmt 10.0.0.77",), "ip name-server vrf mgmt 10.0.0.2\n", ""),
        ("cumulus", ("- set: {interface: {swp1s0: {description: x}}}",), "'10.64.0.0/31': {}", "{}"),
        (
            "srlinux",
            (DESCRIBED,),
            '"port-speed": "400G",',
            "",
        ),
    ],
)
def test_a_line_of_the_intent_excuses_nothing_else(system: str, raw: tuple[str, ...], before: str, after: str) -> None:
    """The same header, or the same line in another block, is not what the intent asks for."""
    device = site(system, "").devices[LEAF]._replace(raw=(RawLines("", raw, "raw[0]"),))
    files = files_of(Renderer(), device)
    assert audited(device, files, filled=False, rendered=files).is_clean
    main = READBACKS[system].main
    assert before in files[main], files[main][:3000]
    edited = {**files, main: files[main].replace(before, after, 1)}
    assert not audited(device, edited, filled=False, rendered=files).is_clean


TEXT = """{
"a": 1,
"interface": [
{
"name": "x",
"mtu": 9000
},
{"name": "y",
"mtu": 1500
}
],
"b": {"c": 2}, "d": 3,
"e": {
"f": {},
"g": null
},
"h": [
1,
2
]
}"""


@pytest.mark.parametrize(
    ("added", "lines"),
    [
        ({}, ()),
        ({"a": 1}, (2,)),
        ({"a": "1"}, ()),
        ({"a": {}}, ()),
        ({"b": {"c": 2}}, ()),
        ({"b": {"c": 2}, "d": 3}, (12,)),
        ({"e": {"f": {}}}, (14,)),
        ({"e": {"f": {}, "g": None}}, (13, 14, 15)),
        ({"e": {"f": []}}, ()),
        ({"h": [2]}, (19,)),
        ({"interface": [{"name": "x"}]}, ()),
        ({"interface": [{"name": "x", "mtu": 9000}]}, (4, 5, 6)),
        ({"interface": [{"name": "y", "mtu": 9000}]}, ()),
        ({"interface": [{"name": "z", "mtu": 9000}]}, ()),
        ({"interface": [{"name": "y", "mtu": 1500}, {"name": "x", "mtu": 9000}]}, (3, 4, 5, 6, 8, 9)),
    ],
)
def test_lines_are_added_if_all_on_them_is(added: object, lines: tuple[int, ...]) -> None:
    found = added_lines(document(TEXT), document(json.dumps(added)), {"interface": (("name",),)})
    assert found == frozenset(lines)
