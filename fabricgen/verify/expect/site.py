"""What every switch's expectations ask about the others, gathered once from all Devices, some at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.verify.expect.isolation import Tenancies, forbidden, include, nothing, tenancies
from fabricgen.verify.expect.model import ForbiddenRoute
from fabricgen.verify.expect.paths import Spread, spread
from fabricgen.verify.expect.ports import SERVERS
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
    """All switches, boiled down: some 500 octets of each, made to be sent to another process.

    owners    loopback address → switch
    spreads   family → how its routes spread
    tunnels   by switch
    forbidden (fabric, VRF) → what it must not reach, on whatever switch
    ports     server → the names of its ports
    """

    owners: Mapping[str, str]
    speakers: Mapping[str, Speaker]
    spreads: Mapping[str, Spread]
    tunnels: Mapping[str, LeafOverlay]
    forbidden: Mapping[tuple[str, str], tuple[ForbiddenRoute, ...]]
    ports: Mapping[str, tuple[str, ...]]


class Digest(NamedTuple):
    """Some switches, boiled down as far as they tell by themselves. ports: of servers, those cabled to these."""

    owners: Mapping[str, str]
    speakers: tuple[Speaker, ...]
    tunnels: Mapping[str, LeafOverlay]
    tenancies: Tenancies
    ports: Mapping[str, frozenset[str]]


def digest(devices: Sequence[Device]) -> Digest:
    """Walk some switches a few times."""
    same: Same = {}
    found: dict[str, set[str]] = {}
    for device in devices:
        for row in device.interfaces.ethernet:
            if row.profile.role in SERVERS:
                found.setdefault(row.peer, set()).add(row.peer_port)
    kept = ((server, frozenset(names)) for server, names in found.items())
    return Digest(
        owners=loopback_owners(devices),
        speakers=tuple(speaker(device, same) for device in devices),
        tunnels={device.name: _tunnel(device) for device in devices if device.evpn},
        tenancies=tenancies(devices),
        ports={server: same.setdefault(names, names) for server, names in kept},
    )


def site_of(digests: Iterable[Digest]) -> ExpectedSite:
    """Put together what was gathered of all switches; what is kept grows with switches and servers, not with links."""
    owners: dict[str, str] = {}
    found: list[Speaker] = []
    tunnels: dict[str, LeafOverlay] = {}
    held, ports, same = nothing(), dict[str, frozenset[str]](), Same()
    for one in digests:
        owners |= one.owners
        found += one.speakers
        tunnels |= one.tunnels
        include(held, one.tenancies)
        for server, names in one.ports.items():
            every = ports.get(server, names) | names
            ports[server] = same.setdefault(every, every)
    introduced = introduction(owners, same)
    speakers = {one.name: introduced(one) for one in found}
    ordered = {names: tuple(sorted(names)) for names in set(ports.values())}
    return ExpectedSite(
        owners=owners,
        speakers=speakers,
        spreads=spread(speakers),
        tunnels=tunnels,
        forbidden=forbidden(held),
        ports={server: ordered[names] for server, names in ports.items()},
    )


def make_site(devices: Sequence[Device]) -> ExpectedSite:
    """Of switches that are all at hand."""
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
