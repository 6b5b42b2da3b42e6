"""Idle ports: which ports the drained sessions of a switch use, and whether traffic still passes there.

Pure except for `wait_quiet`, which reads counters until the ports are idle. The community is checked first, by
CommitProfile.signs at each of `peers_of`, then the ports: a router needs time to apply a route map, 5 s and more where
it batches changes, and before it has, a port may be idle by chance.

Sessions of an EVPN overlay are not drained, and their keepalives stay on the ports; see LIMIT_BPS.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_interface, ip_network
from threading import Event
from typing import NamedTuple

from fabricgen.base.grouping import grouped_sets
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.push.switch.switch import Octets

LIMIT_BPS = 100_000
"""Rate below which a port is idle.

Traffic that stays on a port in one direction, in bits per second, by its packets on Ethernet:

BFD, 300 ms less up to a quarter of jitter (RFC 5880 section 6.8.7): 66 octets of IPv4, 86 of IPv6, 4.5 a second: 5,500
BGP, a keepalive each 3 s and the acknowledgment of the other's, 85 + 66 octets, IPv6 20 more each: 900 for both
the same again for each overlay session over the port: 2,800, and a leaf has one to each spine
LLDP, neighbor discovery: under 300

In total some 10 kbit/s. The limit leaves room for ten times as much and is a hundred-thousandth of 10 Gbit/s: even one
slow remaining flow exceeds it. A full table sent again exceeds it for a moment, which only delays.
"""
POLLS = 3
"""Number of intervals in a row: a single one may fall between two bursts."""
INTERVAL = 2.0
"""Seconds between two reads. With POLLS, 6 s without traffic."""
REFRESH = 12.0
"""Seconds after which unchanged hardware counters mean that nothing passes.

Software updates them in steps, of 2 s by default and 10 s at most where that is documented (docs.nvidia.com,
Configuring switchd); until then, a full port looks idle. Keepalives move the counters of each port every few seconds,
so this is seldom waited for.
"""
SECONDS = 300.0
"""Maximum wait: as long as a training job may take to send its next burst, and far above all delays of routing."""
BITS = 8


class DrainedSession(NamedTuple):
    """One session that a drained switch drains.

    port   of the switch
    peer   switch at its other end
    own    address by which the peer knows this session, or its port where the link is unnumbered
    far    address of the peer, or our port
    announces  whether the switch announces a prefix of its own over it: then the peer has a route with the community
    """

    port: str
    peer: str
    own: str
    far: str
    announces: bool


class Bounds(NamedTuple):
    """When ports are idle, and how long to wait for that.

    limit_bps  of a port
    polls      intervals in a row
    interval   seconds between two reads
    seconds    maximum wait
    refresh    seconds, see REFRESH
    """

    limit_bps: int = LIMIT_BPS
    polls: int = POLLS
    interval: float = INTERVAL
    seconds: float = SECONDS
    refresh: float = REFRESH


BOUNDS = Bounds()
Rates = Mapping[str, int | None]
"""Bits per second by port; None where unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietResult:
    """Result of a wait.

    rates    of the last interval
    polls    number of measured intervals
    seconds  duration of the wait
    """

    quiet: bool
    rates: Rates
    polls: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleMeter:
    """Watched ports and their state so far; `fed` returns the next state.

    row    number of intervals in a row, up to the last, in which each port was below the limit
    since  when the row began
    moved  ports whose counters moved since
    polls  intervals so far
    """

    ports: frozenset[str]
    bounds: Bounds
    at: float = 0.0
    counters: Mapping[str, Octets] | None = None
    rates: Rates | None = None
    row: int = 0
    since: float = 0.0
    moved: frozenset[str] = frozenset()
    polls: int = 0

    @property
    def quiet(self) -> bool:
        """Whether every port was idle for long enough, by counters that are updated. False without ports."""
        # Counters that never moved may be stale: wait until hardware counters must have been refreshed.
        alive = self.moved >= self.ports or self.at - self.since >= self.bounds.refresh
        return bool(self.ports) and self.row >= self.bounds.polls and alive

    def fed(self, at: float, counters: Mapping[str, Octets]) -> "IdleMeter":
        """The state after one more read of the counters, at a time in seconds. An unknown rate is not idle."""
        if self.counters is None:
            return replace(self, at=at, since=at, counters=counters)
        measured = rates(self.counters, counters, at - self.at)
        watched = {port: measured.get(port) for port in sorted(self.ports)}
        below = all(rate is not None and rate < self.bounds.limit_bps for rate in watched.values())
        return replace(
            self,
            at=at,
            counters=counters,
            rates=watched,
            row=self.row + 1 if below else 0,
            since=self.since if below else at,
            moved=self.moved.union(port for port, rate in watched.items() if rate) if below else frozenset(),
            polls=self.polls + 1,
        )


