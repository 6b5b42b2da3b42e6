"""The overlay in Junos' own words: a MAC-VRF for each VLAN, a VRF for each tenant, relays of DHCP."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address
from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn, Vlan
from fabricgen.device.routing import BgpVrf
from fabricgen.platforms.junos.bgp import VrfSpeaker, vrf_speaker
from fabricgen.platforms.junos.interfaces import vrf_unit
from fabricgen.platforms.junos.policy import prefix_routes, vrf_target


class MacLimit(NamedTuple):
    """MAC addresses that are learned of one interface."""

    interface: str
    limit: int


class MacVrf(NamedTuple):
    """An instance of one VLAN. Access ports are the instance's, tagged units its VLAN's.

    routed  it has a gateway
    limits  its interfaces that have a limit of MAC addresses
    """

    row: Vlan
    name: str
    target: str
    ports: tuple[str, ...]
    units: tuple[str, ...]
    routed: bool
    limits: tuple[MacLimit, ...]


class RelayContext(NamedTuple):
    """Servers of one VLAN's relays in one family, and the unit of lo0 that they speak from."""

    name: str
    interface: str
    source: str
    servers: tuple[Address, ...]


class VrfContext(NamedTuple):
    """A tenant's instance.

    targets    one target where it imports its own routes alone; else empty, and `import_map` chooses
    leaks      it takes or gives routes of another VRF of this switch
    """

    row: BgpVrf
    vni: int
    ipv6: bool
    target: str
    export_target: str
    prefix_routes: str
    interfaces: tuple[str, ...]
    leaks: bool
    relays_ipv4: tuple[RelayContext, ...]
    relays_ipv6: tuple[RelayContext, ...]
    speaker: VrfSpeaker


def mac_vrfs(device: Device) -> Iterator[MacVrf]:
    """Instances of the VLANs of a switch, by VLAN."""
    if device.evpn is None:
        return
    routed = {row.vlan_id for row in device.evpn.gateways}
    rows = [(row.name, row.switching) for row in device.interfaces.ethernet if row.switching and not row.lag]
    switched = rows + [(f"ae{lag.number}", lag.switching) for lag in device.interfaces.lags]
    for vlan in device.evpn.vlans:
        ports = {f"{name}.0": how for name, how in switched if how.access_vlan == vlan.vlan_id}
        units = {f"{name}.{vlan.vlan_id}": how for name, how in switched if vlan.vlan_id in how.trunk_vlans}
        yield MacVrf(
            row=vlan,
            name=mac_vrf_name(vlan.vlan_id),
            target=vrf_target(vlan.route_target),
            ports=tuple(ports),
            units=tuple(units),
            routed=vlan.vlan_id in routed,
            limits=tuple(MacLimit(name, how.mac_limit) for name, how in (ports | units).items() if how.mac_limit),
        )


def mac_vrf_name(vlan_id: int) -> str:
    """Name of the instance of a VLAN."""
    return f"MAC-VRF-{vlan_id}"


def vrfs(device: Device) -> Iterator[VrfContext]:
    """Instances of the tenants on a switch, in the order of the Device."""
    evpn = device.evpn
    if evpn is None:
        return
    vnis = {row.name: row for row in evpn.vrfs}
    leaks = any(vrf.import_map for vrf in device.routing.bgp.vrfs)
    for vrf in device.routing.bgp.vrfs:
        own = vnis[vrf.name]
        target = vrf_target(vrf.export_target)
        yield VrfContext(
            row=vrf,
            vni=own.vni,
            ipv6="ipv6" in device.routing.bgp.families or bool(vrf.networks_ipv6) or _learns_ipv6(vrf),
            target="" if vrf.import_map else target,
            export_target=target,
            prefix_routes=prefix_routes(vrf.name),
            interfaces=(*_interfaces(device, evpn, vrf.name), f"lo0.{vrf_unit(own.id)}"),
            leaks=leaks,
            relays_ipv4=tuple(_relays(evpn, vrf.name, "ipv4")),
            relays_ipv6=tuple(_relays(evpn, vrf.name, "ipv6")),
            speaker=vrf_speaker(vrf),
        )


def _learns_ipv6(vrf: BgpVrf) -> bool:
    return any(row.family == "ipv6" for row in vrf.neighbors)


def _interfaces(device: Device, evpn: Evpn, vrf: str) -> Iterator[str]:
    """Units that are in a VRF: routed ports, tagged ones, gateways."""
    yield from (f"{row.name}.0" for row in device.interfaces.ethernet if row.vrf == vrf)
    yield from (f"{sub.parent}.{sub.vlan_id}" for sub in device.interfaces.subinterfaces if sub.vrf == vrf)
    yield from (f"irb.{row.vlan_id}" for row in evpn.gateways if row.vrf == vrf)


def _relays(evpn: Evpn, vrf: str, family: str) -> Iterator[RelayContext]:
    for row in evpn.gateways:
        servers = row.relays_ipv4 if family == "ipv4" else row.relays_ipv6
        if row.vrf == vrf and servers:
            yield RelayContext(f"VLAN-{row.vlan_id}", f"irb.{row.vlan_id}", f"lo0.{row.relay_source}", servers)
