"""Commits as the driver ends them: each word that the switch says is looked up in its own list of commits.

An answer that says nothing went wrong is no proof, nor is one that never came: between a look and the word the timer
may fire, or somebody else may commit. So what became of a commit is read behind each word, by its number.

The server of JSON-RPC may be away for a while behind a commit that changes what it rests on (nokia/
srlinux-ansible-collection at f4ca5ce, plugins/module_utils/srlinux.py: saving is tried five times, 2 s apart). So what
only looks, and saving, which may be done twice, is tried again until the time of a request is over.
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
"""Between two looks at a commit that is under way, and at a server that is away."""
AWAY = ("lost", "unreachable")
UNSAVED = "it runs and is not saved"


class WaitingCommit(NamedTuple):
    """A commit that waits. checkpoint: of ours right before it, "" for none."""

    number: int
    checkpoint: str


class Commits:
    """The commits of one switch. seconds: how long one that is under way is waited for."""

    def __init__(self, rpc: Rpc, host: str, seconds: int) -> None:
        self._rpc, self._host, self._seconds = rpc, host, seconds

    def waiting(self) -> WaitingCommit | None:
        """The commit that waits for its confirmation, whoever made it."""
        shown, listed = self._settled()
        found = waiting(listed)
        if found is None:
            return None
        return WaitingCommit(found.number, self._read(lambda: checkpoint_before(shown, listed, found)))

    def settle(self) -> None:
        """Wait until the server answers again, and the switch is at work on no commit."""
        self._patiently(self._settled)

    def accept(self) -> None:
        """Keep the one of ours that waits, and save it. Raises ConfirmError where it is not kept.

        A result with fewer lines than were sent does not say that it is saved, and saving twice is no harm.
        """
        number, answered = self._must_wait().number, list[int]()
        fault = self._tried(lambda: answered.append(self._rpc.run(*ACCEPT_AND_SAVE)))
        status = self._status(number)
        if status == WAITS:
            raise fault or ConfirmError("lost", f"{self._host}: the commit still waits after it was confirmed")
        if status != KEPT:
            told = f"the switch shows it as {status or 'no commit'}"
            raise ConfirmError("gone", f"{self._host}: the commit was not kept: {told}")
        if answered != [len(ACCEPT_AND_SAVE)]:
            self.save(None)

    def reject(self) -> None:
        """End the one of ours that waits, and wait until the switch has taken it back."""
        number = self._must_wait().number
        fault = self._tried(lambda: self._rpc.act(REJECT))
        if self._status(number) == WAITS:
            raise fault or ConfirmError("lost", f"{self._host}: the commit still waits after it was ended")

    def save(self, name: str | None) -> None:
        """Have what runs outlast a restart, but not what somebody else has not confirmed yet.

        name  checkpoint of a commit of ours: one that the switch has timed by itself is confirmed first
        """
        waits = self._or_unsaved(self.waiting)
        if waits is None:
            self._or_unsaved(lambda: self._rpc.act(SAVE))
        elif waits.checkpoint == name:
            self.accept()
        else:
            raise CommitFailedError("unsaved", f"{self._host}: a commit that is not ours waits there; {UNSAVED}")

    def _or_unsaved(self, ask: Callable[[], T]) -> T:
        try:
            return self._patiently(ask)
        except CommitOperationError as error:
            raise CommitFailedError("unsaved", f"{error.reason}; {UNSAVED}") from None

    def _settled(self) -> tuple[Mapping[str, object], tuple[Commit, ...]]:
        """What the switch shows once it is at work on none."""
        deadline = time.monotonic() + self._seconds
        while True:
            answer = self._rpc.get([(STATE, CONFIGURATION)])[0]
            shown, listed = self._read(partial(_understood, answer))
            if not is_busy(listed):
                return shown, listed
            if time.monotonic() >= deadline:
                raise AwayError("lost", f"{self._host}: a commit is still under way")
            time.sleep(PAUSE_SECONDS)

    def _read(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except NotUnderstoodError as error:
            raise AnswerError("unable", f"{self._host}: an answer in another form: {error}") from None

    def _must_wait(self) -> WaitingCommit:
        found = self.waiting()
        if found is None:
            raise ConfirmError("gone", f"{self._host}: no commit waits for its confirmation any more")
        if not found.checkpoint:
            raise ConfirmError("gone", f"{self._host}: the commit that waits is not ours")
        return found

    def _tried(self, say: Callable[[], None]) -> CommitOperationError | None:
        """Say a word; what was raised, which does not tell whether it was heard."""
        try:
            say()
        except CommitOperationError as error:
            return error
        return None

    def _status(self, number: int) -> str:
        """Of a commit by its number, once the switch is at work on none; "" where it is not listed."""
        listed = self._patiently(self._settled)[1]
        return next((one.status for one in listed if one.number == number), "")

    def _patiently(self, ask: Callable[[], T]) -> T:
        """What may be asked twice, of a server that may be away for a while."""
        deadline = time.monotonic() + self._seconds
        while True:
            try:
                return ask()
            except AwayError as error:
                if error.kind not in AWAY or time.monotonic() >= deadline:
                    raise
            time.sleep(PAUSE_SECONDS)


def _understood(answer: object) -> tuple[Mapping[str, object], tuple[Commit, ...]]:
    return table(answer), commits(answer)
