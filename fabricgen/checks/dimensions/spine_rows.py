"""Whether spines have ports for the rows of leaves, and superspines for the rows of pods."""

from collections.abc import Iterator

from fabricgen.checks.remedies.trial import Short, short_cores, short_spines, trial_of
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan


def spine_rows(plan: Plan) -> Iterator[Problem]:
    """Each spine has a port for every link of the leaves up to the last row in use: now, and as planned.

    A row is the number of a leaf at its spines. Needed: (last row + 1) x links per leaf-spine pair.

    Proof: ports of a row are row, row + R / m, ... for m links, so the highest row uses the highest port. A row is kept
    forever, so a removed group's rows count for the planned fabric. Source: the rule of growth, R / m leaves before
    cables must move.
    """
    for fabric in plan.fabrics.values():
        short = short_spines(fabric)
        if short is not None:
            yield _too_few(plan, fabric, short)


def _too_few(plan: Plan, fabric: FabricPlan, short: Short) -> Problem:
    shape, name = fabric.shape, fabric.name
    ports = len(shape.spine.down) if shape.spine is not None else 0
    links = shape.uplinks_on(short.switches) // short.switches
    former, renamed = _former_group(plan, fabric)
    return Problem(
        code="spine-ports",
        what=f"{_counted(short.switches, 'spine')} of {name} {_have(short.switches)} too few ports for {short.rows} "
        f"lea{'f' if short.rows == 1 else 'ves'}",
        where=("fabrics", name, "topology", "spines", short.key),
        why=f"{short.rows} leaves with {links} link{'s' * (links != 1)} to each spine need {short.rows * links} ports "
        f"on it, and a spine has {ports}{former}",
        fix=renamed + _fix(plan, name, "spines", short),
    )


def _former_group(plan: Plan, fabric: FabricPlan) -> tuple[str, str]:
    """Return additions to reason and fix where the lock has leaves of a group that is no longer connected."""
    names = {line.group for line in plan.recorded.segments if line.fabric == fabric.name and line.tier is Tier.LEAF}
    former, new = names - set(fabric.fabric.connects), sorted(set(fabric.fabric.connects) - names)
    if not former:
        return "", ""
    former_names = " and ".join(sorted(former))
    added_reason = f"; these include leaves of {former_names} in the lock, which {fabric.name} no longer connects"
    return added_reason, f"write servers.{new[0]}.was: {min(former)} if the group was renamed, or " if new else ""


def superspine_rows(plan: Plan) -> Iterator[Problem]:
    """The highest pod, times the links of a pair, lies within a superspine's ports: now, and as planned.

    A pod's row is its number, forever. Source: as for `spine_rows`, one tier up.
    """
    for name, fabric in plan.fabrics.items():
        short, shape = short_cores(fabric), fabric.shape
        if short is None or shape.core is None or shape.spine is None:
            continue
        ports, links = len(shape.core.down), len(shape.spine.up) // short.switches
        yield Problem(
            code="superspine-ports",
            what=f"{_counted(short.switches, 'superspine')} per core group of {name} {_have(short.switches)} too few "
            f"ports for {short.rows} pods",
            where=("fabrics", name, "topology", "superspines", short.key),
            why=f"{short.rows} pods with {links} link{'s' * (links != 1)} to each superspine need {short.rows * links} "
            f"ports on it, and a superspine has {ports}",
            fix=_fix(plan, name, "superspines", short),
        )


def _fix(plan: Plan, name: str, key: str, short: Short) -> str:
    # Imported only if something is wrong: the import would slow down a correct site.
    from fabricgen.checks.remedies.offers import spine_counts  # noqa: PLC0415

    tried = spine_counts(trial_of(plan, name), key, short.key, f"{key}.{short.key}: ")
    return tried or f"choose a {key.removesuffix('s')} with at least {short.rows} ports"


def _counted(count: int, role: str) -> str:
    return f"{count} {role}{'s' if count != 1 else ''}"


def _have(count: int) -> str:
    return "have" if count != 1 else "has"
