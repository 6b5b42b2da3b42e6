"""Quality of service: what each port gets from its classifier, scheduler, buffers and PFC profile.

Sources: quality of service guide, priority-based flow control guide, YANG srl_nokia-qos: a code point that no policy
names is of fc0; scheduler 0 of a strict priority goes first, others share by weight; a peak rate of 100 percent is no
cap; slopes mark in octets. ECN is of a slope of all traffic; packets of a class are dropped last (drop-probability low)
unless the classifier says otherwise. `pfc0` to `pfc7` have the index of their name. Headroom is that of the queue which
a class fills.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from fabricgen.platforms.srlinux.readback.config import Config
from fabricgen.platforms.srlinux.readback.document import Tree
from fabricgen.platforms.srlinux.readback.tree import block, digit, flag, number, once, only, rows, text, texts
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Part, Value

DSCPS, WHOLE = 64, 100
SLOT, CHIP = 1, "0"
"""The one card, which ports are named by (ethernet-1/1), and its chip; others are of modular chassis (YANG)."""
RESERVED = re.compile("pfc([0-7])")
"""Names of the PFC queues that are there by default; another index is refused (YANG, queue-index)."""
Setting = tuple[str, Value, int, Mapping[Part, Lines] | None]
"""A row of a port: line 0 is that of the port's own block."""
Priority = tuple[int, int]
"""A priority and its line."""


class Pfc(NamedTuple):
    """A mapping profile: classes → priority that they pause by, queues → priority that stops them; the watchdog.

    fills  PFC queues that classes fill, with their lines
    """

    sends: Mapping[str, Priority]
    fills: Mapping[str, int]
    obeys: Mapping[str, Priority]
    settings: tuple[Setting, ...]
    line: int


class Service(NamedTuple):
    """All of /qos by name. classes: name → index, queue and the lines of both; queues: name → index.

    headrooms  octets of each PFC queue of a buffer profile, with their line
    marks  thresholds and chance, with their lines; or none, with the line that turns them off
    """

    queues: dict[str, int]
    classes: dict[str, tuple[int, str, tuple[int, int]]]
    classifiers: dict[str, tuple[dict[int, tuple[str, int]], int]]
    marks: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]
    schedulers: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]
    headrooms: dict[str, dict[str, tuple[int, int]]]
    profiles: dict[str, Pfc]
    limits: set[str]


def qos(config: Config) -> None:
    """Rows of quality of service, by port."""
    if "qos" not in config.tree:
        return
    tree = block(config.tree, "qos")
    marks = tree.get("explicit-congestion-notification")
    if type(marks) is dict:
        config.need("explicit-congestion-notification", marks.get(None, 0))
        block(tree, "explicit-congestion-notification")
    queues, limits = dict(_queues(tree)), set[str]()
    service = Service(
        queues,
        dict(_classes(tree)),
        dict(_classifiers(tree)),
        dict(_marks(block(tree, "buffer-management"))),
        dict(_schedulers(tree, queues)),
        dict(_buffers(config, block(tree, "buffer-management"), limits)),
        dict(_profiles(tree)),
        limits,
    )
    for card, line in rows(tree, "linecard"):
        slot = number(card, "slot")
        if slot is None or slot[0] != SLOT:
            card[None] = slot[1] if slot is not None else line
            continue
        for chip, begins in rows(card, "forwarding-complex"):
            if only(chip, "name", CHIP) is None:
                chip[None] = begins
            elif (percent := number(block(chip, "input"), "pfc-buffer-reservation")) is not None:
                config.put("switch", "", "headroom-pool", f"{percent[0]} percent", percent[1])
    _ports(config, service, tree)


def _queues(tree: Tree) -> Iterator[tuple[str, int]]:
    for key, name in (("queue", "name"), ("pfc-queue", "pfc-queue-name")):
        for row, line in rows(tree, "queues", key):
            own, index = text(row, name), number(row, "queue-index")
            reserved = RESERVED.fullmatch(own[0]) if own is not None else None
            if own is None or index is None:
                row[None] = line
            elif reserved is not None and int(reserved[1]) != index[0]:
                row[None] = index[1]
            else:
                yield own[0], index[0]


