"""Routes of the default VRF of one switch: what its forwarding table must hold, and over which next hops."""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_interface
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.state.state import IPV4, IPV6
from fabricgen.verify.expect.model import ExpectedRoute
from fabricgen.verify.expect.paths import BestPaths, reaches
from fabricgen.verify.expect.ports import addresses
from fabricgen.verify.expect.server_routes import server_routes
from fabricgen.verify.expect.site import ExpectedSite
from fabricgen.verify.expect.speakers import SiteSession, links

LINK_LOCAL = "fe80::"
"""Next hop over an unnumbered link: any link-local address, as no plan knows which."""
CONNECTED = ("",)
"""Next hop of a connected network: none."""


def underlay(device: Device, site: ExpectedSite) -> Iterator[ExpectedRoute]:
    """Every other switch's prefixes with their exact width, own aggregates as discard routes, host links."""
    own_links = tuple(links(device, site.owners))
    this_speaker = site.speakers[device.name]
    for family in (IPV4, IPV6):
        widths = _Hops(device.routing.bgp.maximum_paths)
        reach_by_switch = reaches(site.spreads[family], this_speaker, own_links)
        reached = sorted(reach_by_switch.items())
        yield from _servers(device, site, family, reach_by_switch)
        for origin, reach in reached:
            width, interfaces, gateways = widths.of(reach)
            for prefix in site.speakers[origin].networks[family]:
                yield ExpectedRoute("", prefix, width, interfaces, gateways, False, origin, origin)
    hosts = tuple(_hosts(device))
    connected = {route.prefix for route in hosts if not route.vrf}
    for static in device.routing.static_routes:
        # The aggregate of a leaf with one server is its link: while the port is up, the connected route is preferred.
        if not static.vrf and not static.next_hop and static.prefix not in connected:
            yield ExpectedRoute("", static.prefix, 0, (), (), True, device.name, device.name)
    yield from hosts


def _servers(
    device: Device, site: ExpectedSite, family: str, reached: Mapping[str, BestPaths]
) -> Iterator[ExpectedRoute]:
    """Addresses of NICs behind two leaves: over the own port, or by way of the leaves that are reached best."""
    own = {route.prefix: route.port for route in server_routes(device)}
    cache: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
    for prefix, leaves in site.servers.items():
        if (":" in prefix) != (family == IPV6):
            continue
        port = own.get(prefix)
        if port is not None:
            yield ExpectedRoute(
                "", prefix, 1, (port.name,), (LINK_LOCAL,), False, port.description, device.name, server=True
            )
            continue
        if leaves not in cache:
            cache[leaves] = _ends_of([reached[leaf] for leaf in leaves if leaf in reached])
        if ends := cache[leaves]:
            names, addresses = (tuple(column) for column in zip(*ends, strict=True))
            yield ExpectedRoute("", prefix, 0, names, addresses, False, " and ".join(leaves), server=True)


def _ends_of(reached: list[BestPaths]) -> tuple[tuple[str, str], ...]:
    """Ports and next hops of the best paths to any of several switches."""
    best = min((reach.rank for reach in reached), default=0)
    ends = {
        (link.interface, link.neighbor.address or LINK_LOCAL)
        for reach in reached
        if reach.rank == best
        for group in reach.links
        for link in group
    }
    return tuple(sorted(ends))


class _Hops:
    """Width, interfaces and next hops of a reach, cached for all switches behind the same links.

    The cache key is the identity of the links, so the reaches must live as long as this object.
    """

    def __init__(self, maximum: int) -> None:
        self._most = maximum
        self._made: dict[int, _Over] = {}

    def of(self, reach: BestPaths) -> "_Over":
        key = id(reach.links)
        if key not in self._made:
            self._made[key] = self._make(reach.links)
        return self._made[key]

    def _make(self, groups: Iterable[tuple[SiteSession, ...]]) -> "_Over":
        ends = sorted((link.interface, link.neighbor.address or LINK_LOCAL) for group in groups for link in group)
        # The switch chooses which of too many equal paths it uses.
        width = min(len(ends), self._most)
        return _Over(width, tuple(name for name, _ in ends), tuple(address for _, address in ends))


class _Over(NamedTuple):
    """Next hops of routes: their number; interfaces and the addresses behind them, one by one."""

    width: int
    interfaces: tuple[str, ...]
    gateways: tuple[str, ...]


def _hosts(device: Device) -> Iterator[ExpectedRoute]:
    """Links to hosts, connected while the port is up; on a shared backend in the VRF of the NIC's tenant."""
    for row in device.interfaces.ethernet:
        if row.enabled and not row.dead and row.profile.role == "host":
            for address in addresses(row.ipv4, row.ipv6):
                yield ExpectedRoute(row.vrf, network(address), 1, (row.name,), CONNECTED, False, row.description)


def network(address: str) -> Prefix:
    """Prefix of an interface's address."""
    return Prefix(str(ip_interface(address).network))
