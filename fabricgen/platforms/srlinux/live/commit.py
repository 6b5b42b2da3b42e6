"""A push with `napalm_srlinux`: timed commits of JSON-RPC, identified by the checkpoint right before each."""

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
from fabricgen.platforms.base.live.entry import API, direct
from fabricgen.platforms.base.live.run_marks import RunMarks, name_of

LONGEST = 86_400
"""Longest timed commit in seconds: the models' range for the default of JSON-RPC (commit-confirmed-timeout)."""


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see base/live/commit_operations.py
    driver.discard_config()
    load_text(driver, loading)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit, and check that the switch lists a timed commit as ours; otherwise it cannot be confirmed, and reverts."""
    if seconds is not None and not 0 < seconds <= LONGEST:
        raise CommitOperationError("unable", f"a commit cannot wait for {seconds} s: it has to be a day at most")
    driver.commit_config(message=message, revert_in=seconds)
    if seconds is not None and (checkpoint := driver.pending_checkpoint()) != token:
        shown = "shows none" if checkpoint is None else f"shows {checkpoint or 'another one'}"
        raise CommitOperationError("unable", f"the commit is not known again among those that wait: the switch {shown}")


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    checkpoint: str | None = driver.pending_checkpoint()
    return checkpoint


def _run_marks(driver: Any) -> RunMarks:  # noqa: ANN401
    """Return the pending commit. No leaf of the models has its deadline (25.3.1, /system/configuration/commit)."""
    return waiting(_pending(driver))


def _mark(driver: Any, token: str, digest: Digest) -> list[int]:  # noqa: ANN401
    """Return the numbers of kept commits, of any client."""
    del token, digest
    return list(driver.complete_commits())


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """Describe commits that were kept since the mark; "" for none. Ours is still pending.

    In Nokia's YANG of 25.3.1 that list has every transaction, of any kind of candidate and any user; the oldest ones
    drop out.
    """
    del token, seen, digest
    marked_commits = mark if isinstance(mark, list) else []
    new_commits = [str(number) for number in driver.complete_commits() if number not in marked_commits]
    return f"another commit was made before it: {', '.join(new_commits)} of the switch's list" if new_commits else ""


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    must_wait(_pending(driver), token)
    driver.confirm_commit()


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """Reject the pending commit. `rollback` would undo the last kept commit if none is pending."""
    must_wait(_pending(driver), token)
    driver.reject_commit()


OPERATIONS = CommitOperations(
    token=name_of,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    run_marks=_run_marks,
    entry=lambda driver: direct(driver, API),
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(),  # the driver's own exceptions carry their kind (napalm_driver/errors.py)
)
