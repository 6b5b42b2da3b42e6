"""Quality of service of one switch: classification, queues, ECN, PFC with headroom, watchdog."""

from typing import NamedTuple

CONTROL = "control"
"""Name of the queue for BGP and BFD; `control+cnp` where it also carries congestion notifications."""


class DscpClass(NamedTuple):
    """DSCP values (sorted) that are mapped to one traffic class."""

    traffic_class: int
    dscps: tuple[int, ...]


class ClassQueue(NamedTuple):
    """A traffic class and the transmit queue it uses."""

    traffic_class: int
    queue: int


class Ecn(NamedTuple):
    """Marking thresholds of one queue. Octets of queue depth; percent at the maximum."""

    minimum_octets: int
    maximum_octets: int
    probability_percent: int


class Queue(NamedTuple):
    """One transmit queue. `weight_percent` 0 is strict priority; `cap_percent` 0 is uncapped."""

    queue: int
    name: str
    weight_percent: int
    cap_percent: int
    ecn: Ecn | None


class Watchdog(NamedTuple):
    """PFC watchdog. Milliseconds; action drop or notify."""

    detect_ms: int
    restore_ms: int
    polling_ms: int
    action: str


class QosProfile(NamedTuple):
    """Queues and flow control of all ports of one speed. Queues from the highest number down."""

    name: str
    speed_gbps: int
    lossless_priorities: tuple[int, ...]
    queues: tuple[Queue, ...]


class HeadroomProfile(NamedTuple):
    """Headroom of the ports that share speed, length bin and MTU. `basis`: whether a published row or a fit gave it."""

    speed_gbps: int
    length_m: int
    octets: int
    cells: int
    ports: int
    basis: str
    source: str


class Qos(NamedTuple):
    """The lossless settings of one switch.

    headroom_octets  the largest headroom of the profiles, for platforms with one value for the whole switch
    alpha            share of the free shared buffer that one lossless queue may use, as the vendors write it
    resume_octets    distance below the limit at which a paused peer may send again
    """

    marking: str
    dscp_classes: tuple[DscpClass, ...]
    class_queues: tuple[ClassQueue, ...]
    profiles: tuple[QosProfile, ...]
    headroom: tuple[HeadroomProfile, ...]
    headroom_octets: int
    headroom_pool_octets: int
    alpha: str
    resume_octets: int
    watchdog: Watchdog

    @property
    def control(self) -> Queue | None:
        """The queue for BGP and BFD; None where no profile has one."""
        rows = self.profiles[0].queues if self.profiles else ()
        return next((row for row in rows if CONTROL in row.name.split("+")), None)

    @property
    def control_dscp(self) -> int:
        """The lowest DSCP that is mapped to the control queue, the mark of the switch's own packets; 0 without one."""
        control = self.control
        classes = {row.traffic_class for row in self.class_queues if control and row.queue == control.queue}
        return min((dscp for row in self.dscp_classes if row.traffic_class in classes for dscp in row.dscps), default=0)


class Cluster(NamedTuple):
    """Settings that a leaf needs to place each flow of its hosts on a path.

    destination_length  prefix length that groups the destinations of one leaf
    aging_seconds       a flow without packets for so long is forgotten
    ports               ports of the hosts, in the order of the interfaces
    """

    destination_length: int
    aging_seconds: int
    ports: tuple[str, ...]


class LoadBalancing(NamedTuple):
    """How traffic is spread over equal paths. Seeds differ by tier.

    mode     ecmp, ecmp-queue-pair, dlb-flowlet, dlb-global, dlb-per-packet, cluster
    cluster  set for a leaf in mode cluster only
    """

    mode: str
    seed: int
    flowlet_gap_us: int
    cluster: Cluster | None = None
