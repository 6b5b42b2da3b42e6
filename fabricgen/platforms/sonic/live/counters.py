"""Counters of queues and ports, from SONiC's scripts `pfcstat`, `queuestat` and `wredstat`.

Source of the forms: their own tests in sonic-utilities 691b1bbc, tests/pfcstat_test.py,
queuestat_input/assert_show_output.py (counters_all_json), wred_queue_counter_test.py (show_queue_counters_json), and
the scripts' `build_json` in both releases; read 2026-11-22. All count since they were cleared.

A queue that never marks has a counter of marks too, so 0 has no meaning: only counts above 0 are reported.
"""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.live.reader import Outputs
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, objects, word
from fabricgen.platforms.sonic.live.values import Tables
from fabricgen.state.state import MARKS, QUEUE_DROPS, Drops, PortCounters

PFC = "pfcstat"
QUEUES = "queuestat -j"
MARKED = "wredstat -j"

UNICAST = re.compile(r"UC(\d{1,2})", re.ASCII)
NUMBER = re.compile(r"\d[\d,]{0,26}", re.ASCII)
NOT_COUNTED = "N/A"
HEADERS = {"Rx": 0, "Tx": 1}

ByPort = Mapping[str, tuple[tuple[int, int], ...]]
"""Port → (queue, packets)."""


def counters(outputs: Outputs, config: Tables | None, unread: dict[str, str]) -> tuple[PortCounters, ...]:
    """Return the counters of every port. If either marks or drops could not be read, `unread` gets the reason.

    config  running tables, which map classes to queues
    """
    command_outputs = CommandOutputs(outputs, {})
    frames = _frames(command_outputs)
    marks, no_marks = _read(command_outputs, MARKED, "ecnmarkedpacket")
    drops, no_drops = _read(command_outputs, QUEUES, "droppacket")
    classes = classes_of(config) if config is not None else {}
    if not classes:
        drops, no_drops = {}, no_drops or "TC_TO_QUEUE_MAP does not say which classes the queues have"
    if no_marks and no_drops:
        raise Misread(f"{no_marks}; {no_drops}")
    unread |= {part: reason for part, reason in ((MARKS, no_marks), (QUEUE_DROPS, no_drops)) if reason}
    names = sorted({*frames, *marks, *drops})
    return tuple(
        PortCounters(
            port=name,
            pfc_received=frames.get(name, (-1, -1))[0],
            pfc_sent=frames.get(name, (-1, -1))[1],
            ecn_marked=tuple((queue, packets) for queue, packets in marks.get(name, ()) if packets),
            dropped=tuple(Drops(classes[queue], packets) for queue, packets in drops.get(name, ()) if queue in classes),
        )
        for name in names
    )


def _frames(command_outputs: CommandOutputs) -> Mapping[str, tuple[int, int]]:
    """Return pause frames by port; {} if they cannot be read, since no verdict depends on them."""
    try:
        return pauses(command_outputs.text(PFC))
    except Misread:
        return {}


def _read(command_outputs: CommandOutputs, command: str, field: str) -> tuple[ByPort, str]:
    """Return packets by port and queue, and the reason if they could not be read."""
    try:
        return dict(_queues(command_outputs, command, field)), ""
    except (ValueError, RecursionError) as error:  # of json and Misread
        return {}, str(error) or type(error).__name__


def _queues(
    command_outputs: CommandOutputs, command: str, field: str
) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """Yield counts of unicast queues; lossless traffic uses no others."""
    table = command_outputs.table(command)
    if not table:
        raise Misread(f"`{command}` shows no port")
    for port, queues in objects(table):
        counts = []
        for name, row in objects(queues):
            match, text = UNICAST.fullmatch(name), word(row, field)
            if match and text != NOT_COUNTED:
                counts.append((int(match[1]), whole(text, field)))
        yield port, tuple(sorted(counts))


def pauses(text: str) -> dict[str, tuple[int, int]]:
    """Return pause frames received and sent, summed over priorities, by port. Raises Misread."""
    frames: dict[str, list[int]] = {}
    direction = -1
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["Port"] and len(words) > 1:
            direction = HEADERS.get(words[1], -1)
        elif words and direction >= 0 and not words[0].startswith("-"):
            # Sum over the priorities that are counted; -1 if none is.
            counts = [whole(word, PFC) for word in words[1:] if word != NOT_COUNTED]
            frames.setdefault(words[0], [-1, -1])[direction] = sum(counts) if counts else -1
    if not frames:
        raise Misread(f"`{PFC}` shows no port")
    return {port: (pair[0], pair[1]) for port, pair in frames.items()}


def whole(text: str, subject: str) -> int:
    """Return a number as SONiC's scripts print it: 1,200. Raises Misread."""
    if not NUMBER.fullmatch(text):
        raise Misread(f"{subject}: {text[:20]!r} where a number was expected")
    return int(text.replace(",", ""))


def classes_of(config: Tables) -> dict[int, tuple[int, ...]]:
    """Return queue → traffic classes in it. Empty if there is no map, or several different maps."""
    maps = list(config.get("TC_TO_QUEUE_MAP", {}).values())
    if len(maps) != 1:
        return {}
    classes_by_queue: dict[int, set[int]] = {}
    for traffic_class, queue in maps[0].items():
        if not (traffic_class.isdecimal() and isinstance(queue, str) and queue.isdecimal()):
            return {}
        classes_by_queue.setdefault(int(queue), set()).add(int(traffic_class))
    return {queue: tuple(sorted(classes)) for queue, classes in classes_by_queue.items()}
