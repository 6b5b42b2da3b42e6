"""Queue counters of one switch: a queue that should mark and cannot, drops where none may occur.

Pause frames are not judged: a port that pauses does what it is configured to. Nor are drops of other classes, which may
drop.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fabricgen.base.text import counted, listed
from fabricgen.state.state import MARKS, QUEUE_DROPS, PortCounters
from fabricgen.verify.expect.model import ExpectedQueues
from fabricgen.verify.judge.ledger import Ledger, ports_subject


class Dropped(NamedTuple):
    """Packets of a lossless class that a port dropped."""

    packets: int
    port: str


def judge_counters(
    ledger: Ledger, expected: Iterable[ExpectedQueues], state: Iterable[PortCounters], unread: Mapping[str, str]
) -> None:
    """Judge marks and drops of each planned queue. Ports with the same fault are one finding.

    unread  State.unread: why marks or drops were not read
    """
    by_port = {queues.port: queues for queues in state}
    rows = [(queues, by_port.get(queues.port, PortCounters(queues.port, -1, -1, (), ()))) for queues in expected]
    for part, judge in ((MARKS, _marks), (QUEUE_DROPS, _drops)):
        if part in unread:
            ledger.skip("qos", unread[part])
        else:
            judge(ledger, rows)


Rows = Iterable[tuple[ExpectedQueues, PortCounters]]


def _marks(ledger: Ledger, rows: Rows) -> None:
    """Judge ECN marking: a number, even 0, is the counter of a queue that marks; no counter shows the thresholds."""
    not_marking: dict[int, list[str]] = {}
    uncounted: dict[str, None] = {}
    for queues, port in rows:
        marked = dict(port.ecn_marked)
        for queue in queues.marking:
            if queue not in marked:
                uncounted[queues.port] = None
            elif marked[queue] is None:
                not_marking.setdefault(queue, []).append(queues.port)
            else:
                ledger.right("qos")
    for queue, ports in sorted(not_marking.items()):
        _off(ledger, queue, ports)
    _skip_counter(ledger, "marks", uncounted)


def _drops(ledger: Ledger, rows: Rows) -> None:
    lost: dict[int, list[Dropped]] = {}
    uncounted: dict[str, None] = {}
    mixed: dict[str, None] = {}
    for queues, port in rows:
        for number in queues.lossless:
            counts = [row for row in port.dropped if number in row.classes]
            lossless_packets = sum(row.packets for row in counts if set(row.classes) <= set(queues.lossless))
            if lossless_packets > 0:
                lost.setdefault(number, []).append(Dropped(lossless_packets, queues.port))
            elif not counts:
                uncounted[queues.port] = None
            elif any(row.packets > 0 for row in counts):
                mixed[queues.port] = None
            else:
                ledger.right("qos")
    for number, ports in sorted(lost.items()):
        _lost(ledger, number, sorted(ports, key=lambda each: (-each.packets, each.port)))
    _skip_counter(ledger, "drops of the lossless class", uncounted)
    if mixed:
        where = f"{counted(len(mixed), 'port')}: {listed(mixed)}"
        ledger.skip(
            "qos",
            f"cannot tell whether drops are of the lossless class: the counter includes other classes, and is "
            f"not 0 on {where}",
        )


def _skip_counter(ledger: Ledger, counter: str, ports: Iterable[str]) -> None:
    names = list(ports)
    if names:
        ledger.skip(
            "qos", f"the switch shows no counter of {counter} on {counted(len(names), 'port')}: {listed(names)}"
        )


def _off(ledger: Ledger, queue: int, ports: list[str]) -> None:
    ledger.add(
        code="qos-ecn-off",
        subject=ports_subject(ports),
        port=ports[0] if len(ports) == 1 else "",
        problem="has no ECN marking or no counter of it",
        expected=f"ECN on queue {queue}, with its counter",
        actual=f"queue {queue} lacks one of them or both",
    )


def _lost(ledger: Ledger, number: int, ports: list[Dropped]) -> None:
    """The finding for drops of a lossless class. Counters include those of faults that are fixed by now."""
    names = [drop.port for drop in ports]
    first_text = counted(ports[0].packets, "packet")
    actual = first_text if len(ports) == 1 else listed(f"{drop.packets} on {drop.port}" for drop in ports)
    ledger.add(
        code="qos-lossless-drops",
        subject=ports_subject(names),
        port=names[0] if len(names) == 1 else "",
        problem=f"dropped packets of lossless class {number} since its counters were cleared",
        expected="no drops",
        actual=actual,
    )
