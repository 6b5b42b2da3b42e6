"""Who types a push, by what the system says of its process before what the environment says.

Nothing here is proof against somebody who may become another account: root, or who knows a colleague's password.
"""

import os
import pwd
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LOGIN = Path("/proc/self/loginuid")
"""Whom the kernel keeps as logged in, whatever sudo or su made of it since (proc_pid_loginuid(5))."""
NOBODY = 2**32 - 1
"""There of a process that no login has begun."""
SAID = ("SUDO_USER", "LOGNAME", "USER")


def account() -> str:
    """Name of the account under which this process runs; its number where the system has no name for it."""
    return _name(os.getuid())


def accounts() -> frozenset[str]:
    """Every name under which whoever types this may be known: the account, the login behind it, and what is said."""
    return frozenset(_accounts())


def _accounts() -> Iterator[str]:
    yield account()
    with suppress(OSError, ValueError):
        login = int(LOGIN.read_text(encoding="ascii"))
        if login != NOBODY:
            yield _name(login)
    yield from filter(None, map(os.environ.get, SAID))


def _name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
