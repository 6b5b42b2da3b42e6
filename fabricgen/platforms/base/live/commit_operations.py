"""What a push does with one NAPALM driver, under names that all drivers share. See `commit_profiles.py`.

A driver's class is not known here (it is NAPALM's, or another package's): functions take the driver as `Any` and use
NAPALM's methods, and the driver's internals only where a docstring says so.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabricgen.platforms.base.live.entry import Entry
from fabricgen.platforms.base.live.run_marks import Armed, Phase, RunMarks


class CommitOperationError(Exception):
    """A failure for which no driver raises an exception. kind: see push/switch/switch.py, SwitchError."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class ErrorPattern(NamedTuple):
    """What an exception of a driver means.

    name   of its class or a base class; "" for any
    words  regular expression that is searched in its text; "" for any
    kind   see push/switch/switch.py, SwitchError
    """

    name: str
    words: str
    kind: str


class Loading(NamedTuple):
    """What a driver is to load. text, files, merge: as in a push's Candidate; token: of the commit to come."""

    text: str
    files: Mapping[str, str]
    merge: bool
    token: str


class RunClaim(NamedTuple):
    """A run's claim that it is at work on a switch.

    owner  user@host; note: what it does, in words
    after  seconds after which the claim of another run expires; None: never
    """

    token: str
    owner: str
    note: str
    after: int | None = None


Digest = Callable[[str], str]
"""Configuration → digest of it without its secrets."""


def no_files(driver: Any, paths: tuple[str, ...]) -> Mapping[str, str]:  # noqa: ANN401 - see the module
    """Return nothing, for a driver that has no files in addition to its configuration."""
    del driver, paths
    return {}


def discard(driver: Any, token: str) -> None:  # noqa: ANN401
    """Have the driver forget its candidate."""
    del token
    driver.discard_config()


def nothing_left(driver: Any, token: str) -> None:  # noqa: ANN401
    """Do nothing, for a driver whose candidate ends with its connection."""
    del driver, token


def let_go(driver: Any, token: str) -> None:  # noqa: ANN401
    """Close a driver, leaving a timed commit waiting."""
    del token
    driver.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitOperations:
    """One driver. Every function may raise what the driver raises, or CommitOperationError.

    token     message of a commit → the token by which `pending` names that commit
    files     (driver, paths) → texts on the switch, by path, of those paths that exist
    load      load a candidate, in place of one that was loaded before
    commit    (driver, token, message, seconds or None) → commit what is loaded; returns what `meanwhile` gets as `seen`
    pending   token of the timed commit that waits, whoever made it; None if none does
    run_marks a commit that the switch will end by itself, from its beginning on, and who is at work there
    limit     seconds after which the switch ends a commit that its client began and left; 0 if not known
    claim     claim the switch for a run; raises CommitOperationError `leased` if another run holds it
    release   (driver, token of a run) → end the claim
    confirm   (driver, token) → keep that commit, also over a restart
    revert    (driver, token) → end that commit; what ran before runs again
    abandon   (driver, token) → discard what was loaded and not committed
    sweep     (driver, token) → discard what was loaded over a connection that was lost since
    blame     who holds what another commit needs, in words; "" if the driver's own message says it
    close     (driver, token of what is loaded and not committed or "") → disconnect; a commit that waits goes on
              waiting
    patterns  what its exceptions mean, in addition to those of NAPALM; the first that matches
    mark      (driver, token of what is loaded, digest) → a mark that shows later whether somebody has changed it since,
              made of JSON values; of a text its digest, which is without secrets; None if there is no such mark
    meanwhile (driver, token, mark, result of `commit` or None, digest) → who or what changed it between that mark and
              this commit, which waits, in words; "" if there was no change
    entry     by which service, account and source address the driver comes in
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
    run_marks: Callable[[Any], RunMarks]
    entry: Callable[[Any], Entry]
    limit: Callable[[Any], int] = lambda driver: 0
    claim: Callable[[Any, RunClaim], None] = lambda driver, claim: None
    release: Callable[[Any, str], None] = lambda driver, token: None
    mark: Callable[[Any, str, Digest], object] = lambda driver, token, digest: None
    meanwhile: Callable[[Any, str, object, object, Digest], str] = lambda driver, token, mark, seen, digest: ""


def same(message: str) -> str:
    """Return the message, for a switch that keeps it: it is the token."""
    return message


def load_text(driver: Any, loading: Loading) -> None:  # noqa: ANN401
    """Load the main file as NAPALM does."""
    if loading.merge:
        driver.load_merge_candidate(config=loading.text)
    else:
        driver.load_replace_candidate(config=loading.text)


def digest(text: str) -> str:
    """A digest of a configuration that ignores the order of lines; each counts with the lines that enclose it."""
    rows, above = list[str](), list[tuple[int, str]]()
    for line in text.splitlines():
        stripped = line.lstrip(" +-")  # a difference has a sign in front
        if not stripped:
            continue
        depth = len(line) - len(stripped)
        while above and above[-1][0] >= depth:
            above.pop()
        above.append((depth, line.rstrip()))
        rows.append("\0".join(ancestor for _, ancestor in above))
    return hashlib.sha256("\n".join(sorted(rows)).encode("utf-8", "surrogatepass")).hexdigest()


def waiting(token: str | None, seconds: int | None = None, who: str = "") -> RunMarks:
    """Return the marks of a switch that shows only timed commits."""
    return RunMarks(None if token is None else Armed(token, Phase.WAITS, seconds, who))


def must_wait(waiting_token: str | None, token: str) -> None:
    """Raise CommitOperationError unless the waiting commit is the named one."""
    if waiting_token is None:
        raise CommitOperationError("gone", "no commit is waiting for confirmation any more")
    if waiting_token != token:
        raise CommitOperationError(
            "gone", f"another commit is waiting than the one to roll back: {waiting_token or 'one without a name'}"
        )
