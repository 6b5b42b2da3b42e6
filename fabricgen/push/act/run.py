"""A whole run: wave after wave, and its end."""

from collections.abc import Iterable
from contextlib import suppress

from fabricgen.device.device import Device
from fabricgen.diff.words import named
from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.run_marks import armed_words
from fabricgen.push.act.events import Duty
from fabricgen.push.act.leases import Leases, left_words
from fabricgen.push.act.probing import Probing
from fabricgen.push.act.run_wave import NOT_KEPT, WavePush
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.switch_stage import armed_on
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.act.wait_drained import DrainWait
from fabricgen.push.act.work import Failed, Means, RunStopped
from fabricgen.push.model import RunOutcome, RunRecord, StepName, StepState, Wave
from fabricgen.push.plan.duty import HookName, frozen, why_not_now
from fabricgen.push.prove.answers import RunMoment
from fabricgen.push.prove.idle_ports import drained_sessions
from fabricgen.push.prove.runs_committed import must_agree
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import SwitchError

MOST_TOLD = 200
"""Maximum number of sentences of each kind that the last check records."""
SLICE_SECONDS = 1.0
"""Length of one sleep during a soak: a person who stops the run waits no longer than this."""


def push(means: Means, record: RunRecord) -> RunOutcome:
    """Bring every switch of a run to its artifact, and check that sessions and paths stay up.

    record  of a run that has just begun, or of one that was killed and is resumed

    A run that fails or is stopped has reverted what it had not confirmed. Raises FabricError if the fabric in its
    present state cannot bear the change, or the journal cannot be written; unconfirmed changes are reverted then too.
    """
    run = _Run(means, record)
    try:
        run.leases.take(means.clock())
        run.begin()
        run.waves()
        run.end()
        run.leases.check()
    except RunStopped as stopped:
        run.leave()
        return run.finish(RunOutcome.STOPPED, {"reason": stopped.reason})
    except Failed as failed:
        run.leave()
        return run.finish(RunOutcome.FAILED, {"reasons": failed.reasons})
    except FabricError as error:
        with suppress(FabricError):  # the journal itself may be what failed
            run.leave()
            run.finish(RunOutcome.FAILED, {"reasons": {"": str(error)}})
        raise
    return run.finish(RunOutcome.DONE, {})


NOT_WAITED = (
    "all switches are changed; stopped by the operator before {names} had no traffic left: do not unplug cables there "
    "yet"
)


