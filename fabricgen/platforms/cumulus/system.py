"""Management of a switch in NVUE's terms: accounts, time, logs, relays, sFlow."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address, Ipv4
from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.platforms.cumulus.interfaces import VrfLink
from fabricgen.platforms.cumulus.names import quoted

ROLES = {"network-admin": "system-admin", "network-operator": "nvue-monitor"}
"""Role of the intent → the system's predefined role (User Accounts)."""


class UserContext(NamedTuple):
    """A local user; name and hash quoted for YAML."""

    name: str
    role: str
    password: str


class TacacsServer(NamedTuple):
    """A TACACS+ server and its priority; `is_ipv6` needs an option of its own (511 TACACS)."""

    priority: int
    host: Address
    secret: str
    is_ipv6: bool


class Sampling(NamedTuple):
    """sFlow sampling rate of the ports of one speed: packets per sample."""

    speed: str
    packets: int


class RelayContext(NamedTuple):
    """DHCP relay of one VRF and family.

    downstream  VLANs of clients; upstream: VLAN of the VRF's L3 VNI, where servers' replies come in
    uplinks     ports towards the spines, which the manual's IPv4 relays also listen on
    source      the relay's own IPv4 address, empty for the VLAN's
    """

    vrf: str
    downstream: tuple[int, ...]
    upstream: int
    uplinks: tuple[str, ...]
    servers: tuple[Address, ...]
    source: Address


def users(device: Device) -> tuple[UserContext, ...]:
    """Local users."""
    rows = device.management.users
    return tuple(UserContext(quoted(row.name), ROLES[row.role], quoted(str(row.password))) for row in rows)


def tacacs(device: Device) -> tuple[TacacsServer, ...]:
    """TACACS+ servers in order of priority."""
    config = device.management.tacacs
    if config is None:
        return ()
    rows = enumerate(config.servers, 1)
    return tuple(TacacsServer(priority, host, quoted(str(config.key)), ":" in host) for priority, host in rows)


def samplings(device: Device) -> tuple[Sampling, ...]:
    """One sampling rate for every speed that a port has."""
    sflow = device.management.sflow
    if sflow is None:
        return ()
    speeds = sorted({row.profile.speed_gbps for row in device.interfaces.ethernet})
    return tuple(Sampling(f"speed-{speed}g", sflow.sample) for speed in speeds)


def relays_ipv4(device: Device, vrfs: tuple[VrfLink, ...]) -> Iterator[RelayContext]:
    """IPv4 relays by VRF: every server of a VRF hears every client of it."""
    for vrf, rows in _relaying(device, vrfs):
        asking = [row for row in rows if row.relays_ipv4]
        if asking:
            servers = dict.fromkeys(server for row in asking for server in row.relays_ipv4)
            source = Ipv4(next((address.partition("/")[0] for address in vrf.addresses if ":" not in address), ""))
            downstream = tuple(row.vlan_id for row in asking)
            yield RelayContext(vrf.name, downstream, vrf.vlan_id, _uplinks(device), tuple(servers), source)


def relays_ipv6(device: Device, vrfs: tuple[VrfLink, ...]) -> Iterator[RelayContext]:
    """IPv6 relays by VRF; a VRF has at most one server (limits.py)."""
    for vrf, rows in _relaying(device, vrfs):
        asking = [row for row in rows if row.relays_ipv6]
        if asking:
            servers = dict.fromkeys(server for row in asking for server in row.relays_ipv6)
            yield RelayContext(
                vrf.name, tuple(row.vlan_id for row in asking), vrf.vlan_id, (), tuple(servers), Ipv4("")
            )


def _uplinks(device: Device) -> tuple[str, ...]:
    return tuple(row.name for row in device.interfaces.ethernet if row.profile.role == "uplink")


def _relaying(device: Device, vrfs: tuple[VrfLink, ...]) -> Iterator[tuple[VrfLink, list[Gateway]]]:
    gateways = device.evpn.gateways if device.evpn else ()
    for vrf in vrfs:
        yield vrf, [row for row in gateways if row.vrf == vrf.tenant]
