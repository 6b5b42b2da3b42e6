"""Every number of a plan, by the object to which it belongs.

A number is a value from the lock or from a formula: names, AS numbers, addresses, ids, VNIs. The port at which a cable
ends is wiring, not a number.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.addresses import interface_ipv4, interface_ipv6, ipv4, ipv6
from fabricgen.intent.fabric import Frontend, overlay_of
from fabricgen.plan.fabric import (
    FabricPlan,
    asn_of,
    group_of,
    loopback6,
    name_of,
    number_of,
    oob,
    own_blocks,
    places,
    router_id,
    vtep,
)
from fabricgen.plan.leaf_pairs import has_leaf_pairs, nic_address
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import PlannedNetwork, PlannedTenant, relay_loopback
from fabricgen.plan.wiring import HostPort, host_ports, uplinks

Values = Mapping[str, str]
"""Name of a number → the number as text; only those that the object has."""


class UplinkRef(NamedTuple):
    """A cable to the tier above: the switch that owns its addresses, and its uplink there."""

    lower: Place
    uplink: int


class HostLink(NamedTuple):
    """A port of a server, or its slice of a plane: slot of a group, and NIC port in the order of its hardware file."""

    fabric: str
    group: str
    slot: int
    nic: int
    plane: int


class TenantInstance(NamedTuple):
    """A tenant of a fabric, or a network of it as "tenant/network"."""

    fabric: str
    name: str


Owner = Place | UplinkRef | HostLink | TenantInstance


def numbers(plan: Plan) -> Iterator[tuple[Owner, Values]]:
    """Every number of a plan: switches, their cables, servers' ports, then tenants, fabric by fabric."""
    for name, fabric in plan.fabrics.items():
        for place in places(fabric):
            yield place, switch_numbers(fabric, place)
            for link in uplinks(fabric, place):
                yield UplinkRef(place, link.number), cable_numbers(fabric, place, link.number)
            if place.tier is Tier.LEAF:
                for owner, host in servers_on(fabric, place):
                    yield owner, host_numbers(fabric, place, host)
        yield from instances(plan, name)


def switch_numbers(plan: FabricPlan, place: Place) -> Values:
    """Numbers of one switch."""
    values = lock_numbers(plan, place)
    is_vtep = overlay_of(plan.fabric) is not None and place.tier in (Tier.LEAF, Tier.BORDER)
    return {**values, "vtep": ipv4(vtep(plan, place))} if is_vtep else values


def lock_numbers(plan: FabricPlan, place: Place) -> Values:
    """Numbers that the lock decides; all others follow from them. Raises LookupError for a place outside the plan."""
    block_ipv4, block_ipv6 = own_blocks(plan, place)
    loopback = loopback6(plan, place)
    return {
        "name": name_of(plan, place),
        "asn": str(asn_of(plan, place)),
        ("router id" if plan.fabric.addressing.ipv4 is None else "loopback"): ipv4(router_id(plan, place)),
        "loopback6": ipv6(loopback) if loopback is not None else "",
        "block": ipv4(block_ipv4.start) if block_ipv4 else "",
        "block6": ipv6(block_ipv6.start) if block_ipv6 else "",
        "oob": ipv4(oob(plan, place)),
    }


def cable_numbers(plan: FabricPlan, lower: Place, uplink: int) -> Values:
    """Addresses of both ends of a cable: of the switch that owns them, and of the one above it."""
    families = plan.fabric.addressing.links
    block_ipv4, block_ipv6 = own_blocks(plan, lower)
    lower_ipv4 = block_ipv4.uplink(uplink) if block_ipv4 and "ipv4" in families else None
    lower_ipv6 = block_ipv6.uplink(uplink) if block_ipv6 and "ipv6" in families else None
    return {**_ends4(lower_ipv4), **_ends6(lower_ipv6)}


def host_numbers(plan: FabricPlan, leaf: Place, host: HostPort) -> Values:
    """Addresses of both ends of a server's cable on a backend; the Ethernet segment of the server on a frontend.

    A NIC on both leaves of a pair has one address, from the block of the first leaf.
    """
    if isinstance(plan.fabric, Frontend):
        return {"segment": f"{segment_number(plan, leaf, host.slot):012x}"}
    if has_leaf_pairs(plan):
        address = nic_address(plan, leaf, group_of(plan, host.group), host.slot, host.nic)
        return {} if address is None else {f"far {plan.fabric.addressing.hosts}": address.prefix}
    block_ipv4, block_ipv6 = own_blocks(plan, leaf)
    family = plan.fabric.addressing.hosts
    leaf_ipv4 = block_ipv4.host(host.number) if block_ipv4 and family == "ipv4" else None
    leaf_ipv6 = block_ipv6.host(host.number) if block_ipv6 and family == "ipv6" else None
    return {**_ends4(leaf_ipv4), **_ends6(leaf_ipv6)}


def segment_number(plan: FabricPlan, leaf: Place, slot: int) -> int:
    """48-bit number of a server's Ethernet segment: the unit's first leaf, and the server's position in the unit.

    The leaf number is the one in its name, so the segment never changes and is unique in its fabric.
    """
    first = number_of(plan, leaf._replace(rail=0, index=0))
    return first << 16 | slot % group_of(plan, leaf.group).slots_a_unit + 1


def tenant_numbers(plan: FabricPlan, tenant: PlannedTenant) -> Values:
    """Numbers of a tenant on a fabric. Its id is the part of its route distinguishers that is unique on a switch."""
    values = {"id": str(tenant.id), "vni": str(tenant.vni), "route-target": _target(plan, tenant.vni)}
    sources = {f"relay source IPv{prefix.version}": str(prefix) for prefix in tenant.relay_sources}
    return {**values, **sources, "relay loopback": str(relay_loopback(tenant))} if sources else values


def network_numbers(plan: FabricPlan, network: PlannedNetwork) -> Values:
    """Numbers of a network of a tenant."""
    return {"id": str(network.id), "vni": str(network.vni), "route-target": _target(plan, network.vni)}


def _target(plan: FabricPlan, vni: int) -> str:
    overlay = overlay_of(plan.fabric)
    return f"{overlay.admin}:{vni}" if overlay is not None else ""


def _ends4(own: int | None) -> Values:
    return {} if own is None else {"ipv4": interface_ipv4(own, 31), "far ipv4": interface_ipv4(own + 1, 31)}


def _ends6(own: int | None) -> Values:
    return {} if own is None else {"ipv6": interface_ipv6(own, 127), "far ipv6": interface_ipv6(own + 1, 127)}


def servers_on(plan: FabricPlan, leaf: Place) -> Iterator[tuple[HostLink, HostPort]]:
    """Ports of a leaf with a server, as ports of the server."""
    for host in host_ports(plan, leaf):
        if host.present:
            yield HostLink(plan.name, host.group, host.slot, host.nic, leaf.plane), host


def instances(plan: Plan, fabric: str) -> Iterator[tuple[TenantInstance, Values]]:
    """Tenants of a fabric and their networks, with their numbers."""
    fabric_plan = plan.fabrics[fabric]
    for tenant in plan.tenants.get(fabric, ()):
        yield TenantInstance(fabric, tenant.name), tenant_numbers(fabric_plan, tenant)
        for network in tenant.networks:
            yield TenantInstance(fabric, f"{tenant.name}/{network.name}"), network_numbers(fabric_plan, network)
