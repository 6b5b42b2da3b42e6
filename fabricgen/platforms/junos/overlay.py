"""The overlay in Junos' terms: a MAC-VRF per VLAN, a VRF per tenant, and DHCP relays."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address
from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn, Vlan
from fabricgen.device.routing import BgpVrf
from fabricgen.platforms.junos.bgp import ExternalContext, external_sessions
from fabricgen.platforms.junos.interfaces import vrf_unit
from fabricgen.platforms.junos.policy import prefix_routes, vrf_target


class MacLimit(NamedTuple):
    """Limit of MAC addresses learned on one interface."""

    interface: str
    limit: int


class MacVrf(NamedTuple):
    """An instance of one VLAN. Access ports belong to the instance, tagged units to its VLAN.

    routed  it has a gateway
    limits  its interfaces with a MAC limit
    """

    row: Vlan
    name: str
    target: str
    ports: tuple[str, ...]
    units: tuple[str, ...]
    routed: bool
    limits: tuple[MacLimit, ...]


class RelayContext(NamedTuple):
    """DHCP servers of one VLAN in one family, and the lo0 unit that is the source address."""

    name: str
    interface: str
    source: str
    servers: tuple[Address, ...]


class VrfContext(NamedTuple):
    """A tenant's instance.

    target     one target if it imports only its own routes; else empty, and `import_map` selects
    leaks      it imports or exports routes of another VRF of this switch
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
    neighbors: tuple[ExternalContext, ...]


def mac_vrfs(device: Device) -> Iterator[MacVrf]:
    """Yield the instances of a switch's VLANs, by VLAN."""
    if device.evpn is None:
        return
    routed = {row.vlan_id for row in device.evpn.gateways}
    rows = [(row.name, row.switching) for row in device.interfaces.ethernet if row.switching and not row.lag]
    switched = rows + [(f"ae{lag.number}", lag.switching) for lag in device.interfaces.lags]
    for vlan in device.evpn.vlans:
        ports = {f"{name}.0": switching for name, switching in switched if switching.access_vlan == vlan.vlan_id}
        units = {
            f"{name}.{vlan.vlan_id}": switching for name, switching in switched if vlan.vlan_id in switching.trunk_vlans
        }
        yield MacVrf(
            row=vlan,
            name=mac_vrf_name(vlan.vlan_id),
            target=vrf_target(vlan.route_target),
            ports=tuple(ports),
            units=tuple(units),
            routed=vlan.vlan_id in routed,
            limits=tuple(
                MacLimit(name, switching.mac_limit)
                for name, switching in (ports | units).items()
                if switching.mac_limit
            ),
        )


def mac_vrf_name(vlan_id: int) -> str:
    """The instance name of a VLAN."""
    return f"MAC-VRF-{vlan_id}"


def vrfs(device: Device) -> Iterator[VrfContext]:
    """Yield the tenant instances of a switch, in the order of the Device."""
    evpn = device.evpn
    if evpn is None:
        return
    vnis = {row.name: row for row in evpn.vrfs}
    leaks = any(vrf.import_map for vrf in device.routing.bgp.vrfs)
    for vrf in device.routing.bgp.vrfs:
        evpn_vrf = vnis[vrf.name]
        target = vrf_target(vrf.export_target)
        learns_ipv6 = any(row.family == "ipv6" for row in vrf.neighbors)
        yield VrfContext(
            row=vrf,
            vni=evpn_vrf.vni,
            ipv6="ipv6" in device.routing.bgp.families or bool(vrf.networks_ipv6) or learns_ipv6,
            target="" if vrf.import_map else target,
            export_target=target,
            prefix_routes=prefix_routes(vrf.name),
            interfaces=(*_interfaces(device, evpn, vrf.name), f"lo0.{vrf_unit(evpn_vrf.id)}"),
            leaks=leaks,
            relays_ipv4=tuple(_relays(evpn, vrf.name, "ipv4")),
            relays_ipv6=tuple(_relays(evpn, vrf.name, "ipv6")),
            neighbors=tuple(external_sessions(vrf)),
        )


def _interfaces(device: Device, evpn: Evpn, vrf: str) -> Iterator[str]:
    """Yield the units of a VRF: routed ports, tagged ones, gateways."""
    yield from (f"{row.name}.0" for row in device.interfaces.ethernet if row.vrf == vrf)
    yield from (f"{sub.parent}.{sub.vlan_id}" for sub in device.interfaces.subinterfaces if sub.vrf == vrf)
    yield from (f"irb.{row.vlan_id}" for row in evpn.gateways if row.vrf == vrf)


def _relays(evpn: Evpn, vrf: str, family: str) -> Iterator[RelayContext]:
    for row in evpn.gateways:
        servers = row.relays_ipv4 if family == "ipv4" else row.relays_ipv6
        if row.vrf == vrf and servers:
            yield RelayContext(f"VLAN-{row.vlan_id}", f"irb.{row.vlan_id}", f"lo0.{row.relay_source}", servers)
