"""Whether a switch runs what it is to run: its own comparison of what runs with what was committed is empty.

A commit that ended well is no proof: its daemons may have been started again since, with what was saved before.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.platforms.base.live.commit_profile import Respelled
from fabricgen.push.plan.risk import SPELLED
from fabricgen.push.switch.switch import Candidate, SwitchConnection, SwitchError
from fabricgen.verify.collect.redact_config import REMOVED

DIFFERS = "differs"
SIGNS = "+-"
SHOWN = 20
"""Lines of a difference that a reason repeats."""


def must_agree(box: SwitchConnection, candidate: Candidate) -> None:
    """Raise BoxError with the lines by which a switch runs something else than this."""
    lines = unlike(box.compare(candidate), box.profile.respelled)
    if lines:
        more = f" and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
        words = "; ".join(lines[:SHOWN])
        raise SwitchError(DIFFERS, f"it does not run what it was to, a commit would still change: {words}{more}")


def unlike(difference: str, respelled: Iterable[Respelled] = ()) -> tuple[str, ...]:
    """Lines of a difference that nothing calls normal, with the sections that they stand in."""
    lines = tuple(_lines(difference))
    pairs = _pairs(lines, tuple(respelled))
    left: list[str] = []
    for line in lines:
        rest, key = pairs[line[0]], _key(line)
        if rest[key] > 0:
            rest[key] -= 1
        else:
            left.append(line)
    if len(left) < len(lines) and not any(line[0] in SIGNS for line in left):
        return ()  # what stands around lines that are normal
    return tuple(_told(line) for line in left)


def _lines(difference: str) -> Iterator[str]:
    """Those that are no head of a file: its two names, first of all or in front of a place (`@@`), or the place."""
    lines = [line for line in difference.splitlines() if line.strip()]
    heads = {
        at + part
        for at in range(len(lines) - 1)
        if lines[at].startswith("---") and lines[at + 1].startswith("+++")
        if at == 0 or "".join(lines[at + 2 : at + 3]).startswith("@@")
        for part in (0, 1)
    }
    return (line for at, line in enumerate(lines) if at not in heads and not line.startswith("@@"))


def _pairs(lines: Iterable[str], respelled: tuple[Respelled, ...]) -> Mapping[str, Counter[str]]:
    """By sign how many lines of each kind go that come again, but for a secret which the switch spells its own way."""
    known = [line for line in lines if REMOVED in line and any(re.search(one.line, line) for one in respelled)]
    gone, new = (Counter(_key(line) for line in known if line[0] == sign) for sign in "-+")
    both = gone & new
    return defaultdict(Counter, {"-": both, "+": both.copy()})


def _key(line: str) -> str:
    """A line of a difference without its sign, and without how a secret in it is spelled."""
    return SPELLED.sub(f" {REMOVED}", " ".join(line[1:].split()))


def _told(line: str) -> str:
    words = " ".join(line[1:].split())
    return f"{line[0]} {words}" if line[0] in SIGNS else f"{line[0]}{words}".strip()
