"""Buffers of a lossless class: headroom for every port, marking before pausing, in what the chip has."""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from fabricgen.checks.marking import lossless_backends
from fabricgen.errors import IntentPath, Problem
from fabricgen.hardware.ports import ports
from fabricgen.intent.fabric import MOST_OVERCOMMIT
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.rendered import Rendered, RenderedEcn, RenderedHeadroom
from fabricgen.policy.buffers import PoolBudget, buffer_faults
from fabricgen.policy.ecn import (
    ECN_PROFILE_BY_NAME,
    FORMULA,
    PUBLISHED,
    Ecn,
    ecn_before_pfc_faults,
    ecn_faults,
    published_or_formula,
    thresholds_of,
)
from fabricgen.policy.headroom import OVERCOMMIT, HeadroomBudget, budget_faults, headroom_budget, profile_faults
from fabricgen.policy.load_balancing import FLOWLET_GAP_US
from fabricgen.policy.marking import MARKING_BY_NAME
from fabricgen.resolve.device import rendered_lossless
from fabricgen.resolve.lossless import Lossless, fan_out_of, lossless_of, nic_vendor
from fabricgen.resolve.qos import LosslessBox, qos_of
from fabricgen.topologies.shape import Chassis

OCTETS_PER_US_AND_GBPS = 125


class Box(NamedTuple):
    """One chassis of a lossless fabric: its role in the intent, its ports in use by speed, and its arithmetic.

    links    (speed, metres) → ports
    fan_out  egress queues that one ingress port feeds
    """

    name: str
    role: str
    fabric: FabricPlan
    chassis: Chassis
    lossless: Lossless
    links: dict[tuple[int, float], int]
    fan_out: int

    @property
    def where(self) -> IntentPath:
        """The model in the intent."""
        return ("fabrics", self.name, self.role, "model")


def boxes(plan: Plan) -> Iterator[Box]:
    """Every chassis of every lossless fabric, with the default cable lengths: one a role, whatever the size."""
    for name, backend, fabric in lossless_backends(plan):
        if backend.roce.marking not in MARKING_BY_NAME:
            continue
        for role, chassis in _chassis(fabric):
            lossless = lossless_of(fabric, chassis)
            if lossless is not None:
                links = _links(fabric, role, chassis)
                yield Box(name, role, fabric, chassis, lossless, links, fan_out_of(fabric, role, chassis))


def _chassis(fabric: FabricPlan) -> Iterator[tuple[str, Chassis]]:
    yield from (("leaf", group.leaf) for group in fabric.shape.groups)
    if fabric.shape.spine is not None and fabric.shape.spines:
        yield "spine", fabric.shape.spine
    if fabric.shape.core is not None and fabric.shape.cores:
        yield "superspine", fabric.shape.core


def _links(fabric: FabricPlan, role: str, chassis: Chassis) -> dict[tuple[int, float], int]:
    """Ports in use of a planned chassis by speed and length; every port of a spine or superspine is planned for."""
    lengths = fabric.lengths
    below, above = {
        "leaf": (lengths.server_leaf, lengths.leaf_spine),
        "spine": (lengths.leaf_spine, lengths.spine_superspine),
        "superspine": (lengths.spine_superspine, 0.0),
    }[role]
    found: dict[tuple[int, float], int] = {}
    for used, length in ((chassis.down, below), (chassis.up, above)):
        for port in used:
            found[port.speed_gbps, length] = found.get((port.speed_gbps, length), 0) + 1
    return found


def pool_octets(box: Box) -> int | None:
    """Headroom pool: published for the model, else of the chip."""
    return box.chassis.switch.headroom_pool_octets or box.chassis.asic.headroom_pool_octets


def budget_of(box: Box) -> PoolBudget | None:
    """Packet memory cut up; None where a size is unknown. Private headroom comes off the buffer itself."""
    pool, total = private_octets(box) or pool_octets(box), box.chassis.asic.buffer_octets
    return PoolBudget(total_octets=total, headroom_octets=pool, reserved_octets=0) if pool and total else None


def private_octets(box: Box) -> int:
    """What the ports of a chassis take off its buffer where they share no headroom; else 0."""
    return sum(row.private * box.links[link] for link, row in _told_headroom(box).items())


