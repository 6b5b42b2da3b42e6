"""What drivers raise, sorted into the kinds of BoxError. What only one driver raises is in its CommitOperations."""

import re
from collections.abc import Iterable
from types import TracebackType

from fabricgen.platforms.base.live.commit_operations import CommitOperationError, ErrorPattern
from fabricgen.push.switch.redact import reason
from fabricgen.push.switch.switch import SwitchError

OURS = "fabricgen"
"""The package whose own exceptions are faults of this program, and pass."""

OUR_DRIVERS = re.compile(r"fabricgen\.platforms\.\w+\.napalm_driver\b")
"""Packages of it that are drivers: what those raise is told as what any driver raises."""

AWAY = frozenset({"lost", "unreachable"})
"""Kinds after which a connection is opened again, and of which a commit may stand or not."""

_GENERAL = (
    # Classes of napalm/base/exceptions.py, before those of Python that they are also.
    ErrorPattern("ConnectAuthError", "", "login"),
    ErrorPattern("LockError", "", "locked"),
    ErrorPattern("SessionLockedException", "", "locked"),
    ErrorPattern("CommandTimeoutException", "", "lost"),
    ErrorPattern("ConnectionClosedException", "", "lost"),
    ErrorPattern("ModuleImportError", "", "unable"),
    ErrorPattern("UnsupportedVersion", "", "unable"),
    ErrorPattern("", r"certificate verify failed", "host-key"),  # OpenSSL's words
    ErrorPattern("ConnectionException", "", "unreachable"),
    ErrorPattern("ReplaceConfigException", "", "refused"),
    ErrorPattern("MergeConfigException", "", "refused"),
    ErrorPattern("CommitConfirmException", "", "gone"),
    ErrorPattern("CommitError", "", "refused"),
    ErrorPattern("NotImplementedError", "", "unable"),
    ErrorPattern("OSError", "", "unreachable"),
)


def told(error: BaseException, patterns: Iterable[ErrorPattern], unknown: str, *, opening: bool) -> str:
    """Return the kind of what a driver raised.

    unknown  of what nothing is known of
    opening  a switch that is not reached while it is opened is unreachable, and one that is open is lost
    """
    names = {kind.__name__ for kind in type(error).__mro__}
    text = str(error)
    fits = (
        pattern.kind
        for pattern in (*patterns, *_GENERAL)
        if (not pattern.name or pattern.name in names) and re.search(pattern.words, text)
    )
    found = error.kind if isinstance(error, CommitOperationError) else next(fits, unknown)
    if found in AWAY:
        return "unreachable" if opening else "lost"
    return found


def box_error(error: BaseException, kind: str, secrets: Iterable[str], more: str = "") -> SwitchError:
    """Return what is told of it. more: words after the driver's own."""
    text = reason(error, secrets)
    return SwitchError(kind, f"{text} ({more})" if more else text)


def is_ours(error: BaseException) -> bool:
    """Tell whether this program raised it, by mistake, and no driver."""
    module = _last(error.__traceback__)
    is_told = isinstance(error, CommitOperationError) or OUR_DRIVERS.match(module) is not None
    return not is_told and module.split(".")[0] == OURS


def _last(traceback: TracebackType | None) -> str:
    """Name of the module in which it was raised."""
    name = ""
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__", ""))
        traceback = traceback.tb_next
    return name
