"""A whole run: wave after wave, and how it ends."""

from collections.abc import Iterable
from contextlib import suppress

from fabricgen.diff.words import named
from fabricgen.errors import FabricError
from fabricgen.push.calm import Calm
from fabricgen.push.checks import Moment
from fabricgen.push.model import How, Outcome, RunRecord, StepName
from fabricgen.push.past import Past
from fabricgen.push.quiet import drained_sessions
from fabricgen.push.steps import Steps
from fabricgen.push.wave import WavePush
from fabricgen.push.work import Failed, Means, Stopped


def push(means: Means, record: RunRecord) -> Outcome:
    """Bring every switch of a run to its artifact, and see that what stood stands.

    record  of a run that has just begun, or of one that was killed: that goes on where it was

    A run that fails or is stopped has put back what it had not confirmed. Raises FabricError where the fabric as it is
    does not bear the change, and where the journal can not be written; it has put back as much then.
    """
    run = _Run(means, record)
    try:
        run.waves()
        run.end()
    except Stopped:
        return run.finish(Outcome.STOPPED, {"reason": "stopped by hand before the next switch"})
    except Failed as failed:
        return run.finish(Outcome.FAILED, {"reasons": failed.reasons})
    except FabricError as error:
        with suppress(FabricError):  # where the journal itself is what failed
            means.journal.finish(record.number, Outcome.FAILED, {"reasons": {"": str(error)}})
        raise
    return run.finish(Outcome.DONE, {})


class _Run:
    def __init__(self, means: Means, record: RunRecord) -> None:
        self._means, self._record = means, record
        self._steps = Steps(means, record.number)

    def waves(self) -> None:
        """Wave after wave."""
        past = Past(self._record)
        if not past.has_seen(0):
            self._means.checks.look("start", self._around())
            self._steps.note(StepName.READ, How.ENDED, detail={"wave": 0})
        later = [frozenset(wave.devices) - past.done for wave in self._record.waves]
        for at, wave in enumerate(self._record.waves):
            if self._means.stop.is_set():
                raise Stopped
            waiting = frozenset[str]().union(*later[at + 1 :])
            WavePush(self._means, self._record, wave, waiting).push()

    def end(self) -> None:
        """See the whole once more, with nothing left to wait for."""
        means, settings = self._means, self._means.settings
        changed = self._names()
        began = means.clock()
        self._steps.note(StepName.CHECK, How.BEGUN)
        while True:
            means.checks.look("end", self._around())
            found = means.checks.compare("start", "end", Moment(frozenset(), changed, frozenset()))
            if not found.new or means.clock() >= began + settings.converge:
                break
            means.wait(settings.interval)
        self._steps.note(StepName.CHECK, How.FAILED if found.new else How.ENDED, detail=found.detail())
        if found.new:
            raise Failed({"": f"all is pushed, and the last check finds: {found.new[0]}"})
        self._calm()

    def _calm(self) -> None:
        """See that the traffic has left what the intent drains: only then may it be pulled."""
        devices = {name: self._means.work(name).goal.device for name in sorted(self._names())}
        drained = {name: device for name, device in devices.items() if drained_sessions(device)}
        if drained:
            self._means.tell(f"waits until no traffic is left on {named(sorted(drained))}")
            established = {name: self._means.checks.established("end", name) for name in drained}
            Calm(self._means, self._steps, drained, established, stage="").wait()

    def finish(self, outcome: Outcome, detail: dict[str, object]) -> Outcome:
        """Write how it ended."""
        self._means.journal.finish(self._record.number, outcome, detail)
        return outcome

    def _names(self) -> frozenset[str]:
        return frozenset(name for wave in self._record.waves for name in wave.devices)

    def _around(self) -> Iterable[str]:
        return self._means.checks.around(self._names())
