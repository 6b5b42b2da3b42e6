"""A push and NAPALM's `eos` driver: configuration sessions, and a commit timer that is known by its session's name.

The driver keeps the name of one session in `config_session`, and acts on that: a name that is put there before `load`
is used, and one that another process made can be confirmed or ended (napalm/eos/eos.py of NAPALM 5.2.0, `_load_config`,
`confirm_commit`, `discard_config`). Its `close` ends the session that stands there, timed commit or not, so the name is
taken away as soon as the session is committed. Its `rollback` is not used: where the timer was faster, it would put
`flash:rollback-0` in place, which is the startup configuration as it was before the commit.
"""

import re
import time
from collections.abc import Mapping
from typing import Any

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperationError,
    CommitOperations,
    Digest,
    ErrorPattern,
    Loading,
    RunClaim,
    load_text,
    must_wait,
    waiting,
)
from fabricgen.platforms.base.live.standing import OURS, RunMarks, name_of, run_of

LONGEST = 86_400
"""Seconds of a commit timer that the driver can write: it makes hours, minutes and seconds of a day of them."""

EPOCH = 1_000_000_000
"""A time above is of the calendar, below it of the switch's uptime."""

SESSIONS = "show configuration sessions"
TIMED = "show configuration sessions detail"
VERSION = "show version"
SAVE = "write memory"
BACKUP = "copy startup-config flash:rollback-0"
DIFFERS = "show session-config named {} diffs"
CHANGED = "what ran had changed between its last look and its commit, by the switch's own difference"

FAULT = re.compile(r"^\s*%|\b(?:error|failed|failure|cannot|no space left)\b", re.IGNORECASE | re.MULTILINE)
"""Of an answer that is no success. EOS begins its errors with `%`, as other systems of its kind.

Which words it has for a save that was done is in no source that was found, so none is asked for.
"""


def _shown(driver: Any, command: str) -> Mapping[str, Any]:  # noqa: ANN401 - see base/live/commit_operations.py
    found = driver.cli([command], encoding="json").get(command)
    if not isinstance(found, dict) or not isinstance(found.get("sessions"), dict):
        raise CommitOperationError("unable", f"'{command}' was not answered with sessions")
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


def _standing(driver: Any) -> RunMarks:  # noqa: ANN401
    """The session whose commit waits, its time and its user.

    `commitBy`, later `commitTimerExpireTime`: NAPALM takes it for a time of the switch's uptime, while the recorded one
    of issue 2166 is of the calendar (napalm/eos/eos.py of 5.2.0, _get_pending_commits). Unsure, so both are understood.
    """
    token = _pending(driver)
    if token is None:
        return RunMarks()
    shown = _shown(driver, TIMED)
    row = shown["sessions"].get(token)
    row = row if isinstance(row, dict) else {}
    return waiting(token, _left(driver, shown.get("commitTimerExpireTime", row.get("commitBy"))), _user(row))


def _user(row: Mapping[str, Any]) -> str:
    return str(row.get("commitUser") or "")


def _left(driver: Any, until: object) -> int | None:  # noqa: ANN401
    """Seconds until then by the switch's own clock; None where it does not say."""
    found = driver.cli([VERSION], encoding="json").get(VERSION)
    times = (until, *((found.get("uptime"), found.get("bootupTimestamp")) if isinstance(found, dict) else ()))
    match times:
        case (int() | float() as until, int() | float() as uptime, *_) if 0 <= until < EPOCH:
            return max(0, round(until - uptime))
        case (int() | float() as until, int() | float() as uptime, int() | float() as began) if until >= EPOCH:
            return max(0, round(until - began - uptime))
        case _:
            return None


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401
    _sweep(driver, loading.token)
    driver.config_session = loading.token
    load_text(driver, loading)


def _forget(driver: Any) -> None:  # noqa: ANN401
    driver.config_session = None


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> str | None:  # noqa: ANN401
    """Commit. The message stays here: the driver takes none."""
    del message
    if seconds is not None and not 0 < seconds < LONGEST:
        raise CommitOperationError(
            "unable", f"a commit timer of {seconds} s cannot be written: it has to be below a day"
        )
    driver.config_session = token
    try:
        if seconds is not None:
            return _timed(driver, token, seconds)
        driver.commit_config()
    finally:
        _forget(driver)
    _save(driver)  # once more: what the switch says of it the driver does not look at
    return None


