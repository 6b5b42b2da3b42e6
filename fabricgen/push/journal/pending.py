"""Commits of an unfinished run that wait on their switches, and revert by themselves when their time is over."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from fabricgen.push.model import Event, StepName, StepState


class PendingCommit(NamedTuple):
    """One commit that nothing tells to be confirmed or reverted.

    seconds  after which it goes back; None where no end of the commit is told
    until    when at the latest it goes back; None where that is not known
    is_sure  that it waits; else its commit or its confirmation was only begun, or failed
    """

    device: str
    seconds: int | None
    until: datetime | None
    is_sure: bool


def waiting_of(events: Iterable[Event]) -> tuple[PendingCommit, ...]:
    """What waits by these events, in the order in which it was committed."""
    found: dict[str, PendingCommit] = {}
    for event in events:
        if event.step is StepName.COMMIT:
            found.pop(event.device, None)
            found |= {one.device: one for one in _committed(event)}
        elif event.step is StepName.CONFIRM and event.how is not StepState.ENDED and event.device in found:
            found[event.device] = found[event.device]._replace(is_sure=False)
        elif event.step in _ENDS and event.how is StepState.ENDED:
            found.pop(event.device, None)
    return tuple(found.values())


_ENDS = (StepName.CONFIRM, StepName.REVERT, StepName.DONE)


def _committed(event: Event) -> tuple[PendingCommit, ...]:
    """Of a commit that is not timed nothing."""
    seconds = _number(event.detail.get("seconds"))
    if event.how is not StepState.ENDED:
        # It may have begun to wait at the end of the time that its making has.
        within = _number(event.detail.get("within"))
        until = _later(event.at, within + seconds) if within and seconds is not None else None
        return (PendingCommit(event.device, None, until, is_sure=False),)
    if seconds is None:
        return ()
    until = _later(event.at, seconds)
    return (PendingCommit(event.device, seconds, until, is_sure=True),) if until is not None else ()


def _number(found: object) -> int | None:
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _later(at: datetime, seconds: int) -> datetime | None:
    try:
        return at + timedelta(seconds=seconds)
    except OverflowError:  # of a journal that a hand changed
        return None
