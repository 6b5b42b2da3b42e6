"""Class of service: what each port gets from its classifier, its scheduler map and its notification profile.

Sources: Class of Service User Guide (QFX): a forwarding class has a queue; `no-loss pfc-priority` makes it lossless;
input of a notification profile names the code points whose class pauses its peer, output the queue that a priority
stops; strict-high queues are served first; code points that no classifier names are queue 0's. Thresholds are percent
of a queue's limit (fill-level), buffers percent of the pool (buffer-partition), X-ON is cells (xon).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from fabricgen.platforms.junos.readback.config import Config
from fabricgen.platforms.junos.readback.groups import matches
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import (
    Word,
    block,
    blocks,
    digit,
    flag,
    flat,
    leaves,
    line_of,
    number,
    only,
    value,
    values,
)
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Part, Value

DSCPS = 64
UNSAID = -1
"""Share of a queue that is neither strict nor has a rate."""
QUEUES = range(12)
Setting = tuple[str, Value, int, Mapping[Part, Lines] | None]
"""A row of a port: line 0 is that of the port's own block."""


class ForwardingClass(NamedTuple):
    """A forwarding class; `priority` -1: it is lossy."""

    queue: int
    priority: int
    line: int


class Scheduler(NamedTuple):
    """What a queue gets: percent of the port (0: strict), percent at most (0: no limit), the profile that marks.

    lines  of the percentages, where something says them
    """

    share: int
    cap: int
    marks: str
    line: int
    lines: tuple[int, int]


class Profile(NamedTuple):
    """A notification profile, as written: lines of code points; of priorities the queue that stops, and its line."""

    points: Mapping[int, int]
    stopped: Mapping[int, tuple[int, int]]
    settings: tuple[Setting, ...]
    line: int


class Classifier(NamedTuple):
    """Forwarding class of each code point, and its line."""

    classes: Mapping[int, str]
    lines: Mapping[int, int]
    line: int


NO_CLASSIFIER = Classifier({}, {}, 0)


@dataclass(slots=True)
class Service:
    """All of class-of-service by name. marks: levels and chance, and the lines of both."""

    classes: dict[str, ForwardingClass] = field(default_factory=dict)
    classifiers: dict[str, Classifier] = field(default_factory=dict)
    marks: dict[str, tuple[tuple[int, int, int], tuple[int, int]]] = field(default_factory=dict)
    schedulers: dict[str, Scheduler] = field(default_factory=dict)
    maps: dict[str, list[tuple[str, str, int]]] = field(default_factory=dict)
    profiles: dict[str, Profile] = field(default_factory=dict)


def qos(config: Config) -> None:
    """Rows of class of service, by port. Interfaces are read before."""
    tree = block(config.tree, "class-of-service")
    if not tree:
        return
    service = Service()
    _classes(service, block(tree, "forwarding-classes"))
    _classifiers(service, tree)
    _marks(service, tree)
    _schedulers(service, tree)
    _profiles(config, service, tree)
    _own_packets(config, service, block(tree, "host-outbound-traffic"))
    _buffers(config, tree)
    _ports(config, service, tree)


def _classes(service: Service, tree: Tree) -> None:
    for name, below, line in blocks(tree, "class"):
        words = flat(below)
        queue, rest = _after(words, "queue-num")
        priority, rest = _after(rest, "pfc-priority")
        lossless = "no-loss" in rest
        rest = [word for word in rest if word != "no-loss"]
        if rest or queue < 0:
            below[None] = line
            continue
        below.clear()
        service.classes[name] = ForwardingClass(queue, priority if lossless else -1, line)


def _after(words: list[str], name: str) -> tuple[int, list[str]]:
    """The number behind a word, and the words without both."""
    if name not in words:
        return -1, words
    at = words.index(name)
    return digit(words[at + 1]) if at + 1 < len(words) else -1, words[:at] + words[at + 2 :]


