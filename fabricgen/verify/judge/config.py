"""Settings of one switch that can be read back: lossless queues, and the configuration against the artifact."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from fabricgen.base.text import counted, listed
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.state.state import EcnState, PortQos, Pushed
from fabricgen.verify.expect.model import ExpectedQos, ExpectedSession
from fabricgen.verify.finding import NO_LINE
from fabricgen.verify.judge.ledger import Ledger, ports_subject
from fabricgen.verify.judge.scope import ConfigScope
from fabricgen.verify.judge.sessions import SPEAKER

SECTIONS = 12
"""Maximum number of sections with missing lines that are reported one by one."""

Drifts = Callable[[str, str], Iterable[Drift]]
"""(wanted artifact, running configuration) → lines that differ."""
Place = tuple[tuple[str, ...], str, bool]
"""Section, line and direction, with whitespace normalised."""


class SettingFault(NamedTuple):
    """What is wrong with the settings of a port, in the words of a Finding."""

    code: str
    problem: str
    expected: str
    actual: str


UNPLANNED = SettingFault(
    code="qos-unexpected", problem="is lossless, but not in the plan", expected="no PFC", actual="PFC on"
)


def judge_qos(ledger: Ledger, expected: Iterable[ExpectedQos], state: Iterable[PortQos]) -> None:
    """Judge ports that are lossless, planned or not. Ports with the same fault are one finding."""
    by_port = {planned.port: planned for planned in state}
    wrong: dict[SettingFault, list[str]] = {}
    not_shown: dict[str, list[str]] = {}
    for planned in expected:
        port = by_port.pop(planned.port, PortQos(planned.port, None, None, None, None))
        faults = [*_pfc(planned, port), *_watchdog(planned, port), *_ecn(planned, port)]
        for fault in faults:
            wrong.setdefault(fault, []).append(planned.port)
        silent = [name for name, value in _parts(port) if value is None]
        for name in silent:
            not_shown.setdefault(name, []).append(planned.port)
        ledger.right("qos", len(_parts(port)) - len(silent) - len(faults))
    for name, extra in sorted(by_port.items()):
        if extra.pfc:
            wrong.setdefault(UNPLANNED, []).append(name)
    for fault, ports in wrong.items():
        only = ports[0] if len(ports) == 1 else ""
        ledger.add(subject=ports_subject(ports), port=only, **fault._asdict())
    for name, ports in not_shown.items():
        ledger.skip("qos", f"the platform does not show {name} of {counted(len(ports), 'port')}: {listed(ports)}")


def _parts(port: PortQos) -> tuple[tuple[str, object], ...]:
    return ("PFC", port.pfc_priorities), ("the watchdog", port.watchdog), ("ECN", port.ecn)


def _pfc(planned: ExpectedQos, port: PortQos) -> Iterator[SettingFault]:
    expected = listed(map(str, planned.pfc_priorities))
    if port.pfc is False and planned.pfc_priorities:
        yield SettingFault(
            code="qos-pfc-off", problem="does not pause", expected=f"PFC on {expected}", actual="PFC off"
        )
    elif port.pfc_priorities is not None and port.pfc_priorities != planned.pfc_priorities:
        actual = listed(map(str, port.pfc_priorities))
        yield SettingFault(code="qos-pfc", problem="pauses other priorities", expected=expected, actual=actual)


def _watchdog(planned: ExpectedQos, port: PortQos) -> Iterator[SettingFault]:
    if port.watchdog is not None and port.watchdog != planned.watchdog:
        words = {True: "on", False: "off"}
        expected, actual = words[planned.watchdog], words[port.watchdog]
        yield SettingFault(
            code="qos-watchdog", problem="has other PFC watchdog settings", expected=expected, actual=actual
        )


def _ecn(planned: ExpectedQos, port: PortQos) -> Iterator[SettingFault]:
    if port.ecn is not None and tuple(sorted(port.ecn)) != planned.ecn:
        expected, configured = _thresholds(planned.ecn), _thresholds(port.ecn)
        yield SettingFault(code="qos-ecn", problem="has other ECN thresholds", expected=expected, actual=configured)


def _thresholds(states: Iterable[EcnState]) -> str:
    texts = (
        f"queue {ecn.queue} {ecn.minimum_octets} to {ecn.maximum_octets} octets at {ecn.probability_percent} %"
        for ecn in sorted(states)
    )
    return listed(texts, "no marking")


class Speakers(NamedTuple):
    """Sessions that lines may be about. drains: names of the route maps of drained sessions."""

    sessions: tuple[ExpectedSession, ...] = ()
    drains: frozenset[str] = frozenset()


NO_SPEAKERS = Speakers()


class _Differing(NamedTuple):
    """Differing lines: by section and direction; those typed by hand; by direction, those that drain a session."""

    found: dict[tuple[tuple[str, ...], bool], list[Drift]]
    typed: dict[tuple[str, ...], list[Drift]]
    drained: dict[bool, list[Drift]]


def judge_drift(
    ledger: Ledger,
    wanted: str,
    running: str,
    drifts: Drifts,
    pushed: Pushed | None = None,
    speakers: Speakers = NO_SPEAKERS,
) -> None:
    """Missing lines of the artifact, and running lines that are not in it: one finding per section and direction.

    Lines that somebody typed since a push committed there are findings of their own, and so are the drained sessions,
    in whatever section. A line in place of a missing one follows from that one. A dead daemon loses all its
    configuration, and a switch without its own has none: if many sections lack lines, that is one finding.
    """
    by_hand = _by_hand(running, drifts, pushed)
    lines_of, typed, drained = _sorted_out(_without_heads(drifts(wanted, running)), by_hand, speakers)
    if not lines_of and not typed and not drained:
        ledger.right("drift")
        return
    scope = ConfigScope((wanted, running), speakers.sessions)
    for section, drift_lines in typed.items():
        _typed(ledger, section, drift_lines, pushed, scope.about(drift_lines))
    for present, drift_lines in drained.items():
        _drained(ledger, drift_lines, scope.about(drift_lines), present=present)
    lacking = [section for section, present in lines_of if not present]
    if len(lacking) > SECTIONS or (lacking and (SPEAKER in ledger.causes or "drift" in ledger.causes)):
        _much(ledger, lacking, sum(len(lines_of.pop((section, False))) for section in lacking))
    for (section, present), drift_lines in lines_of.items():
        other = [drift_line.line for drift_line in lines_of.get((section, not present), ())]
        judge_lines = _extra if present else _missing
        lines = [drift_line.line for drift_line in drift_lines]
        judge_lines(ledger, section, lines, other, scope.about(drift_lines))


def _sorted_out(drifts: Iterable[Drift], by_hand: Collection[Place], speakers: Speakers) -> _Differing:
    peers = {session.peer for session in speakers.sessions}
    differing = _Differing({}, {}, {})
    for drift in drifts:
        if _place(drift) in by_hand:
            differing.typed.setdefault(drift.section, []).append(drift)
        elif _is_of_drain(drift, speakers.drains, peers):
            differing.drained.setdefault(drift.present, []).append(drift)
        else:
            differing.found.setdefault((drift.section, drift.present), []).append(drift)
    return differing


def _missing(
    ledger: Ledger, section: tuple[str, ...], lines: list[str], extra: list[str], about: tuple[str, ...]
) -> None:
    """Lines that a section lacks. extra: its unexpected lines; replacements of a missing one are the actual value."""
    instead = [extra_line for extra_line in extra if any(_replaces(extra_line, line) for line in lines)]
    ledger.add(
        about=about,
        code="drift-missing",
        subject=_subject(section),
        problem="lacks rendered lines",
        expected=_lines(lines),
        actual=_lines(instead),
        lines=tuple(lines[:3]),
    )


def _extra(
    ledger: Ledger, section: tuple[str, ...], lines: list[str], missing: list[str], about: tuple[str, ...]
) -> None:
    """Unexpected lines of a section. If each of them replaces a missing line, that finding is the cause."""
    is_instead = all(any(_replaces(line, missing_line) for missing_line in missing) for line in lines)
    ledger.add(
        about=about,
        code="drift-extra",
        subject=_subject(section),
        problem="has unexpected lines",
        expected=NO_LINE,
        actual=_lines(lines),
        cause=(ledger.device, "drift-missing", _subject(section)) if is_instead else None,
    )


def _subject(section: tuple[str, ...]) -> str:
    return " / ".join(section) or "configuration"


def _replaces(line: str, other: str) -> bool:
    """Whether a line sets another value of the same setting: only the last word differs, or a `no` before them."""
    first, second = line.split(), other.split()
    return first[:-1] == second[:-1] != [] or ["no", *first] == second or first == ["no", *second]


def _without_heads(drifts: Iterable[Drift]) -> Iterator[Drift]:
    """Without lines that only begin a section in which other lines differ in the same direction."""
    all_drifts = tuple(drifts)
    sections = {
        (drift.section[:depth], drift.present) for drift in all_drifts for depth in range(1, len(drift.section) + 1)
    }
    return (drift for drift in all_drifts if ((*drift.section, drift.line), drift.present) not in sections)


def _is_of_drain(drift: Drift, drains: Collection[str], peers: Collection[str]) -> bool:
    """Whether a line gives a session a route map of a drain. The route maps themselves do not name a peer."""
    line_words = {word.strip("\"';,{}[]()") for text in (*drift.section, drift.line) for word in text.split()}
    return not (line_words.isdisjoint(drains) or line_words.isdisjoint(peers))


def _drained(ledger: Ledger, lines: list[Drift], about: tuple[str, ...], *, present: bool) -> None:
    """Sessions that have the route maps of a drain, or lack them."""
    text = _lines(drift.line for drift in lines)
    ledger.add(
        about=about,
        code="runs-drained" if present else "runs-undrained",
        subject="its sessions",
        problem="are drained, but the plan has them in service"
        if present
        else "are in service, but the plan drains them",
        expected=NO_LINE if present else text,
        actual=text if present else NO_LINE,
    )


def _place(drift: Drift) -> Place:
    return tuple(" ".join(part.split()) for part in drift.section), " ".join(drift.line.split()), drift.present


def _by_hand(running: str, drifts: Drifts, pushed: Pushed | None) -> frozenset[Place]:
    """What differs from the configuration that a push committed last."""
    if pushed is None or pushed.text == running:
        return frozenset()
    return frozenset(map(_place, drifts(pushed.text, running)))


def _typed(
    ledger: Ledger, section: tuple[str, ...], lines: list[Drift], pushed: Pushed | None, about: tuple[str, ...]
) -> None:
    """Lines of a section that somebody typed or removed."""
    since = f"since run {pushed.run} of {pushed.at}" if pushed is not None else "since the last push"
    removed, added = ([drift.line for drift in lines if drift.present is present] for present in (False, True))
    ledger.add(
        about=about,
        code="line-by-hand",
        subject=_subject(section),
        problem=f"was changed manually {since}",
        expected=_lines(removed),
        actual=_lines(added),
        lines=tuple((removed + added)[:3]),
    )


def _much(ledger: Ledger, sections: list[tuple[str, ...]], lines: int) -> None:
    ledger.add(
        code="drift-missing",
        subject="configuration",
        problem=f"lacks {counted(lines, 'line')} in {counted(len(sections), 'section')}",
        expected=listed(" / ".join(section) or "top level" for section in sections),
        actual="no such lines",
        explained=ledger.causes.get("drift", "") or ledger.causes.get(SPEAKER, ""),
    )


def _lines(lines: Iterable[str]) -> str:
    return listed(map(str.strip, lines), NO_LINE, separator="; ")
