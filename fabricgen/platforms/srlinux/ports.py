"""From the interfaces of a Device to SR Linux's: split cages, ports, subinterfaces, aggregates, loopbacks.

SR Linux routes and bridges on subinterfaces only. Index 0 is a routed port itself; otherwise the index is the VLAN.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import regrouped
from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.interfaces import Ethernet, Lag, PortProfile, Switching
from fabricgen.platforms.srlinux.releases import is_newer

FRAME, TAG = 14, 4
"""Octets of an Ethernet header and of an 802.1Q tag: the MTU of an SR Linux port includes them, but no FCS."""
SMALLEST_FRAME = 1500
"""Octets: a `must` of the port's MTU and of a bridged subinterface's."""
MOST_MACS = 8192
"""Highest limit of a subinterface, for ports without a limit: the default is 250 (the model)."""
ROUTED, BRIDGED = "srl_nokia-interfaces:routed", "srl_nokia-interfaces:bridged"
LOOPBACKS, SYSTEM = "lo0", "system0"
"""Loopbacks by number; and the one whose IPv4 address is the source of every tunnel (`use-system-ipv4-address`)."""
VTEP = 1
"""Number of the loopback that is the VTEP."""
GATEWAYS = "irb0"
CHANNELS = {10: 1, 25: 1, 50: 2, 40: 4, 100: 4, 200: 8, 400: 8, 800: 8}
"""Speed of a whole port in Gb/s → default number of lanes of SR Linux (num-physical-channels, models)."""
SPLIT_CHANNELS = {(2, 50): 4, (4, 10): 4, (4, 25): 4}
"""Parts and speed of a split port → its default number of lanes; 8 for all others."""
RS_25G = "rs-108"
"""Reed-Solomon FEC of a 25G port before 25.3, where rs-528 is that of 100G (srl_nokia-interfaces)."""
PAM4_GBPS = 50
"""Lanes of this speed have the FEC of IEEE 802.3: the models require that none is configured."""


class CageContext(NamedTuple):
    """A split cage. `channels` 0 is SR Linux's default."""

    name: str
    parts: int
    speed: int
    channels: int


class PortContext(NamedTuple):
    """An Ethernet port, `description` as JSON text. Empty texts and zeros are not printed.

    mtu    octets of a frame without FCS
    fec    base-r, rs-528, rs-108 or disabled
    still  it neither accepts nor sends 802.3x pause, which excludes PFC
    limited  some flooded frames are limited; each number is percent, 0: no limit
    """

    name: str
    description: str
    state: str
    mtu: int
    speed: int
    channels: int
    fec: str
    lag: int
    tagged: bool
    broadcast: int
    multicast: int
    unknown_unicast: int
    limited: bool
    sflow: bool
    still: bool


class SubinterfaceContext(NamedTuple):
    """A subinterface. `name` is its interface's; `l2_mtu` or `ip_mtu` is 0, by kind; `tag` 0 is untagged.

    bare       only an IPv6 link-local address, announced by router advertisements
    mac_limit  MAC addresses that are learned on it; 0: SR Linux's default, or none on a routed one
    """

    name: str
    number: int
    kind: str
    description: str
    ip_mtu: int = 0
    l2_mtu: int = 0
    tag: int = 0
    ipv4: str = ""
    ipv6: str = ""
    bare: bool = False
    mac_limit: int = 0


class LagContext(NamedTuple):
    """An aggregate with its system id, and the name of its Ethernet segment; empty `esi` has none."""

    row: Lag
    description: str
    mtu: int
    esi: str


class LoopbackContext(NamedTuple):
    """One subinterface of lo0 or system0. `vrf` is the network instance."""

    name: str
    number: int
    description: str
    ipv4: str
    ipv6: str
    vrf: str


class GatewayContext(NamedTuple):
    """An anycast gateway."""

    row: Gateway
    description: str
    mac: str


def quoted(text: str) -> str:
    """Return text as a JSON string, with its quotes."""
    return json.dumps(text, ensure_ascii=False)


def rows(device: Device) -> tuple[Ethernet, ...]:
    """Return ports with a cable and idle ones."""
    return (*device.interfaces.ethernet, *device.interfaces.idle)


def cages(device: Device) -> tuple[CageContext, ...]:
    """Return split cages, without duplicates."""
    cages_by_name: dict[str, CageContext] = {}
    for row in rows(device):
        profile = row.profile
        if profile.parts > 1:
            name = row.name.rpartition("/")[0]
            default_lanes = SPLIT_CHANNELS.get((profile.parts, profile.speed_gbps), 8)
            lanes = profile.parts * profile.lanes
            cages_by_name[name] = CageContext(
                name, profile.parts, profile.speed_gbps, 0 if lanes == default_lanes else lanes
            )
    return tuple(cages_by_name.values())


