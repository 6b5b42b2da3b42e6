"""Management addresses of a containerlab topology: switches, then servers, each with an IPv6 address too.

The management network is the site's out-of-band network, so that the address in a switch's configuration is the one
that containerlab gives its node, and the inventory of the real switches names the same. Static addresses lie in the
subnet and every node has one (docs/manual/network.md). Docker ignores octets 5 to 8 of an IPv6 address (there): they
are 0 here, and the IPv4 address is in the last four.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.intent.site import Management
from fabricgen.plan.plan import Plan


class ManagementNetwork(NamedTuple):
    """The management network: both prefixes, and the IPv4 gateway if there is one."""

    ipv4: IPv4Network
    ipv6: IPv6Network
    gateway: IPv4Address | None


class NodeAddresses(NamedTuple):
    """Addresses of a node."""

    ipv4: IPv4Address
    ipv6: IPv6Address


def management_network(plan: Plan) -> ManagementNetwork:
    """The out-of-band network of a site, with a unique local IPv6 prefix."""
    management = plan.intent.management
    gateway = management.gateway if isinstance(management.gateway, IPv4Address) else None
    return ManagementNetwork(management.oob, unique_local(plan.intent.site, used_prefixes(plan)), gateway)


class Addresses:
    """Gives each node its addresses. All switches must come before the servers."""

    def __init__(self, plan: Plan) -> None:
        self.network, self._management = management_network(plan), plan.intent.management
        self._used = {int(address) for address in _others(self._management) if isinstance(address, IPv4Address)}
        self._last, self._servers = int(self._management.oob.broadcast_address), 0

    def of_switch(self, device: Device) -> NodeAddresses:
        """Return the addresses of a switch."""
        ipv4 = IPv4Address(device.management.address.partition("/")[0])
        self._used.add(int(ipv4))
        return self._pair(ipv4)

    def of_server(self) -> NodeAddresses:
        """Return the highest free addresses, as switches grow from the start. Raises FabricError where none is left."""
        self._last -= 1
        while self._last in self._used:
            self._last -= 1
        if self._last <= int(self._management.oob.network_address):
            raise FabricError.of(
                code="export-addresses",
                what=f"{self._management.oob} has no address left for a server of the topology",
                why="every node has a static address in the management network, and there are more than "
                f"{self._servers} servers",
                fix="use --subset servers=2, or write a larger management.oob",
            )
        self._servers += 1
        return self._pair(IPv4Address(self._last))

    def _pair(self, address: IPv4Address) -> NodeAddresses:
        return NodeAddresses(address, self.network.ipv6[int(address)])


def _others(management: Management) -> Iterator[IPv4Address | IPv6Address | None]:
    yield management.gateway
    yield from (*management.dns, *management.ntp, *management.syslog)
    yield from management.aaa.tacacs if management.aaa else ()
    yield from management.snmp.traps if management.snmp else ()
    yield from management.sflow.collectors if management.sflow else ()


def used_prefixes(plan: Plan) -> tuple[IPv6Network, ...]:
    """IPv6 prefixes that the plan itself uses."""
    intent = plan.intent
    underlay = [fabric.addressing.ipv6 for fabric in intent.fabrics.values()]
    subnets = [net for tenant in intent.tenants.values() for row in tenant.networks.values() for net in row.subnets]
    return tuple(net for net in (*underlay, *subnets) if isinstance(net, IPv6Network))


def unique_local(site: str, taken: Iterable[IPv6Network]) -> IPv6Network:
    """A /64 of the site's own that overlaps none of `taken` (RFC 4193, its random part from the site's name)."""
    used = tuple(taken)
    for attempt in range(1 << 16):
        start = b"\xfd" + sha256(f"{site} {attempt}".encode()).digest()[:3] + bytes(12)
        prefix = IPv6Network((start, 64))
        if not any(prefix.overlaps(used_prefix) for used_prefix in used):
            return prefix
    raise LookupError("every prefix is taken")
