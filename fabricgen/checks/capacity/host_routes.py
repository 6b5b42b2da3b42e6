"""Routes to single NICs that reach two leaves: no leaf may announce an aggregate of which it can lose a part.

Source: an aggregate whose parts are not all behind the switch that announces it attracts traffic that it must drop
(RFC 7938 section 8.2); so each NIC's own address is announced, by both of its leaves.
"""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.plan import Plan


def host_routes(plan: Plan) -> Iterator[Problem]:
    """Every chip of a backend with leaf pairs holds a route to each planned NIC. Unknown table sizes are not compared.

    Source: `routes_ipv4` and `routes_ipv6` of the chip's hardware file.
    """
    for name, fabric in plan.fabrics.items():
        if not has_leaf_pairs(fabric):
            continue
        family = fabric.fabric.addressing.hosts
        hosts, others = planned_nics(fabric), planned_switches(fabric)
        for asic in {chassis.asic.name: chassis.asic for _, chassis in fabric.shape.chassis}.values():
            limit = asic.routes_ipv4 if family == "ipv4" else asic.routes_ipv6
            if limit is not None and hosts + others > limit:
                yield Problem(
                    code="host-routes",
                    what=f"each switch of {name} would need {hosts + others} {family} routes",
                    where=("fabrics", name, "topology", "leaves_per_rail"),
                    why=f"{asic.name} holds {limit}; a NIC that reaches two leaves has a route of its own, {hosts} as "
                    f"planned, and there are {others} loopbacks",
                    fix="write leaves_per_rail: 1, plan for fewer servers, or choose models with a larger table",
                )


def planned_nics(fabric: FabricPlan) -> int:
    """Return the NICs of one plane, in every planned slot."""
    return sum(
        group.planned * group.slots_a_unit * len({port.rail for port in group.nics.ports})
        for group in fabric.shape.groups
    )


def planned_switches(fabric: FabricPlan) -> int:
    """Return the planned switches of one plane: each has one loopback."""
    segments = (segment for segments_of_tier in fabric.segments.values() for segment in segments_of_tier)
    return sum(segment.box.size() // segment.box.plane.size for segment in segments)
