"""A proof from the first reading to the last, step by step; whatever happens, the switch is left unchanged."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fabricgen.platforms.base.live.proof import WORDINGS, PlatformClaim, Trial
from fabricgen.prove.bench import ProofBench, ProofStopped
from fabricgen.prove.steps import PlannedStep
from fabricgen.prove.values import BROKEN, STOPPED, ClaimOutcome, ClaimVerdict, First, Measure
from fabricgen.push.switch.switch import SwitchError

SAME, REMARKS, REWRITTEN = "identical", "identical except for comments", "the same lines, rewritten"
DIFFERS, UNREAD = "DIFFERS", "not read"
"""Result of comparing a configuration with the first reading."""
UNTRIED = "the test ended before"
LOOK = (
    "nothing yet: it runs its original configuration, but its startup configuration differs; check that before it "
    "restarts"
)


class Ended(NamedTuple):
    """The end of a proof.

    outcome   of the whole: one of OUTCOMES
    running, startup  both configurations compared with the first reading
    why       what ended it early; "" if nothing did
    leftover  what to type if the switch was not left unchanged; else ""
    """

    outcome: str
    running: str
    startup: str
    why: str
    leftover: str


def prove(bench: ProofBench, plan: Sequence[PlannedStep]) -> Ended:
    """Run the steps. Raises SwitchError if the switch could not be read even once."""
    for planned_step in plan:
        if planned_step.reason:
            bench.untried(planned_step.reason, *planned_step.step.trials)
    reason, is_stopped = "", False
    bench.claim()
    try:
        reason = _steps(bench, [planned_step for planned_step in plan if not planned_step.reason])
    except (ProofStopped, KeyboardInterrupt):
        reason, is_stopped = "stopped by the operator", True
    return _ended(bench, reason, is_stopped=is_stopped)


def _steps(bench: ProofBench, plan: Iterable[PlannedStep]) -> str:
    """Run the planned steps. Return what ended them early; else empty."""
    for planned_step in plan:
        step = planned_step.step
        if bench.stop.is_set():
            raise ProofStopped
        bench.print_line(f"{step.name}: {step.does}")
        try:
            with bench.timed(f"step {step.name}"):
                step.act(bench)
        except SwitchError as error:
            bench.untried(f"{step.name} failed: {error.reason}", *step.trials)
            if step.name == "read":
                raise
        if step.commits and not _is_clean(bench):
            return f"after the step {step.name} it does not run its original configuration"
    return ""


def _is_clean(bench: ProofBench) -> bool:
    """Whether nothing is armed and the first configuration runs. A switch that does not answer is read once more."""
    for is_last in (False, True):
        try:
            bench.claim()
            return bench.settle() and bench.same()
        except SwitchError:
            if is_last:
                return False
    return False


def _ended(bench: ProofBench, reason: str, *, is_stopped: bool) -> Ended:
    """Leave the switch, and report its state."""
    clean = _is_clean(bench)
    if not clean:
        _put_back(bench)
    try:
        last = bench.reading()
        bench.read_all("last")
        bench.release()
    except SwitchError as error:
        bench.measure(Trial.RESTORED, False, f"it could not be read at the end: {error.reason}")
        return Ended(BROKEN, UNREAD, UNREAD, reason or error.reason, bench.subject.table.probe.removes)
    running, startup = _compared(bench, last)
    is_right = running in (SAME, REMARKS) and startup in (SAME, REMARKS, REWRITTEN, UNREAD)
    bench.measure(Trial.RESTORED, is_right, f"running configuration {running}, startup configuration {startup}")
    leftover = "" if is_right else bench.subject.table.probe.removes if running == DIFFERS else LOOK
    failed = any(verdict.outcome is ClaimOutcome.FAILED for verdict in verdicts(bench))
    outcome = STOPPED if is_stopped else ClaimOutcome.FAILED.value if failed or reason else ClaimOutcome.HELD.value
    return Ended(outcome, running, startup, reason, leftover)


def _put_back(bench: ProofBench) -> None:
    """Restore the first running configuration, if the startup configuration equals it: a save changes nothing else."""
    first = bench.first
    if not bench.agrees(first.startup, first.running):
        return
    try:
        candidate = bench.act(lambda switch: switch.snapshot())._replace(text=first.running, files={})
        token = bench.committed(candidate, "that puts back")
        bench.act(lambda switch: switch.confirm(token))
    except SwitchError as error:
        bench.print_line(f"its original configuration could not be restored: {error.reason}")


def _compared(bench: ProofBench, last: First) -> tuple[str, str]:
    first = bench.first
    running = _compare(bench, first.running, last.running)
    if running == SAME and dict(first.files) != dict(last.files):
        running = DIFFERS
    if first.startup is None or last.startup is None:
        return running, UNREAD
    startup = _compare(bench, first.startup, last.startup)
    says_so = bench.agrees(first.startup, first.running) and bench.agrees(last.startup, last.running)
    if startup == DIFFERS and running != DIFFERS and says_so:
        startup = REWRITTEN  # by the requested confirmation
    return running, startup


def _compare(bench: ProofBench, first: str, last: str) -> str:
    if first == last:
        return SAME
    return REMARKS if bench.plain(first) == bench.plain(last) else DIFFERS


def verdicts(bench: ProofBench) -> tuple[ClaimVerdict, ...]:
    """The verdict on each claim of the platform."""
    table = bench.subject.table
    return tuple(
        _verdict(table.system, claim, bench.measures.get(claim.trial), bench.reasons.get(claim.trial, UNTRIED))
        for claim in sorted(table.claims, key=lambda claim: list(Trial).index(claim.trial))
    )


def _verdict(system: str, claim: PlatformClaim, measure: Measure | None, reason: str) -> ClaimVerdict:
    outcome, text = _judged(claim, measure, reason)
    return ClaimVerdict(
        claim=f"{system}.{claim.trial.value}",
        trial=claim.trial,
        says=claim.sentence,
        how=WORDINGS[claim.trial].how,
        source=claim.source,
        outcome=outcome,
        why=text,
        seconds=measure.seconds if measure is not None else None,
        allowed=claim.seconds,
    )


def _judged(claim: PlatformClaim, measure: Measure | None, reason: str) -> tuple[ClaimOutcome, str]:
    """Compare the result with the claim."""
    if measure is None:
        return ClaimOutcome.UNTRIED, reason
    lacking = claim.shows - measure.shows
    if lacking:
        return ClaimOutcome.FAILED, f"{measure.words}; not shown: {', '.join(sorted(lacking))}"
    if claim.seconds is not None and measure.seconds is not None and measure.seconds > claim.seconds:
        return ClaimOutcome.FAILED, f"{measure.words}; the claim is {claim.seconds:g} s"
    return (ClaimOutcome.HELD if measure.ok else ClaimOutcome.FAILED), measure.words
