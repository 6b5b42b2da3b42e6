"""The page as plain text for people: aligned, 100 columns, no colour."""

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
    SecurityLines,
    TenantLine,
)

NEAR = 0.5
"""Limits of which less than this share is used are not printed."""


def page_text(page: Page) -> Iterator[str]:
    """Lines of the page, without line ends."""
    for fabric in page.fabrics:
        yield from _fabric(fabric)
        yield ""
    yield f"site {page.site}"
    yield from entry("defaults", _defaults(page))
    yield from entries("security", list(_security(page.security)))
    if page.overrides or page.waivers:
        yield from entry("active", f"{plural(page.overrides, 'override')}, {plural(page.waivers, 'waiver')}")
    yield from table("management", POOL_HEADER, [_pool(page.oob)])
    yield from _tenants(page.tenants)
    yield from _bill(page.materials)
    yield from _binds(page)
    yield ""
    yield "unsure: an estimate or a weak source; see the model's file in fabricgen/hardware. No spares counted."


def _defaults(page: Page) -> str:
    if page.defaults == page.defaults_newest:
        return f"version {page.defaults} of the default values"
    newest = page.defaults_newest
    return (
        f"version {page.defaults} of the default values; version {newest} is newer: to use it, write "
        f"`defaults: {newest}` in the intent, and review the change with `fabricgen diff` before you render"
    )


def _security(lines: SecurityLines) -> Iterator[str]:
    if not lines.profile:
        return
    found = f"{plural(len(lines.deviations), 'deviation')}:" if lines.deviations else "no deviation"
    yield f"profile {lines.profile}; {found}"
    for line in lines.deviations:
        yield f"{line.what} on {plural(line.switches, 'switch')} ({line.code})"


def _fabric(page: FabricPage) -> Iterator[str]:
    counts = page.counts
    yield f"fabric {page.name}: kind {page.kind}, design {page.design}, {plural(counts.tiers, 'tier')}"
    yield from _switches(page)
    yield from _servers(counts)
    yield from table("pools", POOL_HEADER, [_pool(use) for use in page.pools])
    yield from table("routes", ROUTES_HEADER, list(_routes(page.routes)))
    if page.kind == "frontend":
        yield from entry("", "IPv4 loopbacks: router ids and VTEPs; routes of tenants (EVPN) are not counted")
    yield from entry("balancing", _balancing(page.load_balancing))
    if page.lossless is not None:
        yield from lossless_text(page.lossless)
    yield from entries("MAC limit", [_mac_limit(line) for line in page.mac_limits])
    yield from entry("power", _power(page.power))
    yield from growth_text(page.growth, page.counts.borders)


def _mac_limit(line: MacLimitLine) -> str:
    more = f" and {line.leaves - 1} more" if line.leaves > 1 else ""
    leaves = f"{plural(line.leaves, 'leaf')} with {line.system} ({line.first}{more})"
    if not line.limit:
        return f"no limit per server port on {leaves}, because {line.why}"
    return f"{line.limit} addresses per server port on {leaves}"


def _switches(page: FabricPage) -> Iterator[str]:
    counts = page.counts
    counts_by_role = {
        "border-leaf": counts.borders,
        "spine": counts.spines,
        "superspine": counts.superspines,
    }
    for index, (role, model, system) in enumerate(counts.models):
        of_model = (group.leaves for group in counts.groups if group.leaf_model == model)
        count = sum(of_model) if role == "leaf" else counts_by_role[role]
        text = f"{plural(count, role)}{_planned(counts, role)}"
        yield from entry("switches" if index == 0 else "", f"{text}: {model}, {system}")
    if counts.away:
        unavailable = ", ".join(plural(count, role) for role, count in counts.away)
        yield from entry("unavailable", f"{unavailable} dead or absent; counted above, and spines not in the bisection")
    if counts.planes > 1:
        yield from entry("planes", f"{counts.planes} planes, not connected to each other{_divided(counts)}")
    if counts.pods_planned > 1:
        yield from entry("pods", _pods(counts))
    if page.leaves_per_rail > 1:
        yield from entry("leaf pairs", LEAF_PAIRS)
    yield from entries("shared leaves", _shared_leaves(counts))
    yield from entries("links", _links(counts))


def _shared_leaves(counts: Counts) -> Iterator[str]:
    """Groups on the same leaves, and how many servers of each an SU has."""
    for owner in counts.groups:
        sharing = [line for line in counts.groups if line.leaves_of == owner.group and line is not owner]
        if sharing:
            servers = " and ".join(f"{line.slots_a_unit} of {line.group}" for line in (owner, *sharing))
            names = " and ".join(line.group for line in sharing)
            yield f"{names} on those of {owner.group}: {servers} per SU"


