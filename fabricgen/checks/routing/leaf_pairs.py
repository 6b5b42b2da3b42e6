"""Backends whose NICs have one address behind two leaves (dual-ToR): where this carries, and where it does not."""

from collections.abc import Iterator

from fabricgen.base.grouping import grouped
from fabricgen.errors import Problem
from fabricgen.plan.leaf_pairs import first_server_asn, has_leaf_pairs
from fabricgen.plan.plan import Plan


def lossless_pairs(plan: Plan) -> Iterator[Problem]:
    """NICs of a lossless backend have one leaf each: a leaf pair turns packets from down to up.

    A leaf that has lost a NIC's link learns the NIC's route from the spines, as its other leaf announces it: packets
    that came down go up again until the spines have heard of the loss. Only paths that never turn so are free of cyclic
    buffer dependencies (`valleys` has the proof), and no published design proves more.
    """
    for name, fabric in plan.fabrics.items():
        if has_leaf_pairs(fabric) and getattr(fabric.fabric, "transport", "") == "roce-lossless":
            yield Problem(
                code="leaf-pairs-lossless",
                what=f"the NICs of {name} have two leaves, and its traffic is lossless",
                where=("fabrics", name, "topology", "leaves_per_rail"),
                why="when the link of a NIC to a leaf fails, packets that came down to this leaf go up again to reach "
                "the other one; with such turns lossless buffers can wait for each other in a circle (PFC deadlock)",
                fix=f"write leaves_per_rail: 1, or transport: best-effort in fabrics.{name}",
            )


def equal_rails(plan: Plan) -> Iterator[Problem]:
    """All server groups of a backend with leaf pairs have the same rails.

    A server learns routes to NICs of a rail over its own NIC of that rail; without one it would not reach them.
    """
    for name, fabric in plan.fabrics.items():
        if not has_leaf_pairs(fabric):
            continue
        rails = {group.name: sorted({port.rail for port in group.nics.ports}) for group in fabric.shape.groups}
        first = next(iter(rails))
        other = next((group for group, own in rails.items() if own != rails[first]), None)
        if other is not None:
            yield Problem(
                code="leaf-pairs-rails",
                what=f"{first} and {other} have different rails on {name}",
                where=("fabrics", name, "topology", "leaves_per_rail"),
                why=f"{first} has {len(rails[first])} rails and {other} has {len(rails[other])}; with leaf pairs a "
                "server reaches the NICs of a rail over its own NIC of this rail",
                fix="write leaves_per_rail: 1, or connect server groups with equal rails only",
            )


def host_asn(plan: Plan) -> Iterator[Problem]:
    """AS numbers of servers are of no switch: a leaf drops routes that carry its own (RFC 4271 section 9.1.2).

    Servers have the last private numbers, downwards, and a server is on one such backend: its BGP has one number.
    """
    paired = {name: fabric for name, fabric in plan.fabrics.items() if has_leaf_pairs(fabric)}
    if not paired:
        return
    first = min(map(first_server_asn, paired.values()))
    for name, fabric in plan.intent.fabrics.items():
        if fabric.asns.last >= first:
            start = min(fabric.asns.first, first - 1 - (fabric.asns.last - fabric.asns.first))
            yield Problem(
                code="host-asn",
                what=f"the AS numbers of {name} include {max(first, fabric.asns.first)}, which servers may have",
                where=("fabrics", name, "asns"),
                why=f"servers behind two leaves speak BGP with numbers from {first} on; a switch with the number of a "
                "server drops its routes",
                fix=f"write asns: {start}-{first - 1}",
            )
    by_group = grouped((group.name, name) for name, fabric in paired.items() for group in fabric.shape.groups)
    for group, names in by_group.items():
        if len(names) > 1:
            yield Problem(
                code="leaf-pairs-twice",
                what=f"{group} is on {' and '.join(names)}, which both have leaf pairs",
                where=("fabrics", names[1], "topology", "leaves_per_rail"),
                why="a server speaks BGP with one AS number, which follows from its place on one backend",
                fix="write leaves_per_rail: 1",
            )
