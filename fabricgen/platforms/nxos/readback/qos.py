"""Quality of service of NX-OS.

Sources: quality of service guide: a policy of type qos puts classes into groups, the first class that matches wins, and
what none matches is in class-default; a class of type network-qos (c-8q-nqN, c-nqN) is group N, and so is one of type
queuing (c-out-8q-qN, c-out-qN); `pause pfc-cos` is the priority that a group pauses by. What `system qos` names holds
for every port without its own. PFC's watchdog runs where the switch and the port both say `on`, with times of the
system; `disable-action` only reports (terraform-provider-nxos: disableAction). A kbyte is taken for 1000 octets
[unsure].
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.readback.forms import Forms, Reader, State, add, idle, merged, opens, put
from fabricgen.readback.policy import Lines, each_line
from fabricgen.readback.rows import Part, Row, Value
from fabricgen.readback.words import numbers

DSCPS = 64
UNITS = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
RATES = {"kbps": 0.001, "mbps": 1, "gbps": 1000}
OWN_TIMES = (-1, -1, -1)
JUMBO = 9216
_GROUP = re.compile(r"c-(?:8q-nq|nq|out-8q-q|out-q)(\d|-default)")


def group(name: str) -> int | None:
    """The group of a class by its name."""
    match = _GROUP.fullmatch(name)
    return None if match is None else 0 if match[1] == "-default" else int(match[1])


def _dscps(text: str) -> tuple[int, ...] | None:
    return numbers(text)


def _rate(least: int, _unit: str, most: int, unit: str) -> int | None:
    """Mb/s at most; a class with a share that is guaranteed is another thing."""
    return None if least else round(most * RATES[unit])


def _ecn(low: int, low_unit: str, high: int, high_unit: str, percent: int) -> tuple[int, int, int]:
    return low * UNITS[low_unit], high * UNITS[high_unit], percent


UNIT = "(bytes|kbytes|mbytes)"
RATE = "(kbps|mbps|gbps)"
MARKS = Forms({"set qos-group ([0-7])": put("group", by=int)})
NETWORK = Forms({"mtu <n>": put("mtu"), "pause pfc-cos ([0-7])": put("pause", by=int)})
QUEUE = Forms(
    {
        "priority level ([1-8])": put("level", by=int),
        "priority": put("level", 1),
        "bandwidth remaining percent <n>": put("share"),
        rf"shape min <n> {RATE} max <n> {RATE}": put("rate", by=_rate),
        rf"random-detect minimum-threshold <n> {UNIT} maximum-threshold <n> {UNIT}"
        r" drop-probability <n> weight 0 ecn": put("ecn", by=_ecn),
    },
    keep=True,
)
SYSTEM = Forms(
    {
        "service-policy type network-qos <w>": put("network"),
        "service-policy type qos input <w>": put("input"),
        "service-policy type queuing output <w>": put("output"),
    }
)
PORT = {
    "service-policy type qos input <w>": put("input"),
    "service-policy type queuing output <w>": put("output"),
    "priority-flow-control mode (on|off|auto)": put("pfc-mode"),
    "priority-flow-control watch-dog-interval on( disable-action)?": put("watchdog", by=lambda word: word or "drop"),
    "priority-flow-control watch-dog-interval off": put("watchdog", ""),
}
"""Forms of a port."""
OF_PORT = frozenset({"input", "output", "pfc-mode", "watchdog"})
ROOT = {
    "class-map type qos (?:match-any |match-all )?<w>": opens(
        "class-map", Forms({r"match dscp ([\d,-]+)": add("dscp", by=_dscps)})
    ),
    "policy-map type qos <w>": opens("marks", Forms({"class (?:type qos )?<w>": opens("class", MARKS)})),
    "policy-map type network-qos <w>": opens("network", Forms({"class type network-qos <w>": opens("class", NETWORK)})),
    "policy-map type queuing <w>": opens("queuing", Forms({"class type queuing <w>": opens("class", QUEUE)})),
    "system qos": opens("system-qos", SYSTEM),
    "priority-flow-control watch-dog-interval on": put("watchdog", True),
    "priority-flow-control watch-dog-interval off": put("watchdog", False),
    "class-map type (?:network-qos|queuing) .*": idle("a class of the system"),
}
"""Forms of the top level."""


class PortRow(NamedTuple):
    """One setting of a port's QoS, with its lines."""

    setting: str
    row: Row


