"""What SONiC's caclmgrd makes of a config_db.json, and what becomes of a packet to the switch.

Written from sonic-net/sonic-host-services c2a4cdf, scripts/caclmgrd, whose lines are named; no code of ours is used.
A switch of one chip is meant, without DualToR, DPUs or Redfish: their rules are left out.
"""

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_interface, ip_network
from itertools import product
from typing import Any, NamedTuple

Database = Mapping[str, Mapping[str, Mapping[str, Any]]]
SERVICES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "NTP": (("udp",), ("123",)),
    "SNMP": (("tcp", "udp"), ("161",)),
    "SSH": (("tcp",), ("22",)),
    "EXTERNAL_CLIENT": (("tcp",), ()),
    "ANY": (("any",), ("0",)),
}
"""Lines 95 to 125: protocols and ports; 0 is any port."""
ICMP4 = ("echo-request", "echo-reply", "destination-unreachable", "time-exceeded")
ICMP6 = (*ICMP4, "neighbor-solicitation", "neighbor-advertisement", "router-solicitation", "router-advertisement")


class Packet(NamedTuple):
    """A packet to an address of the switch: the port that it comes in by, a kind of ICMP, whether it is an answer."""

    source: str
    destination: str
    protocol: str = "tcp"
    port: int = 40000
    interface: str = "eth0"
    ttl: int = 64
    kind: str = ""
    answers: bool = False

    @property
    def version(self) -> int:
        """4 or 6."""
        return ip_address(self.source).version


class Rule(NamedTuple):
    """A rule of the chain INPUT; what is empty matches all. `interface` with a `!` in front: every other one."""

    action: str
    version: int
    protocol: str = ""
    source: str = ""
    destination: str = ""
    ports: tuple[int, int] | None = None
    interface: str = ""
    kind: str = ""
    most_ttl: int = 255
    answers: bool = False

    def matches(self, packet: Packet) -> bool:
        """Whether all that the rule says holds."""
        return (
            self.version == packet.version
            and self.protocol in ("", packet.protocol)
            and _is_in(packet.source, self.source)
            and _is_in(packet.destination, self.destination)
            and (self.ports is None or self.ports[0] <= packet.port <= self.ports[1])
            and _is_by(packet.interface, self.interface)
            and self.kind in ("", packet.kind)
            and packet.ttl <= self.most_ttl
            and (packet.answers or not self.answers)
        )


def _is_in(address: str, network: str) -> bool:
    return not network or ip_address(address) in ip_network(network)


def _is_by(interface: str, wanted: str) -> bool:
    return interface != wanted[1:] if wanted.startswith("!") else wanted in ("", interface)


def accepts(rules: list[Rule], packet: Packet) -> bool:
    """By the first rule that matches; the policy of the chain is ACCEPT (lines 648 and 660)."""
    return next((rule.action for rule in rules if rule.matches(packet)), "ACCEPT") == "ACCEPT"


def rules(found: Database) -> list[Rule]:
    """The chain INPUT of both families, in its order."""
    tables = list(_tables(found))
    last = [Rule("DROP", version) for version in (4, 6)] if tables else []  # lines 924 to 926
    return [*_vxlan(found), *_always(), *tables, *_own_addresses(found), *_short_lived(), *last]


def _vxlan(found: Database) -> Iterator[Rule]:
    """Lines 675 to 677 and 1037 to 1058: not by eth0."""
    for row in found.get("VXLAN_TUNNEL", {}).values():
        version = ip_address(row["src_ip"]).version
        yield Rule("ACCEPT", version, "udp", destination=row["src_ip"], ports=(4789, 4789), interface="!eth0")


