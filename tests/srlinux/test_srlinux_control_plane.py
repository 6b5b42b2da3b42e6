"""What reaches the processor of a switch, by the filter that its file binds; packets are judged by RFC and port."""

import json
from typing import Any, NamedTuple

import pytest

from fabricgen.device.management import Gnmi
from fabricgen.platforms.srlinux.control_plane import filter_entries
from fabricgen.platforms.srlinux.readback.readback import READBACK
from tests.srlinux.sites import samples, text_of
from tests.srlinux.test_srlinux_readback import said

LEAF = "demo frontend leaf"


class Packet(NamedTuple):
    """A packet to the switch: its protocol, a kind of ICMP or the ports."""

    protocol: str
    source: int = 40000
    destination: int = 40000
    kind: str = ""


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
@pytest.mark.parametrize("name", [LEAF, "bare backend spine"])
def test_what_the_fabric_and_its_operators_need_comes_in_and_nothing_else(name: str, family: str) -> None:
    entries = acls(text_of(name))[family]
    shut_out = [what for what, packet in (BOTH | OWN[family]).items() if not is_accepted(entries, packet)]
    let_in = [what for what, packet in OUTSIDE.items() if is_accepted(entries, packet)]
    assert (shut_out, let_in) == ([], [])


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
