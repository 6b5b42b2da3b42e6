"""Small fabrics as Junos would show them: nothing is found where all is as planned, and each fault where it is."""

import re
from typing import NamedTuple

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.junos.live import reader as junos
from fabricgen.platforms.junos.live.reader import JUNOS
from fabricgen.verify.judge.device import judge
from tests.doubles.junos_answers import REFUSAL
from tests.junos.planned import state, switches, verdict
from tests.some import some

PLANS = ("front", "unnumbered", "shared", "lossless", "plain", "drained")


@pytest.mark.parametrize("plan", PLANS)
def test_a_fabric_as_planned_has_no_finding(plan: str) -> None:
    for switch in switches(plan).values():
        found = verdict(switch, switch.outputs)
        assert found.findings == ()
        reasons = {one.reason for one in found.unchecked} - set(switch.expected.unchecked.values())
        assert reasons <= set(junos.UNSEEN.values())
        passed = dict(found.passed)
        assert passed["interfaces"] >= len([one for one in switch.expected.interfaces if one.kind == "ethernet"])
        assert passed["sessions"] == len(switch.expected.sessions) + 2  # router id and AS number
        assert passed["drift"] == 1


def test_what_is_asked_is_what_is_answered() -> None:
    leaf = switches("front")["fe-leaf-000"]
    reads = JUNOS.reads(JUNOS.vrf_names(leaf.device))
    assert {read.command for read in reads} == leaf.outputs.keys()
    assert "show route table storage.inet.0 detail" in leaf.outputs
    assert not [read.command for read in reads if "mgmt_junos" in read.command]
    assert {read.encoding for read in reads} == {"xml", "text"}


class Fault(NamedTuple):
    """What is changed in one answer, and what is found. times: 0 for wherever it stands."""

    command: str
    pattern: str
    new: str
    code: str
    subject: str
    times: int = 1


