"""Known sequence: another number of spines over the same leaves, or of superspines over the same spines.

Some cables move their upper end. There is no state in between with some switches on the old number and some on the
new: a plan has one number, and the port row of one that moved may be that of one that did not. So all cables that move
do so in one step, and the share that stays is the largest floor that there is.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.growth import cores_now, counts_now
from fabricgen.resolve.links import ABSENT, DRAINED
from fabricgen.steps.model import Base, Draft, Intents, KnownSequence
from fabricgen.steps.selectors import port_selectors, stated
from fabricgen.steps.uplinks import UplinkChanges, changes

FIRST = "Apply this state. Traffic leaves {} uplinks; their sessions stay up."
SHUT = "Apply this state: both ends of these uplinks are shut. Then "
MOVE = "move the {} cables of cables.csv: the {}'s end stays, the {}'s end goes to its new port"
UNPLUG = "unplug the {} that no longer stand"
NEW = "Apply this state: {} are told of the new cabling; the moved uplinks are still shut."
UP = "Apply this state: these uplinks come up and their sessions with them; traffic does not use them yet."
CABLE = " Cable the {} new ones by the lines of `{}` that name them."
LAST = "Apply the new intent: traffic uses all uplinks."


class _Tiers(NamedTuple):
    """The tier whose cables move their upper end, the one above it, and how many of that stand, before and after."""

    lower: str
    upper: str
    lowers: str
    before: int
    after: int


def _tiers(old: FabricPlan, new: FabricPlan) -> _Tiers:
    if old.shape.spines != new.shape.spines:
        return _Tiers("leaf", "spine", "leaves", old.shape.spines, new.shape.spines)
    return _Tiers("spine", "superspine", "spines", old.shape.cores, new.shape.cores)


def spines(intents: Intents, fabric: str, where: IntentPath, floor: Fraction) -> KnownSequence:
    """Drain what moves, shut it, move the cables, take the new number, bring it up drained, and use it.

    Uplinks that go with the spines are drained and shut before, those that come are brought up drained after.
    """
    old, new = (side.plan.fabrics[fabric] for side in intents)
    found, tiers = changes(old, new), _tiers(old, new)
    each = " a core group" if tiers.upper == "superspine" else ""
    return KnownSequence(
        kind="spines",
        title=f"{fabric} goes from {tiers.before} to {tiers.after} {tiers.upper}s{each}: {_counts(found)}",
        where=where,
        cables=found.moves,
        way=_way(old, tiers),
        drafts=(
            *(_leaving(intents, found, tiers, floor or _kept(old, found, tiers)) if found.leaving else ()),
            *(_arriving(intents, found, tiers, floor or _kept(old, found, tiers)) if found.arriving else ()),
            Draft(Base.AFTER, "active", {}, LAST, f"Every {tiers.lower} has its sessions to every {tiers.upper}."),
        ),
    )


def _leaving(intents: Intents, found: UplinkChanges, tiers: _Tiers, floor: Fraction) -> Iterator[Draft]:
    selectors = port_selectors(intents.before.plan, found.leaving)
    first = FIRST.format(len(found.leaving))
    yield Draft(Base.BEFORE, DRAINED, stated(selectors, DRAINED), first, "Counters of these ports stand still.")
    work = [MOVE.format(len(found.moves), tiers.lower, tiers.upper)] if found.moves else []
    work += [UNPLUG.format(len(found.going))] if found.going else []
    shut = f"{SHUT}{', and '.join(work)}."
    yield Draft(Base.BEFORE, ABSENT, stated(selectors, ABSENT), shut, "No cable is where it was.", floor)


def _arriving(intents: Intents, found: UplinkChanges, tiers: _Tiers, floor: Fraction) -> Iterator[Draft]:
    selectors = port_selectors(intents.after.plan, found.arriving)
    if found.moves:
        verify, both = "All other links carry traffic as before.", f"{tiers.upper}s and {tiers.lowers}"
        yield Draft(Base.AFTER, ABSENT, stated(selectors, ABSENT), NEW.format(both), verify, floor)
    new = CABLE.format(len(found.coming), f"fabricgen plan {intents.after.path} --cables") if found.coming else ""
    verify = "LLDP names the planned far end of each cable."
    yield Draft(Base.AFTER, DRAINED, stated(selectors, DRAINED), UP + new, verify)


def _kept(old: FabricPlan, found: UplinkChanges, tiers: _Tiers) -> Fraction:
    """Share of its uplinks that a switch keeps while the others move; every one of the tier has as many."""
    shape = old.shape
    each = shape.cores * shape.core_links if tiers.lower == "spine" else shape.spines * shape.links
    switches = len({key.device for key in found.leaving}) or 1
    return 1 - Fraction(len(found.leaving), switches * each)


def _way(old: FabricPlan, tiers: _Tiers) -> str:
    """Counts in between, where there are some: each move takes fewer cables."""
    first, last = sorted((tiers.before, tiers.after))
    allowed = cores_now(old) if tiers.lower == "spine" else counts_now(old)
    between = [count for count in allowed if first < count < last]
    if not between:
        return "leave the number as it is"
    return f"go by way of {between[0] if tiers.after == last else between[-1]} {tiers.upper}s, a change of its own"


def _counts(found: UplinkChanges) -> str:
    words = [f"{len(found.moves)} cable{'s' if len(found.moves) != 1 else ''} to move"]
    words += [f"{len(found.coming)} new ones"] if found.coming else []
    words += [f"{len(found.going)} that go"] if found.going else []
    return ", ".join(words)
