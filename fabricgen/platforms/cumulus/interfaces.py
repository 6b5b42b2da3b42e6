"""Device → NVUE's interfaces: ports and their cages, bonds, VLANs, the single bridge."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Lag, Subinterface, Switching
from fabricgen.platforms.cumulus.keywords import is_renamed
from fabricgen.platforms.cumulus.names import L3_VLANS, natural, quoted, vrf_names
from fabricgen.platforms.cumulus.qos import PortQosContext, port_qos
from fabricgen.platforms.linux.interfaces import addresses, l3_vlans, loopbacks, relay_sources, segment

FEC = {"rs-fec": "rs", "fc-fec": "baser", "none": "off", "": ""}
"""Values of `link fec` (NVUE reference, Interface; Switch Port Attributes)."""
EIGHTH = 8
"""Parts of a cage that need its neighbor's lanes: the next cage is turned off."""
_PART = re.compile(r"(swp(\d+))s\d+")


class CageContext(NamedTuple):
    """A divided cage: `mode` such as 4x, and lanes per part; `disabled` if it gives its lanes to its neighbor."""

    name: str
    mode: str
    lanes: str


class IpContext(NamedTuple):
    """What is below one key of a routed interface. An empty field writes no line."""

    key: str
    addresses: tuple[InterfaceAddress, ...]
    gateway: str
    vrf: str


class RoutedContext(NamedTuple):
    """Addresses and VRF of an interface; the VRF is beside the addresses or, until 5.14, below their key."""

    ip: tuple[IpContext, ...]
    vrf: str


class PortContext(NamedTuple):
    """A front port. An empty or zero field writes no line; `lanes` only for an undivided cage.

    mac_limit  limit of learned MAC addresses, 0 for a bond member: the system does not limit bonds
    watched    queues whose depth is counted; `threshold` is the setting of each
    """

    name: str
    description: str
    routed: RoutedContext
    switching: Switching | None
    speed: str
    lanes: str
    fec: str
    mtu: int
    down: bool
    uplink: bool
    adaptive: bool
    mac_limit: int
    watched: tuple[int, ...]
    threshold: str
    qos: PortQosContext | None


class BondContext(NamedTuple):
    """A bond towards one server; `esi` in pairs of digits, empty if it is no Ethernet segment.

    preference  for the election of the designated forwarder; 0 for the switch's default, 32767
    """

    name: str
    description: str
    row: Lag
    esi: str
    preference: int


class SviContext(NamedTuple):
    """A routed VLAN of the bridge with the anycast gateway's addresses and MAC."""

    vlan_id: int
    description: str
    routed: RoutedContext
    mac: str
    mtu: int


class SubinterfaceContext(NamedTuple):
    """A VLAN subinterface of a port, routed in a VRF."""

    name: str
    description: str
    row: Subinterface
    routed: RoutedContext


class VrfLink(NamedTuple):
    """A tenant's VRF: its L3 VNI, the VLAN of that here, and the source address of its relays."""

    tenant: str
    name: str
    vni: int
    vlan_id: int
    addresses: tuple[InterfaceAddress, ...]


def vrf_links(device: Device) -> tuple[VrfLink, ...]:
    """Every tenant VRF of a switch, by name."""
    if device.evpn is None:
        return ()
    vlans, names = l3_vlans(device.evpn, L3_VLANS), vrf_names(device)
    sources = relay_sources(device)
    rows = [VrfLink(v.name, names[v.name], v.vni, vlans[v.name], sources.get(v.name, ())) for v in device.evpn.vrfs]
    return tuple(sorted(rows, key=lambda row: row.name))


def _routed(device: Device, addresses: tuple[InterfaceAddress, ...], vrf: str, gateway: str = "") -> RoutedContext:
    """Addresses and VRF of an interface in the words of a switch's release."""
    if not is_renamed(device.version):
        return RoutedContext((IpContext("ip", addresses, gateway, vrf),) if addresses or vrf else (), "")
    families = {"ipv4": [row for row in addresses if ":" not in row], "ipv6": [row for row in addresses if ":" in row]}
    gateways = {"ipv6" if ":" in gateway else "ipv4": gateway}
    return RoutedContext(
        tuple(IpContext(key, tuple(rows), gateways.get(key, ""), "") for key, rows in families.items() if rows),
        vrf,
    )


def management_port(device: Device) -> RoutedContext:
    """The management port's address, gateway and VRF."""
    row = device.management
    return _routed(device, (row.address,), "mgmt", row.gateway)