def ports(device: Device) -> Iterator[PortContext]:
    """Yield every port, in panel order; what its aggregate configures is not repeated."""
    parents = {row.parent for row in device.interfaces.subinterfaces}
    for row in rows(device):
        profile, switching = row.profile, row.switching
        is_whole = profile.parts == 1
        tagged = row.name in parents or bool(switching and switching.trunk_vlans)
        default_lanes = CHANNELS.get(profile.speed_gbps, profile.lanes)
        yield PortContext(
            name=row.name,
            description=quoted(row.description),
            state="enable" if row.enabled else "disable",
            mtu=frame(profile.mtu, row.name in parents or not profile.routed),
            speed=profile.speed_gbps if is_whole else 0,
            channels=profile.lanes if is_whole and profile.lanes != default_lanes else 0,
            fec=_fec(profile, device.version),
            lag=row.lag,
            tagged=tagged and not row.lag,
            broadcast=switching.broadcast_percent if switching else 0,
            multicast=switching.multicast_percent if switching else 0,
            unknown_unicast=switching.unknown_unicast_percent if switching else 0,
            limited=switching is not None and any(_storms(switching)),
            sflow=profile.sflow,
            still=bool(profile.qos),
        )


def _storms(switching: Switching) -> tuple[int, int, int]:
    return switching.broadcast_percent, switching.multicast_percent, switching.unknown_unicast_percent


def frame(mtu: int, tagged: bool) -> int:
    """Return the octets of the largest frame around an IP packet, at least those that a port accepts."""
    return max(mtu + FRAME + (TAG if tagged else 0), SMALLEST_FRAME)


def fec_word(profile: PortProfile) -> str:
    """Return the value of 25.3 for the configured FEC; "" if the speed leaves no choice."""
    if profile.fec == "rs-fec":
        return "" if profile.speed_gbps // profile.lanes >= PAM4_GBPS else "rs-528"
    return {"fc-fec": "base-r", "none": "disabled"}.get(profile.fec, "")


def _fec(profile: PortProfile, version: str) -> str:
    """Return the value in a release."""
    is_rs_25g = profile.fec == "rs-fec" and profile.speed_gbps == 25
    return RS_25G if is_rs_25g and not is_newer(version) else fec_word(profile)


def subinterfaces(device: Device) -> Iterator[SubinterfaceContext]:
    """Yield subinterfaces of ports and aggregates, without those of loopbacks and gateways."""
    parents = {row.parent for row in device.interfaces.subinterfaces}
    for row in device.interfaces.ethernet:
        if row.profile.routed and row.name not in parents:
            yield SubinterfaceContext(
                name=row.name,
                number=0,
                kind=ROUTED,
                description=quoted(row.description),
                ip_mtu=row.profile.mtu,
                ipv4=row.ipv4,
                ipv6=row.ipv6,
                bare=row.profile.unnumbered,
            )
        elif row.switching and not row.lag:
            yield from _bridged(row.name, row.description, row.switching, row.profile.mtu)
    for lag in device.interfaces.lags:
        yield from _bridged(f"lag{lag.number}", lag.description, lag.switching, lag.mtu)
    for tagged in device.interfaces.subinterfaces:
        yield SubinterfaceContext(
            name=tagged.parent,
            number=tagged.vlan_id,
            kind=ROUTED,
            description=quoted(tagged.description),
            ip_mtu=tagged.mtu,
            tag=tagged.vlan_id,
            ipv4=tagged.ipv4,
            ipv6=tagged.ipv6,
        )


def _bridged(name: str, description: str, switching: Switching, mtu: int) -> Iterator[SubinterfaceContext]:
    for vlan in vlans(switching):
        yield SubinterfaceContext(
            name=name,
            number=vlan,
            kind=BRIDGED,
            description=quoted(description),
            l2_mtu=frame(mtu, tagged=True),
            tag=0 if switching.access_vlan else vlan,
            mac_limit=switching.mac_limit or MOST_MACS,
        )


def vlans(switching: Switching) -> tuple[int, ...]:
    """Return the VLANs of a port: the untagged one only, or the tagged ones."""
    return (switching.access_vlan,) if switching.access_vlan else switching.trunk_vlans


def lags(device: Device) -> Iterator[LagContext]:
    """Yield aggregates by number."""
    for lag in device.interfaces.lags:
        yield LagContext(lag, quoted(lag.description), frame(lag.mtu, tagged=True), regrouped(lag.esi, 2))


def loopbacks(device: Device) -> Iterator[LoopbackContext]:
    """Yield loopbacks: the VTEP's address is on system0, the only source of tunnels; others are on lo0, by number."""
    for row in device.interfaces.loopbacks:
        is_vtep = row.number == VTEP
        yield LoopbackContext(
            name=SYSTEM if is_vtep else LOOPBACKS,
            number=0 if is_vtep else row.number,
            description=quoted(row.description),
            ipv4=row.ipv4,
            ipv6=row.ipv6,
            vrf=row.vrf or "default",
        )


def gateways(device: Device) -> Iterator[GatewayContext]:
    """Yield anycast gateways by VLAN."""
    if device.evpn is not None:
        for row in device.evpn.gateways:
            yield GatewayContext(row, quoted(row.description), device.evpn.gateway_mac)
