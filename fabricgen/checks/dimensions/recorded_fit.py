"""Lines of the lock that do not fit the switches of the intent, with changes that make them fit again."""

import re
from collections.abc import Iterator

from fabricgen.checks.numbers.lock_fit import misfits, splits_differently
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.segments import NumberDemand, Segment


def recorded_fit(plan: Plan) -> Iterator[Problem]:
    """Switches of the intent fit their lines of the lock: equal slots per unit, no more server ports, equal uplinks.

    Slots, server ports, uplinks and block length are fixed at the first render. A change would move addresses or
    cables in use, so it is refused, and the message names them. The segment of a removed fabric or group stays
    reserved.
    """
    for fabric in plan.fabrics.values():
        misfit_lines = tuple(misfits(plan, fabric))
        if misfit_lines:
            # Imported only if something is wrong: the import would slow down a correct site.
            from fabricgen.checks.remedies.recorded import former_or_moved  # noqa: PLC0415
            from fabricgen.checks.remedies.trial import trial_of  # noqa: PLC0415

            fix = former_or_moved(trial_of(plan, fabric.name), fabric, misfit_lines)
            known = {(segment.oob, segment.identifiers) for segment in plan.recorded.segments}
            for demand, lines, reasons in misfit_lines:
                recorded = tuple(line for line in lines if (line.oob, line.identifiers) in known)
                yield _moved(fabric, demand, recorded or lines, reasons, fix)


def _moved(
    fabric: FabricPlan, demand: NumberDemand, segments: tuple[Segment, ...], reasons: list[str], fix: str
) -> Problem:
    name = fabric.name
    # Planned switches have addresses too.
    count = sum(segment.box.size() for segment in segments)
    title = demand.tier.value.replace("-", " ")
    switches_text = f"{count} {title if count == 1 else title.replace('leaf', 'leave') + 's'}"
    what = f"{switches_text} of {demand.group or name} in the lock no longer fit{'s' * (count == 1)} the intent"
    role = {Tier.LEAF: "leaf", Tier.BORDER: "topology", Tier.SPINE: "spine", Tier.SUPERSPINE: "superspine"}[demand.tier]
    # The line that a person changed, where the fix or the reason tells which one.
    key = re.match(r"write (topology|leaf|spine|superspine)\.(\w+)", fix)
    where: IntentPath = ("fabrics", name, *(key.groups() if key else (role,)))
    if fix.startswith("write shared_leaves") or any("shared_leaves" in reason for reason in reasons):
        where = ("fabrics", name, "shared_leaves")
    elif key is None and splits_differently(segments, demand):
        where = ("servers", demand.group, "model")
    whose = "its" if count == 1 else "their"
    return Problem(
        code="lock-misfit",
        what=f"{what}: {whose} host and link addresses would change" if demand.tier is Tier.LEAF else what,
        where=where,
        why="; ".join(dict.fromkeys(reasons)),
        fix=fix,
    )
