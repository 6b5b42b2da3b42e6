"""ECN thresholds of a box as they are rendered: what is wrong with them, and which to write instead."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, budget_of, rendered_of
from fabricgen.intent.fabric import EcnThresholds
from fabricgen.intent.waivers import WARNINGS, can_be_waived
from fabricgen.platforms.base.lossless import RenderedEcn, RenderedLossless
from fabricgen.policy.ecn import (
    FORMULA,
    KILO,
    KMAX_KMIN,
    PERCENT_OF_PFC_LIMIT,
    PUBLISHED,
    Ecn,
    ecn_before_pfc_faults,
    ecn_faults,
    kmin_limit_octets,
    thresholds_of,
)
from fabricgen.policy.load_balancing import FLOWLET_GAP_US
from fabricgen.resolve.lossless import nic_vendor

OCTETS_PER_US_AND_GBPS = 125
LATE, BROKEN, MISSING = "ecn-after-pfc", "ecn-thresholds", "ecn-missing"
MEASURED = "measured under incast, with counters of pauses and marks"
"""Reason of a waiver, for the operator to replace."""


class Wrong(NamedTuple):
    """One rule that thresholds break at a speed. `published`: the maker of the box has them so."""

    code: str
    speed: int
    whys: tuple[str, ...]
    published: bool = False


def is_published(box: LosslessSwitch, speed: int) -> bool:
    """Whether the thresholds in force at a speed are those that the maker publishes for this box and system."""
    chosen = box.lossless.fabric.roce.ecn
    names = box.lossless.published if chosen == PUBLISHED else (chosen,)
    queue = box.lossless.queue(speed, box.role, nic_vendor(box.fabric), box.fan_out)
    return any(name in box.lossless.published and thresholds_of(name, queue) for name in names if isinstance(name, str))


def wrong(box: LosslessSwitch) -> Iterator[Wrong]:
    """What is wrong with the thresholds of a box, speed by speed; without a known buffer, by rules that ask none.

    A buffer that has nothing to share is a problem of its own (`buffer`), and gives no limit that thresholds could be
    held against.
    """
    budget = budget_of(box)
    if budget is not None and budget.shared_octets <= 0:
        return
    told = rendered_of(box)
    for speed in sorted({speed for speed, _ in box.links}):
        found = told.ecn_at(speed)
        if found is None:
            # What a system cannot say of thresholds that are planned, its own limits refuse.
            if box.lossless.ecn(speed, box.role, nic_vendor(box.fabric), box.fan_out) is None:
                yield Wrong(
                    MISSING, speed, (f"{box.lossless.fabric.roce.ecn} has no row for {speed}G, and none is invented",)
                )
            continue
        limit = told.queue_limit_octets or box.lossless.queue_limit
        whys = ecn_faults(_ecn(found), queue_limit_octets=limit, mtu=box.lossless.fabric.mtu)
        if whys:
            yield Wrong(BROKEN, speed, whys)
        whys = _late(box, told, found)
        if whys:
            yield Wrong(LATE, speed, whys, is_published(box, speed))


def _late(box: LosslessSwitch, told: RenderedLossless, found: RenderedEcn) -> tuple[str, ...]:
    """Why PFC would come before marking in the worst case."""
    budget = budget_of(box)
    if budget is None:
        return ()
    whys = ecn_before_pfc_faults(
        _ecn(found), shared_octets=budget.shared_octets, alpha=box.lossless.alpha, fan_out=box.fan_out
    )
    if told.pause_octets is not None and found.maximum_octets > told.pause_octets:
        whys += (
            f"Kmax of {found.maximum_octets} octets is above {told.pause_octets}, where a port of this box pauses",
        )
    return whys


def _ecn(found: RenderedEcn) -> Ecn:
    return Ecn(found.minimum_octets, found.maximum_octets, found.probability_percent, "")


def instead(own: Sequence[LosslessSwitch], code: str) -> str:
    """What to write in place of thresholds that break a rule: the first that works on every box of the fabric.

    What is left with a warning alone comes last: it helps against a problem, and is no way out of a warning. Where
    nothing works that the systems can say, a waiver is offered of a code that can be waived, else another model.

    own   all boxes of one fabric
    code  of the problem or the warning
    """
    chosen = own[0].lossless.fabric.roce.ecn
    for name in (PUBLISHED, FORMULA):
        if name != chosen and _works(own, name):
            return f"write ecn: {name}"
    found = _computed(own)
    if found is not None and _works(own, found):
        return (
            f"write ecn: {{minimum_octets: {found.minimum_octets}, maximum_octets: {found.maximum_octets}, "
            f"probability_percent: {found.probability_percent}}}"
        )
    if code not in WARNINGS and chosen != PUBLISHED and _works(own, PUBLISHED, warned=True):
        return f"write ecn: {PUBLISHED}"
    if can_be_waived(code):
        return f'accept it with waivers: [{{code: {code}, where: fabrics.{own[0].name}, reason: "{MEASURED}"}}]'
    return "choose a model whose system can say thresholds that work on it"


def _works(own: Iterable[LosslessSwitch], chosen: str | EcnThresholds, *, warned: bool = False) -> bool:
    """Whether every box can say other thresholds, and nothing is wrong with them.

    warned  what is only a warning, as the maker publishes it, is not wrong
    """
    changed = [_with(box, chosen) for box in own]
    said = all(rendered_of(box).ecn_at(speed) is not None for box in changed for speed, _ in box.links)
    return said and all(warned and found.published for box in changed for found in wrong(box))


def _with(box: LosslessSwitch, chosen: str | EcnThresholds) -> LosslessSwitch:
    """The same box with other thresholds in its intent."""
    lossless = box.lossless
    roce = lossless.fabric.roce.model_copy(update={"ecn": chosen})
    return box._replace(lossless=lossless._replace(fabric=lossless.fabric.model_copy(update={"roce": roce})))


def _computed(own: Sequence[LosslessSwitch]) -> EcnThresholds | None:
    """Thresholds below what PFC leaves on every box, one pair for all speeds; None where a buffer is unknown."""
    kmins, kmaxs = [], []
    for box in own:
        budget, told = budget_of(box), rendered_of(box)
        if budget is None:
            return None
        limit = kmin_limit_octets(shared_octets=budget.shared_octets, alpha=box.lossless.alpha, fan_out=box.fan_out)
        kmins.append(int(limit) * PERCENT_OF_PFC_LIMIT // 100)
        kmaxs.append((told.queue_limit_octets or box.lossless.queue_limit or 0) // 2)
        kmaxs += [told.pause_octets] if told.pause_octets is not None else []
        kmaxs += _drained(box)
    minimum = max(min(kmins) // KILO, 1) * KILO
    maximum = min(KMAX_KMIN * minimum, *kmaxs) // KILO * KILO
    if maximum <= minimum:
        return None
    percent = max((row.probability_percent for box in own for row in rendered_of(box).ecn), default=100)
    return EcnThresholds(minimum_octets=minimum, maximum_octets=maximum, probability_percent=percent)


def _drained(box: LosslessSwitch) -> list[int]:
    """The deepest queue that drains in half a flowlet gap over all hops: deeper ones let flowlets overtake."""
    hops = 2 * (box.lossless.tiers - 1)
    if box.lossless.fabric.load_balancing != "dlb-flowlet" or not hops:
        return []
    slowest = min(speed for speed, _ in box.links)
    return [FLOWLET_GAP_US * slowest * OCTETS_PER_US_AND_GBPS // (2 * hops)]
