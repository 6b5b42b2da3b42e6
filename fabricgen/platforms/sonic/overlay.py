"""The overlay of a SONiC leaf in tables: VLANs, VRFs, VNIs and gateways. Its RDs and route targets are in frr.conf."""

from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn
from fabricgen.device.routing import BgpVrf
from fabricgen.platforms.linux.interfaces import VrfDevice, subinterfaces, svis, tunnels, vrf_devices
from fabricgen.platforms.linux.names import LONGEST_NAME
from fabricgen.platforms.sonic.ports import STEM

SHORT_STEM = "Eth"
MANAGEMENT = "mgmt"
PREFIX = "Vrf_"
"""A VRF's name starts with Vrf (sonic-vrf.yang): table `VRF` refuses any other."""


class VlanContext(NamedTuple):
    """A VLAN, its VNI, and its SVI. `anycast`: its gateway is the same on every leaf.

    vrf  of the SVI; empty if nothing is routed on the VLAN
    mtu  octets of the largest routed packet, 0 if nothing is routed; vlanmgrd's default is 9100
    """

    vlan_id: int
    vni: int
    vrf: str
    anycast: bool
    addresses: tuple[InterfaceAddress, ...]
    mtu: int


class MemberContext(NamedTuple):
    """A port in a VLAN: tagged or untagged."""

    vlan_id: int
    port: str
    mode: str


class SubContext(NamedTuple):
    """A VLAN of a port, routed in a VRF."""

    name: str
    vlan_id: int
    vrf: str
    addresses: tuple[InterfaceAddress, ...]


class OverlayContext(NamedTuple):
    """The whole overlay, by number; `mac` is empty without a gateway."""

    vtep: str
    mac: str
    vrfs: tuple[VrfDevice, ...]
    vlans: tuple[VlanContext, ...]
    members: tuple[MemberContext, ...]
    subinterfaces: tuple[SubContext, ...]


def overlay_words(device: Device, evpn: Evpn) -> OverlayContext:
    """Return the overlay of a leaf whose VRFs already have SONiC's names (`named`). L3 VNIs use VLANs as on Linux."""
    vrfs = vrf_devices(device)
    svis_by_vlan = {row.vlan_id: row for row in svis(device, vrfs)}
    gateways = {row.vlan_id for row in evpn.gateways}
    vlans = []
    for tunnel in tunnels(device, vrfs):
        svi = svis_by_vlan.get(tunnel.vlan_id)
        vrf, svi_addresses, mtu = (svi.vrf, svi.addresses, svi.mtu) if svi else ("", (), 0)
        vlans.append(VlanContext(tunnel.vlan_id, tunnel.vni, vrf, tunnel.vlan_id in gateways, svi_addresses, mtu))
    return OverlayContext(
        vtep=evpn.vtep,
        mac=evpn.gateway_mac if gateways else "",
        vrfs=vrfs,
        vlans=tuple(sorted(vlans)),
        members=_members(device),
        subinterfaces=tuple(
            SubContext(sub_name(row.name), row.row.vlan_id, row.vrf, row.addresses)
            for row in subinterfaces(device, {vrf.tenant: vrf.name for vrf in vrfs})
        ),
    )


def _members(device: Device) -> tuple[MemberContext, ...]:
    members = []
    for row in device.interfaces.ethernet:
        if row.switching is None:
            continue
        if row.switching.access_vlan:
            members.append(MemberContext(row.switching.access_vlan, row.name, "untagged"))
        members += [MemberContext(vlan, row.name, "tagged") for vlan in row.switching.trunk_vlans]
    return tuple(members)


def sub_name(name: str) -> str:
    """Ethernet128.1000 → Eth128.1000: SONiC's short form, if the long one is too long for a Linux device."""
    return name if len(name) <= LONGEST_NAME else name.replace(STEM, SHORT_STEM)


def vrf_name(name: str, vni: int) -> str:
    """A tenant's VRF as SONiC calls it; named after its VNI if the name is too long for a Linux device."""
    prefixed = f"{PREFIX}{name}"
    return prefixed if len(prefixed) <= LONGEST_NAME else f"Vrf{vni}"


def named(device: Device) -> Device:
    """The same switch with SONiC's names of VRFs everywhere; the management VRF is always `mgmt` there."""
    device = _managed(device)
    if device.evpn is None:
        return device
    names = {"": "", **{vrf.name: vrf_name(vrf.name, vrf.vni) for vrf in device.evpn.vrfs}}
    evpn, ports, bgp = device.evpn, device.interfaces, device.routing.bgp
    return device._replace(
        evpn=evpn._replace(
            vrfs=tuple(row._replace(name=names[row.name]) for row in evpn.vrfs),
            vlans=tuple(row._replace(vrf=names[row.vrf]) for row in evpn.vlans),
            gateways=tuple(row._replace(vrf=names[row.vrf]) for row in evpn.gateways),
        ),
        interfaces=ports._replace(
            ethernet=tuple(row._replace(vrf=names[row.vrf]) for row in ports.ethernet),
            subinterfaces=tuple(row._replace(vrf=names[row.vrf]) for row in ports.subinterfaces),
            loopbacks=tuple(row._replace(vrf=names[row.vrf]) for row in ports.loopbacks),
        ),
        routing=device.routing._replace(bgp=bgp._replace(vrfs=tuple(_vrf(row, names) for row in bgp.vrfs))),
    )


def _managed(device: Device) -> Device:
    management_vrf, routing = device.management.vrf, device.routing
    routes = tuple(row._replace(vrf=MANAGEMENT) if row.vrf == management_vrf else row for row in routing.static_routes)
    return device._replace(
        management=device.management._replace(vrf=MANAGEMENT),
        routing=routing._replace(static_routes=routes),
    )


def _vrf(row: BgpVrf, names: dict[str, str]) -> BgpVrf:
    return row._replace(name=names[row.name], imports=tuple(names[name] for name in row.imports if name in names))
