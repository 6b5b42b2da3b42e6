"""Changes of the lossless plan and of load balancing."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import (
    ChangeScope,
    ComparedField,
    Members,
    Thing,
    number,
    octets,
    only,
    settings,
    things,
)
from fabricgen.device.qos import (
    ClassQueue,
    Cluster,
    DscpClass,
    Ecn,
    HeadroomProfile,
    LoadBalancing,
    Qos,
    QosProfile,
    Queue,
    Watchdog,
)


def _headroom(row: HeadroomProfile) -> str:
    return f"{row.octets} octets, {row.cells} cells"


def _scheduling(queue: Queue) -> str:
    weight = f"{queue.weight_percent} %" if queue.weight_percent else "strict priority"
    return f"{weight}, at most {queue.cap_percent} %" if queue.cap_percent else weight


def _ecn(value: object) -> str:
    if not isinstance(value, Ecn):
        return ""
    return f"{value.minimum_octets} to {value.maximum_octets} octets, {value.probability_percent} %"


WATCHDOG: tuple[ComparedField[Watchdog], ...] = (
    ComparedField("qos.watchdog", lambda watchdog: watchdog.detect_ms, subject="detect ms"),
    ComparedField("qos.watchdog", lambda watchdog: watchdog.restore_ms, subject="restore ms"),
    ComparedField("qos.watchdog", lambda watchdog: watchdog.polling_ms, subject="polling ms"),
    ComparedField("qos.watchdog", lambda watchdog: watchdog.action, subject="action"),
)

CLASSIFICATION = Thing[DscpClass](
    "qos.classification",
    key=lambda dscp_class: dscp_class.traffic_class,
    summary=lambda dscp_class: dscp_class.dscps,
    settings=(ComparedField("qos.classification", lambda dscp_class: dscp_class.dscps),),
)

QUEUE_MAP = Thing[ClassQueue](
    "qos.queue-map",
    key=lambda class_queue: class_queue.traffic_class,
    summary=lambda class_queue: f"queue {class_queue.queue}",
    settings=(ComparedField("qos.queue-map", lambda class_queue: f"queue {class_queue.queue}"),),
)

QUEUE = Thing[Queue](
    "qos.queue",
    key=lambda queue: queue.queue,
    summary=lambda queue: queue.name,
    settings=(
        ComparedField("qos.queue", lambda queue: queue.name),
        ComparedField("qos.scheduling", _scheduling),
        ComparedField("qos.ecn", lambda queue: queue.ecn, _ecn),
    ),
)

PROFILE = Thing[QosProfile](
    "qos.profile",
    key=lambda profile: profile.name,
    summary=lambda profile: f"{profile.speed_gbps}G",
    settings=(ComparedField("qos.profile", lambda profile: f"{profile.speed_gbps}G"),),
    members=(Members("qos.pfc", lambda profile: profile.lossless_priorities),),
    within=lambda old, new: things(
        QUEUE, old.queues, new.queues, lambda queue: ChangeScope(f"{new.name} queue {queue.queue}")
    ),
)

HEADROOM = Thing[HeadroomProfile](
    "qos.headroom-row",
    key=lambda row: (row.speed_gbps, row.length_m),
    summary=_headroom,
    settings=(ComparedField("qos.headroom-row", _headroom),),
)
"""How many ports share a row, and the source of its octets, are configured on no switch."""


def _parts(old: Qos, new: Qos) -> Iterator[DeviceChange]:
    yield from settings(WATCHDOG, old.watchdog, new.watchdog, ChangeScope())
    yield from things(CLASSIFICATION, old.dscp_classes, new.dscp_classes, _of_class)
    yield from things(QUEUE_MAP, old.class_queues, new.class_queues, _of_class)
    yield from things(
        HEADROOM, old.headroom, new.headroom, lambda row: ChangeScope(f"{row.speed_gbps}G {row.length_m} m")
    )
    yield from things(PROFILE, old.profiles, new.profiles, lambda profile: ChangeScope(profile.name))


def _of_class(row: DscpClass | ClassQueue) -> ChangeScope:
    return ChangeScope(f"traffic class {row.traffic_class}")


QOS = Thing[Qos](
    "qos",
    key=lambda _: "",
    summary=lambda qos: qos.marking,
    settings=(
        ComparedField("qos.marking", lambda qos: qos.marking),
        ComparedField("qos.headroom", lambda qos: qos.headroom_octets, octets),
        ComparedField("qos.headroom-pool", lambda qos: qos.headroom_pool_octets, octets),
        ComparedField("qos.alpha", lambda qos: qos.alpha),
        ComparedField("qos.resume", lambda qos: qos.resume_octets, octets),
    ),
    within=_parts,
)


def _cluster(cluster: object) -> str:
    if not isinstance(cluster, Cluster):
        return ""
    grouped = f"destinations by /{cluster.destination_length}, flows age after {cluster.aging_seconds} s"
    return f"{grouped}, hosts at {' '.join(cluster.ports)}"


LOAD_BALANCING: tuple[ComparedField[LoadBalancing], ...] = (
    ComparedField("load-balancing.mode", lambda balancing: balancing.mode),
    ComparedField("load-balancing.seed", lambda balancing: balancing.seed, number),
    ComparedField(
        "load-balancing.flowlet-gap", lambda balancing: balancing.flowlet_gap_us, lambda us: f"{us} us" if us else ""
    ),
    ComparedField("load-balancing.cluster", lambda balancing: balancing.cluster, _cluster),
)


def load_balancing_changes(before: LoadBalancing, after: LoadBalancing) -> Iterator[DeviceChange]:
    """All changes of load balancing."""
    return settings(LOAD_BALANCING, before, after, ChangeScope())


def qos_changes(before: Qos | None, after: Qos | None) -> Iterator[DeviceChange]:
    """All changes of the lossless plan; one change if all of it is added or removed."""
    return things(QOS, only(before), only(after), lambda _: ChangeScope())
