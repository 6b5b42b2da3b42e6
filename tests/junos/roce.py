"""Text of class of service against the lossless plan of a Device: rules of ours, for no model of Juniper's has them.

The arithmetic is done here again: shares of the chip's memory as FBOSS has it (github.com/facebook/fboss at 05d1a971,
Tomahawk4Asic.h and Tomahawk5Asic.h), Juniper's dedicated shares of 15 and 30 percent (Juniper/jvd at 005ab34).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.qos import Qos, Queue
from tests.junos.reading import Path, pairs, paths, rows, values

CHIP_OCTETS = {"tomahawk5": 173268640, "tomahawk4": 119179848}
SHARED_IN_PERCENT = 85
COS = "class-of-service"


class Facts(NamedTuple):
    """A text, read; the Device and its plan."""

    lines: list[Path]
    device: Device
    qos: Qos
    lossless: Queue
    classes: dict[str, int]


def faults(device: Device, text: str) -> list[str]:
    """What the text says otherwise than the plan; [] where the fabric has no lossless class and the text no PFC."""
    lines = paths(text)
    if device.qos is None:
        return [f"PFC on a switch without a lossless class: {' '.join(row)}" for row in lines if row[0] == COS]
    lossless = next(queue for queue in device.qos.profiles[0].queues if queue.name == "roce")
    classes = {name: int(queue) for name, queue in rows(lines, f"{COS} forwarding-classes class ? queue-num ? ...")}
    facts = Facts(lines, device, device.qos, lossless, classes)
    return [fault for rule in RULES for fault in rule(facts)]


def every_port(facts: Facts) -> Iterator[str]:
    """Ports to hosts and to switches alike have PFC, a classifier and queues; no other port has any."""
    wanted = {row.name: row.profile for row in facts.device.interfaces.ethernet if row.profile.qos}
    paused = pairs(facts.lines, f"{COS} interfaces ? congestion-notification-profile ?")
    queued = pairs(facts.lines, f"{COS} interfaces ? scheduler-map ?")
    classified = pairs(facts.lines, f"{COS} interfaces ? unit 0 classifiers dscp ?")
    for kind, told in (("PFC", paused), ("queues", queued), ("classifier", classified)):
        for name in sorted(set(wanted) ^ set(told)):
            yield f"{kind} of {name}: {'missing' if name in wanted else 'unwanted'}"
    for name, profile in wanted.items():
        if queued.get(name) not in (profile.qos, None):
            yield f"{name} of {profile.speed_gbps}G has the queues {queued[name]}"


def headroom(facts: Facts) -> Iterator[str]:
    """Where there is PFC there is headroom: a length no shorter than the cable, and no frame that is larger."""
    lengths = pairs(facts.lines, f"{COS} congestion-notification-profile ? input cable-length ?")
    mrus = rows(facts.lines, f"{COS} congestion-notification-profile ? input dscp code-point ? pfc mru ?")
    mtus = pairs(facts.lines, "interfaces ? mtu ?")
    metres = {row.name: row.length_m for row in facts.device.interfaces.ethernet}
    for name, profile in rows(facts.lines, f"{COS} interfaces ? congestion-notification-profile ?"):
        if int(lengths.get(profile, "0")) < metres.get(name, 0):
            yield f"{name}: headroom for {lengths.get(profile, 'no')} m of {metres[name]}"
        frames = [int(mru) for found, _, mru in mrus if found == profile]
        if min(frames, default=0) < int(mtus.get(name, "0")):
            yield f"{name}: headroom for frames of {min(frames, default=0)} of {mtus.get(name)}"


def pool(facts: Facts) -> Iterator[str]:
    """The three partitions of the way in are the whole, and the one for headroom holds what the plan keeps for it."""
    told = {name: int(share) for name, share in rows(facts.lines, f"{COS} shared-buffer ingress * ? percent ?")}
    chip = CHIP_OCTETS.get(facts.device.hardware.asic)
    if chip is None or not facts.qos.headroom_pool_octets:
        if told:
            yield "partitions of a chip whose memory nobody knows"
        return
    if sum(told.values()) != 100 or set(told) != {"lossless", "lossless-headroom", "lossy"}:
        yield f"partitions {told}"
    kept = told.get("lossless-headroom", 0) * chip * SHARED_IN_PERCENT // 10000
    if kept < facts.qos.headroom_pool_octets:
        yield f"{kept} octets of headroom of {facts.qos.headroom_pool_octets}"
    if told.get("lossless", 0) <= told.get("lossy", 0):
        yield f"lossless {told.get('lossless', 0)} % beside lossy {told.get('lossy', 0)} %"
    steps = values(facts.lines, f"{COS} shared-buffer ingress * lossless dynamic-threshold ?")
    if [Fraction(2) ** (int(step) - 7) for step in steps] != [Fraction(facts.qos.alpha)]:
        yield f"dynamic threshold {steps} for alpha {facts.qos.alpha}"


def code_points(facts: Facts) -> Iterator[str]:
    """All 64 are told, each once, and each to the class whose queue the plan gives it."""
    queues = {row.traffic_class: row.queue for row in facts.qos.class_queues}
    wanted = {dscp: queues[row.traffic_class] for row in facts.qos.dscp_classes for dscp in row.dscps}
    found: dict[int, int] = {}
    for name, bits in rows(facts.lines, f"{COS} classifiers dscp * forwarding-class ? loss-priority low code-points ?"):
        for bit in bits.split():
            if int(bit, 2) in found:
                yield f"DSCP {int(bit, 2)} twice"
            found[int(bit, 2)] = facts.classes.get(name, -1)
    for dscp in range(64):
        if found.get(dscp) != wanted[dscp]:
            yield f"DSCP {dscp} in queue {found.get(dscp)}, not {wanted[dscp]}"


def pauses(facts: Facts) -> Iterator[str]:
    """The no-loss class, the code points that pause and the queue that stands still are one."""
    priority = facts.qos.profiles[0].lossless_priorities[0]
    no_loss = rows(facts.lines, f"{COS} forwarding-classes class ? queue-num ? no-loss pfc-priority ?")
    wanted = [(str(facts.lossless.queue), str(priority))]
    if [(queue, told) for _, queue, told in no_loss] != wanted:
        yield f"no-loss classes {no_loss}"
    names = {name for name, _, _ in no_loss}
    mapped = rows(facts.lines, f"{COS} classifiers dscp * forwarding-class ? loss-priority low code-points ?")
    lossless = {bit for name, bits in mapped if name in names for bit in bits.split()}
    for (profile,) in set(rows(facts.lines, f"{COS} congestion-notification-profile ? ...")):
        here = f"{COS} congestion-notification-profile {profile}"
        paused = set(values(facts.lines, f"{here} input dscp code-point ? pfc ..."))
        if paused != lossless:
            yield f"{profile} pauses {sorted(paused)}, lossless are {sorted(lossless)}"
        still = rows(facts.lines, f"{here} output ieee-802.1 code-point ? flow-control-queue ?")
        if still != [(f"{priority:03b}", str(facts.lossless.queue))]:
            yield f"{profile} holds {still}"


def marking(facts: Facts) -> Iterator[str]:
    """Marks begin below where they are certain, both below the limit and no later than the plan's; one queue marks."""
    limits = rows(facts.lines, f"{COS} drop-profiles ? interpolate fill-level ?")
    certain = pairs(facts.lines, f"{COS} drop-profiles ? interpolate drop-probability ?")
    asked = {profile.name: queue.ecn for profile in facts.qos.profiles for queue in profile.queues if queue.ecn}
    if {name for name, _ in limits} != set(asked):
        yield f"drop profiles {sorted(name for name, _ in limits)}, not {sorted(asked)}"
    for name, fill in limits:
        low, high = (int(word) for word in fill.split())
        if not 0 <= low < high < 100:
            yield f"{name} marks from {low} to {high} percent"
        ecn = asked.get(name)
        if ecn and certain.get(name) != f"0 {ecn.probability_percent}":
            yield f"{name} marks with {certain.get(name)}"
        if ecn and low * _limit(facts) // 100 > ecn.minimum_octets:
            yield f"{name} marks from {low * _limit(facts) // 100} octets, not {ecn.minimum_octets}"


