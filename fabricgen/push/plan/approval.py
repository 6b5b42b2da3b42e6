"""Digest of what a dry run showed, so that what is committed is what was approved: void once any of it has changed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.base.text import listed, natural
from fabricgen.errors import Problem
from fabricgen.push.model import Approval, PlannedSwitch, Wave
from fabricgen.push.plan.site_rules import FREEZE

ID_DIGITS = 16
AGAIN = "repeat the push without --commit and --approval, check what it shows, and commit with the id that it prints"


def fingerprint(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return sha256(text.encode()).hexdigest()


class Terms(NamedTuple):
    """The place of a push, and the typed options that decide what it must verify.

    The effects of --accept-loss, --drained-hosts, --together and --wave are in the switches and the waves.

    inventory    its folder, resolved
    floor        --floor
    quiet_below  --quiet-below
    soak         --soak; None: as the inventory has it
    paths        --paths
    undone       manual lines that --undo names
    site         the inventory's rules for a push, see push/plan/site_rules.py
    freezes      of push.yaml: more may be added later, so they are in no id
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
        """The terms for the journal and for the signature."""
        return {**self.bound(), FREEZE: [list(row) for row in self.freezes]}

    def bound(self) -> Mapping[str, object]:
        """The terms that the id of an approval covers."""
        floor, soak = (None if option is None else str(option) for option in (self.floor, self.soak))
        plain = {"inventory": str(self.inventory), "floor": floor, "soak": soak}
        typed = {**plain, "quiet-below": self.quiet_below, "paths": self.paths, "undone": sorted(self.undone)}
        return {**typed, **self.site}


def approval_of(planned: Iterable[PlannedSwitch], waves: Iterable[Wave], terms: Terms, at: datetime) -> Approval:
    """The approval of these switches, the way in which each is changed, the waves and the terms.

    at  when it was shown; not in the id, so that the same push has the same id at any time
    """
    # The id must not depend on the order of switches.
    ordered = sorted(planned, key=lambda switch: switch.device)
    kept = {switch.device: (switch.before, switch.artifact) for switch in ordered}
    shown = {
        "switches": [[name, *pair] for name, pair in kept.items()],
        "how": [[switch.device, switch.need.value, switch.risk, switch.accepted] for switch in ordered],
        "waves": [[wave.number, wave.fabric, wave.canary, sorted(wave.devices)] for wave in waves],
        "terms": terms.bound(),
    }
    digest = fingerprint(json.dumps(shown, sort_keys=True, separators=(",", ":")))
    return Approval(id=digest[:ID_DIGITS], at=at, switches=kept, terms=terms.shown())


def moved(approval: Approval, now: Mapping[str, tuple[str, str]]) -> tuple[Problem, ...]:
    """Problems where switches differ from their state when they were approved; none where nothing has changed.

    now  their present state, for those to which nothing has been committed since
    """
    before = approval.switches
    both = before.keys() & now.keys()
    kinds: dict[str, Iterable[str]] = {
        "has another running configuration than at the approval: it was changed since": (
            name for name in both if before[name][0] != now[name][0]
        ),
        "would get another configuration than the approved one": (
            name for name in both if before[name][1] != now[name][1]
        ),
        "would change, but is not in the approval": now.keys() - before.keys(),
        "is in the approval, but no longer needs a change": before.keys() - now.keys(),
    }
    ordered = {text: sorted(names, key=natural) for text, names in kinds.items()}
    return tuple(
        Problem(
            code="approval-moved",
            what=f"{listed(names)}: {'each ' if len(names) > 1 else ''}{text}",
            why=f"approval {approval.id} of {approval.at:%Y-%m-%d %H:%M:%S} UTC is valid as long as nothing changes",
            fix=AGAIN,
        )
        for text, names in ordered.items()
        if names
    )
