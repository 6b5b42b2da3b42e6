"""A push with NAPALM's `nxos` driver: lines are merged, immediately and permanently, after a checkpoint.

The driver has no timed commit (napalm/nxos/nxos.py of NAPALM 5.2.0, `commit_config`), and a whole configuration can
only be replaced by a checkpoint file that the switch itself wrote, never by rendered text.

The driver ignores the output of a rollback or a save, and both report failures in plain text: a rollback that its own
verification refuses (github.com/napalm-automation/napalm-ansible, issue 168), a save while services are in transition
(README of Cisco's NED for NX-OS: "Configuration update aborted"). So both outputs are checked here.

The driver's checkpoint has a fixed name (`rollback_cfg`), so if it cannot be written, an older one remains, of an
earlier commit or of somebody else, and would be rolled back to. A push names each checkpoint after its commit, and
deletes it when the commit is confirmed or reverted.
"""

import hashlib
import re
from typing import Any

from fabricgen.platforms.base.live.commit_operations import (
    CommitOperationError,
    CommitOperations,
    ErrorPattern,
    Loading,
    same,
)
from fabricgen.platforms.base.live.entry import API, direct
from fabricgen.platforms.base.live.run_marks import RunMarks
from fabricgen.platforms.nxos.live.values import REFUSED

REMARK = "!"
SAVE = "copy running-config startup-config"
SAVED = "Copy complete"
NO_SUCH_FILE = "No such file or directory"
"""In the output of `dir`; NAPALM looks for the same text (napalm/nxos/nxos.py, _check_file_exists)."""
FAILED = re.compile(r".*(?:rollback failed|verification failed).*", re.IGNORECASE)
UNSAVED = re.compile(r"Unable to save running-config|copy run\S* startup-config")
"""In the driver's exception for a commit that runs but could not be saved."""


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see base/live/commit_operations.py
    """Load the lines; discard what was loaded before, since the driver would add to it.

    Remarks are left out: each line is a command of its own to NX-API, and no source says that it accepts a remark.
    """
    driver.discard_config()
    driver.merge_candidate = ""
    lines = (line for line in loading.text.splitlines() if not line.lstrip().startswith(REMARK))
    driver.load_merge_candidate(config="\n".join(lines))


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    """Commit, and compare the running lines if that fails: the driver rolls back, but does not check the result.

    A merge without an answer may still be applied after the driver's rollback, so its outcome is unknown.
    """
    del message
    if seconds is not None:
        raise CommitOperationError("unable", "the driver has no commit that reverts by itself")
    running_before = _running(driver)
    driver.rollback_cfg = _file(token)
    try:
        driver.commit_config()
    except BaseException as error:
        if UNSAVED.search(str(error)):
            raise
        if _running(driver) != running_before:
            raise CommitOperationError(
                "lost", f"it does not run what it ran before ({_file(token)}): {error}"
            ) from error
        if REFUSED not in str(error):
            raise CommitOperationError("lost", f"it did not say whether it took the lines: {error}") from error
        _forget(driver, token)
        raise


def _file(token: str) -> str:
    """Return the name of the checkpoint of one commit."""
    return f"fabricgen-{hashlib.sha256(token.encode()).hexdigest()[:16]}.txt"


def _forget(driver: Any, token: str) -> None:  # noqa: ANN401
    """Delete a checkpoint with NAPALM's method (napalm/nxos/nxos.py, _delete_file); one that remains does no harm."""
    try:
        driver._delete_file(_file(token))
    except BaseException as error:
        if REFUSED not in str(error):
            raise


def _running(driver: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Return the running lines, without remarks, which contain the time."""
    lines = str(driver.get_config(retrieve="running")["running"]).splitlines()
    return tuple(line.rstrip() for line in lines if line.strip() and not line.lstrip().startswith(REMARK))


def _cli_output(driver: Any, command: str) -> str:  # noqa: ANN401
    return str(driver.cli([command])[command] or "")


def _save(driver: Any) -> None:  # noqa: ANN401
    """Save what runs for the next start. Raises CommitOperationError unless the switch reports success."""
    output = _cli_output(driver, SAVE).strip()
    if SAVED not in output:
        raise CommitOperationError("unsaved", f"'{SAVE}' did not say '{SAVED}': {output.rpartition(chr(10))[2]}")


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    del driver
    return None


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Save again: a commit is permanent when it is made, but the driver does not check whether it was saved."""
    _save(driver)
    _forget(driver, token)


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """Roll back to the checkpoint of the commit, and save. A failed rollback is not saved."""
    file = _file(token)
    if NO_SUCH_FILE in _cli_output(driver, f"dir {file}"):
        raise CommitOperationError("gone", f"there is no checkpoint {file} to go back to")
    failure = FAILED.search(_cli_output(driver, f"rollback running-config file {file}"))
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
    run_marks=lambda driver: RunMarks(),  # nothing reverts by itself
    entry=lambda driver: direct(driver, API),
    patterns=(
        # Classes of napalm.nxapi_plumbing.errors.
        ErrorPattern("NXAPIAuthError", "", "login"),
        ErrorPattern("NXAPIConnectionError", "", "unreachable"),
        ErrorPattern("NXAPIPostError", "", "lost"),
        ErrorPattern("ReplaceConfigException", r"does not exist on device", "gone"),
        ErrorPattern("NXAPIError", NO_SUCH_FILE, "gone"),
        ErrorPattern("", UNSAVED.pattern, "unsaved"),
        ErrorPattern("", r"[Nn]o space left", "unsaved"),
        ErrorPattern("NXAPIError", "", "refused"),
    ),
)
