"""Who reaches the management services of a switch: packets judged by the lists of its text, entry by entry.

The first entry that a packet matches decides, and what no entry matches is denied (security guide, IP ACLs).
"""

from ipaddress import ip_address, ip_network
from typing import NamedTuple

import pytest

from tests.nxos.fleet import samples, text_of
from tests.nxos.lines import walk

LEAVES = ("wide backend leaf", "wide backend spine", "wide frontend leaf", "wide frontend border-leaf")
PORTS = {"snmp": 161}
INSIDE, HOST, OUTSIDE = "10.0.0.9", "192.0.2.7", "10.0.1.1"


class Packet(NamedTuple):
    """A packet to the switch."""

    protocol: str
    source: str
    port: int


def bound(text: str) -> dict[str, str]:
    """Where a list is bound → its name."""
    found = {}
    for seen in walk(text):
        words = seen.text.split()
        if words[-1] == "in" and "route-map" not in words:
            found[f"{seen.above[-1]} {' '.join(words[:-2])}"] = words[-2]
        elif "use-ipv4acl" in words:
            found |= {"snmp ipv4": words[words.index("use-ipv4acl") + 1], "snmp ipv6": words[-1]}
    return found


def entries(text: str, family: str, name: str) -> list[list[str]]:
    """The entries of a list, in the order of their numbers."""
    rows = [seen.text.split() for seen in walk(text) if seen.above == (f"{family} access-list {name}",)]
    assert [int(row[0]) for row in rows] == sorted({int(row[0]) for row in rows})
    return [row[1:] for row in rows]


def is_permitted(rows: list[list[str]], packet: Packet) -> bool:
    """Whether a list lets a packet in. An entry says action, protocol, source, any, and perhaps `eq` and a port."""
    for action, protocol, source, destination, *more in rows:
        assert destination == "any"
        assert more[:1] in ([], ["eq"])
        from_there = source == "any" or ip_address(packet.source) in ip_network(source)
        to_port = not more or PORTS.get(more[1], more[1]) in (packet.port, str(packet.port))
        if protocol in (packet.protocol, "ip", "ipv6") and from_there and to_port:
            return action == "permit"
    return False


@pytest.mark.parametrize("name", LEAVES)
def test_a_service_answers_its_sources_alone(name: str) -> None:
    """At mgmt0; the intent has 10.0.0.0/28 and 192.0.2.7/32, and any source for gNMI."""
    text = text_of(name)
    rows = entries(text, "ip", bound(text)["interface mgmt0 ip access-group"])
    for protocol, port in (("tcp", 22), ("tcp", 443), ("udp", 161)):
        assert is_permitted(rows, Packet(protocol, INSIDE, port))
        assert is_permitted(rows, Packet(protocol, HOST, port))
        assert not is_permitted(rows, Packet(protocol, OUTSIDE, port))
        assert not is_permitted(rows, Packet(protocol, "192.0.2.8", port))
    assert is_permitted(rows, Packet("tcp", OUTSIDE, 6031))
    assert not is_permitted(rows, Packet("tcp", INSIDE, 161))
    replies = [("tcp", 40000), ("udp", 123), ("udp", 40000), ("icmp", 0)]
    assert all(is_permitted(rows, Packet(protocol, OUTSIDE, port)) for protocol, port in replies)
    assert not any("established" in row for row in rows), "a kernel list would let all of TCP in"


@pytest.mark.parametrize("name", LEAVES)
def test_in_every_vrf_ssh_and_the_snmp_user_answer_their_sources_alone(name: str) -> None:
    text = text_of(name)
    for where, protocol, port in (("line vty access-class", "tcp", 22), ("snmp ipv4", "udp", 161)):
        rows = entries(text, "ip", bound(text)[where])
        assert is_permitted(rows, Packet(protocol, INSIDE, port))
        assert is_permitted(rows, Packet(protocol, HOST, port))
        assert not is_permitted(rows, Packet(protocol, OUTSIDE, port))
        assert not is_permitted(rows, Packet("tcp", INSIDE, 161))


@pytest.mark.parametrize("name", LEAVES)
def test_nobody_comes_in_over_ipv6(name: str) -> None:
    text = text_of(name)
    for where in ("line vty ipv6 access-class", "interface mgmt0 ipv6 traffic-filter", "snmp ipv6"):
        rows = entries(text, "ipv6", bound(text)[where])
        assert not is_permitted(rows, Packet("tcp", "2001:db8::1", 22))


@pytest.mark.parametrize("name", LEAVES)
def test_no_port_of_the_fabric_has_a_list(name: str) -> None:
    """BGP, BFD, VXLAN and DHCP come in at ports that no list is bound to."""
    wanted = {
        "interface mgmt0 ip access-group",
        "interface mgmt0 ipv6 traffic-filter",
        "line vty access-class",
        "line vty ipv6 access-class",
        "snmp ipv4",
        "snmp ipv6",
    }
    assert set(bound(text_of(name))) == wanted


def test_without_access_there_is_no_list() -> None:
    assert samples()["demo backend leaf"].management.access == ()
    assert "access-list" not in text_of("demo backend leaf")
    assert "line vty" not in text_of("demo backend leaf")


@pytest.mark.parametrize("name", LEAVES)
def test_a_list_is_whole_and_accounts_are_there_before_anything_uses_them(name: str) -> None:
    """A push merges line after line, at once: what is bound half-written would refuse the push that writes it."""
    seen = [(one.above, one.text) for one in walk(text_of(name))]
    lists = [at for at, (above, _) in enumerate(seen) if above and "access-list" in above[-1]]
    uses = [
        at
        for at, (_, line) in enumerate(seen)
        if "use-ipv4acl" in line or (line.endswith(" in") and ("access-class" in line or "access-group" in line))
    ]
    assert lists
    assert len(uses) >= 3
    assert max(lists) < min(uses)
    accounts = [at for at, (_, line) in enumerate(seen) if line.startswith("username ")]
    logins = [at for at, (_, line) in enumerate(seen) if line.startswith(("aaa ", "line vty", "nxapi "))]
    assert max(accounts) < min(logins)
