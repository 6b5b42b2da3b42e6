"""The overlay of one leaf: routes of its tenants' VRFs, its VNIs and whom they flood to, EVPN routes by type."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
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
    """A leaf that this switch hears of in the overlay, and how good the way of its routes is: the least is the best."""

    tunnel: LeafOverlay
    rank: int


def fars(device: Device, site: ExpectedSite) -> tuple[OverlayPeer, ...]:
    """Other leaves whose EVPN routes arrive here, by name."""
    own = site.speakers[device.name]
    found = reaches(site.spreads[EVPN], own, links(device, site.owners))
    return tuple(
        OverlayPeer(site.tunnels[name], reach.rank) for name, reach in sorted(found.items()) if name in site.tunnels
    )


def vnis(device: Device, found: Iterable[OverlayPeer]) -> Iterator[ExpectedVni]:
    """L2 VNIs with all the VTEPs that have them too, L3 VNIs without: those flood to nobody."""
    if device.evpn is None:
        return
    floods: dict[int, list[str]] = {}
    for far in found:
        for segment in far.tunnel.segments:
            floods.setdefault(segment.vni, []).append(far.tunnel.vtep)
    for vlan in device.evpn.vlans:
        yield ExpectedVni(vlan.vni, L2, vlan.vlan_id, vlan.vrf, tuple(sorted(floods.get(vlan.vni, ()))))
    for vrf in device.evpn.vrfs:
        # The VLAN that carries an L3 VNI is the platform's own choice.
        yield ExpectedVni(vrf.vni, L3, 0, vrf.name, ())


def tenant_routes(device: Device, found: tuple[OverlayPeer, ...]) -> Iterator[ExpectedRoute]:
    """Subnets of each VRF and of those it imports: connected here, or over every leaf that announces them.

    What is learned outside is not in the plan, and neither are host routes.
    """
    bgp = device.routing.bgp
    local = {vrf.name: {*vrf.networks_ipv4, *vrf.networks_ipv6} for vrf in bgp.vrfs}
    for vrf in bgp.vrfs:
        for name in (vrf.name, *vrf.imports):
            here = local.get(name, set())
            yield from _local(device, vrf.name, name, here)
            for prefix, away in sorted(_announced(found, name).items()):
                if prefix not in here:
                    yield _remote(vrf, prefix, away, bgp.overlay_paths)


def _local(device: Device, vrf: str, name: str, prefixes: Iterable[Prefix]) -> Iterator[ExpectedRoute]:
    """What this leaf has itself. A host address of its own is no route of a kernel's main table, so it is left out.

    What a VRF takes over from one beside it leaves by whatever interface.
    """
    links = {network(found) for row in device.interfaces.ethernet if row.vrf for found in (row.ipv4, row.ipv6) if found}
    own = {
        network(address): row.vlan_id for row in _gateways(device, vrf) for address in (row.ipv4, row.ipv6) if address
    }
    for prefix in sorted(prefixes):
        # Links to NICs are told with the ports.
        if not prefix.endswith(HOST_LENGTHS) and prefix not in links:
            width, vlan_id = (1, own.get(prefix, 0)) if vrf == name else (0, 0)
            about = device.name
            yield ExpectedRoute(vrf, prefix, width, (), (), False, about, about, vlan_id)


def _gateways(device: Device, vrf: str) -> Iterator[Gateway]:
    return (row for row in (device.evpn.gateways if device.evpn else ()) if row.vrf == vrf)


def _announced(found: Iterable[OverlayPeer], vrf: str) -> Mapping[Prefix, list[OverlayPeer]]:
    """Prefix → the leaves that announce it, the best only."""
    best: dict[Prefix, list[OverlayPeer]] = {}
    for far in found:
        instance = far.tunnel.instances.get(vrf)
        for prefix in instance.prefixes if instance else ():
            held = best.setdefault(prefix, [far])
            if far.rank < held[0].rank:
                best[prefix] = [far]
            elif far is not held[0] and far.rank == held[0].rank:
                held.append(far)
    return best


def _remote(vrf: BgpVrf, prefix: Prefix, away: list[OverlayPeer], most: int) -> ExpectedRoute:
    vteps = tuple(sorted(far.tunnel.vtep for far in away))
    names = [far.tunnel.name for far in away]
    about, origin = ", ".join(names), names[0] if len(names) == 1 else ""
    # Which of too many equal paths are taken is the switch's own choice.
    return ExpectedRoute(vrf.name, prefix, min(len(vteps), most), (), vteps, False, about, origin)


def evpn_routes(device: Device, site: ExpectedSite, found: tuple[OverlayPeer, ...]) -> Iterator[ExpectedEvpnRoute]:
    """Own routes, and those of others that are used here; a spine hands on all, so it must have all.

    Not among them: type 2, which follows the servers, and the segments of other leaves, which follow their links.
    """
    own = site.tunnels.get(device.name)
    used = _used(device) if own else None
    if own:
        yield from _routes(own, "", None)
        # Own Ethernet segments, while their aggregate is up. Their RD is the platform's own choice.
        for lag in device.interfaces.lags:
            if lag.esi:
                for kind in (DISCOVERY, SEGMENT):
                    yield ExpectedEvpnRoute(kind, "", lag.esi, "", device.name, lag.number)
    for far in found:
        yield from _routes(far.tunnel, far.tunnel.vtep, used)


def segments(device: Device, site: ExpectedSite, found: Iterable[OverlayPeer]) -> Mapping[str, int]:
    """Route distinguisher → VNI of the networks that a leaf has; one that several networks share tells none apart."""
    own = site.tunnels.get(device.name)
    if own is None:
        return {}
    used = {segment.vni for segment in own.segments}
    rows = {row for tunnel in (own, *(far.tunnel for far in found)) for row in tunnel.segments if row.vni in used}
    shared = Counter(row.rd for row in rows)
    return {row.rd: row.vni for row in rows if shared[row.rd] == 1}


class _Used(NamedTuple):
    """What a leaf imports: VNIs and VRFs."""

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
