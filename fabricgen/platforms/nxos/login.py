"""How operators log in to NX-OS: `line console` and `line vty`.

Sources: public running configurations of NX-OS; CIS Cisco NX-OS 1.2.0, 1.2.4 and 1.2.5: `exec-timeout`, in minutes.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.device.management import Login
from fabricgen.platforms.nxos.access import AccessContext


class LineContext(NamedTuple):
    """A kind of session, and its lines."""

    name: str
    words: tuple[str, ...]


def terminal_lines(login: Login | None, access: AccessContext | None) -> Iterator[LineContext]:
    """The kinds that have lines. access: lists of SSH, which filter where `line vty` names them."""
    idle = (f"exec-timeout {login.idle_minutes}",) if login is not None and login.idle_minutes else ()
    lists = (f"access-class {access.ssh} in", f"ipv6 access-class {access.ipv6} in") if access is not None else ()
    for name, words in (("console", idle), ("vty", (*idle, *lists))):
        if words:
            yield LineContext(name, words)