LEAF_PAIRS = (
    "each NIC has one address behind two leaves that have no link to each other (dual-ToR): its server runs FRR and "
    "announces the address over both ports; with a lost link or leaf the NIC has half of its rate"
)


def _planned(counts: Counts, role: str) -> str:
    """Number of planned ones: per pod and plane, or per core group, where there are several."""
    if role == "spine" and counts.spines_planned > counts.spines_a_pod:
        per_pod = " per pod and plane" if counts.spines != counts.spines_a_pod else ""
        return f" ({counts.spines_planned} planned{per_pod})"
    if role == "superspine" and counts.cores_planned > counts.cores_a_group:
        return f" ({counts.cores_planned} planned per core group)"
    return ""


def _pods(counts: Counts) -> str:
    pods = f"{number(counts.pods)} of {plural(counts.pods_planned, 'planned pod')}"
    groups = f"{plural(counts.spines_a_pod, 'core group')} of {plural(counts.cores_a_group, 'superspine')}"
    return f"{pods}, {plural(counts.spines_a_pod, 'spine')} each; {groups} per plane"


def _divided(counts: Counts) -> str:
    """How rails and NICs are divided among the planes, where rails are."""
    if counts.planes == counts.planes_per_nic:
        return _optics(counts.planes)
    per_nic = f", {counts.planes_per_nic} planes per NIC" if counts.planes_per_nic > 1 else ""
    return f"; {plural(counts.rails_per_plane, 'rail')} per plane{per_nic}{_optics(counts.planes_per_nic)}"


def _optics(planes: int) -> str:
    """What is unknown of cages whose parts go to as many switches: a twin-port optic has two connectors."""
    if planes <= TWIN:
        return ""
    return f"; each NIC optic connects to {planes} switches, by half-MPO cables or a shuffle box{UNSURE}"


def _links(counts: Counts) -> Iterator[str]:
    if not counts.spines:
        return
    planned = f" ({counts.uplinks_laid} planned)" if counts.uplinks_laid > counts.uplinks_a_leaf else ""
    pair = f"{counts.links_a_pair} x {counts.uplink_gbps}G per leaf-spine pair"
    yield f"{pair}, {plural(counts.uplinks_a_leaf, 'uplink')} per leaf{planned}"
    if counts.core_links:
        pair = f"{counts.core_links} x {counts.uplink_gbps}G per spine-superspine pair"
        yield f"{pair}, {plural(counts.core_links * counts.cores_a_group, 'uplink')} per spine{_more_uplinks(counts)}"


def _more_uplinks(counts: Counts) -> str:
    """Why a spine has more uplinks than its ratio needs."""
    why = {
        "spine_uplinks": "`spine_uplinks` asks for more",
        "shared": "the fewest above that can be divided equally among superspines",
        "recorded": "more are recorded in the lock, and stay",
    }.get(counts.spine_uplinks_why)
    return f" (its ratio needs {counts.spine_uplinks_least}; {why})" if why else ""


def _servers(counts: Counts) -> Iterator[str]:
    header = ("group", "servers", "GPUs", "SUs", "NICs", "downlinks", "uplinks", "ratio", "1 spine down")
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
    for line in counts.groups:
        if line.planned > line.servers_planned:
            units = plural(line.units_planned, "SU")
            text = f"{line.group}: {number(line.servers_planned)} planned; {units} hold{'s' * (units[:2] == '1 ')} "
            yield from entry("", f"{text}{number(line.planned)}")
        if line.ports_idle:
            carried = f"`uplinks` carries {plural(line.slots_a_unit, 'server')} per SU at the ratio"
            yield from entry("", f"{line.group}: {plural(line.ports_idle, 'port')} of a leaf idle, as {carried}")
    if counts.end_to_end is None or counts.bisection_tbps is None:
        yield from entry("capacity", "none between leaves: there are no spines, and each leaf is a fabric of its own")
        return
    if counts.spine_ratio is not None:
        full = (
            "" if counts.spine_ratio == counts.spine_ratio_full else f", {ratio(counts.spine_ratio_full)} in a full pod"
        )
        spine = f"spine {ratio(counts.spine_ratio)} (downlinks {counts.spine_down}, uplinks {counts.spine_up}){full}"
        yield from entry("tiers", f"leaf {ratio(max(g.ratio or 0 for g in counts.groups))}; {spine}")
    end_to_end, bisection = ratio(counts.end_to_end), f"{counts.bisection_tbps:g}"
    if counts.end_to_end_full is not None and counts.end_to_end_full > counts.end_to_end:
        end_to_end += f" now, {ratio(counts.end_to_end_full)} when all planned pods are full"
    yield from entry(
        "capacity",
        f"oversubscription end to end {end_to_end} (target: {counts.asked}); bisection {bisection} Tb/s per direction",
    )


