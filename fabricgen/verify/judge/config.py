"""Settings of one switch that can be read back: lossless queues, and the whole configuration against the artifact."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.state.state import EcnState, PortQos, Pushed
from fabricgen.verify.expect.model import ExpectedQos, ExpectedSession
from fabricgen.verify.finding import NO_LINE, Finding
from fabricgen.verify.judge.ledger import LISTED, Ledger, counted, listed
from fabricgen.verify.judge.scope import ConfigScope
from fabricgen.verify.judge.sessions import SPEAKER

SECTIONS = 12
"""Sections that lack lines are told one by one up to here."""

Drifts = Callable[[str, str], Iterable[Drift]]
"""(wanted artifact, running configuration) → lines that differ."""
Place = tuple[tuple[str, ...], str, bool]
"""Section, line and way, whatever stands between words."""


class SettingFault(NamedTuple):
    """What is wrong with the settings of a port, in the words of a Finding."""

    code: str
    problem: str
    expected: str
    actual: str


UNPLANNED = SettingFault(
    code="qos-unexpected", problem="is lossless and not planned so", expected="no PFC", actual="PFC on"
)


def judge_qos(book: Ledger, expected: Iterable[ExpectedQos], state: Iterable[PortQos]) -> None:
    """Each lossless port, and ports that are lossless against the plan. Ports with the same fault are one finding."""
    found = {one.port: one for one in state}
    wrong: dict[SettingFault, list[str]] = {}
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
        book.skip("qos", f"the platform does not show {name} of {counted(len(ports), 'port')}: {listed(ports)}")


def _parts(port: PortQos) -> tuple[tuple[str, object], ...]:
    return ("PFC", port.pfc_priorities), ("the watchdog", port.watchdog), ("ECN", port.ecn)


def _pfc(one: ExpectedQos, port: PortQos) -> Iterator[SettingFault]:
    wanted = listed(map(str, one.pfc_priorities))
    if port.pfc is False and one.pfc_priorities:
        yield SettingFault(code="qos-pfc-off", problem="does not pause", expected=f"PFC on {wanted}", actual="PFC off")
    elif port.pfc_priorities is not None and port.pfc_priorities != one.pfc_priorities:
        has = listed(map(str, port.pfc_priorities))
        yield SettingFault(code="qos-pfc", problem="pauses other priorities", expected=wanted, actual=has)


def _watchdog(one: ExpectedQos, port: PortQos) -> Iterator[SettingFault]:
    if port.watchdog is not None and port.watchdog != one.watchdog:
        words = {True: "on", False: "off"}
        wanted, has = words[one.watchdog], words[port.watchdog]
        yield SettingFault(code="qos-watchdog", problem="has another PFC watchdog", expected=wanted, actual=has)


def _ecn(one: ExpectedQos, port: PortQos) -> Iterator[SettingFault]:
    if port.ecn is not None and tuple(sorted(port.ecn)) != one.ecn:
        wanted, has = _thresholds(one.ecn), _thresholds(port.ecn)
        yield SettingFault(code="qos-ecn", problem="marks at other thresholds", expected=wanted, actual=has)


def _thresholds(found: Iterable[EcnState]) -> str:
    texts = (
        f"queue {one.queue} {one.minimum_octets} to {one.maximum_octets} octets at {one.probability_percent} %"
        for one in sorted(found)
    )
    return listed(texts, "no marking")


def _finding(book: Ledger, fault: SettingFault, ports: list[str]) -> Finding:
    subject = f"port {ports[0]}" if len(ports) == 1 else f"{len(ports)} ports ({listed(ports)})"
    port = ports[0] if len(ports) == 1 else ""
    return Finding(device=book.device, check="qos", subject=subject, port=port, **fault._asdict())


class Speakers(NamedTuple):
    """Whom lines may be about. drains: names of the maps that a drained session has."""

    sessions: tuple[ExpectedSession, ...] = ()
    drains: frozenset[str] = frozenset()


NOBODY = Speakers()


class _Differing(NamedTuple):
    """Lines that differ: by section and way; those that somebody typed; by way those that drain a session."""

    found: dict[tuple[tuple[str, ...], bool], list[Drift]]
    typed: dict[tuple[str, ...], list[Drift]]
    drained: dict[bool, list[Drift]]


def judge_drift(
    book: Ledger,
    wanted: str,
    running: str,
    drifts: Drifts,
    pushed: Pushed | None = None,
    speakers: Speakers = NOBODY,
) -> None:
    """Lines of the artifact that do not run, and lines that run and are not in it: one finding a section and way.

    Those that somebody typed since a push committed there are findings of their own, and so are the sessions that are
    drained, in whatever section. A line that stands where another should follows from that one.
    A daemon that is dead takes all of its configuration with it, and a box without its own has nothing: where many
    sections lack lines, that is one finding.
    """
    by_hand = _by_hand(running, drifts, pushed)
    found, typed, drained = _sorted_out(_without_heads(drifts(wanted, running)), by_hand, speakers)
    if not found and not typed and not drained:
        book.right("drift")
        return
    scope = ConfigScope((wanted, running), speakers.sessions)
    for section, held in typed.items():
        book.wrong(_typed(book.device, section, held, pushed)._replace(about=scope.about(held)))
    for present, held in drained.items():
        book.wrong(_drained(book.device, held, present=present)._replace(about=scope.about(held)))
    lacking = [section for section, present in found if not present]
    if len(lacking) > SECTIONS or (lacking and (SPEAKER in book.causes or "drift" in book.causes)):
        book.wrong(_much(book, lacking, sum(len(found.pop((section, False))) for section in lacking)))
    for (section, present), held in found.items():
        other = [one.line for one in found.get((section, not present), ())]
        make = _extra if present else _missing
        finding = make(book.device, section, [one.line for one in held], other)
        book.wrong(finding._replace(about=scope.about(held)))


def _sorted_out(drifts: Iterable[Drift], by_hand: Collection[Place], speakers: Speakers) -> _Differing:
    peers = {one.peer for one in speakers.sessions}
    differing = _Differing({}, {}, {})
    for drift in drifts:
        if _place(drift) in by_hand:
            differing.typed.setdefault(drift.section, []).append(drift)
        elif _is_of_drain(drift, speakers.drains, peers):
            differing.drained.setdefault(drift.present, []).append(drift)
        else:
            differing.found.setdefault((drift.section, drift.present), []).append(drift)
    return differing


def _missing(device: str, section: tuple[str, ...], lines: list[str], extra: list[str]) -> Finding:
    """Lines that a section lacks. extra: what it should not have; what of that stands in their place is told."""
    instead = [one for one in extra if any(_stands_for(one, line) for line in lines)]
    return Finding(
        device=device,
        check="drift",
        code="drift-missing",
        subject=_subject(section),
        problem="lacks rendered lines",
        expected=_lines(lines),
        actual=_lines(instead) or NO_LINE,
        lines=tuple(lines[:LISTED]),
    )


def _extra(device: str, section: tuple[str, ...], lines: list[str], missing: list[str]) -> Finding:
    """Lines of a section that are not rendered. Where each stands in the place of one that is missing, that is why."""
    is_instead = all(any(_stands_for(line, one) for one in missing) for line in lines)
    return Finding(
        device=device,
        check="drift",
        code="drift-extra",
        subject=_subject(section),
        problem="has unexpected lines",
        expected=NO_LINE,
        actual=_lines(lines),
        cause=(device, "drift-missing", _subject(section)) if is_instead else None,
    )


def _subject(section: tuple[str, ...]) -> str:
    return " / ".join(section) or "configuration"


def _stands_for(line: str, other: str) -> bool:
    """Whether a line says another value of what the other says: the same words but for the last one, or for a `no`."""
    one, two = line.split(), other.split()
    return one[:-1] == two[:-1] != [] or ["no", *one] == two or one == ["no", *two]


def _without_heads(found: Iterable[Drift]) -> Iterator[Drift]:
    """Without lines that only begin a section of which other lines differ in the same way."""
    every = tuple(found)
    sections = {(one.section[:depth], one.present) for one in every for depth in range(1, len(one.section) + 1)}
    return (one for one in every if ((*one.section, one.line), one.present) not in sections)


def _is_of_drain(drift: Drift, drains: Collection[str], peers: Collection[str]) -> bool:
    """Whether a line gives a session a map of a drain. The maps themselves are lines that name no peer."""
    words = {word.strip("\"';,{}[]()") for text in (*drift.section, drift.line) for word in text.split()}
    return not (words.isdisjoint(drains) or words.isdisjoint(peers))


def _drained(device: str, held: list[Drift], *, present: bool) -> Finding:
    """Sessions that have the maps of a drain, or have them not."""
    text, none = _lines([one.line for one in held]), NO_LINE
    return Finding(
        device=device,
        check="drift",
        code="runs-drained" if present else "runs-undrained",
        subject="its sessions",
        problem="are drained, but the plan has them in service"
        if present
        else "are in service, but the plan drains them",
        expected=none if present else text,
        actual=text if present else none,
    )


def _place(drift: Drift) -> Place:
    return tuple(" ".join(one.split()) for one in drift.section), " ".join(drift.line.split()), drift.present


def _by_hand(running: str, drifts: Drifts, pushed: Pushed | None) -> frozenset[Place]:
    """What differs from what a push had committed last."""
    if pushed is None or pushed.text == running:
        return frozenset()
    return frozenset(map(_place, drifts(pushed.text, running)))


def _typed(device: str, section: tuple[str, ...], held: list[Drift], pushed: Pushed | None) -> Finding:
    """Lines of a section that somebody typed or took away."""
    since = f"since run {pushed.run} of {pushed.at}" if pushed is not None else "since the last push"
    gone, there = ([one.line for one in held if one.present is present] for present in (False, True))
    return Finding(
        device=device,
        check="drift",
        code="line-by-hand",
        subject=_subject(section),
        problem=f"was changed by hand {since}",
        expected=_lines(gone) or NO_LINE,
        actual=_lines(there) or NO_LINE,
        lines=tuple((gone + there)[:LISTED]),
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