def marking_queues(facts: Facts) -> Iterator[str]:
    """The lossless queue of each speed marks, and drops nothing for it; no other queue does."""
    asked = [profile.name for profile in facts.qos.profiles if any(queue.ecn for queue in profile.queues)]
    marks = set(values(facts.lines, f"{COS} schedulers ? explicit-congestion-notification"))
    for name, profile in rows(facts.lines, f"{COS} schedulers ? drop-profile-map * * * * drop-profile ?"):
        if name not in marks:
            yield f"{name} drops where it is to mark"
        if name != f"{profile}-ROCE":
            yield f"{name} marks"
    if len(marks) != len(asked):
        yield f"{len(marks)} schedulers mark"


def _limit(facts: Facts) -> int:
    """Octets of a lossless queue at most: alpha·B / (1 + alpha) of what is no headroom (Choudhury and Hahne, 1998)."""
    buffers = {"tomahawk5": 166115492, "tomahawk4": 113620296}
    alpha = Fraction(facts.qos.alpha)
    shared = buffers[facts.device.hardware.asic] - facts.qos.headroom_pool_octets
    return int(alpha * shared / (1 + alpha))


def queues(facts: Facts) -> Iterator[str]:
    """Strict or by weight, capped or not, as the plan has each queue of each speed; CNP is strict and capped."""
    names = {queue: name for name, queue in facts.classes.items()}
    for profile in facts.qos.profiles:
        here = f"{COS} scheduler-maps {profile.name} forwarding-class"
        for queue in profile.queues:
            schedulers = values(facts.lines, f"{here} {names.get(queue.queue, '-')} scheduler ?")
            if len(schedulers) != 1:
                yield f"queue {queue.queue} of {profile.name} has {len(schedulers)} schedulers"
                continue
            yield from _scheduled(facts, schedulers[0], queue)


