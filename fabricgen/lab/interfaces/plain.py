"""Interfaces of a switch on a kernel without VRF devices, VLAN-aware bridge and 802.1Q, made from the Device.

A network namespace replaces each tenant's VRF. In it is a bridge `vlanN` for each VLAN: it has the gateway's address
and MAC, and the VXLAN device `vniN` as a port. The tunnel's own socket remains in the switch. Server ports remain in
the switch too, where LLDP and operators expect them; a veth pair between bridges connects each to its VLAN.

A route that one VRF imports from another leaves by an interface of the other. With VRF devices both are in one
namespace; FRR passes the kernel the interface's index, whatever the namespace. So every routed VLAN has a unique index
on the switch, and appears with it in the VRFs that import from its own: there it is one end of a veth pair whose other
end is a port of the VLAN. The bridge answers for remote tunnel ends, whose MACs only its own VRF has.
"""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Switching
from fabricgen.lab.interfaces.units import (
    FIRST_INDEX,
    NFT,
    OWN,
    KernelObject,
    Layout,
    Lines,
    Order,
    Routed,
    VrfLeak,
    vlan_key,
    vrf_key,
)
from fabricgen.lab.model.lab import tagged_name
from fabricgen.platforms.linux.interfaces import PortStanza, Svi, Tunnel, guard, ports, svis, tunnels, vrf_devices

VXLAN_PORT = 4789


def layout(device: Device) -> Layout:
    """Everything except the front ports and the replacements of servers' tagged VLANs: those are cables."""
    vrfs = vrf_devices(device)
    carried = _pairs(device)
    return Layout(
        units=tuple(
            unit
            for units in (
                (_vrf(vrf.name) for vrf in vrfs),
                _underlay(device, carried),
                (_loopback(vrf.name) for vrf in vrfs),
                (unit for tunnel, svi in carried for unit in _vlan(svi, tunnel, _members(device, svi.vlan_id))),
            )
            for unit in units
        ),
        vrfs={vrf.name: vrf.vlan_id for vrf in vrfs},
        vlans=tuple(Routed(svi.vlan_id, svi.mtu, svi.vrf) for _, svi in carried),
    )


def pairs(device: Device) -> tuple[VrfLeak, ...]:
    """Pairs of VRFs of which the first imports routes from the second."""
    by_tenant = {vrf.tenant: vrf.name for vrf in vrf_devices(device)}
    return tuple(
        VrfLeak(by_tenant[row.name], by_tenant[name])
        for row in device.routing.bgp.vrfs
        for name in row.imports
        if name in by_tenant
    )


def _vrf(name: str) -> KernelObject:
    return KernelObject(
        vrf_key(name), Order.VRF, Lines("", (f"netns add {name}",)), Lines("", (f"netns delete {name}",))
    )


def _loopback(vrf: str) -> KernelObject:
    return KernelObject(f"lo of {vrf}", Order.TENANT, Lines(vrf, ("link set dev lo up",)), Lines(vrf), (vrf_key(vrf),))


def _underlay(device: Device, carried: Iterable[tuple[Tunnel, Svi]]) -> Iterator[KernelObject]:
    """Units of the switch's own namespace; tenants' interfaces are moved to their namespaces."""
    for loopback in device.interfaces.loopbacks:
        if not loopback.vrf:
            yield from (_address("lo", ip) for ip in (loopback.ipv4, loopback.ipv6) if ip)
    for port in ports(device):
        # Alias and MTU are changed without taking the port down; a port that is removed from the file is taken down.
        port_lines = (f'link set dev {port.name} mtu {port.mtu} alias "{_quoted(port.alias)}"',)
        yield KernelObject(f"{port.name} words", Order.UNDERLAY, Lines("", port_lines), Lines(""))
        yield from (_address(port.name, address) for address in port.addresses if not port.vrf)
        up, down = (Lines("", (f"link set dev {port.name} {state}",)) for state in ("up", "down"))
        if port.down:
            yield KernelObject(f"{port.name} down", Order.UNDERLAY, down, Lines(""))
        else:
            yield KernelObject(f"{port.name} up", Order.UNDERLAY, up, down)
    yield from (_guard(port.name, port.switching) for port in ports(device) if port.switching)
    if device.evpn is not None:
        yield from (_tunnel(tunnel, svi, device.evpn.vtep, device.evpn.mtu) for tunnel, svi in carried)
    yield from _led(device, {svi.vlan_id: svi.vrf for _, svi in carried})


def _led(device: Device, tenants: Mapping[int, str]) -> Iterator[KernelObject]:
    """Units of ports that connect to tenants' namespaces. tenants: VLAN → VRF."""
    for port in ports(device):
        if port.vrf and not port.down:
            # Connect a routed port to its VRF, where its other half has the addresses.
            yield _access_port(port, port.vrf)
            needs = (f"{port.name} led", vrf_key(port.vrf))
            up = Lines(port.vrf, (f"link set dev {port.name} up",))
            yield KernelObject(f"{port.name} of {port.vrf}", Order.TENANT, up, Lines(port.vrf), needs)
            yield from (_address(port.name, address, port.vrf, needs) for address in port.addresses)
        elif port.switching is not None and port.switching.access_vlan:
            yield _access_port(port, tenants[port.switching.access_vlan])
        elif port.switching is not None:
            yield from (
                _tagged_port(tagged_name(port.name, vlan), tenants[vlan]) for vlan in port.switching.trunk_vlans
            )