def drained_sessions(device: Device) -> tuple[DrainedSession, ...]:
    """Sessions of a drained Device that have route maps of their own, with their ports; none of the overlay."""
    bgp, links = device.routing.bgp, _links(device)
    ports = {port.name: port for port in device.interfaces.ethernet}
    has_networks = {4: bool(bgp.networks_ipv4), 6: bool(bgp.networks_ipv6)}
    sessions = []
    for row in bgp.neighbors:
        if not (row.route_map_in or row.route_map_out):
            continue
        if row.interface:
            port = ports[row.interface]
            sessions.append(
                DrainedSession(port.name, port.peer, port.peer_port, row.interface, any(has_networks.values()))
            )
        elif (end := _end_of(links, row.address)) is not None:
            port, own = end
            version = ip_address(row.address).version
            sessions.append(DrainedSession(port.name, port.peer, own, row.address, has_networks[version]))
    return tuple(sessions)


def _end_of(links: Mapping[IPv4Network | IPv6Network, tuple[Ethernet, str]], far: str) -> tuple[Ethernet, str] | None:
    """Port and own address of the link that contains a far address; None without one."""
    address = ip_address(far)
    lengths = {network.prefixlen for network in links if network.version == address.version}
    networks = (ip_network((address, length), strict=False) for length in sorted(lengths))
    return next((links[network] for network in networks if network in links), None)


def _links(device: Device) -> Mapping[IPv4Network | IPv6Network, tuple[Ethernet, str]]:
    """Network of each port's address → the port, and the address."""
    ports = ((row, ip_interface(text)) for row in device.interfaces.ethernet for text in (row.ipv4, row.ipv6) if text)
    return {interface.network: (row, str(interface.ip)) for row, interface in ports}


def drained_ports(device: Device, established: Collection[str] | None = None) -> Mapping[str, str]:
    """Ports whose sessions a drained Device drains → switch at the other end.

    established  addresses of peers whose sessions are up; None: all
    """
    return {row.port: row.peer for row in _established(device, established)}


def peers_of(device: Device, established: Collection[str] | None = None) -> Mapping[str, frozenset[str]]:
    """Peers that must see the community → source addresses: from all of these, once the drain is in effect."""
    addresses_of = grouped_sets((row.peer, row.own) for row in _established(device, established) if row.announces)
    return {peer: frozenset(addresses) for peer, addresses in addresses_of.items()}


def overlay_peers(device: Device, established: Collection[str] | None = None) -> frozenset[str]:
    """Peers that must see the community on each EVPN route that a drained Device originates; none if it has none.

    A leaf with a VLAN or a tenant's VRF always originates routes: the one for flooding (RFC 7432 section 11.1), or
    those of its subnets. A spine passes routes on, and is not drained in the overlay.
    """
    bgp = device.routing.bgp
    if device.evpn is None or not (
        device.evpn.vlans or any(vrf.networks_ipv4 or vrf.networks_ipv6 for vrf in bgp.vrfs)
    ):
        return frozenset()
    groups = {group.name for group in bgp.groups if "evpn" in group.families}
    rows = (row for row in bgp.neighbors if row.group in groups and row.route_map_out)
    return frozenset(row.description for row in rows if established is None or row.address in established)


def vtep_of(device: Device) -> str:
    """Next hop of the EVPN routes that a switch originates; empty for one that originates none."""
    return device.evpn.vtep if device.evpn is not None else ""


def _established(device: Device, established: Collection[str] | None) -> Iterator[DrainedSession]:
    return (row for row in drained_sessions(device) if established is None or row.far in established)


def rates(before: Mapping[str, Octets], after: Mapping[str, Octets], seconds: float) -> Rates:
    """Bits per second of each port of either read, in the busier direction.

    None where a read lacks the port, or a counter is unknown (below 0 in NAPALM) or decreased because it was cleared.
    """
    return {port: _rate(before.get(port), after.get(port), seconds) for port in sorted(before.keys() | after.keys())}


def _rate(before: Octets | None, after: Octets | None, seconds: float) -> int | None:
    if before is None or after is None or seconds <= 0 or min(before) < 0:
        return None
    increases = (after.received - before.received, after.sent - before.sent)
    return None if min(increases) < 0 else round(max(increases) * BITS / seconds)


def wait_quiet(
    read: Callable[[], Mapping[str, Octets]],
    ports: Collection[str],
    stop: Event,
    bounds: Bounds = BOUNDS,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] | None = None,
) -> QuietResult:
    """Read the counters until the ports are idle, the time is over, or `stop` is set. Errors of `read` are passed on.

    sleep  None: wait on `stop`
    """
    pause = sleep or stop.wait
    started = clock()
    state = IdleMeter(ports=frozenset(ports), bounds=bounds).fed(started, read()) if ports else None
    while state and not state.quiet and not stop.is_set() and clock() - started < bounds.seconds:
        pause(bounds.interval)
        counters = read()
        state = state.fed(clock(), counters)
    return QuietResult(
        quiet=bool(state and state.quiet),
        rates=(state.rates if state else None) or dict.fromkeys(sorted(ports)),
        polls=state.polls if state else 0,
        seconds=clock() - started,
    )
