"""Use of address pools, AS number ranges and route tables by a plan."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network, IPv6Network

from fabricgen.base.grouping import grouped
from fabricgen.checks.capacity.host_routes import planned_nics
from fabricgen.intent.fabric import Backend, overlay_of, router_ids_of
from fabricgen.plan.fabric import FabricPlan, asn_of, present_places
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan, pools_of
from fabricgen.plan.segments import ASN_AXES, OOB_RESERVED, Blocks, Pool, Segment
from fabricgen.plan.tenant_routes import fullest_leaf
from fabricgen.plan.tenants import PlannedTenant
from fabricgen.summary.counts import present_servers
from fabricgen.summary.page import PoolUse, RouteScale


def segments_of(fabric: FabricPlan) -> tuple[Segment, ...]:
    """All segments of a fabric, including those of server groups that the intent no longer has."""
    return tuple(segment for run in fabric.segments.values() for segment in run)


def pool_uses(fabric: FabricPlan) -> tuple[PoolUse, ...]:
    """Use of the address pools of both families and of the AS numbers of one fabric."""
    addressing, pools = fabric.fabric.addressing, pools_of(fabric.fabric)
    segments, places = segments_of(fabric), tuple(present_places(fabric))
    uses: list[PoolUse] = []
    for prefix, pool in ((addressing.ipv4, pools.ipv4), (addressing.ipv6, pools.ipv6)):
        if prefix is not None and pool is not None:
            uses += _family(prefix, pool, segments, places)
    if pools.router_ids is not None:
        bounds = (pools.router_ids.start, pools.router_ids.end)
        runs = [(s, s.router_ids) for s in segments if s.router_ids is not None]
        inside = [(s, run) for s, run in runs if bounds[0] <= run.start < bounds[1]]
        uses += _region(str(router_ids_of(addressing)), "router ids", bounds, inside, places)
    return (*uses, _asns(fabric, segments, places))


def _family(
    prefix: IPv4Network | IPv6Network, pool: Pool, segments: tuple[Segment, ...], places: tuple[Place, ...]
) -> Iterator[PoolUse]:
    is_ipv4 = pool.bits == 32
    blocks = [(segment, segment.ipv4 if is_ipv4 else segment.ipv6) for segment in segments]
    loopbacks = [(segment, segment.loopback4 if is_ipv4 else segment.loopback6) for segment in segments]
    yield from _region(f"{prefix}", "blocks", (pool.start, pool.boundary), blocks, places)
    yield from _region(f"{prefix}", "loopbacks", (pool.boundary, pool.end), loopbacks, places)


def _region(
    prefix: str,
    region: str,
    bounds: tuple[int, int],
    runs: Iterable[tuple[Segment, Blocks | None]],
    places: tuple[Place, ...],
) -> Iterator[PoolUse]:
    used_runs = [(segment, run) for segment, run in runs if run is not None]
    if not used_runs:
        return
    first, end = bounds
    keys = {(segment.tier, segment.group) for segment, _ in used_runs}
    lengths = sorted({run.length for _, run in used_runs})
    last = max(run.block(segment.box.size()) for segment, run in used_runs)
    largest = max(run.stride for _, run in used_runs)
    yield PoolUse(
        pool=prefix,
        region=region,
        block=" ".join(f"/{length}" for length in lengths),
        allocated=sum((place.tier, place.group) in keys for place in places),
        reserved=sum(segment.box.size() for segment, _ in used_runs),
        capacity=(end - first) // largest,
        used=(last - first) / (end - first),
    )


def _asns(fabric: FabricPlan, segments: tuple[Segment, ...], places: tuple[Place, ...]) -> PoolUse:
    asns = fabric.fabric.asns
    capacity = asns.last - asns.first + 1
    numbers = {number for s in segments for number in range(s.asn, s.asn + s.box.size(ASN_AXES[s.tier]))}
    return PoolUse(
        pool=f"{asns.first}-{asns.last}",
        region="AS numbers",
        block="",
        allocated=len({asn_of(fabric, place) for place in places}),
        reserved=len(numbers),
        capacity=capacity,
        used=(max(numbers, default=asns.first - 1) - asns.first + 1) / capacity,
    )


def oob_use(plan: Plan) -> PoolUse:
    """Use of the management prefix: one address per switch.

    The reserved addresses and the broadcast address do not count.
    """
    prefix = plan.intent.management.oob
    segments = plan.lock.segments
    first = int(prefix.network_address) + OOB_RESERVED
    capacity = prefix.num_addresses - OOB_RESERVED - 1
    last = max((segment.oob + segment.box.size() for segment in segments), default=first)
    return PoolUse(
        pool=str(prefix),
        region="management",
        block="/32",
        allocated=sum(1 for fabric in plan.fabrics.values() for _ in present_places(fabric)),
        reserved=sum(segment.box.size() for segment in segments),
        capacity=capacity,
        used=(last - first) / capacity,
    )


def route_scales(fabric: FabricPlan, tenants: tuple[PlannedTenant, ...] = ()) -> tuple[RouteScale, ...]:
    """Routes of a switch by family: loopbacks and one aggregate per leaf of its plane, and tenants' NICs if shared.

    Where NICs have two leaves there is a route to each of them instead of aggregates. Where leaves have no spines, each
    has its own alone.
    """
    now, planned = paired_nics(fabric)
    hosts = {fabric.fabric.addressing.hosts: now}
    hosts_planned = {fabric.fabric.addressing.hosts: planned}
    nic_routes = fullest_leaf(fabric, tenants) if _is_shared(fabric) else 0
    nics = {fabric.fabric.addressing.hosts: nic_routes}
    by_plane = grouped((place.plane, place) for place in present_places(fabric))
    places, segments = max(by_plane.values(), key=len, default=[]), segments_of(fabric)
    is_alone = fabric.shape.spine is None
    if is_alone:
        places, segments = places[:1], segments[:1]
    asics = {chassis.asic.name: chassis.asic for _, chassis in fabric.shape.chassis}
    scales: list[RouteScale] = []
    if fabric.fabric.addressing.ipv4 is not None:
        scales.append(
            RouteScale(
                family="ipv4",
                aggregates=_aggregates(fabric, "ipv4", places),
                loopbacks=sum(_loopbacks(fabric, place.tier) for place in places),
                planned=sum(
                    (1 if is_alone else _a_plane(s)) * (_loopbacks(fabric, s.tier) + _aggregate(fabric, "ipv4", s))
                    for s in segments
                )
                + nics.get("ipv4", 0)
                + hosts_planned.get("ipv4", 0),
                limits=tuple((name, asic.routes_ipv4) for name, asic in sorted(asics.items())),
                nics=nics.get("ipv4", 0),
                hosts=hosts.get("ipv4", 0),
            )
        )
    if any(segment.loopback6 for segment in segments):
        scales.append(
            RouteScale(
                family="ipv6",
                aggregates=_aggregates(fabric, "ipv6", places),
                loopbacks=len(places),
                planned=sum((1 if is_alone else _a_plane(s)) * (1 + _aggregate(fabric, "ipv6", s)) for s in segments)
                + nics.get("ipv6", 0)
                + hosts_planned.get("ipv6", 0),
                limits=tuple((name, asic.routes_ipv6) for name, asic in sorted(asics.items())),
                nics=nics.get("ipv6", 0),
                hosts=hosts.get("ipv6", 0),
            )
        )
    return tuple(scales)


def paired_nics(fabric: FabricPlan) -> tuple[int, int]:
    """NICs of a plane that have a route of their own, now and planned; 0 where each has one leaf."""
    if not has_leaf_pairs(fabric):
        return 0, 0
    groups = fabric.shape.groups
    now = sum(present_servers(fabric, group) * len({port.rail for port in group.nics.ports}) for group in groups)
    return now, planned_nics(fabric)


def _a_plane(segment: Segment) -> int:
    """Switches of a segment in each of its planes."""
    return segment.box.size() // segment.box.plane.size


def _loopbacks(fabric: FabricPlan, tier: Tier) -> int:
    """IPv4 loopbacks of a switch: the router id, and the VTEP of a leaf with tenants."""
    return 2 if overlay_of(fabric.fabric) is not None and tier in (Tier.LEAF, Tier.BORDER) else 1


def _is_shared(fabric: FabricPlan) -> bool:
    return isinstance(fabric.fabric, Backend) and fabric.fabric.tenancy is not None


def _aggregates(fabric: FabricPlan, family: str, places: list[Place]) -> int:
    if not isinstance(fabric.fabric, Backend) or fabric.fabric.addressing.hosts != family or _is_shared(fabric):
        return 0
    if has_leaf_pairs(fabric):
        return 0
    return sum(place.tier is Tier.LEAF for place in places)


def _aggregate(fabric: FabricPlan, family: str, segment: Segment) -> int:
    has_aggregates = isinstance(fabric.fabric, Backend) and fabric.fabric.addressing.hosts == family
    is_single = not _is_shared(fabric) and not has_leaf_pairs(fabric)
    return int(has_aggregates and is_single and segment.tier is Tier.LEAF)
