"""Designs: one module each that turns one fabric of an intent into dimensions (`Shape`)."""

from fabricgen.intent.fabric import LeafSpine
from fabricgen.topologies.leaf_spine import leaf_spine
from fabricgen.topologies.rail_optimized import rail_optimized
from fabricgen.topologies.request import Request
from fabricgen.topologies.shape import Shape


def make_shape(request: Request) -> Shape:
    """Return the dimensions of one fabric. Raises FabricError when they are impossible."""
    topology = request.fabric.topology
    if isinstance(topology, LeafSpine):
        return leaf_spine(request, topology)
    return rail_optimized(request, topology)