def _classes(tree: Tree) -> Iterator[tuple[str, tuple[int, str, tuple[int, int]]]]:
    for row, line in rows(tree, "forwarding-classes", "forwarding-class"):
        name, index = text(row, "name"), number(row, "forwarding-class-index")
        queue = text(block(row, "output"), "unicast-queue")
        if name is None:
            row[None] = line
        else:
            own = index or (digit(name[0].removeprefix("fc")), name[1])
            output = queue or ("", name[1])
            yield name[0], (own[0], output[0], (own[1], output[1]))


def _classifiers(tree: Tree) -> Iterator[tuple[str, tuple[dict[int, tuple[str, int]], int]]]:
    for policy, line in rows(tree, "classifiers", "dscp-policy"):
        name, found = text(policy, "name"), dict[int, tuple[str, int]]()
        for row, begins in rows(policy, "dscp"):
            dscp, kind, drop = number(row, "value"), text(row, "forwarding-class"), text(row, "drop-probability")
            if dscp is None or kind is None or (drop is not None and drop[0] != "low"):
                row[None] = begins
            else:
                found[dscp[0]] = kind
        if name is not None:
            yield name[0], (found, name[1] or line)


def _marks(tree: Tree) -> Iterator[tuple[str, tuple[tuple[int, ...], tuple[int, ...]]]]:
    for profile, _ in rows(tree, "queue-management-profile"):
        name, weight = text(profile, "name"), number(profile, "weight-factor")
        for slope, begins in rows(profile, "wred", "wred-slope"):
            kinds = only(slope, "traffic-type", "all"), only(slope, "drop-probability", "all", "low")
            on = [flag(slope, key) for key in ("enable-ecn", "slope-enabled")]
            low, high = number(slope, "min-threshold"), number(slope, "max-threshold")
            chance = number(slope, "max-drop-probability-percent")
            if low is None or high is None or chance is None or not all(kinds):
                slope[None] = begins
            elif name is not None:
                off = next((at or begins for works, at in on if not works), weight[1] if weight and weight[0] else 0)
                marks = low[0], high[0], chance[0]
                yield name[0], ((), (off,)) if off else (marks, (low[1], high[1], chance[1]))


def _schedulers(tree: Tree, queues: Mapping[str, int]) -> Iterator[tuple[str, tuple[tuple[int, ...], tuple[int, ...]]]]:
    for policy, _ in rows(tree, "scheduler-policies", "scheduler-policy"):
        name, found = text(policy, "name"), list[tuple[tuple[int, int, int], tuple[int, int, int]]]()
        for scheduler, _ in rows(policy, "scheduler"):
            number(scheduler, "sequence")
            priority = text(scheduler, "priority")
            strict = priority is not None and priority[0] == "strict"
            for row, begins in rows(scheduler, "input"):
                text(row, "id"), only(row, "input-type", "queue")
                queue, weight, cap = text(row, "queue-name"), number(row, "weight"), number(row, "peak-rate-percent")
                if queue is None:
                    row[None] = begins
                    continue
                share = 0 if strict else weight[0] if weight is not None else 1
                most = 0 if cap is None or cap[0] == WHOLE else cap[0]
                weighed = priority if strict else weight
                lines = (
                    queue[1],
                    weighed[1] if weighed is not None else queue[1],
                    cap[1] if cap is not None else queue[1],
                )
                found.append(((queues.get(queue[0], -1), share, most), lines))
        if name is not None:
            found.sort()
            values, lines_of = (tuple(part for row in found for part in row[at]) for at in (0, 1))
            yield name[0], (values, lines_of)


