"""Kinds of changes of traffic treatment: the lossless plan and load balancing."""

from fabricgen.changes.kind import BlastRadius, ChangeType, ValueType

_S, _O = ValueType.SETTING, ValueType.OWN
_SWITCH, _NOTHING = BlastRadius.SWITCH, BlastRadius.NOTHING

KINDS: tuple[ChangeType, ...] = (
    ChangeType("qos", "lossless plan", "lossless plans", _S, _SWITCH),
    ChangeType("qos.marking", "marking plan's name", "marking plans' names", _S, _NOTHING),
    ChangeType("qos.classification", "DSCP classification", "DSCP classifications", _S, _SWITCH),
    ChangeType("qos.queue-map", "queue of a traffic class", "queues of traffic classes", _S, _SWITCH),
    ChangeType("qos.profile", "QoS profile", "QoS profiles", _S, _SWITCH),
    ChangeType("qos.pfc", "PFC priorities", "PFC priorities", _S, _SWITCH),
    ChangeType("qos.queue", "transmit queue", "transmit queues", _S, _SWITCH),
    ChangeType("qos.scheduling", "queue scheduling", "queue scheduling", _S, _SWITCH),
    ChangeType("qos.ecn", "pair of ECN thresholds", "pairs of ECN thresholds", _S, _SWITCH),
    ChangeType("qos.headroom", "PFC headroom", "PFC headrooms", _S, _SWITCH),
    ChangeType("qos.headroom-row", "headroom row of a cable length", "headroom rows of cable lengths", _O, _NOTHING),
    ChangeType("qos.headroom-pool", "headroom pool", "headroom pools", _S, _SWITCH),
    ChangeType("qos.alpha", "dynamic threshold (alpha)", "dynamic thresholds (alpha)", _S, _SWITCH),
    ChangeType("qos.resume", "PFC resume offset", "PFC resume offsets", _S, _SWITCH),
    ChangeType("qos.watchdog", "PFC watchdog", "PFC watchdogs", _S, _SWITCH),
    ChangeType("load-balancing.mode", "load-balancing mode", "load-balancing modes", _S, _SWITCH),
    ChangeType("load-balancing.seed", "hash seed", "hash seeds", _S, _SWITCH),
    ChangeType("load-balancing.flowlet-gap", "flowlet gap", "flowlet gaps", _S, _SWITCH),
    ChangeType("load-balancing.cluster", "flow placement of a cluster", "flow placements of clusters", _S, _SWITCH),
    ChangeType(
        "telemetry.ecn-counters",
        "counter of ECN-marked packets",
        "counters of ECN-marked packets",
        _S,
        _SWITCH,
        ("counter of ECN-marked packets turned off", "counters of ECN-marked packets turned off"),
    ),
    ChangeType("telemetry.queue-monitor", "queue monitor", "queue monitors", _S, _NOTHING),
    ChangeType(
        "telemetry.queue-threshold", "threshold of monitored queues", "thresholds of monitored queues", _S, _NOTHING
    ),
    ChangeType(
        "telemetry.queue-latency",
        "latency of monitored queues",
        "latencies of monitored queues",
        _S,
        _NOTHING,
        ("latency of monitored queues turned off", "latencies of monitored queues turned off"),
    ),
    ChangeType("telemetry.queue-streaming", "stream of queue events", "streams of queue events", _S, _NOTHING),
    ChangeType(
        "telemetry.capture",
        "mirror of packets in deep queues",
        "mirrors of packets in deep queues",
        _S,
        _NOTHING,
        ("mirror of packets in deep queues turned off", "mirrors of packets in deep queues turned off"),
    ),
    ChangeType("telemetry.load-interval", "interval of port rates", "intervals of port rates", _S, _NOTHING),
)
