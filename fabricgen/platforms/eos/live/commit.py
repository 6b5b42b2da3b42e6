"""Commits by NAPALM's `eos` driver: configuration sessions, and a commit timer that is named by its session.

The driver stores the name of one session in `config_session` and acts on it: `load` uses a name that is set before, and
a session of another process can be confirmed or ended by its name (napalm/eos/eos.py of NAPALM 5.2.0, `_load_config`,
`confirm_commit`, `discard_config`). Its `close` ends the session in `config_session`, timed commit or not, so the name
is removed as soon as the session is committed. Its `rollback` is not used: if the timer was faster, it would load
`flash:rollback-0`, which is the startup configuration from before the commit.
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
from fabricgen.platforms.base.live.entry import API, SSH, direct
from fabricgen.platforms.base.live.run_marks import OURS, RunMarks, name_of, run_of

LONGEST = 86_400
"""Seconds of a day: the driver writes a commit timer as hours, minutes and seconds of a day."""

EPOCH = 1_000_000_000
"""A larger time is of the calendar, a smaller one of the switch's uptime."""

SESSIONS = "show configuration sessions"
TIMED = "show configuration sessions detail"
VERSION = "show version"
SAVE = "write memory"
BACKUP = "copy startup-config flash:rollback-0"
DIFFERS = "show session-config named {} diffs"
CHANGED = "what ran had changed between its last look and its commit, by the switch's own difference"

FAULT = re.compile(r"^\s*%|\b(?:error|failed|failure|cannot|no space left)\b", re.IGNORECASE | re.MULTILINE)
"""Matches an answer that is no success. EOS begins its errors with `%`, like similar systems.

No source was found for the words of a successful save, so none are required.
"""


def _shown(driver: Any, command: str) -> Mapping[str, Any]:  # noqa: ANN401 - see base/live/commit_operations.py
    answer = driver.cli([command], encoding="json").get(command)
    if not isinstance(answer, dict) or not isinstance(answer.get("sessions"), dict):
        raise CommitOperationError("unable", f"'{command}' was not answered with sessions")
    return answer


