"""MAC address limits of a frontend's server ports, and the leaves that have no such limit."""

from fabricgen.intent.fabric import Frontend
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, present_places
from fabricgen.plan.place import Tier
from fabricgen.resolve.macs import mac_limit
from fabricgen.resolve.servers import lacks_mac_limit
from fabricgen.summary.page import MacLimitLine

UNASKED = "`server_ports.mac_limit` is none"


def mac_limits(fabric: FabricPlan) -> tuple[MacLimitLine, ...]:
    """One line per operating system and limit, including overrides of leaves; none for a backend."""
    leaves: dict[tuple[str, int, str], list[str]] = {}
    for place in present_places(fabric):
        if place.tier is Tier.LEAF and isinstance(fabric.fabric, Frontend):
            name = name_of(fabric, place)
            overrides = fabric.exceptions.settings.get(name)
            settings = overrides.fabric if overrides is not None else fabric.fabric
            system = chassis_of(fabric, place).system
            leaves.setdefault((system.partition("-")[0], *_limit(settings, system)), []).append(name)
    return tuple(MacLimitLine(*key, len(names), names[0]) for key, names in leaves.items())


def _limit(settings: object, system: str) -> tuple[int, str]:
    """Addresses per port, and why there is no limit; 0: every address is learned."""
    if not isinstance(settings, Frontend):
        return 0, UNASKED
    limit, has_bonds = mac_limit(settings.server_ports), settings.server_ports.multihoming == "evpn-esi"
    if not limit:
        return 0, UNASKED
    reason = lacks_mac_limit(system, bonds=has_bonds)
    return (0, reason) if reason else (limit, "")
