"""The overlay of one leaf: routes of its tenants' VRFs, its VNIs and their flood lists, EVPN routes by type."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.base.grouping import grouped
from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.routing import BgpVrf
from fabricgen.state.state import EVPN, L2, L3
from fabricgen.verify.expect.model import ExpectedEvpnRoute, ExpectedRoute, ExpectedVni
from fabricgen.verify.expect.paths import reaches
from fabricgen.verify.expect.routes import network
from fabricgen.verify.expect.site import ExpectedSite, LeafOverlay
from fabricgen.verify.expect.speakers import links

HOST_LENGTHS = ("/32", "/128")
FLOODING, PREFIX, SEGMENT, DISCOVERY = 3, 5, 4, 1
"""EVPN route types (RFC 7432 section 7, RFC 9136)."""


class OverlayPeer(NamedTuple):
    """A leaf whose overlay routes this switch receives, and the rank of the path: lower is better."""

    tunnel: LeafOverlay
    rank: int


def fars(device: Device, site: ExpectedSite) -> tuple[OverlayPeer, ...]:
    """Other leaves whose EVPN routes arrive here, by name."""
    this_speaker = site.speakers[device.name]
    paths = reaches(site.spreads[EVPN], this_speaker, links(device, site.owners))
    return tuple(
        OverlayPeer(site.tunnels[name], reach.rank) for name, reach in sorted(paths.items()) if name in site.tunnels
    )


def vnis(device: Device, peers: Iterable[OverlayPeer]) -> Iterator[ExpectedVni]:
    """L2 VNIs with all other VTEPs that have them; L3 VNIs without VTEPs, as they do not flood."""
    if device.evpn is None:
        return
    floods = grouped((segment.vni, far.tunnel.vtep) for far in peers for segment in far.tunnel.segments)
    for vlan in device.evpn.vlans:
        yield ExpectedVni(vlan.vni, L2, vlan.vlan_id, vlan.vrf, tuple(sorted(floods.get(vlan.vni, ()))))
    for vrf in device.evpn.vrfs:
        # The platform chooses the VLAN that carries an L3 VNI.
        yield ExpectedVni(vrf.vni, L3, 0, vrf.name, ())


def tenant_routes(device: Device, peers: tuple[OverlayPeer, ...]) -> Iterator[ExpectedRoute]:
    """Subnets of each VRF and of those it imports: connected here, or over every leaf that announces them.

    Routes learned outside and host routes are not in the plan.
    """
    bgp = device.routing.bgp
    local = {vrf.name: {*vrf.networks_ipv4, *vrf.networks_ipv6} for vrf in bgp.vrfs}
    for vrf in bgp.vrfs:
        for name in (vrf.name, *vrf.imports):
            local_prefixes = local.get(name, set())
            yield from _local(device, vrf.name, name, local_prefixes)
            for prefix, announcers in sorted(_announced(peers, name).items()):
                if prefix not in local_prefixes:
                    yield _remote(vrf, prefix, announcers, bgp.overlay_paths)


def _local(device: Device, vrf: str, name: str, prefixes: Iterable[Prefix]) -> Iterator[ExpectedRoute]:
    """Local subnets of this leaf. Its own host addresses are not in the kernel's main table, so they are left out.

    A route that a VRF imports from another local VRF may leave by any interface.
    """
    links = {network(text) for row in device.interfaces.ethernet if row.vrf for text in (row.ipv4, row.ipv6) if text}
    vlan_of = {
        network(address): row.vlan_id for row in _gateways(device, vrf) for address in (row.ipv4, row.ipv6) if address
    }
    for prefix in sorted(prefixes):
        # Links to NICs are among the host routes of the underlay.
        if not prefix.endswith(HOST_LENGTHS) and prefix not in links:
            width, vlan_id = (1, vlan_of.get(prefix, 0)) if vrf == name else (0, 0)
            about = device.name
            yield ExpectedRoute(vrf, prefix, width, (), (), False, about, about, vlan_id)


def _gateways(device: Device, vrf: str) -> Iterator[Gateway]:
    return (row for row in (device.evpn.gateways if device.evpn else ()) if row.vrf == vrf)


def _announced(peers: Iterable[OverlayPeer], vrf: str) -> Mapping[Prefix, list[OverlayPeer]]:
    """Prefix → the leaves that announce it with the best rank."""
    best: dict[Prefix, list[OverlayPeer]] = {}
    for far in peers:
        instance = far.tunnel.instances.get(vrf)
        for prefix in instance.prefixes if instance else ():
            announcers = best.setdefault(prefix, [far])
            if far.rank < announcers[0].rank:
                best[prefix] = [far]
            elif far is not announcers[0] and far.rank == announcers[0].rank:
                announcers.append(far)
    return best


def _remote(vrf: BgpVrf, prefix: Prefix, announcers: list[OverlayPeer], maximum: int) -> ExpectedRoute:
    vteps = tuple(sorted(far.tunnel.vtep for far in announcers))
    names = [far.tunnel.name for far in announcers]
    about, origin = ", ".join(names), names[0] if len(names) == 1 else ""
    # The switch chooses which of too many equal paths it uses.
    return ExpectedRoute(vrf.name, prefix, min(len(vteps), maximum), (), vteps, False, about, origin)


def evpn_routes(device: Device, site: ExpectedSite, peers: tuple[OverlayPeer, ...]) -> Iterator[ExpectedEvpnRoute]:
    """Own routes, and those of others that are used here; a spine forwards all, so it must have all.

    Not included: type 2, which follows the servers, and the Ethernet segments of other leaves, which follow their
    links.
    """
    own_tunnel = site.tunnels.get(device.name)
    used = _used(device) if own_tunnel else None
    if own_tunnel:
        yield from _routes(own_tunnel, "", None)
        # Own Ethernet segments, while their aggregate is up. The platform chooses their RD.
        for lag in device.interfaces.lags:
            if lag.esi:
                for kind in (DISCOVERY, SEGMENT):
                    yield ExpectedEvpnRoute(kind, "", lag.esi, "", device.name, lag.number)
    for far in peers:
        yield from _routes(far.tunnel, far.tunnel.vtep, used)


def segments(device: Device, site: ExpectedSite, peers: Iterable[OverlayPeer]) -> Mapping[str, int]:
    """Route distinguisher → VNI of the networks of a leaf; RDs that several networks share are left out."""
    own_tunnel = site.tunnels.get(device.name)
    if own_tunnel is None:
        return {}
    used = {segment.vni for segment in own_tunnel.segments}
    rows = {
        row for tunnel in (own_tunnel, *(far.tunnel for far in peers)) for row in tunnel.segments if row.vni in used
    }
    shared = Counter(row.rd for row in rows)
    return {row.rd: row.vni for row in rows if shared[row.rd] == 1}


class _Used(NamedTuple):
    """VNIs and VRFs that a leaf imports."""

    vnis: frozenset[int]
    vrfs: frozenset[str]


def _used(device: Device) -> _Used:
    vlans = device.evpn.vlans if device.evpn else ()
    vrfs = {name for vrf in device.routing.bgp.vrfs for name in (vrf.name, *vrf.imports)}
    return _Used(frozenset(vlan.vni for vlan in vlans), frozenset(vrfs))


def _routes(tunnel: LeafOverlay, next_hop: str, used: _Used | None) -> Iterator[ExpectedEvpnRoute]:
    for segment in tunnel.segments:
        if used is None or segment.vni in used.vnis:
            yield ExpectedEvpnRoute(FLOODING, segment.rd, tunnel.vtep, next_hop, tunnel.name)
    for name, instance in tunnel.instances.items():
        if used is None or name in used.vrfs:
            for prefix in instance.prefixes:
                yield ExpectedEvpnRoute(PREFIX, instance.rd, prefix, next_hop, tunnel.name)