def _buffers(config: Config, tree: Tree, limits: set[str]) -> Iterator[tuple[str, dict[str, tuple[int, int]]]]:
    """Headroom of each PFC queue by profile; limits of queues are values that no plan has."""
    for profile, _ in rows(tree, "buffer-allocation-profile"):
        name, held = text(profile, "name"), dict[str, tuple[int, int]]()
        for row, _ in rows(profile, "queues", "queue"):
            queue, limit = text(row, "queue-name"), number(row, "maximum-burst-size")
            if queue is not None and limit is not None:
                config.need(f"limit of {queue[0]}: {limit[0]} octets", limit[1])
                limits.add(name[0] if name is not None else "")
        for row, _ in rows(profile, "queues", "pfc-queue"):
            queue, limit = text(row, "pfc-queue-name"), number(row, "maximum-burst-size")
            share = number(row, "maximum-pfc-reserved-share-bytes")
            if queue is not None:
                shown = f"{limit[0]} octets" if limit is not None else "none"
                config.need(f"limit of {queue[0]}: {shown}", limit[1] if limit is not None else queue[1])
                if share is not None:
                    held[queue[0]] = share
        if name is not None and held:
            yield name[0], held


def _profiles(tree: Tree) -> Iterator[tuple[str, Pfc]]:
    for profile, line in rows(tree, "pfc-mapping-profile"):
        name, sends, obeys = text(profile, "name"), dict[str, Priority](), dict[str, Priority]()
        fills: dict[str, int] = {}
        for row, begins in rows(profile, "received-traffic", "unicast-mapping", "pfc-queue"):
            queue, priority = text(row, "pfc-queue-name"), _priority(row)
            if queue is None:
                row[None] = begins
                continue
            fills[queue[0]] = queue[1]
            for kind, at in texts(row, "forwarding-class"):
                sends[kind] = priority if priority is not None else (-1, at)
        frames = block(profile, "received-pfc-pause-frames")
        for row, _ in rows(frames, "queue"):
            queue, priority, on = (
                text(row, "queue-name"),
                _priority(row),
                flag(row, "enable-pfc"),
            )
            if queue is not None and priority is not None:
                obeys[queue[0]] = priority if on[0] else (-1, on[1] or priority[1])
        if name is not None:
            begins = name[1] or line
            yield name[0], Pfc(sends, fills, obeys, tuple(_watchdog(block(frames, "deadlock"), begins)), begins)


def _priority(row: Tree) -> Priority | None:
    """`pfc-pause-frame-priority`; before release 25.3 it was a list of one (YANG)."""
    found = row.get("pfc-pause-frame-priority")
    if type(found) is list and len(found) == 1:
        row["pfc-pause-frame-priority"] = found[0]
    return number(row, "pfc-pause-frame-priority")


def _watchdog(tree: Tree, line: int) -> Iterator[Setting]:
    """`deadlock`: pauses are ignored for a time. How often it looks is the system's own."""
    on, at = flag(tree, "enable")
    detect, recover = (number(tree, key) or (-1, at or line) for key in ("detection-timer", "recovery-timer"))
    if on:
        yield "watchdog", (detect[0], recover[0], -1), detect[1], {0: detect[1], 1: recover[1]}
        yield "watchdog-action", "drop", at, None
    else:
        yield "watchdog", (), at or line, None


def _ports(config: Config, service: Service, tree: Tree) -> None:
    """A port has its PFC, buffers and scheduler; its subinterface 0 has the classifier."""
    classified: dict[str, tuple[str, int]] = {}
    found: dict[str, tuple[Tree, int]] = {}
    for row, own, line in once(rows(tree, "interfaces", "interface"), "interface-id"):
        reference = block(row, "interface-ref")
        port, sub = text(reference, "interface"), number(reference, "subinterface")
        name = port[0] if port is not None else own
        policy = text(block(row, "input", "classifiers"), "dscp-policy")
        if sub is not None and sub[0] == 0 and policy is not None:
            classified[name] = policy
        elif sub is None:
            found[name] = row, line
        else:
            row[None] = line
    classes = cache(lambda policy: tuple(_of_classes(service, policy)))
    for name in dict.fromkeys((*found, *classified)):
        row, line = found.get(name, ({}, classified.get(name, ("", 0))[1]))
        policy = classified.get(name, ("", 0))
        for setting, value, at, parts in (*classes(policy[0]), *_of_port(service, row)):
            if setting == "limits":
                config.need(f"{name}: its queues have limits", at)
            else:
                config.put("port", name, setting, value, at or line, parts)
        for setting in ("dscp-classes", "pfc", "queues", "ecn"):
            config.lack("port", name, setting, (), line)


