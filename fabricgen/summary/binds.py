"""Limits of a plan: what is used of each, and what happens past it."""

from collections.abc import Iterable, Iterator

from fabricgen.summary.page import Bind, FabricPage, PoolUse


def binds(fabrics: Iterable[FabricPage], oob: PoolUse) -> Iterator[Bind]:
    """Every limit that has a number, in no order."""
    for page in fabrics:
        for group in page.growth.groups:
            slots = group.units * group.slots_a_unit
            what = f"{group.group} servers of {group.units} unit{'s' if group.units > 1 else ''}"
            then = "another unit" if group.units < group.units_planned else "a larger planned: and another unit"
            yield Bind(page.name, what, slots - group.free_in_units, slots, then)
        yield from _leaves(page)
        yield from _pods(page)
        yield from _paths(page)
        yield from _headroom(page)
        for scale in page.routes:
            for chip, limit in scale.limits:
                if limit is not None:
                    yield Bind(page.name, f"{scale.family} routes of {chip}", scale.planned, limit, "a chip with more")
        yield from (_pool(page.name, use) for use in page.pools)
    yield _pool("", oob)


def _leaves(page: FabricPage) -> Iterator[Bind]:
    growth = page.growth
    if growth.recable_leaves is None or growth.largest_leaves is None:
        return
    tier = "another pod" if growth.core is not None else "a third tier"
    yield Bind(
        page.name,
        f"leaves at {growth.links} link{'s' if growth.links > 1 else ''} per pair",
        growth.leaves,
        growth.recable_leaves,
        f"{growth.next_spines} spines: {growth.moved} uplinks move"
        if growth.next_spines
        else f"more planned spines, or {tier}",
    )
    if growth.recable_leaves < growth.largest_leaves:
        what = "leaves of a pod" if growth.core is not None else "leaves of two tiers"
        yield Bind(page.name, what, growth.leaves_planned, growth.largest_leaves, tier)


def _pods(page: FabricPage) -> Iterator[Bind]:
    core = page.growth.core
    if core is None:
        return
    then = f"{core.next_cores} superspines per core group: {core.moved} uplinks of spines move"
    yield Bind(
        page.name,
        f"pods at {core.links} link{'s' if core.links > 1 else ''} per spine-superspine pair",
        core.pods,
        core.recable_pods,
        then if core.next_cores else "more planned superspines, or larger ones",
    )


def _paths(page: FabricPage) -> Iterator[Bind]:
    for chip, width in page.load_balancing.widths:
        if width is not None:
            yield Bind(
                page.name,
                f"equal-cost paths on {chip}",
                page.load_balancing.paths,
                width,
                "fewer uplinks, or another chip",
            )


def _headroom(page: FabricPage) -> Iterator[Bind]:
    if page.lossless is None:
        return
    for line in page.lossless.pools:
        if line.pool:
            what = f"headroom pool of a {line.role} at {line.allowed:.2f}:1"
            if line.private:
                what = f"headroom in the buffer of a {line.role}"
            yield Bind(page.name, what, line.needed, line.allowed * line.pool, "shorter cables or fewer ports")


def _pool(fabric: str, use: PoolUse) -> Bind:
    return Bind(fabric, f"{use.pool} {use.region}", round(use.used * use.capacity, 1), use.capacity, "a larger pool")
