"""A switch of a lab: what leads to something outside the lab is taken off, all else stays as planned."""

from collections.abc import Collection, Iterable, Iterator
from ipaddress import ip_interface
from typing import NamedTuple

from fabricgen.addresses import ipv4
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf
from fabricgen.intent.fabric import is_unnumbered, overlay_of
from fabricgen.lab.model import End
from fabricgen.lab.selection import Uplink
from fabricgen.plan.fabric import FabricPlan, name_of, router_id


class Session(NamedTuple):
    """A session as one switch has it: its name, and what it calls its neighbor: an address, or its own port."""

    device: str
    peer: str


def sessions(fabric: FabricPlan, uplinks: Iterable[Uplink]) -> Iterator[Session]:
    """Both ends of every session over the kept cables: on each link, and between loopbacks of joined switches."""
    for lower, link in uplinks:
        own, far = name_of(fabric, lower), link.far_name
        if is_unnumbered(fabric.fabric.addressing):
            yield Session(own, link.name)
            yield Session(far, link.far_port)
        for near, peer in ((link.ipv4, link.far_ipv4), (link.ipv6, link.far_ipv6)):
            if near:
                yield Session(own, peer)
                yield Session(far, near.partition("/")[0])
        if overlay_of(fabric.fabric) is not None:
            yield Session(own, ipv4(router_id(fabric, link.far)))
            yield Session(far, ipv4(router_id(fabric, lower)))


def restrict(device: Device, cabled: frozenset[End], kept: frozenset[Session], *, keeps_raw: bool) -> Device:
    """The switch with the ports of `cabled` and the sessions of `kept` only, without outside peers.

    keeps_raw  the user's own lines were written for what this switch really runs
    """
    interfaces, routing = device.interfaces, device.routing
    bgp = routing.bgp
    rows = tuple(row for row in interfaces.ethernet if End(device.name, row.name) in cabled)
    neighbors = tuple(row for row in bgp.neighbors if Session(device.name, row.peer) in kept)
    kept_rows = set(rows)
    gone = {
        str(ip_interface(address).network)
        for row in interfaces.ethernet
        if row.vrf and row not in kept_rows
        for address in (row.ipv4, row.ipv6)
        if address
    }
    vrfs = tuple(_inside(vrf, gone) for vrf in bgp.vrfs)
    return device._replace(
        interfaces=interfaces._replace(ethernet=rows, subinterfaces=(), idle=()),
        routing=routing._replace(bgp=bgp._replace(neighbors=neighbors, vrfs=vrfs)),
        raw=device.raw if keeps_raw else (),
    )


def _inside(vrf: BgpVrf, gone: Collection[str]) -> BgpVrf:
    """Return the VRF without its outside peers, and without the links that the lab does not have."""
    four, six = (tuple(net for net in found if net not in gone) for found in (vrf.networks_ipv4, vrf.networks_ipv6))
    return vrf._replace(neighbors=(), networks_ipv4=four, networks_ipv6=six)
