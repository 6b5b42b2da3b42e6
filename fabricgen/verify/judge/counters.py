"""What the queues of one switch counted: a queue that is to mark and cannot, drops where there may be none.

Pause frames are not judged: a port that pauses does as it was told. Nor are drops of other classes, which may drop.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fabricgen.state.state import MARKS, QUEUE_DROPS, PortCounters
from fabricgen.verify.expect.model import ExpectedQueues
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.ledger import Ledger, counted, listed


class Dropped(NamedTuple):
    """A port that lost packets of a lossless class."""

    packets: int
    port: str


def judge_counters(
    book: Ledger, expected: Iterable[ExpectedQueues], state: Iterable[PortCounters], unread: Mapping[str, str]
) -> None:
    """Marks and drops of each planned queue. Ports with the same fault are one finding.

    unread  State.unread: says of marks and of drops why they were not read, where the others were
    """
    found = {one.port: one for one in state}
    rows = [(one, found.get(one.port, PortCounters(one.port, -1, -1, (), ()))) for one in expected]
    for part, judge in ((MARKS, _marks), (QUEUE_DROPS, _drops)):
        if part in unread:
            book.skip("qos", unread[part])
        else:
            judge(book, rows)


Rows = Iterable[tuple[ExpectedQueues, PortCounters]]


def _marks(book: Ledger, rows: Rows) -> None:
    """A number, be it 0, is the counter of a queue that marks; at which thresholds, no counter tells."""
    off: dict[int, list[str]] = {}
    unsaid: dict[str, None] = {}
    for one, port in rows:
        marked = dict(port.ecn_marked)
        for queue in one.marking:
            if queue not in marked:
                unsaid[one.port] = None
            elif marked[queue] is None:
                off.setdefault(queue, []).append(one.port)
            else:
                book.right("qos")
    for queue, ports in sorted(off.items()):
        book.wrong(_off(book, queue, ports))
    _unsaid(book, "marks", unsaid)


def _drops(book: Ledger, rows: Rows) -> None:
    lost: dict[int, list[Dropped]] = {}
    unsaid: dict[str, None] = {}
    mixed: dict[str, None] = {}
    for one, port in rows:
        for number in one.lossless:
            counts = [row for row in port.dropped if number in row.classes]
            own = sum(row.packets for row in counts if set(row.classes) <= set(one.lossless))
            if own > 0:
                lost.setdefault(number, []).append(Dropped(own, one.port))
            elif not counts:
                unsaid[one.port] = None
            elif any(row.packets > 0 for row in counts):
                mixed[one.port] = None
            else:
                book.right("qos")
    for number, ports in sorted(lost.items()):
        book.wrong(_lost(book, number, sorted(ports, key=lambda each: (-each.packets, each.port))))
    _unsaid(book, "drops of the lossless class", unsaid)
    if mixed:
        where = f"{counted(len(mixed), 'port')}: {listed(mixed)}"
        book.skip(
            "qos", f"drops of the lossless class are counted together with others', and there are some, on {where}"
        )


def _unsaid(book: Ledger, what: str, ports: Iterable[str]) -> None:
    names = list(ports)
    if names:
        book.skip("qos", f"the switch shows no counter of {what} on {counted(len(names), 'port')}: {listed(names)}")


def _off(book: Ledger, queue: int, ports: list[str]) -> Finding:
    return Finding(
        device=book.device,
        check="qos",
        code="qos-ecn-off",
        subject=_subject(ports),
        port=ports[0] if len(ports) == 1 else "",
        problem="marks nothing that it counts: not configured",
        expected=f"ECN on queue {queue}, with its counter",
        actual=f"queue {queue} has none of both, or one",
    )


def _lost(book: Ledger, number: int, ports: list[Dropped]) -> Finding:
    """Counters tell of all that was since they were cleared, so that a fault that is mended shows on."""
    names = [each.port for each in ports]
    one = counted(ports[0].packets, "packet")
    told = one if len(ports) == 1 else listed(f"{each.packets} on {each.port}" for each in ports)
    return Finding(
        device=book.device,
        check="qos",
        code="qos-lossless-drops",
        subject=_subject(names),
        port=names[0] if len(names) == 1 else "",
        problem=f"dropped packets of lossless class {number} since its counters were cleared",
        expected="no drops",
        actual=told,
    )


def _subject(ports: list[str]) -> str:
    return f"port {ports[0]}" if len(ports) == 1 else f"{len(ports)} ports ({listed(ports)})"
