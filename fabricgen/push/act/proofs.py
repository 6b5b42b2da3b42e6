"""What proves a stage of a wave: its traffic has gone, its servers' ports are up, and what stood stands."""

from collections.abc import Mapping

from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.wait_drained import DrainWait
from fabricgen.push.act.work import Failed, Means, SwitchWork, in_use
from fabricgen.push.model import PlannedSwitch, StageName, StepName, StepState
from fabricgen.push.prove.answers import RunMoment
from fabricgen.push.prove.snapshots import Verdicts

MOST_NEW = 20
"""Sentences of each kind that are written down of one check; the first new one is the reason that is told."""
PAUSE_SECONDS = 3
"""Between two looks at a change that does not look right yet."""


class Proofs:
    """Of one wave.

    planned  every switch of the run; work: those of the wave
    waiting  switches of later waves
    look     name of the look before the wave, and the seconds that it took
    """

    def __init__(
        self,
        means: Means,
        steps: RunSteps,
        planned: Mapping[str, PlannedSwitch],
        work: Mapping[str, SwitchWork],
        waiting: frozenset[str],
        look: tuple[str, float],
    ) -> None:
        self._means, self._steps, self._planned, self._work, self._waiting = means, steps, planned, work, waiting
        self._look_name, self._look_seconds = look

    def _last(self, started: float) -> float:
        """When a change must look right at the latest."""
        return started + max(self._means.settings.converge, 2 * self._look_seconds)

    def _note(self, how: StepState, names: list[str], stage: StageName) -> None:
        for name in names:
            self._steps.note(StepName.QUIET, how, device=name, stage=stage)

    def calm(self, names: list[str], stage: StageName) -> None:
        """Wait until the traffic has gone another way; while servers' ports are up, until peers have heard of it."""
        calm = self._calming(names, stage)
        if stage is StageName.DRAIN:
            calm.wait()
        else:
            self._note(StepState.BEGUN, names, stage)
            calm.hear()
            self._note(StepState.ENDED, names, stage)

    def _calming(self, names: list[str], stage: StageName) -> DrainWait:
        works = {name: self._work[name] for name in names}
        held = {name: work.drained or work.ports or work.marked for name, work in works.items()}
        drained = {name: goal.device for name, goal in held.items() if goal is not None}
        self._means.checks.look("drained", drained)  # sessions may have come up since
        established = {name: self._sessions(name) for name in drained}
        return DrainWait(self._means, self._steps, drained, established, stage)

    def _sessions(self, name: str) -> frozenset[str] | None:
        """Peers whose sessions stand, or stood before; None where one of both was not read."""
        before, now = (self._means.checks.established(look, name) for look in (self._look_name, "drained"))
        return None if before is None or now is None else before | now

    def taken_up(self, names: list[str], started: float) -> None:
        """Wait until the ports that were up before the wave are up, while peers still take the switch last.

        Raises Failed where a port stays down for too long.
        """
        means, settings = self._means, self._means.settings
        self._note(StepState.BEGUN, names, StageName.PORTS)
        self._calming(names, StageName.PORTS).hear()
        means.wait(max(0.0, started + settings.watch - means.clock()))
        while True:
            is_late = means.clock() >= self._last(started)
            means.checks.look("ports", names)
            down = {name: found for name in names if (found := self._down(name))}
            if not down or is_late:
                break
            means.wait(PAUSE_SECONDS)
        for name, reason in down.items():
            self._steps.note(
                StepName.QUIET, StepState.FAILED, device=name, stage=StageName.PORTS, detail={"reason": reason}
            )
        if down:
            raise Failed(down)
        self._note(StepState.ENDED, names, StageName.PORTS)

    def _down(self, name: str) -> str:
        """Which port that was up before the wave, and is still to be, is not; empty where that cannot be told."""
        before, now = (self._means.checks.up(look, name) for look in (self._look_name, "ports"))
        ports = self._work[name].ports
        wanted = frozenset() if ports is None else in_use(ports.device)
        lost = sorted((before or frozenset()) & wanted - (now or frozenset()))
        return f"{len(lost)} of its ports that were up before are not: {lost[0]}" if lost else ""

    def stands(self, stage: StageName, names: list[str], started: float) -> None:
        """Wait until all looks right that did before. Raises Failed where it does not in time.

        What stood and is gone for longer than the change may interrupt it is not waited for.
        """
        for name in names:
            self._steps.note(StepName.CHECK, StepState.BEGUN, device=name, stage=stage)
        allowed = self._allowed(stage, names)
        found, is_long = self._looked(self._moment(stage, names), names, started, allowed)
        detail = {**found.detail(MOST_NEW), **({"allowed": allowed} if is_long else {})}
        how = StepState.FAILED if found.new else StepState.ENDED
        for name in names:
            self._steps.note(StepName.CHECK, how, device=name, stage=stage, detail=detail)
        if found.new:
            told = (
                f"what was up is lost for longer than the {allowed:g} s that this change may take"
                if is_long
                else NOT_HELD
            )
            raise Failed(dict.fromkeys(names, f"{told}: {found.first}"))

    def _moment(self, stage: StageName, names: list[str]) -> RunMoment:
        drained = frozenset(name for name in names if stage is StageName.CHANGE and self._work[name].drained)
        accepted = frozenset(name for name in names if self._planned[name].accepted)
        changed = {name: one for name, one in self._planned.items() if name not in self._waiting}
        lines = {name: self._means.added(one) for name, one in changed.items()}
        return RunMoment(drained, frozenset(names), self._waiting, accepted, lines)

    def _allowed(self, stage: StageName, names: list[str]) -> float | None:
        """Seconds for which what stood may be gone; None where nobody knows.

        What is drained first may fall while it is, and comes back in the last stage: nothing is said of that.
        """
        if stage is not StageName.CHANGE or any(self._work[name].drained for name in names):
            return None
        found = [self._means.interruption(self._planned[name]) for name in names]
        known = [seconds for seconds in found if seconds is not None]
        return max(known) if len(known) == len(found) else None

    def _looked(
        self, moment: RunMoment, names: list[str], started: float, allowed: float | None
    ) -> tuple[Verdicts, bool]:
        """Look until all is right, or is late; and whether something is gone for too long.

        It is, where two looks in a row miss it: one may have fallen between two states.
        """
        means, watched = self._means, started + self._means.settings.watch
        last, gone = self._last(started), frozenset[str]()
        if allowed is None:
            means.wait(max(0.0, watched - means.clock()))
        while True:
            began = means.clock()
            means.checks.look("now", means.checks.around(names))
            found = means.checks.compare(self._look_name, "now", moment)
            is_long = allowed is not None and began >= started + allowed and not gone.isdisjoint(found.lost)
            if is_long or (began >= watched and not found.new) or (began >= last and found.new):
                return found, is_long
            gone = found.lost
            means.wait(PAUSE_SECONDS if found.new else max(0.0, min(PAUSE_SECONDS, watched - means.clock())))


NOT_HELD = "the checks do not hold after the change"
