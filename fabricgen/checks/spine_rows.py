"""Which port rows of the spines are taken, and whether they are there: growth and removal leave gaps."""

from collections.abc import Iterator

from fabricgen.checks.lock_fit import fits
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan, group_of
from fabricgen.plan.place import ROW_AXES, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import Segment


def rows_recorded(fabric: FabricPlan) -> int:
    """One past the highest port row that any segment of the fabric takes, in today's lock as it becomes."""
    return max((end for found in fabric.segments.values() for s in found for end in _end(s)), default=0)


def _end(segment: Segment) -> Iterator[int]:
    if segment.row is not None:
        yield segment.row + segment.box.size(ROW_AXES)


def rows_standing(fabric: FabricPlan) -> int:
    """One past the highest port row of a leaf or border leaf that stands today."""
    return max((end for found in fabric.segments.values() for s in found for end in _standing(fabric, s)), default=0)


def _standing(fabric: FabricPlan, segment: Segment) -> Iterator[int]:
    """Ends of the rows of one segment that hold a switch; units are the slowest axis of a row."""
    if segment.row is None:
        return
    if segment.tier is not Tier.LEAF:
        count = min(segment.box.index.last, fabric.shape.borders - 1) - segment.box.index.first + 1
        if count > 0:
            yield segment.row + count
        return
    group = group_of(fabric, segment.group)
    stride = segment.box.size((3, 4))
    for pod in range(segment.box.pod.first, segment.box.pod.last + 1):
        first = pod * group.units_a_pod
        for span in group.present:
            last = min(span.last - first, segment.box.su.last)
            if last >= max(span.first - first, segment.box.su.first):
                yield segment.row + (last - segment.box.su.first + 1) * stride


def rows_fit(fabric: FabricPlan) -> bool:
    """Whether every standing leaf finds its ports on every spine: rows x links lie within the spine's ports."""
    shape = fabric.shape
    return shape.spine is None or rows_standing(fabric) * shape.links <= len(shape.spine.down)


def spine_rows(plan: Plan) -> Iterator[Problem]:
    """The highest row in use, times the links of a pair, lies within a spine's ports: now, and as planned.

    A row is kept for ever, so a removed group's rows count for the planned fabric. Source: the rule of growth,
    R / m leaves before cables must move.
    """
    for fabric in plan.fabrics.values():
        shape = fabric.shape
        if shape.spine is None or not shape.spines or not shape.spines_planned or not fits(fabric):
            continue
        ports = len(shape.spine.down)
        stages = (
            ("now", shape.spines, rows_standing(fabric)),
            ("planned", shape.spines_planned, rows_recorded(fabric)),
        )
        for key, spines, rows in stages:
            if rows * (shape.uplinks_on(spines) // spines) > ports:
                yield _too_few(fabric, key, spines, rows)
                break


def _too_few(fabric: FabricPlan, key: str, spines: int, rows: int) -> Problem:
    shape, name = fabric.shape, fabric.name
    ports = len(shape.spine.down) if shape.spine is not None else 0
    links, legal = shape.uplinks_on(spines) // spines, shape.legal_spines(rows)
    most = " or ".join(map(str, legal[:2]))
    return Problem(
        code="spine-ports",
        what=f"{spines} spines of {name} have no port for the leaf in row {rows - 1}",
        where=("fabrics", name, "topology", "spines", key),
        why=f"rows 0-{rows - 1} of {links} links each take {rows * links} ports, a spine has {ports}",
        fix=f"write spines.{key}: {most}" if legal else f"choose a spine with at least {rows} ports",
    )
