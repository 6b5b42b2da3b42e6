"""What a push does with one NAPALM driver: its own way behind names that all of them share. See `commit_profiles.py`.

A driver's class is not known here (it is NAPALM's, or another package's): functions take the driver as it is and use
NAPALM's methods, and where a docstring says so what lies behind them.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabricgen.platforms.base.live.standing import Armed, Phase, RunMarks


class CommitOperationError(Exception):
    """What goes wrong where no driver raises anything. kind: see push/switch/switch.py, BoxError."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class ErrorPattern(NamedTuple):
    """What an exception of a driver tells.

    name   of its class or of one above; "" for any
    words  regular expression that is found in its text; "" for any
    kind   see push/switch/switch.py, BoxError
    """

    name: str
    words: str
    kind: str


class Loading(NamedTuple):
    """What a driver is to load. text, files, merge: as of a push's Candidate; token: of the commit to come."""

    text: str
    files: Mapping[str, str]
    merge: bool
    token: str


class RunClaim(NamedTuple):
    """That a run is at work on a switch.

    owner  user@host; note: what it does, in words
    after  seconds after which the word of another counts no more; None: it counts for ever
    """

    token: str
    owner: str
    note: str
    after: int | None = None


Digest = Callable[[str], str]
"""Of a configuration: what tells it from others, but for its secrets."""


def no_files(driver: Any, paths: tuple[str, ...]) -> Mapping[str, str]:  # noqa: ANN401 - see the module
    """Return nothing, for a driver that has no files beside its configuration."""
    del driver, paths
    return {}


def discard(driver: Any, token: str) -> None:  # noqa: ANN401
    """Have the driver forget its candidate."""
    del token
    driver.discard_config()


def nothing_left(driver: Any, token: str) -> None:  # noqa: ANN401
    """Do nothing, for a driver whose candidate goes with its connection."""
    del driver, token


def let_go(driver: Any, token: str) -> None:  # noqa: ANN401
    """Close a driver that leaves a commit waiting."""
    del token
    driver.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitOperations:
    """One driver. Every function may raise what the driver raises, or CommitOperationError.

    token     message of a commit → by what `pending` names that commit again
    files     texts on the switch, by path; of paths that are there
    load      take a candidate, in the place of one that was taken before
    commit    (driver, token, message, seconds or None) → commit what is loaded; what `meanwhile` is given of it
    pending   token of the timed commit that waits, whoever made it; None where none does
    standing  a commit that the switch will end by itself, from its beginning on, and who is at work there
    limit     seconds after which the switch ends a commit that its client began and left; 0 where that is not known
    claim     be at work there; raises CommitOperationError `leased` where another is
    release   (driver, token of a run) → be at work there no more
    confirm   (driver, token) → keep that commit, also over a restart
    revert    (driver, token) → end that commit; what ran before runs again
    abandon   (driver, token) → forget what was loaded and not committed
    sweep     (driver, token) → forget what was loaded over a connection that went away since
    blame     who holds what another commit needs, in words; "" where the driver's own words say it
    close     (driver, token of what is loaded and not committed or "") → let go; a commit that waits goes on waiting
    patterns  what its exceptions tell beside those of NAPALM; the first that fits
    mark      (driver, token of what is loaded, digest) → what tells later whether somebody has changed it since, of
              values of JSON; of a text its digest, which is without secrets; None where nothing does
    meanwhile (driver, token, mark, what `commit` gave or None, digest) → who or what changed it between that mark and
              this commit, which waits, in words; "" for nobody
    """

    token: Callable[[str], str]
    files: Callable[[Any, tuple[str, ...]], Mapping[str, str]] = no_files
    load: Callable[[Any, Loading], None]
    commit: Callable[[Any, str, str, int | None], object]
    pending: Callable[[Any], str | None]
    confirm: Callable[[Any, str], None]
    revert: Callable[[Any, str], None]
    abandon: Callable[[Any, str], None] = discard
    sweep: Callable[[Any, str], None] = nothing_left
    blame: Callable[[Any], str] = lambda driver: ""
    close: Callable[[Any, str], None] = let_go
    patterns: tuple[ErrorPattern, ...]
    standing: Callable[[Any], RunMarks]
    limit: Callable[[Any], int] = lambda driver: 0
    claim: Callable[[Any, RunClaim], None] = lambda driver, claim: None
    release: Callable[[Any, str], None] = lambda driver, token: None
    mark: Callable[[Any, str, Digest], object] = lambda driver, token, digest: None
    meanwhile: Callable[[Any, str, object, object, Digest], str] = lambda driver, token, mark, seen, digest: ""


def same(message: str) -> str:
    """Return the message: where a switch keeps it, it is the token."""
    return message


def load_text(driver: Any, loading: Loading) -> None:  # noqa: ANN401
    """Load the main file as NAPALM does."""
    if loading.merge:
        driver.load_merge_candidate(config=loading.text)
    else:
        driver.load_replace_candidate(config=loading.text)


def digest(text: str) -> str:
    """What tells a configuration from another, in whichever order its lines are shown, each below what it stands in."""
    rows, above = list[str](), list[tuple[int, str]]()
    for line in text.splitlines():
        words = line.lstrip(" +-")  # a difference has a sign in front
        if not words:
            continue
        depth = len(line) - len(words)
        while above and above[-1][0] >= depth:
            above.pop()
        above.append((depth, line.rstrip()))
        rows.append("\0".join(one for _, one in above))
    return hashlib.sha256("\n".join(sorted(rows)).encode("utf-8", "surrogatepass")).hexdigest()


def waiting(token: str | None, seconds: int | None = None, who: str = "") -> RunMarks:
    """Return what stands where commits that wait are all that the switch shows."""
    return RunMarks(None if token is None else Armed(token, Phase.WAITS, seconds, who))


def must_wait(found: str | None, token: str) -> None:
    """Raise CommitOperationError unless what waits is what was named."""
    if found is None:
        raise CommitOperationError("gone", "no commit waits for its confirmation any more")
    if found != token:
        raise CommitOperationError("gone", f"another commit waits than the one to end: {found or 'one without a name'}")
