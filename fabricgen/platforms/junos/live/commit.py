"""A push and NAPALM's `junos` driver: confirmed commits, known by their comment in the history of commits.

What waits is read from `get-commit-information` (`show system commit`), not from NAPALM's `has_pending_commit`: an
entry keeps the words "commit confirmed, rollback in …" for good, and only `commit-confirmed` says that its timer runs.
Source: tests of jmcp, a public program over PyEZ, whose replies mirror those of a vSRX with 24.4R2.
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
from fabricgen.platforms.base.live.standing import RunMarks
from fabricgen.platforms.junos.live.text import is_whole

TIMED = re.compile(r"rollback in (\d+)\s*min")
"""How the history tells the time of a commit."""

PATIENCE = 180
"""Seconds in which a commit is answered: one that is still under way would be taken for none."""


class Newest(NamedTuple):
    """The newest commit. comment: "" for one without; waits: its timer runs; until: by the switch's clock."""

    comment: str
    waits: bool
    until: int | None = None
    who: str = ""


@contextmanager
def _committing(driver: Any) -> Iterator[None]:  # noqa: ANN401 - see base/live/commit_operations.py
    """Wait for a commit, and take no warning for a refusal.

    A switch without a license, for one, warns at each commit and commits (`requires 'bgp' license`; recorded of QFX
    and PTX: github.com/Juniper/ansible-junos-stdlib issue 58, clicon/clixon-controller issue 71), and PyEZ raises for
    a warning what it raises for an error. What is an error is raised all the same (PyEZ 2.8.2, ignoreWarnDecorator).
    """
    before = driver.ignore_warning, driver.device.timeout
    driver.ignore_warning, driver.device.timeout = True, max(before[1], PATIENCE)
    try:
        yield
    finally:
        driver.ignore_warning, driver.device.timeout = before


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401
    """Load under the driver's lock of the candidate, which it keeps until the commit or the discard.

    A text that is cut is not put in the place of all. PyEZ can hand over a part for the whole where the switch warns
    (github.com/Juniper/py-junos-eznc issue 748: `show configuration`; not seen of what NAPALM's get_config asks).
    """
    if not loading.merge and not is_whole(loading.text):
        raise CommitOperationError("refused", "the configuration is cut: it has a block that is not closed")
    load_text(driver, loading)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit, and see that the switch names a timed commit as ours: else it could not be confirmed, and reverts."""
    with _committing(driver):
        driver.commit_config(message=message, revert_in=seconds)
    if seconds is not None and (found := _pending(driver)) != token:
        shown = "shows none" if found is None else f"shows {found or 'one without a comment'}"
        raise CommitOperationError("unable", f"the commit is not known again among those that wait: the switch {shown}")


def _history(driver: Any) -> list[Any]:  # noqa: ANN401
    """Entries of the history, newest first; of the first one where several engines show theirs.

    What is no history is not taken for one.
    """
    told = driver.device.rpc.get_commit_information()
    if isinstance(told, bool):  # as PyEZ has an empty reply
        return []
    found = told if told.tag == "commit-information" else told.find(".//commit-information")
    if found is None:
        raise CommitOperationError("unable", "what the switch gives is no history of its commits")
    return list(found.iterfind(".//commit-history"))


def _newest(driver: Any) -> Newest | None:  # noqa: ANN401
    """First entry of the history; None for an empty one."""
    entry = next(iter(_history(driver)), None)
    if entry is None:
        return None
    comment = (entry.findtext("log") or "").strip()
    minutes = TIMED.search(entry.findtext("comment") or "")
    began = _clock(entry.find("date-time"))
    until = began + int(minutes[1]) * 60 if began is not None and minutes else None
    who = (entry.findtext("user") or "").strip()
    return Newest(comment, entry.find("commit-confirmed") is not None, until, who)


def _mark(driver: Any, token: str, digest: Digest) -> list[str]:  # noqa: ANN401
    """The newest commit: when it was made, by whom, and its comment; nothing where none was."""
    del token, digest
    return next((_named(entry) for entry in _history(driver)), [])


def _words(entry: Any) -> list[str]:  # noqa: ANN401
    return [(entry.findtext(name) or "").strip() for name in ("date-time", "user", "log")]


def _named(entry: Any) -> list[str]:  # noqa: ANN401
    """What tells an entry from others; its number grows with each commit behind it.

    Its time is in seconds where it has them: in words it is in the switch's time zone, which a commit may change.
    """
    when, *words = _words(entry)
    seconds = _clock(entry.find("date-time"))
    return [when if seconds is None else str(seconds), *words]


def _meanwhile(driver: Any, token: str, mark: object, seen: object, digest: Digest) -> str:  # noqa: ANN401
    """The commit right before ours, where it is not the one that was the newest.

    The lock of the candidate, which stands from its load to the commit, keeps others from changing it, and not from
    private copies (Juniper, Junoscript guide, Locking the Candidate Configuration).
    """
    del token, seen, digest
    before = next(iter(_history(driver)[1:2]), None)
    if (_named(before) if before is not None else []) == mark:
        return ""
    when, user, log = _words(before) if before is not None else ("", "", "")
    told = [f"by {user}" if user else "", f"at {when}" if when else "", f"({log})" if log else ""]
    return " ".join(["another commit was made right before it", *filter(None, told)])


def _clock(element: Any) -> int | None:  # noqa: ANN401
    """Seconds of a time, which stand in an attribute, with or without a namespace."""
    found = (value for name, value in (element.attrib.items() if element is not None else ()) if "seconds" in name)
    return next((int(value) for value in found if value.isdecimal()), None)


def _standing(driver: Any) -> RunMarks:  # noqa: ANN401
    """The commit that waits, its user and its time, by the switch's own clock (`show system uptime`).

    The words "rollback in 5mins" and the attribute of `date-time` are recorded of a vSRX with 24.4R2; whether a later
    `commit confirmed` moves the time is in no source that was found.
    """
    newest = _newest(driver)
    if newest is None or not newest.waits:
        return RunMarks()
    left = None
    if newest.until is not None:
        told = driver.device.rpc.get_system_uptime_information()
        now = None if isinstance(told, bool) else _clock(told.find(".//current-time/date-time"))
        left = None if now is None else max(0, newest.until - now)
    return waiting(newest.comment, left, newest.who)


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    """Comment of the newest commit while its timer runs; "" for one without."""
    newest = _newest(driver)
    return newest.comment if newest is not None and newest.waits else None


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Confirm with `commit check`.

    It confirms as `commit` does, which NAPALM's `confirm_commit` sends, and leaves alone what somebody else has in the
    candidate and did not commit; `commit` would make that run. It makes no entry of its own in the history, and a
    timer that ran out in the meantime makes one. Source: as above; Juniper's own module for Ansible confirms so
    (github.com/Juniper/ansible-junos-stdlib pull request 597, in a session of its own).
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
    """`rollback 1` and a commit, under a lock, so that the timer's own revert is not undone by it.

    What is refused is discarded with the lock (Juniper's manual, lock-configuration).
    """
    driver.device.cu.lock()
    try:
        must_wait(_pending(driver), token)
        with _committing(driver):
            driver.rollback()
    finally:
        driver.device.cu.unlock()


def _abandon(driver: Any, token: str) -> None:  # noqa: ANN401
    """Discard, unless the lock was given back with a commit: what is in the candidate then is somebody else's."""
    del token
    if driver.locked or driver.lock_disable or driver.config_private:
        driver.discard_config()


OPERATIONS = CommitOperations(
    token=same,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    abandon=_abandon,
    standing=_standing,
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
