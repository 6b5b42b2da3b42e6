"""Marking plan of a NIC vendor → complete DSCP, traffic class and queue maps for every switch.

The NIC sets the marks and the switch follows, so one named `Marking` is the single source for both sides.

Rule for the 64 code points of `dscp_map`: RoCE data and CNP have the class of the plan; CS6 (48) and CS7 (56), the
network control marks of RFC 4594, have the control class unless the plan uses them; all others are best
effort. Nothing is left to the default of a platform: two public defaults map DSCP 26 to a lossy class, and
one maps DSCP 0-7 to a lossless one.
"""

from typing import NamedTuple

from fabricgen.policy import sources

TRAFFIC_CLASSES = 8  # IEEE 802.1Q: eight priorities, eight classes
CODE_POINTS = 64  # RFC 2474: six bits
BEST_EFFORT_CLASS = 0
CONTROL_CLASS = 7
CONTROL_DSCPS = (48, 56)  # CS6 and CS7, RFC 4594 section 3
DEFAULT_CONTROL_DSCP = 48  # CS6: BGP and BFD of FRR (sources.FRR_DSCP), the mark of routing protocols in RFC 4594
ECT0 = 0b10  # RFC 3168: ECN-capable transport


class Marking(NamedTuple):
    """One plan of marks, classes and queues.

    roce_dscps          code points that reach the lossless class, ascending
    data_dscp           the one that the NIC sets on RoCE data
    priority            PFC priority, the bit of the pause frame (IEEE 802.1Qbb)
    traffic_class       of RoCE data in the switch; `queue` is its egress queue
    cnp_dscp            congestion notification packets; their class and queue stay lossy
    control_traffic_class, control_queue   BGP, BFD and LLDP
    unsure              some value has no explicit source; `source` names which
    """

    name: str
    roce_dscps: tuple[int, ...]
    data_dscp: int
    cnp_dscp: int
    source: str
    priority: int = 3
    traffic_class: int = 3
    queue: int = 3
    cnp_priority: int = 6
    cnp_traffic_class: int = 6
    cnp_queue: int = 6
    control_traffic_class: int = CONTROL_CLASS
    control_queue: int = CONTROL_CLASS
    unsure: bool = False


PRIORITY_3_DSCPS = tuple(range(24, 32))  # the eight code points whose upper three bits are 3

MARKINGS = (
    Marking(name="nvidia", roce_dscps=PRIORITY_3_DSCPS, data_dscp=26, cnp_dscp=48, source=sources.CUMULUS_ROCE),
    Marking(
        name="broadcom",
        roce_dscps=(26,),
        data_dscp=26,
        cnp_dscp=48,
        cnp_priority=7,
        cnp_traffic_class=7,
        cnp_queue=7,
        source=f"{sources.AMD_GUIDE}: CNP in class 7; bnxt_setupcc.sh defaults (not re-read)",
        unsure=True,
    ),
    Marking(
        name="cisco",
        roce_dscps=(24, 26),
        data_dscp=24,
        cnp_dscp=48,
        cnp_traffic_class=7,
        cnp_queue=7,
        source=f"{sources.CISCO_ND}: RoCE in group 3, CNP in group 7; priority 6 of the CNP is assumed",
        unsure=True,
    ),
    Marking(
        name="arista",
        roce_dscps=PRIORITY_3_DSCPS,
        data_dscp=26,
        cnp_dscp=48,
        source=f"{sources.ARISTA_GUIDE}; its text sets data 24 or 26",
    ),
    Marking(
        name="juniper",
        roce_dscps=(26,),
        data_dscp=26,
        traffic_class=4,
        queue=4,
        cnp_dscp=48,
        cnp_traffic_class=3,
        cnp_queue=3,
        source=f"{sources.JUNIPER_JVD}: PFC priority 3 from queue 4, CNP in queue 3",
    ),
    Marking(
        name="dell",
        roce_dscps=(24, 26),
        data_dscp=26,
        cnp_dscp=48,
        source=f"{sources.AMD_GUIDE}: the second class of the guide (DSCP 4) is left lossy here",
    ),
    Marking(
        name="amd-pollara",
        roce_dscps=(24,),
        data_dscp=24,
        cnp_dscp=46,
        source=f"{sources.AMD_SCRIPTS}: CTS and CNP share DSCP 46, priority 6",
    ),
    Marking(
        name="amd-26-48",
        roce_dscps=(26,),
        data_dscp=26,
        cnp_dscp=48,
        source=f"{sources.AMD_SCRIPTS}: NCCL_IB_TC=104, FIFO 192; priorities assumed",
        unsure=True,
    ),
    Marking(
        name="amd-10-46",
        roce_dscps=(10,),
        data_dscp=10,
        cnp_dscp=46,
        source=f"{sources.AMD_SCRIPTS}: data 10, CNP 46; priorities assumed",
        unsure=True,
    ),
    Marking(
        name="azure",
        roce_dscps=(3,),
        data_dscp=3,
        cnp_dscp=48,
        source=f"{sources.COMMUNITY_QOS}: 3 to class 3, 48 to class 6; that 48 is the CNP is assumed, 4 is left lossy",
        unsure=True,
    ),
)

