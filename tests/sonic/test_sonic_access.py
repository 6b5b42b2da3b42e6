"""Who may use a switch, by the rules that caclmgrd makes of its tables; and how other tables are read back."""

import json
import re
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import pytest

from fabricgen.device.device import Device
from fabricgen.platforms.sonic.readback.readback import READBACK
from fabricgen.readback.compare import differences
from tests.some import some
from tests.sonic import sites
from tests.sonic.cacl import Packet, accepts, rules
from tests.sonic.sites import RELEASES

DB = "config_db.json"
PEERS = ("10.0.0.9", "192.0.2.7", "192.0.2.17", "10.0.0.16", "172.18.0.9", "10.64.0.1")
JUMPS = {"10.0.0.9", "192.0.2.7"}
MANAGED: Mapping[tuple[str, int], set[str]] = {
    ("tcp", 22): JUMPS,
    ("udp", 161): set(PEERS),
    ("tcp", 161): set(PEERS),
    ("tcp", 6030): {"192.0.2.17"},
    ("tcp", 443): set(),
    ("tcp", 8080): set(),
}
"""Port of a service → who may use it at the address of management, by the intent of the site `managed`."""
JUMP_HOSTS: Mapping[tuple[str, int], set[str]] = {("tcp", 22): {"10.0.0.9"}, ("udp", 161): set(), ("tcp", 443): set()}
"""The same of the sites `bare` and `tenants`, which have neither SNMP nor gNMI."""


def switch(name: str, role: str, release: str = "master") -> tuple[Device, dict[str, Any]]:
    """A switch of a site and its tables."""
    fleet = sites.fleet(name, release)
    index = next(place for place, device in enumerate(fleet) if device.role == role)
    return fleet[index], sites.tables(name, release, index)


