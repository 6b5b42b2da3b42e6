"""Servers of a lab: their leaf ports, and the addresses and gateways of their NICs.

On a routed port the server has the other end of the leaf's /31 or /127. In a tenant's network its address follows the
gateway's, at its position among the tenant's slots, by group and number, where the addresses of DHCP relays' servers
are skipped. Of several ports towards one frontend the one at the slot's number modulo their count is used, so that both
leaves of a pair have hosts; the others are standby, without an address.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from ipaddress import ip_interface
from typing import NamedTuple

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress, Network
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.hosts.names import unique_name
from fabricgen.intent.fabric import Frontend
from fabricgen.lab.model.lab import LabEnd, LabLink, LabNic, LabServer
from fabricgen.lab.model.selection import Slots, owners_of_group
from fabricgen.lab.model.server_routing import server_routing
from fabricgen.plan.exceptions import ABSENT, PortKey, SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, port_text
from fabricgen.plan.leaf_pairs import has_leaf_pairs, nic_address
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import PlannedNetwork, PlannedTenant, owner_of
from fabricgen.plan.wiring import host_ports
from fabricgen.resolve.evpn import gateway_address, other_end
from fabricgen.resolve.profiles import VXLAN_OVERHEAD

_UNFIT = re.compile(r"[^A-Za-z0-9_-]+")


class PluggedNic(NamedTuple):
    """A server's NIC in a leaf's port; `row` is the leaf's own view of it.

    paired  address of a NIC that has one behind two leaves
    """

    fabric: FabricPlan
    switch: str
    row: Ethernet
    label: str
    paired: InterfaceAddress = NO_ADDRESS

    @property
    def end(self) -> LabEnd:
        """The leaf's end of its cable."""
        return LabEnd(self.switch, self.row.name)


def plugged_in(
    fabric: FabricPlan, leaf: Place, device: Device, slots: Slots, built: Collection[LabEnd] = ()
) -> Iterator[tuple[SlotKey, PluggedNic]]:
    """NICs of kept servers in the ports of a leaf, with the slot of each.

    device  the leaf's complete configuration
    slots   of the kept servers
    built   ends of the cables of a running lab: a cable that is dead since is still in it
    """
    switch, exceptions = device.name, fabric.exceptions
    rows = {row.name: row for row in device.interfaces.ethernet}
    for host in host_ports(fabric, leaf):
        port, is_kept = port_text(fabric, leaf, host.port), host.slot in slots.get(host.group, ())
        key = PortKey(switch, port)
        if host.present and is_kept and port in rows and exceptions.ports.get(key) != ABSENT:
            group = group_of(fabric, host.group)
            address = nic_address(fabric, leaf, group, host.slot, host.nic) if has_leaf_pairs(fabric) else None
            paired = InterfaceAddress(address.prefix) if address is not None else NO_ADDRESS
            nic = PluggedNic(fabric, switch, rows[port], rows[port].peer_port, paired)
            if key not in exceptions.broken or nic.end in built:
                yield SlotKey(host.group, host.slot), nic


def make_server(plan: Plan, slot: SlotKey, plugged: list[PluggedNic]) -> LabServer:
    """The server in a slot from its NICs, those of the first fabric first."""
    names: set[str] = set()
    nics = [nic for position in range(len(plugged)) for nic in _nics(plan, slot, plugged, position, names)]
    in_tenant = any(nic.vlan_id and (nic.ipv4 or nic.ipv6) for nic in nics)
    return LabServer(
        name=server_name(next(iter(plan.fabrics.values())).exceptions, slot.group, slot.slot),
        group=slot.group,
        slot=slot.slot,
        tenant=owner_of(owners_of_group(plan, slot.group), slot.slot) if in_tenant else "",
        nics=tuple(nics),
        routing=server_routing(plan, slot, nics) if any(nic.paired for nic in plugged) else "",
    )


def _nics(plan: Plan, slot: SlotKey, plugged: list[PluggedNic], position: int, names: set[str]) -> Iterator[LabNic]:
    """Interfaces of one port: the port itself, and one per tagged VLAN."""
    nic = plugged[position]
    if not isinstance(nic.fabric.fabric, Frontend):
        yield _routed(nic, interface_name(nic.label, names))
        return
    port = _unaddressed(nic, interface_name(nic.label, names))
    tenant = _tenant(plan, nic.fabric, slot)
    is_active = _active(plugged, nic.fabric, slot) is nic
    if tenant is None:
        yield port
    elif len(tenant.networks) == 1:
        yield _addressed(plan, port, tenant, tenant.networks[0], slot) if is_active else port
    else:
        yield port
        for network in tenant.networks:
            name = interface_name(f"vlan{network.vlan_id}", names)
            tagged = port._replace(name=name, parent=port.name, vlan_id=network.vlan_id)
            yield _addressed(plan, tagged, tenant, network, slot) if is_active else tagged


