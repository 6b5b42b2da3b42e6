"""What stands on a switch beside its configuration: a commit that is armed, and who is at work there."""

import hashlib
import re
from enum import StrEnum
from typing import NamedTuple


class Phase(StrEnum):
    """How far a commit is that its switch will end by itself.

    CHANGES  it is being made, and is not known to wait
    WAITS    for its confirmation
    ENDS     it is being kept, or put back
    LOST     what would have put it back is gone
    """

    CHANGES = "changes"
    WAITS = "waits"
    ENDS = "ends"
    LOST = "lost"


class Armed(NamedTuple):
    """A commit that its switch will end by itself.

    token    by which a push knows its own; "" where it has none
    seconds  until the switch puts back what ran before; None where that is not shown
    who      made it, where the switch says so
    """

    token: str
    phase: Phase
    seconds: int | None = None
    who: str = ""


class Lease(NamedTuple):
    """Who is at work on a switch, over however many commits.

    token    of the run; owner: user@host; note: what it does, in words
    seconds  since that was said last
    """

    token: str
    owner: str
    note: str
    seconds: int


class RunMarks(NamedTuple):
    """Both; None for what is not there."""

    armed: Armed | None = None
    lease: Lease | None = None


OURS = "fabricgen-"
"""First characters of the names that a push gives its commits where a switch takes no message."""
_LENGTH = 8
_RUN = re.compile(r"fabricgen(?: ([0-9a-f]{12}) |-([0-9a-f]{8})[0-9a-f]{8}$)")


def name_of(message: str) -> str:
    """Name of the commit with this message: of the run as much as fits, and a digest. Names are no longer than 26."""
    digest = hashlib.sha256(message.encode()).hexdigest()
    return f"{OURS}{(run_of(message) or 'x' * _LENGTH)[:_LENGTH]}{digest[:_LENGTH]}"


def run_of(token: str) -> str:
    """Token of the run whose commit this is, or its first characters; "" where it does not say."""
    found = _RUN.match(token)
    return (found[1] or found[2]) if found else ""


def armed_words(armed: Armed) -> str:
    """What is armed, and what becomes of it, in one sentence without its end."""
    which = f"a commit of push {run_of(armed.token)}" if run_of(armed.token) else "a commit"
    name = f" ({armed.token})" if armed.token else ""
    who = f" by {armed.who}" if armed.who else ""
    return f"{which}{name}{who} {_PHASES[armed.phase]}{_when(armed)}"


_PHASES = {
    Phase.CHANGES: "is under way",
    Phase.WAITS: "waits for its confirmation",
    Phase.ENDS: "is being kept, or put back",
    Phase.LOST: "has lost the process that would put it back: what it changed stays until somebody puts it back",
}


def _when(armed: Armed) -> str:
    if armed.phase in (Phase.ENDS, Phase.LOST):
        return ""
    if armed.seconds is None:
        return ": if nobody confirms it the switch goes back to what it ran before, when is not shown"
    return f": if nobody confirms it the switch goes back to what it ran before in {armed.seconds} s"


def lease_words(lease: Lease) -> str:
    """Who is at work, in one sentence without its end."""
    note = f": {lease.note}" if lease.note else ""
    return f"{lease.owner} is at work on it with push {lease.token}{note}; said {lease.seconds} s ago"
