"""Interfaces in Junos' own words: physical ports and their divided cages, aggregates, gateways, loopback units."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.interfaces import Ethernet, Lag, PortProfile, Subinterface, Switching

ETHERNET_HEADER = 14
"""Octets of addresses and type: Junos' MTU of a port counts them, and neither tags nor the check sequence."""
TWO_TAGS = 8
"""Octets that `flexible-vlan-tagging` counts besides, whether there is a tag or not."""
PHYSICAL_MTU = 9216
"""Octets of the largest frame that a port of Juniper's validated designs has (Juniper/jvd at 005ab34)."""
FIRST_VRF_UNIT = 10
"""Unit of lo0 of a VRF: this and the tenant's number, which is also how relays' loopbacks are numbered."""
CLAUSE = {("rs-fec", 100): "fec91", ("rs-fec", 50): "fec108", ("rs-fec", 25): "fec108"}
"""Clause of IEEE 802.3 by speed, where a lane carries 25G. Where it carries more, RS-FEC is the only one there is."""
NRZ_LANE_GBPS = 25


class UnitAddress(NamedTuple):
    """An address of a unit; `primary` is what VXLAN speaks from."""

    address: InterfaceAddress
    primary: bool


class LogicalUnit(NamedTuple):
    """A logical interface. `vlan_id` 0: untagged; `bridged`: a tagged one of a VLAN alone; `mtu` is of IP.

    relayed  a gateway that relays DHCP of IPv4: what it relays is not flooded in the VLAN as well
    """

    number: int
    description: str
    vlan_id: int
    bridged: bool
    access: str
    mtu: int
    inet: bool
    inet6: bool
    ipv4: tuple[UnitAddress, ...]
    ipv6: tuple[UnitAddress, ...]
    mac: str = ""
    relayed: bool = False


class PortContext(NamedTuple):
    """A physical interface, or an aggregate. `mtu` 0 is not printed: of a member its aggregate says it.

    speed, parts  how a cage is driven; both empty on a part of a divided one, whose cage says it
    """

    name: str
    description: str
    disabled: bool
    speed: str
    parts: int
    fec: str
    mtu: int
    tagged: bool
    services: bool
    lag: int
    isolation: bool
    esi: str
    df_preference: int
    system_id: str
    units: tuple[LogicalUnit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InterfaceContext:
    """All interfaces, each tuple in natural order. `aggregates` is how many ae interfaces there may be."""

    ports: tuple[PortContext, ...]
    lags: tuple[PortContext, ...]
    gateways: tuple[LogicalUnit, ...]
    gateway_mtu: int
    loopbacks: tuple[LogicalUnit, ...]
    aggregates: int


def interface_words(device: Device) -> InterfaceContext:
    """Interfaces of one switch as Junos spells them."""
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
    """Name of the cage that a port is of: itself, or the part before the colon."""
    return name.partition(":")[0]


def _ports(device: Device) -> Iterator[PortContext]:
    """Ports in panel order, before the parts of a divided cage the cage."""
    divided = ""
    rows = [*device.interfaces.ethernet, *device.interfaces.idle]
    for row in sorted(rows, key=lambda row: tuple(int(word) for word in row.name.replace(":", "/").split("/")[1:])):
        if ":" in row.name and cage(row.name) != divided:
            divided = cage(row.name)
            yield _cage(divided, row.profile)
        yield _port(device, row)


def _cage(name: str, profile: PortProfile) -> PortContext:
    return PortContext(
        name=name,
        description=f"{profile.parts} x {profile.speed_gbps}G",
        disabled=False,
        speed=f"{profile.speed_gbps}g",
        parts=profile.parts,
        fec="",
        mtu=0,
        tagged=False,
        services=False,
        lag=0,
        isolation=False,
        esi="",
        df_preference=0,
        system_id="",
        units=(),
    )


def _port(device: Device, row: Ethernet) -> PortContext:
    profile = row.profile
    subs = tuple(sub for sub in device.interfaces.subinterfaces if sub.parent == row.name)
    trunk = bool(row.switching and row.switching.trunk_vlans)
    idle = profile.role == "unused"
    return PortContext(
        name=row.name,
        description=row.description,
        disabled=not row.enabled,
        speed="" if ":" in row.name else f"{profile.speed_gbps}g",
        parts=0,
        fec=_fec(profile),
        mtu=0 if row.lag or idle else frame_octets(profile),
        tagged=not row.lag and (bool(subs) or trunk),
        services=not row.lag and trunk,
        lag=row.lag,
        isolation=profile.tracking == "downstream" and not row.lag,
        esi="",
        df_preference=0,
        system_id="",
        units=() if row.lag or idle else tuple(_units(device, row, subs)),
    )


def frame_octets(profile: PortProfile) -> int:
    """MTU of a port as Junos counts it."""
    return profile.mtu + ETHERNET_HEADER + (TWO_TAGS if profile.role == "external" else 0)


def _fec(profile: PortProfile) -> str:
    """Word of `fec`; empty where the switch's own default is what is asked."""
    slow = profile.speed_gbps // profile.lanes <= NRZ_LANE_GBPS
    if profile.fec == "rs-fec":
        return CLAUSE.get((profile.fec, profile.speed_gbps), "") if slow else ""
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
        bridged=False,
        access="",
        mtu=mtu,
        inet=bool(ipv4),
        inet6=bool(ipv6),
        ipv4=_plain(ipv4),
        ipv6=_plain(ipv6),
    )


