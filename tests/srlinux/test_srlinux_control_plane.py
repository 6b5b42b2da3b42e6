"""What reaches the processor of a switch, by the filter that its file binds; packets are judged by RFC and port."""

import json
from ipaddress import IPv4Address, IPv4Network
from typing import Any, NamedTuple

import pytest

from fabricgen.device.management import Gnmi
from fabricgen.platforms.srlinux.control_plane import filter_entries
from fabricgen.platforms.srlinux.readback.readback import READBACK
from fabricgen.readback.rows import Key
from tests.srlinux.sites import render, samples, text_of
from tests.srlinux.test_srlinux_readback import said

LEAF = "demo frontend leaf"
BARE = "bare frontend leaf"


class Packet(NamedTuple):
    """A packet to the switch: its protocol, a kind of ICMP or the ports, its IPv4 address, whether it opens TCP."""

    protocol: str
    source: int = 40000
    destination: int = 40000
    kind: str = ""
    address: str = "10.0.0.9"
    opens: bool = True


def acls(text: str) -> dict[str, list[dict[str, Any]]]:
    """Entries by family, those of filters that are bound."""
    tree = json.loads(text)
    bound = tree["srl_nokia-system:system"]["control-plane-traffic"]["input"]["srl_nokia-acl:acl"]["acl-filter"]
    keys = [(row["name"], row["type"]) for row in bound]
    found = tree["srl_nokia-acl:acl"]["acl-filter"]
    return {row["type"]: row["entry"] for row in found if (row["name"], row["type"]) in keys}


def is_accepted(entries: list[dict[str, Any]], packet: Packet) -> bool:
    """By the first entry that matches, in the order of numbers; what none matches is accepted (CPM filter chapter)."""
    for entry in sorted(entries, key=lambda row: row["sequence-id"]):
        if _matches(entry.get("match", {}), packet):
            return "accept" in entry["action"]
    return True


def _matches(match: dict[str, Any], packet: Packet) -> bool:
    header = match.get("ipv4") or match.get("ipv6") or {}
    protocol = header.get("protocol", header.get("next-header"))
    kinds = [header[key]["type"] for key in ("icmp", "icmp6") if key in header]
    transport = match.get("transport", {})
    return (
        (protocol is None or str(protocol) == packet.protocol)
        and not header.get("fragment")
        and IPv4Address(packet.address) in IPv4Network(header.get("source-ip", {}).get("prefix", "0.0.0.0/0"))
        and (packet.opens or transport.get("tcp-flags") != "syn&!ack")
        and all(kind == packet.kind for kind in kinds)
        and all(_is_port(transport.get(f"{end}-port"), getattr(packet, end)) for end in ("source", "destination"))
    )


def _is_port(said: dict[str, Any] | None, port: int) -> bool:
    if said is None:
        return True
    if "value" in said:
        return bool(said["value"] == port)
    return port in range(said["range"]["start"], said["range"]["end"] + 1)


BOTH = {
    "BGP, opened by the neighbor": Packet("tcp", destination=179),
    "BGP, opened by the switch": Packet("tcp", source=179),
    "BFD (RFC 5881)": Packet("udp", destination=3784),
    "BFD over several hops (RFC 5883)": Packet("udp", destination=4784),
    "SSH": Packet("tcp", destination=22),
    "gNMI at the port of the intent": Packet("tcp", destination=57400),
    "JSON-RPC, by which a push comes": Packet("tcp", destination=443),
    "NTP": Packet("udp", source=123, destination=123),
    "DNS": Packet("udp", source=53),
    "TACACS+": Packet("tcp", source=49),
    "SNMP": Packet("udp", destination=161),
}
OWN = {
    "ipv4": {"ping": Packet("icmp", kind="echo"), "DHCP relay": Packet("udp", destination=67)},
    "ipv6": {
        "ping": Packet("icmp6", kind="echo-request"),
        "neighbor solicitation": Packet("icmp6", kind="neighbor-solicit"),
        "neighbor advertisement": Packet("icmp6", kind="neighbor-advertise"),
        "router advertisement, by which unnumbered BGP finds its neighbor": Packet("icmp6", kind="router-advertise"),
        "router solicitation": Packet("icmp6", kind="router-solicit"),
        "DHCPv6 relay": Packet("udp", destination=547),
    },
}
OUTSIDE = {
    "Telnet": Packet("tcp", destination=23),
    "TFTP": Packet("udp", destination=69),
    "a port without a service": Packet("tcp", destination=8080),
    "OSPF": Packet("89"),
    "VXLAN to the processor": Packet("udp", destination=4789),
}


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
@pytest.mark.parametrize("name", [LEAF, "pairs backend spine"])
def test_what_the_fabric_and_its_operators_need_comes_in_and_nothing_else(name: str, family: str) -> None:
    entries = acls(text_of(name))[family]
    shut_out = [what for what, packet in (BOTH | OWN[family]).items() if not is_accepted(entries, packet)]
    let_in = [what for what, packet in OUTSIDE.items() if is_accepted(entries, packet)]
    assert (shut_out, let_in) == ([], [])


