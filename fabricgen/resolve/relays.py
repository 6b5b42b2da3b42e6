"""What a leaf relays DHCP from: a loopback a tenant, with an address that no other leaf has."""

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from fabricgen.addresses import InterfaceAddress, Network
from fabricgen.device.interfaces import Loopback
from fabricgen.plan.fabric import number_of
from fabricgen.plan.tenants import RELAY_LOOPBACKS, PlannedTenant
from fabricgen.resolve.context import Context
from fabricgen.resolve.evpn import attached

NO_PREFIX = ""


def relay_loopbacks(context: Context) -> Iterator[Loopback]:
    """Loopbacks of the tenants that relay on this leaf, by number."""