def _told_headroom(box: Box) -> dict[tuple[int, float], RenderedHeadroom]:
    """Headroom of each kind of link as the switch is told, or computes it."""
    rows = [link for link in sorted(box.links) if box.lossless.headroom(*link) is not None]
    return dict(zip(rows, rendered_of(box).headroom, strict=True))


def sets_aside(box: Box) -> bool:
    """Whether its operating system sets headroom aside by itself for cables as long as the box has."""
    platform = PLATFORMS.get(box.chassis.system.partition("-")[0])
    most = platform.own_headroom_m if platform else 0
    return bool(most) and all(length <= most for _, length in box.links)


def sizes_known(plan: Plan) -> Iterator[Problem]:
    """A lossless class stands on a chip whose buffer, headroom pool and headroom of every link are known.

    Or on an operating system that sets headroom aside by itself, as far as its maker says.
    """
    for box in boxes(plan):
        if sets_aside(box):
            continue
        missing = [] if budget_of(box) else ["its buffer or headroom pool"]
        missing += [
            f"headroom of {speed}G at {length:g} m"
            for speed, length in box.links
            if not box.lossless.headroom(speed, length)
        ]
        if missing:
            yield Problem(
                code="headroom-unknown",
                what=f"{box.chassis.switch.model} can not be proven lossless on {box.name}",
                where=box.where,
                why=f"no source gives {' nor '.join(missing)}",
                fix="add them with their source to a file of your own in hardware/, or choose another model",
            )


def vendor_ratio(box: Box) -> float:
    """Octets that the model's maker promises per octet of its pool: every port at each speed in use at its row.

    0 where the model has no row or no pool of its own, or where a link in use is not of its table: then the maker
    has said nothing about this mixture.
    """
    switch = box.chassis.switch
    found = [box.lossless.headroom(speed, length) for speed, length in box.links]
    if not switch.headroom_pool_octets or any(row is None or row.basis != "model-row" for row in found):
        return 0
    speeds = {speed for speed, _ in box.links}
    rows = {speed: max(row.xoff_octets for row in switch.headroom if row.speed_gbps == speed) for speed in speeds}
    return max(len(ports(switch, speed)) * octets / switch.headroom_pool_octets for speed, octets in rows.items())


def overcommit(box: Box) -> float:
    """Octets of headroom that may be promised per octet of pool.

    1 where ports share no headroom. Else the intent's own number if it has one; else 2, as not all ports pause at once,
    or the maker's own ratio where every link is of the model's published table, e.g. 2.66 for 128 x 400G.
    """
    own: float | None = box.lossless.fabric.roce.headroom_overcommit
    if private_octets(box):
        return 1
    return own if own is not None else max(float(OVERCOMMIT), vendor_ratio(box))


class Fault(NamedTuple):
    """One rule broken by one chassis; those of one fabric and code become one problem."""

    code: str
    box: Box
    what: str
    why: str
    fix: str
    speed: int = 0


def _told(faults: Iterator[Fault], key: str) -> Iterator[Problem]:
    """One problem a fabric and code: the first chassis' words, and which roles it is true of."""
    found: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        found.setdefault((fault.box.name, fault.code), []).append(fault)
    for (name, code), same in found.items():
        first = same[0]
        roles = " and ".join(f"every {role}" for role in dict.fromkeys(fault.box.role for fault in same))
        yield Problem(
            code=code,
            what=f"{roles} of {name} {first.what}",
            where=("fabrics", name, "roce", key) if key else first.box.where,
            why=first.why,
            fix=first.fix,
        )


def headroom_pool(plan: Plan) -> Iterator[Problem]:
    """Headroom of all ports at once stays within the pool times the overcommitment that is allowed.

    The limit is `overcommit`: 2:1 (expert knowledge), the maker's own ratio for its own table, or the intent's. The
    chip holds as many profiles as there are different headrooms.
    """
    yield from _told(_headroom_faults(plan), "")


