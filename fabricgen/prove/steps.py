"""The steps of a proof, in order: what each does to the switch, which claims it tests, and its maximum duration.

A step leaves the switch unchanged, or is the last one: what it left armed is ended, and the configuration is compared.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.proof import Trial
from fabricgen.prove import basics, interrupting, whole_config
from fabricgen.prove.bench import ProofBench
from fabricgen.prove.killing import Killing
from fabricgen.prove.values import ProofSettings, ProofSubject

Act = Callable[[ProofBench], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofStep:
    """One step.

    name     for --skip
    does     what it does to the switch, in one sentence
    trials   what it tests
    timers   number of timers that run out in it, at most
    limited  the switch's own limit for an abandoned commit runs out in it
    seconds  typical maximum duration without these timers
    risk     to the traffic of the switch; "" for none
    commits  it changes the running configuration temporarily
    """

    name: str
    does: str
    trials: tuple[Trial, ...]
    act: Act
    timers: int = 0
    limited: bool = False
    seconds: int = 10
    risk: str = ""
    commits: bool = True


class PlannedStep(NamedTuple):
    """A step, and why it is skipped; "" if it is not. changes: lines that change in it besides the test lines."""

    step: ProofStep
    reason: str
    changes: tuple[str, ...] = ()


def steps_of(killing: Killing) -> tuple[ProofStep, ...]:
    """Every step, skipped or not."""
    basic = (
        ProofStep(
            name="read",
            does="read everything that verify reads, and both configurations",
            trials=(Trial.READ, Trial.SECRETS),
            act=basics.read,
            commits=False,
        ),
        ProofStep(
            name="load",
            does="load and compare the test lines and a wrong line; commit neither",
            trials=(Trial.COMPARE, Trial.REFUSE),
            act=basics.load,
            commits=False,
        ),
        ProofStep(
            name="timer",
            does="commit the test lines on a timer, read them from two sessions, and let the timer expire",
            trials=(Trial.EMPTY, Trial.UNSAVED, Trial.SECOND, Trial.HITLESS, Trial.TIMER),
            act=basics.timer,
            timers=1,
            seconds=30,
        ),
        ProofStep(
            name="revert",
            does="commit the test lines on a timer, and roll the commit back",
            trials=(Trial.REVERT,),
            act=basics.revert,
            seconds=20,
        ),
        ProofStep(
            name="kill",
            does="commit the test lines from another process, kill that while the commit waits, and only read",
            trials=(Trial.KILL_WAITING,),
            act=killing.waiting,
            timers=1,
            seconds=30,
        ),
        ProofStep(
            name="kill-committing",
            does="the same, killed half-way through the commit",
            trials=(Trial.KILL_COMMITTING,),
            act=killing.committing,
            timers=1,
            limited=True,
            seconds=30,
        ),
    )
    return (*basic, *_by_leave())


def _by_leave() -> Iterator[ProofStep]:
    """Steps that need an option or an intent."""
    yield ProofStep(
        name="port",
        does="shut down the port on a timer, and roll the commit back",
        trials=(Trial.PORT,),
        act=interrupting.port,
        seconds=60,
        risk="traffic of the port is interrupted",
    )
    yield ProofStep(
        name="session",
        does="shut down the session on a timer, and roll the commit back",
        trials=(Trial.SESSION,),
        act=interrupting.session,
        seconds=60,
        risk="traffic that depends on the session alone is interrupted",
    )
    yield ProofStep(
        name="confirm",
        does="confirm the test lines, then restore the original configuration, and confirm that",
        trials=(Trial.CONFIRM, Trial.REPLACE),
        act=interrupting.keep,
        seconds=40,
        risk="a kill between the two confirmations leaves the test lines; comments in the configuration may be lost",
    )
    yield ProofStep(
        name="whole",
        does="replace the running configuration by the rendered one on a timer, verify, and roll the commit back",
        trials=(Trial.VERIFY,),
        act=whole_config.whole,
        seconds=60,
        risk="features that differ between the two configurations are interrupted",
    )
    yield ProofStep(
        name="drain",
        does="merge the lines of a drain on a timer, query the peers, and roll the commit back",
        trials=(Trial.DRAIN,),
        act=whole_config.drain,
        seconds=90,
        risk="traffic takes other paths for a while",
    )


def planned(
    steps: tuple[ProofStep, ...], subject: ProofSubject, profile: CommitProfile, settings: ProofSettings
) -> tuple[PlannedStep, ...]:
    """Each step, with the reason if it is skipped."""
    return tuple(PlannedStep(step, _reason(step, subject, profile, settings)) for step in steps)


def _reason(step: ProofStep, subject: ProofSubject, profile: CommitProfile, settings: ProofSettings) -> str:
    if step.name in settings.skip:
        return "skipped by --skip"
    if step.commits and not profile.timed:
        return f"{profile.driver} has no commit that reverts by itself"
    needs = {
        "port": (bool(settings.port), "no --port was given"),
        "session": (bool(settings.session), "no --session was given"),
        "confirm": (settings.confirm, "--confirm was not given"),
        "whole": (subject.whole is not None, "no INTENT was given"),
        "drain": (subject.whole is not None, "no INTENT was given"),
    }
    is_given, reason = needs.get(step.name, (True, ""))
    if not is_given:
        return reason
    if step.name in ("confirm", "whole") and not profile.replaces:
        return f"{profile.driver} cannot replace a configuration by rendered text"
    return ""


def seconds_of(planned_step: PlannedStep, hold: int, limit: int) -> int:
    """Typical maximum seconds of a step. hold: of a timer; limit: of a commit that its client abandoned."""
    step = planned_step.step
    return step.seconds + step.timers * (max(hold, limit) if step.limited else hold)
