"""Rules for the addresses of servers that switches contact: each can be a host's address, and can be reached.

Possible addresses are accepted: link-local ones, and those of other networks.
"""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Backend
from fabricgen.intent.model import Intent
from fabricgen.intent.overrides import ManagementPart
from fabricgen.intent.site import Management

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class Service(NamedTuple):
    """A server that switches contact: its path below `management`, its name in messages, its address."""

    path: IntentPath
    title: str
    address: Address


def services(management: Management | ManagementPart) -> Iterator[Service]:
    """Yield each server of `management`, or of an override of it."""
    aaa, snmp, sflow = management.aaa, management.snmp, management.sflow
    servers: tuple[tuple[IntentPath, str, tuple[Address, ...]], ...] = (
        (("dns",), "the DNS server", management.dns),
        (("ntp",), "the NTP server", management.ntp),
        (("syslog",), "the syslog server", management.syslog),
        (("aaa", "tacacs"), "the TACACS+ server", aaa.tacacs if aaa is not None else ()),
        (("snmp", "traps"), "the receiver of traps", snmp.traps if snmp is not None else ()),
        (("sflow", "collectors"), "the collector of flows", sflow.collectors if sflow is not None else ()),
    )
    for path, title, addresses in servers:
        for index, address in enumerate(addresses):
            yield Service((*path, index), title, address)


def server_addresses(intent: Intent) -> Iterator[Problem]:
    """A server has a unicast address of its own: no group, no network address, no address of the switch itself."""
    yield from _managed(intent, services(intent.management), ("management",))
    for selector, override in intent.overrides.items():
        if "management" in override.model_fields_set and override.management is not None:
            yield from _managed(intent, services(override.management), ("overrides", selector, "management"))
    for where, service in relayed(intent):
        subnets = tuple(_reached(intent, str(where[1])))
        gateways = [subnet for subnet in subnets if service.address == subnet.network_address + 1]
        if gateways:
            yield _problem(service, where, f"the anycast gateway of {gateways[0]}")
        else:
            yield from _of((service,), where, subnets)


def _reached(intent: Intent, tenant: str) -> Iterator[Network]:
    """Yield the subnets that a relay of a tenant reaches: its own, and those of imports in either direction."""
    imports = intent.tenants[tenant].imports
    for name, other in intent.tenants.items():
        if name == tenant or name in imports or tenant in other.imports:
            for network in other.networks.values():
                yield from network.subnets


def _managed(intent: Intent, servers: Iterable[Service], where: IntentPath) -> Iterator[Problem]:
    """Check servers that are contacted from management ports, which have one address, of `oob`."""
    oob = intent.management.oob
    for service in servers:
        problems = (*_of((service,), where, (oob,)), *_inside(intent, service, where))
        yield from problems
        if not problems and service.address.version != oob.version:
            yield Problem(
                code="server-family",
                what=f"no switch has an IPv{service.address.version} address to reach {service.title} "
                f"{service.address} from",
                where=(*where, *service.path),
                why=f"a switch reaches it over its management port, whose only address is in management.oob: {oob}",
                fix=f"write an IPv{oob.version} address of this server, or remove it",
            )


def _inside(intent: Intent, service: Service, where: IntentPath) -> Iterator[Problem]:
    """Yield the problem of a server with an address of a backend: a backend is connected to nothing else."""
    for name, fabric in intent.fabrics.items():
        if not isinstance(fabric, Backend):
            continue
        for prefix in (fabric.addressing.ipv4, fabric.addressing.ipv6):
            if prefix is not None and service.address in prefix:
                kind = f"in {prefix}, the prefix of {name}: a backend has no external connectivity"
                yield _problem(service, where, kind)


def relayed(intent: Intent) -> Iterator[tuple[IntentPath, Service]]:
    """Yield each server that DHCP is relayed to, with the path of its network."""
    for name, tenant in intent.tenants.items():
        for title, network in tenant.networks.items():
            for index, address in enumerate(network.dhcp_relay):
                yield ("tenants", name, "networks", title), Service(("dhcp_relay", index), "the DHCP server", address)


def _of(servers: Iterable[Service], where: IntentPath, near: tuple[Network, ...]) -> Iterator[Problem]:
    for service in servers:
        kind = unfit(service.address, near)
        if kind:
            yield _problem(service, where, kind)


def _problem(service: Service, where: IntentPath, kind: str) -> Problem:
    return Problem(
        code="server-address",
        what=f"{service.title} {service.address} is {kind}",
        where=(*where, *service.path),
        why="a switch needs the unicast address of the server itself",
        fix="write the address of the server, or remove it",
    )


def unfit(address: Address, near: tuple[Network, ...]) -> str:
    """Return what makes an address unfit for a server; empty for a possible one.

    near    prefixes whose network and broadcast addresses are known
    Source: RFC 6890 (0.0.0.0/8, 127.0.0.0/8, 240.0.0.0/4, limited broadcast), RFC 5771 and RFC 4291 section 2.7
    (multicast), RFC 4291 sections 2.5.2, 2.5.3 and 2.6.1 (unspecified, loopback, subnet-router anycast).
    """
    if address.is_multicast:
        return "a multicast group"
    if address.is_unspecified or (address.version == 4 and int(address) >> 24 == 0):
        return "not a host address"
    if address.is_loopback:
        return "the switch itself"
    if address.version == 4 and int(address) >> 28 == 15:
        return "reserved or broadcast"
    return next((f"the {end} address of {net}" for net in near if (end := _end(address, net))), "")


def _end(address: Address, network: Network) -> str:
    """Return which end of a network an address is; /31, /127 (RFC 3021, RFC 6164) and single addresses have none."""
    if network.max_prefixlen - network.prefixlen < 2:
        return ""
    if address == network.network_address:
        return "network"
    return "broadcast" if network.version == 4 and address == network.broadcast_address else ""
