"""A push and NAPALM's `junos` driver: confirmed commits, known by their comment in the history of commits.

What waits is read from `get-commit-information` (`show system commit`), not from NAPALM's `has_pending_commit`: an
entry keeps the words "commit confirmed, rollback in …" for good, and only `commit-confirmed` says that its timer runs.
Source: tests of jmcp, a public program over PyEZ, whose replies mirror those of a vSRX with 24.4R2.
"""

from typing import Any

from fabricgen.drivers.handling import (
    Handling,
    HandlingError,
    Loading,
    Telling,
    discard,
    let_go,
    load_text,
    must_wait,
    no_blame,
    no_files,
    nothing_left,
    same,
)

MINUTE = 60


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see handling.py
    """Load under the driver's lock of the candidate, which it keeps until the commit or the discard."""
    load_text(driver, loading)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit, and see that the switch names a timed commit as ours: else it could not be confirmed, and reverts."""
    driver.commit_config(message=message, revert_in=seconds)
    if seconds is not None and (found := _pending(driver)) != token:
        shown = "shows none" if found is None else f"shows {found or 'one without a comment'}"
        raise HandlingError("unable", f"the commit is not known again among those that wait: the switch {shown}")


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Comment of the newest commit while its timer runs; "" for one without."""
    told = driver.device.rpc.get_commit_information()
    newest = None if isinstance(told, bool) else told.find(".//commit-history")  # PyEZ has True for an empty reply
    if newest is None or newest.find("commit-confirmed") is None:
        return None
    return (newest.findtext("log") or "").strip()


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Confirm with `commit check`.

    It confirms as `commit` does, which NAPALM's `confirm_commit` sends, and leaves alone what somebody else has in the
    candidate and did not commit; `commit` would make that run. Source: as above, and the notes of a public program that
    restores configurations in labs, proven there on vJunos-switch 23.2 and cJunosEvolved 26.2.
    """
    must_wait(_pending(driver), token)
    if driver.device.cu.commit_check() is not True:
        raise HandlingError(
            "refused", "the check that confirms the commit did not succeed; the commit reverts by its timer"
        )
    if _pending(driver) is not None:
        raise HandlingError("lost", "the commit still waits after it was confirmed; it may revert by its timer")


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """`rollback 1` and a commit, under a lock, so that the timer's own revert is not undone by it."""
    driver.device.cu.lock()
    try:
        must_wait(_pending(driver), token)
        driver.rollback()
    finally:
        driver.device.cu.unlock()


HANDLING = Handling(
    token=same,
    files=no_files,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    abandon=discard,
    sweep=nothing_left,
    blame=no_blame,
    close=let_go,
    tellings=(
        # Classes of jnpr.junos.exception; those that NAPALM's driver does not catch pass through it.
        Telling("ConnectAuthError", "", "login"),
        Telling("ConnectClosedError", "", "lost"),
        Telling("ConnectError", r"[Hh]ost ?key", "host-key"),
        Telling("ConnectError", "", "unreachable"),
        Telling("RpcTimeoutError", "", "lost"),
        Telling("SSHError", "", "lost"),
        Telling("CommitConfirmException", r"multiple of 60|requires Junos OS", "unable"),
        Telling("LockError", "", "locked"),
        Telling("UnlockError", "", "locked"),
        Telling("", r"No space left on device|filesystem full", "unsaved"),
        Telling("RpcError", "", "refused"),
    ),
)