def _timed(driver: Any, token: str, seconds: int) -> str:  # noqa: ANN401
    """Commit with a timer; how the session differed from what ran right before.

    The commands are those of the driver's `commit_config`, with that difference between them, in one request. A commit
    overwrites what somebody has changed since the session was made (arista.com/en/um-eos/eos-configure-session), and
    the timer puts back what ran right before it.
    """
    if driver.has_pending_commit():
        raise CommitOperationError("locked", "Pending commit confirm already in process!")
    timer = time.strftime("%H:%M:%S", time.gmtime(seconds))
    differs = DIFFERS.format(token)
    found = _answers(driver, BACKUP, differs, f"configure session {token} commit timer {timer}")
    return found[differs]


def _mark(driver: Any, token: str, digest: Digest) -> str | None:  # noqa: ANN401
    """How the session that is loaded differs from what runs."""
    differs = DIFFERS.format(token)
    return digest(_answers(driver, differs)[differs]) if token else None


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """Whether what ran was another by then. Of a commit of a process that was killed nothing is known."""
    del driver, token
    return CHANGED if isinstance(seen, str) and digest(seen) != mark else ""


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Confirm and save, with the commands of the driver's `confirm_commit`, which looks at no answer.

    Both go in one request: of a process that is killed behind it the switch does both or none. So one that did not
    confirm has saved what waits there, and is to save once more what it ran before.
    """
    must_wait(_pending(driver), token)
    said = _said(driver, f"configure session {token} commit", SAVE)
    if _pending(driver) == token:
        _revert(driver, token)
        _save(driver)
        raise CommitOperationError("refused", "the commit still waited after it was confirmed: it was ended")
    _must_be_saved(said)


def _save(driver: Any) -> None:  # noqa: ANN401
    """Have what runs outlast a restart."""
    _must_be_saved(_said(driver, SAVE))


def _must_be_saved(said: str) -> None:
    """Raise CommitOperationError where the switch says that it did not save."""
    if FAULT.search(said):
        raise CommitOperationError("unsaved", f"'{SAVE}' was answered with: {' '.join(said.split())}")


def _said(driver: Any, *commands: str) -> str:  # noqa: ANN401
    """Answer to the last of these."""
    return _answers(driver, *commands)[commands[-1]]


def _answers(driver: Any, *commands: str) -> Mapping[str, str]:  # noqa: ANN401
    """Answer to each of these, sent in one request by eAPI, where errors stay as they are told."""
    if driver.transport == "ssh":
        found = driver.cli([*commands])
        return {command: str(found[command]) for command in commands}
    rows = driver.device.run_commands([*commands], encoding="text", send_enable=driver.send_enable)
    return {command: str(row.get("output") or "") for command, row in zip(commands, rows, strict=True)}


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """End the timer with `configure session … abort`: the switch puts its own checkpoint back.

    Source: github.com/SUNET/cnaas-nms, issue 395, with the switch's log of it.
    """
    must_wait(_pending(driver), token)
    _abandon(driver, token)
    if _pending(driver) == token:
        raise CommitOperationError("lost", "the commit still waits after it was ended; it reverts by its timer")


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


def _claim(driver: Any, claim: RunClaim) -> None:  # noqa: ANN401
    """End sessions that this run has left open where it was killed: every other commit would wait for them.

    Who is at work can be said nowhere but in the configuration, or in an open session, which is in everybody's way.
    """
    for name in _open_sessions(driver):
        if run_of(name) and claim.token.startswith(run_of(name)):
            _abandon(driver, name)


def _blame(driver: Any) -> str:  # noqa: ANN401
    names = _open_sessions(driver)
    ours = " (a push that did not end left it there)" if any(name.startswith(OURS) for name in names) else ""
    return f"open sessions: {', '.join(names)}{ours}; 'configure session NAME abort' ends one" if names else ""


def _close(driver: Any, token: str) -> None:  # noqa: ANN401
    driver.config_session = token or None
    driver.close()


OPERATIONS = CommitOperations(
    token=name_of,  # there is no commit message, so the session's name has to say whose commit it is
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    abandon=_abandon,
    sweep=_sweep,
    blame=_blame,
    close=_close,
    standing=_standing,
    claim=_claim,
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(
        # pyeapi 1.0.4, eapilib.EapiConnection.send: 401 with the switch's words, and what the socket said.
        ErrorPattern("ConnectionError", r"Unauthorized|Unable to authenticate", "login"),
        ErrorPattern("", r"Unable to authenticate user", "login"),
        ErrorPattern("", r"certificate verify failed", "host-key"),
        ErrorPattern("", r"Socket error during eAPI connection|unable to connect to eAPI", "unreachable"),
        ErrorPattern(
            "", r"'copy startup-config flash:rollback-0' failed|'write memory' failed|No space left", "unsaved"
        ),
        ErrorPattern("CommitError", r"Pending commit confirm already", "locked"),
        ErrorPattern("CommitError", r"No pending commit-confirm", "gone"),
        ErrorPattern("CommandError", "", "refused"),
    ),
)
