"""Known sequence: another number of spines over the same leaves, or of superspines over the same spines.

Some cables move their upper end. No state between can have some switches with the old number and some with the new: a
plan has one number, and the new port row of one switch may be the old one of another. So all cables move in one step,
and the share that remains is the highest possible floor.
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

FIRST = "Apply this state. Traffic moves away from {} uplinks; their sessions stay up."
SHUT = "Apply this state: both ends of these uplinks are shut down. Then "
MOVE = "move the {} cables of cables.csv: the {}'s end stays, the {}'s end goes to its new port"
UNPLUG = "unplug the {} that are no longer used"
NEW = "Apply this state: {} are configured for the new cabling; the moved uplinks are still shut down."
UP = "Apply this state: these uplinks come up and their sessions with them; traffic does not use them yet."
CABLE = " Cable the {} new ones as in the lines of `{}` for them."
LAST = "Apply the new intent: traffic uses all uplinks."


class _Tiers(NamedTuple):
    """The tier whose cables move their upper end, the tier above it, and the old and new number of its switches."""

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
    """Drain the cables to move, shut them down, move them, apply the new number, bring them up drained, and use them.

    Uplinks that are removed with spines are drained and shut down before; new ones are brought up drained afterwards.
    """
    old, new = (side.plan.fabrics[fabric] for side in intents)
    cables, tiers = changes(old, new), _tiers(old, new)
    scope = " a core group" if tiers.upper == "superspine" else ""
    return KnownSequence(
        kind="spines",
        title=f"{fabric} goes from {tiers.before} to {tiers.after} {tiers.upper}s{scope}: {_counts(cables)}",
        where=where,
        cables=cables.moves,
        way=_way(old, tiers),
        drafts=(
            *(_leaving(intents, cables, tiers, floor or _share_kept(old, cables, tiers)) if cables.leaving else ()),
            *(_arriving(intents, cables, tiers, floor or _share_kept(old, cables, tiers)) if cables.arriving else ()),
            Draft(
                Base.AFTER, "active", {}, LAST, f"Every {tiers.lower} has established sessions to every {tiers.upper}."
            ),
        ),
    )


def _leaving(intents: Intents, uplink_changes: UplinkChanges, tiers: _Tiers, floor: Fraction) -> Iterator[Draft]:
    selectors = port_selectors(intents.before.plan, uplink_changes.leaving)
    first = FIRST.format(len(uplink_changes.leaving))
    yield Draft(
        Base.BEFORE, DRAINED, stated(selectors, DRAINED), first, "The counters of these ports no longer increase."
    )
    work = [MOVE.format(len(uplink_changes.moves), tiers.lower, tiers.upper)] if uplink_changes.moves else []
    work += [UNPLUG.format(len(uplink_changes.going))] if uplink_changes.going else []
    shut = f"{SHUT}{', and '.join(work)}."
    yield Draft(Base.BEFORE, ABSENT, stated(selectors, ABSENT), shut, "All cables are moved.", floor)


def _arriving(intents: Intents, cables: UplinkChanges, tiers: _Tiers, floor: Fraction) -> Iterator[Draft]:
    selectors = port_selectors(intents.after.plan, cables.arriving)
    if cables.moves:
        verify, both = "All other links carry traffic as before.", f"{tiers.upper}s and {tiers.lowers}"
        yield Draft(Base.AFTER, ABSENT, stated(selectors, ABSENT), NEW.format(both), verify, floor)
    new = CABLE.format(len(cables.coming), f"fabricgen plan {intents.after.path} --cables") if cables.coming else ""
    verify = "LLDP shows the planned far end of each cable."
    yield Draft(Base.AFTER, DRAINED, stated(selectors, DRAINED), UP + new, verify)


def _share_kept(old: FabricPlan, uplink_changes: UplinkChanges, tiers: _Tiers) -> Fraction:
    """Share of its uplinks that a switch keeps while the others move; all switches of the tier have the same number."""
    shape = old.shape
    uplink_count = shape.cores * shape.core_links if tiers.lower == "spine" else shape.spines * shape.links
    switches = len({key.device for key in uplink_changes.leaving}) or 1
    return 1 - Fraction(len(uplink_changes.leaving), switches * uplink_count)


def _way(old: FabricPlan, tiers: _Tiers) -> str:
    """The alternative with a count in between, if there is one, so that each step moves fewer cables."""
    first, last = sorted((tiers.before, tiers.after))
    allowed = cores_now(old) if tiers.lower == "spine" else counts_now(old)
    between = [count for count in allowed if first < count < last]
    if not between:
        return f"leave topology.{tiers.upper}s.now at {tiers.before}"
    return f"first change to {between[0] if tiers.after == last else between[-1]} {tiers.upper}s, in a separate change"


def _counts(uplink_changes: UplinkChanges) -> str:
    texts = [f"{len(uplink_changes.moves)} cable{'s' if len(uplink_changes.moves) != 1 else ''} to move"]
    texts += [f"{len(uplink_changes.coming)} new ones"] if uplink_changes.coming else []
    texts += [f"{len(uplink_changes.going)} to remove"] if uplink_changes.going else []
    return ", ".join(texts)
