"""The control-plane filter: which packets may reach the switch's own processor, and how many.

A whole configuration replaces the factory's filter, and where no filter is bound every packet is accepted. So the file
has the factory's entries again, with its numbers, rates and last line. Left out are those of daemons that no rendered
file runs: Telnet, TFTP, OSPF and LDP. Added is router solicitation (RFC 4861), which servers and unnumbered links send.
gNMI has the port of the intent, or the factory's where the intent has none.

Where the intent lists sources of management, their entries stand first: each service from its IPv4 prefixes, then a
drop for all others, of both families. The factory takes replies by their source port alone, so a host that sends from
port 179 or 53 would reach any service: a drop in front of those entries ends that. Of TCP it drops what opens a
connection, and leaves replies to clients of the switch alone, whose port may be that of gNMI. The other entries of the
factory follow with numbers behind.

Sources: factory configurations of SR Linux 21 to 23 in public repositories (acl cpm-filter), and Nokia's EDA documents
of 25, whose `info` shows acl-filter cpm with the same entries; srl_nokia-acl of 24.10.3 and 25.3.1 for the words. Its
tcp-flags is "a logical expression using the &, | and ! logical operators and the TCP flag names: rst, syn and ack".
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.management import Management, ServiceAccess

POLICER = "icmp"
"""Name of the factory's policer."""
FAMILIES = ("ipv4", "ipv6")
GNMI_PORT = 57400
"""The factory's port of gNMI."""
BEHIND = 30000
"""What is added to the factory's numbers where entries with sources stand in front; the last number is 65535."""

Tree = Mapping[str, object]


class FilterEntry(NamedTuple):
    """One entry: packets of a family that match are accepted, at the policer's rate if `limited`; the last drops."""

    family: str
    number: int
    what: str
    match: Tree
    limited: bool = False
    drops: bool = False

    @property
    def action(self) -> Tree:
        """The YANG container `action`."""
        if self.drops:
            return {"log": True, "drop": {}}
        return {"accept": {"rate-limit": {"system-cpu-policer": POLICER}} if self.limited else {}}


class _Port(NamedTuple):
    """A service by its port; numbers of its entries for IPv4 and IPv6, 0 for none; its name if it is managed by."""

    ipv4: int
    ipv6: int
    what: str
    protocol: str
    end: str
    port: int
    service: str = ""


_ICMP = ((10, "dest-unreachable"), (20, "time-exceeded"), (30, "param-problem"), (40, "echo"), (50, "echo-reply"))
_ICMP6 = (
    (10, "dest-unreachable"),
    (20, "packet-too-big"),
    (30, "time-exceeded"),
    (40, "param-problem"),
    (50, "echo-request"),
    (60, "echo-reply"),
    (65, "router-solicit"),
    (70, "router-advertise"),
    (80, "neighbor-solicit"),
    (90, "neighbor-advertise"),
)
_PORTS = (
    _Port(60, 100, "SSH", "tcp", "destination", 22, "ssh"),
    _Port(70, 110, "SSH, replies", "tcp", "source", 22),
    _Port(100, 140, "TACACS+", "tcp", "destination", 49),
    _Port(110, 150, "TACACS+, replies", "tcp", "source", 49),
    _Port(120, 160, "DNS, replies", "udp", "source", 53),
    _Port(130, 0, "DHCP to a client", "udp", "destination", 68),
    _Port(150, 180, "JSON-RPC", "tcp", "destination", 80, "api"),
    _Port(160, 190, "JSON-RPC, replies", "tcp", "source", 80),
    _Port(170, 200, "NTP, replies", "udp", "source", 123),
    _Port(180, 210, "SNMP", "udp", "destination", 161, "snmp"),
    _Port(190, 220, "BGP", "tcp", "destination", 179),
    _Port(200, 230, "BGP, replies", "tcp", "source", 179),
    _Port(210, 240, "JSON-RPC over TLS", "tcp", "destination", 443, "api"),
    _Port(220, 250, "JSON-RPC over TLS, replies", "tcp", "source", 443),
    _Port(0, 260, "DHCPv6 to a client", "udp", "destination", 546),
    _Port(230, 270, "BFD, one hop", "udp", "destination", 3784),
    _Port(240, 280, "BFD, several hops", "udp", "destination", 4784),
    _Port(250, 290, "BFD of a LAG's members", "udp", "destination", 6784),
    _Port(300, 0, "DHCP to a relay", "udp", "destination", 67),
    _Port(0, 350, "DHCPv6 to a relay", "udp", "destination", 547),
)
_GNMI = (260, 300)
_TRACEROUTE = {"destination-port": {"range": {"start": 33434, "end": 33464}}}


