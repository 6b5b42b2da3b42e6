"""Whether the port rows that leaves take on the spines, and pods on the superspines, are there."""

from collections.abc import Iterator

from fabricgen.checks.lock_fit import fits
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.plan.rows import last_pod, pods_recorded, rows_recorded, rows_standing
from fabricgen.topologies.arithmetic import legal_spines


def spine_rows(plan: Plan) -> Iterator[Problem]:
    """The highest row in use, times the links of a pair, lies within a spine's ports: now, and as planned.

    Proof: ports of a row are row, row + R / m, ... for m links, so the highest row takes the highest port. A row is
    kept for ever, so a removed group's rows count for the planned fabric. Source: the rule of growth, R / m leaves
    before cables must move.
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
    return Problem(
        code="spine-ports",
        what=f"{_told(spines, 'spine')} of {name} {_have(spines)} no port for the leaf in row {rows - 1}",
        where=("fabrics", name, "topology", "spines", key),
        why=f"rows 0-{rows - 1} of {links} links each take {rows * links} ports, a spine has {ports}",
        fix=_more("spines", key, legal, shape.spines_planned) or f"choose a spine with at least {rows} ports",
    )


def superspine_rows(plan: Plan) -> Iterator[Problem]:
    """The highest pod, times the links of a pair, lies within a superspine's ports: now, and as planned.

    A pod's row is its number, for ever. Source: as for `spine_rows`, one tier up.
    """
    for name, fabric in plan.fabrics.items():
        shape = fabric.shape
        if shape.core is None or shape.spine is None or not shape.cores or not fits(fabric):
            continue
        ports, up = len(shape.core.down), len(shape.spine.up)
        stages = (("now", shape.cores, last_pod(fabric)), ("planned", shape.cores_planned, pods_recorded(fabric)))
        for key, cores, pods in stages:
            if pods * (up // cores) > ports:
                legal = legal_spines(pods, up, ports)
                yield Problem(
                    code="superspine-ports",
                    what=f"{_told(cores, 'superspine')} a core group of {name} {_have(cores)} no port for pod "
                    f"{pods - 1}",
                    where=("fabrics", name, "topology", "superspines", key),
                    why=f"{pods} pods of {up // cores} links each take {pods * (up // cores)} ports, a superspine has "
                    f"{ports}",
                    fix=_more("superspines", key, legal, shape.cores_planned)
                    or f"choose a superspine with at least {pods} ports",
                )
                break


def _told(count: int, role: str) -> str:
    return f"{count} {role}{'s' if count != 1 else ''}"


def _have(count: int) -> str:
    return "have" if count != 1 else "has"


def _more(role: str, key: str, legal: tuple[int, ...], planned: int) -> str:
    """What to write; empty where no count is legal. No more stand than are planned, so then both are raised."""
    within = legal if key == "planned" else tuple(count for count in legal if count <= planned)
    if within:
        return f"write {role}.{key}: {' or '.join(map(str, within[:2]))}"
    return f"write {role}: {{now: {legal[0]}, planned: {legal[0]}}}" if legal else ""
