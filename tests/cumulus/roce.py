"""Rules of our own on the RoCE part of a file, read from its text alone; `compare` holds it against a plan.

A rule that the documents leave to the switch says so in NOT_CHECKABLE and is not asked here.
"""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.qos import QosProfile
from tests.cumulus.reading import Node, at, tree

NOT_CHECKABLE = {
    "octets of headroom": "the switch computes them from the cable's length",
    "lossless pool against headroom": "the pool is a share of a buffer whose size no command tells",
    "ECN below the depth that pauses": "the depth moves with the free buffer (shared-alpha)",
}

PROFILED = ("congestion-control", "egress-scheduler", "egress-shaper")


def broken(text: str) -> list[str]:
    """Rules that a file breaks by itself; empty for one without a lossless class."""
    root = tree(text)
    qos = root.get("qos", {})
    ports = {name: row["qos"] for name, row in root["interface"].items() if "qos" in row}
    if not qos:
        return [f"{name}: profiles and no classes" for name in ports]
    checks = (_paused(qos, ports), _pool(qos), _map(qos), _marks(qos, ports), _shares(qos), _alike(root, ports))
    return sorted(fault for check in checks for fault in check)


def paused(qos: Node) -> set[str]:
    """Switch priorities that some profile pauses."""
    return {priority for row in at(qos, "pfc").values() for priority in row.get("switch-priority", {})}


def _paused(qos: Node, ports: Node) -> Iterator[str]:
    for name, row in at(qos, "pfc").items():
        if int(row.get("cable-length", "0")) < 1:
            yield f"{name}: PFC without headroom"
        if row.get("rx") != "enable" or row.get("tx") != "enable":
            yield f"{name}: PFC one way"
    for name, row in ports.items():
        watched = at(row, "pfc-watchdog").get("state") == "enable"
        if ("pfc" in row) != watched:
            yield f"{name}: PFC and watchdog differ"
    watchdog = at(qos, "pfc-watchdog")
    if set(watchdog) != {"polling-interval", "robustness"}:
        yield "the watchdog has no times"


def _pool(qos: Node) -> Iterator[str]:
    if qos.get("roce") != {"enable": "on", "mode": "lossless"}:
        yield "RoCE is not lossless"
    pools = {name: int(row["memory-percent"]) for name, row in at(qos, "traffic-pool").items()}
    if set(pools) != {"roce-lossless", "default-lossy"} or sum(pools.values()) > 100:
        yield "a pool is missing, or pools are more than the buffer"


def _map(qos: Node) -> Iterator[str]:
    mapping = at(qos, "mapping", "default-global")
    if mapping.get("trust") != "l3":
        yield "DSCP is not trusted"
    missing = {str(dscp) for dscp in range(64)} - set(mapping.get("dscp", {}))
    if missing:
        yield f"DSCP {', '.join(sorted(missing, key=int))} is left to the default"
    used = {row["switch-priority"] for row in mapping.get("dscp", {}).values()}
    queues = {
        p: row["traffic-class"]
        for p, row in at(qos, "egress-queue-mapping", "default-global", "switch-priority").items()
    }
    if set(queues) != {str(n) for n in range(8)}:
        yield "a priority has no queue"
    lossless = paused(qos)
    if not lossless <= used:
        yield "no DSCP is paused"
    shared = {queues.get(p) for p in lossless} & {queues.get(p) for p in used - lossless}
    if shared:
        yield "a lossless queue has lossy traffic"


def _marks(qos: Node, ports: Node) -> Iterator[str]:
    queues = {
        row["traffic-class"]
        for p, row in at(qos, "egress-queue-mapping", "default-global", "switch-priority").items()
        if p in paused(qos)
    }
    for name, profile in at(qos, "congestion-control").items():
        for queue, row in profile["traffic-class"].items():
            if not 0 < int(row["min-threshold"]) < int(row["max-threshold"]):
                yield f"{name} {queue}: ECN thresholds"
            if row["ecn"] != "enable" or row["red"] != "disable":
                yield f"{name} {queue}: drops instead of marks"
        if not queues <= set(profile["traffic-class"]):
            yield f"{name}: a lossless queue is not marked"
    for name, row in ports.items():
        if "pfc" in row and "congestion-control" not in row:
            yield f"{name}: PFC without ECN"


