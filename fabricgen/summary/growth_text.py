"""How far a fabric can grow, and where growth moves cables, to plain text."""

from collections.abc import Iterator

from fabricgen.plan.growth import CoreGrowth, Growth
from fabricgen.summary.layout import entries, number, plural


def growth_text(growth: Growth) -> Iterator[str]:
    """Lines of one fabric."""
    lines = [
        f"{line.group}: {plural(line.free_in_units, 'free slot')} in existing units, "
        f"{plural(line.units_planned - line.units, 'more unit')} reserved ({line.slots_a_unit} servers each)"
        for line in growth.groups
    ]
    if growth.recable_leaves is not None:
        lines += _leaf_growth(growth)
    lines += _core_growth(growth.core) if growth.core is not None else []
    yield from entries("growth", lines)


def _leaf_growth(growth: Growth) -> Iterator[str]:
    pod = " per pod" if growth.core is not None else ""
    units = ", ".join(f"{group} {count}" for group, count in growth.recable_units)
    links = plural(growth.links, "link")
    yield (
        f"leaves before recabling: {growth.recable_leaves}{pod} at {links} per pair (units: {units}); "
        f"{growth.leaves} now, {growth.leaves_planned} planned"
    )
    legal = ", ".join(map(str, growth.legal_now))
    yield f"spines: {growth.spines} now; possible now {legal}; possible for the planned leaves {_legal(growth.legal)}"
    if growth.next_spines is not None:
        yield (
            f"{growth.spines} -> {growth.next_spines} spines: {number(growth.moved)} uplinks move at their spine end, "
            f"{number(growth.kept)} stay; no leaf port and no address changes{_uplinks(growth)}"
        )
    nics = ", ".join(f"{number(count)} NIC ports of {group} alone" for group, count in growth.largest_nics)
    if growth.largest_leaves is not None:
        ends = "another pod" if growth.core is not None else "third tier"
        yield f"{ends} past {growth.largest_leaves} leaves ({nics})"


def _core_growth(core: CoreGrowth) -> Iterator[str]:
    yield (
        f"pods before recabling: {core.recable_pods} at {plural(core.links, 'link')} per spine-superspine pair; "
        f"{core.pods} now, {core.pods_planned} planned"
    )
    legal = ", ".join(map(str, core.legal_now)) or "none"
    yield (
        f"superspines per core group: {core.cores} now; possible now {legal}; possible for the planned pods "
        f"{_legal(core.legal)}"
    )
    if core.next_cores is not None:
        yield (
            f"{core.cores} -> {core.next_cores} superspines per core group: {number(core.moved)} uplinks of spines "
            f"move at their upper end, {number(core.kept)} stay; no leaf is touched and no address changes"
        )
    nics = ", ".join(f"{number(count)} NIC ports of {group} alone" for group, count in core.largest_nics)
    yield f"fourth tier past {core.largest_pods} pods ({nics}): not supported"


def _uplinks(growth: Growth) -> str:
    if growth.next_uplinks == growth.uplinks:
        return ""
    return f"; a leaf has {growth.next_uplinks} uplinks then, {growth.uplinks} now"


def _legal(counts: tuple[int, ...]) -> str:
    return ", ".join(map(str, counts)) or "none"
