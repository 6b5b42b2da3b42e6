"""The leaf ports of a server's NICs: each on the leaf of its rail, no two on one port."""

from collections import Counter
from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.topologies.shape import GroupShape


def rails(plan: Plan) -> Iterator[Problem]:
    """NIC ports of a rail connect to the leaves of that rail, in every unit, and no two connect to the same port.

    Groups that share leaves have ports apart from each other. With a pair of leaves per rail, its ports are spread over
    both evenly. The columns are the same for all units, so a
    group is proven at once. Source: rail = GPU index by PCIe affinity; rail-optimized reference designs put rail r of
    every server of a unit on one leaf.
    """
    for fabric in plan.fabrics.values():
        for group in fabric.shape.groups:
            yield from _columns(fabric, group)
            if fabric.shape.kind == "backend":
                yield from _gap(fabric, group) or _leaves(fabric, group)
                yield from _pairs(fabric, group)


def _columns(fabric: FabricPlan, group: GroupShape) -> Iterator[Problem]:
    """Check that columns are distinct, on leaves that the unit has, in rows 0, 1, ... that fit its ports."""
    first_ports = (other.first_port for other in fabric.shape.sharing(group.leaves_of))
    end = next((port for port in first_ports if port > group.first_port), len(group.leaf.down))
    rows = max((end - group.first_port) // group.slots_a_unit, 1)
    outside = [
        column
        for column in group.columns
        if not (column.rail < group.rails and column.index < group.indexes and column.row < rows)
    ]
    duplicates = len(group.columns) - len(set(group.columns))
    if outside or duplicates:
        yield Problem(
            code="rail-columns",
            what=(
                f"{duplicates or len(outside)} NIC ports of {group.name} have no leaf "
                f"port of their own on {fabric.name}"
            ),
            where=("fabrics", fabric.name, "connects", group.name),
            why=f"{len(group.columns)} ports share {len(set(group.columns))} positions of {group.rails} x "
            f"{group.indexes} leaves with {rows} rows of {group.slots_a_unit} slots",
            fix="number the rails of the NIC group from 0, each once, in the server's hardware file",
        )


def _gap(fabric: FabricPlan, group: GroupShape) -> tuple[Problem, ...]:
    """Return the problem of a rail without a port below a rail with one: leaves would be planned for it."""
    rails = {port.rail for port in group.nics.ports}
    missing = sorted(set(range(max(rails))) - rails)
    if not missing:
        return ()
    return (
        Problem(
            code="rail-leaf",
            what=f"no NIC port of {group.name} is on rail {missing[0]}, and one is on rail {max(rails)}",
            where=("fabrics", fabric.name, "connects", group.name),
            why=f"{len(rails)} rails would get leaves for {max(rails) + 1} rails",
            fix="number the rails of the NIC group from 0, without a gap, in the server's hardware file",
        ),
    )


def _leaves(fabric: FabricPlan, group: GroupShape) -> Iterator[Problem]:
    shape = fabric.shape
    per_plane = -(-len({port.rail for port in group.nics.ports}) // shape.rail_planes)
    per_leaf = -(-per_plane // group.rails)
    wrong = [
        (port, column)
        for port, column in zip(group.nics.ports, group.columns, strict=True)
        if (column.plane, column.rail) != (port.rail // per_plane * shape.slices, port.rail % per_plane // per_leaf)
    ]
    if wrong:
        port, column = wrong[0]
        planes = f" of plane {port.rail // per_plane}" if shape.rail_planes > 1 else ""
        plane = f" of plane {column.plane // shape.slices}" if shape.rail_planes > 1 else ""
        yield Problem(
            code="rail-leaf",
            what=f"{len(wrong)} NIC ports of {group.name} connect to the leaf of another rail",
            where=("fabrics", fabric.name, "topology", "rails_per_leaf"),
            why=f"{port.name} is on rail {port.rail}, which is leaf {port.rail % per_plane // per_leaf} of its unit"
            f"{planes}, and connects to leaf {column.rail}{plane}",
            fix="number the rails of the NIC group from 0, each once, in the server's hardware file",
        )


def _pairs(fabric: FabricPlan, group: GroupShape) -> Iterator[Problem]:
    """Check that every rail has as many ports as the others, spread evenly over the leaves of its pair."""
    ports_by_rail: dict[int, Counter[int]] = {}
    for port, column in zip(group.nics.ports, group.columns, strict=True):
        ports_by_rail.setdefault(port.rail, Counter())[column.index] += 1
    even = len(group.columns) / (len(ports_by_rail) * group.indexes)
    uneven = [
        rail
        for rail, counts in sorted(ports_by_rail.items())
        if any(counts[index] != even for index in range(group.indexes))
    ]
    if uneven:
        counts = ports_by_rail[uneven[0]]
        yield Problem(
            code="rail-pair",
            what=f"{len(uneven)} of {len(ports_by_rail)} rails of {group.name} do not "
            "have the same number of ports as the "
            f"others",
            where=("fabrics", fabric.name, "connects", group.name),
            why=f"rail {uneven[0]} has {' and '.join(str(counts[index]) for index in range(group.indexes))} on its "
            f"{'pair of leaves' if group.indexes > 1 else 'leaf'}; equal shares would be {even:g} each",
            fix="give every rail of the NIC group the same number of ports in the server's hardware file",
        )
