"""State of one cable between two switches: what the intent says of either of its ends."""

from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, Uplink, name_of, port_text

ACTIVE, DRAINED, ABSENT = "active", "drained", "absent"


def link_state(plan: FabricPlan, link: Uplink) -> str:
    """active, drained (sessions stand, routes over it come last) or absent (no cable: both ends shut down)."""
    states = plan.exceptions.ports
    if not states:
        return ACTIVE
    ends = ((link.lower, link.lower_port), (link.upper, link.upper_port))
    found = {states.get(PortKey(name_of(plan, place), port_text(plan, place, port))) for place, port in ends}
    if ABSENT in found:
        return ABSENT
    return DRAINED if DRAINED in found else ACTIVE