PORT = r"<name>et-0/0/29</name>.*?"
FAULTS = {
    "session down": Fault(junos.BGP, "Established", "Active", "session-down", "10.128.0.9"),
    "wrong as": Fault(junos.BGP, "<peer-as>4202000005<", "<peer-as>64999<", "session-wrong-as", "10.128.0.9"),
    "no session": Fault(junos.BGP, r"<bgp-peer .*?</bgp-peer>", "", "session-missing", "10.128.0.9"),
    "no family": Fault(junos.BGP, "inet-unicast", "inet-vpn-unicast", "session-family-missing", "10.128.0.9"),
    "one more session": Fault(junos.BGP, r"10.128.0.9\+", "10.9.9.9+", "session-unexpected", "10.9.9.9"),
    "router id": Fault(junos.BGP, r"<local-id>[\d.]+<", "<local-id>10.9.9.9<", "bgp-wrong-router-id", "BGP", 0),
    "bfd down": Fault(junos.BFD, ">Up<", ">Down<", "bfd-down", "10.128.0.9"),
    "no bfd": Fault(junos.BFD, r"<bfd-session>.*?</bfd-session>", "", "bfd-missing", "10.128.0.9"),
    "port down": Fault(
        junos.INTERFACES, rf"({PORT}<oper-status>)up", r"\1down", "interface-down", "port et-0/0/29"
    ),
    "port shut": Fault(
        junos.INTERFACES, rf"({PORT}<admin-status format=\"Enabled\">)up", r"\1down", "interface-shut", "et-0/0/29"
    ),
    "no port": Fault(
        junos.INTERFACES, "<name>et-0/0/29</name>", "<name>et-0/0/28</name>", "interface-missing", "et-0/0/29"
    ),
    "mtu": Fault(junos.INTERFACES, rf"({PORT})<mtu>9202<", r"\1<mtu>1500<", "mtu-wrong", "et-0/0/29"),
    "address": Fault(
        junos.INTERFACES, rf"({PORT})10.128.0.8/31(.*?)10.128.0.8<", r"\g<1>10.9.9.8/31\g<2>10.9.9.8<", "address-wrong",
        "et-0/0/29",
    ),
    "gateway elsewhere": Fault(junos.INSTANCES, "irb.20", "irb.21", "interface-wrong-vrf", "vlan 20"),
    "bundle": Fault(junos.BUNDLES, "Collecting distributing", "Detached", "lag-member-missing", "lag 1"),
    "vlan": Fault(junos.VLANS, "ae1.0", "ae9.0", "port-wrong-vlan", "lag 1"),
    "cables swapped": Fault(
        junos.LLDP, "fe-spine-00", "fe-spine-09", "lldp-wrong-peer", "et-0/0/29"
    ),
    "another port": Fault(
        junos.LLDP, r"(et-0/0/29</.*?<lldp-remote-port-id>)[^<]*", r"\1et-0/0/9", "lldp-wrong-port", "et-0/0/29"
    ),
    "no route": Fault(
        junos.ROUTES_IPV4, r"<rt>(?:(?!<rt>).)*10\.140\.0\.10/32.*?</rt>", "", "route-missing", "10.140.0.10/32"
    ),
    "route stands back": Fault(
        junos.ROUTES_IPV4, r"(10\.140\.0\.10/32</rt-destination><rt-entry>)<active-tag>\*<", r"\1<active-tag><",
        "route-missing", "10.140.0.10/32",
    ),
    "half the paths": Fault(
        junos.ROUTES_IPV4, r"(10\.140\.0\.0/32.*?)<nh>.*?</nh>", r"\1", "route-width", "10.140.0.0/32"
    ),
    "one more route": Fault(
        junos.ROUTES_IPV4, r"10\.140\.0\.10/32", "10.141.0.10/32", "route-unexpected", "10.141.0.10/32"
    ),
    "another tunnel": Fault(
        "show route table storage.inet.0 detail", r"<to>10\.140\.0\.7<", "<to>10.140.0.77<", "route-next-hop",
        "storage", 0,
    ),
    "no vni": Fault(junos.MAC_VRFS, "<domain-id>10007<", "<domain-id>10008<", "vni-missing", "VNI 10007"),
    "no tunnel": Fault(
        junos.MAC_VRFS, "<evpn-neighbor-address>10.140.0.5<", "<evpn-neighbor-address>10.140.0.6<", "vtep-missing",
        "10.140.0.5",
    ),
    "no tenant": Fault(junos.L3_CONTEXTS, "<context-vni>10006<", "<context-vni>10008<", "vni-missing", "VNI 10006"),
    "no prefix route": Fault(
        junos.EVPN_ROUTES, "5:10.140.0.3:6::0::172.17.0.0::20", "5:10.140.0.3:6::0::172.17.0.0::21", "evpn-missing",
        "type 5",
    ),
    "line lost": Fault(junos.RUNNING, "hold-time 9;", "", "drift-missing", "protocols / bgp / group SPINES-IPV4"),
    "line changed": Fault(junos.RUNNING, "mtu 9216;", "mtu 9000;", "drift-extra", "interfaces / et-0/0/29"),
    "line added": Fault(junos.RUNNING, r"services \{", "services { telnet;", "drift-extra", "system / services"),
    "switched off": Fault(
        junos.RUNNING, "neighbor 10.128.0.9 ", "inactive: neighbor 10.128.0.9 ", "drift-extra", "inactive"
    ),
    "another switch": Fault(junos.VERSION, "fe-leaf-000", "fe-leaf-001", "another-name", "the switch"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found(name: str) -> None:
    leaf, fault = switches("front")["fe-leaf-000"], FAULTS[name]
    before = str(leaf.outputs[fault.command].value)
    after = re.sub(fault.pattern, fault.new, before, count=fault.times, flags=re.DOTALL)
    assert after != before
    findings = verdict(leaf, {**leaf.outputs, fault.command: Output(after)}).findings
    assert fault.code in {one.code for one in findings}
    assert any(fault.subject in one.subject for one in findings if one.code == fault.code)


def test_a_session_over_a_link_is_its_ports() -> None:
    leaf = switches("unnumbered")["be-leaf-000"]
    shown = str(leaf.outputs[junos.BGP].value)
    down = shown.replace("Established", "Connect", 1)
    (found,) = verdict(leaf, {**leaf.outputs, junos.BGP: Output(down)}).findings
    assert (found.code, found.port) == ("session-down", "et-0/0/32")
    swapped = shown.replace("%et-0/0/32.0+", "%et-0/0/99.0+").replace(">et-0/0/32.0<", ">et-0/0/99.0<")
    codes = {one.code for one in verdict(leaf, {**leaf.outputs, junos.BGP: Output(swapped)}).findings}
    assert codes == {"session-missing", "session-unexpected"}


PARTS = {
    junos.VERSION: "facts",
    junos.INTERFACES: "interfaces",
    junos.INSTANCES: "interfaces",
    junos.LLDP: "lldp",
    junos.BGP: "bgp",
    junos.BFD: "bfd",
    junos.ROUTES_IPV4: "routes",
    "show route table storage.inet.0 detail": "routes",
    junos.EVPN_ROUTES: "evpn",
    junos.MAC_VRFS: "vnis",
    junos.RUNNING: "running",
}
LOST = "RpcTimeoutError(host: fe-leaf-000, cmd: command, timeout: 30)"


@pytest.mark.parametrize("command", PARTS)
@pytest.mark.parametrize("kind", ["lost", "cut", "words", "none", "other"])
def test_what_is_not_understood_is_no_part_and_never_right(command: str, kind: str) -> None:
    leaf = switches("front")["fe-leaf-000"]
    whole = str(leaf.outputs[command].value)
    text = command == junos.RUNNING
    broken = {
        "lost": Output(None, LOST),
        "cut": Output(None if text else whole[: len(whole) // 2]),
        "words": Output("  \n" if text else "error: the routing subsystem is not running"),
        "none": Output(None),
        "other": Output(["x"] if text else "<rpc-reply><ok/></rpc-reply>"),
    }[kind]
    shown = state(leaf, {**leaf.outputs, command: broken})
    part = PARTS[command]
    assert getattr(shown, part) is None
    assert shown.unread[part].startswith(command)
    judged = judge(leaf.expected, shown, JUNOS.drift)
    assert shown.unread[part] in {one.reason for one in judged.unchecked}


@pytest.mark.parametrize(
    "command", some([junos.INTERFACES, junos.BGP, junos.ROUTES_IPV4, junos.MAC_VRFS, junos.EVPN_ROUTES], of=2)
)
def test_mutants_of_answers_never_raise(command: str) -> None:
    """Each element's text away, or another, one kind of element at a time."""
    leaf = switches("front")["fe-leaf-000"]
    whole = str(leaf.outputs[command].value)
    for name in sorted(set(re.findall(r"<([\w-]+)>[^<]+</\1>", whole))):
        for text in ("", "x", "-7", "²"):
            mutant = re.sub(rf"<{name}>[^<]+</{name}>", f"<{name}>{text}</{name}>", whole)
            shown = state(leaf, {**leaf.outputs, command: Output(mutant)})
            judge(leaf.expected, shown, JUNOS.drift)


def test_a_switch_that_refuses_what_it_has_nothing_of_is_read() -> None:
    spine = switches("plain")["fe-spine-00"]
    bare = {
        **spine.outputs,
        **dict.fromkeys((junos.MAC_VRFS, junos.L3_CONTEXTS, junos.ROUTES_IPV6), Output(None, REFUSAL)),
    }
    assert verdict(spine, bare).findings == ()
    assert state(spine, bare).vnis == ()


@pytest.mark.parametrize(("command", "words"), [(junos.BUNDLES, "their member ports"), (junos.VLANS, "their VLANs")])
def test_what_is_beside_the_interfaces_may_be_refused_and_is_told(command: str, words: str) -> None:
    leaf = switches("front")["fe-leaf-000"]
    judged = verdict(leaf, {**leaf.outputs, command: Output(None, REFUSAL)})
    assert judged.findings == ()
    assert any(words in one.reason for one in judged.unchecked)


def test_a_tenant_without_answer_is_not_taken_for_empty() -> None:
    leaf = switches("front")["fe-leaf-000"]
    shown = state(leaf, {**leaf.outputs, "show route table storage.inet6.0 detail": Output(None, LOST)})
    assert shown.routes is None
