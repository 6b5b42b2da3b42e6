"""The values of `link_loss` that the switches of a fabric support."""

from fabricgen.plan.fabric import FabricPlan
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.policy.load_balancing import WEIGHTED_PATHS
from fabricgen.resolve.needs import roles


def other_modes(fabric: FabricPlan) -> tuple[str, ...]:
    """Return the values of `link_loss` beside `keep`: none in three tiers, and only those that all systems support."""
    wide = {"weighted": "-wide"} if fabric.shape.uplinks_laid > WEIGHTED_PATHS else {}
    systems = {role.system.partition("-")[0] for role in roles(fabric)}
    return tuple(
        word
        for word in ("weighted", "withdraw")
        if not fabric.shape.cores
        and systems <= PLATFORMS.keys()
        and all(supports(system, f"link-loss-{word}{wide.get(word, '')}") for system in systems)
    )
