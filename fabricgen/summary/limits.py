"""Limits of growth: how much of each a plan uses, and what exceeding it takes."""

from collections.abc import Iterable, Iterator

from fabricgen.summary.page import FabricPage, Limit, PoolUse


def binds(fabrics: Iterable[FabricPage], oob: PoolUse) -> Iterator[Limit]:
    """Every limit that has a number, unsorted."""
    for page in fabrics:
        yield from _servers(page)
        yield from _leaves(page)
        yield from _pods(page)
        yield from _paths(page)
        yield from _routes(page)
        yield from (_pool(page.name, use) for use in page.pools)
    yield _pool("", oob)


def _servers(page: FabricPage) -> Iterator[Limit]:
    for group in page.growth.groups:
        slots = group.units * group.slots_a_unit
        what = f"{group.group} servers in {group.units} SU{'s' if group.units > 1 else ''}"
        then = "another SU" if group.units < group.units_planned else "a larger `planned`, and another SU"
        yield Limit(page.name, what, slots - group.free_in_units, slots, then)


def _leaves(page: FabricPage) -> Iterator[Limit]:
    growth = page.growth
    if growth.recable_leaves is None or growth.largest_leaves is None:
        return
    tier = "another pod" if growth.core is not None else "a third tier"
    yield Limit(
        page.name,
        f"leaves at {growth.links} link{'s' if growth.links > 1 else ''} per pair",
        growth.leaves,
        growth.recable_leaves,
        f"{growth.next_spines} spines in all{_moves(growth.moved, 'existing links')}"
        if growth.next_spines
        else f"more planned spines, or {tier}",
    )
    if growth.recable_leaves < growth.largest_leaves:
        what = "leaves of a pod" if growth.core is not None else "leaves of two tiers"
        yield Limit(page.name, what, growth.leaves_planned, growth.largest_leaves, tier)


def _pods(page: FabricPage) -> Iterator[Limit]:
    core = page.growth.core
    if core is None:
        return
    then = f"{core.next_cores} superspines per core group{_moves(core.moved, 'existing links of spines')}"
    yield Limit(
        page.name,
        f"pods at {core.links} link{'s' if core.links > 1 else ''} per spine-superspine pair",
        core.pods,
        core.recable_pods,
        then if core.next_cores else "more planned superspines, or larger ones",
    )


def _moves(moved: int, what: str) -> str:
    return f", which moves {moved} {what}" if moved else ""


def _paths(page: FabricPage) -> Iterator[Limit]:
    """Only where more spines add uplinks: other growth adds no paths."""
    grows = page.counts.uplinks_laid > page.counts.uplinks_a_leaf
    for chip, width in page.load_balancing.widths:
        if grows and width is not None:
            yield Limit(
                page.name,
                f"ECMP paths on {chip}",
                page.load_balancing.paths,
                width,
                "fewer uplinks or another chip",
            )


def _routes(page: FabricPage) -> Iterator[Limit]:
    for scale in page.routes:
        for chip, limit in scale.limits:
            if limit is not None:
                yield Limit(
                    page.name, f"{scale.family} routes of {chip}", scale.planned, limit, "a chip with a larger table"
                )


def _pool(fabric: str, use: PoolUse) -> Limit:
    return Limit(
        fabric, f"{use.region} of {use.pool}", round(use.used * use.capacity, 1), use.capacity, "a larger pool"
    )
