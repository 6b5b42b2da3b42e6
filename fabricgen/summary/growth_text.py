"""Growth limits of a fabric, and where growth moves cables, as plain text."""

from collections.abc import Iterator

from fabricgen.plan.growth import CoreGrowth, Growth
from fabricgen.summary.layout import entries, number, plural


def growth_text(growth: Growth, borders: int) -> Iterator[str]:
    """Lines of one fabric. borders: number of border leaves, which are counted as leaves."""
    units = dict(growth.recable_units)
    pod = " per pod" * (growth.core is not None)
    lines = [
        f"{line.group}: {plural(line.free_in_units, 'free slot')} in {plural(line.units, 'SU')} of {line.slots_a_unit} "
        f"servers; {plural(line.units_planned, 'SU')} planned{_unmoved(units.get(line.group), line.units_planned, pod)}"
        for line in growth.groups
    ]
    if growth.recable_leaves is not None:
        lines += _leaf_growth(growth, f" ({borders} border)" * (borders > 0))
    lines += _core_growth(growth.core) if growth.core is not None else []
    yield from entries("growth", lines)


def _unmoved(units: int | None, planned: int, pod: str) -> str:
    """How many of the planned SUs need no cable to move, existing ones included; empty if it is unknown."""
    if units is None:
        return ""
    if units >= planned and not pod:
        return ", all without recabling"
    return f", the first {units}{pod} without recabling" if units else ", none without recabling"


def _leaf_growth(growth: Growth, borders: str) -> Iterator[str]:
    pod = " per pod" if growth.core is not None else ""
    yield (
        f"no recabling up to {plural(growth.recable_leaves or 0, 'leaf')}{pod}{borders} at "
        f"{plural(growth.links, 'link')} per pair; {growth.leaves} now, {growth.leaves_planned} planned"
    )
    yield (
        f"spines: {growth.spines} now, {growth.spines_planned} planned; allowed: `now` "
        f"{_legal(growth.legal_now)}; `planned` {_legal(growth.legal)}"
    )
    if growth.next_spines is not None:
        moves = _moves("spine", growth.moved, "uplink", growth.kept)
        yield (
            f"{growth.spines} -> {growth.next_spines} spines: {moves}; leaf ports and addresses do not "
            f"change{_uplinks(growth)}"
        )
    if growth.largest_leaves is not None:
        next_step = "another pod is" if growth.core is not None else "a third tier is"
        yield f"{next_step} needed above {plural(growth.largest_leaves, 'leaf')}{borders}: {_nics(growth.largest_nics)}"


def _core_growth(core: CoreGrowth) -> Iterator[str]:
    yield (
        f"no recabling up to {plural(core.recable_pods, 'pod')} at {plural(core.links, 'link')} per "
        f"spine-superspine pair; {core.pods} now, {core.pods_planned} planned"
    )
    yield (
        f"superspines per core group: {core.cores} now, {core.cores_planned} planned; allowed: `now` "
        f"{_legal(core.legal_now)}; `planned` {_legal(core.legal)}"
    )
    if core.next_cores is not None:
        yield (
            f"{core.cores} -> {core.next_cores} superspines per core group: "
            f"{_moves('superspine', core.moved, 'spine uplink', core.kept)}; leaves and addresses do not change"
        )
    yield (
        f"a fourth tier is needed above {plural(core.largest_pods, 'pod')} ({_nics(core.largest_nics)}), and is not "
        "supported"
    )


def _moves(end: str, moved: int, what: str, kept: int) -> str:
    if not moved:
        return f"no cable moves, {plural(kept, what)} stay{'s' if kept == 1 else ''}"
    return f"recable the {end} end of {plural(moved, what)}, {number(kept)} stay{'s' if kept == 1 else ''}"


def _nics(largest: tuple[tuple[str, int], ...]) -> str:
    """NIC ports of the largest fabric, by server group if each fills it alone."""
    if len({count for _, count in largest}) == 1:
        groups = " and ".join(group for group, _ in largest)
        return f"{plural(largest[0][1], 'NIC port')} of {groups}{' together' * (len(largest) > 1)}"
    return " or ".join(f"{plural(count, 'NIC port')} if all servers are of {group}" for group, count in largest)


def _uplinks(growth: Growth) -> str:
    if growth.next_uplinks == growth.uplinks:
        return ""
    return f"; uplinks per leaf: {growth.uplinks} -> {growth.next_uplinks}"


def _legal(counts: tuple[int, ...]) -> str:
    return ", ".join(map(str, counts)) or "none"
