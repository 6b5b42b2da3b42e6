"""Who may use a switch, by the rules that NVUE makes of its lists in front of the default firewall.

The default firewall is taken from NVIDIA's pages (5.11 and 5.13 Firewall Rules; the files of rules of 5.9): what is
established, then lists of the user's own, then the ports of the whitelist, then a drop; of IPv6 it has nothing.
"""

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import Any, NamedTuple

import pytest

from fabricgen.device.management import Gnmi
from tests.cumulus.fleet import render, sample
from tests.cumulus.reading import tree
from tests.readback.linux_faults import Fault, assert_seen, found, read
from tests.readback.test_readback_sites import said

FILE = "startup.yaml"
LISTED, PLAIN = "site be-leaf-000", "single be-leaf-000"
WHITELIST = {
    "tcp": (22, 179, 389, 8765, 443, 5342, 49, 9339, 31980, 31982, 639, 9999),
    "udp": (68, 67, 123, 323, 161, 69, 389, 6343, 6344, 514, 3784, 4784, 4789, 319, 320),
}
"""Ports that the default firewall opens to any source."""


class Packet(NamedTuple):
    """The first packet of a flow to a port of the switch."""

    source: str
    destination: str
    port: int
    protocol: str = "tcp"

    @property
    def family(self) -> str:
        """Of its addresses."""
        return f"ipv{ip_address(self.source).version}"


def rules(text: str, family: str) -> Iterator[dict[str, Any]]:
    """Rules of the lists of a family that are bound to the control plane, in the order of their numbers."""
    bound = tree(text)["system"]["control-plane"]["acl"]
    lists = [acl for name, acl in tree(text).get("acl", {}).items() if name in bound and acl["type"] == family]
    assert len(lists) <= 1
    for acl in lists:
        yield from (row for _, row in sorted(acl["rule"].items(), key=lambda pair: int(pair[0])))


def accepts(text: str, packet: Packet) -> bool:
    """What becomes of a packet that opens a flow."""
    for row in rules(text, packet.family):
        if _matches(row["match"]["ip"], packet):
            return "permit" in row["action"]
    return packet.family == "ipv6" or packet.port in WHITELIST[packet.protocol]


def _matches(match: dict[str, Any], packet: Packet) -> bool:
    ports = match[match["protocol"]]["dest-port"]
    ends = ((match.get("source-ip", "ANY"), packet.source), (match.get("dest-ip", "ANY"), packet.destination))
    return (
        match["protocol"] == packet.protocol
        and str(packet.port) in ports
        and all(said == "ANY" or ip_address(at) in ip_network(said) for said, at in ends)
    )


PEERS = ("10.0.0.9", "192.0.2.7", "192.0.2.17", "172.17.0.9", "10.64.0.1")
JUMPS = {"10.0.0.9", "192.0.2.7"}


def test_services_answer_their_sources_at_the_address_of_management_alone() -> None:
    device = sample(LISTED).device
    device = device._replace(management=device.management._replace(gnmi=Gnmi(9339, "lab")), version="5.13")
    text, here = render(device), device.management.address.partition("/")[0]
    addresses = [*(row.ipv4 for row in device.interfaces.ethernet), *(row.ipv4 for row in device.interfaces.loopbacks)]
    in_band = [address.partition("/")[0] for address in addresses]
    assert any(in_band)
    for port, managers in ((22, JUMPS), (9339, JUMPS), (443, {*PEERS}), (8765, {*PEERS})):
        assert (port, {at for at in PEERS if accepts(text, Packet(at, here, port))}) == (port, managers)
        assert not any(accepts(text, Packet(at, there, port)) for at in PEERS for there in in_band if there)
        assert not any(accepts(text, Packet(at, "fd5e:8c1f:2a00::1", port)) for at in ("fd00::9", "fe80::9"))
    assert accepts(text, Packet("127.0.0.1", "127.0.0.1", 8765))
    assert said((device, {FILE: text})) == []
    plain = sample(PLAIN)
    assert all(accepts(plain.text, Packet("172.17.0.9", here, port)) for port in (22, 443, 8765))


