"""MAC address limits of server ports, compared with the addresses that the intent expects on a server."""

from collections.abc import Iterator

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Frontend, ServerPorts
from fabricgen.plan.exceptions import PortKey, PortSettings
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, place_of, places
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.servers import lacks_mac_limit
from fabricgen.resolve.variants import Variant, variants

OWN = 1
"""Addresses of a server without guests: that of its bond, or of the one port that it uses."""
LIMIT, GUESTS = ("server_ports", "mac_limit"), ("server_ports", "guests_per_server")


def mac_limits_low(plan: Plan) -> Iterator[Problem]:
    """A numeric limit of MAC addresses is at least a server's own address plus those of its guests.

    Addresses above the limit are not learned, and their packets are dropped. The fabric's block and overrides of
    switches and ports are checked. A warning: the guests may come at another time. Source: `mac_limit` and
    `guests_per_server` of the intent.
    """
    for fabric in plan.fabrics.values():
        if isinstance(fabric.fabric, Frontend):
            yield from _of_fabric(fabric, fabric.fabric.server_ports)


def _of_fabric(fabric: FabricPlan, block: ServerPorts) -> Iterator[Problem]:
    others = [variant for variant in variants(fabric) if _differs(variant, block)]
    apart = {name for variant in others for name in variant.devices}
    if not apart or any(name_of(fabric, place) not in apart for place in places(fabric) if place.tier is Tier.LEAF):
        yield from _low(block, f"server ports of {fabric.name}", ("fabrics", fabric.name, *LIMIT))
    for variant in others:
        overridden = variant.settings.fabric
        if isinstance(overridden, Frontend):
            more = f" and {len(variant.devices) - 1} more" if len(variant.devices) > 1 else ""
            yield from _low(
                overridden.server_ports, f"server ports of {variant.devices[0]}{more}", _of_variant(variant)
            )
    for settings in fabric.exceptions.port_settings.items():
        yield from _of_port(*settings)


def _differs(variant: Variant, block: ServerPorts) -> bool:
    """Return whether the variant changes the server ports of leaves."""
    overridden = variant.settings.fabric
    return Tier.LEAF in variant.tiers and isinstance(overridden, Frontend) and overridden.server_ports != block


def _low(ports: ServerPorts, who: str, where: IntentPath) -> Iterator[Problem]:
    needed = OWN + ports.guests_per_server
    if isinstance(ports.mac_limit, int) and ports.mac_limit < needed:
        yield Problem(
            code="mac-limit-low",
            what=f"{who} accept {ports.mac_limit} MAC address{'es' * (ports.mac_limit != 1)}, and a server has "
            f"{needed}",
            where=where,
            why=f"{OWN} of its own and {ports.guests_per_server} of guests_per_server make {needed}; "
            f"{needed - ports.mac_limit} of them are not learned, and their packets are dropped",
            fix=f"write mac_limit: auto, or mac_limit: {needed} or more",
        )


def _of_variant(variant: Variant) -> IntentPath:
    """Return the path of the key that the override sets: the limit, else the number of guests."""
    return variant.placed(LIMIT if variant.changes(LIMIT) else GUESTS)


def _of_port(key: PortKey, settings: PortSettings) -> Iterator[Problem]:
    sources = dict(settings.sources)
    for path in (LIMIT, GUESTS):
        selector = sources.get(".".join(path))
        if settings.server_ports is not None and selector is not None:
            yield from _low(settings.server_ports, f"{key.device} {key.port}", ("overrides", selector, *path))
            return


def mac_limits_of_ports(plan: Plan) -> Iterator[Problem]:
    """An override limits MAC addresses of a port only where the switch's system supports it.

    Limits of a fabric or a switch are checked like other features. Source: `mac-limit` of the capability tables.
    """
    for fabric in plan.fabrics.values():
        for key, settings in fabric.exceptions.port_settings.items():
            selector = dict(settings.sources).get(".".join(LIMIT))
            ports, place = settings.server_ports, place_of(fabric, key.device)
            if selector is None or ports is None or place is None or not isinstance(ports.mac_limit, int):
                continue
            release = fabric.exceptions.systems.get(key.device) or chassis_of(fabric, place).system
            system = release.partition("-")[0]
            why = lacks_mac_limit(system, bonds=ports.multihoming == "evpn-esi")
            if why:
                yield Problem(
                    code="platform-cannot",
                    what=f"{PLATFORMS[system].title} cannot limit the MAC addresses of {key.device} {key.port}",
                    where=("overrides", selector, *LIMIT),
                    why=why,
                    fix="write mac_limit: none",
                )