def _shares(qos: Node) -> Iterator[str]:
    for name, profile in at(qos, "egress-scheduler").items():
        rows = profile["traffic-class"]
        if sum(int(row.get("bw-percent", "0")) for row in rows.values()) > 100:
            yield f"{name}: more than the whole"
        strict = {queue for queue, row in rows.items() if row["mode"] == "strict"}
        capped = at(qos, "egress-shaper", name, "traffic-class")
        if "6" not in strict or "6" not in capped:
            yield f"{name}: CNP is not strict and capped"
        lossless = paused(qos)
        if strict & lossless:
            yield f"{name}: a lossless queue is strict"


def _alike(root: Node, ports: Node) -> Iterator[str]:
    """Fabric and host ports of one speed have one set of profiles; only cables differ."""
    kinds: dict[str, set[tuple[str, ...]]] = {}
    for name, row in ports.items():
        words = tuple(sorted(f"{key} {value.get('profile', '')}" for key, value in row.items() if key != "pfc"))
        kinds.setdefault(root["interface"][name]["link"]["speed"], set()).add((*words, str("pfc" in row)))
    yield from (f"ports of {speed} differ" for speed, found in kinds.items() if len(found) > 1)


def compare(text: str, device: Device) -> list[str]:
    """Where a file and the plan of its switch differ."""
    root, qos = tree(text), device.qos
    assert qos is not None
    told = at(root, "qos", "mapping", "default-global", "dscp")
    wanted = {str(dscp): str(row.traffic_class) for row in qos.dscp_classes for dscp in row.dscps}
    faults = [] if {d: row["switch-priority"] for d, row in told.items()} == wanted else ["DSCP map"]
    watchdog = at(root, "qos", "pfc-watchdog")
    times = int(watchdog["polling-interval"]) * int(watchdog["robustness"])
    if not qos.watchdog.detect_ms <= times < qos.watchdog.detect_ms + int(watchdog["polling-interval"]):
        faults.append("watchdog")
    shared = at(root, "qos", "advance-buffer-config", "default-global", "ingress-lossless-buffer")
    if shared != {"shared-alpha": f"alpha_{qos.alpha.replace('/', '_')}"}:
        faults.append("alpha")
    profiles = at(root, "qos", "pfc")
    lossless = {str(priority) for row in qos.profiles for priority in row.lossless_priorities}
    faults += [
        f"{name}: priorities" for name, row in profiles.items() if set(row.get("switch-priority", {})) != lossless
    ]
    for row in device.interfaces.ethernet:
        told = at(root, "interface", row.name, "qos")
        length = profiles[told["pfc"]["profile"]]["cable-length"] if "pfc" in told else "0"
        if bool(row.headroom_octets) != ("pfc" in told) or (row.headroom_octets and int(length) < row.length_m):
            faults.append(f"{row.name}: {length} m for {row.length_m} m")
        if {at(told, part).get("profile", "") for part in PROFILED} != {row.profile.qos}:
            faults.append(f"{row.name}: profiles")
    return [*faults, *(fault for profile in qos.profiles for fault in _queues(root, profile))]


def _queues(root: Node, profile: QosProfile) -> Iterator[str]:
    parts = ("congestion-control", "egress-shaper", "egress-scheduler")
    marks, caps, shares = (at(root, "qos", part, profile.name, "traffic-class") for part in parts)
    for queue in profile.queues:
        name = str(queue.queue)
        mark, share = marks.get(name, {}), shares.get(name, {})
        found = (mark.get("min-threshold"), mark.get("max-threshold"), mark.get("probability"))
        if queue.ecn and found != tuple(map(str, queue.ecn)):
            yield f"{profile.name} {name}: ECN"
        if int(caps.get(name, {}).get("max-rate", "0")) != profile.speed_gbps * 10_000 * queue.cap_percent:
            yield f"{profile.name} {name}: cap"
        mode = "dwrr" if queue.weight_percent else "strict"
        if share != {"mode": mode, **({"bw-percent": str(queue.weight_percent)} if queue.weight_percent else {})}:
            yield f"{profile.name} {name}: share"
