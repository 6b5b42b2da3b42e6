"""All faults, and what verify is to make of them."""

from collections.abc import Iterable

from tests.faults.kernel import KERNEL
from tests.faults.links import LINKS
from tests.faults.model import Fault
from tests.faults.overlay import OVERLAY
from tests.faults.sessions import SESSIONS
from tests.faults.system import SYSTEM
from tests.faults.traffic import TRAFFIC

CATALOGUE: tuple[Fault, ...] = (*LINKS, *SESSIONS, *OVERLAY, *SYSTEM, *KERNEL, *TRAFFIC)
LEAST = 80
"""Faults that the catalogue has at the least; of them two in three are of a kind that was not tried before."""
FOUND, EXACT = 76 / 80, 64 / 80
"""Shares of the faults that must be found, and found by their cause."""
CLEAN_RUNS = 20
"""Runs of verify over a lab without a fault; none may find one."""


def chosen(words: Iterable[str]) -> tuple[Fault, ...]:
    """Those whose id or kind is among the words; all where there are none. Raises KeyError for any other word."""
    wanted = set(words)
    unknown = wanted - {word for one in CATALOGUE for word in (one.id, one.kind)}
    if unknown:
        raise KeyError(", ".join(sorted(unknown)))
    return tuple(one for one in CATALOGUE if not wanted or {one.id, one.kind} & wanted)
