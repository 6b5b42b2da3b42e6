"""A push and `napalm_srlinux`: timed commits of JSON-RPC, known by the checkpoint that the driver makes before each."""

from typing import Any

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperationError,
    CommitOperations,
    Digest,
    Loading,
    load_text,
    must_wait,
    waiting,
)
from fabricgen.platforms.base.live.standing import RunMarks, name_of

LONGEST = 86_400
"""Seconds of a timed commit: the range that the models give the default of JSON-RPC's (commit-confirmed-timeout)."""


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see base/live/commit_operations.py
    driver.discard_config()
    load_text(driver, loading)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit, and see that the switch names a timed commit as ours: else it could not be confirmed, and reverts."""
    if seconds is not None and not 0 < seconds <= LONGEST:
        raise CommitOperationError("unable", f"a commit cannot wait for {seconds} s: it has to be a day at most")
    driver.commit_config(message=message, revert_in=seconds)
    if seconds is not None and (found := driver.pending_checkpoint()) != token:
        shown = "shows none" if found is None else f"shows {found or 'another one'}"
        raise CommitOperationError("unable", f"the commit is not known again among those that wait: the switch {shown}")


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    found: str | None = driver.pending_checkpoint()
    return found


def _standing(driver: Any) -> RunMarks:  # noqa: ANN401
    """The commit that waits. Until when is in no leaf of the models (25.3.1, /system/configuration/commit)."""
    return waiting(_pending(driver))


def _mark(driver: Any, token: str, digest: Digest) -> list[int]:  # noqa: ANN401
    """Commits that anybody has made and kept."""
    del token, digest
    return list(driver.commits_kept())


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """Commits that were kept since; ours waits.

    Nokia's YANG of 25.3.1 has every transaction in that list, of whichever kind of candidate and user; the oldest ones
    leave it.
    """
    del token, seen, digest
    known = mark if isinstance(mark, list) else []
    more = [str(number) for number in driver.commits_kept() if number not in known]
    return f"another commit was made before it: {', '.join(more)} of the switch's list" if more else ""


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    must_wait(_pending(driver), token)
    driver.confirm_commit()


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """Not by `rollback`: without a commit that waits, it undoes the last one that was kept."""
    must_wait(_pending(driver), token)
    driver.reject_commit()


OPERATIONS = CommitOperations(
    token=name_of,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    standing=_standing,
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(),  # what the driver raises says its kind (napalm_srlinux/errors.py)
)
