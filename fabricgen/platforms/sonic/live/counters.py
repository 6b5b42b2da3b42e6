"""What SONiC's queues and ports have counted, by its scripts `pfcstat`, `queuestat` and `wredstat`.

Source of the forms: their own tests in sonic-utilities 691b1bbc, tests/pfcstat_test.py, queuestat_input/
assert_show_output.py (counters_all_json), wred_queue_counter_test.py (show_queue_counters_json), and the scripts'
`build_json` in both releases; read 2026-11-22. All count since they were cleared.

A queue that marks nothing has a counter of marks all the same, so that 0 says nothing: only more than 0 is told.
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
    """Counters of every port. `unread` is told of marks or drops, where only one of both could not be read.

    config  what runs: it says which classes go into a queue
    """
    answers = CommandOutputs(outputs, {})
    frames = _frames(answers)
    marks, no_marks = _read(answers, MARKED, "ecnmarkedpacket")
    drops, no_drops = _read(answers, QUEUES, "droppacket")
    classes = classes_of(config) if config is not None else {}
    if not classes:
        drops, no_drops = {}, no_drops or "TC_TO_QUEUE_MAP does not say which classes the queues have"
    if no_marks and no_drops:
        raise Misread(f"{no_marks}; {no_drops}")
    unread |= {part: why for part, why in ((MARKS, no_marks), (QUEUE_DROPS, no_drops)) if why}
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


def _frames(answers: CommandOutputs) -> Mapping[str, tuple[int, int]]:
    """Pause frames by port; none where they cannot be read, as nothing is judged by them."""
    try:
        return pauses(answers.text(PFC))
    except Misread:
        return {}


def _read(answers: CommandOutputs, command: str, field: str) -> tuple[ByPort, str]:
    """Packets by port and queue, and why they were not read."""
    try:
        return dict(_queues(answers, command, field)), ""
    except (ValueError, RecursionError) as reason:  # of json and Misread
        return {}, str(reason) or type(reason).__name__


def _queues(answers: CommandOutputs, command: str, field: str) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """Unicast queues: lossless traffic has no others."""
    found = answers.table(command)
    if not found:
        raise Misread(f"`{command}` shows no port")
    for port, queues in objects(found):
        counted = []
        for name, row in objects(queues):
            queue, said = UNICAST.fullmatch(name), word(row, field)
            if queue and said != NOT_COUNTED:
                counted.append((int(queue[1]), whole(said, field)))
        yield port, tuple(sorted(counted))


def pauses(text: str) -> dict[str, tuple[int, int]]:
    """Pause frames received and sent of all priorities, by port. Raises Misread."""
    found: dict[str, list[int]] = {}
    way = -1
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["Port"] and len(words) > 1:
            way = HEADERS.get(words[1], -1)
        elif words and way >= 0 and not words[0].startswith("-"):
            # Sum of the priorities that are counted; -1 where none is.
            counted = [whole(said, PFC) for said in words[1:] if said != NOT_COUNTED]
            found.setdefault(words[0], [-1, -1])[way] = sum(counted) if counted else -1
    if not found:
        raise Misread(f"`{PFC}` shows no port")
    return {port: (both[0], both[1]) for port, both in found.items()}


def whole(said: str, what: str) -> int:
    """A number as SONiC's scripts print it: 1,200. Raises Misread."""
    if not NUMBER.fullmatch(said):
        raise Misread(f"{what}: {said[:20]!r} where a number was expected")
    return int(said.replace(",", ""))


def classes_of(config: Tables) -> dict[int, tuple[int, ...]]:
    """Queue → classes that go into it. Empty where there is no map, or maps of several kinds."""
    maps = list(config.get("TC_TO_QUEUE_MAP", {}).values())
    if len(maps) != 1:
        return {}
    found: dict[int, set[int]] = {}
    for traffic_class, queue in maps[0].items():
        if not (traffic_class.isdecimal() and isinstance(queue, str) and queue.isdecimal()):
            return {}
        found.setdefault(int(queue), set()).add(int(traffic_class))
    return {queue: tuple(sorted(classes)) for queue, classes in found.items()}
