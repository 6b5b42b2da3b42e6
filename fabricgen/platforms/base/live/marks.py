"""EVPN routes on a switch, by next hop: how many there are, and how many carry graceful shutdown (RFC 8326).

A leaf is the next hop of each EVPN route that it originates, and a spine does not change the next hop. So the VTEP
identifies the routes of one leaf, whichever system prints them.
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
    """Count paths (next hop, marked or not) by next hop. The switch's own routes have next hop "" and are left out."""
    counts = Counter(path for path in paths if path[0])
    hops = {hop for hop, _ in counts}
    return {hop: Marks(counts[hop, True] + counts[hop, False], counts[hop, True]) for hop in sorted(hops)}


def unread(outputs: object) -> ByHop | None:
    """None, for a driver without a known command that shows the community on EVPN routes."""
    del outputs
    return None