MARKING_BY_NAME = {marking.name: marking for marking in MARKINGS}


def dscp_map(marking: Marking) -> tuple[int, ...]:
    """Return the traffic class of each of the 64 code points, position = DSCP. The module docstring has the rule."""
    classes = [BEST_EFFORT_CLASS] * CODE_POINTS
    for dscp in CONTROL_DSCPS:
        classes[dscp] = marking.control_traffic_class
    classes[marking.cnp_dscp] = marking.cnp_traffic_class
    for dscp in marking.roce_dscps:
        classes[dscp] = marking.traffic_class
    return tuple(classes)


def queue_map(marking: Marking) -> tuple[int, ...]:
    """Return the egress queue of each of the 8 traffic classes, position = class; unused classes keep their number."""
    queues = list(range(TRAFFIC_CLASSES))
    queues[marking.control_traffic_class] = marking.control_queue
    queues[marking.cnp_traffic_class] = marking.cnp_queue
    queues[marking.traffic_class] = marking.queue
    return tuple(queues)


def lossless_classes(marking: Marking) -> tuple[int, ...]:
    """Return the traffic classes that must never drop, ascending: always one (headroom is needed per class)."""
    return (marking.traffic_class,)


def pfc_bitmap(marking: Marking) -> tuple[int, ...]:
    """Return eight 0/1 flags, position = PFC priority: what both the NIC and the switch port enable."""
    return tuple(int(priority == marking.priority) for priority in range(TRAFFIC_CLASSES))


def shares_control(marking: Marking) -> bool:
    """Return whether CNPs share the control queue, so that a burst of them can delay BGP and BFD."""
    return marking.cnp_queue == marking.control_queue


def priority_is_class(marking: Marking) -> bool:
    """Return whether the PFC priority equals the traffic class; chips that tie the two cannot implement other plans."""
    return marking.priority == marking.traffic_class


def marking_faults(marking: Marking) -> tuple[str, ...]:
    """Return why a plan cannot work; empty when it can."""
    lossy = (BEST_EFFORT_CLASS, marking.cnp_traffic_class, marking.control_traffic_class)
    lossy_queues = (BEST_EFFORT_CLASS, marking.cnp_queue, marking.control_queue)
    code_points = (*marking.roce_dscps, marking.cnp_dscp)
    classes = (marking.priority, marking.traffic_class, marking.queue, *lossy, *lossy_queues)
    rules = (
        (marking.data_dscp in marking.roce_dscps, f"data DSCP {marking.data_dscp} is not in the lossless class"),
        (marking.cnp_dscp not in marking.roce_dscps, f"CNP DSCP {marking.cnp_dscp} is in the lossless class"),
        (0 not in marking.roce_dscps, "DSCP 0, which unmarked traffic carries, is in the lossless class"),
        (marking.traffic_class not in lossy, f"class {marking.traffic_class} carries RoCE and lossy traffic"),
        (marking.queue not in lossy_queues, f"queue {marking.queue} carries RoCE and lossy traffic"),
        (all(0 <= dscp < CODE_POINTS for dscp in code_points), "a DSCP is outside 0-63"),
        (all(0 <= number < TRAFFIC_CLASSES for number in classes), "a priority, class or queue is outside 0-7"),
    )
    return tuple(reason for holds, reason in rules if not holds)
