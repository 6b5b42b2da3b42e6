"""What reaches the Routing Engine by the filter on lo0, judged packet by packet; and edits of that filter."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import pytest

from tests.junos.reading import Path, paths
from tests.junos.sites import NAMES, sample
from tests.junos.test_junos_readback import said

FILTER = "PROTECT-RE"
NUMBERS = {"bgp": 179}
OWN = "own address of the management port"


class Packet(NamedTuple):
    """A packet to the switch; `to` is another address than that of the management port where it is empty."""

    protocol: str
    source: int = 40000
    destination: int = 40000
    to: str = ""


def is_accepted(lines: Iterable[Path], family: str, packet: Packet) -> bool:
    """The first term that matches decides, and what no term matches is discarded (routing policy guide)."""
    start = ("firewall", "family", family, "filter", FILTER, "term")
    terms: dict[str, list[Path]] = {}
    for line in lines:
        if line[: len(start)] == start:
            terms.setdefault(line[len(start)], []).append(line[len(start) + 1 :])
    for rows in terms.values():
        if all(_matches(row[1:], packet) for row in rows if row[0] == "from"):
            return ("then", "accept") in rows
    return False


def _matches(condition: Path, packet: Packet) -> bool:
    word, value = condition
    if word == "destination-address":
        return packet.to == OWN
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
    assert all(is_accepted(lines, "inet", packet._replace(to=OWN)) for packet in WAYS_IN.values())


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
        (r"discard;", "accept;", "OTHERS: all: accept, count DENIED"),
        (r"term BGP \{", "term ALL {\nthen accept;\n}\nterm BGP {", "2 ALL: all: accept"),
        (r"input PROTECT-RE;", "", "lo0.0 ipv4 filter input PROTECT-RE"),
        (r"source-port bgp;\s+destination-port 1024-65535;", "source-port bgp;", "BGP-REPLIES: "),
    ],
)
def test_another_filter_is_seen(old: str, new: str, differs: str) -> None:
    text, times = re.subn(old, new, sample("front leaf").text, count=1)
    assert times == 1
    assert any(differs in line for line in said("front leaf", text))
