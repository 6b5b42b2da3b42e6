"""The page to plain text for people: aligned, 100 columns, no colour."""

from collections.abc import Iterator

from fabricgen.plan.growth import Growth
from fabricgen.plan.materials import Materials, Power
from fabricgen.summary.layout import (
    UNSURE,
    big,
    entries,
    entry,
    metres,
    number,
    percent,
    plural,
    ratio,
    short,
    table,
    watts,
)
from fabricgen.summary.lossless_text import lossless_text
from fabricgen.summary.page import Counts, FabricPage, LoadBalancingLine, Page, PoolUse, RouteScale, TenantLine

NEAR = 0.5
"""Limits that are used less than this are not worth a line."""


def page_text(page: Page) -> Iterator[str]:
    """Lines of the page, without line ends."""
    for fabric in page.fabrics:
        yield from _fabric(fabric)
        yield ""
    yield f"site {page.site}"
    yield from table("management", POOL_HEADER, [_pool(page.oob)])
    yield from _tenants(page.tenants)
    yield from _bill(page.materials)
    yield from _binds(page)
    yield ""
    yield "unsure: rests on a fit, expert knowledge or a weak source, as its file says. Spares are not counted."


def _fabric(page: FabricPage) -> Iterator[str]:
    counts = page.counts
    yield f"fabric {page.name} ({page.kind}, {page.design}, {plural(counts.tiers, 'tier')})"
    yield from _switches(page)
    yield from _servers(counts)
    yield from table("numbers", POOL_HEADER, [_pool(use) for use in page.pools])
    yield from entries("routes", [_routes(scale) for scale in page.routes])
    yield from entry("balancing", _balancing(page.load_balancing))
    if page.lossless is not None:
        yield from lossless_text(page.lossless)
    yield from entry("power", _power(page.power))
    yield from _growth(page.growth)


def _switches(page: FabricPage) -> Iterator[str]:
    counts = page.counts
    standing = {
        "leaf": sum(group.leaves for group in counts.groups),
        "border-leaf": counts.borders,
        "spine": counts.spines,
    }
    planned = {"spine": f" ({counts.spines_planned} planned)"} if counts.spines_planned > counts.spines else {}
    for at, (role, model, system) in enumerate(counts.models):
        what = f"{plural(standing[role], role)}{planned.get(role, '')}"
        yield from entry("switches" if at == 0 else "", f"{what}: {model}, {system}")
    if counts.spines:
        more = f" (room for {counts.uplinks_laid})" if counts.uplinks_laid > counts.uplinks_a_leaf else ""
        pair = f"{counts.links_a_pair} a leaf-spine pair of {counts.uplink_gbps}G"
        yield from entry("links", f"{pair}, {counts.uplinks_a_leaf} uplinks a leaf{more}")


def _servers(counts: Counts) -> Iterator[str]:
    header = ("group", "servers", "GPUs", "units", "NICs", "leaf down", "leaf up", "ratio", "spine lost")
    rows = [
        (
            line.group,
            f"{number(line.servers)} of {number(line.planned)}",
            number(line.gpus),
            f"{line.units} of {line.units_planned}",
            line.nics,
            line.leaf_down,
            line.leaf_up,
            ratio(line.ratio),
            ratio(line.ratio_spine_lost),
        )
        for line in counts.groups
    ]
    yield from table("servers", header, rows)
    if counts.end_to_end is None or counts.bisection_tbps is None:
        yield from entry("capacity", "none between leaves: there are no spines, each leaf is a fabric of its own")
        return
    worst, half = ratio(counts.end_to_end), f"{counts.bisection_tbps:g}"
    yield from entry("capacity", f"end to end {worst} (asked {counts.asked}); bisection {half} Tb/s one way")


POOL_HEADER = ("pool", "use", "block", "standing", "planned", "room", "taken")


def _pool(use: PoolUse) -> tuple[str, ...]:
    return (
        use.pool,
        use.region,
        use.block,
        number(use.standing),
        number(use.planned),
        big(use.room),
        percent(use.taken),
    )


def _routes(scale: RouteScale) -> str:
    total = scale.aggregates + scale.loopbacks
    limits = "; ".join(
        f"{chip} takes {number(limit)}" if limit is not None else f"{chip} unknown" for chip, limit in scale.limits
    )
    return (
        f"{scale.family}: {number(total)} = {number(scale.aggregates)} aggregates + {number(scale.loopbacks)} "
        f"loopbacks, {number(scale.planned)} planned; limit: {limits}"
    )


