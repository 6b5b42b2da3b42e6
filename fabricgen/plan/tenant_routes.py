"""How many routes tenants of a shared backend bring to a leaf: one a NIC of every tenant that the leaf carries."""

from collections.abc import Iterable

from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import PlannedTenant, owners, tenants_in
from fabricgen.plan.wiring import unit_slots


def nic_routes(fabric: FabricPlan, tenant: PlannedTenant) -> int:
    """Routes of a tenant's VRF in one plane, reserved slots too: at most one a NIC port."""
    count = 0
    for group in fabric.shape.groups:
        rails = [port.rail for port in group.nics.ports]
        count += len(rails) * sum(span.size for span in tenant.servers.get(group.name, ()))
        for claim in tenant.nics:
            if claim.group == group.name:
                here = sum(claim.rails.first <= rail <= claim.rails.last for rail in rails)
                count += claim.slots.size * here
    return count


def fullest_leaf(fabric: FabricPlan, tenants: Iterable[PlannedTenant]) -> int:
    """Routes to NICs on the leaf that has the most: of all tenants with a NIC in its unit. At most, by unit."""
    every = tuple(tenants)
    routes = {tenant.name: nic_routes(fabric, tenant) for tenant in every}
    most = 0
    for group in fabric.shape.groups:
        owned = owners(every, group.name)
        for span in group.present:
            for unit in range(span.first, span.last + 1):
                pod, su = divmod(unit, group.units_a_pod)
                slots = unit_slots(group, Place(fabric.name, Tier.LEAF, group.name, 0, pod, su, 0, 0))
                most = max(most, sum(routes[name] for name in tenants_in(owned, slots)))
    return most


def underlay_routes(fabric: FabricPlan, family: str) -> int:
    """Loopbacks of one plane as planned: a router id a switch, in IPv4 a VTEP a leaf too."""
    found = 0
    for (tier, _), segments in fabric.segments.items():
        each = 2 if family == "ipv4" and tier in (Tier.LEAF, Tier.BORDER) else 1
        found += each * sum(segment.box.size() // segment.box.plane.size for segment in segments)
    return found
