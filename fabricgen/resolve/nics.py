"""NIC ports of a backend leaf: their addresses, their tenants on a shared backend, and which are in use."""

from collections.abc import Iterator, Sequence
from typing import cast

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress, Prefix
from fabricgen.intent.fabric import Backend
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import own_blocks, port_text
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.tenants import Owner, PlannedTenant, owner_of
from fabricgen.plan.wiring import HostPort, groups_on, host_ports, unit_slots
from fabricgen.resolve.context import Context
from fabricgen.topologies.shape import GroupShape


def is_shared(context: Context) -> bool:
    """Return whether tenants share the backend."""
    return isinstance(context.settings, Backend) and context.settings.tenancy is not None


def is_shut(context: Context, port: str) -> bool:
    """Return whether the intent declares the port absent, or dead without a spare port."""
    states = context.fabric.exceptions.ports
    return bool(states) and states.get(PortKey(context.name, port)) in ("absent", "dead")


def host_addresses(
    context: Context, hosts: Sequence[HostPort]
) -> tuple[list[InterfaceAddress], list[InterfaceAddress]]:
    """Return the switch's addresses of NIC links, IPv4 and IPv6, one of them empty. They do not depend on tenants.

    Both are empty where a NIC has two leaves: its address is no part of a link.
    """
    ipv4, ipv6 = own_blocks(context.fabric, context.place)
    texts, none = context.site.texts, [NO_ADDRESS] * len(hosts)
    if has_leaf_pairs(context.fabric):
        return none, none
    if context.fabric.fabric.addressing.hosts == "ipv4":
        addresses = texts.ipv4([ipv4.host(host.number) for host in hosts], "/31") if ipv4 else none
        return cast(list[InterfaceAddress], addresses), none
    addresses = texts.ipv6([ipv6.host(host.number) for host in hosts], "/127") if ipv6 else none
    return none, cast(list[InterfaceAddress], addresses)


def owned_ports(context: Context) -> Iterator[tuple[PlannedTenant, HostPort]]:
    """Yield the ports of a leaf whose NIC has a tenant, including reserved ones, with the tenant."""
    groups = groups_on(context.fabric, context.place)
    local_owners = {group.name: _owners_here(context, group) for group in groups}
    rails = {group.name: [port.rail for port in group.nics.ports] for group in groups}
    tenants = {tenant.name: tenant for tenant in context.site.tenants}
    for host in host_ports(context.fabric, context.place) if any(local_owners.values()) else ():
        name = owner_of(local_owners[host.group], host.slot, rails[host.group][host.nic])
        if name:
            yield tenants[name], host


def _owners_here(context: Context, group: GroupShape) -> tuple[Owner, ...]:
    """Return what tenants own of a group's slots on this leaf."""
    slots = unit_slots(group, context.place)
    owned = context.site.owned[group.name]
    return tuple(owner for owner in owned if owner.span.first <= slots.last and slots.first <= owner.span.last)


def used_links(context: Context, tenant: PlannedTenant) -> list[Prefix]:
    """Return the links to the tenant's NICs in use here, by port; the switch has the first address of each."""
    owned = [host for owner, host in owned_ports(context) if owner is tenant and host.present]
    used = [host for host in owned if not is_shut(context, port_text(context.fabric, context.place, host.port))]
    ipv4, ipv6 = host_addresses(context, used)
    return [Prefix(address) for address in (*ipv4, *ipv6) if address]
