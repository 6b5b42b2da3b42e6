"""ECN thresholds of a switch as rendered: their faults, and the thresholds to write instead."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, budget_of, rendered_of
from fabricgen.intent.fabric import EcnThresholds
from fabricgen.intent.waivers import WARNINGS, can_be_waived, waiver_line
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
from fabricgen.policy.load_balancing import FLOWLET_GAP_US, FLOWLETS
from fabricgen.resolve.lossless import nic_vendor

OCTETS_PER_US_AND_GBPS = 125
LATE, BROKEN, MISSING = "ecn-after-pfc", "ecn-thresholds", "ecn-missing"
MEASURED = "measured under incast: counters of PFC pauses and ECN marks"
"""Example reason of a waiver, which the operator replaces."""


class Wrong(NamedTuple):
    """One rule that thresholds break at a speed. `published`: the vendor of the switch publishes these thresholds."""

    code: str
    speed: int
    whys: tuple[str, ...]
    published: bool = False


def is_published(box: LosslessSwitch, speed: int) -> bool:
    """Return whether the thresholds in force at a speed are published by the vendor for this switch and system."""
    chosen = box.lossless.fabric.roce.ecn
    names = box.lossless.published if chosen == PUBLISHED else (chosen,)
    queue = box.lossless.queue(speed, box.role, nic_vendor(box.fabric), box.fan_out)
    return any(name in box.lossless.published and thresholds_of(name, queue) for name in names if isinstance(name, str))


def wrong(box: LosslessSwitch) -> Iterator[Wrong]:
    """Yield the faults of a switch's thresholds, by speed; with an unknown buffer only by rules that do not need it.

    A buffer without a shared part has a problem of its own (`buffer`), and gives no limit to compare thresholds with.
    """
    budget = budget_of(box)
    if budget is not None and budget.shared_octets <= 0:
        return
    rendered = rendered_of(box)
    for speed in sorted({speed for speed, _ in box.links}):
        ecn = rendered.ecn_at(speed)
        if ecn is None:
            # The limits of the system report planned thresholds that it cannot configure.
            if box.lossless.ecn(speed, box.role, nic_vendor(box.fabric), box.fan_out) is None:
                yield Wrong(
                    MISSING,
                    speed,
                    (
                        f"{box.lossless.fabric.roce.ecn} has no thresholds for {speed}G, and fabricgen "
                        f"does not guess them",
                    ),
                )
            continue
        limit = rendered.queue_limit_octets or box.lossless.queue_limit
        reasons = ecn_faults(_ecn(ecn), queue_limit_octets=limit, mtu=box.lossless.fabric.mtu)
        if reasons:
            yield Wrong(BROKEN, speed, reasons)
        reasons = _late(box, rendered, ecn)
        if reasons:
            yield Wrong(LATE, speed, reasons, is_published(box, speed))


def _late(box: LosslessSwitch, rendered: RenderedLossless, ecn: RenderedEcn) -> tuple[str, ...]:
    """Return why PFC would act before marking in the worst case."""
    budget = budget_of(box)
    if budget is None:
        return ()
    reasons = ecn_before_pfc_faults(
        _ecn(ecn), shared_octets=budget.shared_octets, alpha=box.lossless.alpha, fan_out=box.fan_out
    )
    if rendered.pause_octets is not None and ecn.maximum_octets > rendered.pause_octets:
        reasons += (
            f"Kmax of {ecn.maximum_octets} octets is above {rendered.pause_octets} octets, where a port of this switch "
            f"sends a pause",
        )
    return reasons


def _ecn(rendered: RenderedEcn) -> Ecn:
    return Ecn(rendered.minimum_octets, rendered.maximum_octets, rendered.probability_percent, "")


def instead(boxes: Sequence[LosslessSwitch], code: str) -> str:
    """Return the fix for thresholds that break a rule: the first thresholds that work on every switch of the fabric.

    Thresholds that only have a warning come last: they fix a problem, but not a warning. If no thresholds that the
    systems can configure work, the fix is a waiver if the code can be waived, else another model.

    boxes  all switches of one fabric
    code   code of the problem or the warning
    """
    chosen = boxes[0].lossless.fabric.roce.ecn
    for name in (PUBLISHED, FORMULA):
        if name != chosen and _works(boxes, name):
            return f"write ecn: {name}"
    thresholds = _computed(boxes)
    if thresholds is not None and _works(boxes, thresholds):
        return (
            f"write ecn: {{minimum_octets: {thresholds.minimum_octets}, maximum_octets: {thresholds.maximum_octets}, "
            f"probability_percent: {thresholds.probability_percent}}}"
        )
    if code not in WARNINGS and chosen != PUBLISHED and _works(boxes, PUBLISHED, warned=True):
        return f"write ecn: {PUBLISHED}"
    if can_be_waived(code):
        return f"accept it with {waiver_line(code, MEASURED, f'fabrics.{boxes[0].name}')}"
    return "choose a model whose operating system accepts thresholds that work on it"


def _works(boxes: Iterable[LosslessSwitch], chosen: str | EcnThresholds, *, warned: bool = False) -> bool:
    """Return whether every switch can be configured with other thresholds, and these have no faults.

    warned  faults of published thresholds, which are only warnings, are allowed
    """
    changed = [_with(box, chosen) for box in boxes]
    is_configurable = all(rendered_of(box).ecn_at(speed) is not None for box in changed for speed, _ in box.links)
    return is_configurable and all(warned and fault.published for box in changed for fault in wrong(box))


def _with(box: LosslessSwitch, chosen: str | EcnThresholds) -> LosslessSwitch:
    """Return the same switch with other thresholds in its intent."""
    lossless = box.lossless
    roce = lossless.fabric.roce.model_copy(update={"ecn": chosen})
    return box._replace(lossless=lossless._replace(fabric=lossless.fabric.model_copy(update={"roce": roce})))


def _computed(boxes: Sequence[LosslessSwitch]) -> EcnThresholds | None:
    """Return thresholds below the PFC limit of every switch, one pair for all speeds; None with an unknown buffer."""
    kmins, kmaxs = [], []
    for box in boxes:
        budget, rendered = budget_of(box), rendered_of(box)
        if budget is None:
            return None
        limit = kmin_limit_octets(shared_octets=budget.shared_octets, alpha=box.lossless.alpha, fan_out=box.fan_out)
        kmins.append(int(limit) * PERCENT_OF_PFC_LIMIT // 100)
        # Half of the queue limit, as in the formula.
        kmaxs.append((rendered.queue_limit_octets or box.lossless.queue_limit or 0) // 2)
        kmaxs += [rendered.pause_octets] if rendered.pause_octets is not None else []
        kmaxs += _drained(box)
    minimum = max(min(kmins) // KILO, 1) * KILO
    maximum = min(KMAX_KMIN * minimum, *kmaxs) // KILO * KILO
    if maximum <= minimum:
        return None
    percent = max((row.probability_percent for box in boxes for row in rendered_of(box).ecn), default=100)
    return EcnThresholds(minimum_octets=minimum, maximum_octets=maximum, probability_percent=percent)


def _drained(box: LosslessSwitch) -> list[int]:
    """Return the deepest queue that drains in half a flowlet gap over all hops: deeper ones let flowlets overtake."""
    hops = 2 * (box.lossless.tiers - 1)
    if box.lossless.fabric.load_balancing not in FLOWLETS or not hops:
        return []
    slowest = min(speed for speed, _ in box.links)
    return [FLOWLET_GAP_US * slowest * OCTETS_PER_US_AND_GBPS // (2 * hops)]