class SwitchQos:
    """QoS of the switch; what policies give to ports of one speed is worked out once."""

    def __init__(self, root: State, reader: Reader) -> None:
        self._classes = merged(root.states("class-map"))
        self._marks = merged(root.states("marks"))
        self._queuing = merged(root.states("queuing"))
        self._system = merged([State(None, row.number, row.one, row.many) for row in root.states("system-qos")]).get(
            None, State()
        )
        networks = merged(root.states("network"))
        self._network = networks.get(self._system.get("network"), State())
        self._runs_watchdog = root.get("watchdog", False)
        self._off = 0 if self._runs_watchdog or "watchdog" not in root.one else root.line("watchdog")
        self._reader = reader
        self._known: dict[tuple[str, ...], tuple[PortRow, ...]] = {}

    def switch(self) -> None:
        """Lines of the switch that a lossless class needs."""
        self._groups()
        self._levels()

    def _groups(self) -> None:
        for state in self._network.states("class"):
            number = group(state.value)
            if number is None:
                self._reader.unread_line(state.number)
                continue
            if state.get("mtu") == JUMBO:
                self._reader.needed(f"group {number}: jumbo frames", state.line("mtu"))
            elif "mtu" in state.one:
                self._reader.needed(f"group {number}: frames of {state.get('mtu')}", state.line("mtu"))
            if "pause" in state.one:
                self._reader.needed(f"group {number}: paused by priority {state.get('pause')}", state.line("pause"))

    def _levels(self) -> None:
        for name, policy in self._queuing.items():
            for state in policy.states("class"):
                number = group(state.value)
                if number is None:
                    self._reader.unread_line(state.number)
                elif "level" in state.one:
                    text = f"{name}: queue {number} at priority level {state.get('level')}"
                    self._reader.needed(text, state.line("level"))

    def port(self, own: State, gbps: int) -> tuple[PortRow, ...]:
        """Rows of a port."""
        input_name = own.get("input") or self._system.get("input", "")
        output_name = own.get("output") or self._system.get("output", "")
        mode, action = own.get("pfc-mode", "auto"), own.get("watchdog", "")
        key = (input_name, output_name, mode, action, str(gbps))
        if key not in self._known:
            rows = [*self._input(input_name), *self._output(output_name, gbps)]
            self._known[key] = tuple(rows)
        rows_of_port = self._known[key]
        return rows_of_port + tuple(self._pfc(own)) if mode == "on" else rows_of_port

    def _row(self, setting: str, value: Value, line: int, parts: Mapping[Part, Lines] | None = None) -> PortRow:
        return PortRow(setting, Row(value, self._reader.file, line, parts))

    def _input(self, name: str) -> list[PortRow]:
        policy = self._marks.get(name)
        if policy is None:
            return []
        groups: dict[int, int] = {}
        lines: dict[Part, Lines] = {}
        set_on: dict[int, int] = {}
        for state in policy.states("class"):
            set_on.setdefault(state.get("group", 0), state.line("group"))
            if state.value == "class-default":
                continue
            for dscps, line in self._classes.get(state.value, State()).all("dscp"):
                for dscp in dscps:
                    groups.setdefault(dscp, state.get("group", 0))
                    lines.setdefault(dscp, (line, state.line("group")))
        default = next((one.get("group", 0) for one in policy.states("class") if one.value == "class-default"), 0)
        value = tuple(groups.get(dscp, default) for dscp in range(DSCPS))
        used = sorted(set(value))
        pairs = tuple(number for one in used for number in (one, one))
        parts: dict[Part, Lines] = {at: set_on[used[at // 2]] for at in range(len(pairs)) if used[at // 2] in set_on}
        first = next(iter(lines.values()), policy.number)
        return [
            self._row("dscp-classes", value, each_line(first)[0], lines),
            self._row("class-queues", pairs, policy.number, parts),
        ]

    def _output(self, name: str, gbps: int) -> list[PortRow]:
        policy = self._queuing.get(name)
        if policy is None:
            return []
        queues = [(number, one) for one in policy.states("class") if (number := group(one.value)) is not None]
        return [*self._weights(policy, sorted(queues, key=_number), gbps), *self._ecn(sorted(queues, key=_number))]

    def _weights(self, policy: State, queues: list[tuple[int, State]], gbps: int) -> list[PortRow]:
        """Queues that get packets: a share of 0 is of one that gets none."""
        found: list[int] = []
        parts: dict[Part, Lines] = {}
        for number, queue in queues:
            strict = "level" in queue.one
            if not strict and queue.get("share", -1) == 0:
                continue
            at = len(found)
            parts |= {at: queue.number, at + 1: queue.line("level" if strict else "share"), at + 2: queue.line("rate")}
            found += [number, 0 if strict else queue.get("share", -1), _percent(queue.get("rate", 0), gbps)]
        return [self._row("queues", tuple(found), policy.number, parts)]

    def _ecn(self, queues: list[tuple[int, State]]) -> list[PortRow]:
        marks = [(number, queue) for number, queue in queues if "ecn" in queue.one]
        if not marks:
            return []
        value = tuple(one for number, queue in marks for one in (number, *queue.get("ecn")))
        parts: dict[Part, Lines] = {
            4 * at + part: queue.line("ecn") for at, (_, queue) in enumerate(marks) for part in range(4)
        }
        return [self._row("ecn", value, marks[0][1].line("ecn"), parts)]

    def _pfc(self, own: State) -> list[PortRow]:
        paused = [state for state in self._network.states("class") if "pause" in state.one]
        if not paused:
            return []
        priorities = tuple(sorted({state.get("pause") for state in paused}))
        rows = [self._row("pfc", priorities, own.line("pfc-mode"))]
        action = own.get("watchdog", "")
        if self._runs_watchdog and action:
            rows.append(self._row("watchdog", OWN_TIMES, own.line("watchdog")))
            said = "drop" if action == "drop" else "notify"
            rows.append(self._row("watchdog-action", said, own.line("watchdog")))
        elif self._off or "watchdog" in own.one:
            rows.append(self._row("watchdog", (), self._off or own.line("watchdog")))
        return rows


def _number(row: tuple[int, State]) -> int:
    return row[0]


def _percent(megabits: int, gbps: int) -> int:
    """A rate as percent of the port; one that is no whole percent, or of a port without a speed, as it is, negative."""
    if not megabits:
        return 0
    whole = gbps * 1000
    return megabits * 100 // whole if whole and megabits * 100 % whole == 0 else -megabits
