"""Device → the stanzas of ifupdown2: names and numbers that Linux needs and the Device does not have."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import InterfaceAddress, Ipv4
from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn
from fabricgen.device.interfaces import Lag, Subinterface, Switching
from fabricgen.device.routing import PeerGroup
from fabricgen.platforms.linux.names import SIGNS, device_name

VLANS = range(2, 4095)
"""VLANs of a bridge without VLAN 1, the default one of untagged ports."""
LAST_FORWARDER = 1
"""Least preference of 1 to 65535; the highest is elected (FRR, zebra/zebra_evpn_mh.c, zebra_evpn_es_pref; Cumulus 511
EVPN Multihoming, DF Election)."""
FRR_PREFERENCE = 32767
"""FRR's default preference (EVPN_MH_DF_PREF_DEFAULT, zebra/zebra_evpn_mh.h)."""
SPEEDS = frozenset({1, 10, 25, 40, 50, 100, 200, 400})
"""Gbit/s that ifupdown2's `link-speed` accepts; it refuses 800 (3.0.0)."""
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

    post_up  shell command that limits its MAC addresses; ifupdown2 runs it when the port is up
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
    """A bond towards one server. `post_up`: the command that limits its MAC addresses."""

    name: str
    alias: str
    row: Lag
    post_up: str


class EthernetSegment(NamedTuple):
    """A bond's Ethernet segment: its ten-octet ESI in pairs, empty if the bond is no segment.

    preference  for the election of the designated forwarder; 0 for FRR's own default
    """

    bond: str
    esi: str
    preference: int


class SubStanza(NamedTuple):
    """A VLAN subinterface of a port, routed in a VRF."""

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
    """A VXLAN device. `suppress`: it answers ARP and ND; `marks`: it copies the inner DSCP to the outer header."""

    vni: int
    vlan_id: int
    suppress: bool
    marks: bool = False


class Bridge(NamedTuple):
    """The only bridge, which is VLAN-aware."""

    ports: tuple[str, ...]
    vlan_ids: tuple[int, ...]
    mtu: int


def alias(text: str) -> str:
    """Text that an interfaces file takes unchanged: without the characters that `platforms/frr/limits.py` refuses.

    Such characters arrive only in a lab, which runs FRR in place of a system that allows them.
    """
    return " ".join(SIGNS.sub("", text).split()) or "-"


def addresses(*optional: InterfaceAddress) -> tuple[InterfaceAddress, ...]:
    """The addresses that are not empty."""
    return tuple(address for address in optional if address)


def loopbacks(device: Device) -> tuple[InterfaceAddress, ...]:
    """Addresses of lo, in the order of the Device."""
    return addresses(*(a for row in device.interfaces.loopbacks if not row.vrf for a in (row.ipv4, row.ipv6)))


def relay_sources(device: Device) -> dict[str, tuple[InterfaceAddress, ...]]:
    """Tenant → addresses of its VRF's loopback, from which its relays ask."""
    return {row.vrf: addresses(row.ipv4, row.ipv6) for row in device.interfaces.loopbacks if row.vrf}


def session_source(device: Device, group: PeerGroup) -> Ipv4:
    """Source address of a group's sessions, which run between IPv4 loopbacks; empty for the link's own."""
    rows = [row for row in device.interfaces.loopbacks if row.number == group.update_source]
    return Ipv4(rows[0].ipv4.partition("/")[0] if rows else "")


def management_vrf(device: Device) -> str:
    """Device of the management VRF."""
    return device_name(device.management.vrf, "mgmt")


def vrf_devices(device: Device) -> tuple[VrfDevice, ...]:
    """Every tenant VRF of a switch, by device name, as FRR lists them."""
    if device.evpn is None:
        return ()
    vlans = l3_vlans(device.evpn)
    management = management_vrf(device)
    rows = []
    for vrf in device.evpn.vrfs:
        vni_name = f"vrf{vrf.vni}"
        name = vni_name if vrf.name == management else device_name(vrf.name, vni_name)
        rows.append(VrfDevice(vrf.name, name, vrf.vni, vlans[vrf.name]))
    return tuple(sorted(rows, key=lambda row: row.name))


def derived(device: Device) -> dict[str, str]:
    """Derived values of tenant VRFs that depend on other parts: on VLANs of networks, on the management VRF's name.

    All other derived values change only together with what costs as much: the bridge's MTU with a port's, the VRFs
    that are leaked from with VRFs that come or go, arguments of relays with gateways.
    """
    rows = vrf_devices(device)
    vlans = {f"L3 VLAN of {row.tenant}": str(row.vlan_id) for row in rows}
    return vlans | {f"VRF device of {row.tenant}": row.name for row in rows}


