"""Commits by `napalm_frr`: timed commits that its guard on the switch ends, named by the message in the guard's log."""

from collections.abc import Mapping
from typing import Any

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperations,
    Digest,
    ErrorPattern,
    Loading,
    RunClaim,
    load_text,
    must_wait,
)
from fabricgen.platforms.base.live.entry import SSH, Entry, known_address
from fabricgen.platforms.base.live.run_marks import Armed, Lease, Phase, RunMarks

CHANGED = "what ran had changed between its last look and its commit"
LONGEST = 500
"""Length to which the log cuts a message: `MESSAGE_LENGTH` in napalm_frr/guard.py."""


def _token(message: str) -> str:
    """Return the message as the log has it: one line of printable characters."""
    return "".join(sign if sign.isprintable() else " " for sign in message)[:LONGEST]


def _files(driver: Any, paths: tuple[str, ...]) -> Mapping[str, str]:  # noqa: ANN401 - see base/live/commit_operations.py
    texts: Mapping[str, str] = driver.read_files(list(paths))
    return texts


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401
    driver.discard_config()
    load_text(driver, loading)
    if loading.files:
        driver.load_files(dict(loading.files))


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    del token
    driver.commit_config(message=message, revert_in=seconds)


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Message of the waiting commit; "" if the log has none, as for a commit whose guard is gone."""
    return driver.pending_message() or "" if driver.has_pending_commit() else None


def _run_marks(driver: Any) -> RunMarks:  # noqa: ANN401
    """State of the guard's folder. A commit that begins has no name yet."""
    armed, lease = driver.run_marks()
    return RunMarks(
        None if armed is None else Armed(armed.message, _PHASES[armed.phase], armed.seconds),
        None if lease is None else Lease(*lease),
    )


_PHASES = {
    "begins": Phase.CHANGES,
    "changes": Phase.CHANGES,
    "waits": Phase.WAITS,
    "ends": Phase.ENDS,
    "lost": Phase.LOST,
}


def _mark(driver: Any, token: str, digest: Digest) -> str:  # noqa: ANN401
    """Digest of the running configuration."""
    del token
    return digest(driver.get_config("running")["running"])


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """CHANGED if the commit would not revert to the marked configuration. Later changes by hand are not in it."""
    del token, seen
    return "" if digest(driver.goes_back_to()) == mark else CHANGED


def _limit(driver: Any) -> int:  # noqa: ANN401
    return int(driver.commit_seconds)


def _claim(driver: Any, claim: RunClaim) -> None:  # noqa: ANN401
    driver.take_lease(*claim)


def _release(driver: Any, token: str) -> None:  # noqa: ANN401
    driver.release_lease(token)


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    must_wait(_pending(driver), token)
    driver.confirm_commit()


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """End the named commit. `rollback` would undo the last confirmed commit if none waits."""
    armed = _run_marks(driver).armed
    must_wait(None if armed is None else armed.token, token)
    driver.cancel_commit()


def _entry(driver: Any) -> Entry:  # noqa: ANN401
    """By SSH; the source is the one that the switch's own sshd sees, after any translation or jump host."""
    source = known_address(driver.client_address())
    return Entry(SSH, str(driver.username or ""), source)


OPERATIONS = CommitOperations(
    token=_token,
    files=_files,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    run_marks=_run_marks,
    entry=_entry,
    limit=_limit,
    claim=_claim,
    release=_release,
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(
        ErrorPattern("LeasedError", "", "leased"),
        # Texts of napalm_frr: ssh.py, lifecycle.py and guard.py.
        ErrorPattern("ConnectionException", r"host key|known_hosts", "host-key"),
        ErrorPattern("CommitError", r"out of reach|could not be put back whole", "lost"),
        ErrorPattern("", r"startup file could not be written|is its disk full", "unsaved"),
        ErrorPattern("CommitError", r"a commit lies there that nobody ended", "locked"),
        ErrorPattern("CommitConfirmException", r"guard of the commit is gone", "gone"),
    ),
)