TWIN = 2
"""Connectors of a twin-port optic (OSFP MSA); with more parts than that, parts share a connector."""
POOL_HEADER = ("pool", "purpose", "per switch", "now", "planned", "gaps", "capacity", "reserved")

REGIONS = {"blocks": "links"}


def _pool(use: PoolUse) -> tuple[str, ...]:
    gaps = round(use.used * use.capacity) - use.reserved
    return (
        use.pool,
        REGIONS.get(use.region, use.region),
        use.block,
        number(use.allocated),
        number(use.reserved),
        number(gaps) if gaps > 0 else "",
        big(use.capacity),
        percent(use.used),
    )


FAMILIES = {"ipv4": "IPv4", "ipv6": "IPv6"}
ROUTES_HEADER = (
    "family",
    "leaf aggregates",
    "loopbacks",
    "tenant NICs",
    "NICs",
    "total now",
    "total planned",
    "chip limit",
)


def _routes(routes: tuple[RouteScale, ...]) -> Iterator[tuple[str, ...]]:
    """One row per family. The NICs of tenants, and so the routes per switch, are those of the fullest leaf."""
    has_aggregates, has_nics = any(scale.aggregates for scale in routes), any(scale.nics for scale in routes)
    has_hosts = any(scale.hosts for scale in routes)
    for scale in routes:
        yield (
            FAMILIES[scale.family],
            number(scale.aggregates) if has_aggregates else "",
            number(scale.loopbacks),
            number(scale.nics) if has_nics else "",
            number(scale.hosts) if has_hosts else "",
            number(scale.aggregates + scale.loopbacks + scale.nics + scale.hosts),
            number(scale.planned),
            _limits(scale.limits),
        )


def _limits(limits: tuple[tuple[str, int | None], ...]) -> str:
    """The limit of each chip; chips without a known limit come last, together."""
    known = [f"{number(limit)} ({chip})" for chip, limit in limits if limit is not None]
    unknown = ", ".join(chip for chip, limit in limits if limit is None)
    return ", ".join((*known, f"unknown ({unknown})") if unknown else known)


def _balancing(line: LoadBalancingLine) -> str:
    own = f" (not rendered on {' and '.join(line.own_gap)}: the platform default applies)"
    gap = f", flowlet gap {line.flowlet_gap_us} us{own if line.own_gap else ''}" if line.flowlet_gap_us else ""
    seeds = ", ".join(f"{tier} {'platform default' if seed is None else seed}" for tier, seed in line.seeds)
    paths = f"{plural(line.paths, 'equal-cost path')}, chip limit {_limits(line.widths)}"
    return f"{line.mode}{gap}; hash seeds: {seeds}; {paths}"


def _power(power: Power) -> str:
    lacking = {"typical": power.unknown_typical, "maximum": power.unknown_maximum}
    gaps = [f"{plural(count, 'switch')} without a {figure} figure" for figure, count in lacking.items() if count]
    if power.unknown_typical == power.unknown_maximum and gaps:
        gaps = [f"{plural(power.unknown_typical, 'switch')} without vendor data"]
    if power.typical or power.maximum:
        excluded = f" (excluding {', and '.join(gaps)})" if gaps else ""
        typical, maximum = (
            _watts(figure, power.unsure_switches) if figure else "unknown" for figure in (power.typical, power.maximum)
        )
        switches = f"{typical} typical, {maximum} maximum{excluded}"
    else:
        switches = f"unknown ({', and '.join(gaps)})"
    in_switches = _watts(power.optics_in_switches, power.unsure_in_switches)
    in_servers = _watts(power.optics_in_servers, power.unsure_in_servers)
    return f"switches {switches}; optics and copper {in_switches} in switches, {in_servers} in servers"


def _watts(figure: float, is_unsure: bool) -> str:
    return watts(figure) + UNSURE * is_unsure


def _tenants(tenants: tuple[TenantLine, ...]) -> Iterator[str]:
    header = ("fabric", "tenant", "VRF id", "L3 VNI", "servers", "reaches", "ext. peers")
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
    yield from table("switches", ("fabric", "role", "model", "count", "typ. each", "max. each", "note"), rows)
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
    yield from table("parts", ("fabric", "part", "location", "count", "power each", "note"), parts)
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
        f"to grow: {bind.then}"
        for bind in page.binds
        if bind.share >= NEAR
    ]
    yield from entries("limits", texts)
