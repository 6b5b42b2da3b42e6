"""The page to plain text for people: aligned, 100 columns, no colour."""

from collections.abc import Iterator

from fabricgen.plan.materials import Materials, Power
from fabricgen.summary.growth_text import growth_text
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
from fabricgen.summary.page import (
    Counts,
    FabricPage,
    LoadBalancingLine,
    MacLimitLine,
    Page,
    PoolUse,
    RouteScale,
    TenantLine,
)

NEAR = 0.5
"""Limits that are used less than this are not worth a line."""


def page_text(page: Page) -> Iterator[str]:
    """Lines of the page, without line ends."""
    for fabric in page.fabrics:
        yield from _fabric(fabric)
        yield ""
    yield f"site {page.site}"
    yield from entry("defaults", _defaults(page))
    if page.overrides or page.waivers:
        yield from entry("in force", f"{plural(page.overrides, 'override')}, {plural(page.waivers, 'waiver')}")
    yield from table("management", POOL_HEADER, [_pool(page.oob)])
    yield from _tenants(page.tenants)
    yield from _bill(page.materials)
    texts = [
        f"{percent(bind.share)} {bind.fabric or 'site'}: {bind.what}, {short(bind.used)} of {short(bind.limit)}; "
        f"then {bind.then}"
        for bind in page.binds
        if bind.share >= NEAR
    ]
    yield from entries("limits", texts)
    yield ""
    yield "unsure: rests on a fit, expert knowledge or a weak source, as its file says. Spares are not counted."


def _defaults(page: Page) -> str:
    if page.defaults == page.defaults_newest:
        return f"version {page.defaults}"
    newest = page.defaults_newest
    return f"version {page.defaults}; `defaults: {newest}` in the intent takes version {newest}: see `diff` before"


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
    yield from entries("MAC limit", [_mac_limit(line) for line in page.mac_limits])
    yield from entry("power", _power(page.power))
    yield from growth_text(page.growth)


def _mac_limit(line: MacLimitLine) -> str:
    leaves = f"{plural(line.leaves, 'leaf')} of {line.system} (first {line.first})"
    if not line.limit:
        return f"none on {leaves}: {line.why}"
    return f"{line.limit} addresses per server port on {leaves}"


def _switches(page: FabricPage) -> Iterator[str]:
    counts = page.counts
    standing = {
        "leaf": sum(group.leaves for group in counts.groups),
        "border-leaf": counts.borders,
        "spine": counts.spines,
        "superspine": counts.superspines,
    }
    for at, (role, model, system) in enumerate(counts.models):
        what = f"{plural(standing[role], role)}{_planned(counts, role)}"
        yield from entry("switches" if at == 0 else "", f"{what}: {model}, {system}")
    if counts.away:
        found = ", ".join(plural(count, role) for role, count in counts.away)
        yield from entry("away", f"{found} dead or absent: counted above; spines are taken off the bisection")
    if counts.planes > 1 or counts.pods_planned > 1:
        yield from entry("copies", _copies(counts))
    yield from entries("links", _links(counts))


def _planned(counts: Counts, role: str) -> str:
    """How many of them are planned: of one pod and plane, or of one core group, where there are several."""
    if role == "spine" and counts.spines_planned > counts.spines_a_pod:
        each = " per pod and plane" if counts.spines != counts.spines_a_pod else ""
        return f" ({counts.spines_planned} planned{each})"
    if role == "superspine" and counts.cores_planned > counts.cores_a_group:
        return f" ({counts.cores_planned} planned per core group)"
    return ""


def _copies(counts: Counts) -> str:
    found = [f"{counts.planes} planes, never joined{_optics(counts.planes)}"] if counts.planes > 1 else []
    if counts.pods_planned > 1:
        of = f"{number(counts.pods)} of {plural(counts.pods_planned, 'pod')}"
        groups = f"{plural(counts.spines_a_pod, 'core group')} of {plural(counts.cores_a_group, 'superspine')}"
        found.append(f"{of}, {plural(counts.spines_a_pod, 'spine')} each; {groups} per plane")
    return "; ".join(found)


