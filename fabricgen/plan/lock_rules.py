"""Rules that a recorded lock must satisfy before numbers are read from it."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.lock import RESTORE, Lock
from fabricgen.plan.place import Tier
from fabricgen.source.document import Document

MAX_PLACES = 1 << 17
"""Switches of one site, including future ones: twice what a million GPUs need."""


def lock_rules(lock: Lock, document: Document) -> Iterator[Problem]:
    """Yield segments from which nothing can be computed: more places than a site may have, or leaves without a row."""
    places = 0
    for position, segment in enumerate(lock.segments):
        name = f"{segment.fabric} {segment.tier.value}"
        places += segment.box.size()
        if places > MAX_PLACES:
            yield Problem(
                code="lock-box",
                what=f"the lock has {places} switches up to this line of {name}",
                why=f"the limit of one site is {MAX_PLACES} switches",
                fix=RESTORE,
                at=document.place(("segments", position)),
            )
            return
        if segment.row is None and segment.tier in (Tier.LEAF, Tier.BORDER):
            yield Problem(
                code="lock-row",
                what=f"a line of {name} has no row:",
                why="row: is the first spine port group of its leaves",
                fix=RESTORE,
                at=document.place(("segments", position)),
            )
