"""Buffers of a lossless class: headroom for every port, marking before pausing, within the chip's memory."""

from bisect import bisect
from collections.abc import Iterator
from dataclasses import replace
from math import ceil
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.checks.lossless.ecn_thresholds import (
    BROKEN,
    LATE,
    MISSING,
    OCTETS_PER_US_AND_GBPS,
    instead,
    is_published,
    wrong,
)
from fabricgen.checks.lossless.lossless_switches import (
    HeadroomUse,
    LosslessSwitch,
    boxes,
    budget_of,
    planned_qos,
    rendered_of,
    room_of,
    vendor_ratio,
)
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import MOST_OVERCOMMIT
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.policy.buffers import buffer_faults
from fabricgen.policy.headroom import budget_faults, own_room_faults, profile_faults
from fabricgen.policy.load_balancing import FLOWLET_GAP_US, FLOWLETS
from fabricgen.resolve.lossless import nic_vendor
from fabricgen.source.yaml_events import path_text

PUBLISHED_LATE = "ecn-after-pfc-published"
WHATS = {
    MISSING: "has no ECN thresholds for its {speed}G ports",
    BROKEN: "has ECN thresholds that do not work on its operating system",
    LATE: "would send PFC pauses before it marks ECN on {speed}G ports",
}
NO_SOURCE = "add them with their source to a file of your own in hardware/, or choose another model"
"""Fix for sizes without a source."""


def sets_aside(box: LosslessSwitch) -> bool:
    """Return whether the switch's operating system reserves headroom by itself for all of its cable lengths."""
    platform = PLATFORMS.get(box.chassis.system.partition("-")[0])
    most = platform.own_headroom_m if platform else 0
    return bool(most) and all(length <= most for _, length in box.links)


def sizes_known(plan: Plan) -> Iterator[Problem]:
    """A lossless class needs a chip whose buffer, headroom pool and headroom of every link are known.

    Or an operating system that reserves headroom by itself, up to the length that its vendor states.
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
                what=f"{box.chassis.switch.model} cannot be checked to be lossless on {box.name}",
                where=box.where,
                why=f"no source gives {' or '.join(missing)}",
                fix=NO_SOURCE,
            )


class BufferFault(NamedTuple):
    """One rule broken by one chassis; those of one fabric and code are reported as one problem."""

    code: str
    box: LosslessSwitch
    what: str
    why: str
    fix: str
    speed: int = 0
    published: bool = False
    where: IntentPath = ()


def _fault_problems(faults: Iterator[BufferFault], key: str) -> Iterator[Problem]:
    """Yield one problem per fabric and code: the first chassis' text, with all roles that it applies to."""
    by_code = grouped(((fault.box.name, fault.code), fault) for fault in faults)
    for (name, code), faults_of_code in by_code.items():
        first = faults_of_code[0]
        roles = " and ".join(f"every {role}" for role in dict.fromkeys(fault.box.role for fault in faults_of_code))
        own = ("fabrics", name, "roce", key) if key else first.box.where
        yield Problem(
            code=code,
            what=f"{roles} of {name} {first.what}",
            where=first.where or own,
            why=first.why,
            fix=first.fix,
            about=tuple(path_text(own[:length]) for length in range(2, len(own) + 1)) if first.where else None,
        )


def headroom_pool(plan: Plan) -> Iterator[Problem]:
    """Headroom of all ports together stays within the pool times the allowed overcommitment.

    Headroom is the rendered value, or what the switch itself computes from the length of the cable. The limit is 2:1
    (expert knowledge), the vendor's own ratio for its table in the library, or the intent's; chips without a headroom
    pool take it from the shared buffer. The chip needs a profile for each different value of headroom, and must have
    that many.
    """
    yield from _fault_problems(_headroom_faults(plan), "")


