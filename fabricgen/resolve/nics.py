"""Ports of a backend's leaf towards NICs: their addresses, whose they are where tenants share it, which are in use."""

from collections.abc import Iterator, Sequence
from typing import cast

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress, Prefix
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
    states = context.fabric.exceptions.ports
    return bool(states) and states.get(PortKey(context.name, port)) in ("absent", "dead")


def host_addresses(
    context: Context, hosts: Sequence[HostPort]
) -> tuple[list[InterfaceAddress], list[InterfaceAddress]]:
    """Our ends of links to NICs, IPv4 and IPv6, one of them empty. By place alone, whoever the NICs belong to."""
    four, six = own_blocks(context.fabric, context.place)
    texts, none = context.site.texts, [NO_ADDRESS] * len(hosts)
    if context.fabric.fabric.addressing.hosts == "ipv4":
        found = texts.ipv4([four.host(host.number) for host in hosts], "/31") if four else none
        return cast(list[InterfaceAddress], found), none
    found = texts.ipv6([six.host(host.number) for host in hosts], "/127") if six else none
    return none, cast(list[InterfaceAddress], found)


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


def used_links(context: Context, tenant: PlannedTenant) -> list[Prefix]:
    """Links to the NICs of a tenant that are in use here, by port: our end is the first address of each."""
    owned = [host for owner, host in owned_ports(context) if owner is tenant and host.present]
    used = [host for host in owned if not is_shut(context, port_text(context.fabric, context.place, host.port))]
    four, six = host_addresses(context, used)
    return [Prefix(address) for address in (*four, *six) if address]
