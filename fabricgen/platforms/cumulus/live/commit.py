"""A push and `napalm_cumulus`: timed commits of NVUE, known by their message among the revisions of the switch."""

from typing import Any

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperations,
    Digest,
    ErrorPattern,
    Loading,
    load_text,
    must_wait,
)
from fabricgen.platforms.base.live.standing import Armed, Phase, RunMarks

WAITS = "confirm"
"""State of a revision that waits: napalm_cumulus/nvue.py."""


def _token(message: str) -> str:
    """Return the message as NVUE is given it: one line, no blank twice."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in message).split())


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see base/live/commit_operations.py
    driver.discard_config()
    load_text(driver, loading)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    del message
    driver.commit_config(message=token, revert_in=seconds)


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Message of what waits; "" for one without."""
    found: str | None = driver.pending_message()
    return found


def _standing(driver: Any) -> RunMarks:  # noqa: ANN401
    """The revision that NVUE has not ended with.

    `nv config apply --confirm-status` shows the time that is left (511 NVUE CLI); in which form is in no source that
    was found, so it is not read.
    """
    found = driver.waiting()
    if found is None:
        return RunMarks()
    return RunMarks(Armed(found.message, Phase.WAITS if found.state == WAITS else Phase.CHANGES))


def _mark(driver: Any, token: str, digest: Digest) -> list[str]:  # noqa: ANN401
    """Revisions that anybody has applied."""
    del token, digest
    return sorted(driver.kept_revisions())


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """Revisions that were applied since; ours waits. What is typed beside NVUE is in none."""
    del token, seen, digest
    more = sorted(driver.kept_revisions().difference(mark if isinstance(mark, list) else ()))
    return f"another revision was applied before it: {', '.join(more)}" if more else ""


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    must_wait(_pending(driver), token)
    driver.confirm_commit()


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """Not by `rollback`: without a commit that waits, it undoes the last one that was kept."""
    must_wait(_pending(driver), token)
    driver.cancel_commit()


def _sweep(driver: Any, token: str) -> None:  # noqa: ANN401
    """What is set and not applied outlasts a connection."""
    del token
    driver.detach()


OPERATIONS = CommitOperations(
    token=_token,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    sweep=_sweep,
    standing=_standing,
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(
        # Texts of napalm_frr's ssh.py, and of napalm_cumulus.
        ErrorPattern("ConnectionException", r"host key|known_hosts", "host-key"),
        ErrorPattern("CommitError", r"startup file could not be written", "unsaved"),
        ErrorPattern("CommitError", r"did not become what waits|still waits", "lost"),
    ),
)
