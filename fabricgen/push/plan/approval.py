"""What a dry run showed, so that what is committed is what somebody approved: void once anything of it has moved."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.base.text import natural
from fabricgen.errors import Problem
from fabricgen.push.model import Approval, PlannedSwitch, Wave
from fabricgen.push.plan.impact import few
from fabricgen.push.plan.site_rules import FREEZE

ID_DIGITS = 16
AGAIN = "type the same without --commit and --approval, look at what it shows, and commit with the id that it prints"


def fingerprint(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return sha256(text.encode()).hexdigest()


class Terms(NamedTuple):
    """Where a push is at work, and what was typed that decides how much it has to prove.

    What --accept-loss, --drained-hosts, --together and --wave come to is in the switches and the waves.

    inventory    its folder, however it was typed
    floor        --floor
    quiet_below  --quiet-below
    soak         --soak; None: as the inventory has it
    paths        --paths
    undone       lines typed by hand that --undo names
    site         what the inventory says of a push, see push/plan/site_rules.py
    freezes      of push.yaml: more of them may come, so they are in no id
    """

    inventory: Path
    floor: Fraction | None
    quiet_below: int
    soak: float | None
    paths: bool
    undone: tuple[str, ...]
    site: Mapping[str, object] = MappingProxyType({})
    freezes: Sequence[Sequence[str]] = ()

    def shown(self) -> dict[str, object]:
        """As the journal and what is signed have it."""
        return {**self.bound(), FREEZE: [list(row) for row in self.freezes]}

    def bound(self) -> Mapping[str, object]:
        """As the id of an approval has it."""
        floor, soak = (None if one is None else str(one) for one in (self.floor, self.soak))
        plain = {"inventory": str(self.inventory), "floor": floor, "soak": soak}
        typed = {**plain, "quiet-below": self.quiet_below, "paths": self.paths, "undone": sorted(self.undone)}
        return {**typed, **self.site}


def approval_of(planned: Iterable[PlannedSwitch], waves: Iterable[Wave], terms: Terms, at: datetime) -> Approval:
    """What is approved with these switches, the way in which each is changed, waves and terms.

    at  when it was shown; not in the id, so that the same is the same at any time
    """
    ordered = sorted(planned, key=lambda one: one.device)
    kept = {one.device: (one.before, one.artifact) for one in ordered}
    shown = {
        "switches": [[name, *pair] for name, pair in kept.items()],
        "how": [[one.device, one.need.value, one.risk, one.accepted] for one in ordered],
        "waves": [[wave.number, wave.fabric, wave.canary, sorted(wave.devices)] for wave in waves],
        "terms": terms.bound(),
    }
    digest = fingerprint(json.dumps(shown, sort_keys=True, separators=(",", ":")))
    return Approval(id=digest[:ID_DIGITS], at=at, switches=kept, terms=terms.shown())


def moved(approval: Approval, switches: Mapping[str, tuple[str, str]]) -> tuple[Problem, ...]:
    """Problems where switches are not what they were when they were approved; none where nothing has moved.

    switches  as they are now, of those that nothing has been committed to since
    """
    return tuple(_moved(approval, switches))


def _moved(approval: Approval, now: Mapping[str, tuple[str, str]]) -> Iterator[Problem]:
    before = approval.switches
    both = before.keys() & now.keys()
    kinds: tuple[tuple[str, Callable[[], Iterable[str]]], ...] = (
        (
            "no longer runs what it ran when it was approved: somebody changed it since",
            lambda: (name for name in both if before[name][0] != now[name][0]),
        ),
        (
            "is to get another configuration than the approved one",
            lambda: (name for name in both if before[name][1] != now[name][1]),
        ),
        ("is to change, and nobody approved that", lambda: now.keys() - before.keys()),
        ("was approved, and is not to change any more", lambda: before.keys() - now.keys()),
    )
    for words, find in kinds:
        names = sorted(find(), key=natural)
        if names:
            yield Problem(
                code="approval-moved",
                what=f"{few(names)}: {'each ' if len(names) > 1 else ''}{words}",
                why=f"approval {approval.id} of {approval.at:%Y-%m-%d %H:%M:%S} UTC is valid while nothing changes",
                fix=AGAIN,
            )
