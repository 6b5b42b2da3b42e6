"""Quality of service: what each port gives a packet, by the profiles that it names.

Sources: NVUE reference, Quality of Service; 5.11 user guide, Quality of Service and RoCE: DSCP to switch priority by
`mapping` (eight values a priority by itself), switch priority to traffic class by `egress-queue-mapping` (its own
number by itself), profiles of a port or `default-global`; the watchdog calls a queue stuck after polling x robustness
ms and drops; `max-rate` in kbit/s.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.platforms.cumulus.readback.nvue import Nvue
from fabricgen.platforms.cumulus.readback.tree import Tree
from fabricgen.platforms.linux.readback.words import number
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Row

DSCPS = range(64)
GLOBAL = "default-global"
KILOBITS_A_GBPS = 1_000_000
MARKS = ("min-threshold", "max-threshold", "probability")


Numbers = tuple[tuple[int, ...], tuple[int, ...], int]
"""Numbers, the line of each, the line of the whole."""


def _numbers(rows: Mapping[int, tuple[tuple[int, int], ...]], line: int) -> Numbers:
    """Numbers of queues in their order."""
    said = [pair for queue in sorted(rows) for pair in rows[queue]]
    return tuple(value for value, _ in said), tuple(at for _, at in said), line


def _with_names(found: Numbers, named: tuple[int, ...], line: int) -> tuple[tuple[int, ...], list[Lines], int]:
    """The same, each with the line of the port that names the profile as well; `named` comes again and again."""
    values, lines, whole = found
    return values, [(at, named[place % len(named)]) for place, at in enumerate(lines)], whole or line


def _lines(*lines: int) -> tuple[int, ...]:
    """Lines without those that are nowhere."""
    return tuple(filter(None, dict.fromkeys(lines)))


class _Pause(NamedTuple):
    """A profile of PFC: priorities, the line of each and of all; metres of cable and their line."""

    priorities: tuple[int, ...]
    lines: tuple[int, ...]
    line: int
    cable: tuple[int, int]


class QosRows:
    """Writes the rows of all ports; what ports share is worked out once."""

    def __init__(self, nvue: Nvue, ports: dict[str, Tree]) -> None:
        self._nvue, self._ports = nvue, ports
        self._qos = nvue.root.take("qos")
        self._classes = self._mapping()
        self._pairs = self._traffic_classes()
        self._schedulers: dict[tuple[str, str, int], Numbers] = {}
        self._marks: dict[str, Numbers] = {}
        self._pauses: dict[str, _Pause] = {}

    def put(self) -> None:
        """All rows."""
        if not self._qos:
            return
        self._put_switch()
        for name, row in self._ports.items():
            own = row.take("qos")
            if own:
                self._put_port(name, own)

    def _mapping(self) -> Row:
        """Switch priority of each DSCP; empty if ports do not trust it."""
        said = self._qos.take("mapping", GLOBAL)
        trust = said.take("trust")
        found = [dscp // 8 for dscp in DSCPS]
        lines: dict[Part, Lines] = {}
        for key, row in said.take("dscp").each():
            told = row.take("switch-priority")
            dscp, priority = number(key), number(told.value)
            if dscp not in DSCPS or priority is None or dscp is None:
                row.refuse()
            else:
                found[dscp], lines[dscp] = priority, told.line
        if trust.value == "both":
            self._nvue.say("qos mapping trusts PCP, too", trust.line)
        trusts = trust.value in ("l3", "both")
        line = said.line if trusts else trust.line or said.line
        return Row(tuple(found) if trusts else (), self._nvue.file, line or self._qos.line, lines)

    def _traffic_classes(self) -> Row:
        said = self._qos.take("egress-queue-mapping", GLOBAL, "switch-priority")
        queues: dict[int, tuple[int, int]] = {}
        for key, row in said.each():
            told = row.take("traffic-class")
            priority, queue = number(key), number(told.value)
            if priority is None or queue is None:
                row.refuse()
            else:
                queues[priority] = (queue, told.line)
        used = sorted(set(self._classes.value)) if isinstance(self._classes.value, tuple) else []
        pairs = tuple(part for one in used for part in (one, queues.get(one, (one, 0))[0]))
        lines: dict[Part, Lines] = {2 * at + 1: queues[one][1] for at, one in enumerate(used) if one in queues}
        return Row(pairs, self._nvue.file, said.line or self._qos.line, lines)

    def _put_switch(self) -> None:
        nvue, qos = self._nvue, self._qos
        alpha = qos.take("advance-buffer-config", GLOBAL, "ingress-lossless-buffer", "shared-alpha")
        if alpha:
            share = alpha.value.removeprefix("alpha_").replace("_", "/")
            nvue.put("switch", "", "alpha", share, alpha.line)
        for key in (nvue.switch, "mode"):
            nvue.leaf(qos.take("roce"), "qos roce", key)
        for name, row in qos.take("traffic-pool").each():
            nvue.leaf(row, f"qos traffic-pool {name}", "memory-percent")

    def _put_port(self, name: str, own: Tree) -> None:
        nvue = self._nvue
        nvue.reading.add_all("port", name, (("dscp-classes", self._classes), ("class-queues", self._pairs)))
        speed = nvue.reading.rows.get(Key("port", name, "speed"))
        gbps = speed.value if speed is not None and isinstance(speed.value, int) else 0
        scheduler, shaper, marks, pause = (
            own.take(key, "profile") for key in ("egress-scheduler", "egress-shaper", "congestion-control", "pfc")
        )
        queues = self._queues(scheduler.value or GLOBAL, shaper.value, gbps)
        named = (scheduler.line or own.line, scheduler.line or own.line, shaper.line or own.line)
        nvue.put_parts("port", name, "queues", *_with_names(queues, named, own.line))
        ecn = self._ecn(marks.value or GLOBAL)
        nvue.put_parts("port", name, "ecn", *_with_names(ecn, (marks.line or own.line,), own.line))
        self._put_pause(name, own, pause)

    def _queues(self, scheduler: str, shaper: str, gbps: int) -> "Numbers":
        key = (scheduler, shaper, gbps)
        if key not in self._schedulers:
            caps: dict[str, tuple[int, int]] = {}
            for queue, row in self._qos.take("egress-shaper", shaper, "traffic-class").each() if shaper else ():
                rate = row.take("max-rate")
                caps[queue] = (self._percent(rate, gbps * KILOBITS_A_GBPS), rate.line)
            found: dict[int, tuple[tuple[int, int], ...]] = {}
            said = self._qos.take("egress-scheduler", scheduler, "traffic-class")
            for queue, row in said.each():
                told, mode = row.take("bw-percent"), row.take("mode")
                weight = self._nvue.number(told)
                if mode.value not in ("strict", "dwrr") or number(queue) is None:
                    row.refuse()
                    continue
                share = (0, mode.line) if mode.value == "strict" else (weight, told.line or mode.line)
                found[int(queue)] = ((int(queue), row.line), share, caps.get(queue, (0, row.line)))
            self._schedulers[key] = _numbers(found, said.line)
        return self._schedulers[key]

    def _percent(self, rate: Tree, whole: int) -> int:
        """A rate in percent of a port's, rounded down by NVUE; one that is no whole number of percent is refused."""
        told = self._nvue.number(rate)
        percent = -(-told * 100 // whole) if whole else 0
        if percent * whole // 100 != told:
            rate.refuse()
        return percent

    def _ecn(self, profile: str) -> "Numbers":
        if profile not in self._marks:
            found: dict[int, tuple[tuple[int, int], ...]] = {}
            off = 0
            said = self._qos.take("congestion-control", profile, "traffic-class")
            for queue, row in said.each():
                told = [row.take(key) for key in MARKS]
                numbers = [(self._nvue.number(one), one.line or row.line) for one in told]
                red = row.take("red")
                if red.is_on:
                    self._nvue.say(f"queue {queue} drops packets that cannot be marked", red.line)
                place, marks = number(queue), row.take("ecn")
                if marks.is_on and place is not None:
                    found[place] = ((place, row.line), *numbers)
                else:
                    off = marks.line or row.line
            self._marks[profile] = _numbers(found, said.line if found or not off else off)
        return self._marks[profile]

    def _put_pause(self, name: str, own: Tree, named: Tree) -> None:
        nvue, pause = self._nvue, self._pause(named.value or GLOBAL)
        lines = [(line, named.line or own.line) for line in pause.lines]
        nvue.put_parts("port", name, "pfc", pause.priorities, lines, pause.line or own.line)
        metres, line = pause.cable
        nvue.put("port", name, "cable", metres, line or own.line)
        times = self._qos.take("pfc-watchdog")
        polling, robustness = times.take("polling-interval"), times.take("robustness")
        state = own.take("pfc-watchdog", "state")
        if not state.is_on:
            nvue.put("port", name, "watchdog", (), state.line or own.line)
            return
        every = nvue.number(polling, 100)
        value = (every * nvue.number(robustness, 1), -1, every)
        at = polling.line or state.line
        nvue.put("port", name, "watchdog-action", "drop", state.line)
        nvue.put_parts("port", name, "watchdog", value, (_lines(robustness.line, at), at, at), at)

    def _pause(self, profile: str) -> "_Pause":
        if profile not in self._pauses:
            nvue, said = self._nvue, self._qos.take("pfc", profile)
            for one in ("rx", "tx"):
                way = said.take(one)
                if said and not way.is_on:
                    nvue.say(f"qos pfc {profile}: {one} {way.value or 'is not said'}", way.line or said.line)
            told = said.take("switch-priority")
            rows = {key: row.line for word, row in told.each() if (key := number(word)) is not None}
            cable = said.take("cable-length")
            self._pauses[profile] = _Pause(
                priorities=tuple(sorted(rows)),
                lines=tuple(rows[key] for key in sorted(rows)),
                line=told.line,
                cable=(nvue.number(cable), cable.line),
            )
        return self._pauses[profile]