def l3_vlans(evpn: Evpn, vlans: range = VLANS) -> dict[str, int]:
    """VLAN of each VRF's L3 VNI on this switch: counted down from the top by the VRF's id, so that it never changes.

    A VRF whose number is a tenant's VLAN here, or below the range, gets the highest free VLAN.
    """
    free = set(vlans) - {vlan.vlan_id for vlan in evpn.vlans}
    by_id = {vrf.name: vlans.stop - vrf.id for vrf in evpn.vrfs}
    assigned = {name: vlan for name, vlan in by_id.items() if vlan in free}
    unused = iter(sorted(free - set(assigned.values()), reverse=True))
    ordered = sorted(evpn.vrfs, key=lambda vrf: vrf.id)
    return {vrf.name: assigned[vrf.name] if vrf.name in assigned else next(unused) for vrf in ordered}


def ports(device: Device) -> Iterator[PortStanza]:
    """Front ports in panel order. A LAG member has no switching of its own: the LAG has it."""
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
            post_up=post_up(row.name, row.switching) if row.switching and not row.lag else "",
        )


def guard_table(name: str) -> str:
    """Table of nft with the MAC limit and the guard of one port."""
    return f"netdev macs-{name}"


def guard(name: str, limit: int, *, advertisements: bool = True) -> str:
    """Commands of nft that let at most `limit` source MAC addresses of a port reach its bridge; 0: no limit.

    Without `advertisements` router advertisements are dropped, tagged ones too (nft(8), icmpv6 type: 134).

    The bridge of Linux limits what it learns for all ports together, and since 6.7 only (ip-link(8), fdb_max_learned).
    An ingress hook drops packets of an address that its set has no room for. Addresses leave the set when they leave
    the bridge, after 300 s of silence (br_device.c, BR_DEFAULT_AGEING_TIME). Run again, the commands start from an
    empty table, in one transaction (nft(8)).
    """
    table = guard_table(name)
    none = f"add table {table}; delete table {table}"
    if not limit and advertisements:
        return none
    seen = f"add set {table} seen {{ type ether_addr; size {limit}; flags dynamic,timeout; timeout 300s; }}"
    commands = (
        (none, True),
        (f"add table {table}", True),
        (seen, limit > 0),
        (f"add chain {table} in {{ type filter hook ingress device {name} priority 0; }}", True),
        (f"add rule {table} in icmpv6 type nd-router-advert counter drop", not advertisements),
        (f"add rule {table} in update @seen {{ ether saddr }} accept", limit > 0),
        (f"add rule {table} in counter drop", limit > 0),
    )
    return "; ".join(command for command, is_asked in commands if is_asked)


def post_up(name: str, switching: Switching) -> str:
    """Shell command that sets the limit and the guard of a port, or removes existing ones.

    A kernel without ingress hooks of ports (CONFIG_NF_TABLES_NETDEV), or a system without nft, has no limit to remove.
    """
    if switching.mac_limit or switching.ra_guard:
        return f"nft '{guard(name, switching.mac_limit, advertisements=not switching.ra_guard)}'"
    table = guard_table(name)
    return f"if nft list table {table} >/dev/null 2>&1; then nft delete table {table}; fi"


def bonds(device: Device) -> Iterator[BondStanza]:
    """Bonds by number."""
    for lag in device.interfaces.lags:
        name = bond_name(lag)
        yield BondStanza(name, alias(lag.description), lag, post_up(name, lag.switching))


def segment(device: Device, lag: Lag) -> EthernetSegment:
    """The Ethernet segment of a bond. A drained leaf is the last choice as designated forwarder (RFC 9785)."""
    digits = lag.esi.replace(":", "")
    esi = ":".join(digits[start : start + 2] for start in range(0, len(digits), 2))
    last = LAST_FORWARDER if device.state == "drained" else 0
    return EthernetSegment(bond_name(lag), esi, lag.df_preference or last)


def bond_name(lag: Lag) -> str:
    """Device name of a LAG."""
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
    """Gateways by VLAN, all with the anycast MAC; then SVIs of L3 VNIs, with the switch's router MAC.

    The source address of a VRF's relays is on the VLAN of its L3 VNI, where replies from other switches come in.
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
    sources = relay_sources(device)
    for vrf in vrfs:
        yield Svi(vrf.vlan_id, f"L3 VNI {vrf.vni}", mac, evpn.mtu, sources.get(vrf.tenant, ()), vrf.name)


def router_mac(vtep: str) -> str:
    """Locally administered MAC of a VTEP, as unique as its IPv4 address."""
    return "02:00:" + ":".join(f"{int(octet):02x}" for octet in vtep.split("."))


def bridge(device: Device, vrfs: tuple[VrfDevice, ...]) -> Bridge | None:
    """The bridge over bonds, single server ports and VXLAN devices; None without a VTEP."""
    if device.evpn is None:
        return None
    vxlan_devices = tuple(tunnels(device, vrfs))
    members = [bond_name(lag) for lag in device.interfaces.lags]
    members += [row.name for row in device.interfaces.ethernet if row.switching is not None and not row.lag]
    members += [f"vni{tunnel.vni}" for tunnel in vxlan_devices]
    mtus = [row.profile.mtu for row in device.interfaces.ethernet]
    return Bridge(tuple(members), tuple(sorted(t.vlan_id for t in vxlan_devices)), max(mtus, default=device.evpn.mtu))
