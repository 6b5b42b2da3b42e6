"""One step on many switches: written down before it is begun and after it has ended, so that a kill loses nothing."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from fabricgen.errors import FabricError
from fabricgen.push.box import Box, BoxError
from fabricgen.push.model import How, StepName
from fabricgen.push.work import Failed, Means

T = TypeVar("T")


def nothing(value: object) -> Mapping[str, object]:
    """No detail."""
    del value
    return {}


class Steps:
    """Steps of one run."""

    def __init__(self, means: Means, run: int) -> None:
        self._means, self._run = means, run

    def note(
        self, step: StepName, how: How, *, device: str = "", stage: str = "", detail: Mapping[str, object] | None = None
    ) -> None:
        """Write one line of the journal; it is there when this returns."""
        self._means.journal.note(self._run, step, how, device=device, stage=stage, detail=detail or {})

    def each(
        self,
        step: StepName,
        stage: str,
        names: Iterable[str],
        act: Callable[[Box], T],
        detail: Callable[[T], Mapping[str, object]] = nothing,
    ) -> dict[str, T]:
        """Take a step on each of these switches. Raises Failed with all that failed, once every one has ended."""
        found, reasons = self.tried(step, stage, names, act, detail)
        if reasons:
            raise Failed(reasons)
        return found

    def tried(
        self,
        step: StepName,
        stage: str,
        names: Iterable[str],
        act: Callable[[Box], T],
        detail: Callable[[T], Mapping[str, object]] = nothing,
    ) -> tuple[dict[str, T], dict[str, str]]:
        """The same; what came of it, and the reasons of those that failed."""
        noted: set[str] = set()

        def one(box: Box) -> T:
            self.note(step, How.BEGUN, device=box.name, stage=stage)
            try:
                value = act(box)
            except BoxError as error:
                self._failed(step, stage, box.name, error)
                noted.add(box.name)
                raise
            self.note(step, How.ENDED, device=box.name, stage=stage, detail=detail(value))
            return value

        found: dict[str, T] = {}
        reasons: dict[str, str] = {}
        for name, result in self._means.fleet.each(names, one).items():
            if isinstance(result, BoxError):
                reasons[name] = result.reason
                if name not in noted:  # it was not even connected to
                    self._failed(step, stage, name, result)
            else:
                found[name] = result
        return found, reasons

    def undo(self, stage: str, names: Iterable[str], act: Callable[[Box], str]) -> None:
        """Go back on each of these switches: done first, and written down as far as the journal still takes it.

        act  what came of it, in words
        """
        for name, result in self._means.fleet.each(names, act).items():
            failed = isinstance(result, BoxError)
            detail = {"kind": result.kind, "reason": result.reason} if isinstance(result, BoxError) else {"why": result}
            with suppress(FabricError):
                how = How.FAILED if failed else How.ENDED
                self.note(StepName.REVERT, how, device=name, stage=stage, detail=detail)

    def _failed(self, step: StepName, stage: str, name: str, error: BoxError) -> None:
        detail = {"kind": error.kind, "reason": error.reason}
        self.note(step, How.FAILED, device=name, stage=stage, detail=detail)
