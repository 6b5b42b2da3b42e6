"""Commits of an unfinished run that are pending on their switches and revert when their timers end."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from fabricgen.push.journal.detail import number
from fabricgen.push.model import Event, StepName, StepState


class PendingCommit(NamedTuple):
    """One commit that no event says to be confirmed or reverted.

    seconds  after which it reverts; None where no event says that the commit ended
    until    when it reverts at the latest; None where unknown
    is_sure  it is pending; else its commit or its confirmation was only begun, or failed
    """

    device: str
    seconds: int | None
    until: datetime | None
    is_sure: bool


def waiting_of(events: Iterable[Event]) -> tuple[PendingCommit, ...]:
    """The pending commits according to these events, in the order in which they were committed."""
    pending: dict[str, PendingCommit] = {}
    for event in events:
        if event.step is StepName.COMMIT:
            pending.pop(event.device, None)
            pending |= {commit.device: commit for commit in _committed(event)}
        elif event.step is StepName.CONFIRM and event.how is not StepState.ENDED and event.device in pending:
            pending[event.device] = pending[event.device]._replace(is_sure=False)
        elif event.step in _ENDS and event.how is StepState.ENDED:
            pending.pop(event.device, None)
    return tuple(pending.values())


_ENDS = (StepName.CONFIRM, StepName.REVERT, StepName.DONE)


def _committed(event: Event) -> tuple[PendingCommit, ...]:
    """The pending commit of a COMMIT event; none of a commit without a timer."""
    seconds = number(event.detail, "seconds")
    if event.how is not StepState.ENDED:
        # Its timer may have started only at the end of the time allowed for the commit itself.
        within = number(event.detail, "within")
        until = _later(event.at, within + seconds) if within and seconds is not None else None
        return (PendingCommit(event.device, None, until, is_sure=False),)
    if seconds is None:
        return ()
    until = _later(event.at, seconds)
    return (PendingCommit(event.device, seconds, until, is_sure=True),) if until is not None else ()


def _later(at: datetime, seconds: int) -> datetime | None:
    try:
        return at + timedelta(seconds=seconds)
    except OverflowError:  # a journal that was edited by hand
        return None
