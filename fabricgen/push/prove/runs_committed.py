"""Whether a switch runs its committed configuration: its own comparison of both is empty.

A commit that ended well is no proof: the daemons may have restarted since, with the configuration saved before.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.base.text import listed
from fabricgen.platforms.base.live.commit_profile import Respelled
from fabricgen.push.plan.risk import SPELLED
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.verify.collect.redact_config import REMOVED

DIFFERS = "differs"
SIGNS = "+-"
SHOWN = 20
"""Maximum number of lines of a difference in a reason."""


def must_agree(switch: SwitchConnection, candidate: Candidate) -> None:
    """Raise SwitchError with the lines by which a switch's configuration differs from this one."""
    lines = unlike(switch.compare(candidate), switch.profile.respelled)
    if lines:
        different = listed(lines, most=SHOWN, separator="; ")
        raise SwitchError(DIFFERS, f"it does not run the committed configuration; still different: {different}")


def unlike(difference: str, respelled: Iterable[Respelled] = ()) -> tuple[str, ...]:
    """Lines of a difference that are not expected, with their sections."""
    lines = tuple(_lines(difference))
    pairs = _pairs(lines, tuple(respelled))
    unexpected: list[str] = []
    for line in lines:
        expected_pairs, key = pairs[line[0]], _key(line)
        if expected_pairs[key] > 0:
            expected_pairs[key] -= 1
        else:
            unexpected.append(line)
    if len(unexpected) < len(lines) and not any(line[0] in SIGNS for line in unexpected):
        return ()  # only the context of expected lines is left
    return tuple(_shown(line) for line in unexpected)


def _lines(difference: str) -> Iterator[str]:
    """Lines outside of file headers: the two file names, at the start or before a hunk header (`@@`), and that."""
    lines = [line for line in difference.splitlines() if line.strip()]
    heads = {
        index + offset
        for index in range(len(lines) - 1)
        if lines[index].startswith("---") and lines[index + 1].startswith("+++")
        if index == 0 or "".join(lines[index + 2 : index + 3]).startswith("@@")
        for offset in (0, 1)
    }
    return (line for index, line in enumerate(lines) if index not in heads and not line.startswith("@@"))


def _pairs(lines: Iterable[str], respelled: tuple[Respelled, ...]) -> Mapping[str, Counter[str]]:
    """By sign, how many lines of each kind are removed and added again with only a secret in another form."""
    secret_lines = [
        line for line in lines if REMOVED in line and any(re.search(pattern.line, line) for pattern in respelled)
    ]
    old, new = (Counter(_key(line) for line in secret_lines if line[0] == sign) for sign in "-+")
    both = old & new
    return defaultdict(Counter, {"-": both, "+": both.copy()})


def _key(line: str) -> str:
    """A line of a difference without its sign, and without the encoding of a secret in it."""
    return SPELLED.sub(f" {REMOVED}", " ".join(line[1:].split()))


def _shown(line: str) -> str:
    text = " ".join(line[1:].split())
    return f"{line[0]} {text}" if line[0] in SIGNS else f"{line[0]}{text}".strip()