def _bits(text: str) -> int:
    """Six bits as a number; -1 for another text."""
    return int(text, 2) if len(text) in (3, 6) and set(text) <= {"0", "1"} else -1


def _classifiers(service: Service, tree: Tree) -> None:
    for name, below, line in blocks(tree, "classifiers", "dscp"):
        found: dict[int, str] = {}
        lines: dict[int, int] = {}
        for kind, rest, _ in blocks(below, "forwarding-class"):
            for _, points, _ in blocks(rest, "loss-priority"):
                there = block(points, "code-points")
                for word in leaves(there):
                    point = _bits(word.text)
                    if point >= 0 and found.setdefault(point, kind) == kind:
                        lines[point] = word.line
                    else:  # no code point, or one of another class: which of the two counts the manual does not say
                        there[word.text] = word.line
        service.classifiers[name] = Classifier(found, lines, line)


def _marks(service: Service, tree: Tree) -> None:
    for name, below, line in blocks(tree, "drop-profiles"):
        inner = block(below, "interpolate")
        said = [values(inner, kind) for kind in ("fill-level", "drop-probability")]
        levels, chances = ([digit(word.text) for word in words] for words in said)
        if len(levels) == len(chances) == 2 and chances[0] == 0 and min(levels) >= 0:
            service.marks[name] = (levels[0], levels[1], chances[1]), (said[0][0].line, said[1][0].line)
        else:
            below[None] = line


def _schedulers(service: Service, tree: Tree) -> None:
    for name, below, line in blocks(tree, "schedulers"):
        kept = dict(below)
        share, cap = (number(block(below, kind), "percent") for kind in ("transmit-rate", "shaping-rate"))
        strict = value(below, "priority")
        marks, dropped = "", flat(below.get("drop-profile-map", 0))
        if flag(below, "explicit-congestion-notification") and "drop-profile" in dropped:
            marks = dropped[-1]
            if dropped[:4] == ["loss-priority", "any", "protocol", "any"]:
                del below["drop-profile-map"]
        first = strict is not None and strict.text == "strict-high"
        if (first and share is not None) or (strict is not None and strict.text not in ("low", "strict-high")):
            # What a share does beside strict-high differs by system: left unread.
            below.clear()
            below.update(kept)
        service.schedulers[name] = Scheduler(
            0 if first else share[0] if share is not None else UNSAID,
            cap[0] if cap is not None else 0,
            marks,
            next((row[1] for row in (share, cap, strict) if row is not None), line),
            (
                strict.line if first and strict is not None else share[1] if share is not None else line,
                cap[1] if cap is not None else line,
            ),
        )
    for name, below, _ in blocks(tree, "scheduler-maps"):
        rows = service.maps[name] = []
        for kind, rest, line in blocks(below, "forwarding-class"):
            if (word := value(rest, "scheduler")) is not None:
                rows.append((kind, word.text, word.line or line))


def _profiles(config: Config, service: Service, tree: Tree) -> None:
    resumed: list[dict[str, int]] = []
    for name, below, line in blocks(tree, "congestion-notification-profile"):
        watched = line_of(below.get("pfc-watchdog"))
        settings = list(_watchdog(block(below, "pfc-watchdog"), watched))
        given = block(below, "input")
        if (cable := number(given, "cable-length")) is not None:
            settings.append(("cable", *cable, None))
        points, frames, resume = _pauses(given)
        if frames:
            settings.append(("headroom", f"for frames of {' and '.join(frames)} octets", [*frames.values()][-1], None))
        resumed.append(resume)
        stopped = {
            _bits(bits): (digit(queues[0].text), queues[0].line)
            for bits, rest, _ in blocks(below, "output", "ieee-802.1", "code-point")
            if len(queues := values(rest, "flow-control-queue")) == 1
        }
        service.profiles[name] = Profile(points, stopped, tuple(settings), line)
    cells = {text: line for found in resumed for text, line in found.items()}
    if any(text != DEFAULT_XON for text in cells):
        config.put("switch", "", "resume", f"{' and '.join(cells)} cells", [*cells.values()][-1])