def _address(name: str, address: str, vrf: str = "", needs: tuple[str, ...] = ()) -> KernelObject:
    return KernelObject(
        f"{name} {address}",
        Order.TENANT if vrf else Order.UNDERLAY,
        Lines(vrf, (f"address add {address} dev {name}",)),
        Lines(vrf, (f"address del {address} dev {name}",)),
        needs,
    )


def _guard(name: str, switching: Switching) -> KernelObject:
    """The limit of a port's MAC addresses, and its guard; without them, all packets are accepted."""
    commands = guard(name, switching.mac_limit, advertisements=not switching.ra_guard)
    create, remove = Lines("", (commands,), NFT), Lines("", (guard(name, 0),), NFT)
    return KernelObject(f"{name} MACs", Order.UNDERLAY, create, remove)


def _quoted(text: str) -> str:
    return text.replace('"', "'")


def _tunnel(tunnel: Tunnel, svi: Svi, vtep: str, mtu: int) -> KernelObject:
    name = f"vni{tunnel.vni}"
    create = (
        f"link add name {name} mtu {mtu} type vxlan id {tunnel.vni} local {vtep} dstport {VXLAN_PORT} nolearning"
        + (" tos inherit" if tunnel.marks else ""),
        f"link set dev {name} netns {svi.vrf}",
    )
    remove = Lines(svi.vrf, (f"link del dev {name}",))
    return KernelObject(name, Order.UNDERLAY, Lines("", create), remove, (vrf_key(svi.vrf),))


def _pairs(device: Device) -> list[tuple[Tunnel, Svi]]:
    """Each tunnel with the routed VLAN that it carries."""
    vrfs = vrf_devices(device)
    svi_by_vlan = {svi.vlan_id: svi for svi in svis(device, vrfs)}
    return [(tunnel, svi_by_vlan[tunnel.vlan_id]) for tunnel in tunnels(device, vrfs)]


def _access_port(port: PortStanza, vrf: str) -> KernelObject:
    """Connect a server port to its VLAN: bridged with one end of a veth pair whose other end is in the tenant."""
    local_end, bridge = f"t-{port.name}", f"b-{port.name}"
    create = (
        f"link add name {bridge} mtu {port.mtu} type bridge mcast_snooping 0",
        f"link add name {local_end} mtu {port.mtu} type veth peer name {port.name} mtu {port.mtu} netns {vrf}",
        *(f"link set dev {name} addrgenmode none" for name in (bridge, local_end, port.name)),
        *(f"link set dev {member} master {bridge}" for member in (port.name, local_end)),
        *(f"link set dev {name} up" for name in (local_end, bridge)),
    )
    remove = (
        f"link del dev {local_end}",
        f"link del dev {bridge}",
        f"link set dev {port.name} addrgenmode eui64",
    )
    return KernelObject(f"{port.name} led", Order.UNDERLAY, Lines("", create), Lines("", remove), (vrf_key(vrf),))


def _tagged_port(name: str, vrf: str) -> KernelObject:
    remove = Lines(vrf, (f"link set dev {name} nomaster", f"link set dev {name} netns {OWN}"))
    create = Lines("", (f"link set dev {name} netns {vrf}",))
    return KernelObject(f"{name} led", Order.UNDERLAY, create, remove, (vrf_key(vrf),))


def _members(device: Device, vlan: int) -> Iterator[str]:
    for port in ports(device):
        if port.switching and port.switching.access_vlan == vlan:
            yield port.name
        elif port.switching and vlan in port.switching.trunk_vlans:
            yield tagged_name(port.name, vlan)


def _vlan(svi: Svi, tunnel: Tunnel, members: Iterable[str]) -> Iterator[KernelObject]:
    """A VLAN's bridge, its members, and its MTU and addresses."""
    name, key, device = f"vlan{svi.vlan_id}", vlan_key(svi.vlan_id), f"vni{tunnel.vni}"
    create = f"link add name {name} index {FIRST_INDEX + svi.vlan_id} address {svi.mac} type bridge mcast_snooping 0"
    remove = Lines(svi.vrf, (f"link del dev {name}",))
    yield KernelObject(key, Order.TENANT, Lines(svi.vrf, (create,)), remove, (vrf_key(svi.vrf),))
    flags = f"link set dev {device} type bridge_slave neigh_suppress on learning off"
    yield _member(svi, device, (device, key), flags)
    yield from (_member(svi, member, (f"{member} led", key)) for member in members)
    bridge_lines = (f"link set dev {name} mtu {svi.mtu}", f'link set dev {name} alias "{_quoted(svi.alias)}"')
    configure = Lines(svi.vrf, (*bridge_lines, f"link set dev {name} up"))
    yield KernelObject(f"{name} words", Order.TENANT, configure, Lines(svi.vrf), (key,))
    yield from (_address(name, address, svi.vrf, (key,)) for address in svi.addresses)


def _member(svi: Svi, member: str, needs: tuple[str, str], *extra_lines: str) -> KernelObject:
    name = f"vlan{svi.vlan_id}"
    create = (f"link set dev {member} addrgenmode none master {name}", f"link set dev {member} up", *extra_lines)
    remove = Lines(svi.vrf, (f"link set dev {member} nomaster",))
    return KernelObject(f"{member} of {name}", Order.TENANT, Lines(svi.vrf, create), remove, needs)
