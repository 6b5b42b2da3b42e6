"""A push and NAPALM's `eos` driver: configuration sessions, and a commit timer that is known by its session's name.

The driver keeps the name of one session in `config_session`, and acts on that: a name that is put there before `load`
is used, and one that another process made can be confirmed or ended (napalm/eos/eos.py of NAPALM 5.2.0, `_load_config`,
`confirm_commit`, `discard_config`). Its `close` ends the session that stands there, timed commit or not, so the name is
taken away as soon as the session is committed. Its `rollback` is not used: where the timer was faster, it would put
`flash:rollback-0` in place, which is the startup configuration as it was before the commit.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from fabricgen.drivers.handling import Handling, HandlingError, Loading, Telling, load_text, must_wait, no_files

OURS = "fabricgen-"
"""First characters of the names of a push's sessions."""

LONGEST = 86_400
"""Seconds of a commit timer that the driver can write: it makes hours, minutes and seconds of a day of them."""

SESSIONS = "show configuration sessions"
TIMED = "show configuration sessions detail"


def _token(message: str) -> str:
    """Return the session's name: there is no commit message, so the name has to say whose commit it is."""
    return OURS + hashlib.sha256(message.encode()).hexdigest()[:16]


def _shown(driver: Any, command: str) -> Mapping[str, Any]:  # noqa: ANN401 - see handling.py
    found = driver.cli([command], encoding="json").get(command)
    if not isinstance(found, dict) or not isinstance(found.get("sessions"), dict):
        raise HandlingError("unable", f"'{command}' was not answered with sessions")
    return found


def _open_sessions(driver: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Names of sessions that are neither committed nor ended."""
    sessions = _shown(driver, SESSIONS)["sessions"]
    return tuple(name for name, row in sessions.items() if isinstance(row, dict) and row.get("state") == "pending")


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Return the session whose commit waits. Until 4.31 its state says so, from 4.32 on a key beside the sessions.

    Source: github.com/napalm-automation/napalm, issue 2166, with the outputs of both.
    """
    shown = _shown(driver, TIMED)
    if shown.get("commitTimerSessionName"):
        return str(shown["commitTimerSessionName"])
    rows = shown["sessions"].items()
    waiting = (name for name, row in rows if isinstance(row, dict) and "pendingCommitTimer" in str(row.get("state")))
    return next(waiting, None)


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401
    _sweep(driver, loading.token)
    driver.config_session = loading.token
    load_text(driver, loading)


def _forget(driver: Any) -> None:  # noqa: ANN401
    driver.config_session = None


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit. The message stays here: the driver takes none."""
    del message
    if seconds is not None and not 0 < seconds < LONGEST:
        raise HandlingError("unable", f"a commit timer of {seconds} s can not be written: it has to be below a day")
    driver.config_session = token
    try:
        driver.commit_config(revert_in=seconds)
    finally:
        _forget(driver)


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    must_wait(_pending(driver), token)
    driver.config_session = token
    try:
        driver.confirm_commit()
    finally:
        _forget(driver)


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """End the timer with `configure session … abort`: the switch puts its own checkpoint back.

    Source: github.com/SUNET/cnaas-nms, issue 395, with the switch's log of it.
    """
    must_wait(_pending(driver), token)
    _abandon(driver, token)
    if _pending(driver) == token:
        raise HandlingError("lost", "the commit still waits after it was ended; it reverts by its timer")


def _abandon(driver: Any, token: str) -> None:  # noqa: ANN401
    driver.config_session = token
    try:
        driver.discard_config()
    finally:
        _forget(driver)


def _sweep(driver: Any, token: str) -> None:  # noqa: ANN401
    """End the session of this name where one was left open; one whose commit waits is no such."""
    if token in _open_sessions(driver) and _pending(driver) != token:
        _abandon(driver, token)


def _blame(driver: Any) -> str:  # noqa: ANN401
    names = _open_sessions(driver)
    ours = " (a push that did not end left it there)" if any(name.startswith(OURS) for name in names) else ""
    return f"open sessions: {', '.join(names)}{ours}; 'configure session NAME abort' ends one" if names else ""


def _close(driver: Any, token: str) -> None:  # noqa: ANN401
    driver.config_session = token or None
    driver.close()


HANDLING = Handling(
    token=_token,
    files=no_files,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    abandon=_abandon,
    sweep=_sweep,
    blame=_blame,
    close=_close,
    tellings=(
        # pyeapi 1.0.4, eapilib.EapiConnection.send: 401 with the switch's words, and what the socket said.
        Telling("ConnectionError", r"Unauthorized|Unable to authenticate", "login"),
        Telling("", r"Unable to authenticate user", "login"),
        Telling("", r"certificate verify failed", "host-key"),
        Telling("", r"Socket error during eAPI connection|unable to connect to eAPI", "unreachable"),
        Telling("", r"'copy startup-config flash:rollback-0' failed|'write memory' failed|No space left", "unsaved"),
        Telling("CommitError", r"Pending commit confirm already", "locked"),
        Telling("CommitError", r"No pending commit-confirm", "gone"),
        Telling("CommandError", "", "refused"),
    ),
)