DEFAULT_XON, DEFAULT_MRU = "20", "2500"
"""Cells and octets where nothing is said (manual, xon and mru)."""


def _pauses(given: Tree) -> tuple[dict[int, int], dict[str, int], dict[str, int]]:
    """Code points that pause, each with its line; and what they say of `mru` and `xon`, beside `pfc` or in it."""
    points: dict[int, int] = {}
    said: dict[str, dict[str, int]] = {"mru": {}, "xon": {}}
    for bits, rest, line in blocks(given, "dscp", "code-point"):
        if "pfc" in rest:
            points[_bits(bits)] = line
        pause = block(rest, "pfc")
        for setting, default in (("mru", DEFAULT_MRU), ("xon", DEFAULT_XON)):
            word = value(pause, setting) or value(rest, setting) or Word(default, line)
            said[setting][word.text] = word.line
    return points, said["mru"], said["xon"]


def _watchdog(tree: Tree, line: int) -> Iterator[Setting]:
    if not tree:
        return
    poll, periods, recovery = (number(tree, name) for name in ("poll-interval", "detection", "recovery"))
    action = only(tree, "watchdog-action", "drop", "forward")
    every = poll[0] if poll is not None else DEFAULT_POLL
    times = (
        every * (periods[0] if periods is not None else DEFAULT_PERIODS),
        recovery[0] if recovery is not None else DEFAULT_RECOVERY,
        every,
    )
    looks = [(row or (0, line))[1] for row in (poll, periods, recovery)]
    parts: Mapping[Part, Lines] = {0: (looks[1], looks[0]), 1: looks[2], 2: looks[0]}
    yield "watchdog", times, line, parts
    named = (action.text, action.line) if action is not None else ("forward", line)
    yield "watchdog-action", *named, None


DEFAULT_POLL, DEFAULT_PERIODS, DEFAULT_RECOVERY = 100, 2, 200
"""Milliseconds, periods, milliseconds (manual, PFC watchdog)."""


def _own_packets(config: Config, service: Service, tree: Tree) -> None:
    kind, point = value(tree, "forwarding-class"), value(tree, "dscp-code-point")
    if kind is not None:
        queue = service.classes[kind.text].queue if kind.text in service.classes else 0
        config.need(f"own packets: queue {queue}", kind.line)
    if point is not None:
        config.need(f"own packets: dscp {_bits(point.text)}", point.line)


def _buffers(config: Config, tree: Tree) -> None:
    for way in ("ingress", "egress"):
        for name, below, _ in blocks(tree, "shared-buffer", way, "buffer-partition"):
            percent = number(below, "percent")
            if percent is not None and name == "lossless-headroom":
                config.put("switch", "", "headroom-pool", f"{percent[0]} percent", percent[1])
            elif percent is not None:
                config.need(f"{way} buffer: {name} {percent[0]} percent", percent[1])
            if (step := value(below, "dynamic-threshold")) is not None:
                config.put("switch", "", "alpha", f"step {step.text}", step.line)
        if (percent := number(block(tree, "dedicated-buffer", way), "percent")) is not None:
            config.need(f"{way} buffer: dedicated {percent[0]} percent", percent[1])


def _ports(config: Config, service: Service, tree: Tree) -> None:
    ports = [key.name for key in config.reading.rows if key.thing == "port" and key.setting == "enabled"]
    known = set(ports)
    lookup = cache(lambda *names: tuple(_settings(service, *names)))
    for name, below, line in blocks(tree, "interfaces"):
        own = [port for port in ports if matches(name, port)] if "*" in name else [name] if name in known else []
        if not own:
            below[None] = line
            continue
        notified, mapped = value(below, "congestion-notification-profile"), value(below, "scheduler-map")
        named = {"dscp-classes": _classified(below), "queues": mapped, "pfc": notified}
        settings = lookup(*(word.text if word is not None else "" for word in named.values()))
        missing = [setting for setting, word in named.items() if word is None]
        for port in own:
            for setting, one, at, parts in settings:
                config.put("port", port, setting, one, at or line, parts)
            for setting in missing:
                config.lack("port", port, setting, (), line)


