"""A whole run: wave after wave, and how it ends."""

from collections.abc import Iterable
from contextlib import suppress

from fabricgen.device.device import Device
from fabricgen.diff.words import named
from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.standing import armed_words
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
from fabricgen.push.plan.duty import HookName, frozen, held_back
from fabricgen.push.prove.answers import RunMoment
from fabricgen.push.prove.idle_ports import drained_sessions
from fabricgen.push.prove.runs_committed import must_agree
from fabricgen.push.switch.switch import SwitchConnection, SwitchError

MOST_TOLD = 200
"""Sentences of each kind that are written down of the last check."""
SLICE_SECONDS = 1.0
"""Of a rest: a person who stops the run waits no longer."""


def push(means: Means, record: RunRecord) -> RunOutcome:
    """Bring every switch of a run to its artifact, and see that what stood stands.

    record  of a run that has just begun, or of one that was killed: that goes on where it was

    A run that fails or is stopped has put back what it had not confirmed. Raises FabricError where the fabric as it is
    does not bear the change, and where the journal cannot be written; it has put back as much then.
    """
    run = _Run(means, record)
    try:
        run.leases.take(means.clock())
        run.begin()
        run.waves()
        run.end()
        run.leases.hold()
    except RunStopped as stopped:
        run.leave()
        return run.finish(RunOutcome.STOPPED, {"reason": stopped.reason})
    except Failed as failed:
        run.leave()
        return run.finish(RunOutcome.FAILED, {"reasons": failed.reasons})
    except FabricError as error:
        with suppress(FabricError):  # where the journal itself is what failed
            run.leave()
            run.finish(RunOutcome.FAILED, {"reasons": {"": str(error)}})
        raise
    return run.finish(RunOutcome.DONE, {})


NOT_WAITED = (
    "all is changed; stopped by hand before it was seen that no traffic is left on {names}: pull no cable there yet"
)


