"""Resources that a topology needs: how many nodes of each kind, and their memory."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.export.nodes import SERVER, Node
from fabricgen.platforms.base.containerlab import Estimate, NodeKind


class NodeUse(NamedTuple):
    """Nodes of one use, a platform or servers: kind, image, and memory of one node."""

    kind: str
    image: str
    memory: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologyNeeds:
    """Figures of a topology: number of each kind of node, and memory in MiB.

    by_use  use → number of nodes, MiB of all of them, and the source of the figure; uses: kind and image of each
    """

    switches: int
    servers: int
    links: int
    memory: int
    by_use: Mapping[str, tuple[int, int, str]]
    uses: Mapping[str, NodeUse]
    hints: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The figures as text, one line each."""
        for use, (count, mib, source) in self.by_use.items():
            kind, image, _ = self.uses[use]
            yield f"{count} × {use}: kind {kind}, image {image}, {mib} MiB ({source})"
        yield f"{self.links} links"
        yield from self.hints


class NeedsCounter:
    """Counts the nodes and links of a topology."""

    def __init__(self) -> None:
        self._nodes, self._uses, self._links = Counter[str](), dict[str, NodeUse](), 0

    def add(self, node: Node, links: int) -> None:
        """Count a node, and the links that it is the near end of."""
        self._nodes[node.use] += 1
        self._uses[node.use] = NodeUse(node.kind, node.image, node.memory)
        self._links += links

    def needs(self, kinds: Mapping[str, NodeKind]) -> TopologyNeeds:
        """Return the totals."""
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
            most_nodes, advice = kind.per_host
            limit = 1250 * counts[system]
            yield f"{counts[system]} × {kind.name}, more than {most_nodes} on one host: {advice.format(limit=limit)}"
