"""Lines of the lock that today's switches no longer fit, with what may be written so that they fit again."""

from collections.abc import Iterator

from fabricgen.checks.numbers.lock_fit import misfits
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import NumberDemand, Segment


def recorded_fit(plan: Plan) -> Iterator[Problem]:
    """A recorded segment fits today's switches: the same slots a unit, no more host ports and the same up ports.

    Slots, host ports, up ports and block length are fixed at the first render; one that no longer fits would move
    addresses or cables that are live, so it is refused with what would move. The segment of a
    removed fabric or group stays reserved.
    """
    for fabric in plan.fabrics.values():
        found = tuple(misfits(plan, fabric))
        if found:
            # Imported where something is wrong: a sound site would wait for it.
            from fabricgen.checks.remedies.recorded import former_or_moved  # noqa: PLC0415
            from fabricgen.checks.remedies.trial import trial_of  # noqa: PLC0415

            fix = former_or_moved(trial_of(plan, fabric.name), fabric, found)
            yield from (_moved(fabric, *each, fix) for each in found)


def _moved(
    fabric: FabricPlan, demand: NumberDemand, segments: tuple[Segment, ...], whys: list[str], fix: str
) -> Problem:
    name = fabric.name
    count = sum(segment.box.size() for segment in segments)
    title = demand.tier.value.replace("-", " ")
    told = f"{count} {title if count == 1 else title.replace('leaf', 'leave') + 's'}"
    what = f"{told} of {demand.group or name} in the lock no longer fit{'s' * (count == 1)} the intent"
    role = {Tier.LEAF: "leaf", Tier.BORDER: "topology", Tier.SPINE: "spine", Tier.SUPERSPINE: "superspine"}[demand.tier]
    whose = "its" if count == 1 else "their"
    return Problem(
        code="lock-misfit",
        what=f"{what}: {whose} host and link addresses would change" if demand.tier is Tier.LEAF else what,
        where=("fabrics", name, role),
        why="; ".join(dict.fromkeys(whys)),
        fix=fix,
    )
