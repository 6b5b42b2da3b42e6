"""What hands did on a switch while a commit waited there: a revert undoes it, so it is read before, and told."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from fabricgen.errors import FabricError
from fabricgen.push.act.step import RunSteps
from fabricgen.push.model import StepName, StepState
from fabricgen.push.plan.by_hand import Drifts, HandLine, parts, typed, undone
from fabricgen.push.plan.risk import MASK
from fabricgen.push.prove.change_scope import names_in
from fabricgen.push.switch.switch import Candidate, SwitchConnection, SwitchError
from fabricgen.verify.collect.redact_config import REMOVED, without_secrets

GONE = "its commit waits there no more: it went back by itself, was never made, or somebody else confirmed it"
UNREAD = "what it ran could not be read before the revert: {reason}"
OTHER = "what it was to run then is not known any more"

Texts = Mapping[str, str]
"""Path → text; the main file's path is empty."""


def aimed(candidate: Candidate, comment: str) -> Texts:
    """What a switch runs behind a commit, by what was committed. comment: begins a line that is none."""
    texts = {"": candidate.text, **candidate.files}
    plain = {path: str(without_secrets(text)) for path, text in texts.items()}
    rows = {
        path: [row for row in text.splitlines() if not row.lstrip().startswith(comment)] for path, text in plain.items()
    }
    return {path: plain[path] if path == "" else "\n".join(found) for path, found in rows.items()}


def _own(every: tuple[HandLine, ...]) -> Iterator[HandLine]:
    """Those that are no secret of the same line: it may be written in another way than it was sent."""
    both = {(_masked(one), one.present) for one in every if REMOVED in one.line}
    return (one for one in every if REMOVED not in one.line or (_masked(one), not one.present) not in both)


def _masked(one: HandLine) -> HandLine:
    """A line up to its secret, of whichever way."""
    return one._replace(line=MASK.sub("", one.line), present=True)


class Window:
    """Of one wave.

    drifts     switch → how lines of its configurations are told apart; None where nobody can
    committed  what this run committed last on a switch, without secrets; None where that is not known
    lines      switch → lines that were typed there and are undone
    met        switch → lines that were typed there while what it was to run was merged
    """

    def __init__(
        self,
        steps: RunSteps,
        drifts: Callable[[str], Drifts] | None,
        committed: Callable[[SwitchConnection], Texts | None],
    ) -> None:
        self._steps, self._drifts, self._committed = steps, drifts, committed
        self.lines: dict[str, tuple[HandLine, ...]] = {}
        self.met: dict[str, tuple[HandLine, ...]] = {}
        self._seen: set[str] = set()

    @contextmanager
    def over(self, box: SwitchConnection, *, is_whole: bool) -> Iterator[None]:
        """Find out, while a commit is reverted in the middle of this, what that undoes.

        is_whole  whether the commit had ended: else what it was to bring may lack, and lines that lack tell nothing
        """
        if self._drifts is None:
            yield
            return
        self._seen.add(box.name)
        drifts, paths = self._drifts(box.name), tuple(box.profile.files.values())
        try:
            then, now = self._committed(box), parts(box.running(), paths)
        except SwitchError as error:
            yield
            self._unknown(box.name, UNREAD.format(reason=error.reason))
            return
        heads, found = box.profile.heads_by_path, self.met.get(box.name, ())
        if then is not None:
            every = _own(typed(box.name, then, now, drifts, heads))
            found = tuple(one for one in every if is_whole or one.present)
        elif not found:
            yield
            self._unknown(box.name, OTHER)
            return
        if found:  # a kill in between must not lose them
            self._note(box.name, StepState.BEGUN, found)
        yield
        if found:
            with suppress(SwitchError):  # then all of them are told
                found = undone(found, parts(box.running(), paths), now, drifts, heads)
            self._note(box.name, StepState.ENDED, found)
            self.lines[box.name] = found

    def beside(self, box: SwitchConnection, before: str | None, runs: str) -> str:
        """Behind the words of a revert: that what somebody changed right before our commit runs again, and what.

        before  what it ran until then; None where that is not known
        """
        found: Iterable[HandLine] = ()
        if self._drifts is not None and before is not None:
            then, now = (parts(text, box.profile.files.values()) for text in (before, runs))
            found = _own(typed(box.name, then, now, self._drifts(box.name), box.profile.heads_by_path))
        lines = [f"{one.place} ({'added' if one.present else 'removed'})" for one in found]
        return f", with what somebody changed right before that{': ' if lines else ''}{'; '.join(lines)}"

    def missed(self, name: str) -> None:
        """Say that a commit of this run is not there any more, and that nobody has seen what went with it."""
        if self._drifts is not None and name not in self._seen:
            self._unknown(name, GONE)

    def likely(self, reasons: Mapping[str, str]) -> dict[str, str]:
        """Why switches failed; where a line that somebody typed meanwhile is likely the cause, with that."""
        return {name: "".join((*self._causes(name, reason), reason)) for name, reason in reasons.items()}

    def _causes(self, name: str, reason: str) -> Iterator[str]:
        spoken = names_in([reason])
        for one in (line for lines in self.lines.values() for line in lines):
            if (one.is_shut and one.device == name) or not spoken.isdisjoint(names_in([one.place])):
                done = "typed" if one.present else "removed"
                yield f"{one.place}, {done} by hand on {one.device} while it waited, is likely why: "
                return

    def _unknown(self, name: str, why: str) -> None:
        self._write(name, StepState.ENDED, {"unknown": why})

    def _note(self, name: str, how: StepState, found: Iterable[HandLine]) -> None:
        rows = tuple(found)
        added, removed = ([one.place for one in rows if one.present is present] for present in (True, False))
        self._write(name, how, {"lines": added, **({"removed": removed} if removed else {})})

    def _write(self, name: str, how: StepState, detail: Mapping[str, object]) -> None:
        with suppress(FabricError):  # what goes back goes back, whatever becomes of the journal
            self._steps.note(StepName.UNDO, how, device=name, detail=detail)
