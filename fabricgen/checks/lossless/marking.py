"""One marking plan for switches and NICs: it exists, works, and suits the platforms and the NICs."""

from collections.abc import Iterator

from fabricgen.errors import Problem, did_you_mean
from fabricgen.intent.fabric import Fabric, is_lossless
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.policy.ecn import ECN_PROFILE_BY_NAME, FORMULA, PUBLISHED
from fabricgen.policy.marking import (
    MARKING_BY_NAME,
    Marking,
    lossless_classes,
    marking_faults,
    priority_is_class,
    shares_control,
)
from fabricgen.policy.nics import NIC_VENDOR_BY_NAME
from fabricgen.policy.scheduling import schedule, schedule_faults
from fabricgen.resolve.control import apart, own_packets, rides_with_cnp
from fabricgen.resolve.needs import roles

FREE_PRIORITY = "pfc-priority-map"
"""Feature of a platform that can give a traffic class any PFC priority; without it the two are one number."""

NIC_MARKINGS = {
    "nvidia": ("nvidia",),
    "broadcom": ("broadcom",),
    "amd": ("amd-pollara", "amd-26-48", "amd-10-46"),
}
"""NIC vendor → marking plans that its NICs are known to use. Each plan names its source; a vendor that is missing
here has no published plan, and is assumed to accept any."""


def lossless_fabrics(plan: Plan) -> Iterator[tuple[str, Fabric, FabricPlan]]:
    """Yield the fabrics with a lossless class."""
    for name, fabric in plan.fabrics.items():
        if is_lossless(fabric.fabric):
            yield name, fabric.fabric, fabric


def has_known_names(settings: Fabric) -> bool:
    """Return whether the marking plan and the ECN profile of a fabric exist, so that its switches have thresholds."""
    ecn = settings.roce.ecn
    has_ecn = not isinstance(ecn, str) or ecn in (PUBLISHED, FORMULA) or ecn in ECN_PROFILE_BY_NAME
    return has_ecn and settings.roce.marking in MARKING_BY_NAME


def known_profiles(plan: Plan) -> Iterator[Problem]:
    """The marking plan and the ECN profile that the intent names exist."""
    for name, settings, _ in lossless_fabrics(plan):
        chosen = (("marking", settings.roce.marking, MARKING_BY_NAME), ("ecn", settings.roce.ecn, ECN_PROFILE_BY_NAME))
        for key, word, known in chosen:
            if isinstance(word, str) and word not in known and word not in (PUBLISHED, FORMULA):
                choices = [PUBLISHED, FORMULA, *known] if key == "ecn" else [*known]
                yield Problem(
                    code="unknown-profile",
                    what=f"unknown {'ECN profile' if key == 'ecn' else 'marking plan'} {word}",
                    where=("fabrics", name, "roce", key),
                    why="it is not the name of a known profile",
                    fix=did_you_mean(word, choices),
                )


def markings(plan: Plan) -> Iterator[Problem]:
    """A marking plan works by itself: one lossless class, separate from CNP, control and best effort, and scheduled.

    Source: policy.marking and policy.scheduling, with a source for each plan.
    """
    for _, settings, fabric in lossless_fabrics(plan):
        marking = MARKING_BY_NAME.get(settings.roce.marking)
        if marking is None:
            continue
        classes = lossless_classes(marking)
        reasons = [*marking_faults(marking), *schedule_faults(schedule(marking))]
        if len(classes) != 1:
            yield _problem(
                fabric,
                "lossless-classes",
                f"{marking.name} has {len(classes)} lossless classes",
                f"each lossless class needs headroom, and the plan has classes {', '.join(map(str, classes))}",
            )
        if reasons:
            yield _problem(fabric, "marking-plan", f"the marking plan {marking.name} cannot work", "; ".join(reasons))


def expressible(plan: Plan) -> Iterator[Problem]:
    """The plan separates CNP from control wherever a system can, and every platform supports the priority of its class.

    Where an operating system ties the PFC priority to the traffic class, a plan with different numbers would pause
    the wrong one. Source: the platform's capability table, row pfc-priority-map.
    """
    for _, settings, fabric in lossless_fabrics(plan):
        marking = MARKING_BY_NAME.get(settings.roce.marking)
        if marking is None:
            continue
        able = [role for role in roles(fabric) if _could_part(role.system, marking, bfd=settings.bgp.bfd)]
        if able:
            yield _problem(
                fabric,
                "cnp-with-control",
                f"{marking.name} puts CNP into queue {marking.cnp_queue}, with BGP and BFD",
                f"the CNP queue is capped, so a burst of CNPs would delay BGP and BFD; {able[0].system} can put them "
                f"into separate queues",
            )
        tied = [role.system for role in roles(fabric) if not _is_free(role.system)]
        if tied and not priority_is_class(marking):
            yield _problem(
                fabric,
                "priority-not-class",
                f"{marking.name} gives traffic class {marking.traffic_class} the PFC priority {marking.priority}",
                f"{tied[0]} pauses the traffic class of the same number as the priority",
            )


def _could_part(system: str, marking: Marking, *, bfd: bool) -> bool:
    """Return whether only the plan puts the switch's own packets with CNP: with another CNP queue they are separate."""
    return rides_with_cnp(system, marking, bfd=bfd) and not rides_with_cnp(system, apart(marking), bfd=bfd)


