"""Whether a fabric has a plane for each slice of its servers' NICs."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.topologies.nics import choices


def nic_planes(plan: Plan) -> Iterator[Problem]:
    """A NIC that is divided into planes has a plane of the fabric for each slice; otherwise bandwidth is unused.

    Source: NVIDIA DGX B300 SuperPOD reference architecture, two planes of 400G per NIC.
    """
    for name, fabric in plan.fabrics.items():
        for group in fabric.shape.groups:
            slices = fabric.shape.slices
            if group.nics.planes != slices:
                yield Problem(
                    code="nic-planes",
                    what=f"NICs of {group.name} are {_divided(group.nics.planes)}, and {name} has "
                    f"{slices} plane{'s' if slices != 1 else ''}",
                    where=("fabrics", name, "connects", group.name),
                    why=f"each slice of a NIC needs a plane of its own; {group.nics.planes} x "
                    f"{group.nics.speed_gbps // group.nics.planes}G is the speed of the NIC",
                    fix=_fix(plan, fabric) + f"give {group.name} a fabric of its own",
                )


def _divided(planes: int) -> str:
    return f"divided into {planes} planes" if planes != 1 else "not divided"


def _fix(plan: Plan, fabric: FabricPlan) -> str:
    """Return the fix if every NIC of the fabric can be divided into the same number of slices; else empty."""
    # Imported only if something is wrong: the import would slow down a correct site.
    from fabricgen.checks.remedies.speeds import with_planes  # noqa: PLC0415
    from fabricgen.checks.remedies.trial import trial_of  # noqa: PLC0415

    common = sorted(set.intersection(*(set(choices(group.nics)) for group in fabric.shape.groups)))
    default = f"write topology.planes: {' or '.join(map(str, common))}"
    return f"{with_planes(trial_of(plan, fabric.name), common) or default}, or " if common else ""