def filter_entries(device: Device) -> tuple[FilterEntry, ...]:
    """Entries of both families in the order of their numbers."""
    management = device.management
    gnmi = _Port(*_GNMI, "gNMI", "tcp", "destination", management.gnmi.port if management.gnmi else GNMI_PORT, "gnmi")
    ports = (*_PORTS, gnmi)
    sources = {row.service: row.prefixes for row in served(management)}
    if sources:
        others = (*_icmp(), *_ports(row for row in ports if not row.service), *_others())
        managed = [row for row in ports if row.service in sources]
        rows = (*_sources(managed, sources), *(row._replace(number=row.number + BEHIND) for row in others))
    else:
        rows = (*_icmp(), *_ports(ports), *_others())
    return tuple(sorted(rows, key=lambda row: (FAMILIES.index(row.family), row.number)))


def served(management: Management) -> tuple[ServiceAccess, ...]:
    """The rows of the services that a switch answers; JSON-RPC is the way in of a push, and there is no NETCONF."""
    runs = {"ssh": True, "api": True, "gnmi": management.gnmi is not None, "snmp": management.snmp is not None}
    return tuple(row for row in management.access if runs.get(row.service))


def _sources(ports: Iterable[_Port], sources: Mapping[str, tuple[Prefix, ...]]) -> Iterator[FilterEntry]:
    numbers = {family: count(1) for family in FAMILIES}
    for row in ports:
        for prefix in sources[row.service]:
            match = _ipv4(row.protocol, **{"source-ip": {"prefix": prefix}}) | _transport(row)
            yield FilterEntry("ipv4", next(numbers["ipv4"]), f"{row.what} from {prefix}", match)
        opens = {"tcp-flags": "syn&!ack"} if row.protocol == "tcp" else {}
        for family, header in (("ipv4", _ipv4(row.protocol)), ("ipv6", _ipv6(row.protocol))):
            match = header | {"transport": {**_transport(row)["transport"], **opens}}
            yield FilterEntry(family, next(numbers[family]), f"{row.what} from others", match, drops=True)


def _icmp() -> Iterator[FilterEntry]:
    for number, kind in _ICMP:
        yield FilterEntry("ipv4", number, f"ICMP {kind}", _ipv4("icmp", icmp={"type": kind}), limited=True)
    yield FilterEntry("ipv4", 280, "ICMP timestamp", _ipv4("icmp", icmp={"type": "timestamp"}), limited=True)
    yield FilterEntry("ipv4", 310, "ICMP fragments", _ipv4("icmp", fragment=True), limited=True)
    for number, kind in _ICMP6:
        yield FilterEntry("ipv6", number, f"ICMPv6 {kind}", _ipv6("icmp6", icmp6={"type": kind}), limited=True)


def _ports(rows: Iterable[_Port]) -> Iterator[FilterEntry]:
    for row in rows:
        if row.ipv4:
            yield FilterEntry("ipv4", row.ipv4, row.what, _ipv4(row.protocol) | _transport(row))
        if row.ipv6:
            yield FilterEntry("ipv6", row.ipv6, row.what, _ipv6(row.protocol) | _transport(row))


def _transport(row: _Port) -> dict[str, dict[str, object]]:
    return {"transport": {f"{row.end}-port": {"operator": "eq", "value": row.port}}}


def _others() -> Iterator[FilterEntry]:
    yield FilterEntry("ipv4", 270, "traceroute", _ipv4("udp") | {"transport": _TRACEROUTE})
    yield FilterEntry("ipv6", 310, "traceroute", _ipv6("udp") | {"transport": _TRACEROUTE})
    yield FilterEntry("ipv6", 320, "hop-by-hop options", _ipv6(0))
    yield FilterEntry("ipv6", 330, "fragments", _ipv6(44))
    yield FilterEntry("ipv4", 350, "all others", {}, drops=True)
    yield FilterEntry("ipv6", 360, "all others", {}, drops=True)


def _ipv4(protocol: str, **more: object) -> dict[str, object]:
    return {"ipv4": {"protocol": protocol, **more}}


def _ipv6(header: str | int, **more: object) -> dict[str, object]:
    return {"ipv6": {"next-header": header, **more}}
