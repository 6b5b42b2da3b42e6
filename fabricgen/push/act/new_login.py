"""A new login to a switch before its commit is confirmed: a session that is open outlasts what refuses the next one."""

from collections.abc import Callable

from fabricgen.platforms.base.live.entry import Entry
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import SwitchError

AGAIN_SECONDS = 3.0
"""Seconds between two tries: a server that restarts, or has too many connections at once, refuses one."""

SHUT_OUT = "shut-out"
"""Kind of the error, see push/switch/switch.py."""


def must_log_in(switch: SwitchConnection, wait: Callable[[float], None]) -> None:
    """Check that this host can log in to a switch once more, by the way of the inventory. Raises SwitchError.

    It tries twice.
    """
    try:
        switch.log_in()
    except SwitchError:
        wait(AGAIN_SECONDS)
        switch.log_in()


def shut_out(error: SwitchError, entry: Entry) -> SwitchError:
    """The error `shut-out` for a login that failed after a commit, with what to change. entry: of the one before it."""
    return SwitchError(SHUT_OUT, _reason(error, entry))


def _reason(error: SwitchError, entry: Entry) -> str:
    source = entry.source or "here"
    return f"since this commit no new login is possible from {source} ({error.reason}): {_fix(error.kind, entry)}"


def _fix(kind: str, entry: Entry) -> str:
    account = entry.user or "the account of the inventory"
    match kind:
        case "login":
            return (
                f"keep {account} in management.users, with the role network-admin and its password or key; with "
                "TACACS+ its servers must accept it"
            )
        case "host-key":
            return "it shows another certificate or host key: let this host trust that one, or keep the old one"
        case "unreachable":
            source = entry.source or "the address of this host"
            service = f"management.access.{entry.service}" if entry.service else "management.access"
            return (
                f"if it is up, add {source} to {service}; keep the service, its certificate, and the address, VRF and "
                "gateway of management"
            )
        case _:
            return f"give {account} the role network-admin in management.users: it may not read the pending commit"
