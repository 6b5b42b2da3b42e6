"""EVPN routes that a switch holds, by next hop: how many there are, and how many carry graceful shutdown (RFC 8326).

A leaf is the next hop of each EVPN route that it originates, and a spine passes routes on with their next hop. So the
routes of one leaf are told apart by its VTEP, whichever system prints them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Marks(NamedTuple):
    """Routes with one next hop. `marked`: those of `routes` that carry the community."""

    routes: int
    marked: int


ByHop = Mapping[str, Marks]


def by_hop(paths: Iterable[tuple[str, bool]]) -> ByHop:
    """Counts of paths, each a next hop and whether the path carries the community. The switch's own have no hop: ""."""
    seen = Counter(path for path in paths if path[0])
    hops = {hop for hop, _ in seen}
    return {hop: Marks(seen[hop, True] + seen[hop, False], seen[hop, True]) for hop in sorted(hops)}


def unread(outputs: object) -> ByHop | None:
    """Of a driver for which no command is known that shows the community on EVPN routes."""
    del outputs
    return None
