"""Interfaces in Junos' terms: physical ports and channelized cages, aggregates, gateways, loopback units."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress, regrouped
from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.interfaces import Ethernet, Lag, PortProfile, Subinterface, Switching

ETHERNET_HEADER = 14
"""Octets of addresses and type, which Junos' MTU of a port includes. It includes neither tags nor the FCS."""
TWO_TAGS = 8
"""Octets that `flexible-vlan-tagging` adds to the MTU, whether frames are tagged or not."""
PHYSICAL_MTU = 9216
"""Octets of the largest port MTU in Juniper's validated designs (Juniper/jvd at 005ab34)."""
FIRST_VRF_UNIT = 10
"""The lo0 unit of a VRF is this plus the tenant's number, by which loopbacks of relays are numbered too."""
CLAUSE = {("rs-fec", 100): "fec91", ("rs-fec", 50): "fec108", ("rs-fec", 25): "fec108"}
"""Clause of IEEE 802.3 by FEC and speed, for lanes of up to 25G. Faster lanes have only one RS-FEC."""
NRZ_LANE_GBPS = 25


class UnitAddress(NamedTuple):
    """An address of a unit; VXLAN uses the `primary` one as source."""

    address: InterfaceAddress
    primary: bool


class LogicalUnit(NamedTuple):
    """A logical interface. `vlan_id` 0: untagged; `bridged`: tagged, for one VLAN; `mtu` is that of IP.

    relayed  the gateway relays IPv4 DHCP, so the VLAN does not flood these packets as well
    """

    number: int = 0
    description: str = ""
    vlan_id: int = 0
    bridged: bool = False
    access: str = ""
    mtu: int = 0
    inet: bool = False
    inet6: bool = False
    ipv4: tuple[UnitAddress, ...] = ()
    ipv6: tuple[UnitAddress, ...] = ()
    mac: str = ""
    relayed: bool = False