def control_rides(plan: Plan) -> Iterator[Problem]:
    """Where a system cannot mark its own packets otherwise, they share the CNP queue, whose cap then covers both.

    Source: rows control-queue and control-queue-bfd of the platform's capability table.
    """
    for _, settings, fabric in lossless_fabrics(plan):
        marking, bfd = MARKING_BY_NAME[settings.roce.marking], settings.bgp.bfd
        shared = schedule(marking, rides=True)
        (row,) = (row for row in shared if "cnp" in row.traffic)
        systems = {role.system for role in roles(fabric) if rides_with_cnp(role.system, marking, bfd=bfd)}
        for system in sorted(systems):
            packets = own_packets(system, marking, bfd=bfd)
            who, leave = ("BGP and BFD share", "they are sent") if bfd else ("BGP shares", "it is sent")
            yield Problem(
                code="control-with-cnp",
                what=f"{who} queue {row.queue} of {fabric.name} with CNP on {system}",
                where=("fabrics", fabric.name, "roce", "marking"),
                why=f"{leave} {packets}; the cap is {row.cap_percent} % of the port, and more CNPs drop keepalives",
                fix="waive control-with-cnp once sessions have stayed up during a storm of CNPs in your test; or "
                "choose NICs with another CNP DSCP",
            )


def _is_free(system: str) -> bool:
    name = system.partition("-")[0]
    return name in PLATFORMS and supports(name, FREE_PRIORITY)


def fitting(fabric: FabricPlan) -> tuple[str, ...]:
    """Return the marking plans that work on every platform and for all NICs: those of the NIC vendors, else any."""
    free = all(_is_free(role.system) for role in roles(fabric))
    vendors = {group.nics.vendor for group in fabric.shape.groups}
    names = tuple(
        name
        for name, marking in sorted(MARKING_BY_NAME.items())
        if not shares_control(marking)
        and (free or priority_is_class(marking))
        and all(_suits(marking, vendor) for vendor in vendors)
    )
    names_of_vendors = {name for vendor in vendors for name in NIC_MARKINGS.get(vendor, ())}
    return tuple(name for name in names if name in names_of_vendors) or names


def _suits(marking: Marking, vendor: str) -> bool:
    vendor_plans = NIC_MARKINGS.get(vendor, ())
    return not vendor_plans or any(_alike(marking, MARKING_BY_NAME[name]) for name in vendor_plans)


def _problem(fabric: FabricPlan, code: str, what: str, why: str) -> Problem:
    choices = fitting(fabric)
    return Problem(
        code=code,
        what=what,
        where=("fabrics", fabric.name, "roce", "marking"),
        why=why,
        fix=f"write marking: {' or '.join(choices)}"
        if choices
        else "write transport: best-effort, or connect NICs of one vendor only",
    )


def nic_markings(plan: Plan) -> Iterator[Problem]:
    """The NIC sets the marks: the plan is one of its vendor's, or has the same data, CNP and priority as one of these.

    Source: the plan of each vendor in policy.marking.
    """
    for name, settings, fabric in lossless_fabrics(plan):
        marking = MARKING_BY_NAME.get(settings.roce.marking)
        if marking is None:
            continue
        for group in fabric.shape.groups:
            own = [MARKING_BY_NAME[known] for known in NIC_MARKINGS.get(group.nics.vendor, ())]
            if not _suits(marking, group.nics.vendor):
                yield Problem(
                    code="nic-marking",
                    what=f"{group.name} has {group.nics.vendor} NICs, and {name} is marked as {marking.name}",
                    where=("fabrics", name, "roce", "marking"),
                    why=f"{own[0].name} sends data with DSCP {own[0].data_dscp} and CNP with {own[0].cnp_dscp}; "
                    f"{marking.name} is lossless for DSCP {ranges_text(marking.roce_dscps)} and expects CNP with "
                    f"{marking.cnp_dscp}",
                    fix=f"write marking: {' or '.join(fitting(fabric) or (own[0].name,))}",
                )


def unknown_nics(plan: Plan) -> Iterator[Problem]:
    """NICs of a lossless fabric are of a vendor with known settings; else the message names the unknown settings.

    A warning: the operator may know how they are set. Source: policy.nics and policy.marking, with one per vendor.
    """
    for name, settings, fabric in lossless_fabrics(plan):
        for group in fabric.shape.groups:
            if group.nics.vendor not in NIC_VENDOR_BY_NAME:
                yield Problem(
                    code="nic-unknown",
                    what=f"{group.name} has {group.nics.vendor} NICs, for which no settings for {name} are known",
                    where=("servers", group.name, "model"),
                    why="their DSCP values cannot be checked, ECN has the thresholds for any NIC, and `export "
                    f"hosts` writes no PFC, DSCP, ECN or GID settings; known: {', '.join(sorted(NIC_VENDOR_BY_NAME))}",
                    fix=f"correct vendor of these NICs in the server's hardware file, or waive nic-unknown with who "
                    f"configures them as roce.marking: {settings.roce.marking} says",
                )


def _alike(marking: Marking, nic: Marking) -> bool:
    return nic.data_dscp in marking.roce_dscps and nic.cnp_dscp == marking.cnp_dscp and nic.priority == marking.priority


def ranges_text(numbers: tuple[int, ...]) -> str:
    """Return code points in a sentence: a run as FIRST-LAST, others one by one."""
    whole = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
    return f"{numbers[0]}-{numbers[-1]}" if whole else ", ".join(map(str, numbers))
