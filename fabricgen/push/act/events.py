"""Hooks of one run: each is recorded in the journal before it is called and after it has ended."""

from collections.abc import Mapping

from fabricgen.base.schema_version import VERSIONED
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.work import Means, RunStopped
from fabricgen.push.model import RunRecord, StepName, StepState
from fabricgen.push.plan.duty import HookError, HookName

_NOTHING: Mapping[str, object] = {}


class Duty:
    """Calls the hooks of a run."""

    def __init__(self, means: Means, steps: RunSteps, record: RunRecord) -> None:
        self._means, self._steps, self._record = means, steps, record

    def begins(self, event: HookName, values: Mapping[str, object] = _NOTHING) -> None:
        """Ask whether something may begin. Raises RunStopped if the hook refuses or does not answer."""
        reason = self._called(event, values)
        if reason:
            raise RunStopped(f"the hook {event} stopped it: {reason}")

    def ended(self, event: HookName, values: Mapping[str, object] = _NOTHING) -> None:
        """Report what has ended. A failed hook is reported, and has no other effect."""
        reason = self._called(event, values)
        if reason:
            self._means.print_line(f"the hook {event} failed: {reason}")

    def _called(self, event: HookName, values: Mapping[str, object]) -> str:
        hook = self._means.rules.hooks.get(event)
        if hook is None:
            return ""
        self._steps.note(StepName.HOOK, StepState.BEGUN, detail={"event": event})
        try:
            self._means.call(hook, {**VERSIONED, "event": event, **self._run(), **values})
        except HookError as error:
            self._steps.note(StepName.HOOK, StepState.FAILED, detail={"event": event, "reason": str(error)})
            return str(error)
        self._steps.note(StepName.HOOK, StepState.ENDED, detail={"event": event})
        return ""

    def _run(self) -> Mapping[str, object]:
        head = self._record.head
        return {
            "run": self._record.number,
            "intent": head.intent,
            "inventory": head.inventory,
            "approval": head.approval,
            "who": head.who,
            "in_freeze": self._means.rules.despite,
        }