def interface_name(label: str, taken: set[str]) -> str:
    """A valid Linux name, as close to the label as possible and not in `taken`; adds it to `taken`."""
    return unique_name(_UNFIT.sub("-", label).strip("-") or "nic", taken)


def _routed(nic: PluggedNic, name: str) -> LabNic:
    row = nic.row
    if nic.paired:
        # On a server it is the address of an interface without a cable, which not every kernel of a lab has.
        family = "ipv6" if ":" in nic.paired else "ipv4"
        return _unaddressed(nic, name)._replace(mtu=row.profile.mtu, vlan_id=0, **{family: nic.paired})
    return _unaddressed(nic, name)._replace(
        mtu=row.profile.mtu,
        vlan_id=0,
        ipv4=_far_end(row.ipv4),
        ipv6=_far_end(row.ipv6),
        gateway4=row.ipv4.partition("/")[0],
        gateway6=row.ipv6.partition("/")[0],
        tenant=row.vrf,
    )


def _far_end(leaf_address: InterfaceAddress) -> InterfaceAddress:
    if not leaf_address:
        return NO_ADDRESS
    interface = ip_interface(leaf_address)
    return InterfaceAddress(f"{other_end(interface.ip)}/{interface.network.prefixlen}")


def _unaddressed(nic: PluggedNic, name: str) -> LabNic:
    row = nic.row
    return LabNic(
        name=name,
        label=nic.label,
        fabric=nic.fabric.name,
        switch=nic.switch,
        port=row.name,
        mtu=row.profile.mtu - VXLAN_OVERHEAD,
        vlan_id=row.switching.access_vlan if row.switching else 0,
    )


def _active(plugged: list[PluggedNic], fabric: FabricPlan, slot: SlotKey) -> PluggedNic | None:
    """The port that a server uses of those towards one frontend."""
    ready = [nic for nic in plugged if nic.fabric is fabric and nic.row.enabled]
    return ready[slot.slot % len(ready)] if ready else None


def _tenant(plan: Plan, fabric: FabricPlan, slot: SlotKey) -> PlannedTenant | None:
    name = owner_of(owners_of_group(plan, slot.group), slot.slot)
    return next((tenant for tenant in plan.tenants.get(fabric.name, ()) if tenant.name == name), None)


def _addressed(plan: Plan, port: LabNic, tenant: PlannedTenant, network: PlannedNetwork, slot: SlotKey) -> LabNic:
    position = tenant_position(tenant, slot)
    relays = [relay for tenants in plan.tenants.values() for t in tenants for n in t.networks for relay in n.relays]
    addresses = {subnet.version: host_address(subnet, position, relays) for subnet in network.subnets}
    gateways = {subnet.version: gateway_address(subnet).partition("/")[0] for subnet in network.subnets}
    return port._replace(
        ipv4=addresses.get(4, NO_ADDRESS),
        ipv6=addresses.get(6, NO_ADDRESS),
        gateway4=gateways.get(4, ""),
        gateway6=gateways.get(6, ""),
        vlan_id=network.vlan_id,
    )


def tenant_position(tenant: PlannedTenant, slot: SlotKey) -> int:
    """Number of a tenant's slots before this one, by group and number."""
    count = 0
    for group, spans in sorted(tenant.servers.items()):
        for span in spans:
            if group == slot.group and span.first <= slot.slot <= span.last:
                return count + slot.slot - span.first
            count += span.size
    raise LookupError(f"{slot} is not a slot of {tenant.name}")


def host_address(subnet: Network, position: int, relays: Iterable[str]) -> InterfaceAddress:
    """Address of a server in a subnet, from the one after the gateway's on. Empty where none is left.

    relays  addresses that are never assigned
    """
    start = int(subnet.network_address)
    taken = sorted({int(ip_interface(relay).ip) - start for relay in relays if (":" in relay) == (subnet.version == 6)})
    number = position + 2
    # The offsets are sorted: each one at or below the number moves it up by one.
    for offset in taken:
        if 2 <= offset <= number:
            number += 1
    last = subnet.num_addresses - (2 if subnet.version == 4 else 1)
    if number > last:
        return NO_ADDRESS
    return InterfaceAddress(f"{subnet.network_address + number}/{subnet.prefixlen}")


def server_links(server: LabServer) -> Iterator[LabLink]:
    """Cables of a server, each port once."""
    for nic in server.nics:
        if not nic.parent:
            yield LabLink(LabEnd(server.name, nic.name), LabEnd(nic.switch, nic.port))
