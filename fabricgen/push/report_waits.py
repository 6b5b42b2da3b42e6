"""Commits of an unfinished run that wait on their switches, and go back by themselves when their time is over."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from fabricgen.push.model import Event, How, StepName


class Waiting(NamedTuple):
    """One commit that nothing tells to be confirmed or reverted.

    seconds  after which it goes back, and until: when at the latest; None where no end of the commit is told
    is_sure  that it waits; else its commit or its confirmation was only begun, or failed
    """

    device: str
    seconds: int | None
    until: datetime | None
    is_sure: bool


def waiting_of(events: Iterable[Event]) -> tuple[Waiting, ...]:
    """What waits by these events, in the order in which it was committed."""
    found: dict[str, Waiting] = {}
    for event in events:
        if event.step is StepName.COMMIT:
            found.pop(event.device, None)
            found |= {one.device: one for one in _committed(event)}
        elif event.step is StepName.CONFIRM and event.how is not How.ENDED and event.device in found:
            found[event.device] = found[event.device]._replace(is_sure=False)
        elif event.step in _ENDS and event.how is How.ENDED:
            found.pop(event.device, None)
    return tuple(found.values())


_ENDS = (StepName.CONFIRM, StepName.REVERT, StepName.DONE)


def _committed(event: Event) -> tuple[Waiting, ...]:
    """Of a commit that is not timed nothing."""
    if event.how is not How.ENDED:
        return (Waiting(event.device, None, None, is_sure=False),)
    seconds = event.detail.get("seconds")
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        return ()
    try:
        until = event.at + timedelta(seconds=seconds)
    except OverflowError:  # of a journal that a hand changed
        return ()
    return (Waiting(event.device, seconds, until, is_sure=True),)
