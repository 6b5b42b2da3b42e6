"""What every feature asks about the switch it resolves, looked up once."""

from dataclasses import dataclass, replace

from fabricgen.intent.fabric import Fabric
from fabricgen.intent.site import Management
from fabricgen.plan.fabric import FabricPlan, asn_of, chassis_of, name_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import Owner, PlannedTenant, owners
from fabricgen.resolve.links import FabricLink, fabric_links
from fabricgen.resolve.lossless import Lossless, lossless_of
from fabricgen.topologies.shape import Chassis


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One fabric with what all of its switches share.

    owned     server group → which tenant owns which slots
    lossless  by switch model; empty where the fabric has no lossless class
    """

    plan: Plan
    fabric: FabricPlan
    tenants: tuple[PlannedTenant, ...]
    owned: dict[str, tuple[Owner, ...]]
    lossless: dict[str, Lossless]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One switch. `links`: its cables to the tiers below and above, as `fabric_links` has them, absent ones too."""

    site: Site
    place: Place
    name: str
    asn: int
    chassis: Chassis
    drained: bool
    lossless: Lossless | None
    links: tuple[FabricLink, ...]

    @property
    def fabric(self) -> FabricPlan:
        """Its fabric."""
        return self.site.fabric

    @property
    def settings(self) -> Fabric:
        """What the intent says of the fabric, as it holds for this switch."""
        own = self.site.fabric.exceptions.settings.get(self.name)
        return own.fabric if own is not None else self.site.fabric.fabric

    @property
    def management(self) -> Management:
        """What the intent says of management, as it holds for this switch."""
        own = self.site.fabric.exceptions.settings.get(self.name)
        return own.management if own is not None else self.site.plan.intent.management


def make_site(plan: Plan, name: str) -> Site:
    """What all switches of a fabric share."""
    fabric = plan.fabrics[name]
    tenants = plan.tenants.get(name, ())
    owned = {group.name: owners(tenants, group.name) for group in fabric.shape.groups}
    chassis = [group.leaf for group in fabric.shape.groups]
    chassis += [found for found in (fabric.shape.spine, fabric.shape.core, fabric.shape.border) if found is not None]
    lossless = {found.switch.model: made for found in chassis if (made := lossless_of(fabric, found)) is not None}
    return Site(plan=plan, fabric=fabric, tenants=tenants, owned=owned, lossless=lossless)


def make_context(site: Site, place: Place) -> Context:
    """Look a switch up."""
    name = name_of(site.fabric, place)
    chassis = chassis_of(site.fabric, place)
    return Context(
        site=site,
        place=place,
        name=name,
        asn=asn_of(site.fabric, place),
        chassis=chassis,
        drained=site.fabric.exceptions.devices.get(name) == "drained",
        lossless=_lossless(site, name, chassis),
        links=fabric_links(site.fabric, place),
    )


def _lossless(site: Site, name: str, chassis: Chassis) -> Lossless | None:
    """Lossless arithmetic of a switch: that of its model, unless overrides give it settings of its own."""
    own = site.fabric.exceptions.settings.get(name)
    if own is None:
        return site.lossless.get(chassis.switch.model)
    return lossless_of(replace(site.fabric, fabric=own.fabric), chassis)
