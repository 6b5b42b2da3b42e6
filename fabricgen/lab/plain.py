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
from fabricgen.lab.place import Space
from fabricgen.lab.shell import Shell
from fabricgen.lab.spaces import apply_settings, make_vrf, parse_settings
from fabricgen.platforms.frr_links import PortStanza, Svi, Tunnel, VrfDevice, ports, svis, tunnels, vrf_devices

VXLAN_PORT = 4789
FIRST_INDEX = 10000
"""Index of the interface of VLAN 0: far above those that the kernel counts up to."""


def build(shell: Shell, device: Device, files: Mapping[str, str], space: Space) -> tuple[str, ...]:
    """Make everything but the front ports, which are there, and bring all up. Settings that the kernel lacks.

    files  the switch's rendered files
    """
    settings = parse_settings(files["sysctl.conf"])
    missing = apply_settings(shell, space.enter(), settings, doing=f"settings of {device.name}")
    vrfs = vrf_devices(device)
    for vrf in vrfs:
        make_vrf(shell, space, vrf.name)
    shell.batch(space, _underlay(device), doing=f"ports of {device.name}")
    for vrf in vrfs:
        words = space.enter_vrf(vrf.name)
        apply_settings(shell, words, settings, doing=f"settings of {device.name}")
        text = "".join(f"{line}\n" for line in _tenant(device, vrf.name))
        shell.must([*words, "ip", "-batch", "-"], text, doing=f"VRF {vrf.name} of {device.name}")
    for importer, vrf in _imports(device):
        for name, lines in ((importer.name, _shown(device, importer, vrf)), (vrf.name, _shared(device, importer, vrf))):
            text = "".join(f"{line}\n" for line in lines)
            shell.must([*space.enter_vrf(name), "ip", "-batch", "-"], text, doing=f"imports of {device.name}")
    return missing


def _underlay(device: Device) -> Iterator[str]:
    """Lines of the switch's own namespace; what belongs to a tenant is handed over."""
    for loopback in device.interfaces.loopbacks:
        if not loopback.vrf:
            yield from (f"address add {found} dev lo" for found in (loopback.ipv4, loopback.ipv6) if found)
    for port in ports(device):
        yield from _port(port)
    yield from _tunnels(device)
    yield from _server_ports(device)


def _port(port: PortStanza) -> Iterator[str]:
    yield f'link set dev {port.name} alias "{_quoted(port.alias)}"'
    yield from (f"address add {address} dev {port.name}" for address in port.addresses)
    yield f"link set dev {port.name} {'down' if port.down else 'up'}"


def _quoted(text: str) -> str:
    return text.replace('"', "'")


def _tunnels(device: Device) -> Iterator[str]:
    if device.evpn is None:
        return
    own = device.evpn
    for tunnel, svi in _pairs(device):
        yield (
            f"link add name vni{tunnel.vni} mtu {own.mtu} type vxlan id {tunnel.vni} local {own.vtep} "
            f"dstport {VXLAN_PORT} nolearning"
        )
        yield f"link set dev vni{tunnel.vni} netns {svi.vrf}"


def _pairs(device: Device) -> list[tuple[Tunnel, Svi]]:
    """Each tunnel with the routed VLAN that it carries."""
    vrfs = vrf_devices(device)
    found = {svi.vlan_id: svi for svi in svis(device, vrfs)}
    return [(tunnel, found[tunnel.vlan_id]) for tunnel in tunnels(device, vrfs)]


def _server_ports(device: Device) -> Iterator[str]:
    """Lead each server port into its VLAN: bridged with the near end of a pair whose far end is in the tenant."""
    tenants = {svi.vlan_id: svi.vrf for _, svi in _pairs(device)}
    for port in ports(device):
        if port.switching is None:
            continue
        if port.switching.access_vlan:
            yield from _access_port(port, tenants[port.switching.access_vlan])
        for vlan in port.switching.trunk_vlans:
            yield f"link set dev {port.name}.{vlan} netns {tenants[vlan]}"