SERVICES = {
    "SSH": (Packet("tcp", destination=22), {"10.0.0.9", "192.0.2.7"}),
    "JSON-RPC": (Packet("tcp", destination=80), {"10.0.0.9", "192.0.2.7"}),
    "JSON-RPC over TLS": (Packet("tcp", destination=443), {"10.0.0.9", "192.0.2.7"}),
    "gNMI": (Packet("tcp", destination=57400), {"192.0.2.17"}),
    "SNMP": (Packet("udp", destination=161), {"10.0.0.9", "192.0.2.7", "192.0.2.17", "10.0.0.16", "172.17.0.9"}),
}
"""What the intent of the site `bare` lists; the filter does not look where a packet comes in: the sources are all."""
PEERS = ("10.0.0.9", "192.0.2.7", "192.0.2.17", "10.0.0.16", "172.17.0.9")
REPLIED = (22, 49, 53, 80, 123, 179, 443)
"""Ports whose replies the factory lets in; whoever sends from one of them is not a manager."""
REST = {what: packet for what, packet in BOTH.items() if packet.destination not in (22, 57400, 443, 161)}
REPLIES = {
    "an answer to the switch's own SSH": Packet("tcp", source=22, opens=False),
    "an answer of BGP to a client that has the port of gNMI": Packet("tcp", 179, 57400, opens=False),
}


@pytest.mark.parametrize("name", [BARE, "bare backend spine", "bare frontend border-leaf"])
def test_a_service_answers_the_sources_of_the_intent_and_nobody_over_ipv6(name: str) -> None:
    families = acls(text_of(name))
    for what, (packet, managers) in SERVICES.items():
        for port in (40000, *REPLIED):
            sent = packet._replace(source=port)
            let_in = {at for at in PEERS if is_accepted(families["ipv4"], sent._replace(address=at))}
            assert (what, port, let_in) == (what, port, managers)
            assert not is_accepted(families["ipv6"], sent)


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_the_fabric_runs_behind_sources_of_management(family: str) -> None:
    entries = acls(text_of(BARE))[family]
    packets = {what: packet._replace(address="172.17.0.9") for what, packet in (REST | OWN[family] | REPLIES).items()}
    assert [what for what, packet in packets.items() if not is_accepted(entries, packet)] == []
    assert [what for what, packet in OUTSIDE.items() if is_accepted(entries, packet)] == []


def test_a_service_that_is_off_is_open_to_nobody() -> None:
    device = samples()[BARE]
    device = device._replace(management=device.management._replace(gnmi=None, snmp=None))
    text = render(device)
    families = acls(text)
    assert "57400" not in text
    for packet in (Packet("tcp", destination=57400), Packet("udp", destination=161)):
        assert not any(is_accepted(entries, packet) for entries in families.values())
    reading = READBACK.read({"config.json": text})
    assert not reading.unread
    for rows in (READBACK.expected(device), reading.rows):
        found = {key.setting for key in rows if key.thing == "management" and key.setting.startswith("access-")}
        assert found == {"access-ssh", "access-api"}


SSH, ANY = '"prefix": "10.0.0.0/28"', {"source-ip": {"prefix": "0.0.0.0/0"}}


