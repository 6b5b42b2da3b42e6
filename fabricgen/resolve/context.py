"""The context that every feature needs of the switch it resolves, looked up once."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import NamedTuple, TypeVar, cast

from fabricgen.base.addresses import AddressTexts
from fabricgen.intent.fabric import Fabric
from fabricgen.intent.site import Management
from fabricgen.plan.adjacent import Adjacent
from fabricgen.plan.exceptions import DeviceSettings
from fabricgen.plan.fabric import FabricPlan, asn_of, chassis_of, name_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import Owner, PlannedTenant, owners
from fabricgen.resolve.links import Bundles, LinkBundle
from fabricgen.resolve.lossless import Lossless, lossless_of
from fabricgen.resolve.macs import ServerMacs, server_macs
from fabricgen.resolve.variants import multihomed
from fabricgen.topologies.shape import Chassis

T = TypeVar("T")

MOST_ALIKE = 256
"""Limit of cached parts of equal switches: a few dozen are in use where all cables of a kind have one length."""


class FabricContext(NamedTuple):
    """One fabric with the values that all of its switches share.

    owned       server group → which tenant owns which slots
    lossless    by switch model and system; empty where the fabric has no lossless class
    multihomed  servers of some leaf may have Ethernet segments
    macs        MAC addresses of one of its servers
    adjacent    links of its switches to other switches; bundles: the same with addresses and states
    alike       cache of `Context.alike`
    """

    plan: Plan
    fabric: FabricPlan
    tenants: tuple[PlannedTenant, ...]
    owned: dict[str, tuple[Owner, ...]]
    lossless: dict[tuple[str, str], Lossless]
    multihomed: bool
    macs: ServerMacs
    texts: AddressTexts
    adjacent: Adjacent
    bundles: Bundles
    alike: dict[Hashable, object]


class Context(NamedTuple):
    """One switch.

    settings    the fabric block as it applies to this switch, with overrides; management: the same of management
    is_special  whether overrides give the switch settings of its own
    bundles     its cables to the tiers below and above, including absent ones
    """

    site: FabricContext
    place: Place
    name: str
    asn: int
    chassis: Chassis
    drained: bool
    settings: Fabric
    management: Management
    is_special: bool
    lossless: Lossless | None
    bundles: tuple[LinkBundle, ...]

    @property
    def fabric(self) -> FabricPlan:
        """The fabric of the switch."""
        return self.site.fabric

    def alike(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return the result of `make`, computed once for all switches of a tier with an equal key.

        key  everything that the result depends on, except tier and settings; a switch with its own settings is not
             cached
        """
        if self.is_special:
            return make()
        cache, full_key = self.site.alike, (self.place.tier, *key)
        if full_key not in cache:
            # Full, as with a cable file of many lengths: start again.
            if len(cache) >= MOST_ALIKE:
                cache.clear()
            cache[full_key] = make()
        return cast(T, cache[full_key])


def make_site(plan: Plan, name: str) -> FabricContext:
    """Return the values that all switches of a fabric share."""
    fabric = plan.fabrics[name]
    tenants = plan.tenants.get(name, ())
    owned = {group.name: owners(tenants, group.name) for group in fabric.shape.groups}
    lossless = {
        lossless_key(member): arithmetic
        for _, member in fabric.shape.chassis
        if (arithmetic := lossless_of(fabric, member)) is not None
    }
    adjacent, texts = Adjacent(fabric), AddressTexts()
    return FabricContext(
        plan=plan,
        fabric=fabric,
        tenants=tenants,
        owned=owned,
        lossless=lossless,
        multihomed=multihomed(fabric),
        macs=server_macs(fabric),
        texts=texts,
        adjacent=adjacent,
        bundles=Bundles(fabric, adjacent, texts),
        alike={},
    )


def lossless_key(chassis: Chassis) -> tuple[str, str]:
    """Return the key of a chassis in `FabricContext.lossless`: its model and its system."""
    return chassis.switch.model, chassis.system


def make_context(site: FabricContext, place: Place) -> Context:
    """Return the context of the switch at a place."""
    name = name_of(site.fabric, place)
    chassis = chassis_of(site.fabric, place)
    overridden = site.fabric.exceptions.settings.get(name)
    return Context(
        site=site,
        place=place,
        name=name,
        asn=asn_of(site.fabric, place),
        chassis=chassis,
        drained=site.fabric.exceptions.devices.get(name) == "drained",
        settings=overridden.fabric if overridden is not None else site.fabric.fabric,
        management=overridden.management if overridden is not None else site.plan.intent.management,
        is_special=overridden is not None,
        lossless=_lossless(site, overridden, chassis),
        bundles=site.bundles.of(place),
    )


def _lossless(site: FabricContext, overridden: DeviceSettings | None, chassis: Chassis) -> Lossless | None:
    """Return the lossless arithmetic of a switch: that of its model, or its own where overrides give it settings."""
    if overridden is None:
        return site.lossless.get(lossless_key(chassis))
    return lossless_of(replace(site.fabric, fabric=overridden.fabric), chassis)