def _headroom_faults(plan: Plan) -> Iterator[BufferFault]:
    rooms = [(box, room) for box in boxes(plan) if (room := room_of(box)) is not None]
    most: dict[str, float] = {}
    for box, room in rooms:
        most[box.name] = max(most.get(box.name, 0.0), 0.0 if room.private else room.budget.ratio)
    # The worst first, so that its fix is enough for all.
    for box, room in sorted(rooms, key=lambda pair: -pair[1].budget.ratio):
        for fault in room_faults(room):
            key, metres = _longest(plan, box)
            shorter = f"write {path_text(key)}: {metres} or less" if metres else ""
            fix = less_headroom(room, box.name, most[box.name], shorter)
            why = f"{fault}{_of_table(box, room)}; {_per_port(box)}"
            where = key if metres and key[-1] in box.fabric.lengths.model_fields_set else ()
            yield BufferFault("headroom-pool", box, _promised(room), why, fix, where=where)
        octets = {row.octets for link in box.links if (row := box.lossless.headroom(*link)) is not None}
        for why in profile_faults(octets, box.chassis.asic.headroom_profiles):
            yield BufferFault(
                "headroom-profiles",
                box,
                "needs more headroom profiles than its chip holds",
                why,
                "round cable lengths to fewer values in cables:",
            )


def _longest(plan: Plan, box: LosslessSwitch) -> tuple[IntentPath, int]:
    """Return the key of a switch's longest cables, and the most metres with which the headroom of its fabric fits."""
    lengths = box.fabric.lengths
    longest = max((length for _, length in box.links), default=0)
    key = next((key for key, length in lengths if length == longest), "")

    def is_short(metres: int) -> bool:
        shorter = replace(box.fabric, lengths=lengths.model_copy(update={key: float(metres)}))
        tried = boxes(plan._replace(fabrics={**plan.fabrics, box.name: shorter}))
        rooms = [room_of(each) for each in tried if each.name == box.name]
        return any(room_faults(room) for room in rooms if room is not None)

    return ("cables", "default", key), bisect(range(1, int(longest) + 1), x=False, key=is_short)


def _per_port(box: LosslessSwitch) -> str:
    """Say what each port gets where all get the same: some systems have one value for all ports of a switch."""
    longest = max((length for _, length in box.links), default=0)
    planned = planned_qos(box)
    pairs = zip(planned.headroom, rendered_of(box, planned).headroom, strict=True)
    octets = {as_rendered.octets or row.octets for row, as_rendered in pairs}
    if len(octets) > 1:
        return f"the longest cable is {longest:g} m long"
    ports = sum(row.ports for row in planned.headroom)
    return f"each of the {ports} ports gets {min(octets):,} bytes, for the longest cable of the switch ({longest:g} m)"


def _of_table(box: LosslessSwitch, room: HeadroomUse) -> str:
    """Say that the vendor's larger ratio is not that of these lengths, where it has one."""
    ratio = vendor_ratio(box, [(speed, 0.0) for speed, _ in box.links])
    if box.lossless.fabric.roce.headroom_overcommit is not None or ratio <= room.allowed:
        return ""
    lengths = [length for speed, length in box.links if not vendor_ratio(box, [(speed, length)])]
    lacking = f"no value for {max(lengths):g} m of cable" if lengths else "not all of these lengths"
    return f" (the vendor's own headroom table would allow {ratio:.2f} times, but has {lacking})"


def room_faults(room: HeadroomUse) -> tuple[str, ...]:
    """Return why the headroom of a switch does not fit, with the numbers compared; empty where it does."""
    if room.private:
        return own_room_faults(room.needed, room.size)
    return budget_faults(room.budget, room.allowed)


def _promised(room: HeadroomUse) -> str:
    if room.private:
        return "has no buffer for the headroom of its ports"
    return f"needs {room.budget.ratio:.2f} times its pool for PFC headroom"


def less_headroom(room: HeadroomUse, fabric: str, most: float = 0.0, shorter: str = "") -> str:
    """Return the fix for a pool that is too small.

    most     largest ratio in the fabric, including published ones
    shorter  the length that fits, as it is written; empty where none does, or where it is not known
    """
    shorten = shorter or "shorten the cables"
    ratio = ceil(max(room.budget.ratio, most) * 100) / 100
    if room.private:
        return f"{shorten}, or choose a model with a larger buffer"
    if ratio > MOST_OVERCOMMIT:
        return shorter or "shorten the cables, or choose a model with a larger headroom pool"
    whose = " (of another switch of it)" if most > room.budget.ratio else ""
    return f"{shorten}, or accept it with fabrics.{fabric}.roce.headroom_overcommit: {ratio:.2f}{whose}"


