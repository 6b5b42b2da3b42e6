"""Commits by our driver for Cumulus: NVUE's timed commits, identified by their message among the switch's revisions."""

from typing import Any

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperations,
    Digest,
    ErrorPattern,
    Loading,
    load_text,
    must_wait,
)
from fabricgen.platforms.base.live.entry import SSH, Entry, known_address
from fabricgen.platforms.base.live.run_marks import Armed, Phase, RunMarks

WAITS = "confirm"
"""State of a revision that waits: napalm_driver/nvue.py."""


def _token(message: str) -> str:
    """Return the message as NVUE gets it: one line, single blanks."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in message).split())


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see base/live/commit_operations.py
    driver.discard_config()
    load_text(driver, loading)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    del message
    driver.commit_config(message=token, revert_in=seconds)


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Message of the waiting commit; "" for one without."""
    message: str | None = driver.pending_message()
    return message


def _run_marks(driver: Any) -> RunMarks:  # noqa: ANN401
    """The revision that NVUE has not finished.

    `nv config apply --confirm-status` shows the remaining time (511 NVUE CLI). Not read: no source shows its form.
    """
    revision = driver.waiting()
    if revision is None:
        return RunMarks()
    return RunMarks(Armed(revision.message, Phase.WAITS if revision.state == WAITS else Phase.CHANGES))


def _mark(driver: Any, token: str, digest: Digest) -> list[str]:  # noqa: ANN401
    """Revisions that anybody has applied."""
    del token, digest
    return sorted(driver.applied_revisions())


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """Revisions that were applied since; ours still waits. Changes made outside NVUE are in none."""
    del token, seen, digest
    others = sorted(driver.applied_revisions().difference(mark if isinstance(mark, list) else ()))
    return f"another revision was applied before it: {', '.join(others)}" if others else ""


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    must_wait(_pending(driver), token)
    driver.confirm_commit()


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """End the named commit. `rollback` would undo the last confirmed commit if none waits."""
    must_wait(_pending(driver), token)
    driver.cancel_commit()


def _sweep(driver: Any, token: str) -> None:  # noqa: ANN401
    """Detach settings that were not applied: they outlast a connection."""
    del token
    driver.detach()


def _entry(driver: Any) -> Entry:  # noqa: ANN401
    """By SSH; the source is the one that the switch's own sshd sees, after any translation or jump host."""
    source = known_address(driver.client_address())
    return Entry(SSH, str(driver.username or ""), source)


OPERATIONS = CommitOperations(
    token=_token,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    sweep=_sweep,
    run_marks=_run_marks,
    entry=_entry,
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(
        # Texts of napalm_frr's ssh.py, and of napalm_driver/.
        ErrorPattern("ConnectionException", r"host key|known_hosts", "host-key"),
        ErrorPattern("CommitError", r"startup file could not be written", "unsaved"),
        ErrorPattern("CommitError", r"did not become what waits|still waits", "lost"),
    ),
)
