"""What SR Linux tells of its commits: which waits for its confirmation, whose it is, and how it ended.

A commit by JSON-RPC carries no message (srl-labs/learn-srlinux at 84c9427, json-rpc/basics.md: Set has
`confirm-timeout` and no other parameter of a commit). So a checkpoint of what ran is made right before each, whose name
says whose commit follows; what waits is ours where nothing was committed between that checkpoint and it, by anybody.

Leaves and words: /system/configuration/commit and …/checkpoint of Nokia's YANG of 25.3.1, by which `ended` is absent
while a commit is in progress. That a commit which waits has the status `unconfirmed`, and that a revert takes its time
behind that, is what napalm-srlinux rests on, whose tests run on switches in containers (at af22132,
napalm_srlinux/srlinux.py, has_pending_commit; test/ci/commit_confirm.py). That the record of one which nobody confirmed
stays, as `failed`, was measured by others on such a switch (templates/srlinux/NOTES.md, Unsure).
"""

from datetime import datetime
from typing import NamedTuple

from fabricgen.platforms.base.live.standing import OURS
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.srlinux.live.values import number, rows, word

CONFIGURATION = "/system/configuration"
WAITS, KEPT, REVERTS = "unconfirmed", "complete", "reverting"
UNDER_WAY = ("validating", "publishing", "checkpoint", "save", REVERTS)
"""States of a commit that the switch is at work on."""


class Commit(NamedTuple):
    """One commit. number: its key; ended: whether the switch says when."""

    begun: datetime
    number: int
    status: str
    ended: bool

    @property
    def is_under_way(self) -> bool:
        """Whether the switch is at work on it."""
        return self.status in UNDER_WAY and not self.ended


def commits(shown: object) -> tuple[Commit, ...]:
    """Commits, oldest first. shown: the answer to CONFIGURATION in the datastore `state`. Raises NotUnderstoodError."""
    found = (
        Commit(_time(row, "started"), number(row, "id"), word(row, "status", ""), bool(word(row, "ended", "")))
        for row in rows(shown, "commit")
    )
    return tuple(sorted(found))


def waiting(listed: tuple[Commit, ...]) -> Commit | None:
    """The one that waits for its confirmation."""
    return next((one for one in reversed(listed) if one.status == WAITS), None)


def is_busy(listed: tuple[Commit, ...]) -> bool:
    """Whether the switch is at work on the newest, or takes one back. What came before the newest has ended."""
    return any(one.is_under_way for one in listed[-1:]) or any(
        one.is_under_way and one.status == REVERTS for one in listed
    )


def checkpoint_before(shown: object, listed: tuple[Commit, ...], commit: Commit) -> str:
    """Checkpoint of ours right before a commit; "" where another commit or none of ours came before."""
    last = max((one.begun for one in listed if one.begun < commit.begun), default=None)
    made = sorted((_time(row, "created"), word(row, "name", "")) for row in rows(shown, "checkpoint"))
    names = [name for created, name in made if (last is None or last <= created) and created <= commit.begun]
    return names[-1] if names and names[-1].startswith(OURS) else ""


def _time(row: object, name: str) -> datetime:
    """Date and time of RFC 3339, with its offset."""
    try:
        found = datetime.fromisoformat(word(row, name))
    except ValueError:
        raise NotUnderstoodError(f"no date and time {name!r}") from None
    if found.tzinfo is None:
        raise NotUnderstoodError(f"a time without an offset {name!r}")
    return found