class _Run:
    def __init__(self, means: Means, record: RunRecord) -> None:
        self._means, self._record = means, record
        self._steps = RunSteps(means, record.number)
        self._duty = Duty(means, self._steps, record)
        self._drained: dict[str, Device] = {}  # switches that their artifacts drain
        self._probing = Probing(means, self._steps)
        self._entered: set[int] = set()  # numbers of waves that do their own rollback
        self.leases = Leases(means.fleet, means.claim, self._names())

    def waves(self) -> None:
        """Push the waves in order."""
        progress = RunProgress(self._record)
        has_snapshot = progress.took_snapshot(0) and self._means.checks.has_snapshot("start", self._around())
        if progress.touched and not has_snapshot:
            raise Failed({"": NOT_KEPT})
        if not has_snapshot:
            self._means.checks.take_snapshot("start", self._around())
            self._steps.note(StepName.READ, StepState.ENDED, detail={"wave": 0})
        later = [frozenset(wave.devices) - progress.done for wave in self._record.waves]
        # Until something is changed, probe again: the run may have been killed between the two rounds.
        lossy = progress.lossy if progress.touched else None
        self._probing.begins(lossy, frozenset[str]().union(*later), progress.unprobed)
        changed = frozenset(progress.done)
        for index, wave in enumerate(self._record.waves):
            if self._means.stop.is_set() and progress.touched.isdisjoint(later[index]):
                raise RunStopped
            waiting = frozenset[str]().union(*later[index + 1 :])
            if later[index] and progress.touched.isdisjoint(later[index]):  # a wave that was begun is finished
                self._may_begin()
                self._duty.begins(HookName.WAVE_BEGINS, _values(wave))
            self.leases.renew(self._means.clock())
            self._entered.add(wave.number)
            WavePush(self._means, self._record, wave, waiting, self._probing).push()
            changed |= later[index]
            if later[index]:
                self._duty.ended(HookName.WAVE_ENDED, _values(wave))
            if waiting and (later[index] or self._owes_soak(progress, wave, later[index + 1])):
                self._soak(wave, changed, waiting)

    def begin(self) -> None:
        """Check that the run may begin now, and call the hooks.

        Raises RunStopped, and Failed if the run had failed before it was killed: a reverted change is not tried again.
        """
        progress = RunProgress(self._record)
        if progress.failed:
            self._means.print_line("it had failed before it was killed: it is only rolled back")
            raise Failed(progress.failed)
        if progress.touched - progress.done:
            return  # a killed run left switches half changed: they come first
        self._may_begin()
        freeze = frozen(self._means.rules, self._means.now())
        if freeze is not None:
            detail = {"freeze": freeze.why, "until": freeze.ends.isoformat(), "despite": self._means.rules.despite}
            self._steps.note(StepName.FREEZE, StepState.ENDED, detail=detail)
        self._duty.begins(HookName.RUN_BEGINS)

    def _may_begin(self) -> None:
        reason = why_not_now(self._means.rules, self._means.now())
        if reason:
            raise RunStopped(reason)

    def _owes_soak(self, progress: RunProgress, wave: Wave, following: frozenset[str]) -> bool:
        """Whether a run was killed during the soak after a wave: the next wave must wait for the rest of it."""
        begins = bool(following) and progress.touched.isdisjoint(following)
        return begins and not progress.has_soaked(wave.number)

    def _soak(self, wave: Wave, changed: frozenset[str], waiting: frozenset[str]) -> None:
        """Wait after a wave, then check that what was up before the run is still up. Raises Failed, RunStopped."""
        means, seconds = self._means, self._means.rules.pause_after(canary=wave.canary)
        if not seconds:
            return
        means.print_line(
            f"wave {wave.number} of {len(self._record.waves)} is done; the next one begins in {seconds:g} s"
        )
        self._steps.note(StepName.SOAK, StepState.BEGUN, detail={"wave": wave.number, "seconds": seconds})
        until = means.clock() + seconds
        while (seconds_left := until - means.clock()) > 0:
            if means.stop.is_set():
                raise RunStopped
            means.wait(min(seconds_left, SLICE_SECONDS))
            self.leases.renew(means.clock())
        means.checks.take_snapshot("soaked", means.checks.around(changed))
        verdicts = means.checks.compare("start", "soaked", self._moment(changed, waiting))
        how = StepState.FAILED if verdicts.new else StepState.ENDED
        self._steps.note(StepName.SOAK, how, detail={"wave": wave.number, **verdicts.detail(MOST_TOLD)})
        if verdicts.new:
            raise Failed({"": f"{seconds:g} s after wave {wave.number}, which is confirmed: {verdicts.first}"})

    def _moment(self, changed: frozenset[str], waiting: frozenset[str]) -> RunMoment:
        lines = {
            switch.device: self._means.added(switch) for switch in self._record.planned if switch.device in changed
        }
        return RunMoment(frozenset(), changed, waiting, brought=lines)

    def end(self) -> None:
        """Check the whole fabric once more, with no changes left."""
        means, settings = self._means, self._means.settings
        changed = self._names()
        moment = self._moment(changed, frozenset())
        started = means.clock()
        self._steps.note(StepName.CHECK, StepState.BEGUN)
        while True:
            means.checks.take_snapshot("end", self._around())
            verdicts = means.checks.compare("start", "end", moment)
            if not verdicts.new or means.clock() >= started + settings.converge:
                break
            means.wait(settings.interval)
        self._steps.note(
            StepName.CHECK, StepState.FAILED if verdicts.new else StepState.ENDED, detail=verdicts.detail(MOST_TOLD)
        )
        if verdicts.new:
            raise Failed({"": f"all switches are pushed, but the last check finds: {verdicts.first}"})
        self._steps.each(StepName.COMPARE, "", sorted(changed), self._agree)
        self._wait_drained()

    def _agree(self, switch: SwitchConnection) -> None:
        """Check that a switch still runs its artifact, and record whether the artifact drains it.

        If it will end a commit by itself, whoever made it, its present configuration says nothing about the later one.
        """
        goal, means = self._means.goal(switch.name), self._means
        armed = armed_on(switch, means.clock, means.wait, means.settings.converge)
        if armed is not None:
            raise SwitchError(
                "locked", f"all switches are pushed, but the configuration may revert: {armed_words(armed)}"
            )
        must_agree(switch, goal.candidate)
        if drained_sessions(goal.device):
            self._drained[switch.name] = goal.device

    def _wait_drained(self) -> None:
        """Check that no traffic is left on what the intent drains: only then may its cables be removed."""
        drained = dict(sorted(self._drained.items()))
        if drained:
            self._means.print_line(f"waits until no traffic is left on {named(sorted(drained))}")
            established = {name: self._means.checks.established("end", name) for name in drained}
            try:
                DrainWait(self._means, self._steps, drained, established, stage="").wait()
            except RunStopped as stopped:
                raise RunStopped(NOT_WAITED.format(names=named(sorted(drained)))) from stopped

    def leave(self) -> None:
        """Roll back what a killed run left half changed, if this run ends before it reaches it."""
        for wave in self._record.waves:
            if wave.number not in self._entered:
                WavePush(self._means, self._record, wave, frozenset(), self._probing).leave()

    def finish(self, outcome: RunOutcome, detail: dict[str, object]) -> RunOutcome:
        """Record the outcome, and release the leases except where something of the run is left."""
        journal = self._means.journal
        self._duty.ended(HookName.RUN_ENDED, {"outcome": outcome, **detail})
        events = journal.record(self._record.number).events
        stuck = {event.device for event in events if event.step is StepName.REVERT and event.how is StepState.FAILED}
        if stuck and self._means.claim is not None:
            self._means.print_line(left_words(stuck))
        self.leases.release(stuck)  # before the end is recorded: a run without an end is resumed, and takes them again
        journal.finish(self._record.number, outcome, detail)
        return outcome

    def _names(self) -> frozenset[str]:
        return frozenset(name for wave in self._record.waves for name in wave.devices)

    def _around(self) -> Iterable[str]:
        return self._means.checks.around(self._names())


def _values(wave: Wave) -> dict[str, object]:
    """A wave, for a hook."""
    return {"wave": wave.number, "fabric": wave.fabric, "role": wave.role, "switches": list(wave.devices)}