def _classified(below: Tree) -> Word | None:
    """The classifier of unit 0; other units stay unread."""
    found = None
    for unit, rest, line in blocks(below, "unit"):
        if unit in ("0", "*"):
            found = value(block(rest, "classifiers"), "dscp")
        else:
            rest[None] = line
    return found


def _settings(service: Service, classifier: str, mapped: str, notified: str) -> Iterator[Setting]:
    """Rows of the ports that have these three."""
    found = service.classifiers.get(classifier, NO_CLASSIFIER)
    if classifier in service.classifiers:
        kinds = [service.classes.get(found.classes.get(dscp, "")) for dscp in range(DSCPS)]
        classes = tuple(kind.queue if kind is not None else 0 for kind in kinds)
        lines: dict[Part, Lines] = {
            dscp: (line, kind.line) if (kind := kinds[dscp]) is not None else line
            for dscp, line in found.lines.items()
            if dscp < DSCPS
        }
        yield "dscp-classes", classes, found.line, lines
    yield from _queues(service, mapped)
    profile = service.profiles.get(notified)
    if profile is not None:
        paused = dict(_paused(service, found, profile))
        works = sorted(priority for priority, (_, fault) in paused.items() if not fault)
        fault = next((line for _, line in paused.values() if line), 0)
        parts: Mapping[Part, Lines] = {at: paused[priority][0] for at, priority in enumerate(works)}
        yield "pfc", tuple(works), fault or profile.line, parts
        yield from profile.settings


def _queues(service: Service, mapped: str) -> Iterator[Setting]:
    """What a scheduler map gives each queue, and which of them mark."""
    queues: list[tuple[tuple[int, int, int], tuple[int, int, int]]] = []
    marking: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for name, scheduled, at in service.maps.get(mapped, ()):
        kind, scheduler = service.classes.get(name), service.schedulers.get(scheduled)
        if kind is None or scheduler is None:
            queues.append(((kind.queue if kind is not None else -1, 0, 0), (at, at, at)))
            continue
        queues.append(((kind.queue, scheduler.share, scheduler.cap), (kind.line, *scheduler.lines)))
        if scheduler.marks in service.marks:
            levels, (filled, chance) = service.marks[scheduler.marks]
            marking.append(((kind.queue, *levels), (kind.line, filled, filled, chance)))
    if queues:
        yield _joined("queues", sorted(queues))
    if marking:
        yield _joined("ecn", marking)


def _joined(setting: str, rows: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> Setting:
    """One row of the values and lines of several queues."""
    lines = [line for _, row in rows for line in row]
    parts: Mapping[Part, Lines] = {**dict(enumerate(lines))}
    return setting, tuple(one for row, _ in rows for one in row), lines[1], parts


def _paused(service: Service, found: Classifier, profile: Profile) -> Iterator[tuple[int, tuple[int, int]]]:
    """Priorities of classes whose code points pause, with the line of each class, and of what keeps it from pausing.

    A priority stops both ways: all code points of a lossless class pause its peer, and its queue obeys.
    """
    for kind, row in service.classes.items():
        points = {dscp for dscp, name in found.classes.items() if name == kind}
        if points.isdisjoint(profile.points):
            continue
        queue, stops = profile.stopped.get(row.priority, (-1, row.line))
        other = sorted(points ^ profile.points.keys())
        fault = row.line if row.priority < 0 else 0 if queue == row.queue else stops
        if not fault and other:
            fault = found.lines.get(other[0]) or profile.points[other[0]]
        yield row.priority, (row.line, fault)