def _open_sessions(driver: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Names of sessions that are neither committed nor ended."""
    sessions = _shown(driver, SESSIONS)["sessions"]
    return tuple(name for name, row in sessions.items() if isinstance(row, dict) and row.get("state") == "pending")


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Return the session whose commit waits. Until 4.31 its state says so, from 4.32 on a key next to the sessions.

    Source: github.com/napalm-automation/napalm, issue 2166, with the outputs of both.
    """
    details = _shown(driver, TIMED)
    if details.get("commitTimerSessionName"):
        return str(details["commitTimerSessionName"])
    rows = details["sessions"].items()
    waiting = (name for name, row in rows if isinstance(row, dict) and "pendingCommitTimer" in str(row.get("state")))
    return next(waiting, None)


def _run_marks(driver: Any) -> RunMarks:  # noqa: ANN401
    """The session whose commit waits, its remaining time and its user.

    `commitBy`, later `commitTimerExpireTime`: NAPALM reads it as uptime, but the recorded one of issue 2166 is of the
    calendar (napalm/eos/eos.py of 5.2.0, _get_pending_commits). Unsure, so both are supported.
    """
    token = _pending(driver)
    if token is None:
        return RunMarks()
    details = _shown(driver, TIMED)
    row = details["sessions"].get(token)
    row = row if isinstance(row, dict) else {}
    return waiting(token, _left(driver, details.get("commitTimerExpireTime", row.get("commitBy"))), _user(row))


def _user(row: Mapping[str, Any]) -> str:
    return str(row.get("commitUser") or "")


def _left(driver: Any, until: object) -> int | None:  # noqa: ANN401
    """Seconds until then by the switch's clock; None if they cannot be computed."""
    version = driver.cli([VERSION], encoding="json").get(VERSION)
    times = (until, *((version.get("uptime"), version.get("bootupTimestamp")) if isinstance(version, dict) else ()))
    match times:
        # Both count from the start of the switch.
        case (int() | float() as until, int() | float() as uptime, *_) if 0 <= until < EPOCH:
            return max(0, round(until - uptime))
        # On the calendar, now is the time of the start plus the uptime.
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
    """Commit. The message is not sent: the driver has no parameter for it."""
    del message
    if seconds is not None and not 0 < seconds < LONGEST:
        raise CommitOperationError(
            "unable", f"a commit timer of {seconds} s is not possible: it must be less than a day"
        )
    driver.config_session = token
    try:
        if seconds is not None:
            return _timed(driver, token, seconds)
        driver.commit_config()
    finally:
        _forget(driver)
    _save(driver)  # again: the driver ignores the switch's answer to its own save
    return None


def _timed(driver: Any, token: str, seconds: int) -> str:  # noqa: ANN401
    """Commit with a timer. Returns the session's difference from what ran right before.

    The commands are those of the driver's `commit_config`, with that difference between them, in one request. A commit
    overwrites what somebody has changed since the session was created (arista.com/en/um-eos/eos-configure-session), and
    the timer restores what ran right before it.
    """
    if driver.has_pending_commit():
        raise CommitOperationError("locked", "Pending commit confirm already in process!")
    timer = time.strftime("%H:%M:%S", time.gmtime(seconds))
    differs = DIFFERS.format(token)
    answers = _answers(driver, BACKUP, differs, f"configure session {token} commit timer {timer}")
    return answers[differs]


def _mark(driver: Any, token: str, digest: Digest) -> str | None:  # noqa: ANN401
    """Digest of the loaded session's difference from the running configuration."""
    differs = DIFFERS.format(token)
    return digest(_answers(driver, differs)[differs]) if token else None


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """CHANGED if the running configuration changed before the commit. Unknown, so "", if that process was killed."""
    del driver, token
    return CHANGED if isinstance(seen, str) and digest(seen) != mark else ""


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Confirm and save, with the commands of the driver's `confirm_commit`, which ignores the answers.

    Both are in one request: if this process is killed after it, the switch does both or none. So a confirmation that
    failed has saved the waiting configuration, and what ran before must be saved again.
    """
    must_wait(_pending(driver), token)
    answer_of_save = _last_answer(driver, f"configure session {token} commit", SAVE)
    if _pending(driver) == token:
        _revert(driver, token)
        _save(driver)
        raise CommitOperationError("refused", "the commit still waited after it was confirmed: it was ended")
    _must_be_saved(answer_of_save)


def _save(driver: Any) -> None:  # noqa: ANN401
    """Save the running configuration as the startup configuration."""
    _must_be_saved(_last_answer(driver, SAVE))


def _must_be_saved(answer: str) -> None:
    """Raise CommitOperationError if the switch's answer reports an error."""
    if FAULT.search(answer):
        raise CommitOperationError("unsaved", f"'{SAVE}' was answered with: {' '.join(answer.split())}")


def _last_answer(driver: Any, *commands: str) -> str:  # noqa: ANN401
    """Answer to the last of these commands."""
    return _answers(driver, *commands)[commands[-1]]


def _answers(driver: Any, *commands: str) -> Mapping[str, str]:  # noqa: ANN401
    """Answer to each of these commands, in one request by eAPI, where error texts are kept."""
    if driver.transport == "ssh":
        outputs = driver.cli([*commands])
        return {command: str(outputs[command]) for command in commands}
    rows = driver.device.run_commands([*commands], encoding="text", send_enable=driver.send_enable)
    return {command: str(row.get("output") or "") for command, row in zip(commands, rows, strict=True)}


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """End the timer with `configure session … abort`: the switch restores its own checkpoint.

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
    """End an open session of this name, unless its commit waits."""
    if token in _open_sessions(driver) and _pending(driver) != token:
        _abandon(driver, token)


def _claim(driver: Any, claim: RunClaim) -> None:  # noqa: ANN401
    """End sessions that this run left open when it was killed: they would block every other commit.

    EOS has no place for a claim except the configuration, or an open session, which would block everybody.
    """
    for name in _open_sessions(driver):
        if run_of(name) and claim.token.startswith(run_of(name)):
            _abandon(driver, name)


def _blame(driver: Any) -> str:  # noqa: ANN401
    names = _open_sessions(driver)
    hint = " (left by an unfinished push)" if any(name.startswith(OURS) for name in names) else ""
    return f"open sessions: {', '.join(names)}{hint}; 'configure session NAME abort' ends one" if names else ""


def _close(driver: Any, token: str) -> None:  # noqa: ANN401
    driver.config_session = token or None
    driver.close()


OPERATIONS = CommitOperations(
    token=name_of,  # EOS has no commit message, so the session's name must say whose commit it is
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    abandon=_abandon,
    sweep=_sweep,
    blame=_blame,
    close=_close,
    run_marks=_run_marks,
    entry=lambda driver: direct(driver, SSH if driver.transport == "ssh" else API),
    claim=_claim,
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(
        # pyeapi 1.0.4, eapilib.EapiConnection.send: 401 with the switch's text, and the socket's error.
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
