"""Name of a cable in the plan: rail and plane of a server's port, number of an uplink."""

from collections.abc import Iterator
from functools import lru_cache

from fabricgen.intent.fabric import Backend
from fabricgen.plan.fabric import FabricPlan, group_of, place_of, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import downlinks, host_ports, uplinks
from fabricgen.verify.expect.ports import About


def about_of(plan: Plan) -> About:
    """(switch, port) → name of the cable; empty for a port without a planned cable. Only the last switch is cached."""

    @lru_cache(maxsize=1)
    def words(device: str) -> dict[str, str]:
        for fabric in plan.fabrics.values():
            place = place_of(fabric, device)
            if place is not None:
                return dict(_words(fabric, place))
        return {}

    return lambda device, port: words(device).get(port, "")


def _words(fabric: FabricPlan, place: Place) -> Iterator[tuple[str, str]]:
    plane = f" plane {place.plane}" if isinstance(fabric.fabric, Backend) else ""
    if place.tier is Tier.LEAF:
        for host in host_ports(fabric, place):
            rail = f"rail {group_of(fabric, host.group).nics.ports[host.nic].rail}" if plane else "server port"
            yield port_text(fabric, place, host.port), rail + plane
    for link in uplinks(fabric, place):
        yield port_text(fabric, place, link.lower_port), f"uplink {link.number}{plane}"
    if place.tier in (Tier.SPINE, Tier.SUPERSPINE):
        for link in downlinks(fabric, place):
            yield port_text(fabric, place, link.upper_port), f"from uplink {link.number}{plane}"
