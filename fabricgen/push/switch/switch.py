"""One switch as a push sees it, whatever its NAPALM driver does in its own way."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.commit_profile import CommitProfile
from fabricgen.platforms.base.live.reader import Outputs, ReadCommand
from fabricgen.platforms.base.live.standing import RunMarks


class Candidate(NamedTuple):
    """What is to be committed, secrets in place: never to be shown or kept.

    text   of the main file
    files  path on the switch → text, of platforms that have files beside it
    merge  lines are added to what runs instead of replacing it; then there are no files
    hidden secrets in it, which no difference and no error may show
    """

    text: str
    files: Mapping[str, str]
    merge: bool = False
    hidden: tuple[str, ...] = ()


class Octets(NamedTuple):
    """What one port has received and sent since its counters began."""

    received: int
    sent: int


class SwitchError(Exception):
    """What a switch or its driver refused or failed at. The words hold no secret.

    kind  unreachable (nobody answers), login (not let in), host-key (not who it should be), locked (somebody else's
          commit), leased (somebody else is at work), refused (a configuration that it does not take; it runs what it
          ran), lost (went away meanwhile), unsaved (could not keep it: a full disk), gone (no such commit waits any
          more), unable (its driver has no way), moved (what runs is not what was approved), loud (drained, and still
          full of traffic), differs (what runs is not what was committed)
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class SwitchConnection(Protocol):
    """One switch, connected. Every method raises BoxError; a commit that raises left what ran, or says otherwise."""

    name: str
    profile: CommitProfile

    def running(self) -> str:
        """What runs: main file, then each pushed file under a line with its path. Without secrets and remarks."""

    def files(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Files beside the main one as they stand there; "" for one that does not."""

    def snapshot(self) -> Candidate:
        """What runs, secrets in place, to go back to."""

    def startup(self) -> str:
        """What it starts with, secrets in place; "" where its driver knows nothing of that apart from what runs."""

    def compare(self, candidate: Candidate) -> str:
        """What a commit would change; "" for nothing. Secrets masked. Nothing stays loaded."""

    def load(self, candidate: Candidate, message: str) -> str:
        """Load for the next commit; a token by which `pending` knows that commit again. The message is logged."""

    def commit(self, seconds: int | None) -> None:
        """Commit what is loaded; unconfirmed it reverts after so many seconds. None: it stays."""

    def mark(self) -> object:
        """What tells later whether somebody has changed it since, of values of JSON; None where nothing does."""

    def meanwhile(self, token: str, mark: object) -> str:
        """Who or what changed it between a mark and our commit that waits; "" for nobody that it can tell."""

    def pending(self) -> str | None:
        """Token of a timed commit that waits, whoever made it; None where none does."""

    def standing(self) -> RunMarks:
        """The commit that the switch will end by itself, from its beginning on, and who is at work there."""

    def limit(self) -> int:
        """Seconds after which the switch ends a commit that its client began and left; 0 where that is not known."""

    def claim(self, claim: RunClaim) -> None:
        """Be at work there, where its driver has a place to say so. Raises BoxError `leased` where another is."""

    def release(self, token: str) -> None:
        """Be at work there no more. token: of the run."""

    def confirm(self, token: str) -> None:
        """Keep the commit that waits, and have it outlast a restart."""

    def revert(self, token: str) -> None:
        """End the commit that waits at once; what ran before runs again."""

    def counters(self) -> Mapping[str, Octets]:
        """Octets of each port."""

    def ask(self, reads: Iterable[ReadCommand]) -> Outputs:
        """Outputs by command; one that fails has its error."""
