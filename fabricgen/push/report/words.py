"""A run in the words of its report: the same ones on a terminal and in a ticket."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from fabricgen.diff.words import ROLES, count, named, printable, share
from fabricgen.plan.place import Tier
from fabricgen.push.model import Event, Head, Need, RunOutcome, StepName, StepState
from fabricgen.push.prove.causes import Cause
from fabricgen.push.report.hands import hands_words
from fabricgen.push.report.model import Report, SwitchOutcome, SwitchResult, WaveResult
from fabricgen.push.report.steps import REST_OF_WAVE, REST_OF_WHOLE, BeforeAfter, StepReport, event_words, judged_words

NEEDS: Mapping[str, str] = {
    Need.PLAIN: "without a drain",
    Need.DRAIN: "drained first",
    Need.ABSENT: "without a drain, no server behind it",
    Need.IDLE: "without a drain, its servers are idle",
    Need.ACCEPTED: "without a drain, the loss is accepted",
}
OUTCOMES = {
    RunOutcome.DONE: "Success: every switch runs the rendered configuration, and all checks passed",
    RunOutcome.STOPPED: "Stopped before the next switch",
    RunOutcome.ABANDONED: "Abandoned: another run took its place",
    None: "Not finished: it is running, or was interrupted",
}
UNTOLD = "–"


def title(report: Report) -> str:
    """Which run it is."""
    return f"Push {report.number} of {report.head.intent} to {report.head.inventory}"


def verdict(report: Report) -> str:
    """How it ended, in one sentence."""
    lost = report.counts.get(SwitchOutcome.FAILED, 0)
    more = f" A person has to look at {count(lost, 'switch', 'switches')}." if lost else ""
    if report.outcome is RunOutcome.DONE and (left := len(report.checks.pending)):
        more = f" {count(left, 'finding waits', 'findings wait')} for something outside of it, see pending."
    if report.outcome is RunOutcome.DONE:
        more += _unprobed(report)
    ended = _failed(report.counts) if report.outcome is RunOutcome.FAILED else OUTCOMES[report.outcome]
    return f"{ended}.{more}"


def _unprobed(report: Report) -> str:
    """Of a run that is done that it was not proven over every path, and why; empty where it was, or nobody asked."""
    left = [reason for wave in report.waves if wave.paths is not None for reason in wave.paths.not_probed]
    return f" Not every path was probed: {left[0]}." if left else ""


def _failed(ends: Mapping[SwitchOutcome, int]) -> str:
    """What is known of the switches of a failed run, the worst first."""
    if ends.get(SwitchOutcome.FAILED) or ends.get(SwitchOutcome.OPEN):
        return "Failed: some switches may run neither the earlier nor the rendered configuration"
    if ends.get(SwitchOutcome.REVERTED):
        return "Failed: unconfirmed commits were rolled back"
    if ends.get(SwitchOutcome.DONE):
        return "Failed: nothing was rolled back, and confirmed changes stay"
    return "Failed: no switch was changed"


def to_do(report: Report) -> Iterator[str]:
    """What a push asks of a person, in this order: to see to what it undid, and where it failed, to that."""
    yield from hands_words(report.hands)
    if report.outcome is not RunOutcome.FAILED:
        return
    for switch in report.switches:
        if switch.end in (SwitchOutcome.FAILED, SwitchOutcome.OPEN):
            yield f"look at {switch.device}: {cut(switch.reason or UNTOLD, TO_DO)}"
    back: dict[tuple[str, tuple[Cause, ...]], list[str]] = {}
    for switch in report.switches:
        if switch.end is SwitchOutcome.REVERTED:
            back.setdefault((switch.reason, switch.checks.causes), []).append(switch.device)
    for (reason, causes), names in back.items():
        yield from _went_back(named(names), reason, causes)
    yield from (f"see the message of the run: {cut(reason, TO_DO)}" for reason in report.reasons)
    yield "then run the same command without --commit: it shows what is left to change, and changes nothing"


def _went_back(who: str, reason: str, causes: Sequence[Cause]) -> Iterator[str]:
    """What broke comes first, then who went back for it."""
    is_elsewhere = bool(causes) and all(one.is_elsewhere for one in causes)
    for cause in causes[:MOST_CAUSES]:
        part = ": it broke meanwhile, and no switch that this wave changed has a part in it" if is_elsewhere else ""
        yield f"fix {cut(cause.words, TO_DO)}{part}"
    why = f"{who} was rolled back for that" if is_elsewhere else f"find out why {who} was rolled back"
    yield f"{why}: {cut(reason or UNTOLD, TO_DO)}"


MOST_CAUSES = 3
"""Of one wave, that it begins with; all are told below."""
TO_DO = 300
"""Characters of a reason that it repeats."""


def counts(report: Report) -> str:
    """`12 switches: 10 done, 2 not reached`."""
    every = count(len(report.switches), "switch", "switches")
    return f"{every}: {ends(report.counts)}" if report.counts else every


def ends(found: Mapping[SwitchOutcome, int]) -> str:
    """`10 done, 2 not reached`."""
    return ", ".join(f"{number:,} {end.value}" for end, number in found.items())


def ends_of(wave: WaveResult) -> Mapping[SwitchOutcome, int]:
    """Its switches by how they ended."""
    every = [switch.end for switch in wave.switches]
    return {end: every.count(end) for end in SwitchOutcome if end in every}


def when(report: Report) -> str:
    """From when to when, by whom, as approved."""
    ended = f"ended {moment(report.ended)}" if report.ended else "no end is recorded"
    lasted = "" if report.seconds is None else f", {seconds(report.seconds)}"
    signers = dict.fromkeys(str(event.detail.get("by")) for event in report.events if _is_signed(event))
    signed = f", signed by {', '.join(signers)}" if signers else ""
    return f"started {moment(report.started)}, {ended}{lasted}; {by(report.head)}{signed}"


def _is_signed(event: Event) -> bool:
    return event.step is StepName.APPROVE and event.how is StepState.ENDED and "by" in event.detail


def resumed(report: Report) -> Iterator[str]:
    """How often it was killed and went on, and when; nothing of a run that went through at once."""
    times = [moment(at) for at in report.resumed]
    if times:
        often = "once" if len(times) == 1 else "twice" if len(times) == 2 else f"{len(times):,} times"
        shown = [*times[:MOST_TIMES], *([f"and {len(times) - MOST_TIMES:,} more"] if len(times) > MOST_TIMES else [])]
        yield f"interrupted and resumed {often}: {', '.join(shown)}"


MOST_TIMES = 5
"""Times of a run that was killed that are told one by one."""


def forecast(report: Report) -> Iterator[str]:
    """What was forecast, and what it took of that where it has ended; nothing where nothing was forecast."""
    if report.forecast is not None:
        ratio = report.seconds / report.forecast.seconds if report.seconds and report.forecast.seconds else None
        fact = f"it took {duration(report.seconds)}" if report.ended and report.seconds is not None else ""
        share_of = f" ({ratio:.0%} of it)".replace("%", " %") if fact and ratio is not None else ""
        yield f"estimated duration {report.forecast.told}{f'; {fact}{share_of}' if fact else ''}"


def duration(number: float) -> str:
    """`45 s`, `3 min 33 s`, `2 h 5 min`."""
    minutes, rest = divmod(round(number), 60)
    hours, left = divmod(minutes, 60)
    return f"{hours} h {left} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def by(head: Head) -> str:
    """Who, and what was approved."""
    return f"by {head.who or UNTOLD}" + (f", approval {head.approval[:12]}" if head.approval else "")


def unsettled(judged: BeforeAfter) -> Iterator[str]:
    """What did not count against a change, and why."""
    yield from (f"pending: {one}" for one in judged.pending)
    yield from (f"excused: {one}" for one in judged.excused)


def whole(report: Report) -> str:
    """The check of the whole fabric in one sentence."""
    words = judged_words(report.checks, REST_OF_WHOLE)
    return f"Fabric checks: {words}" if words else "The fabric was not checked."


def checked(switch: SwitchResult) -> str:
    """The checks of one switch; empty where there were none."""
    return judged_words(switch.checks, REST_OF_WAVE)


def common(wave: WaveResult) -> BeforeAfter | None:
    """Checks that all switches of a wave have in common, as those of a wave are judged together; None without."""
    found: set[BeforeAfter] = {one.checks for one in wave.switches if one.checks.before or one.checks.after}
    return found.pop() if len(found) == 1 else None


def common_words(wave: WaveResult) -> str:
    """The same in one sentence; empty without."""
    same = common(wave)
    return judged_words(same, REST_OF_WAVE) if same is not None else ""


def go_on(report: Report) -> str:
    """What the command that goes on is for."""
    return "To continue with what is left, type" if report.outcome else "To resume, type"


def waits(report: Report) -> Iterator[str]:
    """What becomes of commits that wait, in sentences without their ends."""
    sure = [one for one in report.waiting if one.is_sure]
    for number in dict.fromkeys(one.seconds for one in sure):
        same = [one for one in sure if one.seconds == number]
        names, last = named([one.device for one in same]), moment(max(one.until for one in same if one.until))
        how = "reverts by itself {} s after its commit, at" if len(same) == 1 else _TOGETHER
        yield f"If it was killed, {names} {how.format(number)} {last}, unless the push goes on before"
    rest = [one.device for one in report.waiting if not one.is_sure]
    if rest:
        ends = [one.until for one in report.waiting if not one.is_sure]
        known = [one for one in ends if one is not None]
        last = f", at the latest {moment(max(known))}" if len(known) == len(ends) else ""
        yield f"On {named(rest)} a commit may wait, its end is not recorded: it reverts by itself{last}"


_TOGETHER = "revert by themselves {} s after their commits, the last at"


def wave_words(wave: WaveResult) -> str:
    """`Wave 2: 3 leaves of backend`."""
    number, fabric, role, canary, _, keeps = wave.wave
    if not role:
        return f"Outside of the waves: {count(len(wave.switches), 'switch', 'switches')}"
    which = count(len(wave.switches), *ROLES.get(role, (role, role)))
    below = "spines" if role == Tier.SUPERSPINE else "leaves"
    kept = "" if keeps == 1 else f"; {below} keep at least {share(keeps)} of their uplinks"
    return f"Wave {number}: {which} of {fabric}{', the first of its kind' if canary else ''}{kept}"


def need(switch: SwitchResult) -> str:
    """How a switch may be changed."""
    return NEEDS.get(switch.need, switch.need) or UNTOLD


def lines(switch: SwitchResult) -> str:
    """How much changes."""
    return UNTOLD if switch.lines is None else f"{switch.lines:,}"


def steps(switch: SwitchResult) -> str:
    """`change: load 0.4 s, commit 1.2 s; …`, stage by stage."""
    stages: dict[str, list[str]] = {}
    for step in switch.steps:
        stages.setdefault(step.stage, []).append(step_words(step))
    return "; ".join(f"{stage}: {', '.join(found)}" if stage else ", ".join(found) for stage, found in stages.items())


def step_words(step: StepReport) -> str:
    """`commit 1.2 s`; of one without an end that it has none."""
    took = "" if step.seconds is None else f" {seconds(step.seconds)}"
    return f"{step.step.value}{took}{_HOW.get(step.how, '')}"


_HOW = {"begun": " (no end is recorded)", "failed": " (failed)"}


def event_line(event: Event) -> str:
    """One event on one line: when, where, what, what was seen."""
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


def cut(text: str, most: int) -> str:
    """Text on one line, of so many characters at most."""
    clean = printable(text)
    return clean if len(clean) <= most else f"{clean[: most - 1]}…"
