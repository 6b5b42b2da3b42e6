"""What containerlab can run of each platform, and in which of its releases."""

from collections.abc import Mapping

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms import makers
from fabricgen.platforms.base.containerlab import NodeKind, Nodes, Release

NODES: Mapping[str, Nodes] = OnDemand(makers("containerlab"))


def kind_of(platform: str, release: Release) -> NodeKind | None:
    """The kind of a platform in a release; None where there is none."""
    return next((kind for kind in NODES[platform].kinds if kind.holds(release)), None) if platform in NODES else None


def exported() -> dict[str, tuple[NodeKind, ...]]:
    """Kinds of each platform that containerlab can run."""
    return {name: nodes.kinds for name, nodes in NODES.items() if nodes.kinds}