class _Run:
    def __init__(self, means: Means, record: RunRecord) -> None:
        self._means, self._record = means, record
        self._steps = RunSteps(means, record.number)
        self._duty = Duty(means, self._steps, record)
        self._drained: dict[str, Device] = {}  # switches that their artifacts drain
        self._probing = Probing(means, self._steps)
        self._entered: set[int] = set()  # waves that see to themselves
        self.leases = Leases(means.fleet, means.claim, self._names())

    def waves(self) -> None:
        """Wave after wave."""
        past = RunProgress(self._record)
        is_seen = past.has_seen(0) and self._means.checks.is_kept("start", self._around())
        if past.touched and not is_seen:
            raise Failed({"": NOT_KEPT})
        if not is_seen:
            self._means.checks.look("start", self._around())
            self._steps.note(StepName.READ, StepState.ENDED, detail={"wave": 0})
        later = [frozenset(wave.devices) - past.done for wave in self._record.waves]
        # Where nothing is changed yet that can be seen still: it may have been killed between the two rounds.
        lossy = past.lossy if past.touched else None
        self._probing.begins(lossy, frozenset[str]().union(*later), past.unprobed)
        changed = frozenset(past.done)
        for at, wave in enumerate(self._record.waves):
            if self._means.stop.is_set() and past.touched.isdisjoint(later[at]):
                raise RunStopped
            waiting = frozenset[str]().union(*later[at + 1 :])
            if later[at] and past.touched.isdisjoint(later[at]):  # one that was begun is brought to its end
                self._may_begin()
                self._duty.begins(HookName.WAVE_BEGINS, _values(wave))
            self.leases.again(self._means.clock())
            self._entered.add(wave.number)
            WavePush(self._means, self._record, wave, waiting, self._probing).push()
            changed |= later[at]
            if later[at]:
                self._duty.ended(HookName.WAVE_ENDED, _values(wave))
            if waiting and (later[at] or self._owes(past, wave, later[at + 1])):
                self._soak(wave, changed, waiting)

    def begin(self) -> None:
        """See that something may begin now, and tell whom it concerns.

        Raises Stopped, and Failed where the run had failed before it was killed: what went back is not tried again.
        """
        past = RunProgress(self._record)
        if past.failed:
            self._means.tell("it had failed before it was killed: it only goes back")
            raise Failed(past.failed)
        if past.touched - past.done:
            return  # a killed run left switches half changed: they come first
        self._may_begin()
        found = frozen(self._means.rules, self._means.now())
        if found is not None:
            detail = {"freeze": found.why, "until": found.ends.isoformat(), "despite": self._means.rules.despite}
            self._steps.note(StepName.FREEZE, StepState.ENDED, detail=detail)
        self._duty.begins(HookName.RUN_BEGINS)

    def _may_begin(self) -> None:
        reason = held_back(self._means.rules, self._means.now())
        if reason:
            raise RunStopped(reason)

    def _owes(self, past: RunProgress, wave: Wave, following: frozenset[str]) -> bool:
        """Whether a run was killed in the rest behind a wave: what comes next waits for its end."""
        begins = bool(following) and past.touched.isdisjoint(following)
        return begins and not past.has_rested(wave.number)

    def _soak(self, wave: Wave, changed: frozenset[str], waiting: frozenset[str]) -> None:
        """Rest behind a wave, then see that what stood before the run stands still. Raises Failed, Stopped."""
        means, seconds = self._means, self._means.rules.rests(canary=wave.canary)
        if not seconds:
            return
        means.tell(f"wave {wave.number} of {len(self._record.waves)} is done; the next one begins in {seconds:g} s")
        self._steps.note(StepName.SOAK, StepState.BEGUN, detail={"wave": wave.number, "seconds": seconds})
        until = means.clock() + seconds
        while (left := until - means.clock()) > 0:
            if means.stop.is_set():
                raise RunStopped
            means.wait(min(left, SLICE_SECONDS))
            self.leases.again(means.clock())
        means.checks.look("soaked", means.checks.around(changed))
        found = means.checks.compare("start", "soaked", self._moment(changed, waiting))
        how = StepState.FAILED if found.new else StepState.ENDED
        self._steps.note(StepName.SOAK, how, detail={"wave": wave.number, **found.detail(MOST_TOLD)})
        if found.new:
            raise Failed({"": f"{seconds:g} s after wave {wave.number}, which is confirmed: {found.first}"})

    def _moment(self, changed: frozenset[str], waiting: frozenset[str]) -> RunMoment:
        lines = {one.device: self._means.added(one) for one in self._record.planned if one.device in changed}
        return RunMoment(frozenset(), changed, waiting, brought=lines)

    def end(self) -> None:
        """See the whole once more, with nothing left to wait for."""
        means, settings = self._means, self._means.settings
        changed = self._names()
        moment = self._moment(changed, frozenset())
        began = means.clock()
        self._steps.note(StepName.CHECK, StepState.BEGUN)
        while True:
            means.checks.look("end", self._around())
            found = means.checks.compare("start", "end", moment)
            if not found.new or means.clock() >= began + settings.converge:
                break
            means.wait(settings.interval)
        self._steps.note(
            StepName.CHECK, StepState.FAILED if found.new else StepState.ENDED, detail=found.detail(MOST_TOLD)
        )
        if found.new:
            raise Failed({"": f"all is pushed, and the last check finds: {found.first}"})
        self._steps.each(StepName.COMPARE, "", sorted(changed), self._agree)
        self._calm()

    def _agree(self, box: SwitchConnection) -> None:
        """See that a switch still runs its artifact, whatever it was told to keep; and whether that drains it.

        Where it will end a commit by itself, whoever made it, what it runs now says nothing of what it runs then.
        """
        goal, means = self._means.goal(box.name), self._means
        armed = armed_on(box, means.clock, means.wait, means.settings.converge)
        if armed is not None:
            raise SwitchError("locked", f"all is pushed, and it may not stay: {armed_words(armed)}")
        must_agree(box, goal.candidate)
        if drained_sessions(goal.device):
            self._drained[box.name] = goal.device

    def _calm(self) -> None:
        """See that the traffic has left what the intent drains: only then may it be pulled."""
        drained = dict(sorted(self._drained.items()))
        if drained:
            self._means.tell(f"waits until no traffic is left on {named(sorted(drained))}")
            established = {name: self._means.checks.established("end", name) for name in drained}
            try:
                DrainWait(self._means, self._steps, drained, established, stage="").wait()
            except RunStopped as stopped:
                raise RunStopped(NOT_WAITED.format(names=named(sorted(drained)))) from stopped

    def leave(self) -> None:
        """Go back on what a killed run left half changed, where this one ends before it has come to it."""
        for wave in self._record.waves:
            if wave.number not in self._entered:
                WavePush(self._means, self._record, wave, frozenset(), self._probing).leave()

    def finish(self, outcome: RunOutcome, detail: dict[str, object]) -> RunOutcome:
        """Write how it ended, and be at work no more but where something of it is left."""
        journal = self._means.journal
        self._duty.ended(HookName.RUN_ENDED, {"outcome": outcome, **detail})
        events = journal.record(self._record.number).events
        left = {event.device for event in events if event.step is StepName.REVERT and event.how is StepState.FAILED}
        if left and self._means.claim is not None:
            self._means.tell(left_words(left))
        self.leases.release(left)  # before the end is written: a run without an end goes on, and takes them again
        journal.finish(self._record.number, outcome, detail)
        return outcome

    def _names(self) -> frozenset[str]:
        return frozenset(name for wave in self._record.waves for name in wave.devices)

    def _around(self) -> Iterable[str]:
        return self._means.checks.around(self._names())


def _values(wave: Wave) -> dict[str, object]:
    """A wave, for a hook."""
    return {"wave": wave.number, "fabric": wave.fabric, "role": wave.role, "switches": list(wave.devices)}
