"""Who may use the management services of NX-OS: access lists, and where they are bound.

Sources: Nexus 9000 NX-OS security guide 10.3(x), Kernel Stack ACL: a list on mgmt0 filters what reaches the Linux
services of the VRF management, NX-API among them, by addresses, protocol and ports alone; other words of an entry are
left out with a warning. So no entry says `established`, which would let all of TCP in: a service's port is denied
behind its sources, and the rest is permitted, as in the guide's own example. `access-class` of `line vty` filters SSH
in every VRF, `use-ipv4acl` the requests of an SNMP user (a public running configuration of 9.3(3); cisco.nxos 154aa54).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.management import Management, ServiceAccess

PORT_LIST = "MANAGEMENT"
IPV6_LIST = "MANAGEMENT-IPV6"
SSH_PORT, API_PORT, SNMP_PORT = 22, 443, 161
SNMP_OVER_TCP = f"deny tcp any any eq {SNMP_PORT}"


class AccessListContext(NamedTuple):
    """An IPv4 access list: its name, and its entries with their numbers."""

    name: str
    entries: tuple[str, ...]


class AccessContext(NamedTuple):
    """Access lists of IPv4, and the names of lists where they are bound.

    port  of mgmt0
    snmp  of the SNMP user; empty where there is none
    ipv6  lets nobody in: switches have no IPv6 address on the out-of-band network
    """

    lists: tuple[AccessListContext, ...]
    port: str
    ssh: str
    snmp: str
    ipv6: str


def served(management: Management) -> tuple[ServiceAccess, ...]:
    """The rows of the services that a switch may answer: no NETCONF server runs.

    NX-API counts though the intent has no certificate for it: a push comes by it, so somebody has turned it on.
    """
    runs = {"ssh": True, "api": True, "gnmi": management.gnmi is not None, "snmp": management.snmp is not None}
    return tuple(row for row in management.access if runs.get(row.service))


def access_words(management: Management) -> AccessContext | None:
    """The lists of one switch; None where any source may come in."""
    rows = served(management)
    if not rows:
        return None
    own = {row.service: f"MANAGEMENT-{row.service.upper()}" for row in rows if row.service in ("ssh", "snmp")}
    of_port = [entry for row in rows for entry in _of_port(row, management)]
    return AccessContext(
        lists=(
            _list(PORT_LIST, [*of_port, "permit ip any any"]),
            *(_list(own[row.service], _permits(row, management)) for row in rows if row.service in own),
        ),
        port=PORT_LIST,
        ssh=own["ssh"],
        snmp=own.get("snmp", ""),
        ipv6=IPV6_LIST,
    )


def _list(name: str, entries: Iterable[str]) -> AccessListContext:
    return AccessListContext(name, tuple(f"{number * 10} {entry}" for number, entry in enumerate(entries, 1)))


def _of_port(row: ServiceAccess, management: Management) -> Iterator[str]:
    protocol, port = _port(row.service, management)
    yield from _permits(row, management)
    yield f"deny {protocol} any any eq {port}"
    if row.service == "snmp":
        yield SNMP_OVER_TCP


def _permits(row: ServiceAccess, management: Management) -> Iterator[str]:
    protocol, port = _port(row.service, management)
    for prefix in row.prefixes:
        yield f"permit {protocol} {_source(prefix)} any eq {port}"


def _port(service: str, management: Management) -> tuple[str, str]:
    """Protocol and port of a service, the port as a running configuration shows it."""
    if service == "gnmi" and management.gnmi is not None:
        return "tcp", str(management.gnmi.port)
    return {"ssh": ("tcp", str(SSH_PORT)), "api": ("tcp", str(API_PORT)), "snmp": ("udp", "snmp")}[service]


def _source(prefix: Prefix) -> str:
    return "any" if prefix == "0.0.0.0/0" else prefix
