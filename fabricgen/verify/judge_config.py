"""Settings of one switch that can be read back: lossless queues, and the whole configuration against the artifact."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from fabricgen.drivers.reader import Drift
from fabricgen.state.state import EcnState, PortQos, Pushed
from fabricgen.verify.expected import ExpectedQos, ExpectedSession
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge_sessions import SPEAKER
from fabricgen.verify.judge_words import LISTED, Ledger, counted, listed
from fabricgen.verify.scope import Scope

SECTIONS = 12
"""Sections that lack lines are told one by one up to here."""

Drifts = Callable[[str, str], Iterable[Drift]]
"""(wanted artifact, running configuration) → lines that differ."""


class Fault(NamedTuple):
    """What is wrong with the settings of a port, in the words of a Finding."""

    code: str
    problem: str
    expected: str
    actual: str


UNPLANNED = Fault(code="qos-unexpected", problem="is lossless and not planned so", expected="no PFC", actual="PFC on")


def judge_qos(book: Ledger, expected: Iterable[ExpectedQos], state: Iterable[PortQos]) -> None:
    """Each lossless port, and ports that are lossless against the plan. Ports with the same fault are one finding."""
    found = {one.port: one for one in state}
    wrong: dict[Fault, list[str]] = {}
    unsaid: dict[str, list[str]] = {}
    for one in expected:
        port = found.pop(one.port, PortQos(one.port, None, None, None, None))
        faults = [*_pfc(one, port), *_watchdog(one, port), *_ecn(one, port)]
        for fault in faults:
            wrong.setdefault(fault, []).append(one.port)
        silent = [name for name, value in _parts(port) if value is None]
        for name in silent:
            unsaid.setdefault(name, []).append(one.port)
        book.right("qos", len(_parts(port)) - len(silent) - len(faults))
    for name, extra in sorted(found.items()):
        if extra.pfc:
            wrong.setdefault(UNPLANNED, []).append(name)
    for fault, ports in wrong.items():
        book.wrong(_finding(book, fault, ports))
    for name, ports in unsaid.items():
        book.skip("qos", f"the platform does not say {name} of {counted(len(ports), 'port')}: {listed(ports)}")


def _parts(port: PortQos) -> tuple[tuple[str, object], ...]:
    return ("PFC", port.pfc_priorities), ("the watchdog", port.watchdog), ("ECN", port.ecn)


def _pfc(one: ExpectedQos, port: PortQos) -> Iterator[Fault]:
    wanted = listed(map(str, one.pfc_priorities))
    if port.pfc is False and one.pfc_priorities:
        yield Fault(code="qos-pfc-off", problem="does not pause", expected=f"PFC on {wanted}", actual="PFC off")
    elif port.pfc_priorities is not None and port.pfc_priorities != one.pfc_priorities:
        has = listed(map(str, port.pfc_priorities))
        yield Fault(code="qos-pfc", problem="pauses other priorities", expected=wanted, actual=has)


def _watchdog(one: ExpectedQos, port: PortQos) -> Iterator[Fault]:
    if port.watchdog is not None and port.watchdog != one.watchdog:
        words = {True: "on", False: "off"}
        wanted, has = words[one.watchdog], words[port.watchdog]
        yield Fault(code="qos-watchdog", problem="has another PFC watchdog", expected=wanted, actual=has)


def _ecn(one: ExpectedQos, port: PortQos) -> Iterator[Fault]:
    if port.ecn is not None and tuple(sorted(port.ecn)) != one.ecn:
        wanted, has = _thresholds(one.ecn), _thresholds(port.ecn)
        yield Fault(code="qos-ecn", problem="marks at other thresholds", expected=wanted, actual=has)


def _thresholds(found: Iterable[EcnState]) -> str:
    texts = (
        f"queue {one.queue} {one.minimum_octets} to {one.maximum_octets} octets at {one.probability_percent} %"
        for one in sorted(found)
    )
    return listed(texts, "no marking")


def _finding(book: Ledger, fault: Fault, ports: list[str]) -> Finding:
    subject = f"port {ports[0]}" if len(ports) == 1 else f"{len(ports)} ports ({listed(ports)})"
    port = ports[0] if len(ports) == 1 else ""
    return Finding(device=book.device, check="qos", subject=subject, port=port, **fault._asdict())


def judge_drift(
    book: Ledger,
    wanted: str,
    running: str,
    drifts: Drifts,
    pushed: Pushed | None = None,
    sessions: Iterable[ExpectedSession] = (),
) -> None:
    """Lines of the artifact that do not run, and lines that run and are not in it: one finding a section and way.

    Those that somebody typed since a push committed there are findings of their own.
    A daemon that is dead takes all of its configuration with it, and a box without its own has nothing: where many
    sections lack lines, that is one finding.
    """
    found: dict[tuple[tuple[str, ...], bool], list[Drift]] = {}
    typed: dict[tuple[tuple[str, ...], bool], list[Drift]] = {}
    by_hand = _by_hand(running, drifts, pushed)
    for drift in drifts(wanted, running):
        kind = typed if _place(drift) in by_hand else found
        kind.setdefault((drift.section, drift.present), []).append(drift)
    if not found and not typed:
        book.right("drift")
        return
    scope = Scope((wanted, running), sessions)
    for (section, present), held in typed.items():
        finding = _typed(book.device, section, [one.line for one in held], pushed, present=present)
        book.wrong(finding._replace(about=scope.about(held)))
    lacking = [section for section, present in found if not present]
    if len(lacking) > SECTIONS or (lacking and (SPEAKER in book.causes or "drift" in book.causes)):
        book.wrong(_much(book, lacking, sum(len(found.pop((section, False))) for section in lacking)))
    for (section, present), held in found.items():
        subject, lines = " / ".join(section) or "configuration", [one.line for one in held]
        make = partial(Finding, device=book.device, check="drift", subject=subject, about=scope.about(held))
        text, none = _lines(lines), "no such line"
        if present:
            book.wrong(make(code="drift-extra", problem="has what is not rendered", expected=none, actual=text))
        else:
            kept = tuple(lines[:LISTED])
            problem = "lacks what is rendered"
            book.wrong(make(code="drift-missing", problem=problem, expected=text, actual=none, lines=kept))


Place = tuple[tuple[str, ...], str, bool]
"""Section, line and way, whatever stands between words."""


def _place(drift: Drift) -> Place:
    return tuple(" ".join(one.split()) for one in drift.section), " ".join(drift.line.split()), drift.present


def _by_hand(running: str, drifts: Drifts, pushed: Pushed | None) -> frozenset[Place]:
    """What differs from what a push had committed last."""
    if pushed is None or pushed.text == running:
        return frozenset()
    return frozenset(map(_place, drifts(pushed.text, running)))


def _typed(device: str, section: tuple[str, ...], lines: list[str], pushed: Pushed | None, *, present: bool) -> Finding:
    since = f"since run {pushed.run} of {pushed.at}" if pushed is not None else "since the last push"
    text, none = _lines(lines), "no such line"
    return Finding(
        device=device,
        check="drift",
        code="line-by-hand",
        subject=" / ".join(section) or "configuration",
        problem=f"was changed by hand {since}",
        expected=none if present else text,
        actual=text if present else none,
        lines=tuple(lines[:LISTED]),
    )


def _much(book: Ledger, sections: list[tuple[str, ...]], lines: int) -> Finding:
    return Finding(
        device=book.device,
        check="drift",
        code="drift-missing",
        subject="configuration",
        problem=f"lacks {counted(lines, 'line')} in {counted(len(sections), 'section')}",
        expected=listed(" / ".join(section) or "top level" for section in sections),
        actual="no such lines",
        explained=book.causes.get("drift", "") or book.causes.get(SPEAKER, ""),
    )


def _lines(lines: list[str]) -> str:
    more = f" and {len(lines) - LISTED} more" if len(lines) > LISTED else ""
    return "; ".join(line.strip() for line in lines[:LISTED]) + more
