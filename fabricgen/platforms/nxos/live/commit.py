"""A push and NAPALM's `nxos` driver: lines are merged, at once and for good, after a checkpoint to go back to.

The driver has no timed commit (napalm/nxos/nxos.py of NAPALM 5.2.0, `commit_config`), and a whole configuration can
only be replaced by a file that the switch itself wrote as a checkpoint, never by rendered text.

The driver looks at nothing that a rollback or a save says, and both say in plain text that they failed: a rollback that
its own verification refuses (github.com/napalm-automation/napalm-ansible, issue 168), a save while services are in
transition (README of Cisco's NED for NX-OS: "Configuration update aborted"). So both are looked at here.

Its checkpoint has one name (`rollback_cfg`), so that one which could not be written leaves that of a commit long ago,
or of somebody else, to go back to. A push names each after its commit, and deletes it when that is confirmed or ended.
"""

import hashlib
import re
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperationError,
    CommitOperations,
    ErrorPattern,
    Loading,
    same,
)
from fabricgen.platforms.base.live.standing import RunMarks
from fabricgen.platforms.nxos.live.values import REFUSED

REMARK = "!"
SAVE = "copy running-config startup-config"
SAVED = "Copy complete"
GONE = "No such file or directory"
"""In what `dir` says; NAPALM looks for the same (napalm/nxos/nxos.py, _check_file_exists)."""
FAILED = re.compile(r".*(?:rollback failed|verification failed).*", re.IGNORECASE)
UNSAVED = re.compile(r"Unable to save running-config|copy run\S* startup-config")
"""In what the driver raises where a commit stands and could not be saved."""


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see base/live/commit_operations.py
    """Take the lines; what was loaded before is forgotten, since the driver would add to it.

    Remarks stay here: each line is a command of its own to NX-API, and that it takes a remark was not read.
    """
    driver.discard_config()
    driver.merge_candidate = ""
    lines = (line for line in loading.text.splitlines() if not line.lstrip().startswith(REMARK))
    driver.load_merge_candidate(config="\n".join(lines))


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit. Where it fails the driver reverts by itself, and calls that done: what runs then is looked at.

    A merge that was not answered may go on behind the driver's rollback, so what comes of it is not known.
    """
    del message
    if seconds is not None:
        raise CommitOperationError("unable", "the driver has no commit that reverts by itself")
    before = _running(driver)

    def look(kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        del kind, trace
        if error is None or UNSAVED.search(str(error)):
            return
        if _running(driver) != before:
            raise CommitOperationError(
                "lost", f"it does not run what it ran before ({_file(token)}): {error}"
            ) from error
        if REFUSED not in str(error):
            raise CommitOperationError("lost", f"it did not say whether it took the lines: {error}") from error
        _forget(driver, token)

    driver.rollback_cfg = _file(token)
    with ExitStack() as failed:
        failed.push(look)
        driver.commit_config()


def _file(token: str) -> str:
    """Name of the checkpoint of one commit."""
    return f"fabricgen-{hashlib.sha256(token.encode()).hexdigest()[:16]}.txt"


def _forget(driver: Any, token: str) -> None:  # noqa: ANN401
    """Delete a checkpoint, as NAPALM deletes files (napalm/nxos/nxos.py, _delete_file); one that stays does no harm."""
    with ExitStack() as kept:
        kept.push(lambda kind, error, trace: REFUSED in str(error))
        driver._delete_file(_file(token))


def _running(driver: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Lines that run, without remarks, which tell the time."""
    lines = str(driver.get_config(retrieve="running")["running"]).splitlines()
    return tuple(line.rstrip() for line in lines if line.strip() and not line.lstrip().startswith(REMARK))


def _said(driver: Any, command: str) -> str:  # noqa: ANN401
    return str(driver.cli([command])[command] or "")


def _save(driver: Any) -> None:  # noqa: ANN401
    """Have what runs outlast a restart. Raises CommitOperationError where the switch does not say that it does."""
    said = _said(driver, SAVE).strip()
    if SAVED not in said:
        raise CommitOperationError("unsaved", f"'{SAVE}' did not say '{SAVED}': {said.rpartition(chr(10))[2]}")


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    del driver
    return None


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Save once more: a commit stays when it is made, but whether it was saved the driver does not look."""
    _save(driver)
    _forget(driver, token)


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """Back to the checkpoint that the commit wrote, and that saved. What did not go back is not saved."""
    file = _file(token)
    if GONE in _said(driver, f"dir {file}"):
        raise CommitOperationError("gone", f"there is no checkpoint {file} to go back to")
    failure = FAILED.search(_said(driver, f"rollback running-config file {file}"))
    if failure:
        raise CommitOperationError("lost", f"it did not go back to {file}: {failure[0].strip()}")
    _save(driver)
    _forget(driver, token)


OPERATIONS = CommitOperations(
    token=same,
    load=_load,
    commit=_commit,
    pending=_pending,
    confirm=_confirm,
    revert=_revert,
    standing=lambda driver: RunMarks(),  # nothing reverts by itself
    patterns=(
        # Classes of napalm.nxapi_plumbing.errors.
        ErrorPattern("NXAPIAuthError", "", "login"),
        ErrorPattern("NXAPIConnectionError", "", "unreachable"),
        ErrorPattern("NXAPIPostError", "", "lost"),
        ErrorPattern("ReplaceConfigException", r"does not exist on device", "gone"),
        ErrorPattern("NXAPIError", GONE, "gone"),
        ErrorPattern("", UNSAVED.pattern, "unsaved"),
        ErrorPattern("", r"[Nn]o space left", "unsaved"),
        ErrorPattern("NXAPIError", "", "refused"),
    ),
)
