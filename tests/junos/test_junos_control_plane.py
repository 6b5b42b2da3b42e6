"""What reaches the Routing Engine by the filter on lo0, judged packet by packet; and edits of that filter."""

import re
from collections.abc import Iterable
from ipaddress import ip_address, ip_network
from typing import NamedTuple

import pytest

from tests.junos.reading import Path, paths
from tests.junos.sites import NAMES, sample
from tests.junos.test_junos_readback import said

FILTER = "PROTECT-RE"
NUMBERS = {"bgp": 179, "ssh": 22, "snmp": 161}
OWN = "own address of the management port"


class Packet(NamedTuple):
    """A packet to the switch; `to` is another address than that of the management port where it is empty.

    established  it is no first packet of a TCP connection
    """

    protocol: str
    source: int = 40000
    destination: int = 40000
    to: str = ""
    by: str = "203.0.113.1"
    established: bool = False


def is_accepted(lines: Iterable[Path], family: str, packet: Packet) -> bool:
    """The first term that matches decides, and what no term matches is discarded (routing policy guide)."""
    start = ("firewall", "family", family, "filter", FILTER, "term")
    terms: dict[str, list[Path]] = {}
    sources: dict[str, list[str]] = {}
    for line in lines:
        if line[: len(start)] == start:
            terms.setdefault(line[len(start)], []).append(line[len(start) + 1 :])
        elif line[:2] == ("policy-options", "prefix-list"):
            sources.setdefault(line[2], []).append(line[3])
    for rows in terms.values():
        if all(_matches(row[1:], packet, sources) for row in rows if row[0] == "from"):
            return ("then", "accept") in rows
    return False


def _matches(condition: Path, packet: Packet, sources: dict[str, list[str]]) -> bool:
    """Whether a packet meets a condition; words of one condition are alternatives (routing policy guide)."""
    word, value, *_ = (*condition, "")
    if word == "tcp-established":
        return packet.established
    if word == "destination-address":
        return packet.to == OWN
    if word == "source-prefix-list":
        return any(ip_address(packet.by) in ip_network(prefix) for prefix in sources[value])
    if word in ("protocol", "next-header"):
        return value == packet.protocol
    port = packet.source if word == "source-port" else packet.destination
    spans = [re.fullmatch(r"(\w+)(?:-(\d+))?", part) for part in value.split()]
    return any(_number(span[1]) <= port <= _number(span[2] or span[1]) for span in spans if span)


def _number(text: str) -> int:
    return NUMBERS[text] if text in NUMBERS else int(text)


