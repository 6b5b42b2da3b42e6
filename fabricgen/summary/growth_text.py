"""Room of a fabric, and where growth stops being free, to plain text."""

from collections.abc import Iterator

from fabricgen.plan.growth import CoreGrowth, Growth
from fabricgen.summary.layout import entries, number, plural


def growth_text(growth: Growth) -> Iterator[str]:
    """Lines of one fabric's room."""
    lines = [
        f"{line.group}: {number(line.free_in_units)} free slots in units that stand, "
        f"{plural(line.units_planned - line.units, 'more unit')} numbered (of {line.slots_a_unit} servers)"
        for line in growth.groups
    ]
    if growth.recable_leaves is not None:
        lines += _leaf_growth(growth)
    lines += _core_growth(growth.core) if growth.core is not None else []
    yield from entries("growth", lines)


def _leaf_growth(growth: Growth) -> Iterator[str]:
    pod = " a pod" if growth.core is not None else ""
    units = ", ".join(f"{group} {count}" for group, count in growth.recable_units)
    yield (
        f"recabling point: {growth.recable_leaves} leaves{pod} at {growth.links} a pair (units: {units}); "
        f"{growth.leaves} stand, {growth.leaves_planned} planned"
    )
    legal = ", ".join(map(str, growth.legal_now))
    yield f"spines: {growth.spines} now; legal now {legal}; legal for the planned leaves {_legal(growth.legal)}"
    if growth.next_spines is not None:
        yield (
            f"{growth.spines} -> {growth.next_spines} spines moves the spine end of {number(growth.moved)} uplinks and "
            f"leaves {number(growth.kept)}; no leaf port and no address changes{_uplinks(growth)}"
        )
    nics = ", ".join(f"{number(count)} NIC ports of {group} alone" for group, count in growth.largest_nics)
    if growth.largest_leaves is not None:
        ends = "another pod" if growth.core is not None else "third tier"
        yield f"{ends} past {growth.largest_leaves} leaves ({nics})"


def _core_growth(core: CoreGrowth) -> Iterator[str]:
    yield (
        f"recabling point: {core.recable_pods} pods at {core.links} a spine-superspine pair; {core.pods} stand, "
        f"{core.pods_planned} planned"
    )
    legal = ", ".join(map(str, core.legal_now)) or "none"
    yield (
        f"superspines a core group: {core.cores} now; legal now {legal}; legal for the planned pods "
        f"{_legal(core.legal)}"
    )
    if core.next_cores is not None:
        yield (
            f"{core.cores} -> {core.next_cores} superspines a group moves the upper end of {number(core.moved)} "
            f"uplinks of spines and leaves {number(core.kept)}; no leaf is touched and no address changes"
        )
    nics = ", ".join(f"{number(count)} NIC ports of {group} alone" for group, count in core.largest_nics)
    yield f"fourth tier past {core.largest_pods} pods ({nics}): not built here"


def _uplinks(growth: Growth) -> str:
    if growth.next_uplinks == growth.uplinks:
        return ""
    return f"; a leaf has {growth.next_uplinks} uplinks then, {growth.uplinks} now"


def _legal(counts: tuple[int, ...]) -> str:
    return ", ".join(map(str, counts)) or "none"
