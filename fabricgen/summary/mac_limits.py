"""MAC addresses that leaves of a frontend learn of a server port, and the leaves that have no such limit."""

from fabricgen.intent.fabric import Frontend
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, present_places
from fabricgen.plan.place import Tier
from fabricgen.resolve.macs import mac_limit
from fabricgen.resolve.servers import lacks_mac_limit
from fabricgen.summary.page import MacLimitLine

UNASKED = "server_ports.mac_limit is none"


def mac_limits(fabric: FabricPlan) -> tuple[MacLimitLine, ...]:
    """One line for each system and limit, what override gives a leaf included; none of a backend."""
    found: dict[tuple[str, int, str], list[str]] = {}
    for place in present_places(fabric):
        if place.tier is Tier.LEAF and isinstance(fabric.fabric, Frontend):
            name = name_of(fabric, place)
            own = fabric.exceptions.settings.get(name)
            settings = own.fabric if own is not None else fabric.fabric
            system = chassis_of(fabric, place).system.partition("-")[0]
            found.setdefault((system, *_limit(settings, system)), []).append(name)
    return tuple(MacLimitLine(*key, len(names), names[0]) for key, names in found.items())


def _limit(settings: object, system: str) -> tuple[int, str]:
    """Addresses a port, and why there is no limit: 0 where every address is learned."""
    if not isinstance(settings, Frontend):
        return 0, UNASKED
    asked, bonds = mac_limit(settings.server_ports), settings.server_ports.multihoming == "evpn-esi"
    if not asked:
        return 0, UNASKED
    why = lacks_mac_limit(system, bonds=bonds)
    return (0, why) if why else (asked, "")
