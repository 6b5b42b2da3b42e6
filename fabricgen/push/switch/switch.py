"""One switch as a push sees it, independent of its NAPALM driver."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.reader import Outputs, ReadCommand
from fabricgen.platforms.base.live.run_marks import RunMarks


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
          committed one)
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class SwitchConnection(Protocol):
    """One connected switch. All methods raise SwitchError; a commit that raises changed nothing, or says otherwise."""

    name: str
    profile: CommitProfile

    def running(self) -> str:
        """The running configuration: main file, then each pushed file after a line with its path.

        No secrets or comments.
        """

    def files(self, paths: Iterable[str]) -> Mapping[str, str]:
        """The files in addition to the main one, as they are on the switch; "" for a missing one."""

    def snapshot(self) -> Candidate:
        """The running configuration with its secrets, for a rollback."""

    def startup(self) -> str:
        """The startup configuration with its secrets; "" where its driver does not report it separately."""

    def compare(self, candidate: Candidate) -> str:
        """What a commit would change; "" for nothing. Secrets are masked. Nothing stays loaded."""

    def load(self, candidate: Candidate, message: str) -> str:
        """Load for the next commit, with a message for its log. Return the token by which `pending` recognises it."""

    def commit(self, seconds: int | None) -> None:
        """Commit what is loaded; unconfirmed, it reverts after so many seconds. None: no timer."""

    def mark(self) -> object:
        """A JSON value that later shows whether somebody changed the configuration; None where the driver has none."""

    def meanwhile(self, token: str, mark: object) -> str:
        """Who or what changed it between a mark and our pending commit; "" if nothing that the driver can detect."""

    def pending(self) -> str | None:
        """Token of a pending timed commit, whoever made it; None without one."""

    def standing(self) -> RunMarks:
        """The commit that the switch will end by itself, from its beginning on, and which run is at work there."""

    def limit(self) -> int:
        """Seconds after which the switch ends a commit that its client began and left; 0 where that is unknown."""

    def claim(self, claim: RunClaim) -> None:
        """Record on the switch that a run is at work, if its driver can. Raises SwitchError `leased` if another is."""

    def release(self, token: str) -> None:
        """Remove that record. token: of the run."""

    def confirm(self, token: str) -> None:
        """Confirm the pending commit, and make it survive a restart."""

    def revert(self, token: str) -> None:
        """End the pending commit at once; the previous configuration runs again."""

    def counters(self) -> Mapping[str, Octets]:
        """Octets of each port."""

    def ask(self, reads: Iterable[ReadCommand]) -> Outputs:
        """Outputs by command; a failed command has its error."""
