"""Verification of a stage of a wave: its traffic has gone, its server ports are up, and all that was up is up."""

from collections.abc import Mapping

from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.wait_drained import DrainWait
from fabricgen.push.act.work import Failed, Means, SwitchWork, in_use
from fabricgen.push.model import PlannedSwitch, StageName, StepName, StepState
from fabricgen.push.prove.answers import RunMoment
from fabricgen.push.prove.snapshots import Verdicts

MOST_NEW = 20
"""Maximum number of sentences of each kind that one check records; the first new one is the reason in the message."""
PAUSE_SECONDS = 3
"""Seconds between two checks of a change that does not pass yet."""


class Proofs:
    """Verification of one wave.

    planned  every switch of the run; work: those of the wave
    waiting  switches of later waves
    before   name of the snapshot before the wave, and the seconds that it took
    """

    def __init__(
        self,
        means: Means,
        steps: RunSteps,
        planned: Mapping[str, PlannedSwitch],
        work: Mapping[str, SwitchWork],
        waiting: frozenset[str],
        before: tuple[str, float],
    ) -> None:
        self._means, self._steps, self._planned, self._work, self._waiting = means, steps, planned, work, waiting
        self._snapshot_name, self._snapshot_seconds = before

    def _last(self, started: float) -> float:
        """Deadline for a change to pass."""
        return started + max(self._means.settings.converge, 2 * self._snapshot_seconds)

    def _note(self, how: StepState, names: list[str], stage: StageName) -> None:
        for name in names:
            self._steps.note(StepName.QUIET, how, device=name, stage=stage)

    def wait_drained(self, names: list[str], stage: StageName) -> None:
        """Wait until the traffic has left; while server ports are up, only until peers have the drained routes."""
        drain_wait = self._drain_wait(names, stage)
        if stage is StageName.DRAIN:
            drain_wait.wait()
        else:
            self._note(StepState.BEGUN, names, stage)
            drain_wait.wait_peers()
            self._note(StepState.ENDED, names, stage)

    def _drain_wait(self, names: list[str], stage: StageName) -> DrainWait:
        works = {name: self._work[name] for name in names}
        goals = {name: work.drained or work.ports or work.marked for name, work in works.items()}
        drained = {name: goal.device for name, goal in goals.items() if goal is not None}
        self._means.checks.take_snapshot("drained", drained)  # sessions may have come up since
        established = {name: self._sessions(name) for name in drained}
        return DrainWait(self._means, self._steps, drained, established, stage)

    def _sessions(self, name: str) -> frozenset[str] | None:
        """Peers whose sessions are up, or were before; None where either snapshot lacks them."""
        before, now = (self._means.checks.established(snapshot, name) for snapshot in (self._snapshot_name, "drained"))
        return None if before is None or now is None else before | now

    def wait_ports_up(self, names: list[str], started: float) -> None:
        """Wait until the ports that were up before the wave are up; peers still prefer other switches meanwhile.

        Raises Failed where a port stays down for too long.
        """
        means, settings = self._means, self._means.settings
        self._note(StepState.BEGUN, names, StageName.PORTS)
        self._drain_wait(names, StageName.PORTS).wait_peers()
        means.wait(max(0.0, started + settings.watch - means.clock()))
        while True:
            is_late = means.clock() >= self._last(started)
            means.checks.take_snapshot("ports", names)
            down = {name: lost_port for name in names if (lost_port := self._down(name))}
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
        """Which port that was up before the wave, and is still in use, is down; empty where that is unknown."""
        before, now = (self._means.checks.up(snapshot, name) for snapshot in (self._snapshot_name, "ports"))
        ports = self._work[name].ports
        ports_in_use = frozenset() if ports is None else in_use(ports.device)
        lost = sorted((before or frozenset()) & ports_in_use - (now or frozenset()))
        return f"{len(lost)} of its ports were up before and are down now: {lost[0]}" if lost else ""

    def check(self, stage: StageName, names: list[str], started: float) -> None:
        """Wait until all checks pass that passed before. Raises Failed where they do not in time.

        A loss that lasts longer than the change may interrupt is not waited for.
        """
        for name in names:
            self._steps.note(StepName.CHECK, StepState.BEGUN, device=name, stage=stage)
        allowed = self._allowed(stage, names)
        verdicts, is_long = self._compared(self._moment(stage, names), names, started, allowed)
        detail = {**verdicts.detail(MOST_NEW), **({"allowed": allowed} if is_long else {})}
        how = StepState.FAILED if verdicts.new else StepState.ENDED
        for name in names:
            self._steps.note(StepName.CHECK, how, device=name, stage=stage, detail=detail)
        if verdicts.new:
            reason = (
                f"the interruption is longer than the {allowed:g} s that this change may take" if is_long else NOT_HELD
            )
            raise Failed(dict.fromkeys(names, f"{reason}: {verdicts.first}"))

    def _moment(self, stage: StageName, names: list[str]) -> RunMoment:
        drained = frozenset(name for name in names if stage is StageName.CHANGE and self._work[name].drained)
        accepted = frozenset(name for name in names if self._planned[name].accepted)
        changed = {name: switch for name, switch in self._planned.items() if name not in self._waiting}
        lines = {name: self._means.added(switch) for name, switch in changed.items()}
        return RunMoment(drained, frozenset(names), self._waiting, accepted, lines)

    def _allowed(self, stage: StageName, names: list[str]) -> float | None:
        """Seconds for which sessions and paths may be lost; None where unknown.

        A switch that is drained first may lose them meanwhile, without limit: they return in the last stage.
        """
        if stage is not StageName.CHANGE or any(self._work[name].drained for name in names):
            return None
        limits = [self._means.interruption(self._planned[name]) for name in names]
        known_limits = [seconds for seconds in limits if seconds is not None]
        return max(known_limits) if len(known_limits) == len(limits) else None

    def _compared(
        self, moment: RunMoment, names: list[str], started: float, allowed: float | None
    ) -> tuple[Verdicts, bool]:
        """Take snapshots until all checks pass, or time is over; and whether something is lost for too long.

        It is if two snapshots in a row miss it: a single one may have been taken between two states.
        """
        means, watched = self._means, started + self._means.settings.watch
        last, lost_before = self._last(started), frozenset[str]()
        if allowed is None:
            means.wait(max(0.0, watched - means.clock()))
        while True:
            read_at = means.clock()
            means.checks.take_snapshot("now", means.checks.around(names))
            verdicts = means.checks.compare(self._snapshot_name, "now", moment)
            is_long = allowed is not None and read_at >= started + allowed and not lost_before.isdisjoint(verdicts.lost)
            if is_long or (read_at >= watched and not verdicts.new) or (read_at >= last and verdicts.new):
                return verdicts, is_long
            lost_before = verdicts.lost
            means.wait(PAUSE_SECONDS if verdicts.new else max(0.0, min(PAUSE_SECONDS, watched - means.clock())))


NOT_HELD = "checks fail after the change"
