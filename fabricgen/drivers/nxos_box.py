"""A push and NAPALM's `nxos` driver: lines are merged, at once and for good, after a checkpoint to go back to.

The driver has no timed commit (napalm/nxos/nxos.py of NAPALM 5.2.0, `commit_config`), and a whole configuration can
only be replaced by a file that the switch itself wrote as a checkpoint, never by rendered text.
"""

from typing import Any

from fabricgen.drivers.handling import (
    Handling,
    HandlingError,
    Loading,
    Telling,
    discard,
    let_go,
    no_blame,
    no_files,
    nothing_left,
    same,
)


def _load(driver: Any, loading: Loading) -> None:  # noqa: ANN401 - see handling.py
    """Take the lines; what was loaded before is forgotten, since the driver would add to it."""
    driver.discard_config()
    driver.merge_candidate = ""
    driver.load_merge_candidate(config=loading.text)


def _commit(driver: Any, token: str, message: str, seconds: int | None) -> None:  # noqa: ANN401
    del token, message
    if seconds is not None:
        raise HandlingError("unable", "the driver has no commit that reverts by itself")
    driver.commit_config()


def _pending(driver: Any) -> str | None:  # noqa: ANN401
    del driver
    return None


def _confirm(driver: Any, token: str) -> None:  # noqa: ANN401
    """Do nothing: a commit is kept when it is made."""
    del driver, token


def _revert(driver: Any, token: str) -> None:  # noqa: ANN401
    """Back to the checkpoint `rollback_config.txt` that the driver's last commit wrote."""
    del token
    driver.rollback()


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
        # Classes of napalm.nxapi_plumbing.errors.
        Telling("NXAPIAuthError", "", "login"),
        Telling("NXAPIConnectionError", "", "unreachable"),
        Telling("NXAPIPostError", "", "lost"),
        Telling("ReplaceConfigException", r"does not exist on device", "gone"),
        Telling("CommandErrorException", r"Unable to save running-config", "unsaved"),
        Telling("", r"[Nn]o space left", "unsaved"),
        Telling("NXAPIError", "", "refused"),
    ),
)
