"""From the interfaces of a Device to SR Linux's: cages that are split, ports, subinterfaces, aggregates, loopbacks.

SR Linux routes and bridges on subinterfaces only. Index 0 is a routed port itself; elsewhere the index is the VLAN.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.interfaces import Ethernet, Lag, PortProfile, Switching

FRAME, TAG = 14, 4
"""Octets of an Ethernet header and of an 802.1Q tag: SR Linux counts them in the MTU of a port, and no FCS."""
SMALLEST_FRAME = 1500
"""Octets: a `must` of the port's MTU and of a bridged subinterface's."""
MOST_MACS = 8192
"""Highest limit of a subinterface, for ports that shall have none: 250 when told nothing (the model)."""
ROUTED, BRIDGED = "srl_nokia-interfaces:routed", "srl_nokia-interfaces:bridged"
LOOPBACKS, SYSTEM = "lo0", "system0"
"""Loopbacks by number; and the one whose IPv4 address is the source of every tunnel (`use-system-ipv4-address`)."""
VTEP = 1
"""Number of the loopback that is the VTEP."""
GATEWAYS = "irb0"
CHANNELS = {10: 1, 25: 1, 50: 2, 40: 4, 100: 4, 200: 8, 400: 8, 800: 8}
"""Speed of a whole port in Gb/s → lanes that SR Linux takes when told nothing (num-physical-channels, models)."""
SPLIT_CHANNELS = {(2, 50): 4, (4, 10): 4, (4, 25): 4}
"""Parts and speed of a split port → its lanes when told nothing; 8 for all others."""
PAM4_GBPS = 50
"""Lanes of this speed have the FEC that IEEE 802.3 gives them: the models want nothing configured."""


class CageContext(NamedTuple):
    """A cage split into parts. `channels` 0 is what SR Linux takes by itself."""

    name: str
    parts: int
    speed: int
    channels: int


class PortContext(NamedTuple):
    """An Ethernet port, `description` as JSON text. Empty texts and zeros are not said.

    mtu   octets of a frame without FCS
    fec   base-r, rs-528 or disabled
    still  it takes and sends no 802.3x pause, which excludes PFC
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
    sflow: bool
    still: bool


class SubinterfaceContext(NamedTuple):
    """A subinterface. `name` is its interface's; `l2_mtu` or `ip_mtu` is 0, by kind; `tag` 0 is untagged.

    encapsulated  its interface has tagged subinterfaces, so that each says what it takes
    bare          IPv6 link-local alone, told by router advertisements
    mac_limit     MAC addresses that are learned of it; 0: SR Linux's own limit, or none on what is routed
    """

    name: str
    number: int
    kind: str
    description: str
    ip_mtu: int
    l2_mtu: int
    tag: int
    ipv4: str
    ipv6: str
    bare: bool
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
    """Text as JSON writes it, with its quotes."""
    return json.dumps(text, ensure_ascii=False)


def rows(device: Device) -> tuple[Ethernet, ...]:
    """Ports with a cable and idle ones."""
    return (*device.interfaces.ethernet, *device.interfaces.idle)


def cages(device: Device) -> tuple[CageContext, ...]:
    """Cages that are split, each once."""
    found: dict[str, CageContext] = {}
    for row in rows(device):
        profile = row.profile
        if profile.parts > 1:
            name = row.name.rpartition("/")[0]
            usual = SPLIT_CHANNELS.get((profile.parts, profile.speed_gbps), 8)
            lanes = profile.parts * profile.lanes
            found[name] = CageContext(name, profile.parts, profile.speed_gbps, 0 if lanes == usual else lanes)
    return tuple(found.values())


def ports(device: Device) -> Iterator[PortContext]:
    """Every port, in the order of the panel; what its aggregate says is not said again."""
    parents = {row.parent for row in device.interfaces.subinterfaces}
    for row in rows(device):
        profile, switching = row.profile, row.switching
        whole = profile.parts == 1
        tagged = row.name in parents or bool(switching and switching.trunk_vlans)
        usual = CHANNELS.get(profile.speed_gbps, profile.lanes)
        yield PortContext(
            name=row.name,
            description=quoted(row.description),
            state="enable" if row.enabled else "disable",
            mtu=frame(profile.mtu, row.name in parents or not profile.routed),
            speed=profile.speed_gbps if whole else 0,
            channels=profile.lanes if whole and profile.lanes != usual else 0,
            fec=fec_word(profile),
            lag=row.lag,
            tagged=tagged and not row.lag,
            broadcast=switching.broadcast_percent if switching else 0,
            multicast=switching.multicast_percent if switching else 0,
            sflow=profile.sflow,
            still=bool(profile.qos),
        )


def frame(mtu: int, tagged: bool) -> int:
    """Octets of the largest frame around an IP packet, and no fewer than a port can be told."""
    return max(mtu + FRAME + (TAG if tagged else 0), SMALLEST_FRAME)


def fec_word(profile: PortProfile) -> str:
    """SR Linux's word for the FEC that a port is told; empty where the speed leaves no choice."""
    if profile.fec == "rs-fec":
        return "" if profile.speed_gbps // profile.lanes >= PAM4_GBPS else "rs-528"
    return {"fc-fec": "base-r", "none": "disabled"}.get(profile.fec, "")


def subinterfaces(device: Device) -> Iterator[SubinterfaceContext]:
    """Of ports and aggregates; those of loopbacks and gateways are elsewhere."""
    parents = {row.parent for row in device.interfaces.subinterfaces}
    for row in device.interfaces.ethernet:
        if row.profile.routed and row.name not in parents:
            yield SubinterfaceContext(
                name=row.name,
                number=0,
                kind=ROUTED,
                description=quoted(row.description),
                ip_mtu=row.profile.mtu,
                l2_mtu=0,
                tag=0,
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
            l2_mtu=0,
            tag=tagged.vlan_id,
            ipv4=tagged.ipv4,
            ipv6=tagged.ipv6,
            bare=False,
        )


def _bridged(name: str, description: str, switching: Switching, mtu: int) -> Iterator[SubinterfaceContext]:
    for vlan in vlans(switching):
        tag = 0 if switching.access_vlan else vlan
        limit = switching.mac_limit or MOST_MACS
        yield SubinterfaceContext(
            name,
            vlan,
            BRIDGED,
            quoted(description),
            0,
            frame(mtu, tagged=True),
            tag,
            "",
            "",
            bare=False,
            mac_limit=limit,
        )


def vlans(switching: Switching) -> tuple[int, ...]:
    """VLANs of a port, the untagged one alone."""
    return (switching.access_vlan,) if switching.access_vlan else switching.trunk_vlans


def lags(device: Device) -> Iterator[LagContext]:
    """Aggregates by number."""
    for lag in device.interfaces.lags:
        digits = lag.esi.replace(":", "")
        esi = ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))
        yield LagContext(lag, quoted(lag.description), frame(lag.mtu, tagged=True), esi)


def loopbacks(device: Device) -> Iterator[LoopbackContext]:
    """The VTEP's address is that of system0, for no tunnel has another source; the others are of lo0, by number."""
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
    """Anycast gateways by VLAN."""
    if device.evpn is not None:
        for row in device.evpn.gateways:
            yield GatewayContext(row, quoted(row.description), device.evpn.gateway_mac)
