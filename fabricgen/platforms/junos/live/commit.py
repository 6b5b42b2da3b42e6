"""A push with NAPALM's `junos` driver: confirmed commits, identified by their comment in the commit history.

A pending commit is read from `get-commit-information` (`show system commit`), not from NAPALM's `has_pending_commit`:
an entry keeps the words "commit confirmed, rollback in …" forever, and only `commit-confirmed` shows that its timer
runs. Source: tests of jmcp, a public program over PyEZ, whose replies mirror those of a vSRX with 24.4R2.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperationError,
    CommitOperations,
    Digest,
    ErrorPattern,
    Loading,
    load_text,
    must_wait,
    same,
    waiting,
)
from fabricgen.platforms.base.live.entry import NETCONF, SSH, Entry, known_address
from fabricgen.platforms.base.live.run_marks import RunMarks
from fabricgen.platforms.junos.live.text import is_whole

TIMED = re.compile(r"rollback in (\d+)\s*min")
"""Time of a confirmed commit in the history."""

SSH_PORT = 22

PATIENCE = 180
"""Seconds to wait for the reply to a commit: after a timeout, a commit in progress would be taken for none."""


class Newest(NamedTuple):
    """The newest commit.

    comment  "" for a commit without one
    waits    its timer runs
    until    by the switch's clock
    """

    comment: str
    waits: bool
    until: int | None = None
    who: str = ""


@contextmanager
def _committing(driver: Any) -> Iterator[None]:  # noqa: ANN401 - see base/live/commit_operations.py
    """Wait long enough for a commit, and do not treat a warning as a refusal.

    A switch without a license, for example, warns at each commit but commits (`requires 'bgp' license`; recorded on QFX
    and PTX: github.com/Juniper/ansible-junos-stdlib issue 58, clicon/clixon-controller issue 71), and PyEZ raises the
    same exception for warnings and errors. Errors are still raised (PyEZ 2.8.2, ignoreWarnDecorator).
    """
    settings = driver.ignore_warning, driver.device.timeout
    driver.ignore_warning, driver.device.timeout = True, max(settings[1], PATIENCE)
    try:
        yield
    finally:
        driver.ignore_warning, driver.device.timeout = settings


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401
    """Load under the driver's lock of the candidate, which is held until the commit or the discard.

    A truncated text must not replace the whole configuration. PyEZ can return a part for the whole if the switch warns
    (github.com/Juniper/py-junos-eznc issue 748: `show configuration`; not seen with the request of NAPALM's
    get_config).
    """
    if not loading.merge and not is_whole(loading.text):
        raise CommitOperationError("refused", "the configuration is truncated: it has a block that is not closed")
    load_text(driver, loading)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit, and check that the switch lists a timed commit as ours; otherwise it cannot be confirmed, and reverts."""
    with _committing(driver):
        driver.commit_config(message=message, revert_in=seconds)
    if seconds is not None and (pending_token := _pending(driver)) != token:
        shown = "shows none" if pending_token is None else f"shows {pending_token or 'one without a comment'}"
        raise CommitOperationError("unable", f"the commit is not known again among those that wait: the switch {shown}")


def _history(driver: Any) -> list[Any]:  # noqa: ANN401
    """Return the entries of the history, newest first; those of the first routing engine if several answer.

    Raises CommitOperationError for a reply without a history.
    """
    reply = driver.device.rpc.get_commit_information()
    if isinstance(reply, bool):  # PyEZ returns True for an empty reply
        return []
    information = reply if reply.tag == "commit-information" else reply.find(".//commit-information")
    if information is None:
        raise CommitOperationError("unable", "what the switch gives is no history of its commits")
    return list(information.iterfind(".//commit-history"))


def _newest(driver: Any) -> Newest | None:  # noqa: ANN401
    """Return the newest entry of the history; None if there is none."""
    entry = next(iter(_history(driver)), None)
    if entry is None:
        return None
    comment = (entry.findtext("log") or "").strip()
    time_match = TIMED.search(entry.findtext("comment") or "")
    start = _clock(entry.find("date-time"))
    until = start + int(time_match[1]) * 60 if start is not None and time_match else None
    who = (entry.findtext("user") or "").strip()
    return Newest(comment, entry.find("commit-confirmed") is not None, until, who)


def _mark(driver: Any, token: str, digest: Digest) -> list[str]:  # noqa: ANN401
    """Return time, user and comment of the newest commit; [] if there is none."""
    del token, digest
    return next((_named(entry) for entry in _history(driver)), [])


def _words(entry: Any) -> list[str]:  # noqa: ANN401
    return [(entry.findtext(name) or "").strip() for name in ("date-time", "user", "log")]


