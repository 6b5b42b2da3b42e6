"""From Device to the stanzas of ifupdown2: names and numbers that Linux needs and the Device does not have."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn, Vrf
from fabricgen.device.interfaces import Lag, Subinterface, Switching
from fabricgen.platforms.linux.names import SIGNS, device_name

HIGHEST_VLAN = 4094
SPEEDS = frozenset({1, 10, 25, 40, 50, 100, 200, 400})
"""Gbit/s that ifupdown2's `link-speed` takes; it refuses 800 (3.0.0)."""
FEC = {"rs-fec": "rs", "fc-fec": "baser", "none": "off", "": ""}
"""Values of `link-fec` (ifupdown2 3.0.0, addons/ethtool.py: rs, baser, auto, off)."""


class VrfDevice(NamedTuple):
    """A tenant's VRF on Linux: its device, and the VLAN of the bridge that carries its L3 VNI."""

    tenant: str
    name: str
    vni: int
    vlan_id: int


class PortStanza(NamedTuple):
    """A front port. An empty or zero field writes no line; `down` keeps it shut; `vrf`: device of its VRF.

    post_up  the command of the shell that limits its MAC addresses, which ifupdown2 runs when the port is up
    """

    name: str
    alias: str
    speed_mbps: int
    fec: str
    mtu: int
    addresses: tuple[InterfaceAddress, ...]
    down: bool
    switching: Switching | None
    vrf: str = ""
    post_up: str = ""


class BondStanza(NamedTuple):
    """An aggregate towards one server. `post_up`: the command that limits its MAC addresses."""

    name: str
    alias: str
    row: Lag
    post_up: str


class SubStanza(NamedTuple):
    """A VLAN of a port, routed in a VRF."""

    name: str
    alias: str
    row: Subinterface
    addresses: tuple[InterfaceAddress, ...]
    vrf: str


class Svi(NamedTuple):
    """A routed VLAN of the bridge. Without addresses it carries an L3 VNI."""

    vlan_id: int
    alias: str
    mac: str
    mtu: int
    addresses: tuple[InterfaceAddress, ...]
    vrf: str


class Tunnel(NamedTuple):
    """A VXLAN device; `suppress` answers ARP and ND itself, `marks` copies the inner DSCP to the outer header."""

    vni: int
    vlan_id: int
    suppress: bool
    marks: bool = False


class Bridge(NamedTuple):
    """The one VLAN-aware bridge."""

    ports: tuple[str, ...]
    vlan_ids: tuple[int, ...]
    mtu: int


def alias(text: str) -> str:
    """Text that an interfaces file takes as it stands: without the signs that `frr_limits` refuses.

    They come here in a lab alone, which runs FRR in place of a system that can have them.
    """
    return " ".join(SIGNS.sub("", text).split()) or "-"


def addresses(*found: InterfaceAddress) -> tuple[InterfaceAddress, ...]:
    """Those that are there."""
    return tuple(address for address in found if address)


def management_vrf(device: Device) -> str:
    """Device of the management VRF."""
    return device_name(device.management.vrf, "mgmt")


def vrf_devices(device: Device) -> tuple[VrfDevice, ...]:
    """Every tenant VRF of a switch, by device name, as FRR lists them."""
    if device.evpn is None:
        return ()
    vlans = l3_vlans(device.evpn)
    management = management_vrf(device)
    found = []
    for vrf in device.evpn.vrfs:
        other = f"vrf{vrf.vni}"
        name = other if vrf.name == management else device_name(vrf.name, other)
        found.append(VrfDevice(vrf.name, name, vrf.vni, vlans[vrf.name]))
    return tuple(sorted(found, key=lambda row: row.name))


def derived(device: Device) -> dict[str, str]:
    """What a tenant's VRF is given that depends on other parts: on VLANs of networks, on the management VRF's name.

    All else that is derived moves only with facts that cost as much: the bridge's MTU with a port's, the VRFs that are
    leaked from with VRFs that come or go, arguments of relays with gateways.
    """
    rows = vrf_devices(device)
    vlans = {f"L3 VLAN of {row.tenant}": str(row.vlan_id) for row in rows}
    return vlans | {f"VRF device of {row.tenant}": row.name for row in rows}


def l3_vlans(evpn: Evpn) -> dict[str, int]:
    """VLAN of each VRF's L3 VNI on this switch: counted down from the top by the VRF's id, so that it never moves.

    A VRF whose number is a tenant's VLAN here, or below the range, takes the highest that is left.
    """
    taken = {vlan.vlan_id for vlan in evpn.vlans}
    wanted = {vrf.name: HIGHEST_VLAN + 1 - vrf.id for vrf in evpn.vrfs}
    found = {name: vlan for name, vlan in wanted.items() if 1 < vlan <= HIGHEST_VLAN and vlan not in taken}
    left = iter(sorted(set(range(2, HIGHEST_VLAN + 1)) - taken - set(found.values()), reverse=True))
    return {vrf.name: found[vrf.name] if vrf.name in found else next(left) for vrf in _by_id(evpn)}


def _by_id(evpn: Evpn) -> list[Vrf]:
    return sorted(evpn.vrfs, key=lambda vrf: vrf.id)


