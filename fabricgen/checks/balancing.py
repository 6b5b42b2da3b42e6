"""How traffic is spread over equal paths, against what the chip and the NICs can do."""

from collections.abc import Iterator

from fabricgen.checks.cabling import chassis_by_role
from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import DLB_GROUPS, ecmp_faults, group_faults, mode_faults
from fabricgen.resolve.routing import maximum_paths


def modes(plan: Plan) -> Iterator[Problem]:
    """The chip of every switch knows the mode, and per-packet spraying has NICs that accept reordering.

    Source: `load_balancing` of the chip's hardware file, `reorder` of the NIC group.
    """
    for name, fabric in plan.fabrics.items():
        reorder = all(group.nics.reorder for group in fabric.shape.groups)
        mode = fabric.fabric.load_balancing
        found: dict[str, list[str]] = {}
        for role, chassis in chassis_by_role(fabric):
            for why in mode_faults(mode, supported=chassis.asic.load_balancing, nic_reorder=reorder):
                found.setdefault(why, []).append(role)
        for why, roles in found.items():
            yield Problem(
                code="balancing-mode",
                what=f"{name} can not balance by {mode}",
                where=("fabrics", name, "load_balancing"),
                why=f"{why} ({', '.join(dict.fromkeys(roles))})" if "NIC" not in why else why,
                fix="write load_balancing: ecmp" if "NIC" not in why else "write load_balancing: dlb-flowlet",
            )


def ecmp_width(plan: Plan) -> Iterator[Problem]:
    """A group of the chip holds all equal paths, and BGP installs them: uplinks of a leaf, links of a pair on a spine.

    Source: `ecmp_width` of the chip's hardware file; unknown widths are not compared.
    """
    for name, fabric in plan.fabrics.items():
        widest = 0
        for role, chassis in chassis_by_role(fabric):
            paths = len(chassis.uplinks) if role != "spine" else fabric.shape.links
            widest = max(widest, paths)
            for why in ecmp_faults(paths, chassis.asic.ecmp_width):
                yield Problem(
                    code="ecmp-width",
                    what=f"{chassis.switch.model} can not use all {paths} equal paths of a {role} of {name}",
                    where=("fabrics", name, role, "model"),
                    why=why,
                    fix="plan for fewer and faster uplinks, or choose a model with a wider chip",
                )
        if maximum_paths(fabric) < widest:
            yield Problem(
                code="maximum-paths",
                what=f"switches of {name} would install {maximum_paths(fabric)} of {widest} equal paths",
                where=("fabrics", name, "topology"),
                why=f"the widest set of equal paths has {widest}",
                fix="this is a fault of ours; report it with your intent",
            )


def dynamic_groups(plan: Plan) -> Iterator[Problem]:
    """Dynamic balancing has a group for every set of next hops: on a spine one a leaf with more than one link.

    Counted once for both families, as they share next hops; what a chip holds is expert knowledge (DLB_GROUPS).
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.load_balancing == "ecmp" or fabric.shape.links < 2:
            continue
        for why in group_faults(_leaves_planned(fabric), DLB_GROUPS):
            yield Problem(
                code="dynamic-groups",
                what=f"spines of {name} have more groups than {fabric.fabric.load_balancing} can balance",
                where=("fabrics", name, "load_balancing"),
                why=why,
                fix=f"write topology.spines.planned: {len(fabric.shape.groups[0].leaf.up)} (one link a pair), or "
                "load_balancing: ecmp",
            )


def _leaves_planned(fabric: FabricPlan) -> int:
    groups = fabric.shape.groups
    return fabric.shape.borders + sum(g.planned * g.rails * g.indexes for g in groups)
