"""Restrict a switch to a lab: ports and sessions that lead outside the lab are removed, all else remains as planned."""

from collections.abc import Collection, Iterable, Iterator
from ipaddress import ip_interface

from fabricgen.base.addresses import ipv4
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf
from fabricgen.intent.fabric import is_unnumbered, overlay_of
from fabricgen.plan.fabric import FabricPlan, router_id
from fabricgen.resolve.links import FabricLink


def peers(fabric: FabricPlan, links: Iterable[FabricLink]) -> Iterator[str]:
    """Names of a switch's neighbors over kept cables: on each link, and by the loopbacks of connected switches.

    links  its own in both directions, so that both ends of a session are found
    """
    for link in links:
        if is_unnumbered(fabric.fabric.addressing):
            yield link.name
        yield from filter(None, (link.far_ipv4, link.far_ipv6))
        if overlay_of(fabric.fabric) is not None:
            yield ipv4(router_id(fabric, link.far))


def restrict(device: Device, cabled: Collection[str], peers_kept: Collection[str]) -> Device:
    """The switch with the ports of `cabled` and the peers of `kept` only, without outside peers."""
    interfaces, routing = device.interfaces, device.routing
    bgp = routing.bgp
    rows = tuple(row for row in interfaces.ethernet if row.name in cabled)
    neighbors = tuple(row for row in bgp.neighbors if row.peer in peers_kept)
    kept_rows = set(rows)
    removed_networks = {
        str(ip_interface(address).network)
        for row in interfaces.ethernet
        if row.vrf and row not in kept_rows
        for address in (row.ipv4, row.ipv6)
        if address
    }
    vrfs = tuple(_inside(vrf, removed_networks) for vrf in bgp.vrfs)
    return device._replace(
        interfaces=interfaces._replace(ethernet=rows, subinterfaces=(), idle=()),
        routing=routing._replace(bgp=bgp._replace(neighbors=neighbors, vrfs=vrfs)),
    )


def _inside(vrf: BgpVrf, gone: Collection[str]) -> BgpVrf:
    """Return the VRF without its outside peers, and without the links that the lab does not have."""
    four, six = (tuple(net for net in nets if net not in gone) for nets in (vrf.networks_ipv4, vrf.networks_ipv6))
    return vrf._replace(neighbors=(), networks_ipv4=four, networks_ipv6=six)
