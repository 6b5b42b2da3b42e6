"""The whole switch: puts the parts of all features together."""

from collections.abc import Iterable, Iterator

from fabricgen.base.secret import marked
from fabricgen.device.device import Device, Hardware, RawLines
from fabricgen.device.qos import Qos
from fabricgen.intent.site import Raw
from fabricgen.plan.fabric import name_of, present_places, state_of
from fabricgen.plan.overrides import is_named
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.lossless import RenderedLossless, as_given
from fabricgen.resolve.context import FabricContext, make_context, make_site
from fabricgen.resolve.evpn import resolve_evpn
from fabricgen.resolve.interfaces import resolve_interfaces
from fabricgen.resolve.management import resolve_management
from fabricgen.resolve.qos import resolve_load_balancing, resolve_qos
from fabricgen.resolve.routing import resolve_routing
from fabricgen.resolve.telemetry import resolve_telemetry
from fabricgen.topologies.shape import Chassis


def devices(plan: Plan, known: Iterable[Device] = ()) -> Iterator[Device]:
    """Yield every configured switch of the site, fabric by fabric. `known`: devices that are already resolved."""
    resolved = {(device.fabric, device.name): device for device in known}
    for name in plan.fabrics:
        site = make_site(plan, name)
        for place in present_places(site.fabric):
            yield resolved.get((name, name_of(site.fabric, place))) or resolve(site, place)


def resolve(site: FabricContext, place: Place) -> Device:
    """Return one switch, computed from its place alone."""
    context = make_context(site, place)
    system, _, version = context.chassis.system.partition("-")
    interfaces = resolve_interfaces(context)
    return Device(
        name=context.name,
        site=site.plan.intent.site,
        fabric=site.fabric.name,
        kind=site.fabric.fabric.kind,
        role=place.tier.value,
        system=system,
        version=version,
        state=state_of(site.fabric, place),
        hardware=hardware_of(context.chassis),
        management=resolve_management(context),
        interfaces=interfaces,
        routing=resolve_routing(context),
        evpn=resolve_evpn(context),
        qos=resolve_qos(context, interfaces.ethernet),
        load_balancing=resolve_load_balancing(context, interfaces.ethernet),
        telemetry=resolve_telemetry(context),
        raw=tuple(raw_lines(site.plan.intent.raw, place, context.name, system)),
    )


def raw_lines(entries: Iterable[Raw], place: Place, name: str, system: str) -> Iterator[RawLines]:
    """Yield the raw lines of an intent for a switch, by its name and its operating system without the release."""
    for index, raw in enumerate(entries):
        if raw.system == system and _selects(raw, place, name):
            lines = tuple(marked(line, raw.references) for line in raw.lines)
            yield RawLines(artifact=raw.artifact or "", lines=lines, where=f"raw[{index}]")


def _selects(raw: Raw, place: Place, name: str) -> bool:
    return raw.fabric in (None, place.fabric) and raw.role in (None, place.tier.value) and is_named(raw.device, name)


def hardware_of(chassis: Chassis) -> Hardware:
    """Return what the platform of a chassis needs to know about the hardware."""
    system = chassis.system.partition("-")[0]
    return Hardware(
        model=chassis.switch.model,
        asic=chassis.asic.name,
        spellings={**chassis.asic.spellings.get(system, {}), **chassis.switch.spellings.get(system, {})},
    )


def rendered_lossless(chassis: Chassis, qos: Qos, mtu: int) -> RenderedLossless:
    """Return the lossless class of a chassis as its system rounds it. mtu: largest packet of its ports, octets."""
    system = chassis.system.partition("-")[0]
    rendered = PLATFORMS[system].rendered if system in PLATFORMS else as_given
    return rendered(hardware_of(chassis), qos, mtu)
