"""Whether a fabric has a plane for each slice that the NICs of its servers are divided into."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.topologies.nics import choices


def nic_planes(plan: Plan) -> Iterator[Problem]:
    """A NIC that is divided into planes has a plane of the fabric for each slice; else bandwidth is left unplugged.

    Source: NVIDIA DGX B300 SuperPOD reference architecture, two planes of 400G a NIC.
    """
    for name, fabric in plan.fabrics.items():
        for group in fabric.shape.groups:
            if group.nics.planes != fabric.shape.planes:
                yield Problem(
                    code="nic-planes",
                    what=f"NICs of {group.name} are {_divided(group.nics.planes)}, and {name} has "
                    f"{fabric.shape.planes} plane{'s' if fabric.shape.planes != 1 else ''}",
                    where=("fabrics", name, "connects", group.name),
                    why=f"each slice of a NIC needs a plane of its own; {group.nics.planes} x "
                    f"{group.nics.speed_gbps // group.nics.planes}G is what the NIC has",
                    fix=_fix(plan, fabric) + f"give {group.name} a fabric of its own",
                )


def _divided(planes: int) -> str:
    return f"divided into {planes} planes" if planes != 1 else "not divided"


def _fix(plan: Plan, fabric: FabricPlan) -> str:
    """What to write where every NIC of the fabric can be divided into one number of slices; empty where none is."""
    # Imported where something is wrong: a sound site would wait for it.
    from fabricgen.checks.remedies.speeds import with_planes  # noqa: PLC0415
    from fabricgen.checks.remedies.trial import trial_of  # noqa: PLC0415

    common = sorted(set.intersection(*(set(choices(group.nics)) for group in fabric.shape.groups)))
    told = f"write topology.planes: {' or '.join(map(str, common))}"
    return f"{with_planes(trial_of(plan, fabric.name), common) or told}, or " if common else ""
