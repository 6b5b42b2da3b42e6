"""Source addresses of a leaf's DHCP relays: one loopback per tenant, with addresses that no other leaf has."""

from collections.abc import Iterable, Iterator

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress, Network
from fabricgen.device.interfaces import Loopback
from fabricgen.plan.fabric import number_of
from fabricgen.plan.tenants import PlannedTenant, relay_loopback
from fabricgen.resolve.context import Context


def relay_hosts(context: Context, tenant: PlannedTenant) -> tuple[Network, ...]:
    """Return this leaf's address in each family, as a prefix of full length: by the number in its name, from 0."""
    number = number_of(context.fabric, context.place)
    return tuple(type(prefix)(int(prefix.network_address) + 1 + number) for prefix in tenant.relay_sources)


def relay_loopbacks(context: Context, tenants: Iterable[PlannedTenant]) -> Iterator[Loopback]:
    """Yield the loopbacks of this leaf's tenants with relays, by number."""
    for tenant in sorted(tenants, key=relay_loopback):
        texts = {host.version: InterfaceAddress(str(host)) for host in relay_hosts(context, tenant)}
        if texts:
            yield Loopback(
                number=relay_loopback(tenant),
                description=f"relays of {tenant.name}",
                ipv4=texts.get(4, NO_ADDRESS),
                ipv6=texts.get(6, NO_ADDRESS),
                vrf=tenant.name,
            )
