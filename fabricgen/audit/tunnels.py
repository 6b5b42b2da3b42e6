"""Where a packet of a tenant may leave one tunnel and enter another: a way up again behind a way down.

A leaf takes a packet out of its tunnel and looks it up in the tenant's VRF. It should be for a server of the leaf. It
goes on to another leaf if the VRF has another route for it: a static one, or one of a leaf that announces a prefix
around, inside of or equal to the leaf's own.
"""

from collections.abc import Iterator
from ipaddress import ip_interface, ip_network
from itertools import product
from typing import NamedTuple

from fabricgen.audit.onward import DISCARD, port_to
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.views import At, InstanceView, Network, SwitchView, nested


class Relay(NamedTuple):
    """A switch that may send on to another one what came to it by a tunnel, and the line that lets it."""

    switch: str
    far: str
    at: At


class _Route(NamedTuple):
    """A prefix that a switch announces in a tenant's VRF."""

    switch: SwitchView
    vrf: InstanceView


def relays(site: SiteView, fabric: str, *, bridged: bool = True) -> Iterator[Relay]:
    """Every relay of a fabric. Import policies count as letting everything in.

    bridged  count what two leaves do that bridge one network: they know its servers by host routes, and packets turn
             only while one is missing
    """
    leaves = [switch for switch in site.fabrics.get(fabric, ()) if switch.vtep]
    by_network = _by_network(leaves)
    for network, wide in nested(by_network):
        for route, other in product(by_network[network], by_network[wide]):
            if not bridged and network == wide and _bridges(route, network) and _bridges(other, network):
                continue
            yield from _between(route, network, other, wide.prefixlen)
    yield from _by_static_routes(leaves)


def _by_network(leaves: list[SwitchView]) -> dict[Network, list[_Route]]:
    by_network: dict[Network, list[_Route]] = {}
    for switch in leaves:
        vrfs = {vrf.name: vrf for vrf in switch.vrfs if vrf.vni}
        for name, prefix in switch.networks:
            if name in vrfs:
                by_network.setdefault(ip_network(prefix), []).append(_Route(switch, vrfs[name]))
    return by_network


def _between(route: _Route, network: Network, wide: _Route, length: int) -> Iterator[Relay]:
    """Both ways between two switches, one of which announces a prefix in that of the other one, or the same."""
    if route.switch.name == wide.switch.name:
        return
    if _takes(route, wide) and _discarded(route, network) < length:
        yield Relay(route.switch.name, wide.switch.name, route.vrf.at)
    if _takes(wide, route) and _discarded(wide, network) < network.prefixlen:
        yield Relay(wide.switch.name, route.switch.name, wide.vrf.at)


def _takes(route: _Route, other: _Route) -> bool:
    return bool(route.vrf.imports & other.vrf.exports)


def _bridges(route: _Route, network: Network) -> bool:
    """Whether the network is a VLAN of the leaf: it has its gateway."""
    return any(
        gateway.vrf == route.vrf.name and any(ip_interface(address).network == network for address in gateway.addresses)
        for gateway in route.switch.gateways
    )


def _discarded(route: _Route, network: Network) -> int:
    """Length of the longest prefix around a network that the VRF discards; -1: none."""
    return max(
        (
            wide.prefixlen
            for (vrf, prefix), (next_hop, _) in route.switch.statics.items()
            if vrf == route.vrf.name and next_hop == DISCARD
            if (wide := ip_network(prefix)).version == network.version and network.subnet_of(wide)  # type: ignore[arg-type]
        ),
        default=-1,
    )


def _by_static_routes(leaves: list[SwitchView]) -> Iterator[Relay]:
    """A static route of a tenant that leads to none of the leaf's own ports may lead to any other leaf."""
    for switch in leaves:
        for (vrf, _), (next_hop, at) in switch.statics.items():
            instance = next((row for row in switch.vrfs if row.name == vrf and row.vni), None)
            if instance is None or next_hop == DISCARD or port_to(switch, vrf, next_hop):
                continue
            for other in leaves:
                if other.name != switch.name and any(row.exports & instance.imports for row in other.vrfs):
                    yield Relay(switch.name, other.name, at)