FABRIC = {
    "BGP, opened by the neighbor": Packet("tcp", destination=179),
    "BGP, opened by the switch": Packet("tcp", source=179),
    "BFD (RFC 5881)": Packet("udp", destination=3784),
    "BFD over several hops (RFC 5883)": Packet("udp", destination=4784),
    "a probe of traceroute": Packet("udp", destination=33434),
}
WAYS_IN = {
    "SSH": Packet("tcp", destination=22),
    "NETCONF": Packet("tcp", destination=830),
    "gRPC": Packet("tcp", destination=57400),
    "SNMP": Packet("udp", destination=161),
    "SSH from BGP's port": Packet("tcp", source=179, destination=22),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_fabric_speaks_and_ways_in_answer_at_the_management_port_alone(name: str) -> None:
    lines = paths(sample(name).text)
    for family, icmp in (("inet", "icmp"), ("inet6", "icmp6")):
        wanted = FABRIC | {"ICMP": Packet(icmp)}
        assert [what for what, packet in wanted.items() if not is_accepted(lines, family, packet)] == []
        assert [what for what, packet in WAYS_IN.items() if is_accepted(lines, family, packet)] == []
    if not sample(name).device.management.access:
        assert all(is_accepted(lines, "inet", packet._replace(to=OWN)) for packet in WAYS_IN.values())


LIMITED = tuple(name for name in NAMES if sample(name).device.management.access)
"""Switches of every role whose intent has 10.0.0.16/28 and 192.0.2.7/32 as sources, and any source for gNMI."""
INSIDE, OUTSIDE = ("10.0.0.17", "192.0.2.7"), ("10.0.0.1", "192.0.2.8")


@pytest.mark.parametrize("name", LIMITED)
def test_a_service_answers_its_sources_alone(name: str) -> None:
    lines = paths(sample(name).text)
    limited = {what: packet._replace(to=OWN) for what, packet in WAYS_IN.items() if what != "gRPC"}
    for by in INSIDE:
        assert [what for what, row in limited.items() if not is_accepted(lines, "inet", row._replace(by=by))] == []
    for by in OUTSIDE:
        tried = {what: row._replace(by=by, established=late) for what, row in limited.items() for late in (False, True)}
        assert [what for what, row in tried.items() if is_accepted(lines, "inet", row)] == []
    gnmi = sample(name).device.management.gnmi
    assert gnmi is not None
    assert is_accepted(lines, "inet", Packet("tcp", destination=gnmi.port, to=OWN))


@pytest.mark.parametrize("name", LIMITED)
def test_what_servers_answer_comes_in_at_the_management_port(name: str) -> None:
    """Answers of TACACS+, NTP, DNS; ICMP. No first packet of another connection."""
    lines = paths(sample(name).text)
    answers = (
        Packet("tcp", source=49, to=OWN, established=True),
        Packet("udp", source=123, destination=123, to=OWN),
        Packet("udp", source=53, to=OWN),
        Packet("icmp", to=OWN),
    )
    assert [packet for packet in answers if not is_accepted(lines, "inet", packet)] == []
    others = (Packet("tcp", to=OWN), Packet("udp", to=OWN), Packet("udp", source=53, destination=161, to=OWN))
    assert [packet for packet in others if is_accepted(lines, "inet", packet)] == []


def test_a_service_whose_sources_are_limited_has_no_answer_for_others_from_any_port() -> None:
    """The port of gNMI is above 1023, where answers to BGP and of servers come in."""
    name = "front leaf"
    lines = [line if line[-1] != "0.0.0.0/0" else (*line[:-1], "10.0.0.16/28") for line in paths(sample(name).text)]
    to = Packet("tcp", destination=6030, to=OWN)
    assert is_accepted(lines, "inet", to._replace(by=INSIDE[0]))
    for packet in (
        to,
        to._replace(source=179),
        to._replace(established=True),
        to._replace(source=49, established=True),
    ):
        assert not is_accepted(lines, "inet", packet._replace(by=OUTSIDE[0]))


def test_relays_are_heard_where_there_are_some() -> None:
    device, text = sample("front leaf")
    assert device.evpn is not None
    relays = any(gateway.relays_ipv4 for gateway in device.evpn.gateways)
    for port in (67, 68):
        assert is_accepted(paths(text), "inet", Packet("udp", destination=port)) is relays
    assert not is_accepted(paths(sample("front spine").text), "inet", Packet("udp", destination=67))


@pytest.mark.parametrize("name", NAMES)
def test_each_unit_of_lo0_has_the_filter_in_both_families(name: str) -> None:
    lines = paths(sample(name).text)
    units = {line[3] for line in lines if line[:3] == ("interfaces", "lo0", "unit")}
    for unit in units:
        for family in ("inet", "inet6"):
            assert ("interfaces", "lo0", "unit", unit, "family", family, "filter", "input", FILTER) in lines


@pytest.mark.parametrize(
    ("old", "new", "differs"),
    [
        (r"destination-port bgp;", "destination-port ssh;", "BGP: destination-port ssh"),
        (r"(OTHERS \{.*?)discard;", r"\1accept;", "OTHERS: all: accept, count DENIED"),
        (r"term BGP \{", "term ALL {\nthen accept;\n}\nterm BGP {", "8 ALL: all: accept"),
        (r"input PROTECT-RE;", "", "lo0.0 ipv4 filter input PROTECT-RE"),
        (r"source-port bgp;\s+destination-port 1024-65535;", "source-port bgp;", "BGP-REPLIES: "),
        (r"(prefix-list MANAGEMENT-SSH \{\n\s+)\S+;", r"\g<1>10.9.0.0/16;", "management  access-ssh"),
        (r"(prefix-list MANAGEMENT-NETCONF \{)", r"\1 0.0.0.0/0;", "management  access-netconf"),
        (r"prefix-list MANAGEMENT-SNMP \{[^}]*\}", "", "unread term MANAGEMENT-SNMP {"),
        (r"source-prefix-list \{\s+MANAGEMENT-SSH;\s+\}", "", "management  access-ssh"),
        (r"source-prefix-list \{\s+MANAGEMENT-SSH;", "source-prefix-list { MANAGEMENT-GNMI;", "management  access-ssh"),
        (r"(term MANAGEMENT-SSH \{)", r"term ALL { then accept; } \1", "1 ALL: all: accept"),
        (r"tcp-established;", "", "MANAGEMENT-REPLIES: "),
        (r"(MANAGEMENT-REFUSED \{.*?)discard;", r"\1accept;", "MANAGEMENT-REFUSED: "),
        (r'message "Authorised', 'message "Unauthorised', "management  login-banner"),
        (r"idle-timeout 10", "idle-timeout 60", "management  login-idle"),
        (r"no-passwords;", "", "management  login-keys"),
        (r"root-login deny", "root-login allow", "root is refused by SSH"),
        (r"ciphers \[ ", "ciphers [ 3des-cbc ", "management  ssh-ciphers"),
    ],
)
def test_another_filter_is_seen(old: str, new: str, differs: str) -> None:
    text, times = re.subn(old, new, sample("front leaf").text, count=1, flags=re.DOTALL)
    assert times == 1
    assert any(differs in line for line in said("front leaf", text))
