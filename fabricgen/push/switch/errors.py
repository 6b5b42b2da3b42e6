"""Exceptions of drivers, sorted into the kinds of SwitchError. Those of a single driver are in its CommitOperations."""

import re
from collections.abc import Iterable
from types import TracebackType

from fabricgen.platforms.base.live.commit_operations import CommitOperationError, ErrorPattern
from fabricgen.push.switch.redact import reason
from fabricgen.push.switch.switch import SwitchError

OURS = "fabricgen"
"""The package whose own exceptions are bugs of this program, and are not caught."""

OUR_DRIVERS = re.compile(r"fabricgen\.platforms\.\w+\.napalm_driver\b")
"""Modules of it that are drivers: their exceptions are reported like those of any other driver."""

AWAY = frozenset({"lost", "unreachable"})
"""Kinds after which a connection is opened again, and after which it is unknown whether a commit was applied."""

OUT_OF_REACH = frozenset({*AWAY, "login", "host-key"})
"""Kinds that concern the connection, not a single command: nothing can be done to the switch."""

_GENERAL = (
    # Classes of napalm/base/exceptions.py, before the Python classes that they derive from.
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


def kind_of(error: BaseException, patterns: Iterable[ErrorPattern], unknown: str, *, opening: bool) -> str:
    """Return the SwitchError kind of an exception that a driver raised.

    unknown  the kind where no pattern matches
    opening  a lost switch is `unreachable` while the connection is being opened, and `lost` afterwards
    """
    names = {base.__name__ for base in type(error).__mro__}
    text = str(error)
    fits = (
        pattern.kind
        for pattern in (*patterns, *_GENERAL)
        if (not pattern.name or pattern.name in names) and re.search(pattern.words, text)
    )
    kind = error.kind if isinstance(error, CommitOperationError) else next(fits, unknown)
    if kind in AWAY:
        return "unreachable" if opening else "lost"
    return kind


def box_error(error: BaseException, kind: str, secrets: Iterable[str], more: str = "") -> SwitchError:
    """Return the SwitchError for it. more: text after the driver's own."""
    text = reason(error, secrets)
    return SwitchError(kind, f"{text} ({more})" if more else text)


def is_ours(error: BaseException) -> bool:
    """Return whether the exception is a bug of this program rather than an error of a driver."""
    module = _last(error.__traceback__)
    is_driver_error = isinstance(error, CommitOperationError) or OUR_DRIVERS.match(module) is not None
    return not is_driver_error and module.split(".")[0] == OURS


def _last(traceback: TracebackType | None) -> str:
    """Return the name of the module in which it was raised."""
    name = ""
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__", ""))
        traceback = traceback.tb_next
    return name
