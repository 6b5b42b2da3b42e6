"""Whether buffers of the lossless class can wait for each other in a circle: the proof that PFC cannot deadlock.

A channel is a link in one direction with the buffer at its end. A channel waits for another if some packet may arrive
on the first and leave by the second. Without a circle of waiting channels there is no deadlock, for any traffic (Dally
and Seitz, IEEE Trans. Computers C-36, 1987). What a packet may do is taken from the policies alone: every route that a
switch may learn from a neighbor at any moment, under any failures, whatever is best. That is a superset of all
forwarding tables: a table holds only routes that were announced at some moment, and announcements depend on policies.
All prefixes that cover an address count, as a longer one may be missing for a moment.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.audit.routes import Propagation, Way, contains
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.views import At, SwitchView, covers, network_of
from fabricgen.audit.violations import Violation
from fabricgen.readback.policy import Policy, Term

Channel = tuple[str, str]
"""Names of two switches: from, to."""
Waits = Mapping[Channel, set[Channel]]
"""Channel → channels that it waits for."""
NAME = "no-buffer-cycle"
FAMILIES = ("ipv4", "ipv6")


class Layers(NamedTuple):
    """What keeps routes from going up again, each of which can be taken away to see whether the others are enough.

    loop_check  a switch takes no route with its own AS number in the path (RFC 4271, 9.1.2)
    marks       terms match communities; without, a term that asks for one matches no route
    prefixes    terms match prefixes; without, a term that asks for some matches every route
    """

    loop_check: bool = True
    marks: bool = True
    prefixes: bool = True


ALL = Layers()


class Cycle(NamedTuple):
    """Channels that wait for each other, in order, and the session that lets a route up again, where there is one."""

    channels: tuple[Channel, ...]
    turn: str
    at: At

    @property
    def text(self) -> str:
        """The switches on the way."""
        return " > ".join((*(channel[0] for channel in self.channels), self.channels[0][0]))


class Proof(NamedTuple):
    """The graph of one fabric: how many channels and edges, and a circle if there is one."""

    channels: int
    edges: int
    cycle: Cycle | None


def prove(site: SiteView, fabric: str, layers: Layers = ALL) -> Proof:
    """Build the graph of a fabric, for both families together, as they share the buffers of a link."""
    waits: dict[Channel, set[Channel]] = {}
    for family in FAMILIES:
        propagation = Propagation(site, fabric, family)
        for ways in _addresses(site, propagation, family, layers):
            _add(waits, ways)
    circle = _circle(waits)
    edges = sum(map(len, waits.values()))
    if circle is None:
        return Proof(len(waits), edges, None)
    turn = next((pair[1] for pair in _pairs(circle) if _goes_up(site, pair)), circle[0])
    at = next((row.near.at for row in site.sessions_of(turn[0]) if row.far == turn[1]), site.switches[turn[0]].at)
    return Proof(len(waits), edges, Cycle(circle, turn[0], at))


def _pairs(circle: tuple[Channel, ...]) -> Iterator[tuple[Channel, Channel]]:
    return zip(circle, (*circle[1:], circle[0]), strict=True)


def _goes_up(site: SiteView, pair: tuple[Channel, Channel]) -> bool:
    """Whether a packet that came down goes up: the switch in the middle is in a lower tier than both others."""
    (before, here), (_, after) = pair
    return site.switches[before].tier > site.switches[here].tier < site.switches[after].tier


Ways = dict[str, set[str]]
"""Switch → switches that it may send packets to an address to."""


def _addresses(site: SiteView, propagation: Propagation, family: str, layers: Layers) -> Iterator[Ways]:
    """Of each announced prefix where packets to an address in it may go: by it, and by prefixes that cover it."""
    ways: dict[str, Ways] = {}
    owners: dict[str, set[str]] = {}
    for name in propagation.arcs:
        for prefix in site.switches[name].announced(family):
            owners.setdefault(prefix, set()).add(name)
            _merge(ways.setdefault(prefix, {}), _learnable(propagation, name, prefix, layers))
    length = 128 if family == "ipv6" else 32
    wide = [prefix for prefix in ways if ip_network(prefix).prefixlen < length]
    for prefix in ways:
        total: Ways = {}
        for other in (prefix, *(other for other in wide if other != prefix and covers(other, prefix))):
            _merge(total, ways[other])
        for name in owners[prefix]:
            if _ends_here(site.switches[name], prefix):
                total.pop(name, None)
        yield total


def _merge(ways: Ways, more: Ways) -> None:
    for name, onward in more.items():
        ways.setdefault(name, set()).update(onward)


def _ends_here(switch: SwitchView, prefix: str) -> bool:
    """Whether a packet to a prefix that a switch announces never leaves it again: a loopback, or a discard route."""
    discards = (name for (vrf, name), (next_hop, _) in switch.statics.items() if not vrf and next_hop == "discard")
    if any(covers(name, prefix) for name in discards):
        return True
    return any(
        port.name.startswith("loopback") and prefix in map(network_of, port.addresses) for port in switch.ports.values()
    )


class _State(NamedTuple):
    """A route that a switch may hold at some moment."""

    switch: str
    communities: frozenset[str]
    path: frozenset[int]


def _learnable(propagation: Propagation, origin: str, prefix: str, layers: Layers) -> Ways:
    """Switch → neighbors that it may learn the prefix from, at any moment."""
    first = _State(origin, frozenset(), frozenset())
    seen, todo, ways = {first}, deque([first]), Ways()
    sent: dict[tuple[int, int, frozenset[str]], tuple[frozenset[str], ...]] = {}
    while todo:
        state = todo.popleft()
        asn = propagation.site.switches[state.switch].asn
        path = state.path | {asn} if layers.loop_check else frozenset[int]()
        for way in propagation.ways[state.switch]:
            if way.asn in path:
                continue
            key = (id(way.outward), id(way.inward), state.communities)
            if key not in sent:
                sent[key] = tuple(_sent(way, state.communities, prefix, layers))
            for communities in sent[key]:
                ways.setdefault(way.receiver, set()).add(state.switch)
                after = _State(way.receiver, communities, path)
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return ways


def _sent(way: Way, communities: frozenset[str], prefix: str, layers: Layers) -> Iterator[frozenset[str]]:
    """Communities that a route may have behind both policies of a session; nothing where it cannot pass."""
    for outward in passed(way.outward, communities, prefix, layers):
        yield from passed(way.inward, outward, prefix, layers)


def passed(policy: Policy | None, communities: frozenset[str], prefix: str, layers: Layers) -> Iterator[frozenset[str]]:
    """Communities that a route may have behind a policy. A term whose match nobody knows is taken both ways."""
    if policy is None:
        yield communities
        return
    for term in policy.terms:
        match = _matches(term, communities, prefix, layers)
        if match is False:
            continue
        if term.permit:
            yield term.set_communities | (frozenset() if term.replace else communities)
        if match is True:
            return


def _matches(term: Term, communities: frozenset[str], prefix: str, layers: Layers) -> bool | None:
    """Whether a term matches; None where that depends on more than the policies, such as live paths."""
    if term.communities and not (layers.marks and term.communities & communities):
        return False
    ranges = term.prefixes_ipv6 if ":" in prefix else term.prefixes_ipv4
    if ranges is not None and layers.prefixes and not contains(ranges, prefix):
        return False
    return None if term.fewer_paths or term.route_targets else True


def _add(waits: dict[Channel, set[Channel]], ways: Ways) -> None:
    """Add the channels of one address: a packet goes from a switch to those that it may have the route from."""
    for name, onward in ways.items():
        for far in onward:
            waits.setdefault((name, far), set()).update((far, further) for further in ways.get(far, ()))


def _circle(waits: Waits) -> tuple[Channel, ...] | None:
    """Some channels that wait for each other in a circle; None if there are none. Depth first, without recursion."""
    done: set[Channel] = set()
    for first in waits:
        if first in done:
            continue
        path: list[Channel] = [first]
        on_path = {first: 0}
        rest = [iter(sorted(waits[first]))]
        while rest:
            following = next(rest[-1], None)
            if following is None:
                done.add(path.pop())
                rest.pop()
                on_path = {channel: index for channel, index in on_path.items() if channel not in done}
            elif following in on_path:
                return tuple(path[on_path[following] :])
            elif following not in done:
                on_path[following] = len(path)
                path.append(following)
                rest.append(iter(sorted(waits.get(following, ()))))
    return None


def no_buffer_cycle(site: SiteView) -> Iterator[Violation]:
    """No circle of buffers in a fabric with a lossless class."""
    for fabric in site.fabrics:
        if not is_lossless(site, fabric):
            continue
        cycle = prove(site, fabric).cycle
        if cycle is not None:
            what = f"buffers wait for each other in a circle: {cycle.text}; {cycle.turn} sends up again what came down"
            yield Violation(NAME, cycle.turn, cycle.at, what, "PFC pauses can stop the circle for ever")


def is_lossless(site: SiteView, fabric: str) -> bool:
    """Whether ports of a fabric have a class that PFC pauses."""
    return any(port.lossless[0] for switch in site.fabrics[fabric] for port in switch.ports.values())