class PortContext(NamedTuple):
    """A physical interface, or an aggregate. `mtu` 0 is not printed: a member has the MTU of its aggregate.

    speed, parts  of a cage; both empty on a part of a channelized one, whose cage has them
    """

    name: str
    description: str
    disabled: bool = False
    speed: str = ""
    parts: int = 0
    fec: str = ""
    mtu: int = 0
    tagged: bool = False
    services: bool = False
    lag: int = 0
    isolation: bool = False
    esi: str = ""
    df_preference: int = 0
    system_id: str = ""
    units: tuple[LogicalUnit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InterfaceContext:
    """All interfaces, each tuple in natural order. `aggregates` is the number of ae interfaces to create."""

    ports: tuple[PortContext, ...]
    lags: tuple[PortContext, ...]
    gateways: tuple[LogicalUnit, ...]
    gateway_mtu: int
    loopbacks: tuple[LogicalUnit, ...]
    aggregates: int


def interface_words(device: Device) -> InterfaceContext:
    """The interfaces of one switch in Junos' terms."""
    gateways = device.evpn.gateways if device.evpn else ()
    lags = tuple(_lag(device, lag) for lag in device.interfaces.lags)
    return InterfaceContext(
        ports=tuple(_ports(device)),
        lags=lags,
        gateways=tuple(_gateway(device, row) for row in gateways),
        gateway_mtu=max((row.mtu for row in gateways), default=0) + ETHERNET_HEADER,
        loopbacks=tuple(_loopbacks(device)),
        aggregates=max((row.number for row in device.interfaces.lags), default=-1) + 1,
    )


def cage(name: str) -> str:
    """The name of a port's cage: the port itself, or the part before the colon."""
    return name.partition(":")[0]


def _ports(device: Device) -> Iterator[PortContext]:
    """Yield ports in panel order; a channelized cage comes before its parts."""
    divided = ""
    rows = [*device.interfaces.ethernet, *device.interfaces.idle]
    for row in sorted(rows, key=lambda row: tuple(int(part) for part in row.name.replace(":", "/").split("/")[1:])):
        if ":" in row.name and cage(row.name) != divided:
            divided, profile = cage(row.name), row.profile
            title, speed = f"{profile.parts} x {profile.speed_gbps}G", f"{profile.speed_gbps}g"
            yield PortContext(name=divided, description=title, speed=speed, parts=profile.parts)
        yield _port(device, row)


def _port(device: Device, row: Ethernet) -> PortContext:
    profile = row.profile
    subinterfaces = tuple(sub for sub in device.interfaces.subinterfaces if sub.parent == row.name)
    trunk = bool(row.switching and row.switching.trunk_vlans)
    is_idle = profile.role == "unused"
    return PortContext(
        name=row.name,
        description=row.description,
        disabled=not row.enabled,
        speed="" if ":" in row.name else f"{profile.speed_gbps}g",
        fec=_fec(profile),
        mtu=0 if row.lag or is_idle else frame_octets(profile),
        tagged=not row.lag and (bool(subinterfaces) or trunk),
        services=not row.lag and trunk,
        lag=row.lag,
        isolation=profile.tracking == "downstream" and not row.lag,
        units=() if row.lag or is_idle else tuple(_units(device, row, subinterfaces)),
    )


def frame_octets(profile: PortProfile) -> int:
    """The MTU of a port as Junos counts it."""
    return profile.mtu + ETHERNET_HEADER + (TWO_TAGS if profile.role == "external" else 0)


def _fec(profile: PortProfile) -> str:
    """The value of `fec`; empty if it is the switch's default."""
    is_slow = profile.speed_gbps // profile.lanes <= NRZ_LANE_GBPS
    if profile.fec == "rs-fec":
        return CLAUSE.get((profile.fec, profile.speed_gbps), "") if is_slow else ""
    return {"fc-fec": "fec74", "none": "none"}.get(profile.fec, "")


def _units(device: Device, row: Ethernet, subs: tuple[Subinterface, ...]) -> Iterator[LogicalUnit]:
    if row.switching is not None:
        yield from _switched(device, row.switching)
    elif row.profile.role == "external":
        yield from (_routed(sub.vlan_id, sub.vlan_id, sub.description, sub.mtu, sub.ipv4, sub.ipv6) for sub in subs)
    elif row.profile.routed:
        unit = _routed(0, 0, "", row.profile.mtu, row.ipv4, row.ipv6)
        yield unit._replace(inet=True, inet6=True) if row.profile.unnumbered else unit


def _routed(
    number: int, vlan_id: int, description: str, mtu: int, ipv4: InterfaceAddress, ipv6: InterfaceAddress
) -> LogicalUnit:
    return LogicalUnit(
        number=number,
        description=description,
        vlan_id=vlan_id,
        mtu=mtu,
        inet=bool(ipv4),
        inet6=bool(ipv6),
        ipv4=_plain(ipv4),
        ipv6=_plain(ipv6),
    )


def _plain(address: InterfaceAddress) -> tuple[UnitAddress, ...]:
    return (UnitAddress(address, primary=False),) if address else ()


def _switched(device: Device, switching: Switching) -> Iterator[LogicalUnit]:
    """Yield one unit for the untagged VLAN, or one per tagged VLAN: each VLAN is an instance with its own units."""
    if switching.access_vlan:
        yield LogicalUnit(access=vlan_names(device)[switching.access_vlan])
    for vlan in switching.trunk_vlans:
        yield LogicalUnit(number=vlan, vlan_id=vlan, bridged=True)


def vlan_names(device: Device) -> dict[int, str]:
    """The name of each VLAN of the switch."""
    return {vlan.vlan_id: vlan.name for vlan in device.evpn.vlans} if device.evpn else {}


def _lag(device: Device, lag: Lag) -> PortContext:
    # Junos writes ten octets, 00:00:..., separated by colons; an empty ESI stays empty.
    return PortContext(
        name=f"ae{lag.number}",
        description=lag.description,
        mtu=lag.mtu + ETHERNET_HEADER,
        tagged=bool(lag.switching.trunk_vlans),
        services=bool(lag.switching.trunk_vlans),
        isolation=lag.tracking == "downstream",
        esi=regrouped(lag.esi, 2),
        df_preference=lag.df_preference,
        system_id=lag.system_id if lag.esi else "",
        units=tuple(_switched(device, lag.switching)),
    )


def _gateway(device: Device, row: Gateway) -> LogicalUnit:
    unit = _routed(row.vlan_id, 0, row.description, row.mtu, row.ipv4, row.ipv6)
    return unit._replace(mac=device.evpn.gateway_mac if device.evpn else "", relayed=bool(row.relays_ipv4))


def _loopbacks(device: Device) -> Iterator[LogicalUnit]:
    """Yield the units of lo0. Unit 0 has router id and VTEP, because an instance has one unit; each VRF has its own."""
    default_rows = [row for row in device.interfaces.loopbacks if not row.vrf]
    ipv4 = tuple(UnitAddress(row.ipv4, primary=row.number == 1) for row in default_rows if row.ipv4)
    ipv6 = tuple(UnitAddress(row.ipv6, primary=False) for row in default_rows if row.ipv6)
    title = "router id, VTEP" if len(default_rows) > 1 else default_rows[0].description
    yield LogicalUnit(description=title, inet=bool(ipv4), inet6=bool(ipv6), ipv4=ipv4, ipv6=ipv6)
    vrf_rows = {row.vrf: row for row in device.interfaces.loopbacks if row.vrf}
    for vrf in sorted(device.evpn.vrfs if device.evpn else (), key=lambda vrf_row: vrf_row.id):
        row = vrf_rows.get(vrf.name)
        if row is None:
            yield LogicalUnit(number=vrf_unit(vrf.id), description=f"VRF {vrf.name}", inet=True)
        else:
            yield _routed(vrf_unit(vrf.id), 0, row.description, 0, row.ipv4, row.ipv6)


def vrf_unit(vrf_id: int) -> int:
    """The lo0 unit of a VRF, by the tenant's number."""
    return FIRST_VRF_UNIT + vrf_id
