"""How much of each address pool, AS number range and route table a plan uses."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network, IPv6Network

from fabricgen.intent.fabric import Backend, overlay_of
from fabricgen.plan.fabric import FabricPlan, asn_of, present_places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan, pools_of
from fabricgen.plan.segments import ASN_AXES, OOB_RESERVED, Blocks, Pool, Segment
from fabricgen.plan.tenant_routes import fullest_leaf
from fabricgen.plan.tenants import PlannedTenant
from fabricgen.summary.page import PoolUse, RouteScale
from fabricgen.topologies.shape import Chassis


def segments_of(fabric: FabricPlan) -> tuple[Segment, ...]:
    """All runs of a fabric, also those of server groups that the intent has dropped since."""
    return tuple(segment for found in fabric.segments.values() for segment in found)


def pool_uses(fabric: FabricPlan) -> tuple[PoolUse, ...]:
    """Address pools of both families and the AS numbers of one fabric."""
    addressing, pools = fabric.fabric.addressing, pools_of(fabric.fabric)
    segments, standing = segments_of(fabric), tuple(present_places(fabric))
    found = [*_family(addressing.ipv4, pools.ipv4, segments, standing)]
    if addressing.ipv6 is not None and pools.ipv6 is not None:
        found += _family(addressing.ipv6, pools.ipv6, segments, standing)
    return (*found, _asns(fabric, segments, standing))


def _family(
    prefix: IPv4Network | IPv6Network, pool: Pool, segments: tuple[Segment, ...], standing: tuple[Place, ...]
) -> Iterator[PoolUse]:
    four = pool.bits == 32
    blocks = [(segment, segment.ipv4 if four else segment.ipv6) for segment in segments]
    loopbacks = [(segment, segment.loopback4 if four else segment.loopback6) for segment in segments]
    yield from _region(f"{prefix}", "blocks", (pool.start, pool.boundary), blocks, standing)
    yield from _region(f"{prefix}", "loopbacks", (pool.boundary, pool.end), loopbacks, standing)


def _region(
    prefix: str,
    region: str,
    bounds: tuple[int, int],
    runs: Iterable[tuple[Segment, Blocks | None]],
    standing: tuple[Place, ...],
) -> Iterator[PoolUse]:
    owned = [(segment, run) for segment, run in runs if run is not None]
    if not owned:
        return
    first, end = bounds
    keys = {(segment.tier, segment.group) for segment, _ in owned}
    lengths = sorted({run.length for _, run in owned})
    last = max(run.block(segment.box.size()) for segment, run in owned)
    largest = max(run.stride for _, run in owned)
    yield PoolUse(
        pool=prefix,
        region=region,
        block=" ".join(f"/{length}" for length in lengths),
        allocated=sum((place.tier, place.group) in keys for place in standing),
        reserved=sum(segment.box.size() for segment, _ in owned),
        capacity=(end - first) // largest,
        used=(last - first) / (end - first),
    )


def _asns(fabric: FabricPlan, segments: tuple[Segment, ...], standing: tuple[Place, ...]) -> PoolUse:
    asns = fabric.fabric.asns
    capacity = asns.last - asns.first + 1
    numbers = {number for s in segments for number in range(s.asn, s.asn + s.box.size(ASN_AXES[s.tier]))}
    return PoolUse(
        pool=f"{asns.first}-{asns.last}",
        region="AS numbers",
        block="",
        allocated=len({asn_of(fabric, place) for place in standing}),
        reserved=len(numbers),
        capacity=capacity,
        used=(max(numbers, default=asns.first - 1) - asns.first + 1) / capacity,
    )


def oob_use(plan: Plan) -> PoolUse:
    """Use of the management prefix: one address a switch; the reserved ones and the broadcast address are no room."""
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
    """Routes by family: one aggregate a leaf of a backend, and every loopback; on one that tenants share their NICs."""
    hosts = fullest_leaf(fabric, tenants) if _is_shared(fabric) else 0
    nics = {fabric.fabric.addressing.hosts: hosts}
    standing, segments = tuple(present_places(fabric)), segments_of(fabric)
    asics = {chassis.asic.name: chassis.asic for chassis in _chassis(fabric)}
    found = [
        RouteScale(
            family="ipv4",
            aggregates=_aggregates(fabric, "ipv4", standing),
            loopbacks=sum(_loopbacks(fabric, place.tier) for place in standing),
            planned=sum(s.box.size() * (_loopbacks(fabric, s.tier) + _aggregate(fabric, "ipv4", s)) for s in segments)
            + nics.get("ipv4", 0),
            limits=tuple((name, asic.routes_ipv4) for name, asic in sorted(asics.items())),
            nics=nics.get("ipv4", 0),
        )
    ]
    if any(segment.loopback6 for segment in segments):
        found.append(
            RouteScale(
                family="ipv6",
                aggregates=_aggregates(fabric, "ipv6", standing),
                loopbacks=len(standing),
                planned=sum(s.box.size() * (1 + _aggregate(fabric, "ipv6", s)) for s in segments) + nics.get("ipv6", 0),
                limits=tuple((name, asic.routes_ipv6) for name, asic in sorted(asics.items())),
                nics=nics.get("ipv6", 0),
            )
        )
    return tuple(found)


def _chassis(fabric: FabricPlan) -> list[Chassis]:
    shape = fabric.shape
    found = [group.leaf for group in shape.groups]
    return [*found, *(chassis for chassis in (shape.border, shape.spine, shape.core) if chassis is not None)]


def _loopbacks(fabric: FabricPlan, tier: Tier) -> int:
    """IPv4 loopbacks of a switch: the router id, and the VTEP of a leaf with tenants."""
    return 2 if overlay_of(fabric.fabric) is not None and tier in (Tier.LEAF, Tier.BORDER) else 1


def _is_shared(fabric: FabricPlan) -> bool:
    return isinstance(fabric.fabric, Backend) and fabric.fabric.tenancy is not None


def _aggregates(fabric: FabricPlan, family: str, standing: tuple[Place, ...]) -> int:
    if not isinstance(fabric.fabric, Backend) or fabric.fabric.addressing.hosts != family or _is_shared(fabric):
        return 0
    return sum(place.tier is Tier.LEAF for place in standing)


def _aggregate(fabric: FabricPlan, family: str, segment: Segment) -> int:
    backend = isinstance(fabric.fabric, Backend) and fabric.fabric.addressing.hosts == family
    return int(backend and not _is_shared(fabric) and segment.tier is Tier.LEAF)
