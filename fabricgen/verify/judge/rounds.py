"""A round of verify: collected outputs, judged switch by switch, and the rounds after it.

Raw outputs go to a folder and are read back one switch at a time. So memory does not grow with the fabric, and a stored
collection gives the same verdicts later.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from threading import Event

from fabricgen.platforms.base.live.reader import Drift, Reader
from fabricgen.state.state import State
from fabricgen.verify.collect.store import ABSENT, BY_HAND, Collected, Failure, Target
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import BEYOND, CHECKS, Finding, SwitchVerdict, Unchecked
from fabricgen.verify.judge.armed_commit import with_armed

PAUSE_SECONDS = 3
"""Seconds between two rounds of a retry."""

Compare = Callable[[Expected, State, Callable[[str, str], tuple[Drift, ...]]], SwitchVerdict]
"""Judges a switch's state by its expectations; the third argument compares an artifact with what runs."""

NOT_COLLECTED = Failure("not-collected", "nothing was collected from it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Everything needed to judge switches.

    targets       the switches to judge
    expectations  of these switches and maybe of others, in the order of the report
    """

    targets: Mapping[str, Target]
    readers: Mapping[str, Reader]
    expectations: Callable[[], Iterable[Expected]]
    compare: Compare


Kept = Callable[[str], Collected | None]
"""Switch → its collected outputs; None without any. Raises FabricError for a file that cannot be read."""


def verdicts(judge: Judge, kept: Kept) -> Iterator[SwitchVerdict]:
    """Verdicts one switch at a time, in the order of expectations. Raises what `kept` raises."""
    for expected in judge.expectations():
        target = judge.targets.get(expected.device)
        if target is not None:
            yield _verdict(judge, expected, target, kept(target.device))


def _verdict(judge: Judge, expected: Expected, target: Target, collected: Collected | None) -> SwitchVerdict:
    if collected is None:
        return absent(expected.device, NOT_COLLECTED)
    if collected.failure is not None:
        return absent(expected.device, collected.failure)
    if collected.system != target.system:
        reason = f"it was collected as {collected.system}, and the plan gives it {target.system}"
        return absent(expected.device, Failure("not-collected", reason))
    reader = judge.readers[target.system]
    state = replace(target.state(reader, collected.outputs, "not in the collection"), pushed=collected.pushed)
    verdict = judge.compare(expected, state, reader.drift)
    verdict = replace(verdict, findings=(*verdict.findings, *_unread(verdict, state, reader)))
    return with_armed(verdict, collected.armed)


def _unread(verdict: SwitchVerdict, state: State, reader: Reader) -> Iterator[Finding]:
    """Findings for parts that were not read since a command failed: a retry may help, ignoring it would not.

    A part that a person left out of a folder is only unchecked.
    """
    reasons = {entry.reason for entry in verdict.unchecked}
    hanging = [f"{entry.name} hangs" for entry in state.daemons or () if entry.hangs]
    for part, reason in state.unread.items():
        if part not in reader.unseen and reason in reasons and BY_HAND not in reason:
            yield Finding(
                device=verdict.device,
                check="reachable",
                code="not-read",
                subject=part,
                problem="could not be read",
                expected="an answer in a known format",
                actual=reason,
                explained=next((cause for cause in hanging if cause in reason), ""),
            )


def absent(device: str, failure: Failure) -> SwitchVerdict:
    """Verdict on a switch without outputs: one finding, and no other check judged."""
    finding = Finding(
        device=device,
        check="reachable",
        code=failure.code,
        subject="the switch",
        problem=ABSENT.get(failure.code, "cannot be used"),
        expected="an answer",
        actual=failure.reason,
    )
    other_checks = (check for check in CHECKS if check not in ("reachable", *BEYOND))
    unchecked = tuple(Unchecked(device, check, "no state was collected") for check in other_checks)
    return SwitchVerdict(device=device, passed=(), findings=(finding,), unchecked=unchecked)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettings:
    """How a live fabric is verified.

    collect  reads these switches and stores their outputs
    judged   verdicts on these switches by the stored outputs, in the order of the report; called once per round
    explain  all verdicts → the same with causes on other switches
    beyond   verdicts that are about no single switch (pings, paths); called once per round
    retry    seconds for which switches with findings are read again
    stop     once set, what has been read is judged and nothing more is read
    """

    targets: Mapping[str, Target]
    collect: Callable[[Mapping[str, Target]], None]
    judged: Callable[[Collection[str]], Iterable[SwitchVerdict]]
    explain: Callable[[tuple[SwitchVerdict, ...]], tuple[SwitchVerdict, ...]]
    beyond: Callable[[], tuple[SwitchVerdict, ...]]
    retry: float
    stop: Event


def verify_once(live: RoundSettings, clock: Callable[[], float] = time.monotonic) -> tuple[SwitchVerdict, ...]:
    """Collect and judge, then repeat for switches with findings until there are none or the time is over.

    Once there are none, a last round of all switches decides: the others were read earlier, and may have changed.
    """
    deadline = clock() + live.retry
    asked: Collection[str] = live.targets
    latest: dict[str, SwitchVerdict] = {}
    while True:
        live.collect({name: target for name, target in live.targets.items() if name in asked})
        latest |= {verdict.device: verdict for verdict in live.judged(asked)}
        beyond = live.beyond()
        faulty = _faulty(latest.values())
        if faulty or _faulty(beyond):
            if clock() >= deadline or live.stop.wait(min(PAUSE_SECONDS, max(0.0, deadline - clock()))):
                break
            # Only switches with findings are read again.
            asked = faulty
        elif len(asked) == len(live.targets) or live.stop.is_set():
            break
        else:
            asked = live.targets
    return live.explain((*latest.values(), *beyond))


def _faulty(verdicts: Iterable[SwitchVerdict]) -> set[str]:
    return {verdict.device for verdict in verdicts if verdict.findings}


def watch(
    live: RoundSettings, seconds: float, report_round: Callable[[tuple[SwitchVerdict, ...]], None]
) -> tuple[SwitchVerdict, ...]:
    """Verify repeatedly until stopped, and pass each complete round to `report_round`. Return the last one."""
    last: tuple[SwitchVerdict, ...] = ()
    while True:
        round_verdicts = verify_once(live)
        if live.stop.is_set() and last:
            return last  # an interrupted round says nothing about the switches it did not read
        last = round_verdicts
        report_round(round_verdicts)
        if live.stop.wait(seconds):
            return last