def _headroom_faults(plan: Plan) -> Iterator[Fault]:
    budgets = [(box, budget) for box in boxes(plan) if (budget := _needed(box)) is not None]
    # The worst first, so that the remedy holds for all.
    for box, budget in sorted(budgets, key=lambda pair: -pair[1].ratio):
        for why in budget_faults(budget, lossless_classes=1, overcommit=overcommit(box)):
            ratio = ceil(budget.ratio * 100) / 100
            yield Fault(
                "headroom-pool",
                box,
                f"promises {budget.ratio:.2f} times its headroom pool",
                why,
                _less_headroom(ratio),
            )
        octets = {found.octets for link in box.links if (found := box.lossless.headroom(*link)) is not None}
        for why in profile_faults(octets, box.chassis.asic.headroom_profiles):
            yield Fault(
                "headroom-profiles",
                box,
                "needs more headroom profiles than its chip holds",
                why,
                "round cable lengths to fewer values in cables:",
            )


def _less_headroom(ratio: float) -> str:
    """What to do about a pool that promises so much."""
    if ratio > MOST_OVERCOMMIT:
        return "shorten the cables, or choose a model with a larger headroom pool"
    return f"shorten the cables, or accept it with roce.headroom_overcommit: {ratio:.2f}"


def _needed(box: Box) -> HeadroomBudget | None:
    """Headroom of every port of a chassis, as it is rendered, against its pool; None where the pool is unknown."""
    pool, private = pool_octets(box), private_octets(box)
    if private and box.chassis.asic.buffer_octets:
        return headroom_budget([private], lossless_classes=1, pool_octets=box.chassis.asic.buffer_octets)
    if not pool:
        return None
    told = _told_headroom(box)
    sizes = [(link, box.lossless.headroom(*link), count) for link, count in box.links.items()]
    octets = [(told[link].octets or found.octets) * count for link, found, count in sizes if found is not None]
    return headroom_budget(octets, lossless_classes=1, pool_octets=pool)


def rendered_of(box: Box) -> Rendered:
    """The lossless class of a chassis as its switches are told of it, after the rounding of their system."""
    lossless = box.lossless
    links = ((link, ports, lossless.headroom(*link)) for link, ports in sorted(box.links.items()))
    rows = tuple(((*link, found.octets if found else 0), ports) for link, ports, found in links)
    qos = qos_of(LosslessBox(box.fabric, box.role, box.chassis, lossless), rows)
    return rendered_lossless(box.chassis, qos, lossless.fabric.mtu)


def thresholds(plan: Plan) -> Iterator[Problem]:
    """ECN thresholds exist for every speed, lie in order below the queue's limit, and mark before PFC pauses.

    They are judged as they are rendered, after the rounding of the switch's system. Marking comes first when
    Kmin < alpha B' / (F (1 + alpha)), F being all egress ports that one ingress feeds (after the DCQCN paper, one
    lossless class): all other ports of a leaf, above it all ports but those of the pair that the packet came in by.
    Where the maker of the box publishes the thresholds for it, a later marking is a warning (`published_late`).
    """
    yield from _told(_threshold_faults(plan), "ecn")


def published_late(plan: Plan) -> Iterator[Problem]:
    """The maker's own thresholds for a box may mark after PFC in the worst case; then the numbers are said.

    The worst case is one ingress that feeds all other ports at once. It stops nothing, as the maker has tested them.
    """
    faults = (fault for box in boxes(plan) for fault in _late(box) if _is_published(box, fault.speed))
    noted = (fault._replace(code="ecn-after-pfc-published", why=fault.why + _deep(fault)) for fault in faults)
    yield from _told(noted, "ecn")


def _deep(fault: Fault) -> str:
    """What a queue as deep as the maker's Kmax means where flows are moved between paths."""
    found = rendered_of(fault.box).ecn_at(fault.speed)
    if found is None or fault.box.lossless.fabric.load_balancing != "dlb-flowlet":
        return ""
    drain = found.maximum_octets / (fault.speed * OCTETS_PER_US_AND_GBPS)
    return f"; Kmax {found.maximum_octets} drains in {drain:.0f} us, and flows change paths after {FLOWLET_GAP_US} us"


def published_depths(plan: Plan, name: str) -> frozenset[tuple[int, int]]:
    """Speed and Kmax of the thresholds of a fabric that the makers of its boxes publish for them."""
    found = set()
    for box in boxes(plan):
        speeds = {speed for speed, _ in box.links} if box.name == name and not _unknown_profile(box) else set()
        for speed in speeds:
            ecn = box.lossless.ecn(speed, box.role, nic_vendor(box.fabric), box.fan_out)
            if ecn is not None and _is_published(box, speed):
                found.add((speed, ecn.maximum_octets))
    return frozenset(found)


