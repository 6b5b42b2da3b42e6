"""Phrases of a run's report, shared by the terminal and the ticket."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from fabricgen.base.grouping import grouped
from fabricgen.diff.words import ROLES, count, named, printable, share
from fabricgen.plan.place import Tier
from fabricgen.push.model import Event, Head, Need, RunOutcome, StepName, StepState
from fabricgen.push.prove.causes import Cause
from fabricgen.push.report.hands import hands_words
from fabricgen.push.report.model import Report, SwitchOutcome, SwitchResult, WaveResult, outcome_counts
from fabricgen.push.report.steps import REST_OF_WAVE, REST_OF_WHOLE, BeforeAfter, StepReport, event_words, judged_words

NEEDS: Mapping[str, str] = {
    Need.PLAIN: "not drained first",
    Need.DRAIN: "drained first",
    Need.ABSENT: "not drained first, no server on it",
    Need.IDLE: "not drained first, its servers are idle",
    Need.ACCEPTED: "not drained first, the loss is accepted",
}
OUTCOMES = {
    RunOutcome.DONE: "Success: every switch runs the rendered configuration, and all checks passed",
    RunOutcome.STOPPED: "Stopped before the next switch",
    RunOutcome.ABANDONED: "Abandoned: another run replaced it",
    None: "Not finished: it is running, or was interrupted",
}
UNTOLD = "–"


def title(report: Report) -> str:
    """Name of the run."""
    return f"Push {report.number} of {report.head.intent} to {report.head.inventory}"


def verdict(report: Report) -> str:
    """The outcome in one sentence."""
    failed = report.counts.get(SwitchOutcome.FAILED, 0)
    addition = f" An operator has to check {count(failed, 'switch', 'switches')}." if failed else ""
    if report.outcome is RunOutcome.DONE and (pending := len(report.checks.pending)):
        addition = f" {count(pending, 'finding waits', 'findings wait')} for something outside of it, see pending."
    if report.outcome is RunOutcome.DONE:
        addition += _unprobed(report)
    ended = _failed(report.counts) if report.outcome is RunOutcome.FAILED else OUTCOMES[report.outcome]
    return f"{ended}.{addition}"


def _unprobed(report: Report) -> str:
    """For a finished run, that not every path was probed, and why; empty if all were, or no probes were requested."""
    reasons = [reason for wave in report.waves if wave.paths is not None for reason in wave.paths.not_probed]
    return f" Not every path was probed: {reasons[0]}." if reasons else ""


def _failed(ends: Mapping[SwitchOutcome, int]) -> str:
    """The state of the switches of a failed run, the worst first."""
    if ends.get(SwitchOutcome.FAILED) or ends.get(SwitchOutcome.OPEN):
        return "Failed: some switches may run neither the earlier nor the rendered configuration"
    if ends.get(SwitchOutcome.REVERTED):
        return "Failed: unconfirmed commits were rolled back"
    if ends.get(SwitchOutcome.DONE):
        return "Failed: nothing was rolled back, and confirmed changes stay"
    return "Failed: no switch was changed"


def to_do(report: Report) -> Iterator[str]:
    """What a person has to do, in this order: check what the push undid and, where it failed, the causes."""
    yield from hands_words(report.hands)
    if report.outcome is not RunOutcome.FAILED:
        return
    for switch in report.switches:
        if switch.end in (SwitchOutcome.FAILED, SwitchOutcome.OPEN):
            yield f"check {switch.device}: {cut(switch.reason or UNTOLD, TO_DO)}"
    reverted: dict[tuple[str, tuple[Cause, ...]], list[str]] = {}
    for switch in report.switches:
        if switch.end is SwitchOutcome.REVERTED:
            reverted.setdefault((switch.reason, switch.checks.causes), []).append(switch.device)
    for (reason, causes), names in reverted.items():
        yield from _went_back(named(names), reason, causes)
    yield from (f"see the message of the run: {cut(reason, TO_DO)}" for reason in report.reasons)
    yield "then run the same command without --commit: it shows what is left to change, and changes nothing"


def _went_back(names_text: str, reason: str, causes: Sequence[Cause]) -> Iterator[str]:
    """What broke comes first, then the switches that were rolled back for it."""
    is_elsewhere = bool(causes) and all(broken.is_elsewhere for broken in causes)
    for cause in causes[:MOST_CAUSES]:
        remark = ": it broke during the wave, and no switch of this wave caused it" if is_elsewhere else ""
        yield f"fix {cut(cause.words, TO_DO)}{remark}"
    action = f"{names_text} was rolled back for that" if is_elsewhere else f"find out why {names_text} was rolled back"
    yield f"{action}: {cut(reason or UNTOLD, TO_DO)}"


MOST_CAUSES = 3
"""Maximum number of causes of one wave in the to-do list; all are printed below."""
TO_DO = 300
"""Maximum length of a reason in the to-do list."""


def counts(report: Report) -> str:
    """`12 switches: 10 done, 2 not reached`."""
    switches = count(len(report.switches), "switch", "switches")
    return f"{switches}: {ends(report.switches)}" if report.switches else switches


def ends(switches: Iterable[SwitchResult]) -> str:
    """`10 done, 2 not reached`."""
    return ", ".join(f"{number:,} {end.value}" for end, number in outcome_counts(switches).items())


def when(report: Report) -> str:
    """Start, end, user and approval."""
    ended = f"ended {moment(report.ended)}" if report.ended else "end not recorded"
    lasted = "" if report.seconds is None else f", {seconds(report.seconds)}"
    approvals = (event for event in report.events if event.step is StepName.APPROVE and event.how is StepState.ENDED)
    signers = dict.fromkeys(str(event.detail["by"]) for event in approvals if "by" in event.detail)
    signed = f", signed by {', '.join(signers)}" if signers else ""
    return f"started {moment(report.started)}, {ended}{lasted}; {by(report.head)}{signed}"


def resumed(report: Report) -> Iterator[str]:
    """How often and when it was killed and resumed; nothing for a run without interruption."""
    times = [moment(resumed_at) for resumed_at in report.resumed]
    if times:
        often = "once" if len(times) == 1 else "twice" if len(times) == 2 else f"{len(times):,} times"
        shown = [*times[:MOST_TIMES], *([f"and {len(times) - MOST_TIMES:,} more"] if len(times) > MOST_TIMES else [])]
        yield f"interrupted and resumed {often}: {', '.join(shown)}"


MOST_TIMES = 5
"""Maximum number of resume times that are printed one by one."""


def forecast(report: Report) -> Iterator[str]:
    """The forecast and, once the run has ended, the actual duration; nothing without a forecast."""
    if report.forecast is not None:
        ratio = report.seconds / report.forecast.seconds if report.seconds and report.forecast.seconds else None
        actual = f"took {duration(report.seconds)}" if report.ended and report.seconds is not None else ""
        share_of = f" ({ratio:.0%} of the estimate)".replace("%", " %") if actual and ratio is not None else ""
        yield f"estimated duration {report.forecast.summary}{f'; {actual}{share_of}' if actual else ''}"


def duration(number: float) -> str:
    """`45 s`, `3 min 33 s`, `2 h 5 min`."""
    minutes, secs = divmod(round(number), 60)
    hours, mins = divmod(minutes, 60)
    return f"{hours} h {mins} min" if hours else f"{minutes} min {secs} s" if minutes else f"{secs} s"


def by(head: Head) -> str:
    """User and approval."""
    return f"by {head.who or UNTOLD}" + (f", approval {head.approval[:12]}" if head.approval else "")


def unsettled(judged: BeforeAfter) -> Iterator[str]:
    """Findings that did not count against a change, and why."""
    yield from (f"pending: {sentence}" for sentence in judged.pending)
    yield from (f"excused: {sentence}" for sentence in judged.excused)


def whole(report: Report) -> str:
    """The check of the whole fabric in one sentence."""
    checks_text = judged_words(report.checks, REST_OF_WHOLE)
    return f"Fabric checks, by the new intent: {checks_text}" if checks_text else "The fabric was not checked."


def checked(switch: SwitchResult) -> str:
    """The checks of one switch; empty if there were none."""
    return judged_words(switch.checks, REST_OF_WAVE)


def common(wave: WaveResult) -> BeforeAfter | None:
    """The checks that all switches of a wave share, as a wave is judged as a whole; None if they differ."""
    checks: set[BeforeAfter] = {
        switch.checks for switch in wave.switches if switch.checks.before or switch.checks.after
    }
    return checks.pop() if len(checks) == 1 else None


def common_words(wave: WaveResult) -> str:
    """The shared checks in one sentence; empty without them."""
    shared_checks = common(wave)
    return judged_words(shared_checks, REST_OF_WAVE) if shared_checks is not None else ""


def go_on(report: Report) -> str:
    """Introduction of the command that continues the run."""
    return "To push the rest, type" if report.outcome else "To resume, type"


def waits(report: Report) -> Iterator[str]:
    """What becomes of pending commits, in sentences without their full stops."""
    sure = [commit for commit in report.waiting if commit.is_sure]
    for number in dict.fromkeys(commit.seconds for commit in sure):
        together = [commit for commit in sure if commit.seconds == number]
        names, last = (
            named([commit.device for commit in together]),
            moment(max(commit.until for commit in together if commit.until)),
        )
        how = "reverts by itself {} s after its commit, at" if len(together) == 1 else _TOGETHER
        yield f"If it was killed, {names} {how.format(number)} {last}, unless the push goes on before"
    unsure = [commit.device for commit in report.waiting if not commit.is_sure]
    if unsure:
        ends = [commit.until for commit in report.waiting if not commit.is_sure]
        known_ends = [commit for commit in ends if commit is not None]
        last = f", at the latest {moment(max(known_ends))}" if len(known_ends) == len(ends) else ""
        yield f"On {named(unsure)} an unconfirmed commit may be left: it reverts by itself{last}"


_TOGETHER = "revert by themselves {} s after their commits, the last at"


def wave_words(wave: WaveResult) -> str:
    """`Wave 2: 3 leaves of backend`."""
    number, fabric, role, canary, _, keeps = wave.wave
    if not role:
        return f"Outside of the waves: {count(len(wave.switches), 'switch', 'switches')}"
    switches_text = count(len(wave.switches), *ROLES.get(role, (role, role)))
    below = "spines" if role == Tier.SUPERSPINE else "leaves"
    kept = "" if keeps == 1 else f"; {below} keep at least {share(keeps)} of their uplinks"
    return f"Wave {number}: {switches_text} of {fabric}{', the first of its kind' if canary else ''}{kept}"


def need(switch: SwitchResult) -> str:
    """How a switch may be changed."""
    return NEEDS.get(switch.need, switch.need) or UNTOLD


def lines(switch: SwitchResult) -> str:
    """Number of changed lines."""
    return UNTOLD if switch.lines is None else f"{switch.lines:,}"


def steps(switch: SwitchResult) -> str:
    """`change: load 0.4 s, commit 1.2 s; …`, stage by stage."""
    stages = grouped((step.stage, step_words(step)) for step in switch.steps)
    return "; ".join(
        f"{stage}: {', '.join(step_texts)}" if stage else ", ".join(step_texts) for stage, step_texts in stages.items()
    )


def step_words(step: StepReport) -> str:
    """`commit 1.2 s`; for a step without an end, that none is recorded."""
    duration_text = "" if step.seconds is None else f" {seconds(step.seconds)}"
    return f"{step.step.value}{duration_text}{_HOW.get(step.how, '')}"


_HOW = {"begun": " (end not recorded)", "failed": " (failed)"}


def event_line(event: Event) -> str:
    """One event on one line: time, device, step, detail."""
    return f"{clock(event.at)} {event.device or 'the run'}: {event_words(event)}"


def moment(at: datetime | None) -> str:
    """`2026-03-01 12:00:00 UTC`."""
    return UNTOLD if at is None else f"{at:%Y-%m-%d %H:%M:%S} UTC"


def clock(at: datetime | None) -> str:
    """`2026-03-01 12:00:00.123`; UTC."""
    return UNTOLD if at is None else f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d}"


def seconds(number: float | None) -> str:
    """`12.3 s`."""
    return UNTOLD if number is None else f"{number:,.1f} s"


def cut(text: str, maximum: int) -> str:
    """Text on one line, of at most so many characters."""
    clean = printable(text)
    return clean if len(clean) <= maximum else f"{clean[: maximum - 1]}…"