def _optics(planes: int) -> str:
    """What is not known of cages whose parts go to as many switches: a twin-port optic has two connectors."""
    if planes <= TWIN:
        return ""
    return f"; an optic of a NIC goes to {planes} switches: by cables of half an MPO, or a shuffle box{UNSURE}"


def _links(counts: Counts) -> Iterator[str]:
    if not counts.spines:
        return
    more = f" ({counts.uplinks_laid} planned)" if counts.uplinks_laid > counts.uplinks_a_leaf else ""
    pair = f"{counts.links_a_pair} x {counts.uplink_gbps}G per leaf-spine pair"
    yield f"{pair}, {plural(counts.uplinks_a_leaf, 'uplink')} per leaf{more}"
    if counts.core_links:
        pair = f"{counts.core_links} x {counts.uplink_gbps}G per spine-superspine pair"
        yield f"{pair}, {plural(counts.core_links * counts.cores_a_group, 'uplink')} per spine"


def _servers(counts: Counts) -> Iterator[str]:
    header = ("group", "servers", "GPUs", "units", "NICs", "leaf down", "leaf up", "ratio", "N-1 spines")
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
    if counts.spine_ratio is not None:
        spine = f"spine {counts.spine_down} down, {counts.spine_up} up: {ratio(counts.spine_ratio)}"
        yield from entry("tiers", f"leaf {ratio(max(g.ratio or 0 for g in counts.groups))}; {spine}")
    worst, half = ratio(counts.end_to_end), f"{counts.bisection_tbps:g}"
    yield from entry("capacity", f"end to end {worst} (asked {counts.asked}); bisection {half} Tb/s one way")


TWIN = 2
"""Connectors of a twin-port optic (OSFP MSA): more parts than that share them."""
POOL_HEADER = ("pool", "use", "block", "allocated", "reserved", "capacity", "used")


def _pool(use: PoolUse) -> tuple[str, ...]:
    return (
        use.pool,
        use.region,
        use.block,
        number(use.allocated),
        number(use.reserved),
        big(use.capacity),
        percent(use.used),
    )


def _routes(scale: RouteScale) -> str:
    total = scale.aggregates + scale.loopbacks + scale.nics
    nics = f" + {number(scale.nics)} to tenants' NICs on the fullest leaf" if scale.nics else ""
    limits = "; ".join(
        f"{number(limit)} ({chip})" if limit is not None else f"unknown ({chip})" for chip, limit in scale.limits
    )
    return (
        f"{scale.family}: {number(total)} = {number(scale.aggregates)} aggregates + {number(scale.loopbacks)} "
        f"loopbacks{nics}, {number(scale.planned)} planned; limit {limits}"
    )


def _balancing(line: LoadBalancingLine) -> str:
    own = f" (platform default on {' and '.join(line.own_gap)})" if line.own_gap else ""
    gap = f", gap {line.flowlet_gap_us} us{own}" if line.flowlet_gap_us else ""
    seeds = ", ".join(f"{tier} {'of its own' if seed is None else seed}" for tier, seed in line.seeds)
    width = "; ".join(
        f"limit {limit} ({chip})" if limit is not None else f"limit unknown ({chip})" for chip, limit in line.widths
    )
    return f"{line.mode}{gap}; hash seeds {seeds}; {plural(line.paths, 'equal-cost path')}, {width}"


def _power(power: Power) -> str:
    typical, most = _boxes(power.typical, power.unknown_typical), _boxes(power.maximum, power.unknown_maximum)
    return (
        f"switches {typical} typical, {most} at most; optics and copper {watts(power.optics_in_switches)} in "
        f"switches, {watts(power.optics_in_servers)} in servers{UNSURE if power.unsure else ''}"
    )


def _boxes(value: float, unknown: int) -> str:
    return f"{watts(value)} + {unknown} boxes of unknown watts" if unknown else watts(value)


def _tenants(tenants: tuple[TenantLine, ...]) -> Iterator[str]:
    header = ("fabric", "tenant", "VRF id", "L3 VNI", "servers", "reaches", "external")
    rows = [
        (
            line.fabric,
            line.name,
            str(line.vrf_id),
            str(line.vni),
            " ".join((*line.nics, *line.servers)) or "none",
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