@pytest.mark.parametrize(
    ("old", "new", "differs"),
    [
        (SSH, '"prefix": "10.0.0.0/24"', "access-ssh"),
        (SSH, '"prefix": "0.0.0.0/0"', "access-ssh"),
        ('"sequence-id": 3,', '"sequence-id": 0,', "acl cpm ipv4 0: "),
        ('"sequence-id": 1,', '"sequence-id": 4,', "unread "),
        ('"tcp-flags": "syn&!ack"', '"tcp-flags": "syn&ack"', "acl cpm ipv4 3: "),
        ('"value": 80', '"value": 81', "access-api"),
    ],
)
def test_other_sources_are_seen(old: str, new: str, differs: str) -> None:
    text = text_of(BARE)
    assert old in text
    assert any(differs in line for line in said(BARE, text.replace(old, new, 1)))


def test_sources_of_a_filter_that_is_not_bound_and_of_one_of_two_ports() -> None:
    tree = json.loads(text_of(BARE))
    bound = tree["srl_nokia-system:system"]["control-plane-traffic"]["input"]["srl_nokia-acl:acl"]
    entries = tree["srl_nokia-acl:acl"]["acl-filter"][0]["entry"]
    row = next(row for row in entries if row.get("description") == "JSON-RPC over TLS from 192.0.2.7/32")
    row["match"]["transport"]["destination-port"]["value"] = 80
    row["match"]["ipv4"] |= ANY
    reading = READBACK.read({"config.json": json.dumps(tree, indent=2)})
    assert reading.rows[Key("management", "", "access-api")].value == frozenset(
        {
            "10.0.0.0/28",
            "192.0.2.7/32 at port 80",
        }
    )
    assert [line.text for line in reading.unread] == ['"prefix": "0.0.0.0/0"']
    bound["acl-filter"] = [row for row in bound["acl-filter"] if row["type"] == "ipv6"]
    lines = said(BARE, json.dumps(tree, indent=2))
    assert sum(line.startswith('unread "prefix": ') for line in lines) == 2 + 2 + 2 + 1 + 1


@pytest.mark.parametrize(("gnmi", "port"), [(None, 57400), (Gnmi(port=6030, certificate="fabric"), 6030)])
def test_gnmi_has_the_port_of_the_intent_or_that_of_the_factory(gnmi: Gnmi | None, port: int) -> None:
    device = samples()[LEAF]
    device = device._replace(management=device.management._replace(gnmi=gnmi))
    entry = next(row for row in filter_entries(device) if row.number == 260)
    assert entry.match["transport"] == {"destination-port": {"operator": "eq", "value": port}}
    expected = [key.name for key in READBACK.expected(device) if key.name.startswith("acl cpm ipv4 260:")]
    assert len(expected) == 1
    assert f"value {port}:" in expected[0]


@pytest.mark.parametrize(
    ("old", "new", "differs"),
    [
        ('"log": true,', "", "acl cpm ipv4 350: all: drop"),
        ('"drop": {}', '"accept": {}', "acl cpm ipv4 350: all: accept"),
        ('"sequence-id": 60', '"sequence-id": 5', "acl cpm ipv4 5: "),
        ('"value": 179', '"value": 180', "port value 180"),
        ('"peak-rate-pps": 1000', '"peak-rate-pps": 100000', "control-plane policer icmp: peak-rate-pps 100000"),
    ],
)
def test_another_filter_is_seen(old: str, new: str, differs: str) -> None:
    text = text_of(LEAF)
    assert old in text
    assert any(differs in line for line in said(LEAF, text.replace(old, new, 1)))


def test_a_filter_that_is_not_bound_is_seen() -> None:
    tree = json.loads(text_of(LEAF))
    tree["srl_nokia-system:system"]["control-plane-traffic"]["input"]["srl_nokia-acl:acl"]["acl-filter"].pop()
    lines = said(LEAF, json.dumps(tree, indent=2))
    assert [line for line in lines if "ipv6 filters the control plane" in line]


@pytest.mark.parametrize("action", [{"accept": {}, "drop": {}}, {"forward": {}}, {}])
def test_an_action_of_another_kind_is_not_understood(action: dict[str, object]) -> None:
    tree = json.loads(text_of(LEAF))
    entry = {"sequence-id": 5, "action": action}
    tree["srl_nokia-acl:acl"]["acl-filter"][0]["entry"].append(entry)
    assert [line for line in said(LEAF, json.dumps(tree, indent=2)) if line.startswith("unread")]
