"""Rules for a lossless class, on the text of a switch and the Device that it was made of.

Written from the models' descriptions and from what a lossless class needs, not from our templates. Sizes come from the
hardware file; where it has none the rule says "not checkable".
"""

from collections.abc import Callable, Iterator

from fabricgen.device.device import Device
from fabricgen.device.qos import Ecn, Qos
from tests.srlinux.references import Tree, read

Rule = Callable[[Tree, Device, Qos], Iterator[str]]
RESERVE, LIMIT = "maximum-pfc-reserved-share-bytes", "maximum-burst-size"


def ports(tree: Tree) -> dict[str, Tree]:
    """QoS of ports and of subinterfaces, by name."""
    return {row["interface-id"]: row for row in tree["qos"].get("interfaces", {}).get("interface", ())}


def lossless_ports(device: Device) -> list[str]:
    return [row.name for row in device.interfaces.ethernet if row.profile.qos]


def profiles(tree: Tree, kind: str) -> dict[str, Tree]:
    return {row["name"]: row for row in tree["qos"]["buffer-management"][kind]}


def every_port_is_told(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """Fabric and host ports alike pause and are paused, classify, schedule and mark; no other port does."""
    found, wanted = ports(tree), lossless_ports(device)
    named = {name for name, row in found.items() if "subinterface" not in row["interface-ref"]}
    if named != set(wanted):
        yield f"PFC is on {sorted(named ^ set(wanted))[:3]} and should not, or the other way round"
    for name in named & set(wanted):
        row, below = found[name], found.get(f"{name}.0", {})
        if row.get("pfc") != {"pfc-mapping-profile": "ROCE", "pfc-enable": True}:
            yield f"{name} has no PFC"
        if below.get("input", {}).get("classifiers") != {"dscp-policy": "ROCE"}:
            yield f"{name} classifies nothing"
        if row["output"].get("scheduler") != {"scheduler-policy": "ROCE"}:
            yield f"{name} has no scheduler"
        if not row["output"].get("queues", {}).get("queue"):
            yield f"{name} marks nothing"


def headroom_is_there(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """PFC only where there is headroom, and of each port its own."""
    known = profiles(tree, "buffer-allocation-profile")
    wanted = {row.name: row.headroom_octets for row in device.interfaces.ethernet}
    for name in lossless_ports(device):
        profile = known.get(ports(tree).get(name, {}).get("input", {}).get("pfc-buffer-allocation-profile", ""), {})
        octets = {row.get(RESERVE, 0) for row in profile.get("queues", {}).get("pfc-queue", ())}
        if octets != {wanted[name]} or not wanted[name]:
            yield f"{name} has headroom {sorted(octets)} and needs {wanted[name]}"


def pool_fits(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """The reserve holds the headroom pool, and all PFC queues together fit into what is not reserved."""
    if "buffer_octets" not in device.hardware.spellings:
        yield "not checkable: no source has the packet memory of this model"
        return
    total = int(device.hardware.spellings["buffer_octets"])
    (card,) = tree["qos"]["linecard"]
    percent = card["forwarding-complex"][0]["input"]["pfc-buffer-reservation"]
    if percent * total < qos.headroom_pool_octets * 100:
        yield f"{percent}% of {total} octets is no {qos.headroom_pool_octets}"
    known = profiles(tree, "buffer-allocation-profile")
    rows = [
        ports(tree).get(name, {}).get("input", {}).get("pfc-buffer-allocation-profile")
        for name in lossless_ports(device)
    ]
    filled = sum(queue[LIMIT] for row in rows for queue in known.get(row, {}).get("queues", {}).get("pfc-queue", ()))
    if filled > total * (100 - percent) // 100:
        yield f"PFC queues may fill {filled} octets of {total * (100 - percent) // 100}"


def marks_before_it_pauses(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """The thresholds are the plan's, both below what a PFC queue may fill."""
    known = profiles(tree, "buffer-allocation-profile").values()
    limits = [queue[LIMIT] for row in known for queue in row["queues"].get("pfc-queue", ())]
    slopes = profiles(tree, "queue-management-profile")
    for profile in qos.profiles:
        for queue in profile.queues:
            found = slopes.get(f"{profile.name}-{queue.queue}", {"wred": {"wred-slope": [{}]}})["wred"]["wred-slope"][0]
            if queue.ecn is not None:
                yield from _slope(profile.name, found, queue.ecn, min(limits, default=0))
    if "explicit-congestion-notification" not in tree["qos"]:
        yield "ECN is off"


def _slope(name: str, found: Tree, wanted: Ecn, limit: int) -> Iterator[str]:
    told = (int(found.get("min-threshold", 0)), int(found.get("max-threshold", 0)))
    if told != (wanted.minimum_octets, wanted.maximum_octets):
        yield f"{name} marks at {told}"
    if not (found.get("enable-ecn") is found.get("slope-enabled") is True):
        yield f"{name} does not mark"
    if found.get("max-drop-probability-percent") != wanted.probability_percent:
        yield f"{name} marks with another probability"
    if max(told) > limit:
        yield f"{name} pauses before it marks"


def map_is_explicit(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """All 64 code points have a class, the plan's; each class has the plan's queue."""
    (policy,) = tree["qos"]["classifiers"]["dscp-policy"]
    found = {row["value"]: row["forwarding-class"] for row in policy["dscp"]}
    wanted = {dscp: f"fc{row.traffic_class}" for row in qos.dscp_classes for dscp in row.dscps}
    for dscp in range(64):
        if found.get(dscp) != wanted[dscp]:
            yield f"DSCP {dscp} goes to {found.get(dscp)} and not to {wanted[dscp]}"
    queues = {
        row["name"]: row["output"]["unicast-queue"] for row in tree["qos"]["forwarding-classes"]["forwarding-class"]
    }
    for row in qos.class_queues:
        if queues.get(f"fc{row.traffic_class}") != f"unicast-{row.queue}":
            yield f"class {row.traffic_class} is in {queues.get(f'fc{row.traffic_class}')}"


def one_priority_pauses(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """What fills the PFC queue, the priority of its pauses, and the queue that a pause stops belong together."""
    (profile,) = tree["qos"]["pfc-mapping-profile"]
    arriving = profile["received-traffic"]["unicast-mapping"]["pfc-queue"]
    paused = profile["received-pfc-pause-frames"]["queue"]
    queues = {f"fc{row.traffic_class}": f"unicast-{row.queue}" for row in qos.class_queues}
    found = [(row["pfc-pause-frame-priority"], [queues[name] for name in row["forwarding-class"]]) for row in arriving]
    back = [(row["pfc-pause-frame-priority"], [row["queue-name"]]) for row in paused if row.get("enable-pfc")]
    lossless = {f"unicast-{queue.queue}" for row in qos.profiles for queue in row.queues if queue.ecn}
    if found != back or [priority for priority, _ in found] != list(qos.profiles[0].lossless_priorities):
        yield f"pauses {found}, is paused {back}"
    if {name for _, names in found for name in names} != lossless:
        yield f"the lossless queue is {lossless}, and {found} pause"


def queues_are_served(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """Strict, weighted and capped as the plan has it: CNP strict and capped."""
    (policy,) = tree["qos"]["scheduler-policies"]["scheduler-policy"]
    found = {}
    for scheduler in policy["scheduler"]:
        strict = scheduler["sequence"] == 0
        if strict != (scheduler.get("priority") == "strict"):
            yield f"scheduler {scheduler['sequence']} is of the other kind"
        for row in scheduler["input"]:
            found[row["queue-name"]] = (0 if strict else row.get("weight", 0), row.get("peak-rate-percent", 100))
    for queue in qos.profiles[0].queues:
        wanted = (queue.weight_percent, queue.cap_percent or 100)
        if found.get(f"unicast-{queue.queue}") != wanted:
            yield f"queue {queue.queue} ({queue.name}) is served {found.get(f'unicast-{queue.queue}')} and not {wanted}"
        if "cnp" in queue.name and (wanted[0] or wanted[1] == 100):
            yield "CNP is not strict and capped"


def deadlocks_end(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """The watchdog in milliseconds; off where it shall only tell."""
    (profile,) = tree["qos"]["pfc-mapping-profile"]
    found = profile["received-pfc-pause-frames"].get("deadlock", {"enable": False})
    if found.get("enable", False) != (qos.watchdog.action == "drop"):
        yield f"the watchdog is {found}"
    if qos.watchdog.action == "drop":
        wanted = (qos.watchdog.detect_ms, qos.watchdog.restore_ms)
        if (found.get("detection-timer"), found.get("recovery-timer")) != wanted:
            yield f"the watchdog has {found} and not {wanted}"


def nothing_is_dropped_on_the_way_out(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """The lossless queue may hold more than all that may come before a pause on one port's worth of limits."""
    known = profiles(tree, "buffer-allocation-profile")
    for name in lossless_ports(device):
        profile = known.get(ports(tree).get(name, {}).get("output", {}).get("buffer-allocation-profile", ""), {})
        sizes = [row[LIMIT] for row in profile.get("queues", {}).get("queue", ())]
        limits = [queue[LIMIT] for row in known.values() for queue in row["queues"].get("pfc-queue", ())]
        if not sizes or min(sizes) < len(lossless_ports(device)) * max(limits, default=0):
            yield f"{name} drops before the others pause"


def plain_pause_is_off(tree: Tree, device: Device, qos: Qos) -> Iterator[str]:
    """802.3x pauses exclude PFC (a `must` of the models)."""
    found = {row["name"]: row for row in tree["interface"]}
    for name in lossless_ports(device):
        if found[name]["ethernet"].get("flow-control", {}).get("receive") is not False:
            yield f"{name} takes plain pauses"


RULES: tuple[Rule, ...] = (
    every_port_is_told,
    headroom_is_there,
    pool_fits,
    marks_before_it_pauses,
    map_is_explicit,
    one_priority_pauses,
    queues_are_served,
    deadlocks_end,
    nothing_is_dropped_on_the_way_out,
    plain_pause_is_off,
)


def faults(text: str, device: Device) -> list[str]:
    """All that is wrong with the lossless class of a switch; of one without it, that anything of it is there."""
    tree = read(text)
    if device.qos is None:
        return ["QoS without a lossless class"] if "qos" in tree else []
    return [fault for rule in RULES for fault in rule(tree, device, device.qos)]