def own(tables: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Ports of the fabric and of tenants, and addresses that the switch has on them."""
    found = [
        (key.split("|")[0], key.split("|")[1].partition("/")[0])
        for table in ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE")
        for key in tables.get(table, {})
        if "|" in key
    ]
    return [("Ethernet0" if name.startswith("Loopback") else name, address) for name, address in found]


PLACES = (("managed", "leaf"), ("bare", "spine"), ("tenants", "border-leaf"))
"""Sites of tests/sonic/sites.py, and the role of a switch there."""
PLACED = [(place, release) for place, release in product(PLACES, RELEASES) if (place[0], release) in sites.CASES]


@pytest.mark.parametrize(("place", "release"), some(PLACED))
def test_a_service_answers_its_sources_at_the_address_of_management_alone(place: tuple[str, str], release: str) -> None:
    name, role = place
    device, tables = switch(name, role, release)
    chain, here = rules(tables), device.management.address.partition("/")[0]
    places = own(tables)
    assert places
    for (protocol, port), managers in (MANAGED if name == "managed" else JUMP_HOSTS).items():
        for ttl in (64, 1):
            let_in = {at for at in PEERS if accepts(chain, Packet(at, here, protocol, port, ttl=ttl))}
            assert (port, ttl, let_in) == (port, ttl, managers | ({*PEERS} if port == 8080 and ttl == 1 else set()))
            assert not any(
                accepts(chain, Packet(at, address, protocol, port, interface, ttl))
                for interface, address in places
                for at in (*PEERS, *(row.address for row in device.routing.bgp.neighbors if row.address))
                if port != 8080 and ("." in at) == ("." in address)
            )
            for interface in ("eth0", "Ethernet0", "Ethernet256"):
                packet = Packet("fe80::9", "fe80::1", protocol, port, interface, ttl)
                assert port == 8080 or not accepts(chain, packet)


def fabric(device: Device, tables: Mapping[str, Any]) -> dict[str, Packet]:
    """What the fabric runs on, from its neighbors and its hosts."""
    found: dict[str, Packet] = {}
    for interface, address in own(tables):
        far = "fe80::9" if ":" in address else "172.31.0.9"
        found |= {
            f"BGP to {address}": Packet(far, address, port=179, interface=interface),
            f"an answer of BGP to {address}": Packet(far, address, interface=interface, answers=True),
            f"ping of {address}": Packet(far, address, "icmp", interface=interface, kind="echo-request"),
            f"DHCP to {address}": Packet(far, address, "udp", 67, interface),
        }
    for row in (*device.routing.bgp.neighbors,):
        far = row.address or "fe80::9"
        at = "fe80::1" if ":" in far else next(address for _, address in own(tables) if ":" not in address)
        found |= {f"BGP of {row.peer}": Packet(far, at, port=179, interface=row.interface or "Ethernet0")}
    kinds = ("neighbor-solicitation", "neighbor-advertisement", "router-advertisement", "router-solicitation")
    return found | {kind: Packet("fe80::9", "fe80::1", "icmp", interface="Ethernet0", kind=kind) for kind in kinds}


@pytest.mark.parametrize(
    ("name", "role"), [("managed", "leaf"), ("bare", "leaf"), ("tenants", "border-leaf"), ("tenants", "spine")]
)
def test_the_fabric_runs_behind_the_tables(name: str, role: str) -> None:
    device, tables = switch(name, role)
    chain = rules(tables)
    packets = fabric(device, tables)
    here = device.management.address.partition("/")[0]
    packets["an answer of a server"] = Packet("10.0.0.5", here, "udp", 123, answers=True)
    for row in tables.get("VXLAN_TUNNEL", {}).values():
        packets["VXLAN"] = Packet("10.128.0.9", row["src_ip"], "udp", 4789, "Ethernet0")
    assert [what for what, packet in packets.items() if not accepts(chain, packet)] == []


@pytest.mark.parametrize("links", ["[unnumbered]", "[ipv4, ipv6]"])
def test_packets_of_bfd_come_from_neighbors(links: str) -> None:
    """Single-hop ones and, in an overlay, those between loopbacks; nobody else's, and no service of management."""
    plan = sites.plan_of(sites.text_of("bare", "master", LINKS=links))
    for device in sites.sonic_of(plan):
        tables = json.loads(sites.rendered(device)[DB])
        chain = rules(tables)
        neighbors = device.routing.bgp.neighbors
        assert neighbors
        for row in neighbors:
            far = row.address or "fe80::9"
            at = "fe80::1" if ":" in far else "10.65.0.1"
            packet = Packet(far, at, "udp", 3784, row.interface or "Ethernet0")
            assert accepts(chain, packet)
            assert accepts(chain, packet._replace(port=4784))
            assert not accepts(chain, packet._replace(protocol="tcp", port=22))
            assert not accepts(chain, packet._replace(source="fe80::9" if "." in far else "fd00::9", interface="eth0"))
        assert not accepts(chain, Packet("172.18.0.9", "10.65.0.1", "udp", 3784, "Ethernet0"))


def test_what_caclmgrd_would_do_without_our_drops() -> None:
    """A port above 1024 answers anybody by a short TTL, and a neighbor of BFD reaches SSH: why the drops are there."""
    device, tables = switch("managed", "leaf")
    here = device.management.address.partition("/")[0]
    tables["ACL_RULE"] = {key: row for key, row in tables["ACL_RULE"].items() if row["PACKET_ACTION"] != "DROP"}
    chain = rules(tables)
    assert accepts(chain, Packet("172.18.0.9", here, port=6030, ttl=1))
    assert not accepts(chain, Packet("172.18.0.9", here, port=6030))
    del tables["ACL_RULE"], tables["ACL_TABLE"]
    assert accepts(rules(tables), Packet("172.18.0.9", here, port=22))


Change = Callable[[dict[str, Any]], object]
SSH, GNMI = "MANAGEMENT-SSH|RULE_", "MANAGEMENT-GNMI|RULE_1"


def rule(key: str, **fields: str | None) -> Change:
    """Fields of a rule changed; those that are None are taken out."""

    def change(found: dict[str, Any]) -> None:
        row = found["ACL_RULE"].setdefault(key, {})
        row.update({field: value for field, value in fields.items() if value is not None})
        for field in [field for field, value in fields.items() if value is None]:
            del row[field]

    return change


def renamed(found: dict[str, Any]) -> None:
    """Neighbors' table comes first, and with it what it lets in."""
    for key in [key for key in found["ACL_RULE"] if key.startswith("NEIGHBORS-BFD-IPV6|")]:
        found["ACL_RULE"][f"A{key[len('NEIGHBORS-BFD-IPV6') :]}"] = found["ACL_RULE"].pop(key)
    found["ACL_TABLE"]["A"] = found["ACL_TABLE"].pop("NEIGHBORS-BFD-IPV6")


CHANGES: Mapping[str, tuple[Change, str]] = {
    "another source": (rule(f"{SSH}1", SRC_IP="10.9.0.0/16"), "access-ssh"),
    "any source": (rule(f"{SSH}1", SRC_IP="0.0.0.0/0"), "access-ssh"),
    "one more source": (rule(f"{SSH}9", **{"SRC_IP": "172.18.0.0/16", "DST_IP": "10.0.0.16/32", "PRIORITY": "7777",
        "PACKET_ACTION": "ACCEPT"}), "access-ssh"),
    "a source behind the drop": (rule(f"{SSH}1", PRIORITY="0"), "unread ACL_RULE MANAGEMENT-SSH|RULE_1"),
    "a source in band": (rule(f"{SSH}1", DST_IP=None), "unread ACL_RULE MANAGEMENT-SSH|RULE_1"),
    "a source is dropped": (rule(f"{SSH}1", PACKET_ACTION="DROP"), "unread ACL_RULE MANAGEMENT-SSH|RULE_1"),
    "two rules of one priority": (rule(f"{SSH}2", PRIORITY="9999"), "unread ACL_RULE MANAGEMENT-SSH|RULE_2"),
    "another port": (rule(GNMI, L4_DST_PORT="6031"), "unread ACL_TABLE MANAGEMENT-GNMI"),
    "no drop": (lambda found: found["ACL_RULE"].pop(f"{SSH}3"), "ssh is closed to others in IPv4"),
    "no table of IPv6": (lambda found: [rows.pop(key) for rows in (found["ACL_TABLE"], found["ACL_RULE"])
        for key in [*rows] if key.startswith("MANAGEMENT-SSH-IPV6")], "ssh is closed to others in IPv6"),
    "another kind of table": (
        lambda found: found["ACL_TABLE"]["MANAGEMENT-SSH"].update(type="L3"), "unread ACL_TABLE MANAGEMENT-SSH"),
    "another service": (
        lambda found: found["ACL_TABLE"]["MANAGEMENT-SSH"].update(services=["NTP"]), "unread ACL_TABLE MANAGEMENT-SSH"),
    "no table": (lambda found: found["ACL_TABLE"].pop("MANAGEMENT-SSH"), "access-ssh"),
    "REST is open": (rule("MANAGEMENT-API|RULE_1", PACKET_ACTION="ACCEPT", DST_IP="10.0.0.16/32"), "access-api"),
}  # fmt: skip


def said(device: Device, tables: Mapping[str, Any]) -> str:
    """What the readback finds in the tables of a switch."""
    text = json.dumps(tables, indent=4)
    found = READBACK.read({**sites.rendered(device), DB: text})
    rows = differences(READBACK.expected(device), found)
    return "\n".join([*(f"{row.name} {row.setting}" for row in rows), *(f"unread {row.text}" for row in found.unread)])


@pytest.mark.parametrize("name", CHANGES)
def test_another_table_is_seen(name: str) -> None:
    device = switch("managed", "leaf")[0]
    tables = json.loads(sites.rendered(device)[DB])
    assert said(device, tables) == ""
    change, differs = CHANGES[name]
    change(tables)
    assert differs in said(device, tables)


def test_neighbors_in_front_of_the_drops_are_seen() -> None:
    device, tables = switch("bare", "spine")
    assert said(device, tables) == ""
    renamed(tables)
    found = said(device, tables)
    assert "unread ACL_TABLE MANAGEMENT-SSH" in found
    assert re.search(r"^access-ssh|access-ssh$", found, re.MULTILINE)
    tables = switch("bare", "spine")[1]
    tables["ACL_RULE"]["NEIGHBORS-BFD-IPV6|RULE_1"]["SRC_IPV6"] = "::/0"
    assert "control plane, any service: " in said(device, tables)
