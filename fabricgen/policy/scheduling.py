"""Marking plan and weights → one row for each queue in use: strict or weighted, capped, lossless.

Rule: the CNP queue is strict, capped and never lossless. Control is strict above it, and capped too, since any host can
mark its packets with the control code point. RoCE data and best effort share the rest by weight, so that neither
starves. A queue that carries both CNP and the switch's own packets is capped at the sum of both caps.
"""

from typing import NamedTuple

from fabricgen.policy import sources
from fabricgen.policy.marking import BEST_EFFORT_CLASS, Marking

CNP_CAP_PERCENT = 10  # of port speed: AMD's NIC default, sources.AMD_SCRIPTS; Juniper's profile has 5
CONTROL_CAP_PERCENT = 5
"""Of port speed: the cap of a strict queue in sources.JUNIPER_JVD. 5 Gb/s of 100G are far above what a CPU sends."""


class Weights(NamedTuple):
    """Shares of RoCE data and best effort in percent, which add up to 100, and caps of the strict queues."""

    roce_percent: int
    best_effort_percent: int
    cnp_cap_percent: int
    control_cap_percent: int
    source: str


# Others publish 50 and 50 (sources.CUMULUS_ROCE), and 50 to 60 percent remaining for RoCE (sources.CISCO_ND).
WEIGHTS = Weights(
    roce_percent=95,
    best_effort_percent=5,
    cnp_cap_percent=CNP_CAP_PERCENT,
    control_cap_percent=CONTROL_CAP_PERCENT,
    source=f"shares 95 and 5: {sources.ARISTA_GUIDE}; cap of CNP: {sources.AMD_SCRIPTS}",
)


class QueueRow(NamedTuple):
    """One egress queue. Strict queues are served first, the higher number first; the others share by weight.

    traffic          "roce", "cnp", "control", "best-effort"; "control+cnp" where a plan puts both in one queue
    weight_percent   0 when strict
    cap_percent      largest share of the port's speed that the queue may use; 100 is no cap
    """

    queue: int
    traffic_class: int
    traffic: str
    strict: bool = False
    weight_percent: int = 0
    cap_percent: int = 100
    lossless: bool = False


def schedule(marking: Marking, weights: Weights = WEIGHTS, *, rides: bool = False) -> tuple[QueueRow, ...]:
    """Return the queues in use, ascending by queue. `rides`: the switch's own packets use the CNP queue, too."""
    best_effort = QueueRow(
        queue=BEST_EFFORT_CLASS,
        traffic_class=BEST_EFFORT_CLASS,
        traffic="best-effort",
        weight_percent=weights.best_effort_percent,
    )
    roce = QueueRow(
        queue=marking.queue,
        traffic_class=marking.traffic_class,
        traffic="roce",
        weight_percent=weights.roce_percent,
        lossless=True,
    )
    return tuple(sorted((best_effort, roce, *_strict_rows(marking, weights, rides=rides))))


def _strict_rows(marking: Marking, weights: Weights, *, rides: bool) -> tuple[QueueRow, ...]:
    both = weights.cnp_cap_percent + weights.control_cap_percent
    cnp = QueueRow(
        queue=marking.cnp_queue,
        traffic_class=marking.cnp_traffic_class,
        traffic="cnp",
        strict=True,
        cap_percent=both if rides else weights.cnp_cap_percent,
    )
    control = cnp._replace(
        queue=marking.control_queue,
        traffic_class=marking.control_traffic_class,
        traffic="control",
        cap_percent=weights.control_cap_percent,
    )
    # One queue carries both, with room for both caps.
    if cnp.queue == control.queue:
        return (cnp._replace(traffic="control+cnp", cap_percent=both),)
    return (cnp, control)


def schedule_faults(rows: tuple[QueueRow, ...]) -> tuple[str, ...]:
    """Return why a schedule cannot work; empty when it can. "control+cnp" counts as both."""
    cnp = tuple(row for row in rows if row.traffic in ("cnp", "control+cnp"))
    control = tuple(row for row in rows if row.traffic in ("control", "control+cnp"))
    weighted = sum(row.weight_percent for row in rows if not row.strict)
    top = max((row.queue for row in rows), default=0)
    rules = (
        (len({row.queue for row in rows}) == len(rows), "two rows have the same queue"),
        (weighted == 100, f"weights add up to {weighted}, not 100"),
        (not any(row.strict and row.lossless for row in rows), "a strict lossless queue starves the others"),
        (all(row.strict for row in cnp), "the CNP queue is not strict: marks would arrive too late"),
        (all(row.cap_percent < 100 for row in cnp), "the CNP queue has no cap: a storm of CNPs starves RoCE"),
        (
            all(row.cap_percent < 100 for row in control),
            "the control queue has no cap: a host that marks its packets as control starves RoCE",
        ),
        (not any(row.lossless for row in cnp), "the CNP queue is lossless: PFC pauses would delay CNPs"),
        (all(row.strict and row.queue == top for row in control), "control is not strict above all other queues"),
        (all(row.weight_percent > 0 for row in rows if not row.strict), "a weighted queue has no weight"),
    )
    return tuple(reason for holds, reason in rules if not holds)
