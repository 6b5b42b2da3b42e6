"""Management addresses of a containerlab topology: the switches' own, servers' behind them, IPv6 beside each.

The management network is the site's out-of-band network, so that the address in a switch's configuration is the one
that containerlab gives its node, and the inventory of the real switches names the same. Static addresses lie in the
subnet and every node has one (docs/manual/network.md). Docker leaves octets 5 to 8 of an IPv6 address out of account
(there): they are 0 here, and the IPv4 address stands in the last four.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.site import Management
from fabricgen.lab.model import Lab


class Network(NamedTuple):
    """The management network: prefixes, IPv4 gateway where there is one, and each node's addresses."""

    ipv4: IPv4Network
    ipv6: IPv6Network
    gateway: IPv4Address | None
    nodes: Mapping[str, tuple[IPv4Address, IPv6Address]]


def management_network(part: Lab) -> Network:
    """Addresses of every node. Raises FabricError where the out-of-band network has none left for the servers."""
    management = part.plan.intent.management
    given = {device.name: IPv4Address(device.management.address.partition("/")[0]) for device in part.devices}
    free = _free(management, given.values())
    for server in part.servers:
        found = next(free, None)
        if found is None:
            raise FabricError([_full(management, len(part.servers))])
        given[server.name] = found
    ipv6 = unique_local(part.name, used_prefixes(part))
    nodes = {name: (address, ipv6[int(address)]) for name, address in given.items()}
    gateway = management.gateway if isinstance(management.gateway, IPv4Address) else None
    return Network(management.oob, ipv6, gateway, nodes)


def _free(management: Management, taken: Iterable[IPv4Address]) -> Iterator[IPv4Address]:
    """Addresses for servers, from the end of the network down: switches grow from its start."""
    used = {*taken, management.gateway, *_services(management)}
    net = management.oob
    for value in range(int(net.broadcast_address) - 1, int(net.network_address), -1):
        if (address := IPv4Address(value)) not in used:
            yield address


def _services(management: Management) -> Iterator[IPv4Address | IPv6Address]:
    yield from (*management.dns, *management.ntp, *management.syslog)
    yield from management.aaa.tacacs if management.aaa else ()
    yield from management.snmp.traps if management.snmp else ()
    yield from management.sflow.collectors if management.sflow else ()


def _full(management: Management, servers: int) -> Problem:
    return Problem(
        code="export-addresses",
        what=f"{management.oob} has no address left for a server of the topology",
        why=f"every node has a static address in the management network, and there are {servers} servers",
        fix="type --subset servers=2, or a larger management.oob",
    )


def used_prefixes(part: Lab) -> tuple[IPv6Network, ...]:
    """IPv6 prefixes that the plan uses itself."""
    intent = part.plan.intent
    own = [fabric.addressing.ipv6 for fabric in intent.fabrics.values()]
    nets = [net for tenant in intent.tenants.values() for one in tenant.networks.values() for net in one.subnets]
    return tuple(net for net in (*own, *nets) if isinstance(net, IPv6Network))


def unique_local(site: str, taken: Iterable[IPv6Network]) -> IPv6Network:
    """A /64 of the site's own (RFC 4193, its random part from the site's name) that meets none of `taken`."""
    used = tuple(taken)
    for attempt in range(1 << 16):
        start = b"\xfd" + sha256(f"{site} {attempt}".encode()).digest()[:3] + bytes(12)
        found = IPv6Network((start, 64))
        if not any(found.overlaps(net) for net in used):
            return found
    raise LookupError("every prefix is taken")
