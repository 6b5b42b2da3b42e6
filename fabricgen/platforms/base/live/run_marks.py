"""State on a switch apart from its configuration: a commit that is armed, and the run that is at work there."""

import hashlib
import re
from enum import StrEnum
from typing import NamedTuple


class Phase(StrEnum):
    """Progress of a commit that its switch will end by itself.

    CHANGES  it is being made, and is not known to wait
    WAITS    it waits for its confirmation
    ENDS     it is being confirmed or reverted
    LOST     the process that would have reverted it is gone
    """

    CHANGES = "changes"
    WAITS = "waits"
    ENDS = "ends"
    LOST = "lost"


class Armed(NamedTuple):
    """A commit that its switch will end by itself.

    token    by which a push recognises its own; "" if it has none
    seconds  until the switch reverts to what ran before; None if not shown
    who      made it, if the switch says so
    """

    token: str
    phase: Phase
    seconds: int | None = None
    who: str = ""


class Lease(NamedTuple):
    """The run that is at work on a switch, over any number of commits.

    token    of the run; owner: user@host; note: what it does, in words
    seconds  since the run last renewed it
    """

    token: str
    owner: str
    note: str
    seconds: int


class RunMarks(NamedTuple):
    """Armed commit and lease; None for what does not exist."""

    armed: Armed | None = None
    lease: Lease | None = None


OURS = "fabricgen-"
"""First characters of the names that a push gives its commits if a switch stores no message."""
_LENGTH = 8
_RUN = re.compile(r"fabricgen(?: ([0-9a-f]{12}) |-([0-9a-f]{8})[0-9a-f]{8}$)")


def name_of(message: str) -> str:
    """Name of the commit with this message: start of the run's token, and a digest. At most 26 characters."""
    digest = hashlib.sha256(message.encode()).hexdigest()
    return f"{OURS}{(run_of(message) or 'x' * _LENGTH)[:_LENGTH]}{digest[:_LENGTH]}"


def run_of(token: str) -> str:
    """Token of the run that made this commit, or its first characters; "" if it does not say."""
    match = _RUN.match(token)
    return (match[1] or match[2]) if match else ""


def armed_words(armed: Armed) -> str:
    """The armed commit and how it ends, in one sentence without its full stop."""
    which = f"a commit of push {run_of(armed.token)}" if run_of(armed.token) else "a commit"
    name = f" ({armed.token})" if armed.token else ""
    who = f" by {armed.who}" if armed.who else ""
    return f"{which}{name}{who} {_PHASES[armed.phase]}{_when(armed)}"


_PHASES = {
    Phase.CHANGES: "is under way",
    Phase.WAITS: "is waiting for confirmation",
    Phase.ENDS: "is being confirmed or rolled back",
    Phase.LOST: "has lost the process that would roll it back: its changes stay until someone rolls them back",
}


def _when(armed: Armed) -> str:
    if armed.phase in (Phase.ENDS, Phase.LOST):
        return ""
    if armed.seconds is None:
        return ": without confirmation the switch reverts to its previous configuration; the time is not shown"
    return f": without confirmation the switch reverts to its previous configuration in {armed.seconds} s"


def lease_words(lease: Lease) -> str:
    """Who is at work, in one sentence without its full stop."""
    note = f": {lease.note}" if lease.note else ""
    return f"{lease.owner} changes it with push {lease.token}{note}; last report {lease.seconds} s ago"
