"""Manual changes on a switch while a commit was pending there: a revert undoes them, so they are read and reported."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from fabricgen.errors import FabricError
from fabricgen.push.act.step import RunSteps
from fabricgen.push.model import StepName, StepState
from fabricgen.push.plan.by_hand import Drifts, HandLine, parts, typed, undone
from fabricgen.push.plan.risk import MASK
from fabricgen.push.prove.change_scope import names_in
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.verify.collect.redact_config import REMOVED, without_secrets

GONE = "its commit is no longer waiting: it reverted, was never made, or was confirmed by someone else"
UNREAD = "its running configuration could not be read before the revert: {reason}"
OTHER = "its intended configuration at that time is unknown"

Texts = Mapping[str, str]
"""Path → text; the main file's path is empty."""


def aimed(candidate: Candidate, comment: str) -> Texts:
    """What a switch runs after a commit, by the committed text. comment: prefix of lines to ignore."""
    texts = {"": candidate.text, **candidate.files}
    plain = {path: str(without_secrets(text)) for path, text in texts.items()}
    rows = {
        path: [row for row in text.splitlines() if not row.lstrip().startswith(comment)] for path, text in plain.items()
    }
    return {path: plain[path] if path == "" else "\n".join(lines) for path, lines in rows.items()}


def _own(changed: tuple[HandLine, ...]) -> Iterator[HandLine]:
    """The lines, except pairs that differ only in the form of a secret: a switch may print it differently."""
    masked = {(_masked(line), line.present) for line in changed if REMOVED in line.line}
    return (line for line in changed if REMOVED not in line.line or (_masked(line), not line.present) not in masked)


def _masked(line: HandLine) -> HandLine:
    """A line up to its secret, added or removed."""
    return line._replace(line=MASK.sub("", line.line), present=True)


class Window:
    """Manual changes during one wave.

    drifts     switch → function that compares two of its configurations; None if there is none
    committed  returns what this run committed last on a switch, without secrets; None where unknown
    lines      switch → lines that were typed there and are undone
    meanwhile  switch → lines that were typed there while the new lines were merged
    """

    def __init__(
        self,
        steps: RunSteps,
        drifts: Callable[[str], Drifts] | None,
        committed: Callable[[SwitchConnection], Texts | None],
    ) -> None:
        self._steps, self._drifts, self._committed = steps, drifts, committed
        self.lines: dict[str, tuple[HandLine, ...]] = {}
        self.meanwhile: dict[str, tuple[HandLine, ...]] = {}
        self._seen: set[str] = set()

    @contextmanager
    def reverting(self, switch: SwitchConnection, *, is_whole: bool) -> Iterator[None]:
        """Find what the revert undoes that the caller makes inside this context.

        is_whole  whether the commit had ended: otherwise its lines may be missing, and missing lines mean nothing
        """
        if self._drifts is None:
            yield
            return
        self._seen.add(switch.name)
        drifts, paths = self._drifts(switch.name), tuple(switch.profile.files.values())
        try:
            then, now = self._committed(switch), parts(switch.running(), paths)
        except SwitchError as error:
            yield
            self._unknown(switch.name, UNREAD.format(reason=error.reason))
            return
        heads, typed_lines = switch.profile.heads_by_path, self.meanwhile.get(switch.name, ())
        if then is not None:
            changed = _own(typed(switch.name, then, now, drifts, heads))
            typed_lines = tuple(line for line in changed if is_whole or line.present)
        elif not typed_lines:
            yield
            self._unknown(switch.name, OTHER)
            return
        if typed_lines:  # a kill in between must not lose them
            self._note(switch.name, StepState.BEGUN, typed_lines)
        yield
        if typed_lines:
            with suppress(SwitchError):  # otherwise all of them are reported
                typed_lines = undone(typed_lines, parts(switch.running(), paths), now, drifts, heads)
            self._note(switch.name, StepState.ENDED, typed_lines)
            self.lines[switch.name] = typed_lines

    def changes_before(self, switch: SwitchConnection, before: str | None, runs: str) -> str:
        """End of a revert's message: a change made right before our commit is active again, and its lines.

        before  the configuration until then; None where unknown
        """
        changed: Iterable[HandLine] = ()
        if self._drifts is not None and before is not None:
            then, now = (parts(text, switch.profile.files.values()) for text in (before, runs))
            changed = _own(typed(switch.name, then, now, self._drifts(switch.name), switch.profile.heads_by_path))
        lines = [f"{line.place} ({'added' if line.present else 'removed'})" for line in changed]
        return f", with manual changes right before that{': ' if lines else ''}{'; '.join(lines)}"

    def note_unseen(self, name: str) -> None:
        """Record that a commit of this run is no longer pending, and that nobody has seen what was lost with it."""
        if self._drifts is not None and name not in self._seen:
            self._unknown(name, GONE)

    def with_causes(self, reasons: Mapping[str, str]) -> dict[str, str]:
        """Why switches failed, prefixed with a manual line that is likely the cause."""
        return {name: "".join((*self._causes(name, reason), reason)) for name, reason in reasons.items()}

    def _causes(self, name: str, reason: str) -> Iterator[str]:
        names_in_reason = names_in([reason])
        for typed_line in (line for lines in self.lines.values() for line in lines):
            if (typed_line.is_shut and typed_line.device == name) or not names_in_reason.isdisjoint(
                names_in([typed_line.place])
            ):
                action = "typed" if typed_line.present else "removed"
                yield (
                    f"{typed_line.place}, {action} manually on {typed_line.device} while its "
                    "commit waited, is the likely cause: "
                )
                return

    def _unknown(self, name: str, reason: str) -> None:
        self._write(name, StepState.ENDED, {"unknown": reason})

    def _note(self, name: str, how: StepState, typed_lines: Iterable[HandLine]) -> None:
        rows = tuple(typed_lines)
        added, removed = ([line.place for line in rows if line.present is present] for present in (True, False))
        self._write(name, how, {"lines": added, **({"removed": removed} if removed else {})})

    def _write(self, name: str, how: StepState, detail: Mapping[str, object]) -> None:
        with suppress(FabricError):  # the rollback continues even if the journal fails
            self._steps.note(StepName.UNDO, how, device=name, detail=detail)