def _threshold_faults(plan: Plan) -> Iterator[Fault]:
    for box in boxes(plan):
        if budget_of(box) is None or _unknown_profile(box):
            continue
        told = rendered_of(box)
        for speed in sorted({speed for speed, _ in box.links}):
            found = told.ecn_at(speed)
            if found is None:
                if not _is_planned(box, speed):
                    yield _missing(box, speed)
                continue
            yield from _broken(box, found)
        yield from (fault for fault in _late(box) if not _is_published(box, fault.speed))


def _is_planned(box: Box, speed: int) -> bool:
    """Whether there are thresholds at a speed; what the system cannot say of them, its own limits refuse."""
    return box.lossless.ecn(speed, box.role, nic_vendor(box.fabric), box.fan_out) is not None


def _missing(box: Box, speed: int) -> Fault:
    return Fault(
        "ecn-missing",
        box,
        f"has no ECN thresholds for its {speed}G ports",
        f"{box.lossless.fabric.roce.ecn} has no row for {speed}G, and none is invented",
        f"write ecn: {PUBLISHED}, or thresholds of your own",
        speed,
    )


def _is_published(box: Box, speed: int) -> bool:
    """Whether the thresholds in force at a speed are those that the maker publishes for this box and system."""
    chosen = box.lossless.fabric.roce.ecn
    names = box.lossless.published if chosen == PUBLISHED else (chosen,)
    queue = box.lossless.queue(speed, box.role, nic_vendor(box.fabric), box.fan_out)
    return any(name in box.lossless.published and thresholds_of(name, queue) for name in names if isinstance(name, str))


def _broken(box: Box, found: RenderedEcn) -> Iterator[Fault]:
    limit = box.lossless.queue_limit or 0
    ecn = Ecn(found.minimum_octets, found.maximum_octets, found.probability_percent, "")
    whys = ecn_faults(ecn, queue_limit_octets=limit, mtu=box.lossless.fabric.mtu)
    if whys:
        what = "has ECN thresholds that cannot work as they are rendered"
        yield Fault("ecn-thresholds", box, what, "; ".join(whys), _remedy(box, found.speed_gbps), found.speed_gbps)


def _late(box: Box) -> Iterator[Fault]:
    """Speeds at which PFC would come before marking in the worst case."""
    budget = budget_of(box)
    if budget is None or _unknown_profile(box):
        return
    for found in rendered_of(box).ecn:
        ecn = Ecn(found.minimum_octets, found.maximum_octets, found.probability_percent, "")
        whys = ecn_before_pfc_faults(
            ecn, shared_octets=budget.shared_octets, alpha=box.lossless.alpha, fan_out=box.fan_out
        )
        if whys:
            what = f"would pause before it marks on {found.speed_gbps}G ports"
            fix = _remedy(box, found.speed_gbps)
            yield Fault("ecn-after-pfc", box, what, "; ".join(whys), fix, found.speed_gbps)


def _remedy(box: Box, speed: int) -> str:
    """What to write instead; nothing that is in force already."""
    if box.lossless.fabric.roce.ecn == PUBLISHED:
        return "choose a model with more buffer, or waive it with what you have measured"
    queue = box.lossless.queue(speed, box.role, nic_vendor(box.fabric), box.fan_out)
    found = published_or_formula(box.lossless.published, queue)
    return f"write ecn: {PUBLISHED}, which takes {found.minimum_octets} and {found.maximum_octets} octets here"


def _unknown_profile(box: Box) -> bool:
    chosen = box.lossless.fabric.roce.ecn
    return isinstance(chosen, str) and chosen not in (PUBLISHED, FORMULA, *ECN_PROFILE_BY_NAME)


def buffers(plan: Plan) -> Iterator[Problem]:
    """Something of the buffer is left to share once headroom is off, and alpha is no less than 1/16.

    Source: a model that shipped alpha 1/64 paused a whole site (policy.buffers).
    """
    fix = "choose another model, or mend its chip's file in hardware/asics"
    faults = (
        Fault("buffer", box, "can not share its buffer", why, fix)
        for box in boxes(plan)
        if (budget := budget_of(box)) is not None
        for why in buffer_faults(budget, box.lossless.alpha)
    )
    yield from _told(faults, "")
