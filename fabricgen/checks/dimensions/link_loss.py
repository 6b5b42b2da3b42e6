"""What is lost with one of the parallel links of a pair of switches, and where the intent may say what to do then."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Platform
from fabricgen.policy.load_balancing import WEIGHTED_PATHS, link_short
from fabricgen.resolve.needs import roles
from fabricgen.topologies.shape import EVEN

MANY_LINKS = 8
"""With more links a pair, the others carry less than an eighth more when one is lost: no more than hashing alone leaves
uneven, and no reason to warn of every such fabric."""


def link_loss(plan: Plan) -> Iterator[Problem]:
    """Weights and withdrawal stand in whole fabrics of two tiers: a spine says by how many links it reaches each leaf.

    Source: resolve/policy.py. Above spines, a path is as wide as the narrower of two pairs, and what is said of one
    hides the other (RFC 10005 leaves it to the operator). All switches of a fabric take part: a spine that says nothing
    is taken for one that has lost nothing, and what it says helps nobody who does not listen.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.link_loss != "keep" and fabric.shape.cores:
            yield Problem(
                code="link-loss",
                what=f"{name} has three tiers: link_loss: {fabric.fabric.link_loss} is for two",
                where=("fabrics", name, "link_loss"),
                why="a superspine would say how many links it has to a spine, and nobody how many "
                "that spine has left to the leaf",
                fix="write link_loss: keep",
            )


def pairs_short(plan: Plan) -> Iterator[Problem]:
    """Parallel links of a pair where no capacity is to spare, and nothing that looks at how many of them are left.

    Told of up to eight links a pair. Source: arithmetic; equal paths are chosen without regard to what lies behind them
    (RFC 2992).
    """
    for name, fabric in plan.fabrics.items():
        shape = fabric.shape
        pairs = (
            ("leaf", "spine", "spines", shape.links, shape.spines, shape.ratio),
            ("spine", "superspine", "superspines", shape.core_links, shape.cores, shape.spine_ratio),
        )
        able = _able(fabric)
        for below, above, key, links, switches, ratio in pairs:
            if 1 < links <= MANY_LINKS and ratio == EVEN and fabric.fabric.link_loss == "keep":
                # Imported where something is to be told: a site without it would wait for it.
                from fabricgen.checks.remedies.counts import one_link  # noqa: PLC0415
                from fabricgen.checks.remedies.trial import trial_of  # noqa: PLC0415

                yield Problem(
                    code="pair-short",
                    what=f"{name} still sends full traffic between a {below} and a {above} that have lost one of their "
                    f"{links} links",
                    where=("fabrics", name, "link_loss"),
                    why=link_short(links, switches, below, above),
                    fix=_spare(able, one_link(trial_of(plan, name), key, links * switches)),
                )


def _spare(able: tuple[str, ...], counts: str) -> str:
    """What to write; a waiver where there is nothing that the switches can and no count gives one link a pair."""
    words = f"link_loss: {' or '.join(able)}" if able else ""
    choices = [choice for choice in (words, counts) if choice]
    return f"write {', or '.join(choices)}" if choices else "nothing changes it here: waive it, with your reason"


def _able(fabric: FabricPlan) -> tuple[str, ...]:
    """What else `link_loss` may be here: nothing above two tiers, nor what a switch's operating system cannot do."""
    wide = {"weighted": "-wide"} if fabric.shape.uplinks_laid > WEIGHTED_PATHS else {}
    platforms = [PLATFORMS.get(role.system.partition("-")[0]) for role in roles(fabric)]
    return tuple(
        word
        for word in ("weighted", "withdraw")
        if not fabric.shape.cores and all(_can(each, f"link-loss-{word}{wide.get(word, '')}") for each in platforms)
    )


def _can(platform: Platform | None, feature: str) -> bool:
    found = platform.can(feature) if platform is not None else None
    return found is not None and not found.refusal


def nothing_to_lose(plan: Plan) -> Iterator[Problem]:
    """What happens when some of a pair's links are lost is said only where there is more than one.

    Source: the topology; with one link the path itself goes, and BGP takes it back.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.link_loss != "keep" and fabric.shape.links < 2 and not fabric.shape.cores:
            yield Problem(
                code="link-loss-idle",
                what=f"link_loss: {fabric.fabric.link_loss} changes nothing in {name}",
                where=("fabrics", name, "link_loss"),
                why="no two switches have more than one link",
                fix="remove it, or keep it for when there are fewer spines",
            )
