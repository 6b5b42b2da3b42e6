"""Number of routes that tenants of a shared backend bring to a leaf: one per NIC of each tenant on the leaf."""

from collections.abc import Iterable

from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import PlannedTenant, owners, tenants_in
from fabricgen.plan.wiring import unit_slots


def nic_routes(fabric: FabricPlan, tenant: PlannedTenant) -> int:
    """Routes of a tenant's VRF in one plane, with reserved slots: at most one per NIC port."""
    count = 0
    for group in fabric.shape.groups:
        rails = [port.rail for port in group.nics.ports]
        count += len(rails) * sum(span.size for span in tenant.servers.get(group.name, ()))
        for claim in tenant.nics:
            if claim.group == group.name:
                claimed_rails = sum(claim.rails.first <= rail <= claim.rails.last for rail in rails)
                count += claim.slots.size * claimed_rails
    return count


def fullest_leaf(fabric: FabricPlan, tenants: Iterable[PlannedTenant]) -> int:
    """Routes to NICs on the fullest leaf: those of all tenants with a NIC in its unit.

    An upper limit, computed by unit.
    """
    all_tenants = tuple(tenants)
    routes = {tenant.name: nic_routes(fabric, tenant) for tenant in all_tenants}
    highest = 0
    for group in fabric.shape.groups:
        owned = owners(all_tenants, group.name)
        for span in group.present:
            for unit in range(span.first, span.last + 1):
                pod, su = divmod(unit, group.units_a_pod)
                slots = unit_slots(group, Place(fabric.name, Tier.LEAF, group.name, 0, pod, su, 0, 0))
                highest = max(highest, sum(routes[name] for name in tenants_in(owned, slots)))
    return highest


def underlay_routes(fabric: FabricPlan, family: str) -> int:
    """Loopbacks of one plane as planned: a router id per switch, and in IPv4 a VTEP per leaf."""
    routes = 0
    for (tier, _), segments in fabric.segments.items():
        loopbacks = 2 if family == "ipv4" and tier in (Tier.LEAF, Tier.BORDER) else 1
        routes += loopbacks * sum(segment.box.size() // segment.box.plane.size for segment in segments)
    return routes