def _access_port(port: PortStanza, vrf: str) -> Iterator[str]:
    near, bridge = f"t-{port.name}", f"b-{port.name}"
    yield f"link add name {bridge} mtu {port.mtu} type bridge mcast_snooping 0"
    yield f"link add name {near} mtu {port.mtu} type veth peer name {port.name} mtu {port.mtu} netns {vrf}"
    for name in (bridge, near, port.name):
        yield f"link set dev {name} addrgenmode none"
    for member in (port.name, near):
        yield f"link set dev {member} master {bridge}"
    yield from (f"link set dev {name} up" for name in (near, bridge))


def _tenant(device: Device, vrf: str) -> Iterator[str]:
    """Lines of one tenant's namespace."""
    yield "link set dev lo up"
    for tunnel, svi in _pairs(device):
        if svi.vrf == vrf:
            yield from _vlan(svi, tunnel, _members(device, svi.vlan_id))


def _members(device: Device, vlan: int) -> Iterator[str]:
    for port in ports(device):
        if port.switching and port.switching.access_vlan == vlan:
            yield port.name
        elif port.switching and vlan in port.switching.trunk_vlans:
            yield f"{port.name}.{vlan}"


def _vlan(svi: Svi, tunnel: Tunnel, members: Iterable[str]) -> Iterator[str]:
    name, device = f"vlan{svi.vlan_id}", f"vni{tunnel.vni}"
    yield f"link add name {name} index {FIRST_INDEX + svi.vlan_id} address {svi.mac} type bridge mcast_snooping 0"
    for member in (device, *members):
        yield f"link set dev {member} addrgenmode none master {name}"
        yield f"link set dev {member} up"
    yield f"link set dev {device} type bridge_slave neigh_suppress on learning off"
    yield f"link set dev {name} mtu {svi.mtu}"
    yield f'link set dev {name} alias "{_quoted(svi.alias)}"'
    yield f"link set dev {name} up"
    yield from (f"address add {address} dev {name}" for address in svi.addresses)


def _imports(device: Device) -> Iterator[tuple[VrfDevice, VrfDevice]]:
    """Pairs of VRFs of which the first takes routes from the second."""
    by_tenant = {vrf.tenant: vrf for vrf in vrf_devices(device)}
    for row in device.routing.bgp.vrfs:
        yield from ((by_tenant[row.name], by_tenant[name]) for name in row.imports if name in by_tenant)


def _shown(device: Device, importer: VrfDevice, vrf: VrfDevice) -> Iterator[str]:
    """Lines of a VRF's namespace that show it the routed VLANs of one that it imports from."""
    for name, port, svi in _shared_vlans(device, importer, vrf):
        index = FIRST_INDEX + svi.vlan_id
        near, far = (f"name {name} index {index} mtu {svi.mtu}", f"name {port} mtu {svi.mtu} netns {vrf.name}")
        yield f"link add {near} type veth peer {far}"
        yield f"link set dev {name} up"


def _shared(device: Device, importer: VrfDevice, vrf: VrfDevice) -> Iterator[str]:
    """Lines of the other's namespace: the far ends are ports of its VLANs."""
    for name, port, _ in _shared_vlans(device, importer, vrf):
        yield f"link set dev {port} addrgenmode none master {name}"
        yield f"link set dev {port} type bridge_slave proxy_arp on"
        yield f"link set dev {port} up"


def _shared_vlans(device: Device, importer: VrfDevice, vrf: VrfDevice) -> Iterator[tuple[str, str, Svi]]:
    """Each routed VLAN of a VRF: its interface, the bridge port that leads to the importer, and the VLAN."""
    for _, svi in _pairs(device):
        if svi.vrf == vrf.name:
            yield f"vlan{svi.vlan_id}", f"i{svi.vlan_id}-{importer.vlan_id}", svi
