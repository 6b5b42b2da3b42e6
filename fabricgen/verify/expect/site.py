"""What the expectations of a switch need to know of all others, collected from the Devices, some at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.verify.expect.isolation import Tenancies, forbidden, include, nothing, tenancies
from fabricgen.verify.expect.model import ForbiddenRoute
from fabricgen.verify.expect.paths import Spread, spread
from fabricgen.verify.expect.ports import SERVERS
from fabricgen.verify.expect.server_routes import ServerRoutes, server_routes
from fabricgen.verify.expect.speakers import Same, Speaker, introduction, loopback_owners, speaker


class LeafVni(NamedTuple):
    """An L2 VNI at one leaf."""

    vni: int
    rd: str


class LeafVrf(NamedTuple):
    """A tenant's VRF at one leaf, and the prefixes that it originates there."""

    rd: str
    prefixes: tuple[Prefix, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafOverlay:
    """The overlay of one leaf, as others see it. instances: by VRF."""

    name: str
    fabric: str
    vtep: str
    segments: tuple[LeafVni, ...]
    instances: Mapping[str, LeafVrf]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedSite:
    """All switches in a compact form: some 500 octets each, small enough to send to another process.

    owners    loopback address → switch
    spreads   family → propagation of its routes
    tunnels   by switch
    forbidden (fabric, VRF) → what it must not reach, on any switch
    ports     server → names of its ports
    servers   addresses of NICs that have one behind two leaves
    """

    owners: Mapping[str, str]
    speakers: Mapping[str, Speaker]
    spreads: Mapping[str, Spread]
    tunnels: Mapping[str, LeafOverlay]
    forbidden: Mapping[tuple[str, str], tuple[ForbiddenRoute, ...]]
    ports: Mapping[str, tuple[str, ...]]
    servers: ServerRoutes


class Digest(NamedTuple):
    """Some switches in a compact form, without reference to others. ports: of servers that are cabled to these.

    servers  leaf → addresses that its servers announce
    """

    owners: Mapping[str, str]
    speakers: tuple[Speaker, ...]
    tunnels: Mapping[str, LeafOverlay]
    tenancies: Tenancies
    ports: Mapping[str, frozenset[str]]
    servers: Mapping[str, tuple[Prefix, ...]]


def digest(devices: Sequence[Device]) -> Digest:
    """Reduce some switches to a digest."""
    shared_sets: Same = {}
    port_names: dict[str, set[str]] = {}
    for device in devices:
        for row in device.interfaces.ethernet:
            if row.profile.role in SERVERS:
                port_names.setdefault(row.peer, set()).add(row.peer_port)
    kept = ((server, frozenset(names)) for server, names in port_names.items())
    return Digest(
        owners=loopback_owners(devices),
        speakers=tuple(speaker(device, shared_sets) for device in devices),
        tunnels={device.name: _tunnel(device) for device in devices if device.evpn},
        tenancies=tenancies(devices),
        ports={server: shared_sets.setdefault(names, names) for server, names in kept},
        servers={
            device.name: prefixes
            for device in devices
            if (prefixes := tuple(route.prefix for route in server_routes(device)))
        },
    )


def site_of(digests: Iterable[Digest]) -> ExpectedSite:
    """Merge the digests of all switches; memory grows with switches and servers, not with links."""
    owners: dict[str, str] = {}
    all_speakers: list[Speaker] = []
    tunnels: dict[str, LeafOverlay] = {}
    all_tenancies, ports, shared_sets = nothing(), dict[str, frozenset[str]](), Same()
    servers: dict[Prefix, tuple[str, ...]] = {}
    for part in digests:
        owners |= part.owners
        all_speakers += part.speakers
        tunnels |= part.tunnels
        include(all_tenancies, part.tenancies)
        for server, names in part.ports.items():
            merged = ports.get(server, names) | names
            ports[server] = shared_sets.setdefault(merged, merged)
        for leaf, prefixes in part.servers.items():
            for prefix in prefixes:
                servers[prefix] = (*servers.get(prefix, ()), leaf)
    introduced = introduction(owners, shared_sets)
    speakers = {part.name: introduced(part) for part in all_speakers}
    ordered = {names: tuple(sorted(names)) for names in set(ports.values())}
    return ExpectedSite(
        owners=owners,
        speakers=speakers,
        spreads=spread(speakers),
        tunnels=tunnels,
        forbidden=forbidden(all_tenancies),
        ports={server: ordered[names] for server, names in ports.items()},
        servers=servers,
    )


def make_site(devices: Sequence[Device]) -> ExpectedSite:
    """The site of switches that are all in memory."""
    return site_of([digest(devices)])


def _tunnel(device: Device) -> LeafOverlay:
    evpn = device.evpn
    return LeafOverlay(
        name=device.name,
        fabric=device.fabric,
        vtep=evpn.vtep if evpn else "",
        segments=tuple(LeafVni(vlan.vni, vlan.rd) for vlan in evpn.vlans) if evpn else (),
        instances={
            vrf.name: LeafVrf(vrf.rd, (*vrf.networks_ipv4, *vrf.networks_ipv6)) for vrf in device.routing.bgp.vrfs
        },
    )
