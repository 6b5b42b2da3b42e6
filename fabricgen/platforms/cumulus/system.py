"""Management of a switch in NVUE's terms: accounts, time, logs, relays, sFlow."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address, Ipv4
from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.management import User
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.cumulus.interfaces import VrfLink
from fabricgen.platforms.cumulus.names import quoted
from fabricgen.platforms.cumulus.releases import RELAY_GROUPS, TACACS_BY_ADDRESS

ROLES = {"network-admin": "system-admin", "network-operator": "nvue-monitor"}
"""Role of the intent → the system's predefined role (User Accounts)."""
SERVER_GROUP = "servers"
"""Name of the one server group of a relay (514 DHCP Relays ad804834)."""


class KeyContext(NamedTuple):
    """A public key of a user, under a name that counts from 1; the key is quoted for YAML."""

    name: str
    key: str
    type: str


class UserContext(NamedTuple):
    """A local user; name and hash quoted for YAML."""

    name: str
    role: str
    password: str
    keys: tuple[KeyContext, ...]


class TacacsServer(NamedTuple):
    """A TACACS+ server; `is_ipv6` needs an option of its own (511 TACACS).

    key       its address or, in 5.11, its priority
    host      its address where the key does not say it; priority: the same
    """

    key: str
    host: str
    priority: str
    secret: str
    is_ipv6: bool


class GnmiContext(NamedTuple):
    """The gNMI server: its certificate quoted for YAML, the management port's address."""

    certificate: str
    address: str
    port: int


class Sampling(NamedTuple):
    """sFlow sampling rate of the ports of one speed: packets per sample."""

    speed: str
    packets: int


class RelayContext(NamedTuple):
    """DHCP relay of one VRF and family.

    downstream  VLANs of clients; upstream: VLAN of the VRF's L3 VNI, where servers' replies come in
    uplinks     ports towards the spines, which the manual's IPv4 relays also listen on until 5.13
    group       name of its server group, which IPv4 relays have from 5.14 on; else empty
    source      the relay's own IPv4 address, empty for the VLAN's
    """

    vrf: str
    downstream: tuple[int, ...]
    upstream: int
    uplinks: tuple[str, ...]
    servers: tuple[Address, ...]
    source: Address
    group: str


def users(device: Device) -> tuple[UserContext, ...]:
    """Local users."""
    rows = device.management.users
    return tuple(
        UserContext(quoted(row.name), ROLES[row.role], quoted(str(row.password)), tuple(_keys(row))) for row in rows
    )


def _keys(user: User) -> Iterator[KeyContext]:
    for number, key in enumerate(user.ssh_keys, 1):
        yield KeyContext(f"key{number}", quoted(key.key), key.type)


def tacacs(device: Device) -> tuple[TacacsServer, ...]:
    """TACACS+ servers in order of priority."""
    config = device.management.tacacs
    if config is None:
        return ()
    secret, by_priority = quoted(str(config.key)), tacacs_by_priority(device.version)
    rows = [(str(priority), host) for priority, host in enumerate(config.servers, 1)]
    return tuple(
        TacacsServer(priority, host, "", secret, ":" in host)
        if by_priority
        else TacacsServer(host, "", priority, secret, ":" in host)
        for priority, host in rows
    )


def tacacs_by_priority(version: str) -> bool:
    """Whether servers are known by their priority, and `enable` turns TACACS+ on (512 What's New 07e14210)."""
    return not is_at_least(version, TACACS_BY_ADDRESS)


def gnmi(device: Device) -> GnmiContext | None:
    """The gNMI server, on the management port's address."""
    row = device.management
    return GnmiContext(quoted(row.gnmi.certificate), row.address.partition("/")[0], row.gnmi.port) if row.gnmi else None


def api_certificate(device: Device) -> str:
    """Name of the certificate of NVUE's API, empty where it shows its own."""
    return quoted(device.management.eapi_certificate) if device.management.eapi_certificate else ""


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
            group = SERVER_GROUP if is_at_least(device.version, RELAY_GROUPS) else ""
            yield RelayContext(vrf.name, downstream, vrf.vlan_id, _uplinks(device), tuple(servers), source, group)


def relays_ipv6(device: Device, vrfs: tuple[VrfLink, ...]) -> Iterator[RelayContext]:
    """IPv6 relays by VRF; a VRF has at most one server (limits.py)."""
    for vrf, rows in _relaying(device, vrfs):
        asking = [row for row in rows if row.relays_ipv6]
        if asking:
            servers = dict.fromkeys(server for row in asking for server in row.relays_ipv6)
            yield RelayContext(
                vrf.name, tuple(row.vlan_id for row in asking), vrf.vlan_id, (), tuple(servers), Ipv4(""), ""
            )


def _uplinks(device: Device) -> tuple[str, ...]:
    return tuple(row.name for row in device.interfaces.ethernet if row.profile.role == "uplink")


def _relaying(device: Device, vrfs: tuple[VrfLink, ...]) -> Iterator[tuple[VrfLink, list[Gateway]]]:
    gateways = device.evpn.gateways if device.evpn else ()
    for vrf in vrfs:
        yield vrf, [row for row in gateways if row.vrf == vrf.tenant]
