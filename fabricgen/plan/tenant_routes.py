"""Number of routes that tenants of a shared backend bring to a leaf: one per NIC of each tenant on the leaf."""

from collections import Counter
from collections.abc import Iterable

from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import PlannedTenant, owners, tenants_in
from fabricgen.plan.wiring import unit_slots


def nic_routes(fabric: FabricPlan, tenant: PlannedTenant) -> int:
    """Routes of a tenant's VRF in its fullest plane, with reserved slots: at most one per NIC port."""
    counts: Counter[int] = Counter()
    for group in fabric.shape.groups:
        servers = sum(span.size for span in tenant.servers.get(group.name, ()))
        for port, column in zip(group.nics.ports, group.columns, strict=True):
            claims = (claim for claim in tenant.nics if claim.group == group.name)
            single = sum(claim.slots.size for claim in claims if claim.rails.first <= port.rail <= claim.rails.last)
            counts[column.plane] += servers + single
    return max(counts.values(), default=0)


def fullest_leaf(fabric: FabricPlan, tenants: Iterable[PlannedTenant]) -> int:
    """Routes to NICs on the fullest leaf: those of all tenants with a NIC in its unit.

    An upper limit, computed by unit.
    """
    all_tenants = tuple(tenants)
    routes = {tenant.name: nic_routes(fabric, tenant) for tenant in all_tenants}
    highest = 0
    for leaves in fabric.shape.leaf_groups:
        sharing = [(group, owners(all_tenants, group.name)) for group in fabric.shape.sharing(leaves.name)]
        for span in leaves.present:
            for unit in range(span.first, span.last + 1):
                leaf = Place(fabric.name, Tier.LEAF, leaves.name, 0, *divmod(unit, leaves.units_a_pod), 0, 0)
                names = {name for group, owned in sharing for name in tenants_in(owned, unit_slots(group, leaf))}
                highest = max(highest, sum(routes[name] for name in names))
    return highest


def underlay_routes(fabric: FabricPlan, family: str) -> int:
    """Loopbacks of one plane as planned: a router id per switch, and in IPv4 a VTEP per leaf."""
    routes = 0
    for (tier, _), segments in fabric.segments.items():
        loopbacks = 2 if family == "ipv4" and tier in (Tier.LEAF, Tier.BORDER) else 1
        routes += loopbacks * sum(segment.box.size() // segment.box.plane.size for segment in segments)
    return routes
