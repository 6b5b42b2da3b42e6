"""What it takes to deploy a topology: how many nodes of what, and their memory."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.export.nodes import SERVER, Node
from fabricgen.platforms.base.containerlab import Estimate, NodeKind


class NodeUse(NamedTuple):
    """Nodes of one use, a platform's or servers: kind, image, and memory of one of them."""

    kind: str
    image: str
    memory: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologyNeeds:
    """Figures of a topology: how many of each, and memory by kind of node, MiB.

    by_use  use → nodes, MiB of all of them, and whose figure it is; uses: kind and image of each
    """

    switches: int
    servers: int
    links: int
    memory: int
    by_use: Mapping[str, tuple[int, int, str]]
    uses: Mapping[str, NodeUse]
    hints: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The figures for people, one line each."""
        for use, (count, mib, source) in self.by_use.items():
            kind, image, _ = self.uses[use]
            yield f"{count} × {use}: kind {kind}, image {image}, {mib} MiB ({source})"
        yield f"{self.links} links"
        yield from self.hints


class NeedsCounter:
    """Counts nodes and links as they go by."""

    def __init__(self) -> None:
        self._nodes, self._uses, self._links = Counter[str](), dict[str, NodeUse](), 0

    def add(self, node: Node, links: int) -> None:
        """Take a node, and how many links it is the near end of."""
        self._nodes[node.use] += 1
        self._uses[node.use] = NodeUse(node.kind, node.image, node.memory)
        self._links += links

    def needs(self, kinds: Mapping[str, NodeKind]) -> TopologyNeeds:
        """What they take together."""
        rows = ((use, count, self._uses[use].memory) for use, count in self._nodes.items())
        by_use = {use: (count, count * memory.mib, memory.source) for use, count, memory in rows}
        servers = self._nodes[SERVER]
        return TopologyNeeds(
            switches=self._nodes.total() - servers,
            servers=servers,
            links=self._links,
            memory=sum(mib for _, mib, _ in by_use.values()),
            by_use=by_use,
            uses=self._uses,
            hints=tuple(_hints(self._nodes, kinds)),
        )


def _hints(counts: Mapping[str, int], kinds: Mapping[str, NodeKind]) -> Iterator[str]:
    for system, kind in kinds.items():
        if kind.per_host is not None and counts[system] > kind.per_host[0]:
            most, advice = kind.per_host
            limit = 1250 * counts[system]
            yield f"{counts[system]} × {kind.name}, more than {most} on one host: {advice.format(limit=limit)}"