def _named(entry: Any) -> list[str]:  # noqa: ANN401
    """Return what identifies an entry; its number is no help, since it changes with each later commit.

    The time is in seconds if the entry has them: as text it is in the switch's time zone, which a commit may change.
    """
    when, *words = _words(entry)
    seconds = _clock(entry.find("date-time"))
    return [when if seconds is None else str(seconds), *words]


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """Describe the commit right before ours if it is not the one that was the newest; "" if it is.

    The lock of the candidate, held from load to commit, stops others from changing it, but not commits of private
    copies (Juniper, Junoscript guide, Locking the Candidate Configuration).
    """
    del token, seen, digest
    previous = next(iter(_history(driver)[1:2]), None)
    if (_named(previous) if previous is not None else []) == mark:
        return ""
    when, user, log = _words(previous) if previous is not None else ("", "", "")
    details = [f"by {user}" if user else "", f"at {when}" if when else "", f"({log})" if log else ""]
    return " ".join(["another commit was made right before it", *filter(None, details)])


def _clock(element: Any) -> int | None:  # noqa: ANN401
    """Return a time in seconds, from an attribute with or without a namespace; None if it has none."""
    values = (value for name, value in (element.attrib.items() if element is not None else ()) if "seconds" in name)
    return next((int(value) for value in values if value.isdecimal()), None)


def _run_marks(driver: Any) -> RunMarks:  # noqa: ANN401
    """Return the pending commit, its user and its remaining time, by the switch's own clock (`show system uptime`).

    The words "rollback in 5mins" and the attribute of `date-time` are recorded on a vSRX with 24.4R2; no source says
    whether a later `commit confirmed` moves the time.
    """
    newest = _newest(driver)
    if newest is None or not newest.waits:
        return RunMarks()
    seconds_left = None
    if newest.until is not None:
        reply = driver.device.rpc.get_system_uptime_information()
        now = None if isinstance(reply, bool) else _clock(reply.find(".//current-time/date-time"))
        seconds_left = None if now is None else max(0, newest.until - now)
    return waiting(newest.comment, seconds_left, newest.who)


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Return the comment of the newest commit while its timer runs, "" for one without; None if no timer runs."""
    newest = _newest(driver)
    return newest.comment if newest is not None and newest.waits else None


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Confirm with `commit check`.

    It confirms like `commit`, which NAPALM's `confirm_commit` sends, but does not apply what somebody else has left in
    the candidate; `commit` would. It adds no entry to the history, whereas a timer that ran out in the meantime does.
    Source: as above; Juniper's own module for Ansible confirms in this way (github.com/Juniper/ansible-junos-stdlib
    pull request 597, in a session of its own).
    """
    must_wait(_pending(driver), token)
    with _committing(driver):
        driver.device.rpc.commit_configuration(check=True, ignore_warning=True)
    newest = _newest(driver)
    if newest is None or newest.comment != token:
        raise CommitOperationError("gone", "another commit was made while it was confirmed, be it that its time was up")
    if newest.waits:
        raise CommitOperationError("lost", "the commit still waits after it was confirmed; it may revert by its timer")


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """Run `rollback 1` and commit, under a lock, so that it does not undo the timer's own revert.

    Releasing the lock discards a refused candidate (Juniper's manual, lock-configuration).
    """
    driver.device.cu.lock()
    try:
        must_wait(_pending(driver), token)
        with _committing(driver):
            driver.rollback()
    finally:
        driver.device.cu.unlock()


def _abandon(driver: Any, token: str) -> None:  # noqa: ANN401
    """Discard the candidate, unless a commit released the lock: then its content is somebody else's."""
    del token
    if driver.locked or driver.lock_disable or driver.config_private:
        driver.discard_config()


def _entry(driver: Any) -> Entry:  # noqa: ANN401
    """By NETCONF, or SSH at its port. A proxy command of the SSH configuration file has no address of its own.

    The socket is that of the session to which NAPALM sets its keepalive (napalm/junos/junos.py of 5.2.0, open).
    """
    socket = driver.device._conn._session.transport.sock
    source = known_address(str(socket.getsockname()[0])) if hasattr(socket, "getsockname") else ""
    return Entry(SSH if int(driver.port) == SSH_PORT else NETCONF, str(driver.username or ""), source)


OPERATIONS = CommitOperations(
    token=same,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    abandon=_abandon,
    run_marks=_run_marks,
    entry=_entry,
    mark=_mark,
    meanwhile=_meanwhile,
    patterns=(
        # Classes of jnpr.junos.exception; those that NAPALM's driver does not catch pass through it.
        ErrorPattern("ConnectAuthError", "", "login"),
        ErrorPattern("ConnectClosedError", "", "lost"),
        ErrorPattern("ConnectionException", r"host key", "host-key"),
        ErrorPattern("ConnectError", "", "unreachable"),
        ErrorPattern("RpcTimeoutError", "", "lost"),
        ErrorPattern("SSHError", "", "lost"),
        ErrorPattern("CommitConfirmException", r"multiple of 60|requires Junos OS", "unable"),
        ErrorPattern("LockError", "", "locked"),
        ErrorPattern("UnlockError", "", "locked"),
        ErrorPattern("", r"No space left on device|filesystem full", "unsaved"),
        ErrorPattern("RpcError", "", "refused"),
    ),
)