def ports(device: Device) -> Iterator[PortStanza]:
    """Front ports in panel order. A member of an aggregate is switched by the aggregate."""
    names = {vrf.tenant: vrf.name for vrf in vrf_devices(device)}
    for row in device.interfaces.ethernet:
        profile = row.profile
        speed = profile.speed_gbps * 1000 if profile.speed_gbps in SPEEDS else 0
        yield PortStanza(
            name=row.name,
            alias=alias(row.description),
            speed_mbps=speed,
            fec=FEC[profile.fec],
            mtu=profile.mtu,
            addresses=addresses(row.ipv4, row.ipv6),
            down=not row.enabled,
            switching=None if row.lag else row.switching,
            vrf=names.get(row.vrf, ""),
            post_up=post_up(row.name, row.switching.mac_limit) if row.switching and not row.lag else "",
        )


def guard_table(name: str) -> str:
    """Table of nft that holds the limit of one port."""
    return f"netdev macs-{name}"


def guard(name: str, limit: int) -> str:
    """Commands of nft that let so many source MAC addresses of a port reach its bridge; 0: all of them.

    The bridge of Linux limits what it learns for all ports together, and since 6.7 only (ip-link(8), fdb_max_learned).
    A hook in front of it drops packets of an address that its set has no room for. Addresses leave the set when they
    leave the bridge, after 300 s of silence (br_device.c, BR_DEFAULT_AGEING_TIME). Told again, it starts from nothing,
    in one transaction (nft(8)).
    """
    table = guard_table(name)
    none = f"add table {table}; delete table {table}"
    if not limit:
        return none
    return "; ".join(
        (
            none,
            f"add table {table}",
            f"add set {table} seen {{ type ether_addr; size {limit}; flags dynamic,timeout; timeout 300s; }}",
            f"add chain {table} in {{ type filter hook ingress device {name} priority 0; }}",
            f"add rule {table} in update @seen {{ ether saddr }} accept",
            f"add rule {table} in counter drop",
        )
    )


def post_up(name: str, limit: int) -> str:
    """Command of the shell that sets the limit of a port, or takes one away that is there.

    A kernel without hooks in front of ports (CONFIG_NF_TABLES_NETDEV), or a system without nft, has no limit to take.
    """
    if limit:
        return f"nft '{guard(name, limit)}'"
    table = guard_table(name)
    return f"if nft list table {table} >/dev/null 2>&1; then nft delete table {table}; fi"


def bonds(device: Device) -> Iterator[BondStanza]:
    """Aggregates by number."""
    for lag in device.interfaces.lags:
        name = bond_name(lag)
        yield BondStanza(name, alias(lag.description), lag, post_up(name, lag.switching.mac_limit))


def bond_name(lag: Lag) -> str:
    """Device of an aggregate."""
    return f"bond{lag.number}"


def subinterfaces(device: Device, names: dict[str, str]) -> Iterator[SubStanza]:
    """Routed VLANs of ports. `names`: tenant → device of its VRF."""
    for row in device.interfaces.subinterfaces:
        yield SubStanza(
            name=f"{row.parent}.{row.vlan_id}",
            alias=alias(row.description),
            row=row,
            addresses=addresses(row.ipv4, row.ipv6),
            vrf=names[row.vrf],
        )


def tunnels(device: Device, vrfs: tuple[VrfDevice, ...]) -> Iterator[Tunnel]:
    """VXLAN devices: L2 VNIs by VLAN, then L3 VNIs."""
    marks = device.evpn is not None and device.evpn.marks
    if device.evpn is not None:
        for vlan in device.evpn.vlans:
            yield Tunnel(vlan.vni, vlan.vlan_id, suppress=True, marks=marks)
    for vrf in vrfs:
        yield Tunnel(vrf.vni, vrf.vlan_id, suppress=False, marks=marks)


def svis(device: Device, vrfs: tuple[VrfDevice, ...]) -> Iterator[Svi]:
    """Gateways by VLAN, all with the anycast MAC; then L3 VNIs, with a MAC of the switch's own: its router MAC.

    The address that a VRF's relays speak from stands on the VLAN of its L3 VNI, where answers from elsewhere come in.
    """
    evpn = device.evpn
    if evpn is None:
        return
    names = {vrf.tenant: vrf.name for vrf in vrfs}
    for row in evpn.gateways:
        yield Svi(
            vlan_id=row.vlan_id,
            alias=alias(row.description),
            mac=evpn.gateway_mac,
            mtu=row.mtu,
            addresses=addresses(row.ipv4, row.ipv6),
            vrf=names[row.vrf],
        )
    mac = router_mac(evpn.vtep)
    sources = {row.vrf: addresses(row.ipv4, row.ipv6) for row in device.interfaces.loopbacks if row.vrf}
    for vrf in vrfs:
        yield Svi(vrf.vlan_id, f"L3 VNI {vrf.vni}", mac, evpn.mtu, sources.get(vrf.tenant, ()), vrf.name)


def router_mac(vtep: str) -> str:
    """Locally administered MAC of a VTEP, unique as its IPv4 address is."""
    return "02:00:" + ":".join(f"{int(octet):02x}" for octet in vtep.split("."))


def bridge(device: Device, vrfs: tuple[VrfDevice, ...]) -> Bridge | None:
    """The bridge over aggregates, single server ports and VXLAN devices; None without a VTEP."""
    if device.evpn is None:
        return None
    found = tuple(tunnels(device, vrfs))
    members = [bond_name(lag) for lag in device.interfaces.lags]
    members += [row.name for row in device.interfaces.ethernet if row.switching is not None and not row.lag]
    members += [f"vni{tunnel.vni}" for tunnel in found]
    mtus = [row.profile.mtu for row in device.interfaces.ethernet]
    return Bridge(tuple(members), tuple(sorted(t.vlan_id for t in found)), max(mtus, default=device.evpn.mtu))
