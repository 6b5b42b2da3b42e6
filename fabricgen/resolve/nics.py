"""Ports of a backend's leaf towards NICs: their addresses, whose they are where tenants share it, which are in use."""

from collections.abc import Iterator

from fabricgen.addresses import NO_ADDRESS, InterfaceAddress, Prefix, interface_ipv4, interface_ipv6
from fabricgen.intent.fabric import Backend
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import group_of, own_blocks, port_text
from fabricgen.plan.tenants import PlannedTenant, owner_of
from fabricgen.plan.wiring import HostPort, host_ports, unit_slots
from fabricgen.resolve.context import Context


def is_shared(context: Context) -> bool:
    """Whether tenants share the backend."""
    return isinstance(context.settings, Backend) and context.settings.tenancy is not None


def is_shut(context: Context, port: str) -> bool:
    """Whether the intent says that nothing is plugged in here, or that the port is dead and none was spare."""
    return context.fabric.exceptions.ports.get(PortKey(context.name, port)) in ("absent", "dead")


def host_addresses(context: Context, host: HostPort) -> tuple[InterfaceAddress, InterfaceAddress]:
    """Our end of a link to a NIC, IPv4 and IPv6, one of them empty. By place alone, whoever the NIC belongs to."""
    four, six = own_blocks(context.fabric, context.place)
    if context.fabric.fabric.addressing.hosts == "ipv4":
        return (interface_ipv4(four.host(host.number), 31) if four else NO_ADDRESS), NO_ADDRESS
    return NO_ADDRESS, (interface_ipv6(six.host(host.number), 127) if six else NO_ADDRESS)


def owned_ports(context: Context) -> Iterator[tuple[PlannedTenant, HostPort]]:
    """Ports of a leaf whose NIC is of a tenant, reserved ones too."""
    group = group_of(context.fabric, context.place.group)
    slots = unit_slots(group, context.place)
    owned = context.site.owned[group.name]
    near = tuple(one for one in owned if one.span.first <= slots.last and slots.first <= one.span.last)
    tenants = {tenant.name: tenant for tenant in context.site.tenants}
    for host in host_ports(context.fabric, context.place) if near else ():
        name = owner_of(near, host.slot, group.nics.ports[host.nic].rail)
        if name:
            yield tenants[name], host


def used_links(context: Context, tenant: PlannedTenant) -> Iterator[Prefix]:
    """Links to the NICs of a tenant that are in use here, by port: our end is the first address of each."""
    for owner, host in owned_ports(context):
        if owner is not tenant or not host.present:
            continue
        if not is_shut(context, port_text(context.fabric, context.place, host.port)):
            yield from (Prefix(address) for address in host_addresses(context, host) if address)
