"""Whether a switch runs what it is to run: its own comparison of what runs with what was committed is empty.

A commit that ended well is no proof: its daemons may have been started anew since, with what was saved before.
"""

import re
from collections.abc import Iterable

from fabricgen.drivers.manner import Respelled
from fabricgen.push.assess import secrets_between
from fabricgen.push.box import Box, BoxError, Candidate

DIFFERS = "differs"
SIGNS = "+-"
SHOWN = 20
"""Lines of a difference that a reason repeats."""


def must_agree(box: Box, candidate: Candidate) -> None:
    """Raise BoxError with the lines by which a switch runs something else than this."""
    lines = unlike(box.compare(candidate), box.manner.respelled)
    if lines:
        more = f" and {len(lines) - SHOWN} more" if len(lines) > SHOWN else ""
        words = "; ".join(lines[:SHOWN])
        raise BoxError(DIFFERS, f"it does not run what it was to, a commit would still change: {words}{more}")


def unlike(difference: str, respelled: Iterable[Respelled] = ()) -> tuple[str, ...]:
    """Lines of a difference that nothing calls normal, with the sections that they stand in."""
    lines = [line for line in difference.splitlines() if line.strip() and not line.startswith(("+++", "---", "@@"))]
    known = {line for line in secrets_between(difference) if any(re.search(one.line, line) for one in respelled)}
    left = [line for line in lines if line[0] not in SIGNS or " ".join(line[1:].split()) not in known]
    if len(left) < len(lines) and not any(line[0] in SIGNS for line in left):
        return ()  # what stands around lines that are normal
    return tuple(_told(line) for line in left)


def _told(line: str) -> str:
    words = " ".join(line[1:].split())
    return f"{line[0]} {words}" if line[0] in SIGNS else f"{line[0]}{words}".strip()
