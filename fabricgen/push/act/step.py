"""One step on many switches: recorded before it begins and after it has ended, so that a kill loses nothing."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from fabricgen.errors import FabricError
from fabricgen.push.act.work import Failed, Means
from fabricgen.push.model import StepName, StepState
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.errors import OUT_OF_REACH
from fabricgen.push.switch.switch import SwitchError

T = TypeVar("T")


class RunSteps:
    """Steps of one run.

    left   what becomes of an unreachable switch, in words; "" for nothing
    error  step, name and error of a switch → the error to record
    """

    def __init__(
        self,
        means: Means,
        run: int,
        left: Callable[[str], str] = lambda name: "",
        error: Callable[[StepName, str, SwitchError], SwitchError] = lambda step, name, error: error,
    ) -> None:
        self._means, self._run, self._left, self._error = means, run, left, error

    def note(
        self,
        step: StepName,
        how: StepState,
        *,
        device: str = "",
        stage: str = "",
        detail: Mapping[str, object] | None = None,
    ) -> None:
        """Write one event of the journal; it is on the disk when this returns."""
        self._means.journal.note(self._run, step, how, device=device, stage=stage, detail=detail or {})

    def each(
        self,
        step: StepName,
        stage: str,
        names: Iterable[str],
        act: Callable[[SwitchConnection], T],
        detail: Callable[[T], Mapping[str, object]] = lambda value: {},
        begun: Callable[[SwitchConnection], Mapping[str, object]] = lambda value: {},
    ) -> dict[str, T]:
        """Take a step on each of these switches. Raises Failed with all that failed, once all have ended.

        detail, begun  what the journal records of its end, and of its beginning
        """
        results, reasons = self.tried(step, stage, names, act, detail, begun)
        if reasons:
            raise Failed(reasons)
        return results

    def tried(
        self,
        step: StepName,
        stage: str,
        names: Iterable[str],
        act: Callable[[SwitchConnection], T],
        detail: Callable[[T], Mapping[str, object]] = lambda value: {},
        begun: Callable[[SwitchConnection], Mapping[str, object]] = lambda value: {},
    ) -> tuple[dict[str, T], dict[str, str]]:
        """Take a step like `each`; return the results, and the reasons of the failed ones."""
        noted: set[str] = set()

        def run_noted(switch: SwitchConnection) -> T:
            self.note(step, StepState.BEGUN, device=switch.name, stage=stage, detail=begun(switch))
            try:
                value = act(switch)
            except SwitchError as error:
                self._failed(step, stage, switch.name, self._error(step, switch.name, error))
                noted.add(switch.name)
                raise
            self.note(step, StepState.ENDED, device=switch.name, stage=stage, detail=detail(value))
            return value

        results: dict[str, T] = {}
        reasons: dict[str, str] = {}
        for name, result in self._means.fleet.each(names, run_noted).items():
            if isinstance(result, SwitchError):
                error = self._error(step, name, result)
                reasons[name] = self._reason(name, error)
                if name not in noted:  # it was not even connected to
                    self._failed(step, stage, name, error)
            else:
                results[name] = result
        return results, reasons

    def undo(self, stage: str, names: Iterable[str], act: Callable[[SwitchConnection], str]) -> None:
        """Roll back on each of these switches: done first, then recorded if the journal can still be written.

        act  does it and returns the result, in words
        """
        for name, result in self._means.fleet.each(names, act).items():
            is_failed = isinstance(result, SwitchError)
            # Locked by somebody else, so it could not be reverted: the commit is still pending there.
            is_pending = isinstance(result, SwitchError) and result.kind == "locked" and not stage
            reason = self._reason(name, result, is_left=is_pending) if isinstance(result, SwitchError) else ""
            detail = {"kind": result.kind, "reason": reason} if isinstance(result, SwitchError) else {"why": result}
            with suppress(FabricError):
                how = StepState.FAILED if is_failed else StepState.ENDED
                self.note(StepName.REVERT, how, device=name, stage=stage, detail=detail)

    def _failed(self, step: StepName, stage: str, name: str, error: SwitchError) -> None:
        detail = {"kind": error.kind, "reason": self._reason(name, error)}
        self.note(step, StepState.FAILED, device=name, stage=stage, detail=detail)

    def _reason(self, name: str, error: SwitchError, *, is_left: bool = False) -> str:
        consequence = self._left(name) if is_left or error.kind in OUT_OF_REACH else ""
        return f"{error.reason}; {consequence}" if consequence else error.reason
