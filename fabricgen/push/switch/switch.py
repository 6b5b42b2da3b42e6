"""What a push and a switch exchange: candidates, octets and errors, independent of its NAPALM driver."""

from collections.abc import Mapping
from typing import NamedTuple


class Candidate(NamedTuple):
    """The configuration to commit, with secrets: must never be shown or kept.

    text   of the main file
    files  path on the switch → text, on platforms with files in addition to the main one
    merge  lines are added to the running configuration instead of replacing it; then there are no files
    hidden secrets in it, which no difference and no error may show
    """

    text: str
    files: Mapping[str, str]
    merge: bool = False
    hidden: tuple[str, ...] = ()


class Octets(NamedTuple):
    """Octets that one port has received and sent since its counters began."""

    received: int
    sent: int


class SwitchError(Exception):
    """An error of a switch or its driver. The text holds no secret.

    kind  unreachable (no answer), login (authentication failed), host-key (unexpected host key), locked (a commit of
          somebody else), leased (another run is at work), refused (it rejected the configuration; the previous one
          runs), lost (the connection broke), unsaved (it could not save, for example on a full disk), gone (the pending
          commit no longer exists), unable (the driver does not support it), moved (the running configuration is not the
          approved one), loud (drained, but still carries traffic), differs (the running configuration is not the
          committed one), shut-out (no new login is possible since the commit)
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