def loopback_port(device: Device) -> RoutedContext:
    """Addresses of `lo`."""
    return _routed(device, loopbacks(device), "")


def cages(device: Device) -> tuple[CageContext, ...]:
    """Divided cages, and cages that are turned off because their neighbor is divided into eight."""
    by_name: dict[str, CageContext] = {}
    for row in (*device.interfaces.ethernet, *device.interfaces.idle):
        part = _PART.fullmatch(row.name)
        if part is None or row.profile.parts == 1:
            continue
        parts = row.profile.parts
        by_name[part[1]] = CageContext(part[1], f"{parts}x", str(row.profile.lanes))
        if parts == EIGHTH:
            name = f"swp{int(part[2]) + 1}"
            by_name.setdefault(name, CageContext(name, "disabled", ""))
    return tuple(sorted(by_name.values(), key=lambda cage: natural(cage.name)))


def ports(device: Device) -> Iterator[PortContext]:
    """Front ports in panel order. A bond member has no switching of its own: the bond has it."""
    names = vrf_names(device)
    rows = [*device.interfaces.ethernet, *device.interfaces.idle]
    for row in sorted(rows, key=lambda row: natural(row.name)):
        profile, qos = row.profile, port_qos(device, row)
        # Setting of a watched queue: octets above which its depth is logged, or nothing.
        monitor = device.telemetry.queue_monitor
        yield PortContext(
            name=row.name,
            description=quoted(row.description),
            routed=_routed(device, addresses(row.ipv4, row.ipv6), names.get(row.vrf, "")),
            switching=None if row.lag else row.switching,
            speed=f"{profile.speed_gbps}G",
            lanes=str(profile.lanes) if profile.parts == 1 else "",
            fec=FEC[profile.fec],
            mtu=0 if row.lag else profile.mtu,
            down=not row.enabled,
            uplink=multihomed(device) and profile.role == "uplink",
            adaptive=_is_adaptive(device, row),
            mac_limit=row.switching.mac_limit if row.switching and not row.lag else 0,
            watched=_watched(device, qos) if row.enabled else (),
            threshold=f"{{threshold: {{action: log, value: {monitor.high}}}}}" if monitor and monitor.high else "{}",
            qos=qos,
        )


RA_GUARD = "RA-GUARD"
"""The list that denies router advertisements."""


def ra_guard(device: Device) -> str:
    """Return the name of the list that ports with RA guard have; empty where none has it."""
    of_ports = [row.switching for row in device.interfaces.ethernet if row.switching]
    of_bonds = [lag.switching for lag in device.interfaces.lags]
    return RA_GUARD if any(switching.ra_guard for switching in (*of_ports, *of_bonds)) else ""


def multihomed(device: Device) -> bool:
    """Whether EVPN multihoming is on: at each end of a tunnel in a fabric that has segments (NVIDIA's advice)."""
    return device.evpn is not None and device.evpn.multihomed


def _is_adaptive(device: Device, row: Ethernet) -> bool:
    """Whether a port has adaptive routing: outgoing ports of default-VRF routes only; hosts have one port each."""
    return device.load_balancing.mode == "dlb-per-packet" and row.profile.role in ("uplink", "downlink") and not row.vrf


def _watched(device: Device, qos: PortQosContext | None) -> tuple[int, ...]:
    """Queues whose depth is counted: the lossless ones, or best effort if there are none."""
    if device.telemetry.queue_monitor is None:
        return ()
    return qos.lossless if qos else (0,)


def bonds(device: Device) -> Iterator[BondContext]:
    """Bonds by number."""
    for lag in device.interfaces.lags:
        name, esi, preference = segment(device, lag)
        yield BondContext(name, quoted(lag.description), lag, esi, preference)


def subinterfaces(device: Device) -> Iterator[SubinterfaceContext]:
    """Routed VLANs of ports."""
    names = vrf_names(device)
    for row in device.interfaces.subinterfaces:
        yield SubinterfaceContext(
            name=f"{row.parent}.{row.vlan_id}",
            description=quoted(row.description),
            row=row,
            routed=_routed(device, addresses(row.ipv4, row.ipv6), names[row.vrf]),
        )


def svis(device: Device) -> Iterator[SviContext]:
    """Gateways by VLAN."""
    if device.evpn is None:
        return
    names = vrf_names(device)
    for row in device.evpn.gateways:
        yield SviContext(
            vlan_id=row.vlan_id,
            description=quoted(row.description),
            routed=_routed(device, addresses(row.ipv4, row.ipv6), names[row.vrf]),
            mac=device.evpn.gateway_mac,
            mtu=row.mtu,
        )
