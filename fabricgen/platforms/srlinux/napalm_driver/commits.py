"""How the driver ends commits: each outcome is read from the switch's own list of commits.

Neither a successful reply nor a missing one proves the outcome: between a read and the next request the timer may fire,
or somebody else may commit. So after each request the state of the commit is read by its number.

The JSON-RPC server may be unavailable for a while after a commit that changes what it depends on
(nokia/srlinux-ansible-collection at f4ca5ce, plugins/module_utils/srlinux.py: saving is tried five times, 2 s apart).
So reads, and saving, which is idempotent, are retried until the timeout of a request.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from fabricgen.platforms.base.live.commit_operations import CommitOperationError
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.srlinux.live.commits import (
    CONFIGURATION,
    KEPT,
    WAITS,
    Commit,
    checkpoint_before,
    commits,
    is_busy,
    waiting,
)
from fabricgen.platforms.srlinux.live.values import table
from fabricgen.platforms.srlinux.napalm_driver.errors import AnswerError, AwayError, CommitFailedError, ConfirmError
from fabricgen.platforms.srlinux.napalm_driver.rpc import STATE, Rpc

T = TypeVar("T")

ACCEPT_AND_SAVE = ("/tools system configuration confirmed-accept", "/tools system configuration save")
REJECT = f"{CONFIGURATION}/confirmed-reject"
SAVE = f"{CONFIGURATION}/save"
PAUSE_SECONDS = 0.2
"""Between two reads while a commit is in progress, and between two tries while the server is unavailable."""
AWAY = ("lost", "unreachable")
UNSAVED = "it runs and is not saved"


class WaitingCommit(NamedTuple):
    """A pending commit. checkpoint: ours right before it, "" for none."""

    number: int
    checkpoint: str


class Commits:
    """The commits of one switch. seconds: how long to wait for one in progress."""

    def __init__(self, rpc: Rpc, host: str, seconds: int) -> None:
        self._rpc, self._host, self._seconds = rpc, host, seconds

    def waiting(self) -> WaitingCommit | None:
        """Return the pending commit, of any client."""
        shown, all_commits = self._settled()
        pending = waiting(all_commits)
        if pending is None:
            return None
        return WaitingCommit(pending.number, self._read(lambda: checkpoint_before(shown, all_commits, pending)))

    def settle(self) -> None:
        """Wait until the server answers again, and no commit is in progress."""
        self._patiently(self._settled)

    def accept(self) -> None:
        """Keep our pending commit, and save it. Raises ConfirmError if it is not kept.

        A result with fewer lines than were sent does not show that it was saved, and saving twice does no harm.
        """
        number, answer_counts = self._must_wait().number, list[int]()
        error = self._tried(lambda: answer_counts.append(self._rpc.run(*ACCEPT_AND_SAVE)))
        # Whatever was answered, the switch's list says what became of the commit.
        status = self._status(number)
        if status == WAITS:
            raise error or ConfirmError("lost", f"{self._host}: the commit still waits after it was confirmed")
        if status != KEPT:
            shown_as = f"the switch shows it as {status or 'no commit'}"
            raise ConfirmError("gone", f"{self._host}: the commit was not kept: {shown_as}")
        if answer_counts != [len(ACCEPT_AND_SAVE)]:
            self.save(None)

    def reject(self) -> None:
        """Reject our pending commit, and wait until the switch has reverted it."""
        number = self._must_wait().number
        error = self._tried(lambda: self._rpc.act(REJECT))
        if self._status(number) == WAITS:
            raise error or ConfirmError("lost", f"{self._host}: the commit still waits after it was ended")

    def save(self, name: str | None) -> None:
        """Save what runs for the next start, but not what somebody else has not confirmed yet.

        name  checkpoint of our commit; if the switch timed that commit by itself, it is confirmed first
        """
        pending = self._or_unsaved(self.waiting)
        if pending is None:
            self._or_unsaved(lambda: self._rpc.act(SAVE))
        elif pending.checkpoint == name:
            self.accept()
        else:
            raise CommitFailedError("unsaved", f"{self._host}: a commit that is not ours waits there; {UNSAVED}")

    def _or_unsaved(self, request: Callable[[], T]) -> T:
        try:
            return self._patiently(request)
        except CommitOperationError as error:
            raise CommitFailedError("unsaved", f"{error.reason}; {UNSAVED}") from None

    def _settled(self) -> tuple[Mapping[str, object], tuple[Commit, ...]]:
        """Return the switch's answer and its commits once none is in progress."""
        deadline = time.monotonic() + self._seconds
        while True:
            answer = self._rpc.get([(STATE, CONFIGURATION)])[0]
            shown, all_commits = self._read(partial(_understood, answer))
            if not is_busy(all_commits):
                return shown, all_commits
            if time.monotonic() >= deadline:
                raise AwayError("lost", f"{self._host}: a commit is still under way")
            time.sleep(PAUSE_SECONDS)

    def _read(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except NotUnderstoodError as error:
            raise AnswerError("unable", f"{self._host}: an answer in another form: {error}") from None

    def _must_wait(self) -> WaitingCommit:
        pending = self.waiting()
        if pending is None:
            raise ConfirmError("gone", f"{self._host}: no commit waits for its confirmation any more")
        if not pending.checkpoint:
            raise ConfirmError("gone", f"{self._host}: the commit that waits is not ours")
        return pending

    def _tried(self, request: Callable[[], None]) -> CommitOperationError | None:
        """Send a request; return what was raised, which does not say whether the request was received."""
        try:
            request()
        except CommitOperationError as error:
            return error
        return None

    def _status(self, number: int) -> str:
        """Return the status of a commit by its number, once none is in progress; "" if it is not listed."""
        all_commits = self._patiently(self._settled)[1]
        return next((commit.status for commit in all_commits if commit.number == number), "")

    def _patiently(self, request: Callable[[], T]) -> T:
        """Retry an idempotent request while the server is unavailable."""
        deadline = time.monotonic() + self._seconds
        while True:
            try:
                return request()
            except AwayError as error:
                if error.kind not in AWAY or time.monotonic() >= deadline:
                    raise
            time.sleep(PAUSE_SECONDS)


def _understood(answer: object) -> tuple[Mapping[str, object], tuple[Commit, ...]]:
    return table(answer), commits(answer)
