"""Known sequence: servers change their tenant."""

from fabricgen.errors import FabricError, IntentPath
from fabricgen.resolve.links import ABSENT, DRAINED
from fabricgen.steps.drain import nothing
from fabricgen.steps.model import Base, Draft, Intents, KnownSequence
from fabricgen.steps.owners import handed_over
from fabricgen.steps.selectors import slot_selectors, stated

EMPTY = "Wait until the jobs on these servers have ended, and start no others; then apply this state."
SHUT = "Apply this state: their ports are shut down, and removed from the old tenant's networks."
NEW = "Apply this state: their ports are in the new tenant's networks, still shut down."
USE = "Apply the new intent: their ports come up in the new tenant's networks."


def tenants(intents: Intents, where: IntentPath) -> KnownSequence:
    """Empty the servers, shut down their ports, change their tenant, and enable their ports.

    Raises FabricError where no existing server changes its tenant.
    """
    slots = handed_over(intents.before.intent, intents.after.intent)
    if not slots:
        raise FabricError([nothing(intents)])
    before, after = (slot_selectors(side.plan, slots) for side in intents)
    return KnownSequence(
        kind="tenants",
        title=f"{len(slots)} servers move to another tenant",
        where=where,
        drafts=(
            Draft(Base.BEFORE, DRAINED, stated(before, DRAINED), EMPTY, "No job runs on them."),
            Draft(Base.BEFORE, ABSENT, stated(before, ABSENT), SHUT, "The tenant has no addresses of them."),
            Draft(Base.AFTER, ABSENT, stated(after, ABSENT), NEW, "The ports are shut down, and in the new networks."),
            Draft(Base.AFTER, "active", {}, USE, "The servers reach the new tenant, and the old one no longer."),
        ),
    )