def _balancing(line: LoadBalancingLine) -> str:
    own = f" ({' and '.join(line.own_gap)} can not be told, and keeps its own)" if line.own_gap else ""
    gap = f", gap {line.flowlet_gap_us} us{own}" if line.flowlet_gap_us else ""
    seeds = ", ".join(f"{tier} {seed}" for tier, seed in line.seeds)
    width = "; ".join(
        f"{chip} holds {limit} a group" if limit is not None else f"{chip} unknown" for chip, limit in line.widths
    )
    return f"{line.mode}{gap}; hash seeds {seeds}; {plural(line.paths, 'equal-cost path')} ({width})"


def _power(power: Power) -> str:
    typical, most = _boxes(power.typical, power.unknown_typical), _boxes(power.maximum, power.unknown_maximum)
    return (
        f"switches {typical} typical, {most} at most; optics and copper {watts(power.optics_in_switches)} in "
        f"switches, {watts(power.optics_in_servers)} in servers{UNSURE if power.unsure else ''}"
    )


def _boxes(value: float, unknown: int) -> str:
    return f"{watts(value)} + {unknown} boxes of unknown watts" if unknown else watts(value)


def _growth(growth: Growth) -> Iterator[str]:
    lines = [
        f"{line.group}: {number(line.free_in_units)} free slots in units that stand, "
        f"{plural(line.units_planned - line.units, 'more unit')} numbered (of {line.slots_a_unit} servers)"
        for line in growth.groups
    ]
    if growth.recable_leaves is not None:
        units = ", ".join(f"{group} {count}" for group, count in growth.recable_units)
        lines.append(
            f"recabling point: {growth.recable_leaves} leaves at {growth.links} a pair (units: {units}); "
            f"{growth.leaves} stand, {growth.leaves_planned} planned"
        )
        legal = ", ".join(map(str, growth.legal_now))
        lines.append(f"spines: {growth.spines} now; legal now {legal}; legal for the planned leaves {_legal(growth)}")
    if growth.next_spines is not None:
        lines.append(
            f"{growth.spines} -> {growth.next_spines} spines moves the spine end of {number(growth.moved)} uplinks and "
            f"leaves {number(growth.kept)}; no leaf port and no address changes{_uplinks(growth)}"
        )
    if growth.largest_leaves is not None:
        nics = ", ".join(f"{number(count)} NIC ports of {group} alone" for group, count in growth.largest_nics)
        lines.append(f"third tier past {growth.largest_leaves} leaves ({nics})")
    yield from entries("growth", lines)


def _uplinks(growth: Growth) -> str:
    if growth.next_uplinks == growth.uplinks:
        return ""
    return f"; a leaf has {growth.next_uplinks} uplinks then, {growth.uplinks} now"


def _legal(growth: Growth) -> str:
    return ", ".join(map(str, growth.legal)) or "none"


def _tenants(tenants: tuple[TenantLine, ...]) -> Iterator[str]:
    header = ("fabric", "tenant", "VRF id", "L3 VNI", "servers", "reaches", "sessions outside")
    rows = [
        (
            line.fabric,
            line.name,
            str(line.vrf_id),
            str(line.vni),
            " ".join(line.servers) or "none",
            " ".join(line.reaches) or "none",
            str(len(line.external)),
        )
        for line in tenants
    ]
    yield from table("tenants", header, rows)
    networks = [
        (f"{line.name}/{network.name}", str(network.vlan_id), str(network.vni), " ".join(network.subnets))
        for line in tenants
        for network in line.networks
    ]
    yield from table("networks", ("network", "VLAN", "L2 VNI", "subnets"), networks)


def _bill(bill: Materials) -> Iterator[str]:
    rows = [
        (
            item.fabric,
            item.role,
            item.model,
            number(item.pieces),
            watts(item.typical_watts) if item.typical_watts is not None else "unknown",
            watts(item.maximum_watts) if item.maximum_watts is not None else "unknown",
            "unsure" if item.unsure else "",
        )
        for item in bill.switches
    ]
    yield from table("switches", ("fabric", "role", "model", "pieces", "typical", "at most", ""), rows)
    parts = [
        (
            item.fabric,
            item.part,
            {"both": "both ends"}.get(item.at, item.at),
            number(item.pieces),
            f"{item.watts:g} W",
            "unsure" if item.unsure else "",
        )
        for item in bill.parts
    ]
    yield from table("parts", ("fabric", "part", "plugged in", "pieces", "each", ""), parts)
    runs = [
        (
            item.fabric,
            item.kind,
            item.medium or "none fits",
            f"{item.speed_gbps}G",
            metres(item.length_m),
            number(item.links),
        )
        for item in bill.cables
    ]
    yield from table("cables", ("fabric", "kind", "medium", "speed", "length", "links"), runs)


def _binds(page: Page) -> Iterator[str]:
    texts = [
        f"{percent(bind.share)} {bind.fabric or 'site'}: {bind.what}, {short(bind.used)} of {short(bind.limit)}; "
        f"past it {bind.then}"
        for bind in page.binds
        if bind.share >= NEAR
    ]
    yield from entries("what binds", texts)
