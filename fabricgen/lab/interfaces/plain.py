"""Interfaces of a switch on a kernel without VRF devices, VLAN-aware bridge and 802.1Q: from the Device, by hand.

A network namespace stands for each tenant's VRF, and in it a bridge `vlanN` for each VLAN: it has the gateway's
address and MAC, and the VXLAN device `vniN` as a port. The tunnel's own socket stays in the switch. Server ports stay
in the switch too, where LLDP and operators look for them; a pair of bridges' ports leads each into its VLAN.

A route that one VRF takes from another leaves by an interface of the other. With VRF devices both are in one namespace;
FRR hands the kernel the interface's index, whatever the namespace. So every routed VLAN has an index that no other has
on the switch, and stands under the same name and index in the VRFs that import from its own: there it is an end of a
pair whose other end is a port of the VLAN. The bridge answers for far tunnel ends, whose MACs only its own VRF has.
"""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.device.device import Device
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
    """Everything but the front ports and what stands for tagged VLANs of servers: those are cables."""
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
    """Pairs of VRFs of which the first takes routes from the second."""
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
    """Units of the switch's own namespace; what belongs to a tenant is handed over."""
    for loopback in device.interfaces.loopbacks:
        if not loopback.vrf:
            yield from (_address("lo", found) for found in (loopback.ipv4, loopback.ipv6) if found)
    for port in ports(device):
        # Name and size are set again without taking the port down; one that leaves the file is taken down.
        words = (f'link set dev {port.name} mtu {port.mtu} alias "{_quoted(port.alias)}"',)
        yield KernelObject(f"{port.name} words", Order.UNDERLAY, Lines("", words), Lines(""))
        yield from (_address(port.name, address) for address in port.addresses if not port.vrf)
        up, down = (Lines("", (f"link set dev {port.name} {state}",)) for state in ("up", "down"))
        if port.down:
            yield KernelObject(f"{port.name} down", Order.UNDERLAY, down, Lines(""))
        else:
            yield KernelObject(f"{port.name} up", Order.UNDERLAY, up, down)
    yield from (_guard(port.name, port.switching.mac_limit) for port in ports(device) if port.switching)
    if device.evpn is not None:
        yield from (_tunnel(tunnel, svi, device.evpn.vtep, device.evpn.mtu) for tunnel, svi in carried)
    yield from _led(device, {svi.vlan_id: svi.vrf for _, svi in carried})


def _led(device: Device, tenants: Mapping[int, str]) -> Iterator[KernelObject]:
    """Units of ports that lead into tenants' namespaces. tenants: VLAN → VRF."""
    for port in ports(device):
        if port.vrf and not port.down:
            # Lead a routed port into its VRF, where its other half has the addresses.
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


def _guard(name: str, limit: int) -> KernelObject:
    """The limit of a port's MAC addresses; without one, all are let through."""
    made, gone = Lines("", (guard(name, limit),), NFT), Lines("", (guard(name, 0),), NFT)
    return KernelObject(f"{name} MACs", Order.UNDERLAY, made, gone)


def _quoted(text: str) -> str:
    return text.replace('"', "'")


def _tunnel(tunnel: Tunnel, svi: Svi, vtep: str, mtu: int) -> KernelObject:
    name = f"vni{tunnel.vni}"
    made = (
        f"link add name {name} mtu {mtu} type vxlan id {tunnel.vni} local {vtep} dstport {VXLAN_PORT} nolearning"
        + (" tos inherit" if tunnel.marks else ""),
        f"link set dev {name} netns {svi.vrf}",
    )
    gone = Lines(svi.vrf, (f"link del dev {name}",))
    return KernelObject(name, Order.UNDERLAY, Lines("", made), gone, (vrf_key(svi.vrf),))


def _pairs(device: Device) -> list[tuple[Tunnel, Svi]]:
    """Each tunnel with the routed VLAN that it carries."""
    vrfs = vrf_devices(device)
    found = {svi.vlan_id: svi for svi in svis(device, vrfs)}
    return [(tunnel, found[tunnel.vlan_id]) for tunnel in tunnels(device, vrfs)]


def _access_port(port: PortStanza, vrf: str) -> KernelObject:
    """Lead a server port into its VLAN: bridged with the near end of a pair whose far end is in the tenant."""
    near, bridge = f"t-{port.name}", f"b-{port.name}"
    made = (
        f"link add name {bridge} mtu {port.mtu} type bridge mcast_snooping 0",
        f"link add name {near} mtu {port.mtu} type veth peer name {port.name} mtu {port.mtu} netns {vrf}",
        *(f"link set dev {name} addrgenmode none" for name in (bridge, near, port.name)),
        *(f"link set dev {member} master {bridge}" for member in (port.name, near)),
        *(f"link set dev {name} up" for name in (near, bridge)),
    )
    gone = (
        f"link del dev {near}",
        f"link del dev {bridge}",
        f"link set dev {port.name} addrgenmode eui64",
    )
    return KernelObject(f"{port.name} led", Order.UNDERLAY, Lines("", made), Lines("", gone), (vrf_key(vrf),))


def _tagged_port(name: str, vrf: str) -> KernelObject:
    gone = Lines(vrf, (f"link set dev {name} nomaster", f"link set dev {name} netns {OWN}"))
    made = Lines("", (f"link set dev {name} netns {vrf}",))
    return KernelObject(f"{name} led", Order.UNDERLAY, made, gone, (vrf_key(vrf),))


def _members(device: Device, vlan: int) -> Iterator[str]:
    for port in ports(device):
        if port.switching and port.switching.access_vlan == vlan:
            yield port.name
        elif port.switching and vlan in port.switching.trunk_vlans:
            yield tagged_name(port.name, vlan)


def _vlan(svi: Svi, tunnel: Tunnel, members: Iterable[str]) -> Iterator[KernelObject]:
    """A VLAN's bridge, its members, and what it has itself."""
    name, key, device = f"vlan{svi.vlan_id}", vlan_key(svi.vlan_id), f"vni{tunnel.vni}"
    add = f"link add name {name} index {FIRST_INDEX + svi.vlan_id} address {svi.mac} type bridge mcast_snooping 0"
    gone = Lines(svi.vrf, (f"link del dev {name}",))
    yield KernelObject(key, Order.TENANT, Lines(svi.vrf, (add,)), gone, (vrf_key(svi.vrf),))
    flags = f"link set dev {device} type bridge_slave neigh_suppress on learning off"
    yield _member(svi, device, (device, key), flags)
    yield from (_member(svi, member, (f"{member} led", key)) for member in members)
    words = (f"link set dev {name} mtu {svi.mtu}", f'link set dev {name} alias "{_quoted(svi.alias)}"')
    made = Lines(svi.vrf, (*words, f"link set dev {name} up"))
    yield KernelObject(f"{name} words", Order.TENANT, made, Lines(svi.vrf), (key,))
    yield from (_address(name, address, svi.vrf, (key,)) for address in svi.addresses)


def _member(svi: Svi, member: str, needs: tuple[str, str], *more: str) -> KernelObject:
    name = f"vlan{svi.vlan_id}"
    made = (f"link set dev {member} addrgenmode none master {name}", f"link set dev {member} up", *more)
    gone = Lines(svi.vrf, (f"link set dev {member} nomaster",))
    return KernelObject(f"{member} of {name}", Order.TENANT, Lines(svi.vrf, made), gone, needs)
