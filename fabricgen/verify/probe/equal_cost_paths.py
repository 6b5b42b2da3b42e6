"""All planned equal-cost paths between leaves, and the flows that cover each path.

A switch chooses among equal paths by a hash of addresses and ports of a packet, so one flow takes one path. For each
pair of leaves, source ports are tried until every path has a flow. The switches themselves report the path of a flow:
`Walk`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import ceil
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.state.state import IPV4, IPV6
from fabricgen.verify.expect.paths import reaches
from fabricgen.verify.expect.site import ExpectedSite
from fabricgen.verify.expect.speakers import SiteSession, links
from fabricgen.verify.finding import FindingEnd
from fabricgen.verify.probe.loss_location import CableDirection, Way

FIRST_PORT = 33000
"""First source port to try."""
A_ROUND, ROUNDS = 6, 5
"""Source ports per path that are tried in one turn for a pair, and turns: a path is missed with a chance of e^-30."""
A_WIRE = 2500
"""Packets over each direction of a cable, by all paths together: 1 % of loss is then 25 of them."""
LEAST = 20
"""Minimum number of packets of a path."""


class Endpoint(NamedTuple):
    """Source and target of probes: a server's NIC, or the VTEP address of a leaf.

    first  both ends of the server's cable, its own first; None on a leaf
    mtu    octets of the largest IP packet; 0 for a leaf's own address: the path decides
    """

    name: str
    address: str
    leaf: str
    first: CableDirection | None = None
    mtu: int = 0


class Flow(NamedTuple):
    """Packets from one endpoint to another with one source port."""

    source: Endpoint
    target: Endpoint
    port: int


class Between(NamedTuple):
    """Two leaves: the endpoints at each of them, and the planned paths from the first to the second."""

    sources: tuple[Endpoint, ...]
    targets: tuple[Endpoint, ...]
    paths: tuple[Way, ...]

    @property
    def ends(self) -> list[tuple[Endpoint, Endpoint]]:
        """Pairs of endpoints that probe, of different servers: packets between NICs of one server never leave it."""
        return [(source, target) for source in self.sources for target in self.targets if source.name != target.name]


Walk = Callable[[Sequence[Flow]], Mapping[Flow, Way]]
"""Path of each flow, server cables included; flows without a complete path are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowChoice:
    """flows: sent flows and their paths; missed: paths that no flow took; tried: number of tried flows."""

    flows: Mapping[Flow, Way]
    planned: int
    missed: tuple[tuple[Between, Way], ...]
    tried: int


@dataclass(frozen=True, slots=True)
class SitePaths:
    """Paths of a site's switches, computed on demand."""

    site: ExpectedSite
    devices: Mapping[str, Device]
    _next: dict[tuple[str, str], Mapping[str, tuple[SiteSession, ...]]] = field(init=False, default_factory=dict)

    def between(self, near: str, far: str, family: str) -> tuple[Way, ...]:
        """All equal paths from one switch to another, according to the plan."""
        return tuple(self._paths(near, far, family))

    def _paths(self, near: str, far: str, family: str) -> Iterator[Way]:
        if near == far:
            yield ()
            return
        for link in self._links(near, family).get(far, ()):
            wire = CableDirection(FindingEnd(near, link.interface), FindingEnd(link.far, link.far_port))
            for other_path in self._paths(link.far, far, family):
                yield (wire, *other_path)

    def _links(self, name: str, family: str) -> Mapping[str, tuple[SiteSession, ...]]:
        """Every other switch → the links that lead to it."""
        key = (name, family)
        if key not in self._next:
            own_links = tuple(links(self.devices[name], self.site.owners))
            reached = reaches(self.site.spreads[family], self.site.speakers[name], own_links)
            self._next[key] = {far: tuple(chain.from_iterable(reach.links)) for far, reach in reached.items()}
        return self._next[key]


def family_of(address: str) -> str:
    """IPv4 or IPv6, in the names of `state`."""
    return IPV6 if ":" in address else IPV4


def inner(path: Way, hosts: frozenset[str]) -> Way:
    """The part of a path between switches."""
    return tuple(wire for wire in path if not hosts.intersection(end.system for end in wire))


def choose(pairs: Sequence[Between], walk: Walk, hosts: frozenset[str]) -> FlowChoice:
    """A flow for each path of each pair. Sources and targets alternate, so that none is on all paths of a leaf."""
    missing_of = {number: list(pair.paths) for number, pair in enumerate(pairs)}
    flows: dict[Flow, Way] = {}
    tried = 0
    for turn in range(ROUNDS):
        asked = {
            flow: number
            for number, missing in missing_of.items()
            if missing
            for flow in _candidates(pairs[number], turn * A_ROUND * len(pairs[number].paths))
        }
        tried += len(asked)
        for flow, path in walk(tuple(asked)).items():
            missing, between = missing_of[asked[flow]], inner(path, hosts)
            if between in missing:
                missing.remove(between)
                flows[flow] = path
    missed = tuple((pairs[number], path) for number, missing in missing_of.items() for path in missing)
    return FlowChoice(flows=flows, planned=sum(len(pair.paths) for pair in pairs), missed=missed, tried=tried)


def _candidates(pair: Between, start: int) -> Iterator[Flow]:
    ends = pair.ends
    for number in range(start, start + A_ROUND * len(pair.paths)):
        yield Flow(*ends[number % len(ends)], FIRST_PORT + number)


def packets(flows: Mapping[Flow, Way]) -> dict[Flow, int]:
    """Number of packets of each flow, even, so that A_WIRE pass each direction of every cable on its path."""
    flows_over: dict[CableDirection, int] = {}
    for path in flows.values():
        for wire in path:
            flows_over[wire] = flows_over.get(wire, 0) + 1
    return {
        flow: max(LEAST, 2 * ceil(A_WIRE / min((flows_over[wire] for wire in path), default=A_WIRE) / 2))
        for flow, path in flows.items()
    }