def _scheduled(facts: Facts, name: str, queue: Queue) -> Iterator[str]:
    here = f"{COS} schedulers {name}"
    share = values(facts.lines, f"{here} transmit-rate percent ?")
    cap = values(facts.lines, f"{here} shaping-rate percent ?")
    strict = values(facts.lines, f"{here} priority ?") == ["strict-high"]
    if share != ([str(queue.weight_percent)] if queue.weight_percent else []):
        yield f"{name} has the share {share}, not {queue.weight_percent}"
    if cap != ([str(queue.cap_percent)] if queue.cap_percent else []):
        yield f"{name} is capped at {cap}, not {queue.cap_percent}"
    if strict == bool(queue.weight_percent):
        yield f"{name} is {'strict' if strict else 'not strict'}"
    if "cnp" in queue.name and not (strict and cap):
        yield f"{name} carries CNPs, and is not strict and capped"


def watchdog(facts: Facts) -> Iterator[str]:
    """Milliseconds; a storm is found in whole polling intervals, no sooner than asked."""
    wanted = facts.qos.watchdog
    periods = -(-wanted.detect_ms // wanted.polling_ms)
    words = {
        "poll-interval": str(wanted.polling_ms),
        "detection": str(periods),
        "recovery": str(wanted.restore_ms),
        "watchdog-action": "drop",
    }
    for (profile,) in set(rows(facts.lines, f"{COS} congestion-notification-profile ? ...")):
        found = pairs(facts.lines, f"{COS} congestion-notification-profile {profile} pfc-watchdog ? ?")
        if found != words:
            yield f"watchdog of {profile}: {found}, not {words}"


RULES = (every_port, headroom, pool, code_points, pauses, marking, marking_queues, queues, watchdog)