def _of_classes(service: Service, policy: str) -> Iterator[Setting]:
    """Class of each code point by a policy, and the queues of those classes."""
    of, line = service.classifiers.get(policy, ({}, 0))
    kinds = [of.get(dscp, ("fc0", 0))[0] for dscp in range(DSCPS)]
    if not line:
        return
    classes = tuple(service.classes.get(kind, NO_CLASS)[0] for kind in kinds)
    lines: dict[Part, Lines] = {
        dscp: (at, service.classes.get(kind, NO_CLASS)[2][0]) for dscp, (kind, at) in of.items() if dscp < DSCPS
    }
    yield "dscp-classes", classes, line, lines
    used = sorted(
        (index, service.queues.get(queue, -1), *at)
        for kind, (index, queue, at) in service.classes.items()
        if kind in kinds
    )
    said = dict.fromkeys(row[:2] for row in used)
    parts: dict[Part, Lines] = dict(enumerate(at for row in used for at in row[2:]))
    yield "class-queues", tuple(part for pair in said for part in pair), line, parts if len(said) == len(used) else None


NO_CLASS = (-1, "", (0, 0))


def _of_port(service: Service, row: Tree) -> Iterator[Setting]:
    pfc = block(row, "pfc")
    name, on = text(pfc, "pfc-mapping-profile"), flag(pfc, "pfc-enable")
    profile = service.profiles.get(name[0]) if name is not None and on[0] else None
    if profile is not None:
        paused = list(_paused(service, profile))
        works = tuple(sorted(priority for priority, fault in paused if not fault))
        yield "pfc", works, next((fault for _, fault in paused if fault), profile.line), None
        yield from profile.settings
    elif name is not None:
        yield "pfc", (), on[1] or name[1], None
    buffers = text(block(row, "input"), "pfc-buffer-allocation-profile")
    if buffers is not None and buffers[0] in service.headrooms:
        held = service.headrooms[buffers[0]]
        for queue, at in (profile.fills if profile is not None else dict.fromkeys(held, 0)).items():
            yield "headroom", *held.get(queue, (0, at)), {"profile": buffers[1]}
    output = block(row, "output")
    limits = text(output, "buffer-allocation-profile")
    if limits is not None and limits[0] in service.limits:
        yield "limits", True, limits[1], None
    scheduler = text(block(output, "scheduler"), "scheduler-policy")
    if scheduler is not None and scheduler[0] in service.schedulers:
        values, lines = service.schedulers[scheduler[0]]
        yield "queues", values, scheduler[1], dict(enumerate(lines))
    yield from _marked(service, output)


def _marked(service: Service, output: Tree) -> Iterator[Setting]:
    """ECN of the queues of a port."""
    marking: list[int] = []
    lines: list[int] = []
    off = 0
    for one, _ in rows(output, "queues", "queue"):
        queue, managed = text(one, "queue-name"), text(one, "queue-management-profile")
        if queue is not None and managed is not None and managed[0] in service.marks:
            marks, at = service.marks[managed[0]]
            if marks:
                marking += [service.queues.get(queue[0], -1), *marks]
                lines += [queue[1], *at]
            else:
                off = at[0]
    if marking:
        yield "ecn", tuple(marking), lines[1], dict(enumerate(lines))
    elif off:
        yield "ecn", (), off, None


def _paused(service: Service, profile: Pfc) -> Iterator[Priority]:
    """Priorities of classes that pause, with the line of what keeps one from it.

    A priority stops both ways: what a class pauses by is what stops its queue.
    """
    for kind, (priority, at) in profile.sends.items():
        if kind in service.classes:
            _, queue, lines = service.classes[kind]
            obeyed, stops = profile.obeys.get(queue, (-1, lines[1]))
            yield priority, 0 if obeyed == priority else stops if obeyed < 0 else at
