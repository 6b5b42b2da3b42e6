"""The overlay of a SONiC leaf in tables: VLANs, VRFs, VNIs and gateways. Its RDs and targets stand in frr.conf."""

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
"""A VRF's name starts with Vrf (sonic-vrf.yang): without it `VRF` takes no row."""


class VlanContext(NamedTuple):
    """A VLAN, its VNI, and what is routed on it: `vrf` is empty where nothing is; `anycast`: as on every leaf.

    mtu  octets of the largest packet that is routed on it, 0 where nothing is; vlanmgrd's own is 9100
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
    """All of it, by number; `mac` is empty where no gateway is."""

    vtep: str
    mac: str
    vrfs: tuple[VrfDevice, ...]
    vlans: tuple[VlanContext, ...]
    members: tuple[MemberContext, ...]
    subinterfaces: tuple[SubContext, ...]


def overlay_words(device: Device, evpn: Evpn) -> OverlayContext:
    """Words for a leaf whose VRFs have SONiC's names already (`named`). L3 VNIs take VLANs as on any Linux leaf."""
    vrfs = vrf_devices(device)
    routed = {row.vlan_id: row for row in svis(device, vrfs)}
    gateways = {row.vlan_id for row in evpn.gateways}
    vlans = []
    for tunnel in tunnels(device, vrfs):
        svi = routed.get(tunnel.vlan_id)
        vrf, found, mtu = (svi.vrf, svi.addresses, svi.mtu) if svi else ("", (), 0)
        vlans.append(VlanContext(tunnel.vlan_id, tunnel.vni, vrf, tunnel.vlan_id in gateways, found, mtu))
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
    found = []
    for row in device.interfaces.ethernet:
        if row.switching is None:
            continue
        if row.switching.access_vlan:
            found.append(MemberContext(row.switching.access_vlan, row.name, "untagged"))
        found += [MemberContext(vlan, row.name, "tagged") for vlan in row.switching.trunk_vlans]
    return tuple(found)


def sub_name(name: str) -> str:
    """Ethernet128.1000 → Eth128.1000: SONiC's short form, where the long one is no name of a Linux device."""
    return name if len(name) <= LONGEST_NAME else name.replace(STEM, SHORT_STEM)


def vrf_name(name: str, vni: int) -> str:
    """A tenant's VRF as SONiC calls it; one that is too long for a Linux device goes by its VNI."""
    wanted = f"{PREFIX}{name}"
    return wanted if len(wanted) <= LONGEST_NAME else f"Vrf{vni}"


def named(device: Device) -> Device:
    """The same switch with SONiC's names of VRFs, wherever one is named; the management VRF is always `mgmt` there."""
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
    wanted, routing = device.management.vrf, device.routing
    routes = tuple(row._replace(vrf=MANAGEMENT) if row.vrf == wanted else row for row in routing.static_routes)
    return device._replace(
        management=device.management._replace(vrf=MANAGEMENT),
        routing=routing._replace(static_routes=routes),
    )


def _vrf(row: BgpVrf, names: dict[str, str]) -> BgpVrf:
    return row._replace(name=names[row.name], imports=tuple(names[name] for name in row.imports if name in names))
