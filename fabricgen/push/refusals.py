"""What drivers raise, sorted into the kinds of BoxError. What only one driver raises is told in its Handling."""

import re
from collections.abc import Iterable
from types import TracebackType

from fabricgen.drivers.handling import HandlingError, Telling
from fabricgen.push.box import BoxError
from fabricgen.push.discreet import reason

OURS = "fabricgen"
"""The package whose own exceptions are faults of this program, and pass."""

OUR_DRIVERS = "fabricgen.drivers.napalm_"
"""First letters of packages of it that are drivers: what those raise is told as what any driver raises."""

AWAY = frozenset({"lost", "unreachable"})
"""Kinds after which a connection is opened anew, and of which a commit may stand or not."""

_GENERAL = (
    # Classes of napalm/base/exceptions.py, before those of Python that they are also.
    Telling("ConnectAuthError", "", "login"),
    Telling("LockError", "", "locked"),
    Telling("SessionLockedException", "", "locked"),
    Telling("CommandTimeoutException", "", "lost"),
    Telling("ConnectionClosedException", "", "lost"),
    Telling("ModuleImportError", "", "unable"),
    Telling("UnsupportedVersion", "", "unable"),
    Telling("", r"certificate verify failed", "host-key"),  # OpenSSL's words
    Telling("ConnectionException", "", "unreachable"),
    Telling("ReplaceConfigException", "", "refused"),
    Telling("MergeConfigException", "", "refused"),
    Telling("CommitConfirmException", "", "gone"),
    Telling("CommitError", "", "refused"),
    Telling("NotImplementedError", "", "unable"),
    Telling("OSError", "", "unreachable"),
)


def told(error: BaseException, tellings: Iterable[Telling], unknown: str, *, opening: bool) -> str:
    """Return the kind of what a driver raised.

    unknown  of what nothing is known of
    opening  a switch that is not reached while it is opened is unreachable, and one that is open is lost
    """
    names = {kind.__name__ for kind in type(error).__mro__}
    text = str(error)
    fits = (
        telling.kind
        for telling in (*tellings, *_GENERAL)
        if (not telling.name or telling.name in names) and re.search(telling.words, text)
    )
    found = error.kind if isinstance(error, HandlingError) else next(fits, unknown)
    if found in AWAY:
        return "unreachable" if opening else "lost"
    return found


def box_error(error: BaseException, kind: str, secrets: Iterable[str], more: str = "") -> BoxError:
    """Return what is told of it. more: words after the driver's own."""
    text = reason(error, secrets)
    return BoxError(kind, f"{text} ({more})" if more else text)


def is_ours(error: BaseException) -> bool:
    """Tell whether this program raised it, by mistake, and no driver."""
    module = _last(error.__traceback__)
    is_told = isinstance(error, HandlingError) or module.startswith(OUR_DRIVERS)
    return not is_told and module.split(".")[0] == OURS


def _last(traceback: TracebackType | None) -> str:
    """Name of the module in which it was raised."""
    name = ""
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__", ""))
        traceback = traceback.tb_next
    return name
