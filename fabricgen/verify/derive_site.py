"""What every switch's expectations ask about the others, gathered once from all Devices."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.verify.derive_isolation import forbidden, tenancies
from fabricgen.verify.derive_paths import Spread, spread
from fabricgen.verify.derive_ports import SERVERS
from fabricgen.verify.derive_speakers import Speaker, loopback_owners, speaker
from fabricgen.verify.expected import ForbiddenRoute


class Segment(NamedTuple):
    """An L2 VNI at one leaf."""

    vni: int
    rd: str


class Instance(NamedTuple):
    """A tenant's VRF at one leaf, and the prefixes that it originates there."""

    rd: str
    prefixes: tuple[Prefix, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tunnel:
    """The overlay of one leaf, as others see it. instances: by VRF."""

    name: str
    fabric: str
    vtep: str
    segments: tuple[Segment, ...]
    instances: Mapping[str, Instance]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """All switches, boiled down.

    owners    loopback address → switch
    spreads   family → how its routes spread
    tunnels   by switch
    forbidden (fabric, VRF) → what it must not reach, on whatever switch
    ports     server → the names of its ports
    """

    owners: Mapping[str, str]
    speakers: Mapping[str, Speaker]
    spreads: Mapping[str, Spread]
    tunnels: Mapping[str, Tunnel]
    forbidden: Mapping[tuple[str, str], tuple[ForbiddenRoute, ...]]
    ports: Mapping[str, tuple[str, ...]]


def make_site(devices: Sequence[Device]) -> Site:
    """Walk all switches a few times; what is kept grows with switches, pairs and server ports, not with links."""
    owners = loopback_owners(devices)
    speakers = {device.name: speaker(device, owners) for device in devices}
    return Site(
        owners=owners,
        speakers=speakers,
        spreads=spread(speakers),
        tunnels={device.name: _tunnel(device) for device in devices if device.evpn},
        forbidden=forbidden(tenancies(devices)),
        ports=_ports(devices),
    )


def _tunnel(device: Device) -> Tunnel:
    evpn = device.evpn
    return Tunnel(
        name=device.name,
        fabric=device.fabric,
        vtep=evpn.vtep if evpn else "",
        segments=tuple(Segment(vlan.vni, vlan.rd) for vlan in evpn.vlans) if evpn else (),
        instances={
            vrf.name: Instance(vrf.rd, (*vrf.networks_ipv4, *vrf.networks_ipv6)) for vrf in device.routing.bgp.vrfs
        },
    )


def _ports(devices: Iterable[Device]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for device in devices:
        for row in device.interfaces.ethernet:
            if row.profile.role in SERVERS:
                found.setdefault(row.peer, set()).add(row.peer_port)
    return {server: tuple(sorted(ports)) for server, ports in found.items()}
