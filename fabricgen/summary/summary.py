"""A plan to the page of a design review."""

from fabricgen.intent.defaults import NEWEST
from fabricgen.intent.scalars import spans_text
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.growth import growth
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.materials import Materials, materials, power
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import PlannedTenant, claim_text
from fabricgen.platforms import supports
from fabricgen.policy.load_balancing import FLOWLET_GAP_US, FLOWLETS
from fabricgen.resolve.needs import roles
from fabricgen.resolve.qos import HASH_SEEDS
from fabricgen.resolve.security import deviations
from fabricgen.resolve.variants import balancing_of
from fabricgen.summary.counts import counts
from fabricgen.summary.limits import binds
from fabricgen.summary.lossless import lossless_line
from fabricgen.summary.mac_limits import mac_limits
from fabricgen.summary.page import (
    FabricPage,
    LoadBalancingLine,
    NetworkLine,
    Page,
    SecurityLine,
    SecurityLines,
    TenantLine,
)
from fabricgen.summary.pools import oob_use, pool_uses, route_scales


def summarize(plan: Plan) -> Page:
    """Return the page of a plan. Every cable is visited once; no Device is kept."""
    bill = materials(plan)
    fabrics = tuple(_fabric(plan, fabric, bill) for fabric in plan.fabrics.values())
    oob = oob_use(plan)
    return Page(
        site=plan.intent.site,
        defaults=plan.lock.defaults,
        defaults_newest=NEWEST,
        fabrics=fabrics,
        security=_security(plan),
        oob=oob,
        tenants=tuple(_tenant(fabric, tenant) for fabric, tenants in plan.tenants.items() for tenant in tenants),
        materials=bill,
        overrides=len(plan.intent.overrides),
        waivers=len(plan.intent.waivers),
        binds=tuple(sorted(binds(fabrics, oob), key=lambda bind: (-bind.share, bind.fabric, bind.what))),
    )


def _security(plan: Plan) -> SecurityLines:
    lines = (
        SecurityLine(found.code, found.finding.what, len(found.switches), found.switches[0])
        for found in deviations(plan)
    )
    return SecurityLines(plan.intent.security or "", tuple(lines))


def _fabric(plan: Plan, fabric: FabricPlan, bill: Materials) -> FabricPage:
    return FabricPage(
        name=fabric.name,
        kind=fabric.fabric.kind,
        design=fabric.shape.design,
        leaves_per_rail=2 if has_leaf_pairs(fabric) else 1,
        counts=counts(plan, fabric),
        pools=pool_uses(fabric),
        routes=route_scales(fabric, plan.tenants.get(fabric.name, ())),
        lossless=lossless_line(plan, fabric),
        mac_limits=mac_limits(fabric),
        load_balancing=_load_balancing(fabric),
        power=power(bill, fabric.name),
        growth=growth(plan, fabric.name),
    )


def _load_balancing(fabric: FabricPlan) -> LoadBalancingLine:
    shape, mode = fabric.shape, balancing_of(fabric)
    asics = {chassis.asic.name: chassis.asic for _, chassis in shape.chassis}
    systems = {chassis.system.partition("-")[0] for _, chassis in shape.chassis}
    fixed = {role.name for role in roles(fabric) if not supports(role.system.partition("-")[0], "hash-seed")}
    tiers = ("leaf", "spine", "superspine")[: shape.tiers]
    return LoadBalancingLine(
        mode=mode,
        flowlet_gap_us=FLOWLET_GAP_US if mode in FLOWLETS else 0,
        own_gap=tuple(sorted({name for name in systems if not supports(name, "flowlet-gap")})),
        paths=max(shape.spines * shape.links, shape.cores * shape.core_links, 1),
        widths=tuple((name, asic.ecmp_width) for name, asic in sorted(asics.items())),
        chips=tuple((name, asic.load_balancing) for name, asic in sorted(asics.items())),
        seeds=tuple((tier, None if tier in fixed else HASH_SEEDS[Tier(tier)]) for tier in tiers),
    )


def _tenant(fabric: str, tenant: PlannedTenant) -> TenantLine:
    return TenantLine(
        fabric=fabric,
        name=tenant.name,
        vrf_id=tenant.id,
        vni=tenant.vni,
        servers=tuple(f"{group}[{spans_text(spans)}]" for group, spans in sorted(tenant.servers.items())),
        networks=tuple(
            NetworkLine(network.name, network.vlan_id, network.vni, tuple(str(subnet) for subnet in network.subnets))
            for network in tenant.networks
        ),
        reaches=tenant.reaches,
        external=tuple(sorted(f"{e.peer} AS{e.asn} border {e.border} VLAN {e.vlan}" for e in tenant.external)),
        nics=tuple(claim_text(claim) for claim in tenant.nics),
    )
