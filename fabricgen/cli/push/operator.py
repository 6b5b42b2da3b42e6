"""The user who runs a push, from the system's data about the process first, and from the environment.

This does not protect against users who can become another account: root, or with a colleague's password.
"""

import os
import pwd
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

LOGIN = Path("/proc/self/loginuid")
"""The login that the kernel keeps for a session, whatever sudo or su changed since (proc_pid_loginuid(5))."""
NOBODY = 2**32 - 1
"""Value of LOGIN for a process that no login has started."""
SAID = ("SUDO_USER", "LOGNAME", "USER")


def account() -> str:
    """Name of this process's account; its number if the system has no name for it."""
    return _name(os.getuid())


def accounts() -> frozenset[str]:
    """All names of the user: the account, the original login, and the names in the environment."""
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