def thresholds(plan: Plan) -> Iterator[Problem]:
    """ECN thresholds exist for every speed, lie in order below the queue's limit, and mark before PFC pauses.

    They are checked as rendered, after the rounding of the switch's system. Marking comes first when
    Kmin < alpha B' / (F (1 + alpha)), where B' is the shared buffer and F the number of egress ports that one ingress
    port can feed. On a leaf these are all other ports; on a spine or superspine all ports except those to the switch
    that sent the packet. The formula follows the DCQCN paper, for one lossless class. Where the vendor publishes the
    thresholds for its switch, a later marking is only a warning (`ecn-after-pfc-published`).
    """
    yield from _fault_problems(_threshold_faults(plan, published=False), "ecn")


def published_late(plan: Plan) -> Iterator[Problem]:
    """The vendor's own thresholds for a switch may mark after PFC in the worst case; a warning then gives the numbers.

    The worst case is one ingress that feeds all other ports at once. It is only a warning: the vendor has
    tested these thresholds.
    """
    faults = _threshold_faults(plan, published=True)
    noted = (fault._replace(code=PUBLISHED_LATE, why=fault.why + _deep(fault)) for fault in faults)
    yield from _fault_problems(noted, "ecn")


def _deep(fault: BufferFault) -> str:
    """Return the drain time of a queue at the vendor's Kmax where flows move between paths; else empty."""
    ecn = rendered_of(fault.box).ecn_at(fault.speed)
    if ecn is None or fault.box.lossless.fabric.load_balancing not in FLOWLETS:
        return ""
    drain = ecn.maximum_octets / (fault.speed * OCTETS_PER_US_AND_GBPS)
    return (
        f"; apart from that, a queue of {ecn.maximum_octets:,} bytes (Kmax) drains in {drain:.0f} us, and a flow "
        f"may change its path after a gap of {FLOWLET_GAP_US} us: its packets may then be reordered"
    )


def published_depths(plan: Plan, name: str) -> frozenset[tuple[int, int]]:
    """Return speed and Kmax of the published thresholds of a fabric's switches."""
    depths = set()
    for box in boxes(plan):
        speeds = {speed for speed, _ in box.links} if box.name == name else set()
        for speed in speeds:
            ecn = box.lossless.ecn(speed, box.role, nic_vendor(box.fabric), box.fan_out)
            if ecn is not None and is_published(box, speed):
                depths.add((speed, ecn.maximum_octets))
    return frozenset(depths)


def _threshold_faults(plan: Plan, *, published: bool) -> Iterator[BufferFault]:
    """Yield the faults of thresholds of every switch of every fabric, either of published ones or of all others."""
    by_fabric = grouped((box.name, box) for box in boxes(plan))
    for fabric_boxes in by_fabric.values():
        for box in fabric_boxes:
            for fault in (fault for fault in wrong(box) if fault.published is published):
                code = PUBLISHED_LATE if fault.published else fault.code
                what = WHATS[fault.code].format(speed=fault.speed)
                fix = instead(fabric_boxes, code)
                yield BufferFault(fault.code, box, what, "; ".join(fault.whys), fix, fault.speed, fault.published)


def buffers(plan: Plan) -> Iterator[Problem]:
    """The buffer has a shared part left after headroom, and alpha is at least 1/16.

    Source: a model that shipped alpha 1/64 paused a whole site (policy.buffers).
    """
    fix = "choose another model, or correct its chip's file in hardware/asics"
    faults = (
        BufferFault("buffer", box, "cannot share its buffer", why, fix)
        for box in boxes(plan)
        if (budget := budget_of(box)) is not None
        for why in buffer_faults(budget, box.lossless.alpha)
    )
    yield from _fault_problems(faults, "")
