"""Who may use the management services of Junos: prefix lists of sources, and terms of the filter in front of lo0."""

from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.management import Management, ServiceAccess

SSH, NETCONF, SNMP = "ssh", "830", "snmp"
"""Ports as the filter names them. NETCONF has one of its own (RFC 6242)."""


class ServiceContext(NamedTuple):
    """A service, its prefix list, which is named as its term, and the port of the filter's term."""

    name: str
    prefixes: tuple[Prefix, ...]
    protocol: str
    port: str


class AccessContext(NamedTuple):
    """Services of the management port's address. `refused`: their TCP ports, closed to all other sources."""

    services: tuple[ServiceContext, ...]
    refused: str


def served(management: Management) -> tuple[ServiceAccess, ...]:
    """The rows of the services that a switch answers: Junos has no HTTP API here."""
    runs = {"ssh": True, "netconf": True, "gnmi": management.gnmi is not None, "snmp": management.snmp is not None}
    return tuple(row for row in management.access if runs.get(row.service))


def access_words(management: Management) -> AccessContext | None:
    """The services of one switch; None where any source may come in."""
    services = tuple(_service(row, management) for row in served(management))
    if not services:
        return None
    return AccessContext(services, " ".join(row.port for row in services if row.protocol == "tcp"))


def _service(row: ServiceAccess, management: Management) -> ServiceContext:
    name = f"MANAGEMENT-{row.service.upper()}"
    if row.service == "gnmi" and management.gnmi is not None:
        return ServiceContext(name, row.prefixes, "tcp", str(management.gnmi.port))
    ports = {"ssh": ("tcp", SSH), "netconf": ("tcp", NETCONF), "snmp": ("udp", SNMP)}
    return ServiceContext(name, row.prefixes, *ports[row.service])