def _always() -> Iterator[Rule]:
    """Lines 668 to 730: localhost, answers, ICMP, neighbor discovery, DHCP of both families, BGP but by eth0.

    BFD stands here only while orchagent has a session of its own (lines 672, 1024 to 1029 and 1279 to 1285: a row of
    BFD_SESSION_TABLE in STATE_DB); those of FRR's bfdd make none.
    """
    yield Rule("ACCEPT", 4, source="127.0.0.1", interface="lo")
    yield Rule("ACCEPT", 6, source="::1", interface="lo")
    yield from (Rule("ACCEPT", version, answers=True) for version in (4, 6))
    yield from (Rule("ACCEPT", 4, "icmp", kind=kind) for kind in ICMP4)
    yield from (Rule("ACCEPT", 6, "icmp", kind=kind) for kind in ICMP6)
    for version in (4, 6):
        yield Rule("ACCEPT", version, "udp", ports=(67, 68))
        yield Rule("ACCEPT", version, "udp", ports=(546, 547))
        yield Rule("ACCEPT", version, "tcp", ports=(179, 179), interface="!eth0")


def _tables(found: Database) -> Iterator[Rule]:
    """Lines 752 to 905. Tables and rules come sorted by key (sonic-swss-common, get_table returns a std::map)."""
    for table, data in sorted(found.get("ACL_TABLE", {}).items()):
        if data["type"] != "CTRLPLANE":
            continue
        for service in data["services"]:
            if service in SERVICES:
                yield from _table(found, table, *SERVICES[service], reads_port=service == "EXTERNAL_CLIENT")


def _table(
    found: Database, table: str, protocols: tuple[str, ...], ports: tuple[str, ...], *, reads_port: bool
) -> Iterator[Rule]:
    version, kept = _kept([row for key, row in sorted(found["ACL_RULE"].items()) if key.partition("|")[0] == table])
    if reads_port:
        ports = tuple(row["L4_DST_PORT"] for row in kept.values() if "L4_DST_PORT" in row)[-1:]
    for priority in sorted(kept, reverse=True) if version else ():  # as text
        row = kept[priority]
        for protocol, port in product(protocols, ports):
            yield Rule(
                row["PACKET_ACTION"],
                version,
                "" if protocol == "any" else protocol,
                row.get("SRC_IPV6") or row.get("SRC_IP", ""),
                row.get("DST_IPV6") or row.get("DST_IP", ""),
                None if port == "0" else (int(port), int(port)),
                row.get("IN_PORTS", ""),
            )


def _kept(rows: list[Mapping[str, str]]) -> tuple[int, dict[str, Mapping[str, str]]]:
    """The family of a table, 0 where no rule has an address, and its rules by priority; those of the other are lost."""
    version, kept = 0, dict[str, Mapping[str, str]]()
    for row in rows:
        kept[row["PRIORITY"]] = row
        own = 6 if row.get("SRC_IPV6") or row.get("DST_IPV6") else 4 if row.get("SRC_IP") or row.get("DST_IP") else 0
        version = version or own
        if own and own != version:
            kept.pop(row["PRIORITY"])
    return version, kept


def _own_addresses(found: Database) -> Iterator[Rule]:
    """Lines 295 to 327: the network address of each prefix, of a VLAN its first host."""
    for table in ("LOOPBACK_INTERFACE", "VLAN_INTERFACE", "PORTCHANNEL_INTERFACE", "INTERFACE"):
        for key in found.get(table, {}):
            if "|" in key:
                network = ip_interface(key.split("|")[1]).network
                at = next(_hosts(network)) if table == "VLAN_INTERFACE" else network.network_address
                yield Rule("DROP", network.version, destination=str(at))


def _hosts(network: IPv4Network | IPv6Network) -> Iterator[IPv4Address | IPv6Address]:
    yield from network.hosts()


def _short_lived() -> Iterator[Rule]:
    """Lines 913 to 920: a TTL below 2, of UDP and TCP to ports above 1024."""
    for version in (4, 6):
        yield Rule("ACCEPT", version, "icmp", most_ttl=1)
        yield from (Rule("ACCEPT", version, word, ports=(1025, 65535), most_ttl=1) for word in ("udp", "tcp"))