def _plain(address: InterfaceAddress) -> tuple[UnitAddress, ...]:
    return (UnitAddress(address, primary=False),) if address else ()


def _switched(device: Device, switching: Switching) -> Iterator[LogicalUnit]:
    """One unit for the untagged VLAN, or one for each tagged: a VLAN is an instance of its own, and takes units."""
    names = vlan_names(device)
    empty = _routed(0, 0, "", 0, InterfaceAddress(""), InterfaceAddress(""))
    if switching.access_vlan:
        yield empty._replace(access=names[switching.access_vlan])
    for vlan in switching.trunk_vlans:
        yield empty._replace(number=vlan, vlan_id=vlan, bridged=True)


def vlan_names(device: Device) -> dict[int, str]:
    """Name of each VLAN of the switch."""
    return {vlan.vlan_id: vlan.name for vlan in device.evpn.vlans} if device.evpn else {}


def _lag(device: Device, lag: Lag) -> PortContext:
    # Ten octets apart: 00:00:...; empty stays empty.
    digits = lag.esi.replace(":", "")
    return PortContext(
        name=f"ae{lag.number}",
        description=lag.description,
        disabled=False,
        speed="",
        parts=0,
        fec="",
        mtu=lag.mtu + ETHERNET_HEADER,
        tagged=bool(lag.switching.trunk_vlans),
        services=bool(lag.switching.trunk_vlans),
        lag=0,
        isolation=lag.tracking == "downstream",
        esi=":".join(digits[at : at + 2] for at in range(0, len(digits), 2)),
        df_preference=lag.df_preference,
        system_id=lag.system_id if lag.esi else "",
        units=tuple(_switched(device, lag.switching)),
    )


def _gateway(device: Device, row: Gateway) -> LogicalUnit:
    unit = _routed(row.vlan_id, 0, row.description, row.mtu, row.ipv4, row.ipv6)
    return unit._replace(mac=device.evpn.gateway_mac if device.evpn else "", relayed=bool(row.relays_ipv4))


def _loopbacks(device: Device) -> Iterator[LogicalUnit]:
    """Unit 0 has the router id and the VTEP, for an instance has one unit; each VRF has one of its own."""
    main = [row for row in device.interfaces.loopbacks if not row.vrf]
    four = tuple(UnitAddress(row.ipv4, primary=row.number == 1) for row in main if row.ipv4)
    six = tuple(UnitAddress(row.ipv6, primary=False) for row in main if row.ipv6)
    none = InterfaceAddress("")
    yield _routed(0, 0, "router id, VTEP" if len(main) > 1 else "router id", 0, none, none)._replace(
        inet=bool(four), inet6=bool(six), ipv4=four, ipv6=six
    )
    own = {row.vrf: row for row in device.interfaces.loopbacks if row.vrf}
    for vrf in sorted(device.evpn.vrfs if device.evpn else (), key=lambda found: found.id):
        row = own.get(vrf.name)
        unit = _routed(vrf_unit(vrf.id), 0, row.description if row else f"VRF {vrf.name}", 0, none, none)
        if row is None:
            yield unit._replace(inet=True)
        else:
            yield unit._replace(inet=bool(row.ipv4), inet6=bool(row.ipv6), ipv4=_plain(row.ipv4), ipv6=_plain(row.ipv6))


def vrf_unit(vrf_id: int) -> int:
    """Unit of lo0 of a VRF, by the tenant's number."""
    return FIRST_VRF_UNIT + vrf_id
