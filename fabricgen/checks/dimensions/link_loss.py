"""The loss of one of several parallel links between two switches, and where `link_loss` can react to it."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.intent.fabric import Backend
from fabricgen.intent.waivers import waiver_line
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import link_short
from fabricgen.resolve.link_loss import other_modes
from fabricgen.topologies.shape import EVEN

MANY_LINKS = 8
"""With more links per pair, losing one adds less than an eighth to the others: no more than the unevenness of hashing,
and no reason to warn about every such fabric."""


def link_loss(plan: Plan) -> Iterator[Problem]:
    """Weights and withdrawal apply to whole two-tier fabrics: a spine announces by how many links it reaches each leaf.

    Source: resolve/policy.py. Above spines, a path is as wide as the narrower of two pairs, and the number of one pair
    hides that of the other (RFC 10005 leaves it to the operator). All switches of a fabric must take part: a spine that
    announces nothing seems to have lost nothing, and its announcement only helps leaves that use it.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.link_loss != "keep" and fabric.shape.cores:
            yield Problem(
                code="link-loss",
                what=f"link_loss: {fabric.fabric.link_loss} is for two tiers, and {name} has three",
                where=("fabrics", name, "link_loss"),
                why="a superspine announces its links to a spine, and not how many links that spine has left to the "
                "leaf",
                fix="write link_loss: keep",
            )


def pairs_short(plan: Plan) -> Iterator[Problem]:
    """The parallel links of a pair have no spare capacity, and nothing reacts to the number of remaining links.

    If one link fails, the other leaves still send the spine the same share of the traffic, and the rest of the pair
    cannot carry it. With more than eight links per pair, one link is less than 1/8 of the pair: this is not reported.
    Source: arithmetic; equal paths are chosen without regard to what lies behind them (RFC 2992).
    """
    for name, fabric in plan.fabrics.items():
        shape = fabric.shape
        pairs = (
            ("leaf", "spine", "spines", shape.links, shape.spines, shape.ratio),
            ("spine", "superspine", "superspines", shape.core_links, shape.cores, shape.spine_ratio),
        )
        modes = other_modes(fabric)
        is_lossless = isinstance(fabric.fabric, Backend) and fabric.fabric.transport == "roce-lossless"
        for below, above, key, links, switches, ratio in pairs:
            if 1 < links <= MANY_LINKS and ratio == EVEN and fabric.fabric.link_loss == "keep":
                # Imported only if there is something to report: the import would slow down a correct site.
                from fabricgen.checks.remedies.counts import on_count  # noqa: PLC0415
                from fabricgen.checks.remedies.trial import anywhere, trial_of  # noqa: PLC0415

                trial, uplinks = trial_of(plan, name), links * switches
                # One link per pair, or more of them than this check reports.
                fewer = (count for count in range(switches - 1, 0, -1) if uplinks % count == 0)
                many = next((count for count in fewer if uplinks // count > MANY_LINKS), 0)
                counts = [on_count(trial, key, count) for count in (uplinks, many) if count]
                yield Problem(
                    code="pair-short",
                    what=f"{name}: if one of the {links} links between a {below} and a {above} fails, the other "
                    f"{'leaves' if below == 'leaf' else f'{below}s'} go on sending the full share through that {above}",
                    where=("fabrics", name, "link_loss"),
                    why=link_short(links, switches, below, above, lossless=is_lossless),
                    fix=_spare(modes, [anywhere(name, count) for count in counts if count]),
                )


def _spare(modes: tuple[str, ...], counts: list[str]) -> str:
    """Return the fix; a waiver if the switches support no other mode and no count of switches helps."""
    mode_text = f"link_loss: {' or '.join(modes)}" if modes else ""
    choices = [choice for choice in (mode_text, *counts) if choice]
    waiver = waiver_line("pair-short", "why it is acceptable")
    return f"write {', or '.join((*choices, waiver))}" if choices else f"no setting changes it here: write {waiver}"


def nothing_to_lose(plan: Plan) -> Iterator[Problem]:
    """`link_loss` is set only where switches have several links in parallel.

    Source: the topology; with one link the path itself is lost, and BGP withdraws it.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.fabric.link_loss != "keep" and fabric.shape.links < 2 and not fabric.shape.cores:
            yield Problem(
                code="link-loss-idle",
                what=f"link_loss: {fabric.fabric.link_loss} has no effect in {name}",
                where=("fabrics", name, "link_loss"),
                why="no two switches have more than one link",
                fix="remove it, or keep it for when there are fewer spines",
            )
