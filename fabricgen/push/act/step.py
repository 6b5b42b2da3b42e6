"""One step on many switches: written down before it is begun and after it has ended, so that a kill loses nothing."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from fabricgen.errors import FabricError
from fabricgen.push.act.work import Failed, Means
from fabricgen.push.model import StepName, StepState
from fabricgen.push.switch.errors import AWAY
from fabricgen.push.switch.switch import SwitchConnection, SwitchError

T = TypeVar("T")

OUT_OF_REACH = frozenset({*AWAY, "login", "host-key"})
"""Kinds of a switch that nothing can be done to."""


def nothing(value: object) -> Mapping[str, object]:
    """No detail."""
    del value
    return {}


def silent(name: str) -> str:
    """Nothing more is known."""
    del name
    return ""


class RunSteps:
    """Steps of one run. left: what becomes of a switch that is not reached, in words; "" where nothing does."""

    def __init__(self, means: Means, run: int, left: Callable[[str], str] = silent) -> None:
        self._means, self._run, self._left = means, run, left

    def note(
        self,
        step: StepName,
        how: StepState,
        *,
        device: str = "",
        stage: str = "",
        detail: Mapping[str, object] | None = None,
    ) -> None:
        """Write one line of the journal; it is there when this returns."""
        self._means.journal.note(self._run, step, how, device=device, stage=stage, detail=detail or {})

    def each(
        self,
        step: StepName,
        stage: str,
        names: Iterable[str],
        act: Callable[[SwitchConnection], T],
        detail: Callable[[T], Mapping[str, object]] = nothing,
        begun: Callable[[SwitchConnection], Mapping[str, object]] = nothing,
    ) -> dict[str, T]:
        """Take a step on each of these switches. Raises Failed with all that failed, once every one has ended.

        detail, begun  what the journal is to know of its end, and already when it begins
        """
        found, reasons = self.tried(step, stage, names, act, detail, begun)
        if reasons:
            raise Failed(reasons)
        return found

    def tried(
        self,
        step: StepName,
        stage: str,
        names: Iterable[str],
        act: Callable[[SwitchConnection], T],
        detail: Callable[[T], Mapping[str, object]] = nothing,
        begun: Callable[[SwitchConnection], Mapping[str, object]] = nothing,
    ) -> tuple[dict[str, T], dict[str, str]]:
        """The same; what came of it, and the reasons of those that failed."""
        noted: set[str] = set()

        def one(box: SwitchConnection) -> T:
            self.note(step, StepState.BEGUN, device=box.name, stage=stage, detail=begun(box))
            try:
                value = act(box)
            except SwitchError as error:
                self._failed(step, stage, box.name, error)
                noted.add(box.name)
                raise
            self.note(step, StepState.ENDED, device=box.name, stage=stage, detail=detail(value))
            return value

        found: dict[str, T] = {}
        reasons: dict[str, str] = {}
        for name, result in self._means.fleet.each(names, one).items():
            if isinstance(result, SwitchError):
                reasons[name] = self._reason(name, result)
                if name not in noted:  # it was not even connected to
                    self._failed(step, stage, name, result)
            else:
                found[name] = result
        return found, reasons

    def undo(self, stage: str, names: Iterable[str], act: Callable[[SwitchConnection], str]) -> None:
        """Go back on each of these switches: done first, and written down as far as the journal still takes it.

        act  what came of it, in words
        """
        for name, result in self._means.fleet.each(names, act).items():
            failed = isinstance(result, SwitchError)
            # What is held by somebody else and could not be reverted waits there still.
            waits = isinstance(result, SwitchError) and result.kind == "locked" and not stage
            reason = self._reason(name, result, is_left=waits) if isinstance(result, SwitchError) else ""
            detail = {"kind": result.kind, "reason": reason} if isinstance(result, SwitchError) else {"why": result}
            with suppress(FabricError):
                how = StepState.FAILED if failed else StepState.ENDED
                self.note(StepName.REVERT, how, device=name, stage=stage, detail=detail)

    def _failed(self, step: StepName, stage: str, name: str, error: SwitchError) -> None:
        detail = {"kind": error.kind, "reason": self._reason(name, error)}
        self.note(step, StepState.FAILED, device=name, stage=stage, detail=detail)

    def _reason(self, name: str, error: SwitchError, *, is_left: bool = False) -> str:
        more = self._left(name) if is_left or error.kind in OUT_OF_REACH else ""
        return f"{error.reason}; {more}" if more else error.reason
