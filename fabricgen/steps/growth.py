"""Known sequence: more servers, and the leaves for them; existing cables stay in place."""

from collections.abc import Iterator

from fabricgen.base.text import natural
from fabricgen.errors import FabricError, IntentPath, Problem
from fabricgen.plan.fabric import name_of
from fabricgen.plan.plan import Plan
from fabricgen.resolve.links import DRAINED
from fabricgen.steps.capacity import server_leaves
from fabricgen.steps.model import Base, Draft, Intents, KnownSequence
from fabricgen.steps.owners import slots_of
from fabricgen.steps.selectors import stated

CABLE = (
    "Apply this state: the new switches get their configuration and come up drained, and the spines are configured "
    "for them. Cable them as in the lines of `{}` for these switches."
)
USE = "Apply the new intent: the new leaves carry traffic, and their servers can run jobs."


def growth(intents: Intents, where: IntentPath) -> KnownSequence:
    """Add new leaves drained, then use them.

    Raises FabricError where servers are removed.
    """
    removed = sorted(slots_of(intents.before.intent) - slots_of(intents.after.intent))
    if removed:
        raise FabricError([_shrinks(where, f"{removed[0].group}[{removed[0].slot}]", len(removed))])
    new = tuple(sorted(_new_leaves(intents.before.plan, intents.after.plan), key=natural))
    added = len(slots_of(intents.after.intent) - slots_of(intents.before.intent))
    cable = CABLE.format(f"fabricgen plan {intents.after.path} --cables")
    states = stated(new, DRAINED)
    drained = Draft(Base.AFTER, DRAINED, states, cable, "The report has no findings on the new switches.")
    return KnownSequence(
        kind="growth",
        title=f"{added} more servers, {len(new)} new lea{'f' if len(new) == 1 else 'ves'}; no existing cable moves",
        where=where,
        drafts=(
            *([drained] if states else []),
            Draft(Base.AFTER, "active", {}, USE, "The new servers reach each other."),
        ),
    )


def _new_leaves(before: Plan, after: Plan) -> Iterator[str]:
    for place in server_leaves(after) - server_leaves(before):
        yield name_of(after.fabrics[place.fabric], place)


def _shrinks(where: IntentPath, first: str, count: int) -> Problem:
    return Problem(
        code="steps-shrinks",
        what=f"{count} slots no longer hold a server, first {first}",
        where=where,
        why="the sequence of growth removes nothing",
        fix="remove them in a separate change, and review it with fabricgen diff",
    )
