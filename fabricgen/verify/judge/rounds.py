"""A round of verify: what was collected, judged switch by switch, and the rounds after it.

Raw outputs go to a folder and are read back one switch at a time, so that memory does not grow with the fabric and a
collection is judged later as it would have been at once.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from threading import Event

from fabricgen.platforms.base.live.reader import Drift, Output, Reader
from fabricgen.state.state import State
from fabricgen.verify.collect.store import ABSENT, BY_HAND, Collected, Failure, Target
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import BEYOND, CHECKS, Finding, SwitchVerdict, Unchecked
from fabricgen.verify.judge.armed_commit import with_armed

PAUSE_SECONDS = 3
"""Between two rounds of a retry."""

Compare = Callable[[Expected, State, Callable[[str, str], tuple[Drift, ...]]], SwitchVerdict]
"""One switch's expectations against its state; the third compares an artifact with a running configuration."""

NOT_COLLECTED = Failure("not-collected", "nothing was collected of it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """What judges switches.

    targets       those that are judged
    expectations  of these switches and maybe of others, in the order of the report
    """

    targets: Mapping[str, Target]
    readers: Mapping[str, Reader]
    expectations: Callable[[], Iterable[Expected]]
    compare: Compare


Kept = Callable[[str], Collected | None]
"""Switch → what was collected of it; None for nothing. Raises FabricError for a file that cannot be read."""


def verdicts(judge: Judge, kept: Kept) -> Iterator[SwitchVerdict]:
    """One switch at a time, in the order of expectations. Raises what `kept` raises."""
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
    lacking = {each.command: Output(None, "not in the collection") for each in target.reads}
    state = replace(reader.state({**lacking, **collected.outputs}, target.vrfs), pushed=collected.pushed)
    verdict = judge.compare(expected, state, reader.drift)
    verdict = replace(verdict, findings=(*verdict.findings, *_unread(verdict, state, reader)))
    return with_armed(verdict, collected.armed)


def _unread(verdict: SwitchVerdict, state: State, reader: Reader) -> Iterator[Finding]:
    """What should have been seen, and was not because a command failed: asking again may help, passing it over not.

    What a person left out of a folder is not checkable, and that is all.
    """
    reasons = {one.reason for one in verdict.unchecked}
    hung = [f"{one.name} hangs" for one in state.daemons or () if one.hangs]
    for part, reason in state.unread.items():
        if part not in reader.unseen and reason in reasons and BY_HAND not in reason:
            yield Finding(
                device=verdict.device,
                check="reachable",
                code="not-read",
                subject=part,
                problem="could not be read",
                expected="an answer that is understood",
                actual=reason,
                explained=next((cause for cause in hung if cause in reason), ""),
            )


def absent(device: str, failure: Failure) -> SwitchVerdict:
    """Verdict on a switch that said nothing: one finding, and nothing else judged."""
    finding = Finding(
        device=device,
        check="reachable",
        code=failure.code,
        subject="the switch",
        problem=ABSENT.get(failure.code, "cannot be used"),
        expected="an answer",
        actual=failure.reason,
    )
    rest = (check for check in CHECKS if check not in ("reachable", *BEYOND))
    unchecked = tuple(Unchecked(device, check, "no state was collected") for check in rest)
    return SwitchVerdict(device=device, passed=(), findings=(finding,), unchecked=unchecked)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettings:
    """How a live fabric is verified.

    collect  asks these switches and keeps what they say
    judged   verdicts on these switches by what is kept of them, in the order of the report; called once a round
    explain  all verdicts → the same, with what one says of another
    beyond   verdicts on what is no switch's own (pings, paths); called once a round
    retry    seconds for which switches with findings are asked again
    stop     once set, what is there is judged and no more is asked
    """

    targets: Mapping[str, Target]
    collect: Callable[[Mapping[str, Target]], None]
    judged: Callable[[Collection[str]], Iterable[SwitchVerdict]]
    explain: Callable[[tuple[SwitchVerdict, ...]], tuple[SwitchVerdict, ...]]
    beyond: Callable[[], tuple[SwitchVerdict, ...]]
    retry: float
    stop: Event


def verify_once(live: RoundSettings, clock: Callable[[], float] = time.monotonic) -> tuple[SwitchVerdict, ...]:
    """Collect and judge, and again those with findings until there are none or the time is spent.

    Where there are none any more, one last round of all decides: the others were seen before, and may have changed.
    """
    deadline = clock() + live.retry
    asked: Collection[str] = live.targets
    found: dict[str, SwitchVerdict] = {}
    while True:
        live.collect({name: target for name, target in live.targets.items() if name in asked})
        found |= {verdict.device: verdict for verdict in live.judged(asked)}
        beyond = live.beyond()
        faulty = _faulty(found.values())
        if faulty or _faulty(beyond):
            if clock() >= deadline or live.stop.wait(min(PAUSE_SECONDS, max(0.0, deadline - clock()))):
                break
            asked = faulty
        elif len(asked) == len(live.targets) or live.stop.is_set():
            break
        else:
            asked = live.targets
    return live.explain((*found.values(), *beyond))


def _faulty(verdicts: Iterable[SwitchVerdict]) -> set[str]:
    return {verdict.device for verdict in verdicts if verdict.findings}


def watch(
    live: RoundSettings, seconds: float, told: Callable[[tuple[SwitchVerdict, ...]], None]
) -> tuple[SwitchVerdict, ...]:
    """Verify again and again until stopped, telling each whole round; return the last of them."""
    last: tuple[SwitchVerdict, ...] = ()
    while True:
        found = verify_once(live)
        if live.stop.is_set() and last:
            return last  # a round that was cut short says nothing of the switches it did not ask
        last = found
        told(found)
        if live.stop.wait(seconds):
            return last
