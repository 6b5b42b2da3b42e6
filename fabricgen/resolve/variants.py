"""Settings that overrides give to some switches of a fabric, as a fabric of their own: for whoever judges settings."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Fabric, Frontend
from fabricgen.plan.exceptions import DeviceSettings
from fabricgen.plan.fabric import FabricPlan, place_of
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import PER_PACKET

OS = "os"
"""Key of an override that gives an operating system."""
OS_KEYS = {Tier.LEAF: "leaf", Tier.BORDER: "border", Tier.SPINE: "spine", Tier.SUPERSPINE: "superspine"}


class Variant(NamedTuple):
    """One set of settings, and who has it: names of switches, and their tiers, each in the order of the names."""

    fabric: str
    settings: DeviceSettings
    devices: tuple[str, ...]
    tiers: tuple[Tier, ...]

    def placed(self, where: IntentPath) -> IntentPath:
        """Where the intent says what stands at this place of the fabric's block: the override that changes it.

        Where none does, it is the operating system that makes the difference, where an override gives one.
        """
        own = where[2:] if where[:2] == ("fabrics", self.fabric) else where
        key = ".".join(str(part) for part in own)
        sources = self.settings.sources
        found = next((one for one in sources if one == key or key.startswith(f"{one}.")), "")
        found = (
            found
            or next((one for one in sources if one.startswith(f"{key}.")), "")
            or (OS if OS in sources else next(iter(sources)))
        )
        return ("overrides", sources[found], *found.split("."))

    def changes(self, where: IntentPath) -> bool:
        """Whether an override gives what stands at this place of the fabric's block, or a part of it."""
        own = where[2:] if where[:2] == ("fabrics", self.fabric) else where
        key = ".".join(str(part) for part in own)
        return any(f"{key}.".startswith(f"{one}.") or one.startswith(f"{key}.") for one in self.settings.sources)


def variants(fabric: FabricPlan) -> Iterator[Variant]:
    """Each set of settings of a fabric that differs from its block, in the order of the names that have it."""
    found: dict[int, list[tuple[str, Tier]]] = {}
    own: dict[int, DeviceSettings] = {}
    for name, settings in fabric.exceptions.settings.items():
        place = place_of(fabric, name)
        if place is not None:
            own[id(settings)] = settings
            found.setdefault(id(settings), []).append((name, place.tier))
    for key, devices in found.items():
        tiers = tuple(dict.fromkeys(tier for _, tier in devices))
        yield Variant(fabric.name, own[key], tuple(name for name, _ in devices), tiers)


def sprays(fabric: FabricPlan) -> bool:
    """Whether some switch of a fabric sends each packet by a path of its own: then every NIC gets them in any order."""
    own = (variant.settings.fabric for variant in variants(fabric))
    return any(body.load_balancing == PER_PACKET for body in (fabric.fabric, *own))


def multihomed(fabric: FabricPlan) -> bool:
    """Whether servers of some leaf of a fabric may have Ethernet segments."""
    own = (variant.settings.fabric for variant in variants(fabric))
    every = (fabric.fabric, *own)
    return any(isinstance(body, Frontend) and body.server_ports.multihoming == "evpn-esi" for body in every)


def plan_of(plan: Plan, variant: Variant) -> Plan:
    """The plan as if the whole fabric had these settings, without its other fabrics."""
    name, settings = variant.fabric, variant.settings
    fabric = with_system(settings.fabric, variant)
    bare = plan.fabrics[name].exceptions._replace(settings={}, systems={})
    intent = plan.intent.model_copy(update={"fabrics": {name: fabric}, "management": settings.management})
    return plan._replace(intent=intent, fabrics={name: replace(plan.fabrics[name], fabric=fabric, exceptions=bare)})


def with_system(fabric: Fabric, variant: Variant) -> Fabric:
    """The settings with the operating system that the switches run."""
    if not variant.settings.system:
        return fabric
    keys = (OS_KEYS[tier] for tier in variant.tiers)
    switches = {key: switch for key in keys if (switch := getattr(fabric, key, None)) is not None}
    system = {"os": variant.settings.system}
    return fabric.model_copy(update={key: switch.model_copy(update=system) for key, switch in switches.items()})
