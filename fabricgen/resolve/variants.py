"""Settings that overrides give to some switches of a fabric, as a fabric of their own, for checks of settings."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Fabric, Frontend
from fabricgen.plan.exceptions import DeviceSettings
from fabricgen.plan.fabric import FabricPlan, name_of, place_of, present_places
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import PER_PACKET

OS = "os"
"""Key of an override that gives an operating system."""
OS_KEYS = {Tier.LEAF: "leaf", Tier.BORDER: "border", Tier.SPINE: "spine", Tier.SUPERSPINE: "superspine"}


class Variant(NamedTuple):
    """One set of settings, and its switches: names, and their tiers, each in the order of the names."""

    fabric: str
    settings: DeviceSettings
    devices: tuple[str, ...]
    tiers: tuple[Tier, ...]

    def placed(self, where: IntentPath) -> IntentPath:
        """Return where the intent sets the value at a path of the fabric's block for this variant: in an override.

        If no override changes that value, the path of its operating system, else of any changed key.
        """
        path = where[2:] if where[:2] == ("fabrics", self.fabric) else where
        key = ".".join(str(part) for part in path)
        sources = self.settings.sources
        matching = next((source for source in sources if source == key or key.startswith(f"{source}.")), "")
        matching = (
            matching
            or next((source for source in sources if source.startswith(f"{key}.")), "")
            or (OS if OS in sources else next(iter(sources)))
        )
        return ("overrides", sources[matching], *matching.split("."))

    def changes(self, where: IntentPath) -> bool:
        """Return whether an override sets the value at a path of the fabric's block, or a part of it."""
        return sets(self.settings, self.fabric, where)


def sets(settings: DeviceSettings, fabric: str, where: IntentPath) -> bool:
    """Return whether an override of these settings sets the value at a path of the fabric's block, or a part of it."""
    path = where[2:] if where[:2] == ("fabrics", fabric) else where
    key = ".".join(str(part) for part in path)
    return any(f"{key}.".startswith(f"{source}.") or source.startswith(f"{key}.") for source in settings.sources)


def variants(fabric: FabricPlan) -> Iterator[Variant]:
    """Yield each set of settings that differs from the fabric's block, in the order of the first switch with it."""
    devices_of: dict[int, list[tuple[str, Tier]]] = {}
    settings_of: dict[int, DeviceSettings] = {}
    for name, settings in fabric.exceptions.settings.items():
        place = place_of(fabric, name)
        if place is not None:
            settings_of[id(settings)] = settings
            devices_of.setdefault(id(settings), []).append((name, place.tier))
    for key, devices in devices_of.items():
        tiers = tuple(dict.fromkeys(tier for _, tier in devices))
        yield Variant(fabric.name, settings_of[key], tuple(name for name, _ in devices), tiers)


def blocks(fabric: FabricPlan) -> Iterator[Fabric]:
    """Yield the fabric's block, and that of each variant."""
    yield fabric.fabric
    yield from (variant.settings.fabric for variant in variants(fabric))


def balancing_of(fabric: FabricPlan) -> str:
    """Return how the switches of a fabric balance load: per packet if one does, as NICs then get any order.

    The fabric's block counts only where some switch has no other setting by an override.
    """
    own, mode = fabric.exceptions.settings, fabric.fabric.load_balancing
    if not own:
        return mode
    names = (name_of(fabric, place) for place in present_places(fabric))
    modes = dict.fromkeys(own[name].fabric.load_balancing if name in own else mode for name in names)
    return next((found for found in (PER_PACKET, mode) if found in modes), next(iter(modes), mode))


def sprays(fabric: FabricPlan) -> bool:
    """Return whether some switch of a fabric sprays packets over several paths."""
    return balancing_of(fabric) == PER_PACKET


def multihomed(fabric: FabricPlan) -> bool:
    """Return whether servers of some leaf of a fabric may have Ethernet segments."""
    frontends = (block for block in blocks(fabric) if isinstance(block, Frontend))
    return any(block.server_ports.multihoming == "evpn-esi" for block in frontends)


def plan_of(plan: Plan, variant: Variant) -> Plan:
    """Return the plan as if the whole fabric had these settings, without its other fabrics."""
    name, settings = variant.fabric, variant.settings
    fabric = with_system(settings.fabric, variant)
    bare = plan.fabrics[name].exceptions._replace(settings={}, systems={})
    intent = plan.intent.model_copy(update={"fabrics": {name: fabric}, "management": settings.management})
    return plan._replace(intent=intent, fabrics={name: replace(plan.fabrics[name], fabric=fabric, exceptions=bare)})


def with_system(fabric: Fabric, variant: Variant) -> Fabric:
    """Return the settings with the operating system of the variant's switches."""
    if not variant.settings.system:
        return fabric
    keys = (OS_KEYS[tier] for tier in variant.tiers)
    switches = {key: switch for key in keys if (switch := getattr(fabric, key, None)) is not None}
    system = {"os": variant.settings.system}
    return fabric.model_copy(update={key: switch.model_copy(update=system) for key, switch in switches.items()})
