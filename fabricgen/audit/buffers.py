"""Whether buffers of the lossless class can wait for each other in a circle: the proof that PFC cannot deadlock.

A channel is a link in one direction with the buffer at its end. A channel waits for another if some packet may arrive
on the first and leave by the second. Without a circle of waiting channels there is no deadlock, for any traffic (Dally
and Seitz, IEEE Trans. Computers C-36, 1987). What a packet may do is in `onward.py`, and for tunnels in `tunnels.py`.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from fabricgen.audit.onward import ALL, DISCARD, Layers, Ways, permitting, static_ways, ways_by_prefix
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.tunnels import Relay, relays
from fabricgen.audit.views import At
from fabricgen.audit.violations import Violation

Channel = tuple[str, str]
"""Names of two switches: from, to."""
Waits = Mapping[Channel, set[Channel]]
"""Channel → channels that it waits for."""
NAME = "no-buffer-cycle"
FAMILIES = ("ipv4", "ipv6")


class Cycle(NamedTuple):
    """Channels that wait for each other, in order; the switch that sends up again what came down, and its line."""

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


def prove(site: SiteView, fabric: str, layers: Layers = ALL, *, bridged: bool = True) -> Proof:
    """Build the graph of a fabric, for both families together, as they share the buffers of a link.

    bridged  count relays between leaves that bridge one network (`relays`)
    """
    waits: dict[Channel, set[Channel]] = {}
    ways_to: dict[str, Ways] = {}
    for family in FAMILIES:
        for prefix, ways in ways_by_prefix(site, fabric, family, layers):
            ways_to[prefix] = ways
            _add(waits, ways)
    relayed = tuple(relays(site, fabric, bridged=bridged))
    for relay in relayed:
        _add_relay(waits, site, ways_to, relay)
    circle = _circle(waits)
    edges = sum(map(len, waits.values()))
    if circle is None:
        return Proof(len(waits), edges, None)
    turn = next((pair for pair in _pairs(circle) if _goes_up(site, pair)), (circle[-1], circle[0]))
    return Proof(len(waits), edges, Cycle(circle, turn[1][0], _permits(site, turn, relayed)))


def _permits(site: SiteView, turn: tuple[Channel, Channel], relayed: Iterable[Relay]) -> At:
    """The line that lets packets turn: a static route, a tenant's route, what `permitting` finds, or the session."""
    (before, _), (name, far) = turn
    switch = site.switches[name]
    statics = (
        at
        for (vrf, _), (next_hop, at) in switch.statics.items()
        if not vrf and next_hop != DISCARD and far in static_ways(site, name, next_hop)
    )
    tenants = (relay.at for relay in relayed if relay.switch == name)
    at = next(chain(statics, tenants), None) or permitting(site, switch.fabric, before, name, far)
    return at or next((row.near.at for row in site.sessions_of(name) if row.far == far), switch.at)


def _pairs(circle: tuple[Channel, ...]) -> Iterator[tuple[Channel, Channel]]:
    return zip(circle, (*circle[1:], circle[0]), strict=True)


def _goes_up(site: SiteView, pair: tuple[Channel, Channel]) -> bool:
    """Whether a packet that came down goes up: the switch in the middle is in a lower tier than both others."""
    (before, here), (_, after) = pair
    return site.switches[before].tier > site.switches[here].tier < site.switches[after].tier


def _add(waits: dict[Channel, set[Channel]], ways: Ways) -> None:
    """Add the channels of one address: a packet goes from a switch to those that it may have the route from."""
    for name, onward in ways.items():
        for far in onward:
            waits.setdefault((name, far), set()).update((far, further) for further in ways.get(far, ()))


def _add_relay(waits: dict[Channel, set[Channel]], site: SiteView, ways_to: Mapping[str, Ways], relay: Relay) -> None:
    """Add what a packet does that leaves a tunnel at one switch and enters another there."""
    to_here = ways_to.get(site.switches[relay.switch].tunnel_prefix, {})
    onward = {
        (relay.switch, far) for far in ways_to.get(site.switches[relay.far].tunnel_prefix, {}).get(relay.switch, ())
    }
    for before, following in to_here.items():
        if relay.switch in following:
            waits.setdefault((before, relay.switch), set()).update(onward)


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
    """No circle of buffers in a fabric with a lossless class, while host routes of bridged networks are there."""
    for fabric in site.fabrics:
        if not is_lossless(site, fabric):
            continue
        cycle = prove(site, fabric, bridged=False).cycle
        if cycle is not None:
            what = f"buffers wait for each other in a circle: {cycle.text}; {cycle.turn} sends up again what came down"
            yield Violation(NAME, cycle.turn, cycle.at, what, "PFC pauses can stop the circle for ever")


def is_lossless(site: SiteView, fabric: str) -> bool:
    """Whether ports of a fabric have a class that PFC pauses."""
    return any(port.lossless[0] for switch in site.fabrics[fabric] for port in switch.ports.values())
