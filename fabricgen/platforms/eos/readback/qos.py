"""Quality of service of EOS: maps of the switch, profiles of ports, buffers and the PFC watchdog.

Sources: manual, quality of service: DSCP 0-7 have traffic class 1, 8-15 class 0, all others the class of their first
three bits; queue N sends class N; a queue is strict without a cap unless a line says otherwise. PFC: a priority is the
traffic class of its number (docs.habana.ai, Expected Switch Configuration, 7060PX5-64E). The watchdog's times of a port
win over those of the switch (PyAVD 6.4.0, priority_flow_control). A kbyte is taken for 1000 octets [unsure].
"""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.platforms.eos.readback.names import milliseconds
from fabricgen.readback.forms import Forms, Reader, Said, State, add, merged, opens, put
from fabricgen.readback.rows import Part, Row, Value
from fabricgen.readback.words import numbers

UNITS = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
DEFAULT_CLASSES = tuple({0: 1, 1: 0}.get(dscp // 8, dscp // 8) for dscp in range(64))
QUEUES = range(8)
ACTIONS = {"drop": "drop", "notify-only": "notify", "errdisable": "errdisable"}
DEFAULT_ACTION = "errdisable"
"""PyAVD 6.4.0, priority_flow_control.watchdog: the action of the switch where none is said."""
POLLING_AUTO = -1


def _ecn(low: int, low_unit: str, high: int, high_unit: str, percent: int | None) -> tuple[int, int, int]:
    return low * UNITS[low_unit], high * UNITS[high_unit], 100 if percent is None else percent


def _times(detect: str, polling: str, restore: str) -> tuple[int, int, int] | None:
    found = (milliseconds(detect), milliseconds(restore), POLLING_AUTO if polling == "auto" else milliseconds(polling))
    return None if None in found else found  # type: ignore[return-value]


def _mapped(text: str, number: int) -> tuple[tuple[int, ...], int] | None:
    found = numbers(text)
    return None if found is None else (found, number)


def _default_time(what: str, text: str) -> tuple[str, int] | None:
    found = milliseconds(text)
    return None if found is None else (what, found)


def _action(word: str) -> str:
    return ACTIONS[word]


UNIT = "(bytes|kbytes|mbytes)"
QUEUE = Forms(
    {
        "no priority": put("strict", False),
        "priority strict": put("strict", True),
        "bandwidth percent <n>": put("share"),
        "shape rate <n> percent": put("cap"),
        "no shape rate": put("cap", 0),
        rf"random-detect ecn minimum-threshold <n> {UNIT} maximum-threshold <n> {UNIT}"
        r"(?: max-mark-probability <n>)?(?: weight 0)?": put("ecn", by=_ecn),
        "random-detect ecn count": put("count", True),
    },
    keep=True,
)
PORT = {
    "qos trust (dscp|cos)": put("trust"),
    "no qos trust": put("trust", "none"),
    "priority-flow-control on": put("pfc-on", True),
    "no priority-flow-control(?: on)?": put("pfc-on", False),
    "priority-flow-control priority ([0-7]) no-drop": add("pfc", by=int),
    "priority-flow-control pause watchdog": put("watchdog", True),
    "no priority-flow-control pause watchdog": put("watchdog", False),
    r"priority-flow-control pause watchdog port timer timeout <w> polling-interval <w> recovery-time <w>(?: forced)?": (
        put("times", by=_times)
    ),
    "priority-flow-control pause watchdog port action (drop|notify-only|errdisable)": put("action", by=_action),
    "tx-queue ([0-7])": opens("queue", QUEUE, by=int),
    "uc-tx-queue ([0-7])": opens("queue", QUEUE, by=int),
}
"""Forms of a port and of a profile."""
PROFILE = Forms(PORT, keep=True)
BUFFERS = Forms(
    {
        "ingress threshold <w>": put("alpha"),
        "ingress headroom <n>(?: bytes)?": put("headroom"),
    }
)
ROOT = {
    r"qos map dscp ([\d ,-]+) to traffic-class ([0-7])": add(
        "dscp", by=lambda text, number: _mapped(text, int(number))
    ),
    r"qos map traffic-class ([\d ,-]+) to (?:uc-)?tx-queue ([0-7])": add(
        "class-queue", by=lambda text, number: _mapped(text, int(number))
    ),
    "qos profile <w>": opens("qos-profile", PROFILE),
    "priority-flow-control pause watchdog default (timeout|recovery-time|polling-interval) <w>": add(
        "default-time", by=_default_time
    ),
    "priority-flow-control pause watchdog action (drop|notify-only|errdisable)": put("default-action", by=_action),
    r"platform \S+ mmu queue profile <w>": opens("buffers", BUFFERS),
    r"platform \S+ mmu queue profile <w> apply": put("applied"),
    r"platform \S+ mmu headroom-pool limit bytes <n>": put("headroom-pool"),
    "hardware counter feature ecn out": put("ecn-counters", True),
}
"""Forms of the top level."""
OF_PORT = frozenset({"trust", "pfc-on", "pfc", "watchdog", "times", "action", "queue"})


class PortRow(NamedTuple):
    """One setting of a port's QoS, with its lines."""

    setting: str
    row: Row


class SwitchQos:
    """QoS of the switch; what a profile gives to its ports is worked out once."""

    def __init__(self, root: State, file: str) -> None:
        self._file = file
        self._classes, self._class_lines = _classes(root)
        self._queues, self._queue_lines = _queues_of_classes(root)
        self._profiles = merged(root.states("qos-profile"))
        self._defaults: dict[str, int] = {what: found for (what, found), _ in root.all("default-time")}
        self._action = root.get("default-action", DEFAULT_ACTION)
        buffers = merged(root.states("buffers")).get(root.get("applied"))
        self._buffers = buffers or State()
        self._of_profile: dict[str, tuple[PortRow, ...]] = {}

    def switch(self, root: State, reader: Reader) -> None:
        """Rows of the switch."""
        if "headroom-pool" in root.one:
            reader.put("switch", "", "headroom-pool", *root.one["headroom-pool"])
        if "alpha" in self._buffers.one:
            reader.put("switch", "", "alpha", *self._buffers.one["alpha"])
        for (what, found), line in root.all("default-time"):
            reader.needed(f"PFC watchdog of the switch: {what} {found} ms", line)
        if "default-action" in root.one:
            reader.needed(f"PFC watchdog of the switch: action {self._action}", root.line("default-action"))
        lines = [
            queue.line("count")
            for row in self._profiles.values()
            for queue in row.states("queue")
            if queue.get("count")
        ]
        if lines or root.get("ecn-counters"):
            reader.put("switch", "", "ecn-counters", True, lines[0] if lines else root.line("ecn-counters"))

    def port(self, own: State) -> tuple[PortRow, ...]:
        """Rows of a port: what it says itself wins over its profile."""
        name, line = own.one.get("service-profile", ("", own.number))
        if OF_PORT.isdisjoint(own.one) and OF_PORT.isdisjoint(own.many):
            if not name:
                return ()
            if name not in self._of_profile:
                self._of_profile[name] = tuple(self._rows(self._profiles.get(name, State(number=line))))
            return self._of_profile[name]
        profile = self._profiles.get(name, State(number=own.number))
        both = State(name, own.number, {**profile.one, **own.one}, {})
        for key in ("pfc", "queue"):
            both.many[key] = [*profile.many.get(key, []), *own.many.get(key, [])]
        return tuple(self._rows(both))

    def _row(self, setting: str, value: Value, line: int, parts: Mapping[Part, int] | None = None) -> PortRow:
        return PortRow(setting, Row(value, self._file, line, parts))

    def _rows(self, state: State) -> list[PortRow]:
        rows: list[PortRow] = []
        queues = merged([State(row.value, row.number, dict(row.one), {}) for row in state.states("queue")])
        if state.get("trust") == "dscp":
            line = next(iter(self._class_lines.values()), state.line("trust"))
            rows.append(self._row("dscp-classes", self._classes, line, self._class_lines))
            used = sorted(set(self._classes))
            rows.append(self._class_queues(used, state.number))
            rows.append(self._weights({*queues, *(self._queues[one] for one in used)}, queues, state.number))
        elif queues:
            rows.append(self._weights({*queues}, queues, state.number))
        return rows + self._marks(queues) + self._pfc(state)

    def _class_queues(self, used: list[int], line: int) -> PortRow:
        pairs = tuple(number for one in used for number in (one, self._queues[one]))
        lines = self._queue_lines
        parts: dict[Part, int] = {2 * at + 1: lines[one] for at, one in enumerate(used) if one in lines}
        return self._row("class-queues", pairs, next(iter(lines.values()), line), parts)

    def _weights(self, shown: set[int], queues: dict[int, State], line: int) -> PortRow:
        """Queues that something is sent by, and those that are told something."""
        found: list[int] = []
        parts: dict[Part, int] = {}
        for number in sorted(shown):
            queue = queues.get(number, State(number=line))
            strict = queue.get("strict", True)
            at = len(found)
            parts |= {at: queue.number, at + 1: queue.line("strict" if strict else "share"), at + 2: queue.line("cap")}
            found += [number, 0 if strict else queue.get("share", -1), queue.get("cap", 0)]
        return self._row("queues", tuple(found), min((one.number for one in queues.values()), default=line), parts)

    def _marks(self, queues: dict[int, State]) -> list[PortRow]:
        marks = [(number, queue) for number, queue in sorted(queues.items()) if "ecn" in queue.one]
        if not marks:
            return []
        value = tuple(number for at, queue in marks for number in (at, *queue.get("ecn")))
        parts: dict[Part, int] = {
            4 * at + part: queue.line("ecn") for at, (_, queue) in enumerate(marks) for part in range(4)
        }
        return [self._row("ecn", value, marks[0][1].line("ecn"), parts)]

    def _pfc(self, state: State) -> list[PortRow]:
        pfc: list[Said] = state.all("pfc")
        if not state.get("pfc-on") or not pfc:
            return []
        rows = [self._row("pfc", tuple(sorted({number for number, _ in pfc})), pfc[0][1])]
        if state.get("watchdog"):
            times = state.get("times") or tuple(
                self._defaults.get(what, -1) for what in ("timeout", "recovery-time", "polling-interval")
            )
            line = state.line("times" if "times" in state.one else "watchdog")
            rows.append(self._row("watchdog", times, line))
            rows.append(self._row("watchdog-action", state.get("action", self._action), state.line("action")))
        if self._buffers.get("headroom"):
            rows.append(self._row("headroom", self._buffers.get("headroom"), self._buffers.line("headroom")))
        return rows


def _classes(root: State) -> tuple[tuple[int, ...], dict[Part, int]]:
    """The class of each DSCP, and the line of each that has one."""
    found, lines = list(DEFAULT_CLASSES), dict[Part, int]()
    for (dscps, number), line in root.all("dscp"):
        for dscp in dscps:
            if dscp < len(found):
                found[dscp], lines[dscp] = number, line
    return tuple(found), lines


def _queues_of_classes(root: State) -> tuple[dict[int, int], dict[int, int]]:
    found, lines = {number: number for number in QUEUES}, dict[int, int]()
    for (classes, queue), line in root.all("class-queue"):
        found.update(dict.fromkeys(classes, queue))
        lines.update(dict.fromkeys(classes, line))
    return found, lines
