"""SR Linux's list of commits: which is pending, whose it is, and how it ended.

A commit by JSON-RPC carries no message (srl-labs/learn-srlinux at 84c9427, json-rpc/basics.md: Set has
`confirm-timeout` and no other parameter of a commit). So a checkpoint of what runs is made right before each commit,
whose name identifies the owner of the next commit. A pending commit is ours if there is no other commit between that
checkpoint and it.

Leaves and values: /system/configuration/commit and …/checkpoint of Nokia's YANG of 25.3.1; `ended` is absent while a
commit is in progress. napalm-srlinux, whose tests run on switches in containers, relies on the status `unconfirmed` of
a pending commit, and on a revert that takes time after it (at af22132, napalm_srlinux/srlinux.py, has_pending_commit;
test/ci/commit_confirm.py). Others measured on such a switch that an expired commit stays in the list as `failed`
(templates/srlinux/NOTES.md, Unsure).
"""

from datetime import datetime
from typing import NamedTuple

from fabricgen.platforms.base.live.run_marks import OURS
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.srlinux.live.values import number, rows, word

CONFIGURATION = "/system/configuration"
WAITS, KEPT, REVERTS = "unconfirmed", "complete", "reverting"
UNDER_WAY = ("validating", "publishing", "checkpoint", "save", REVERTS)
"""States of a commit in progress."""


class Commit(NamedTuple):
    """One commit. number: its key; ended: whether the switch gives an end time."""

    begun: datetime
    number: int
    status: str
    ended: bool

    @property
    def is_under_way(self) -> bool:
        """Whether the switch is still working on it."""
        return self.status in UNDER_WAY and not self.ended


def commits(shown: object) -> tuple[Commit, ...]:
    """Return commits, oldest first. Raises NotUnderstoodError.

    shown  output of CONFIGURATION in the datastore `state`
    """
    all_commits = (
        Commit(_time(row, "started"), number(row, "id"), word(row, "status", ""), bool(word(row, "ended", "")))
        for row in rows(shown, "commit")
    )
    return tuple(sorted(all_commits))


def waiting(listed: tuple[Commit, ...]) -> Commit | None:
    """Return the pending commit."""
    return next((commit for commit in reversed(listed) if commit.status == WAITS), None)


def is_busy(listed: tuple[Commit, ...]) -> bool:
    """Return whether the newest commit is in progress, or any is being reverted.

    Commits before the newest have ended.
    """
    return any(commit.is_under_way for commit in listed[-1:]) or any(
        commit.is_under_way and commit.status == REVERTS for commit in listed
    )


def checkpoint_before(shown: object, listed: tuple[Commit, ...], commit: Commit) -> str:
    """Return our checkpoint right before a commit; "" if another commit, or none of ours, came before it."""
    previous = max((other.begun for other in listed if other.begun < commit.begun), default=None)
    checkpoints = sorted((_time(row, "created"), word(row, "name", "")) for row in rows(shown, "checkpoint"))
    names = [
        name for created, name in checkpoints if (previous is None or previous <= created) and created <= commit.begun
    ]
    return names[-1] if names and names[-1].startswith(OURS) else ""


def _time(row: object, name: str) -> datetime:
    """Return a date and time of RFC 3339, with its offset."""
    try:
        time = datetime.fromisoformat(word(row, name))
    except ValueError:
        raise NotUnderstoodError(f"no date and time {name!r}") from None
    if time.tzinfo is None:
        raise NotUnderstoodError(f"a time without an offset {name!r}")
    return time