def test_the_fabric_runs_behind_the_lists() -> None:
    text = sample(LISTED).text
    flows = [("tcp", 179), ("udp", 3784), ("udp", 4784), ("udp", 67), ("udp", 68), ("udp", 4789), ("udp", 123)]
    for source, there in (("10.64.0.1", "10.64.0.0"), ("fe80::9", "fe80::1"), ("fd00::9", "fd00::1")):
        assert [flow for flow in flows if not accepts(text, Packet(source, there, flow[1], flow[0]))] == []


FAULTS = {
    "another source": Fault(FILE, r"source-ip: 192\.0\.2\.7/32", "source-ip: 192.0.2.0/24", "management", "access-ssh",
                            gone=True),
    "any source": Fault(FILE, r"source-ip: 10\.0\.0\.0/28", "source-ip: ANY", "management", "access-ssh", gone=True),
    "one source less": Fault(FILE, r"action:\n +permit(: \{\}\n +match:\n +ip:\n.*\n.*\n +source-ip: 192)",
                             r"action:\n              deny\1", "management", "access-ssh", gone=True),
    "a list that is not bound": Fault(FILE, r"\n +MANAGEMENT:\n +inbound: \{\}", "", "management", "access-api",
                                      gone=True),
    "the other family": Fault(FILE, r"type: ipv6", "type: mac", "line", "", gone=True),
    "a rule in front": Fault(FILE, r"(MANAGEMENT:\n +rule:\n)((?:.*\n)*? +dest-ip: (\S+))",
        r"\1          '1': {action: {permit: {}}, match: {ip: {protocol: tcp, source-ip: 172.16.0.0/12, "
        r"dest-ip: \3, tcp: {dest-port: {'22': {}}}}}}\n\2", "management", "access-ssh", gone=True),
    "nothing denies": Fault(FILE, r"deny: \{\}(\n.*\n.*\n.*\n +tcp:\n +dest-port:\n +'22')", r"permit: {}\1",
        "line", "", gone=True),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_other_lists_are_seen(name: str) -> None:
    row = sample(LISTED)
    assert_seen((row.device, {FILE: row.text}), FAULTS[name])


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"'30'(:\n +action:\n +deny)", r"'5'\1"),  # the rule that denies SSH comes first: its sources are none
        (r"dest-ip: \S+\n", "dest-ip: 10.64.0.1/32\n"),  # a source in band
        (r"(source-ip: )10\.0\.0\.0/28", r"\1 10.0.0.0/28\n                fragment: {}"),  # another match
        (r"(    acl:\n)", r"\1      A: {type: ipv4, rule: {'1': {action: {permit: {}}}}}\n"),  # a list in front
    ],
)
def test_what_is_not_understood_is_said(pattern: str, replacement: str) -> None:
    row = sample(LISTED)
    text, count = re.subn(pattern, replacement, row.text, count=1)
    assert count
    reading = read("cumulus", {FILE: text})
    assert reading.unread
    if "A: {type" not in replacement and "fragment" not in replacement:
        assert found(row.device, {FILE: text})


@pytest.mark.parametrize("name", ["A", "Z"])
def test_a_second_list_of_a_family_is_not_understood(name: str) -> None:
    row = sample(LISTED)
    own = f"      {name}: {{type: ipv4, rule: {{'1': {{action: {{deny: {{}}}}, match: {{ip: {{protocol: tcp, tcp: "
    text = row.text.replace("    acl:\n", f"    acl:\n{own}{{dest-port: {{'22': {{}}}}}}}}}}}}}}}}\n", 1)
    text = text.replace("          MANAGEMENT:\n", f"          {name}: {{inbound: {{}}}}\n          MANAGEMENT:\n", 1)
    assert any(
        f"acl {'MANAGEMENT' if name == 'A' else name}" in line.text for line in read("cumulus", {FILE: text}).unread
    )
    assert any(f"control-plane acl {name} inbound" in line.name for line in found(row.device, {FILE: text}))
