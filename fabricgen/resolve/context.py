"""What every feature asks about the switch it resolves, looked up once."""

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
"""Things that are kept for switches that are alike: a few dozen where all cables of a kind are of one length."""


class FabricContext(NamedTuple):
    """One fabric with what all of its switches share.

    owned       server group → which tenant owns which slots
    lossless    by switch model and system; empty where the fabric has no lossless class
    multihomed  servers of some leaf may have Ethernet segments
    macs        MAC addresses of one of its servers
    adjacent    links of its switches to other switches; bundles: with their addresses and states
    alike       what `Context.alike` has made
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

    settings    what the intent says of the fabric, as it holds for this switch; management: of management
    is_special  whether these are its own, by overrides
    bundles     its cables to the tiers below and above, absent ones too
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
        """Its fabric."""
        return self.site.fabric

    def alike(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return what `make` makes of this switch: once for all of its tier that have an equal key.

        key  what it is made of, besides the tier and the settings; a switch with settings of its own has its own
        """
        if self.is_special:
            return make()
        kept, whole = self.site.alike, (self.place.tier, *key)
        if whole not in kept:
            if len(kept) >= MOST_ALIKE:
                kept.clear()
            kept[whole] = make()
        return cast(T, kept[whole])


def make_site(plan: Plan, name: str) -> FabricContext:
    """What all switches of a fabric share."""
    fabric = plan.fabrics[name]
    tenants = plan.tenants.get(name, ())
    owned = {group.name: owners(tenants, group.name) for group in fabric.shape.groups}
    chassis = [group.leaf for group in fabric.shape.groups]
    chassis += [found for found in (fabric.shape.spine, fabric.shape.core, fabric.shape.border) if found is not None]
    lossless = {lossless_key(found): made for found in chassis if (made := lossless_of(fabric, found)) is not None}
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
    """What lossless arithmetic of a chassis is kept by: its model and its system."""
    return chassis.switch.model, chassis.system


def make_context(site: FabricContext, place: Place) -> Context:
    """Look a switch up."""
    name = name_of(site.fabric, place)
    chassis = chassis_of(site.fabric, place)
    own = site.fabric.exceptions.settings.get(name)
    return Context(
        site=site,
        place=place,
        name=name,
        asn=asn_of(site.fabric, place),
        chassis=chassis,
        drained=site.fabric.exceptions.devices.get(name) == "drained",
        settings=own.fabric if own is not None else site.fabric.fabric,
        management=own.management if own is not None else site.plan.intent.management,
        is_special=own is not None,
        lossless=_lossless(site, own, chassis),
        bundles=site.bundles.of(place),
    )


def _lossless(site: FabricContext, own: DeviceSettings | None, chassis: Chassis) -> Lossless | None:
    """Lossless arithmetic of a switch: that of its model, unless overrides give it settings of its own."""
    if own is None:
        return site.lossless.get(lossless_key(chassis))
    return lossless_of(replace(site.fabric, fabric=own.fabric), chassis)
